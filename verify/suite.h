/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_SUITE_H
#define LNG_VERIFY_SUITE_H
/* The fixed-seed suites: lists of problems, the same on every machine. */
#include "verify/problem.h"

/* Where a problem comes from: a spec, or a file that was read (then only data is set). */
struct lng_source {
    struct lng_spec spec;
    struct lng_data *data;
};

struct lng_suite {
    struct lng_source *sources;
    int count;
};

/* smoke, sweep or full. -1: no such suite, or no memory. */
int lng_suite_make(const char *name, uint64_t seed, struct lng_suite *suite);
int lng_suite_add(struct lng_suite *suite, const struct lng_source *source);
void lng_suite_free(struct lng_suite *suite);

#endif
