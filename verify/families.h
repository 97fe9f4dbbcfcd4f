/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_FAMILIES_H
#define LNG_VERIFY_FAMILIES_H
/*
 * What the families are made of. Every family has to do for both types and for every
 * factoring, no rows among them; and, but for the special values, its values stay finite
 * in the type. Where its point allows it gamma is not all ones, dy is not constant and
 * has a mean, var is not 1 and rows differ, for what hides behind those would hide in
 * every family.
 */
#include "verify/problem.h"

#define LNG_FAMILY(name, eps, function)                                                  \
    void lng_family_##function(struct lng_fill *fill, void *rng);
#include "verify/families.def"
#undef LNG_FAMILY

/* The type: its largest value, its smallest, and its digits. */
double lng_type_max(lng_dtype dtype);
double lng_type_min(lng_dtype dtype);
int lng_type_digits(lng_dtype dtype);

/* Draws: 0 <= k < n; a standard normal number; u in [low, high); a magnitude with either
 * sign; 2^u with either sign. C leaves the order of operands open, so an expression has
 * one draw in it, or one as the argument of another: the values of a seed must not depend
 * on the compiler. */
int64_t lng_draw_index(void *rng, int64_t n);
double lng_draw_normal(void *rng);
double lng_draw(void *rng, double low, double high);
double lng_draw_signed(void *rng, double magnitude);
double lng_draw_power(void *rng, double low, double high);

/* A power of two, so small that sums of param_size times some units stay in the type. */
double lng_sum_unit(const lng_problem *problem);

/* Ordinary dy (normal, mean 1/4 of a unit) and gamma (1/2 to 2, some negative). */
void lng_ordinary_dy(struct lng_fill *fill, void *rng);
void lng_ordinary_gamma(struct lng_fill *fill, void *rng);

/* Rounds x, and sets mean and var to what an accurate forward pass makes of it. */
void lng_statistics(struct lng_fill *fill);

#endif
