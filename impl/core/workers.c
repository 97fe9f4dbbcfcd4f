/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/arch.h"

/* One call's share-out, on the caller's stack. */
struct region {
    void (*work)(void *arg, int w);
    void *arg;
    int spin; /* whether to wait for each other awake at first */
};

/* A thread of the pool. A region is offered to it; it takes that, which makes it
 * &taken, and clears it when done. Until it has taken it the offer can be withdrawn. */
struct thread {
    struct thread *next; /* in the list of idle ones, or of one call */
    _Atomic(struct region *) region;
    int w;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_int asleep; /* how many wait for changed */
};

static struct region taken;

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *idle;
static int processors = 1;

static void fork_prepare(void)
{
    pthread_mutex_lock(&idle_lock);
}

static void fork_parent(void)
{
    pthread_mutex_unlock(&idle_lock);
}

/* The threads stayed in the parent; their records stay here, a few hundred bytes each. */
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

/* Waking a thread takes longer than many a call, so one stays awake for some 50 us. */
enum { SPINS = 1000 };

/* Waits until the thread has a region, or has none, awake for a while and then asleep;
 * one who is woken looks again, whatever there is. Returns what there is. */
static struct region *await(struct thread *h, int busy, int spin)
{
    struct region *region = atomic_load(&h->region);
    for (int i = 0; spin && (region != NULL) != busy && i < SPINS; i++) {
        lng_relax();
        region = atomic_load(&h->region);
    }
    if ((region != NULL) == busy)
        return region;
    pthread_mutex_lock(&h->lock);
    atomic_fetch_add(&h->asleep, 1);
    if ((atomic_load(&h->region) != NULL) != busy)
        pthread_cond_wait(&h->changed, &h->lock);
    atomic_fetch_sub(&h->asleep, 1);
    pthread_mutex_unlock(&h->lock);
    return atomic_load(&h->region);
}

/* The region is there before asleep is read, or one who falls asleep meanwhile is missed.
 * A store promises that too, but qemu 7.2 lets loads overtake Arm's; x86 stores by an
 * exchange anyway. */
static void change(struct thread *h, struct region *region)
{
    atomic_exchange(&h->region, region);
    if (atomic_load(&h->asleep)) {
        pthread_mutex_lock(&h->lock);
        pthread_cond_broadcast(&h->changed);
        pthread_mutex_unlock(&h->lock);
    }
}

static void *thread_main(void *self)
{
    struct thread *h = self;
    for (int spin = 0;;) {
        struct region *region = await(h, 1, spin);
        /* Woken too late: the next call may be near. */
        spin = 1;
        if (!region || !atomic_compare_exchange_strong(&h->region, &region, &taken))
            continue;
        spin = region->spin;
        run_share(region, h->w);
        change(h, NULL);
    }
    return NULL;
}

static struct thread *start_thread(void)
{
    struct thread *h = malloc(sizeof *h);
    if (!h)
        return NULL;
    *h = (struct thread){.lock = PTHREAD_MUTEX_INITIALIZER,
                         .changed = PTHREAD_COND_INITIALIZER};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    const int failed = pthread_create(&thread, &attributes, thread_main, h);
    pthread_attr_destroy(&attributes);
    if (failed) {
        free(h);
        return NULL;
    }
    return h;
}

static void give_back(struct thread *list)
{
    pthread_mutex_lock(&idle_lock);
    while (list) {
        struct thread *next = list->next;
        list->next = idle;
        idle = list;
        list = next;
    }
    pthread_mutex_unlock(&idle_lock);
}

/* A list of n threads, idle ones first; NULL if one could not be started. */
static struct thread *borrow(int n)
{
    struct thread *list = NULL;
    pthread_mutex_lock(&idle_lock);
    for (; n > 0 && idle; n--) {
        struct thread *h = idle;
        idle = h->next;
        h->next = list;
        list = h;
    }
    pthread_mutex_unlock(&idle_lock);
    for (; n > 0; n--) {
        struct thread *h = start_thread();
        if (!h) {
            give_back(list);
            return NULL;
        }
        h->next = list;
        list = h;
    }
    return list;
}

static int run(int workers, int all, void (*work)(void *arg, int w), void *arg)
{
    struct region region = {work, arg, workers <= processors};
    struct thread *team = workers > 1 ? borrow(workers - 1) : NULL;
    if (workers > 1 && !team)
        return -1;
    int w = 1;
    for (struct thread *h = team; h; h = h->next) {
        h->w = w++;
        change(h, &region);
    }
    run_share(&region, 0);
    for (struct thread *h = team; h; h = h->next) {
        struct region *offered = &region;
        if (all || !atomic_compare_exchange_strong(&h->region, &offered, NULL))
            while (await(h, 0, region.spin))
                ;
    }
    if (team)
        give_back(team);
    return 0;
}

int lng_workers_run(int workers, void (*work)(void *arg, int w), void *arg)
{
    return run(workers, 1, work, arg);
}

int lng_workers_help(int workers, void (*work)(void *arg, int w), void *arg)
{
    return run(workers, 0, work, arg);
}
