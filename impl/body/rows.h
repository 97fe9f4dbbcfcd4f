/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of rows and parameters, once for every instruction set and type of the
 * host. The including file defines LNG_ID, includes a vocabulary (vec/<isa>.h) and a
 * type (vec/f32.h or vec/f16.h), and after this file the one that makes them a kernel
 * (target/<target>/entry.h).
 *
 * Class wide. Inputs are doubles from the load on, so g = dy*gamma is exact; everything
 * else is rounded to double once an operation, and the outputs once more, to their type.
 *
 * Rows come in batches of up to LNG_LANES, so that what is done once a row is done in
 * vectors; inside a batch LNG_GROUP rows at a time share the loads of the parameters. A
 * batch is small enough that its rows are still in the cache when dx is computed. Neither
 * size enters the order of any sum.
 */
#include <math.h>
#include <string.h>

#include "core/kernel.h"

/* Rows of so many bytes of x stay in the cache from the sums to dx. */
enum { LNG_BATCH_BYTES = 128 << 10 };

struct lng_batch {
    int count;
    int64_t row[LNG_LANES];   /* n */
    int64_t start[LNG_LANES]; /* of the row in the tile's parameters */
    double mean[LNG_LANES], r[LNG_LANES], a[LNG_LANES], b[LNG_LANES];
};

/* What the loops read, with the problem's pointers once and for all in registers. */
struct lng_tensors {
    const void *x, *dy;
    void *dx;
    const double *gamma; /* of the tile, laid out like its partial sums */
    double *dg, *db;
    int64_t H;
    int stream; /* dx bypasses the cache */
};

/* n elements at index i as d; +0 in the lanes beyond. */
static inline lng_v lng_d(const void *x, int64_t i, int n, lng_v mean)
{
    const lng_v d = lng_v_sub(lng_load(x, i, n), mean);
    return n == LNG_LANES ? d : lng_v_first(d, n);
}

/* The sums of rows [k, k + R) of the batch, in their eight lanes. Pads add +0: dy is 0
 * there, and so are d and gamma. */
LNG_INLINE void lng_add_up(const struct lng_tensors *t, const struct lng_batch *b, int k,
                           int R, lng_v *A, lng_v *B, lng_v *C)
{
    const int64_t H = t->H, full = H - H % LNG_LANES;
    lng_v mean[LNG_GROUP], sA[LNG_GROUP], sB[LNG_GROUP], sC[LNG_GROUP];
    int64_t first[LNG_GROUP];
    const double *gamma = t->gamma + b->start[k];
    for (int r = 0; r < R; r++) {
        mean[r] = lng_v_all(b->mean[k + r]);
        sA[r] = sB[r] = sC[r] = lng_v_all(0);
        first[r] = b->row[k + r] * H;
    }
    for (int64_t i = 0; i < H; i += LNG_LANES) {
        const int whole = i < full, n = (int)(H - full);
        const lng_v gm =
            whole ? lng_v_load(gamma + i) : lng_v_first(lng_v_load(gamma + i), n);
        for (int r = 0; r < R; r++) {
            const int64_t j = first[r] + i;
            const lng_v dy =
                whole ? lng_load(t->dy, j, LNG_LANES) : lng_load(t->dy, j, n);
            const lng_v d =
                whole ? lng_d(t->x, j, LNG_LANES, mean[r]) : lng_d(t->x, j, n, mean[r]);
            const lng_v g = lng_v_mul(dy, gm);
            sA[r] = lng_v_add(sA[r], g);
            sB[r] = lng_v_fma(g, d, sB[r]);
            sC[r] = lng_v_add(sC[r], d);
        }
    }
    for (int r = 0; r < R; r++) {
        A[k + r] = sA[r];
        B[k + r] = sB[r];
        C[k + r] = sC[r];
    }
}

/* What becomes of dx. */
enum lng_out {
    LNG_NO_DX, /* it is not wanted */
    LNG_STORE,
    LNG_STREAM, /* it bypasses the cache */
    LNG_ONE_COLUMN
};

/* Rows [k, k + R): dx_j = r*(g - a - d*b), computed as r*g - (d*(r*b) + r*a); the terms
 * of dg are dy*(d*r), those of db dy, and reach a parameter in ascending order of the
 * rows. Reads n elements of x and dy before it writes dx, which may be either. */
