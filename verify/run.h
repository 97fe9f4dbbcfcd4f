/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_RUN_H
#define LNG_VERIFY_RUN_H
/* A run: every kernel and entry point on every problem, the planted faults on a few. */
#include "verify/judge.h"
#include "verify/suite.h"

struct lng_run {
    const struct lng_suite *suite;
    const struct lng_kernel **kernels;
    int kernels_count;
    unsigned entries; /* bit e: entry e is judged */
    uint32_t mask;    /* of the plain call */
    int thorough;     /* every way of calling, also for large problems */
    int jobs;         /* processes */
    int tolerance;    /* enum lng_class to judge by; -1: each kernel's own */
    double timeout;   /* seconds a call, before what the size adds */
    int progress;     /* on standard error */

    struct lng_unit *units; /* ordered by problem, kernel (of one lane first), entry */
    int units_count;
    int *first_unit; /* of each problem, and units_count at the end */
};

/* Lists the units; then lng_run_units judges them. -1: one line in error. */
int lng_run_open(struct lng_run *run, char *error, size_t size);
int lng_run_units(struct lng_run *run, char *error, size_t size);
void lng_run_close(struct lng_run *run);

/* The unit that had the bits that this one should have had, or itself. */
const struct lng_unit *lng_unit_against(const struct lng_run *run,
                                        const struct lng_unit *unit);

/* A planted fault and what became of it. */
struct lng_planted {
    const struct lng_kernel *kernel;
    const char *plants; /* one sentence */
    int killed, by;     /* by: index in the suite of the problem that showed it */
    int problems;       /* it was put to */
    double margin;      /* err/bound it died with; infinite for wrong bits or memory */
    char note[200];
};

/* Puts every mutant to the problems of its type in turn until one shows its fault.
 * planted is shared memory of lng_mutants_count entries. */
int lng_run_mutants(const struct lng_run *run, struct lng_planted *planted, char *error,
                    size_t size);

#endif
