/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PAIR_KERNEL_H
#define LNG_PAIR_KERNEL_H
/*
 * A whole kernel of class pair, as plain as can be, for the test of the class's bound:
 * one core, no tiles, param_num = block_size, and one partial sum a parameter. Its
 * results are not rounded to the tensor's type, so that errors show that the last
 * rounding would hide.
 */
#include "layernormgrad.h"

enum { MOST_ROWS = 40, MOST_COLUMNS = 400 };

struct results {
    double dx[MOST_ROWS * MOST_COLUMNS], dg[MOST_COLUMNS], db[MOST_COLUMNS];
    float stored[MOST_ROWS * MOST_COLUMNS]; /* dx as it is rounded to the type */
    int in_range[MOST_ROWS], pairs;         /* rows done in pairs */
};

enum which_rows { IN_RANGE, ALL_ROWS /* in pairs, whatever the range says */ };

void pair_kernel(const lng_problem *problem, enum which_rows which, int flush,
                 struct results *r);

/* The additions that enter an element. */
double pair_kernel_depth_dx(const lng_problem *problem);
double pair_kernel_depth_params(const lng_problem *problem);

#endif
