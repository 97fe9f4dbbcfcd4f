/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_JOBS_H
#define LNG_VERIFY_JOBS_H
/*
 * Work shared out among child processes, so that a kernel that crashes or hangs costs one
 * step and not the run. Results go through memory that the caller has shared beforehand.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What the parent sees of a child. */
struct lng_slot {
    _Atomic int item, step; /* the last step begun; -1: none of the item */
    _Atomic int64_t
        clock; /* monotonic ns since when a kernel has been running; 0: none is */
};

struct lng_jobs {
    int items, processes;
    /* In the child: does an item's steps from `step` on, noting each in slot->step. */
    void (*work)(int item, int step, struct lng_slot *slot, void *user);
    /* In the parent: this step killed its child (signal 0: it exited), or ran too long
     * (hung). The item then goes on with the next step. */
    void (*died)(int item, int step, int signal, int hung, void *user);
    double (*limit)(int item, void *user); /* seconds that one call may take */
    void (*progress)(int items_begun,
                     void *user); /* some ten times a second; may be NULL */
    void *user;
};

/* 0, or -1: a process could not be made, or died before the first step of an item. */
int lng_jobs_run(const struct lng_jobs *jobs);

/* Memory that this process and its children share; zeroed. NULL: none. */
void *lng_shared_memory(size_t bytes);

int64_t lng_monotonic_ns(void);

#endif
