/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plan.h"

enum { DOUBLES_OF_A_LINE = 8, FOLD = 64 };

/* Of numbers that are not negative. The processor divides short ones faster, which shows
 * in a call on a few elements. */
static int64_t divide(int64_t a, int64_t b)
{
    return (a | b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a <= b ? a > 0 : divide(a - 1, b) + 1;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

struct lng_plan lng_plan_make(const struct lng_grain *grain, int64_t param_num,
                              int64_t param_size, int64_t block_num, int64_t block_size)
{
    struct lng_plan p = {.param_num = param_num,
                         .param_size = param_size,
                         .block_num = block_num,
                         .block_size = block_size,
                         .lanes = grain->lanes};
    p.columns = block_size <= grain->whole ? block_size : LNG_PIECE;
    p.pieces = ceil_div(block_size, p.columns);
    const int64_t rows = divide(param_num, block_size); /* of a repetition */
    p.wound = rows * block_size != param_num;
    p.period = p.wound ? 1 : rows * p.pieces;
    p.repeats = divide(block_num * p.pieces, p.period);
    p.step = p.wound ? p.columns : param_num;

    p.strip_pieces = min(ceil_div(grain->tile_elements, p.columns), p.period);
    p.strips = ceil_div(p.period, p.strip_pieces);

    /* Partial sums are kept unwound, so that a piece meets consecutive ones: it starts
     * at a multiple of the greatest common divisor of param_num, block_size and columns,
     * and goes on beyond param_num. At the end they are folded back, in two steps for
     * the sake of short parameters. */
    const int64_t elements = p.strip_pieces * p.columns; /* of a strip, a repetition */
    p.span = p.wound ? param_num - gcd(param_num, gcd(block_size, p.columns)) + p.columns
                     : min(elements, param_num);
    p.fold = min(param_num * ceil_div(FOLD, param_num), p.span);
    p.block_repeats = max(ceil_div(grain->tile_elements, elements),
                          max(ceil_div(grain->tile_repeats * p.span, elements),
                              ceil_div(p.repeats, grain->most_blocks)));
    p.blocks = ceil_div(p.repeats, p.block_repeats);
    p.partial_stride =
        ceil_div(p.span + p.lanes - 1, DOUBLES_OF_A_LINE) * DOUBLES_OF_A_LINE;
    return p;
}

int64_t lng_plan_tiles(const struct lng_plan *p)
{
    return p->strips * p->blocks;
}

/* Tiles count through the strips of one block first, so that neighbours in memory are
 * neighbours in time. */
struct lng_tile lng_plan_tile(const struct lng_plan *p, int64_t tile)
{
    struct lng_tile t = {.strip = tile % p->strips, .block = tile / p->strips};
    t.k0 = t.block * p->block_repeats;
    t.k1 = min(t.k0 + p->block_repeats, p->repeats);
    t.i0 = t.strip * p->strip_pieces;
    t.i1 = min(t.i0 + p->strip_pieces, p->period);
    t.p0 = lng_plan_piece(p, t.i0).first;
    t.p1 = t.i1 == p->period ? p->param_num : lng_plan_piece(p, t.i1).first;
    return t;
}

/* A row's sum: the elements of one lane, then the levels of the tree over the lanes,
 * then the other pieces. A parameter's: its elements in one tile, then one partial sum
 * a block. Any e consecutive elements meet one at most ceil(e / param_num) times. */
struct lng_depth lng_plan_depth(const struct lng_plan *p)
{
    const int64_t repeats = min(p->block_repeats, p->repeats);
    const int64_t run = ceil_div(repeats * p->step, p->param_num);
    const int64_t folds =
        p->wound ? ceil_div(p->span, p->fold) - 1 + ceil_div(p->fold, p->param_num) - 1
                 : 0;
    const double params = (double)(min(run, repeats) + folds + p->blocks);
    int64_t levels = 0;
    while (p->lanes >> levels > 1)
        levels++;
    return (struct lng_depth){
        .dx = (double)(ceil_div(p->columns, p->lanes) + levels + p->pieces - 1),
        .dg = params,
        .db = params};
}
