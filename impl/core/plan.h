/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PLAN_H
#define LNG_PLAN_H
/*
 * The plan: how a problem is cut, and with that the order of every sum, from the four
 * sizes alone. Nothing here knows of cores, instruction sets or pointers; that is what
 * makes the results the same bits everywhere.
 *
 * Inside a row, element i of a sum goes to virtual lane i mod LNG_LANES, ascending, and
 * the lanes are added by a fixed tree. Across rows the parameter sums are cut into tiles:
 *
 *     a repetition is the rows after which the parameters start over:
 * param_num/block_size rows where block_size divides param_num, else one row (which then
 * ends anywhere in the parameters); a strip is a run of rows inside the repetition;
 * strips own disjoint parameters; a block is a run of repetitions.
 *
 * Tile (strip, block) adds its rows in ascending order to partial sums of its own, and
 * the partial sums of a strip are added in ascending order of the blocks.
 */
#include <stdint.h>

enum { LNG_LANES = 8 };

/* Arrays of partial_stride doubles that a tile has in the workspace: dg, db, gamma. */
enum { LNG_ARRAYS = 3 };

struct lng_plan {
    int64_t param_num, param_size, block_num, block_size;
    int64_t period;                /* rows of a repetition */
    int64_t repeats;               /* repetitions: block_num / period */
    int64_t strips, strip_rows;    /* strips of a repetition; rows of each but the last */
    int64_t blocks, block_repeats; /* blocks; repetitions of each but the last */
    int64_t strip_params;          /* parameters of a strip (the last may have fewer) */
    int64_t span; /* length of a strip's partial sums, unwound: see lng_plan_make */
    int64_t fold; /* they are folded first to this length, a multiple of param_num */
    int64_t partial_stride; /* doubles from one array of partial sums to the next */
};

/* The rows and parameters of one tile. Rows n = k*period + i for k in [k0, k1), i in
 * [i0, i1), in that order; parameters [p0, p1). */
struct lng_tile {
    int64_t strip, block;
    int64_t k0, k1, i0, i1, p0, p1;
};

/* Longest chain of additions that enters an element of each output. */
struct lng_depth {
    double dx, dg, db;
};

/* The sizes are positive, but for block_num = param_size = 0 together. */
struct lng_plan lng_plan_make(int64_t param_num, int64_t param_size, int64_t block_num,
                              int64_t block_size);
struct lng_tile lng_plan_tile(const struct lng_plan *plan, int64_t tile);
int64_t lng_plan_tiles(const struct lng_plan *plan);
struct lng_depth lng_plan_depth(const struct lng_plan *plan);

#endif
