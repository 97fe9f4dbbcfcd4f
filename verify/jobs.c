/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, nanosleep */
#include "verify/jobs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
    pid_t pid; /* 0: ended */
    int hung;  /* was killed for it */
};

struct board { /* shared */
    _Atomic int next;
    struct lng_slot slots[];
};

void *lng_shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int64_t lng_monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A child dies with its parent, and by the signals of a crash whatever the parent does
 * then. */
static void become_mortal(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* item < 0: starts with a new one. */
static pid_t start(const struct lng_jobs *jobs, struct board *board, int k, int item,
                   int step)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    become_mortal();
    struct lng_slot *slot = &board->slots[k];
    for (;; item = -1, step = 0) {
        if (item < 0)
            item = atomic_fetch_add(&board->next, 1);
        atomic_store(&slot->step, -1);
        atomic_store(&slot->item, item);
        if (item >= jobs->items)
            exit(EXIT_SUCCESS);
        jobs->work(item, step, slot, jobs->user);
    }
}

/* A child that ended. 1: it is replaced, 0: all its work is done, -1: internal error. */
static int replace(const struct lng_jobs *jobs, struct board *board, int k,
                   struct child *child, int status)
{
    struct lng_slot *slot = &board->slots[k];
    const int item = atomic_load(&slot->item), step = atomic_load(&slot->step);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS && item >= jobs->items)
        return 0;
    if (step < 0)
        return -1;
    jobs->died(item, step, WIFSIGNALED(status) ? WTERMSIG(status) : 0, child->hung,
               jobs->user);
    atomic_store(&slot->step, -1);
    atomic_store(&slot->clock, 0);
    child->hung = 0;
    child->pid = start(jobs, board, k, item, step + 1);
    return child->pid < 0 ? -1 : 1;
}

static void stop_hung(const struct lng_jobs *jobs, struct lng_slot *slot,
                      struct child *child)
{
    const int64_t since = atomic_load(&slot->clock);
    if (!since || child->hung)
        return;
    const double limit = jobs->limit(atomic_load(&slot->item), jobs->user);
    if ((double)(lng_monotonic_ns() - since) * 1e-9 > limit &&
        atomic_load(&slot->clock) == since) {
        child->hung = 1;
        kill(child->pid, SIGKILL);
    }
}

int lng_jobs_run(const struct lng_jobs *jobs)
{
    const size_t n = (size_t)jobs->processes;
    struct board *board = lng_shared_memory(sizeof *board + n * sizeof *board->slots);
    struct child *children = calloc(n, sizeof *children);
    int failed = !board || !children, running = 0;
    for (int k = 0; k < jobs->processes && !failed; k++) {
        atomic_store(&board->slots[k].step, -1);
        children[k].pid = start(jobs, board, k, -1, 0);
        failed = children[k].pid < 0;
        running += !failed;
    }
    while (running > 0 && !failed) {
        for (int k = 0; k < jobs->processes && !failed; k++) {
            int status;
            if (children[k].pid == 0)
                continue;
            if (waitpid(children[k].pid, &status, WNOHANG) == children[k].pid) {
                const int outcome = replace(jobs, board, k, &children[k], status);
                failed = outcome < 0;
                if (outcome <= 0) {
                    children[k].pid = 0;
                    running--;
                }
            } else {
                stop_hung(jobs, &board->slots[k], &children[k]);
            }
        }
        if (jobs->progress)
            jobs->progress(atomic_load(&board->next), jobs->user);
        const struct timespec pause = {.tv_nsec = 5000000};
        nanosleep(&pause, NULL);
    }
    for (int k = 0; children && k < jobs->processes; k++)
        if (children[k].pid > 0) {
            kill(children[k].pid, SIGKILL);
            waitpid(children[k].pid, NULL, 0);
        }
    free(children);
    if (board)
        munmap(board, sizeof *board + n * sizeof *board->slots);
    return failed ? -1 : 0;
}
