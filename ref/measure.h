/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MEASURE_H
#define LNG_MEASURE_H
/*
 * The error measure. One element of an output is right iff, with E = (k + c*L)*u*S,
 *
 *     |got - exact| <= E + ulp(|exact| + E)/2,
 *     ulp(v) = 2^(max(floor(log2 |v|), emin) - p + 1),  ulp(0) the smallest subnormal,
 *
 * +infinity iff exact + E >= Omega, -infinity iff -exact + E >= Omega, a finite value iff
 * |exact| - E < Omega and the line above holds (Omega = 2^128 - 2^103, or 65520 in half).
 */
#include "core/kernel.h"
#include "ref/oracle.h"

/* ulp in the tensor's type, and Omega: the magnitude from which a real rounds to
 * infinity. */
double lng_ulp(lng_dtype dtype, double v);
double lng_omega(lng_dtype dtype);

/* k, c and u of a class for one output. */
struct lng_terms {
    double k, c, u;
};
struct lng_terms lng_bound_terms(enum lng_class accuracy, enum lng_output output);

/* (k + c*L)*u of a class for one output: E = S times this. */
double lng_bound(enum lng_class accuracy, enum lng_output output, double L);

/* ratio is |got - exact| / (E + ulp/2) and ulps |got - exact| / ulp(exact). For a got
 * that is infinite |got - exact| is how far exact falls short of Omega, and ratio that
 * over E. Both are infinite where the kind, or an infinity for a finite value or the
 * reverse, is wrong. So a ratio above 1 is never right. */
struct lng_error {
    int right;   /* the verdict */
    int decided; /* 0: so near the limit that lng_measure_exactly has to be asked */
    double ratio, ulps;
};

/* In double arithmetic, proven: what it decides is what the exact measure decides. bound
 * is lng_bound(...), or any other factor of S; got is a value of the type. */
struct lng_error lng_measure(lng_dtype dtype, double got, const struct lng_truth *truth,
                             double bound);

/* In MPFR from the inputs: always decided. */
struct lng_error lng_measure_exactly(const lng_problem *problem, enum lng_output output,
                                     int64_t index, double got, double bound);

#endif
