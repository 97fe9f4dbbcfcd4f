/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PAIR_KERNEL_H
#define LNG_PAIR_KERNEL_H
/*
 * A whole kernel of class pair, as plain as can be, for the tests of the class's bound
 * and of the range it holds in: one core, no tiles, param_num = block_size, and one
 * partial sum a parameter. Its results are also there unrounded, so that errors show that
 * the last rounding would hide.
 */
#include "ref/measure.h"

enum { MOST_ROWS = 40, MOST_COLUMNS = 400, MOST_ELEMENTS = MOST_ROWS * MOST_COLUMNS };

enum input { X, DY, MEAN, VAR, GAMMA, INPUTS };

/* A problem by its values; pair_kernel rounds them to the type. */
struct pair_problem {
    lng_dtype dtype;
    int N, H;
    double epsilon;
    double input[INPUTS][MOST_ELEMENTS];
};

int pair_length(const struct pair_problem *problem, enum input t);

/* Rows outside the range of pairs are done in double, or in pairs all the same. */
enum which_rows { IN_RANGE, ALL_ROWS };

struct pair_results {
    int pairs; /* rows in range */
    /* Largest error before the last rounding over E, and by the bound as it stands, with
     * that rounding, whether every stored value is right. */
    double worst[LNG_OUTPUTS];
    int right;
    long judged;
};

struct pair_results pair_kernel(const struct pair_problem *problem, enum which_rows which,
                                int flush);

#endif
