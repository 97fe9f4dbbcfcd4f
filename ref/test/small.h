/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_SMALL_H
#define LNG_SMALL_H
/* Problems that own their inputs, for the tests of this room. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "ref/oracle.h"

/* Every input 0 but var and gamma, which are 1. */
lng_problem small_new(lng_dtype dtype, int64_t param_num, int64_t param_size,
                      int64_t block_num, int64_t block_size, double epsilon);
void small_free(lng_problem *problem);

/* The inputs of a problem as one list: x, dy, mean, var, gamma. */
enum { SMALL_INPUTS = 5 };
void *small_input(const lng_problem *problem, int which);
int64_t small_length(const lng_problem *problem, int which);
void small_set(lng_problem *problem, int which, int64_t i, double value);
void small_fill(lng_problem *problem, int which, const double *values);

/* xorshift64*: 53 bits in [0, 1), and whole numbers below n. */
double small_uniform(uint64_t *state);
int64_t small_below(uint64_t *state, int64_t n);

/* Every factoring of count elements, one by one: step from 0 until it returns 0. */
int small_factoring(int64_t count, int step, int64_t *param_num, int64_t *block_num);

#endif
