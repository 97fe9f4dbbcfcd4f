/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_OPTIONS_H
#define LNG_VERIFY_OPTIONS_H
/* The command line of lng-verify. */
#include <stdio.h>

#include "verify/run.h"

enum {
    LNG_EXIT_OK = 0,
    LNG_EXIT_NOT_CONFORMANT = 1,
    LNG_EXIT_USAGE = 2,
    LNG_EXIT_NOTHING_RAN = 77
};

struct lng_options {
    int list, help, quiet, color;
    const char *suite;  /* smoke, sweep, full, or custom: one problem, or cases */
    int mutants;        /* the planted faults are part of the run */
    struct lng_run run; /* kernels, entries, mask, jobs, timeout; its suite is problems */
    struct lng_suite problems;
    struct lng_suite
        planted_on;           /* the problems that the planted faults met; empty before */
    const char *json, *junit; /* NULL: not written */
    uint64_t seed;
};

/* Reads the command line, and every file that it names, before anything is run. 0, or -1
 * and one line in error. */
int lng_options_read(struct lng_options *options, int argc, char **argv, char *error,
                     size_t size);
void lng_options_free(struct lng_options *options);

void lng_options_help(FILE *out);

#endif
