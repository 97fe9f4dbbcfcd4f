/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_EXACT_H
#define LNG_EXACT_H
/*
 * The oracle that checks the oracle: whole numbers instead of MPFR, its own reading of
 * the bits of the inputs, of the table of special values and of rounding. Slow, and of no
 * other use.
 */
#include "ref/oracle.h"

/* The kind of an element and, where it is LNG_FINITE, its value rounded once to the
 * problem's type, nearest even: always decided. */
enum lng_kind lng_exact(const lng_problem *problem, enum lng_output output, int64_t index,
                        double *rounded);

#endif
