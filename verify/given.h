/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_GIVEN_H
#define LNG_VERIFY_GIVEN_H
/* The words of the command line, before sense is made of them. */
#include "verify/options.h"

/* The values that options were given; NULL or 0: not given. */
struct lng_given {
    const char *suite, *shape, *sizes, *dtype, *input, *seed, *cores, *epsilon, *color,
        *tolerance, *timeout, *jobs;
    const char **impl, **cases, **entries;
    int impl_count, case_count, entry_count;
};

/* What stands for itself goes to the options at once. 0, or -1 and one line in error; to
 * be freed in both cases. */
int lng_given_read(struct lng_given *given, struct lng_options *options, int argc,
                   char **argv, char *error, size_t size);
void lng_given_free(struct lng_given *given);

#endif
