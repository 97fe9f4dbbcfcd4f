/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_OUTPUT_H
#define LNG_VERIFY_OUTPUT_H
/* What a run tells: on standard output, as lng-result/1 and as JUnit XML. */
#include <time.h>

#include "verify/options.h"

/* The results, counted. */
struct lng_totals {
    int passed, failed, skipped; /* units; a planted fault that survived is a failure */
    int problems;                /* distinct, by the text that rebuilds them */
    int64_t elements;
    uint64_t hash; /* FNV-1a-64 of the problems' texts */
    int planted, found;
};

/* Of one problem: the options that rebuild it, to be freed. */
char *lng_source_options(const struct lng_source *source);

/* What the run judges by: "class", or the profile of --tolerance. */
const char *lng_tolerance_name(const struct lng_run *run);

struct lng_totals lng_count(const struct lng_options *o,
                            const struct lng_planted *planted);

void lng_print_list(void);
void lng_print_results(const struct lng_options *o, const struct lng_totals *t,
                       const struct lng_planted *planted);

/* 0, or -1 and one line in error. */
int lng_write_json(const struct lng_options *o, const struct lng_totals *t,
                   const struct lng_planted *planted, time_t start, char *error,
                   size_t size);
int lng_write_junit(const struct lng_options *o, const struct lng_totals *t, char *error,
                    size_t size);

#endif
