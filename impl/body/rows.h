/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of rows, once for every target, instruction set and type. The including
 * file defines LNG_ID, includes a vocabulary (vec/<isa>.h) and a type (vec/f32.h or
 * vec/f16.h), and after this file the one that makes them a kernel
 * (target/host/entry.h); for a DSP target/dsp/dsp_kernel.h does.
 *
 * A vocabulary has two kinds of vectors, of LNG_LANES lanes: lng_e, elements of a tensor
 * as they are loaded, and lng_v, wide values, of eight bytes a lane in memory: doubles,
 * or pairs of singles. x - mean and dy*gamma of elements are wide, the product exact;
 * everything else is rounded to a wide value once an operation, and the outputs once
 * more, to their type.
 *
 * Pieces (a piece is a row, or a part of a long one: core/plan.h) come in batches. Inside
 * a batch a few pieces at a time share the loads of the parameters. None of these numbers
 * enters the order of any sum.
 */
#include "core/plan.h"

struct lng_batch {
    int count;
    int64_t length;           /* of its pieces */
    int64_t n[LNG_LANES];     /* row */
    int64_t first[LNG_LANES]; /* element */
    int64_t start[LNG_LANES]; /* in the tile's parameters */
    double mean[LNG_LANES], r[LNG_LANES], ra[LNG_LANES], rb[LNG_LANES];
};

/* What the loops read, with the problem's pointers once and for all in registers. */
struct lng_tensors {
    const void *x, *dy;
    void *dx;
    const void *gamma; /* as lng_gamma takes it, laid out like the partial sums */
    double *dg, *db;   /* partial sums, wide */
    double *kept;      /* d, from the sums to dx, wide */
    int64_t pitch;     /* from a piece's kept d to the next's */
    /* Elements to the next batch, or 0 where it need not be fetched: x is fetched beside
     * the sums, dy beside dx. */
    int64_t ahead;
};

/* n elements at index i as d; +0 in the lanes beyond. */
LNG_INLINE lng_v lng_d(const void *x, int64_t i, int n, lng_e mean)
{
    const lng_v d = lng_e_sub(lng_load(x, i, n), mean);
    return n == LNG_LANES ? d : lng_v_first(d, n);
}

/* A few pieces of a batch that start at one parameter: what the loops need, in registers,
 * where nothing that is stored can change it. */
struct lng_group {
    lng_e mean[LNG_GROUP];
    lng_v A[LNG_GROUP], B[LNG_GROUP], C[LNG_GROUP];
    lng_v r[LNG_GROUP], ra[LNG_GROUP], rb[LNG_GROUP];
    int64_t first[LNG_GROUP], start;
    double *dg, *db, *kept;
};

LNG_INLINE struct lng_group lng_group_of(const struct lng_tensors *t,
                                         const struct lng_batch *b, int k, int R)
{
    const int64_t start = b->start[k];
    struct lng_group g = {.start = start,
                          .dg = t->dg + start,
                          .db = t->db + start,
                          .kept = t->kept + k * t->pitch};
    for (int r = 0; r < R; r++) {
        g.mean[r] = lng_e_all(b->mean[k + r]);
        g.A[r] = g.B[r] = g.C[r] = lng_v_all(0);
        g.r[r] = lng_v_all(b->r[k + r]);
        g.ra[r] = lng_v_all(b->ra[k + r]);
        g.rb[r] = lng_v_all(b->rb[k + r]);
        g.first[r] = b->first[k + r];
    }
    return g;
}

/* The terms of n elements at column i. Pads add +0: dy is 0 there, and so are d and
 * gamma. keep: d is stored, to be used again by lng_finish. */
LNG_INLINE void lng_add_at(const struct lng_tensors *t, struct lng_group *g, int64_t i,
                           int R, int n, int keep)
{
    const lng_e gm = lng_gamma(t->gamma, g->start + i, n);
    for (int r = 0; r < R; r++) {
        const lng_e dy = lng_load(t->dy, g->first[r] + i, n);
        const lng_v d = lng_d(t->x, g->first[r] + i, n, g->mean[r]);
        const lng_v product = lng_e_mul(dy, gm);
        g->A[r] = lng_v_add(g->A[r], product);
        g->B[r] = lng_v_fma(d, product, g->B[r]);
        g->C[r] = lng_v_add(g->C[r], d);
        if (keep)
            lng_v_store(g->kept + r * t->pitch + i, d);
    }
}