LNG_INLINE void lng_finish(const struct lng_tensors *tensors, const struct lng_batch *b,
                           int k, int R, enum lng_out out)
{
    const struct lng_tensors t = *tensors;
    const int64_t H = t.H, full = H - H % LNG_LANES;
    const double *gamma = t.gamma + b->start[k];
    double *dg = t.dg + b->start[k], *db = t.db + b->start[k];
    lng_v mean[LNG_GROUP], rr[LNG_GROUP], ra[LNG_GROUP], rb[LNG_GROUP];
    int64_t first[LNG_GROUP];
    for (int r = 0; r < R; r++) {
        mean[r] = lng_v_all(b->mean[k + r]);
        rr[r] = lng_v_all(b->r[k + r]);
        ra[r] = lng_v_all(-(b->r[k + r] * b->a[k + r]));
        rb[r] = lng_v_all(b->r[k + r] * b->b[k + r]);
        first[r] = b->row[k + r] * H;
    }
    for (int64_t i = 0; i < H; i += LNG_LANES) {
        const int whole = i < full;
        const lng_v gm = lng_v_load(gamma + i);
        lng_v sum_dg = lng_v_load(dg + i), sum_db = lng_v_load(db + i);
        for (int r = 0; r < R; r++) {
            const int64_t j = first[r] + i;
            lng_v dy, d, h;
            if (whole) {
                dy = lng_load(t.dy, j, LNG_LANES);
                d = lng_d(t.x, j, LNG_LANES, mean[r]);
                h = lng_v_mul(d, rr[r]);
            } else {
                dy = lng_load(t.dy, j, (int)(H - full));
                d = lng_d(t.x, j, (int)(H - full), mean[r]);
                h = lng_v_first(lng_v_mul(d, rr[r]),
                                (int)(H - full)); /* 0*r is NaN if r is */
            }
            sum_dg = lng_v_fma(dy, h, sum_dg);
            sum_db = lng_v_add(sum_db, dy);
            if (out == LNG_NO_DX)
                continue;
            const lng_v g = lng_v_mul(dy, gm);
            /* One column: exactly 0, but NaN where an input is not finite. */
            const lng_v dx = out == LNG_ONE_COLUMN
                                 ? lng_v_mul(lng_v_all(0), lng_v_mul(h, g))
                                 : lng_v_fma(rr[r], g, lng_v_fnma(d, rb[r], ra[r]));
            if (whole && out == LNG_STREAM)
                lng_stream(t.dx, j, dx);
            else if (whole)
                lng_store(t.dx, j, LNG_LANES, dx);
            else
                lng_store(t.dx, j, (int)(H - full), dx);
        }
        lng_v_store(dg + i, sum_dg);
        lng_v_store(db + i, sum_db);
    }
}

/* b = r^2*B/H and a = A/H - b*C/H, a lane a row. */
static inline void lng_coefficients(struct lng_batch *batch, int64_t H, const lng_v *A,
                                    const lng_v *B, const lng_v *C)
{
    const lng_v h = lng_v_all((double)H), r = lng_v_load(batch->r);
    const lng_v b = lng_v_mul(lng_v_mul(r, r), lng_v_div(lng_v_sums(B), h));
    const lng_v a =
        lng_v_fnma(b, lng_v_div(lng_v_sums(C), h), lng_v_div(lng_v_sums(A), h));
    lng_v_store(batch->a, a);
    lng_v_store(batch->b, b);
}

static void lng_do_batch(const struct lng_problem *p, const struct lng_tensors *t,
                         struct lng_batch *b, int shared)
{
    lng_v v = lng_v_all(0), mean = v;
    if (b->row[b->count - 1] - b->row[0] == b->count - 1) {
        v = lng_load(p->var, b->row[0], b->count);
        mean = lng_load(p->mean, b->row[0], b->count);
    } else {
        double lane[2][LNG_LANES] = {{0}};
        for (int k = 0; k < b->count; k++) {
            lane[0][k] = lng_load_one(p->var, b->row[k]);
            lane[1][k] = lng_load_one(p->mean, b->row[k]);
        }
        v = lng_v_load(lane[0]);
        mean = lng_v_load(lane[1]);
    }
    lng_v_store(b->mean, mean);
    lng_v_store(b->r, lng_v_r(lng_v_add(v, lng_v_all(p->epsilon))));
    const int count = b->count,
              grouped = shared && t->H > 1 ? count - count % LNG_GROUP : 0;
    if (t->dx && t->H > 1) {
        lng_v A[LNG_LANES], B[LNG_LANES], C[LNG_LANES];
        for (int k = 0; k < grouped; k += LNG_GROUP)
            lng_add_up(t, b, k, LNG_GROUP, A, B, C);
        for (int k = grouped; k < count; k++)
            lng_add_up(t, b, k, 1, A, B, C);
        for (int k = count; k < LNG_LANES; k++)
            A[k] = B[k] = C[k] = lng_v_all(0);
        lng_coefficients(b, t->H, A, B, C);
    }
    for (int k = 0; k < count; k += k < grouped ? LNG_GROUP : 1) {
        const int group = k < grouped;
        if (!t->dx)
            group ? lng_finish(t, b, k, LNG_GROUP, LNG_NO_DX)
                  : lng_finish(t, b, k, 1, LNG_NO_DX);
        else if (t->H == 1)
            lng_finish(t, b, k, 1, LNG_ONE_COLUMN);
        else if (t->stream)
            group ? lng_finish(t, b, k, LNG_GROUP, LNG_STREAM)
                  : lng_finish(t, b, k, 1, LNG_STREAM);
        else
            group ? lng_finish(t, b, k, LNG_GROUP, LNG_STORE)
                  : lng_finish(t, b, k, 1, LNG_STORE);
    }
}

