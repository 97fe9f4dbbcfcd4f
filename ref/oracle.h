/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_ORACLE_H
#define LNG_ORACLE_H
/*
 * The oracle: the exact gradient of the inputs as given, and S, the sum of the magnitudes
 * that enter each element, in MPFR. It knows nothing of kernels. Formula and special
 * values are those at the head of layernormgrad.h.
 *
 *     S(dx) = r*( |g| + sum|g|/H + |d|*r^2*sum|g*d|/H + r^2*sum|g*d|*sum|d|/H^2 )
 *     S(dg) = sum |dy*d|*r          S(db) = sum |dy|
 */
#include <mpfr.h>

#include "layernormgrad.h"

enum lng_output { LNG_DX, LNG_DG, LNG_DB, LNG_OUTPUTS };

/* The length of an output: block_num*block_size, or param_num. */
int64_t lng_output_length(const lng_problem *problem, enum lng_output output);
extern const char *const lng_output_name[LNG_OUTPUTS]; /* "dx", "dg", "db" */

/* What an element has to be. */
enum lng_kind {
    LNG_FINITE,   /* the real number hi + lo (it may still round to an infinity) */
    LNG_NAN,      /* NaN */
    LNG_NONFINITE /* NaN or either infinity */
};

/* Finite: |exact - (hi + lo)| <= 2^-104 |exact| + 2^-150 S, |lo| <= ulp(hi)/2 of a
 * double, and S is right to 2^-48 relative. Otherwise only kind counts. Where the
 * contract asks for an exact zero (block_size = 1, var = +infinity) all three are 0. */
struct lng_truth {
    double hi, lo, S;
    int kind;
};

/* Fills truth[0 .. lng_output_length) for one output, or all three in one pass over the
 * inputs: a NULL array is not computed. Reads dtype, sizes, epsilon and inputs of the
 * problem (gamma may be NULL), nothing else; the sizes multiply to fewer than 2^36
 * elements. 0, or -1 without memory. May be called from several threads at once. */
int lng_oracle(const lng_problem *problem, struct lng_truth *dx, struct lng_truth *dg,
               struct lng_truth *db);

/* One element, for the verdict that is not left to a filter, from nothing but the inputs.
 * Returns its kind; v and S, which come initialised, are set where it is LNG_FINITE: both
 * err by less than 2^(2-p) S, where p is the smaller of their precisions. */
enum lng_kind lng_oracle_element(const lng_problem *problem, enum lng_output output,
                                 int64_t index, mpfr_t v, mpfr_t S);

/* The exact value rounded once to the problem's type, nearest even, ties and zeros
 * decided exactly; NaN where the kind is not LNG_FINITE. LNG_UNDECIDED: the cap on
 * precision was reached, and rounded means nothing. */
enum lng_rounding { LNG_ROUNDED, LNG_UNDECIDED };
enum lng_rounding lng_oracle_round(const lng_problem *problem, enum lng_output output,
                                   int64_t index, double *rounded);

/* Element i of a tensor as a double, exactly; and a double rounded once to the type. */
double lng_tensor_get(lng_dtype dtype, const void *tensor, int64_t i);
void lng_tensor_set(lng_dtype dtype, void *tensor, int64_t i, double value);
size_t lng_dtype_size(lng_dtype dtype);

#endif
