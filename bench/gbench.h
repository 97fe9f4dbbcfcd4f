/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_GBENCH_H
#define LNG_GBENCH_H
/*
 * Google Benchmark for C: named benchmarks with a body in C, and the real time of one
 * iteration handed back for every repetition. It is one clock for the process; nothing
 * here may be called from several threads.
 *
 * A body sets up what it needs, runs the timed loop and cleans up; only the loop is
 * timed:
 *
 *     while (lng_gbench_next(state))
 *         one_iteration();
 *
 * It is called several times for one repetition while the number of iterations is being
 * found. Threads are the body's own affair.
 */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lng_gbench_state;

struct lng_gbench {
    const char *name;
    void (*body)(struct lng_gbench_state *state, void *user);
    void (*report)(double seconds,
                   void *user); /* one repetition: real time an iteration */
    void *user;
};

/* Reads Google Benchmark's flags in argv[1 ... argc-1]. Returns the first argument that
 * is none or has a bad value, or NULL. bad_value is called, and must not return, where
 * the library finds one itself and would print its usage. */
const char *lng_gbench_init(int argc, char **argv, void (*bad_value)(void));

/* Adds one repetition of a benchmark at the end of those to be run. Added again under the
 * same name it is repeated: the order of the calls is the order of the run. The benchmark
 * has to live until lng_gbench_run returns. */
void lng_gbench_add(const struct lng_gbench *benchmark);

/* Runs or lists (--benchmark_list_tests) what matches --benchmark_filter; returns how
 * many repetitions matched. */
size_t lng_gbench_run(void);

/* True while another iteration is wanted; starts and stops the clock. */
int lng_gbench_next(struct lng_gbench_state *state);

#ifdef __cplusplus
}
#endif
#endif
