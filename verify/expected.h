/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_EXPECTED_H
#define LNG_VERIFY_EXPECTED_H
/* What a case file says about its outputs. */
#include "core/kernel.h"
#include "verify/problem.h"

/* Whether the oracle agrees with the case: a number to 2^-90 of S, a word by its kind (an
 * infinity also where the exact value rounds to it; a case may ask for a NaN where the
 * contract leaves the choice). -1 and one line where not: then the case, or the oracle,
 * is wrong, and no kernel is judged by it. */
int lng_check_expected(const struct lng_data *data,
                       struct lng_truth *const truth[LNG_OUTPUTS], char *error,
                       size_t size);

/* What a case asks beyond the bound: the kind that a word names, and, of class wide and
 * where the output is listed under `exact`, the exact value rounded once, zeros of either
 * sign being equal. 0: note says where not. */
int lng_judge_expected(const struct lng_data *data, enum lng_output output,
                       const void *got, const struct lng_truth *truth,
                       const struct lng_kernel *kernel, char *note, size_t size);

#endif
