/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PLAN_H
#define LNG_PLAN_H
/*
 * The plan: how a problem is cut, and with that the order of every sum, from the four
 * sizes and the target's grain alone. Nothing here knows of cores, instruction sets or
 * pointers; that is what makes the results of a target the same bits everywhere.
 *
 * A row is one piece, or where it is long it is cut into pieces of equal length but for
 * the last. Inside a piece, element i of a sum goes to virtual lane i mod lanes,
 * ascending, and the lanes are added by a fixed tree; the pieces are added in ascending
 * order. Across rows the parameter sums are cut into tiles:
 *
 *     a repetition is the pieces after which the parameters start over: those of
 *     param_num/block_size rows where block_size divides param_num, else one piece
 *     (which then starts and ends anywhere in the parameters);
 *     a strip is a run of pieces inside the repetition; strips own disjoint parameters;
 *     a block is a run of repetitions.
 *
 * Tile (strip, block) adds its pieces to partial sums of its own, ascending in the
 * repetitions, and the partial sums of a strip are added in ascending order of the
 * blocks.
 */
#include <stdint.h>

/* What of a target enters the plan, and with it the order of every sum: another value
 * gives other bits. */
struct lng_grain {
    int lanes;     /* a power of two */
    int64_t whole; /* rows of up to so many columns are one piece */
    /* Elements and repetitions that a tile has at least, so that its partial sums are
     * little beside its work. */
    int64_t tile_elements, tile_repeats;
    /* Tiles of a strip at most, which bounds the workspace and the last chain of
     * additions. */
    int64_t most_blocks;
};

/* Arrays of partial_stride doubles that hold a tile's partial sums: dg, db. */
enum { LNG_PARTIALS = 2 };

/* Columns of a piece of a row that is cut. */
enum { LNG_PIECE = 2048 };

/* What a row's dx needs of the whole row: A, B, C, or what follows from them. */
enum { LNG_SUMS = 3 };

struct lng_plan {
    int64_t param_num, param_size, block_num, block_size;
    int lanes;            /* in which a row's sums are formed */
    int wound;            /* rows start anywhere in the parameters */
    int64_t columns;      /* of a piece: block_size, or LNG_PIECE where rows are cut */
    int64_t pieces;       /* of a row */
    int64_t period;       /* pieces of a repetition */
    int64_t repeats;      /* repetitions */
    int64_t strips;       /* of a repetition */
    int64_t strip_pieces; /* of each strip but the last */
    int64_t blocks, block_repeats; /* blocks; repetitions of each but the last */
    int64_t step; /* elements from a piece to the same one of the next repetition */
    int64_t span; /* length of a strip's partial sums, unwound: see lng_plan_make */
    int64_t fold; /* they are folded first to this length, a multiple of param_num */
    int64_t partial_stride; /* doubles from one array of partial sums to the next */
};

/* The pieces and parameters of one tile. Pieces k*period + i for k in [k0, k1), i in
 * [i0, i1), those of one i in ascending order of k; parameters [p0, p1). */
struct lng_tile {
    int64_t strip, block;
    int64_t k0, k1, i0, i1, p0, p1;
};

/* Columns [c0, c1) of row n; column c0 is element `first` of the tensors. */
struct lng_piece {
    int64_t n, c0, c1, first;
};

/* Longest chain of additions that enters an element of each output. */
struct lng_depth {
    double dx, dg, db;
};

/* The sizes are positive, but for block_num = param_size = 0 together. */
struct lng_plan lng_plan_make(const struct lng_grain *grain, int64_t param_num,
                              int64_t param_size, int64_t block_num, int64_t block_size);
struct lng_tile lng_plan_tile(const struct lng_plan *plan, int64_t tile);
int64_t lng_plan_tiles(const struct lng_plan *plan);
struct lng_depth lng_plan_depth(const struct lng_plan *plan);

/* Inline for the sake of rows of a few elements. */
static inline struct lng_piece lng_plan_piece(const struct lng_plan *p, int64_t piece)
{
    if (p->pieces == 1)
        return (struct lng_piece){piece, 0, p->block_size, piece * p->block_size};
    struct lng_piece c = {.n = piece / p->pieces};
    c.c0 = (piece - c.n * p->pieces) * p->columns;
    c.c1 = c.c0 + p->columns < p->block_size ? c.c0 + p->columns : p->block_size;
    c.first = c.n * p->block_size + c.c0;
    return c;
}

#endif