/* The sums of pieces [k, k + R) of the batch, at A + k and so on, in their lanes. */
LNG_INLINE void lng_add_up(const struct lng_tensors *tensors, const struct lng_batch *b,
                           int k, int R, int keep, lng_v *A, lng_v *B, lng_v *C)
{
    const struct lng_tensors t = *tensors;
    struct lng_group g = lng_group_of(&t, b, k, R);
    int64_t i = 0;
    for (; i + LNG_LINE * LNG_LANES <= b->length; i += LNG_LINE * LNG_LANES) {
        for (int r = 0; r < R; r++)
            lng_fetch(t.x, g.first[r] + i + t.ahead);
        for (int u = 0; u < LNG_LINE; u++)
            lng_add_at(&t, &g, i + u * LNG_LANES, R, LNG_LANES, keep);
    }
    for (; i + LNG_LANES <= b->length; i += LNG_LANES)
        lng_add_at(&t, &g, i, R, LNG_LANES, keep);
    if (i < b->length)
        lng_add_at(&t, &g, i, R, (int)(b->length - i), keep);
    for (int r = 0; r < R; r++) {
        A[k + r] = g.A[r];
        B[k + r] = g.B[r];
        C[k + r] = g.C[r];
    }
}

/* What becomes of dx. */
enum lng_out {
    LNG_NO_DX, /* it is not wanted */
    LNG_STORE,
    LNG_STREAM, /* whole lines of it bypass the cache */
    LNG_ONE_COLUMN
};

/* U vectors at column i, the last of n elements: dx_j = r*(g - a - d*b), computed as
 * e*gamma - (d*(r*b) + r*a) with e = r*dy; the terms of dg are d*e, those of db dy, and
 * reach a parameter in ascending order of the pieces. Reads x and dy before it writes
 * dx, which may be either. */
LNG_INLINE void lng_finish_at(const struct lng_tensors *t, const struct lng_group *g,
                              int64_t i, int R, int U, int n, int keep, enum lng_out out)
{
    lng_v sum_dg[LNG_LINE], sum_db[LNG_LINE], dx[LNG_GROUP][LNG_LINE];
    lng_e gm[LNG_LINE];
    for (int u = 0; u < U; u++) {
        gm[u] = lng_gamma(t->gamma, g->start + i + u * LNG_LANES, LNG_LANES);
        sum_dg[u] = lng_v_load(g->dg + i + u * LNG_LANES);
        sum_db[u] = lng_v_load(g->db + i + u * LNG_LANES);
    }
    for (int r = 0; r < R; r++) {
        const int64_t j = g->first[r] + i;
        if (U > 1)
            lng_fetch(t->dy, j + t->ahead);
        for (int u = 0; u < U; u++) {
            const int64_t at = u * LNG_LANES;
            const lng_e dy = lng_load(t->dy, j + at, n);
            const lng_v d = keep ? lng_v_load(g->kept + r * t->pitch + i + at)
                                 : lng_d(t->x, j + at, n, g->mean[r]);
            lng_v e = lng_v_mul_e(g->r[r], dy);
            if (n < LNG_LANES)
                e = lng_v_first(e, n); /* 0*r is NaN if r is */
            sum_dg[u] = lng_v_fma(d, e, sum_dg[u]);
            sum_db[u] = lng_v_add_e(sum_db[u], dy);
            /* One column: exactly 0, but NaN where an input is not finite. */
            if (out == LNG_NO_DX)
                dx[r][u] = e; /* unused */
            else if (out == LNG_ONE_COLUMN)
                dx[r][u] = lng_v_mul(lng_v_all(0), lng_v_mul(d, lng_v_mul_e(e, gm[u])));
            else
                dx[r][u] = lng_v_fma_e(e, gm[u], lng_v_fnma(d, g->rb[r], g->ra[r]));
        }
    }
    for (int r = 0; r < R; r++) {
        const int64_t j = g->first[r] + i;
        if (out == LNG_STREAM && U > 1)
            lng_stream(t->dx, j, dx[r]);
        else if (out != LNG_NO_DX)
            for (int u = 0; u < U; u++)
                lng_store(t->dx, j + u * LNG_LANES, n, dx[r][u]);
    }
    for (int u = 0; u < U; u++) {
        lng_v_store(g->dg + i + u * LNG_LANES, sum_dg[u]);
        lng_v_store(g->db + i + u * LNG_LANES, sum_db[u]);
    }
}

/* dx, dg and db of columns [i, end) of pieces [k, k + R), a line of dx at a time. */
LNG_INLINE void lng_finish(const struct lng_tensors *tensors, const struct lng_batch *b,
                           int k, int R, int64_t i, int64_t end, int keep,
                           enum lng_out out)
{
    const struct lng_tensors t = *tensors;
    const struct lng_group g = lng_group_of(&t, b, k, R);
    for (; i + LNG_LINE * LNG_LANES <= end; i += LNG_LINE * LNG_LANES)
        lng_finish_at(&t, &g, i, R, LNG_LINE, LNG_LANES, keep, out);
    for (; i + LNG_LANES <= end; i += LNG_LANES)
        lng_finish_at(&t, &g, i, R, 1, LNG_LANES, keep, out);
    if (i < end)
        lng_finish_at(&t, &g, i, R, 1, (int)(end - i), keep, out);
}
