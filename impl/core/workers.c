/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/arch.h"

/* One call's share-out: lives on the caller's stack until every helper has left it. */
struct region {
    void (*work)(void *arg, int w);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t all_left;
    int inside; /* helpers that have not left yet */
};

struct helper {
    struct helper *next; /* in the list of idle ones, or of one call */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct region *region; /* NULL: idle */
    int w;
};

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct helper *idle;
static int processors = 1;

static void fork_prepare(void)
{
    pthread_mutex_lock(&idle_lock);
}

static void fork_parent(void)
{
    pthread_mutex_unlock(&idle_lock);
}

/* The threads stayed in the parent; their records stay behind, a few hundred bytes each.
 */
static void fork_child(void)
{
    idle = NULL;
    pthread_mutex_unlock(&idle_lock);
}

#if defined(__GNUC__)
__attribute__((constructor))
#endif
static void
count_processors(void)
{
#if defined(CPU_COUNT)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        processors = CPU_COUNT(&set);
    else
#endif
        processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        processors = 1;
    pthread_atfork(fork_prepare, fork_parent, fork_child);
}

int lng_processors(void)
{
    return processors;
}

int lng_mask_workers(uint32_t mask)
{
    const int n = lng_processors();
    int workers = 0;
    for (int processor = 0; processor < n && processor < 31; processor++) {
        int named = 0;
        for (int bit = processor; bit < 31; bit += n)
            named |= (int)(mask >> bit & 1);
        workers += named;
    }
    return workers;
}

static void run_share(struct region *region, int w)
{
    const lng_fp_state found = lng_fp_enter();
    region->work(region->arg, w);
    lng_fp_leave(found);
}

static void *helper_main(void *self)
{
    struct helper *h = self;
    pthread_mutex_lock(&h->lock);
    for (;;) {
        while (!h->region)
            pthread_cond_wait(&h->wake, &h->lock);
        struct region *region = h->region;
        h->region = NULL;
        run_share(region, h->w);
        pthread_mutex_lock(&region->lock);
        if (--region->inside == 0)
            pthread_cond_signal(&region->all_left);
        pthread_mutex_unlock(&region->lock);
    }
    return NULL;
}

static struct helper *start_helper(void)
{
    struct helper *h = malloc(sizeof *h);
    if (!h)
        return NULL;
    *h = (struct helper){.lock = PTHREAD_MUTEX_INITIALIZER,
                         .wake = PTHREAD_COND_INITIALIZER};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    const int failed = pthread_create(&thread, &attributes, helper_main, h);
    pthread_attr_destroy(&attributes);
    if (failed) {
        free(h);
        return NULL;
    }
    return h;
}

static void give_back(struct helper *list)
{
    pthread_mutex_lock(&idle_lock);
    while (list) {
        struct helper *next = list->next;
        list->next = idle;
        idle = list;
        list = next;
    }
    pthread_mutex_unlock(&idle_lock);
}

/* A list of n helpers, idle ones first; NULL if one could not be started. */
static struct helper *borrow(int n)
{
    struct helper *list = NULL;
    pthread_mutex_lock(&idle_lock);
    for (; n > 0 && idle; n--) {
        struct helper *h = idle;
        idle = h->next;
        h->next = list;
        list = h;
    }
    pthread_mutex_unlock(&idle_lock);
    for (; n > 0; n--) {
        struct helper *h = start_helper();
        if (!h) {
            give_back(list);
            return NULL;
        }
        h->next = list;
        list = h;
    }
    return list;
}

int lng_workers_run(int workers, void (*work)(void *arg, int w), void *arg)
{
    struct region region = {.work = work, .arg = arg, .inside = workers - 1};
    if (workers == 1) {
        run_share(&region, 0);
        return 0;
    }
    struct helper *team = borrow(workers - 1);
    if (!team)
        return -1;
    pthread_mutex_init(&region.lock, NULL);
    pthread_cond_init(&region.all_left, NULL);
    int w = 1;
    for (struct helper *h = team; h; h = h->next) {
        pthread_mutex_lock(&h->lock);
        h->region = &region;
        h->w = w++;
        pthread_cond_signal(&h->wake);
        pthread_mutex_unlock(&h->lock);
    }
    run_share(&region, 0);
    pthread_mutex_lock(&region.lock);
    while (region.inside)
        pthread_cond_wait(&region.all_left, &region.lock);
    pthread_mutex_unlock(&region.lock);
    pthread_cond_destroy(&region.all_left);
    pthread_mutex_destroy(&region.lock);
    give_back(team);
    return 0;
}