/* gamma as doubles, unwound like the partial sums: parameter p0 + q mod param_num at q.
 */
static void lng_unwind_gamma(const struct lng_problem *p, int64_t p0, int64_t span,
                             double *gamma)
{
    int64_t q = 0;
    while (q < span) {
        const int64_t from = (p0 + q) % p->param_num;
        const int64_t left =
            span - q < p->param_num - from ? span - q : p->param_num - from;
        for (int64_t i = 0; i < left; i += LNG_LANES) {
            const int n = left - i < LNG_LANES ? (int)(left - i) : LNG_LANES;
            lng_v_store(gamma + q + i,
                        p->gamma ? lng_load(p->gamma, from + i, n) : lng_v_all(1));
        }
        q += left;
    }
}

/* Adds elements [to, span) of unwound sums onto [0, to), to apart each. */
static void lng_fold(double *sums, int64_t span, int64_t to)
{
    for (int64_t from = to; from < span; from += to)
        for (int64_t i = 0; i < to && from + i < span; i++)
            sums[i] += sums[from + i];
}

static void lng_do_tile(const struct lng_job *job, const struct lng_tile *tile,
                        double *dg, double *db, double *gamma, int stream)
{
    const struct lng_problem *p = job->problem;
    const struct lng_plan *plan = &job->plan;
    struct lng_tensors t = {.x = p->x,
                            .dy = p->dy,
                            .dx = p->dx,
                            .gamma = gamma,
                            .dg = dg,
                            .db = db,
                            .H = p->block_size};
    t.stream = stream && p->block_size % LNG_LANES == 0 &&
               (uintptr_t)p->dx % (LNG_LANES * sizeof(LNG_ELEMENT)) == 0;
    lng_unwind_gamma(p, tile->p0, plan->span, gamma);
    memset(dg, 0, (size_t)plan->partial_stride * sizeof *dg);
    memset(db, 0, (size_t)plan->partial_stride * sizeof *db);
    const int64_t room = LNG_BATCH_BYTES / (p->block_size * (int64_t)sizeof(LNG_ELEMENT));
    const int most = room >= LNG_LANES  ? LNG_LANES
                     : room > LNG_GROUP ? (int)room / LNG_GROUP * LNG_GROUP
                                        : LNG_GROUP;
    /* Rows that share their parameters: consecutive ones, or one of each repetition. */
    const int wound = plan->period == 1 && p->block_size % p->param_num != 0;
    for (int64_t i = tile->i0; i < tile->i1; i++)
        for (int64_t k = tile->k0; k < tile->k1;) {
            struct lng_batch b = {.count =
                                      tile->k1 - k < most ? (int)(tile->k1 - k) : most};
            for (int c = 0; c < b.count; c++, k++) {
                b.row[c] = k * plan->period + i;
                b.start[c] = wound ? b.row[c] * p->block_size % p->param_num
                                   : (i - tile->i0) * p->block_size;
            }
            lng_do_batch(p, &t, &b, !wound);
        }
    if (plan->period == 1) {
        lng_fold(dg, plan->span, plan->fold);
        lng_fold(db, plan->span, plan->fold);
        lng_fold(dg, plan->fold, p->param_num);
        lng_fold(db, plan->fold, p->param_num);
    }
}

static void lng_total(void *out, int64_t p0, int64_t p1, int64_t blocks,
                      const double *partial, int64_t stride)
{
    for (int64_t p = p0; p < p1; p += LNG_LANES) {
        lng_v total = lng_v_all(0);
        for (int64_t k = 0; k < blocks; k++)
            total =
                lng_v_add(total, lng_v_load(partial + LNG_ARRAYS * k * stride + p - p0));
        lng_store(out, p, p1 - p < LNG_LANES ? (int)(p1 - p) : LNG_LANES, total);
    }
}

static void lng_do_combine(const struct lng_job *job, int64_t p0, int64_t p1,
                           int64_t blocks, const double *partial, int64_t stride)
{
    if (job->problem->dg)
        lng_total(job->problem->dg, p0, p1, blocks, partial, stride);
    if (job->problem->db)
        lng_total(job->problem->db, p0, p1, blocks, partial + stride, stride);
}
