/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_WORKERS_H
#define LNG_WORKERS_H
/*
 * A pool of threads for one process. A call borrows idle threads (or starts some), works
 * with them, and gives them back; several calls may do so at once. A child of fork starts
 * with an empty pool.
 */
#include <stdint.h>

/* Processors that the process might use when the library was loaded, at least 1. */
int lng_processors(void);

/* How many workers a mask allows: its distinct processors, bit i the (i mod n)-th. */
int lng_mask_workers(uint32_t mask);

/* Runs work(arg, w) for w = 0 ... workers-1, w = 0 in the calling thread, the others at
 * the same time in threads of the pool, and returns when all have ended. Every one of
 * them computes rounding to nearest with gradual underflow. 0, or -1 if a thread could
 * not be started (then nothing ran). */
int lng_workers_run(int workers, void (*work)(void *arg, int w), void *arg);

/* The same for work that any of them can do alone: a thread that has not begun by the
 * time the caller is through is not waited for. */
int lng_workers_help(int workers, void (*work)(void *arg, int w), void *arg);

#endif
