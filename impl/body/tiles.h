/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work that the host shares out, over body/rows.h: the sums of long rows, their
 * coefficients, tiles, and the totals of parameters. A batch is of up to LNG_LANES
 * pieces, so that what is done once a row is done in vectors, and small enough that they
 * are still in the cache when dx is computed.
 */
#include <math.h>
#include <string.h>

#include "core/kernel.h"

struct lng_sums {
    lng_v A[LNG_LANES], B[LNG_LANES], C[LNG_LANES]; /* by piece, in their eight lanes */
};

/* mean and r of the batch's rows. */
static inline void lng_statistics(const struct lng_problem *p, struct lng_batch *b)
{
    lng_v v = lng_v_all(0), mean = v;
    if (b->n[b->count - 1] - b->n[0] == b->count - 1) {
        v = lng_load(p->var, b->n[0], b->count);
        mean = lng_load(p->mean, b->n[0], b->count);
    } else {
        double lane[2][LNG_LANES] = {{0}};
        for (int k = 0; k < b->count; k++) {
            lane[0][k] = lng_load_one(p->var, b->n[k]);
            lane[1][k] = lng_load_one(p->mean, b->n[k]);
        }
        v = lng_v_load(lane[0]);
        mean = lng_v_load(lane[1]);
    }
    lng_v_store(b->mean, mean);
    lng_v_store(b->r, lng_v_r(lng_v_add(v, lng_v_all(p->epsilon))));
}

/* -r*a and r*b where b = r^2*(B*h) and a = A*h - b*(C*h), h = 1/H, a lane a row. */
static inline void lng_coefficients(struct lng_batch *batch, double one_over_H, lng_v A,
                                    lng_v B, lng_v C)
{
    const lng_v h = lng_v_all(one_over_H), r = lng_v_load(batch->r);
    const lng_v b = lng_v_mul(lng_v_mul(r, r), lng_v_mul(B, h));
    const lng_v a = lng_v_fnma(b, lng_v_mul(C, h), lng_v_mul(A, h));
    lng_v_store(batch->ra, lng_v_sub(lng_v_all(0), lng_v_mul(r, a)));
    lng_v_store(batch->rb, lng_v_mul(r, b));
}

/* The sums of the whole batch; its first `shared` pieces start at one parameter. */
LNG_INLINE void lng_add_up_batch(const struct lng_tensors *t, const struct lng_batch *b,
                                 int shared, int keep, struct lng_sums *sums)
{
    int k = 0;
    for (; k + LNG_SUM_GROUP <= shared; k += LNG_SUM_GROUP)
        lng_add_up(t, b, k, LNG_SUM_GROUP, keep, sums->A, sums->B, sums->C);
    for (; k < b->count; k++)
        lng_add_up(t, b, k, 1, keep, sums->A, sums->B, sums->C);
    for (; k < LNG_LANES; k++)
        sums->A[k] = sums->B[k] = sums->C[k] = lng_v_all(0);
}

/* Pieces that are finished together: their lines of dx stay in registers. */
enum { LNG_TOGETHER = 2 * LNG_GROUP > LNG_LINE ? 2 * LNG_GROUP / LNG_LINE : 1 };

/* Columns after which the batch's other pieces follow: their gamma, dg and db stay in
 * the L1 cache. */
enum { LNG_STRETCH = 512 };

LNG_INLINE void lng_finish_batch(const struct lng_tensors *t, const struct lng_batch *b,
                                 int shared, int keep, enum lng_out out)
{
    for (int64_t i = 0, end; i < b->length; i = end) {
        int k = 0;
        end = i + LNG_STRETCH < b->length ? i + LNG_STRETCH : b->length;
        for (; k + LNG_TOGETHER <= shared; k += LNG_TOGETHER)
            lng_finish(t, b, k, LNG_TOGETHER, i, end, keep, out);
        for (; k < b->count; k++)
            lng_finish(t, b, k, 1, i, end, keep, out);
    }
}

/* Rows of so many bytes of x stay in the cache from the sums to dx. */
enum { LNG_BATCH_BYTES = 256 << 10 };

/* Parameters p0 + q mod param_num of gamma at q, as doubles: laid out like the partial
 * sums of a tile. */
static void lng_unwind_gamma(const struct lng_problem *p, int64_t p0, int64_t span,
                             double *gamma)
{
    for (int64_t q = 0, left; q < span; q += left) {
        const int64_t from = (p0 + q) % p->param_num;
        left = span - q < p->param_num - from ? span - q : p->param_num - from;
        int64_t i = 0;
        if (!p->gamma)
            for (; i < left; i++)
                gamma[q + i] = 1;
        for (; i + LNG_LANES <= left; i += LNG_LANES)
            lng_v_store(gamma + q + i, lng_load(p->gamma, from + i, LNG_LANES));
        if (i < left)
            lng_v_store(gamma + q + i, lng_load(p->gamma, from + i, (int)(left - i)));
    }
}

static void lng_do_gamma(const struct lng_job *job, const struct lng_tile *tile,
                         double *gamma)
{
    lng_unwind_gamma(job->problem, tile->p0, job->plan.span, gamma);
}

/* Adds elements [to, span) of unwound sums onto [0, to), to apart each. */
static void lng_fold(double *sums, int64_t span, int64_t to)
{
    for (int64_t from = to; from < span; from += to)
        for (int64_t i = 0; i < to && from + i < span; i++)
            sums[i] += sums[from + i];
}

/* Pieces k*period + i for k in [k0, k0 + count), of one length. */
static inline void lng_take(struct lng_batch *b, const struct lng_plan *plan, int64_t i,
                            int64_t k0, int count)
{
    const struct lng_piece any = lng_plan_piece(plan, k0 * plan->period + i);
    b->length = any.c1 - any.c0;
    b->count = count;
    for (int c = 0; c < count; c++) {
        const struct lng_piece piece = lng_plan_piece(plan, (k0 + c) * plan->period + i);
        b->n[c] = piece.n;
        b->first[c] = piece.first;
        b->start[c] = 0;
    }
}

static inline int lng_least(int64_t a, int b)
{
    return a < b ? (int)a : b;
}

/* Sums A, B, C of pieces k*period + i of rows that are cut, k in [k0, k1), at
 * sums + LNG_SUMS*piece. */
static void lng_do_sums(const struct lng_job *job, int64_t i, int64_t k0, int64_t k1,
                        double *sums)
{
    _Alignas(64) double gamma[LNG_PIECE + LNG_LANES]; /* it is set by whole vectors */
    const struct lng_problem *p = job->problem;
    const struct lng_plan *plan = &job->plan;
    const struct lng_tensors t = {.x = p->x, .dy = p->dy, .gamma = gamma};
    int64_t unwound = -1;
    struct lng_batch b;
    for (int64_t k = k0; k < k1; k += b.count) {
        lng_take(&b, plan, i, k, plan->wound ? 1 : lng_least(k1 - k, LNG_LANES));
        const int64_t start = b.first[0] % p->param_num;
        if (start != unwound)
            lng_unwind_gamma(p, start, plan->columns, gamma); /* of the longest piece */
        unwound = start;
        lng_statistics(p, &b);
        struct lng_sums s;
        lng_add_up_batch(&t, &b, b.count, 0, &s);
        double lane[LNG_SUMS][LNG_LANES];
        lng_v_store(lane[0], lng_v_sums(s.A));
        lng_v_store(lane[1], lng_v_sums(s.B));
        lng_v_store(lane[2], lng_v_sums(s.C));
        for (int c = 0; c < b.count; c++)
            for (int l = 0; l < LNG_SUMS; l++)
                sums[((k + c) * plan->period + i) * LNG_SUMS + l] = lane[l][c];
    }
}

/* From the sums of the pieces of rows [n0, n1), at most LNG_LANES, -r*a and r*b of each
 * at rows + LNG_SUMS*n. */
static void lng_do_coefficients(const struct lng_job *job, int64_t n0, int64_t n1,
                                const double *sums, double *rows)
{
    const struct lng_plan *plan = &job->plan;
    struct lng_batch b = {.count = (int)(n1 - n0)};
    double lane[LNG_SUMS][LNG_LANES] = {{0}};
    for (int c = 0; c < b.count; c++) {
        b.n[c] = n0 + c;
        const double *s = sums + b.n[c] * plan->pieces * LNG_SUMS;
        for (int l = 0; l < LNG_SUMS; l++) {
            lane[l][c] = s[l];
            for (int64_t piece = 1; piece < plan->pieces; piece++)
                lane[l][c] += s[piece * LNG_SUMS + l];
        }
    }
    lng_statistics(job->problem, &b);
    lng_coefficients(&b, 1 / (double)plan->block_size, lng_v_load(lane[0]),
                     lng_v_load(lane[1]), lng_v_load(lane[2]));
    for (int c = 0; c < b.count; c++) {
        rows[b.n[c] * LNG_SUMS] = b.ra[c];
        rows[b.n[c] * LNG_SUMS + 1] = b.rb[c];
    }
}

static void lng_do_batch(const struct lng_job *job, const struct lng_tensors *t,
                         struct lng_batch *b, int shared, int keep, int stream,
                         const double *rows)
{
    const int64_t H = job->problem->block_size;
    lng_statistics(job->problem, b);
    if (!t->dx) {
        lng_finish_batch(t, b, shared, 0, LNG_NO_DX);
        return;
    }
    if (H == 1) {
        lng_finish_batch(t, b, 0, 0, LNG_ONE_COLUMN);
        return;
    }
    if (rows) {
        for (int k = 0; k < b->count; k++) {
            b->ra[k] = rows[b->n[k] * LNG_SUMS];
            b->rb[k] = rows[b->n[k] * LNG_SUMS + 1];
        }
    } else {
        struct lng_sums s;
        if (keep)
            lng_add_up_batch(t, b, shared, 1, &s);
        else
            lng_add_up_batch(t, b, shared, 0, &s);
        lng_coefficients(b, 1 / (double)H, lng_v_sums(s.A), lng_v_sums(s.B),
                         lng_v_sums(s.C));
    }
    if (keep && stream)
        lng_finish_batch(t, b, shared, 1, LNG_STREAM);
    else if (keep)
        lng_finish_batch(t, b, shared, 1, LNG_STORE);
    else if (stream)
        lng_finish_batch(t, b, shared, 0, LNG_STREAM);
    else
        lng_finish_batch(t, b, shared, 0, LNG_STORE);
}

/* Pieces of a batch. d of short ones is kept in the L1 cache; those of a cut row that is
 * wound differ in length. */
static int lng_batch_size(const struct lng_plan *plan, int keep)
{
    const int64_t fit = LNG_BATCH_BYTES / (plan->columns * (int64_t)sizeof(LNG_ELEMENT));
    if (plan->pieces > 1)
        return plan->wound ? 1 : LNG_LANES;
    return keep || fit >= LNG_LANES ? LNG_LANES : LNG_LANES / 2;
}

static void lng_do_tile(const struct lng_job *job, const struct lng_tile *tile,
                        double *dg, double *db, const double *gamma, const double *rows,
                        int large)
{
    const struct lng_problem *p = job->problem;
    const struct lng_plan *plan = &job->plan;
    const int64_t pitch = (plan->columns + LNG_LANES - 1) / LNG_LANES * LNG_LANES;
    const int keep = !rows && pitch * LNG_LANES <= LNG_KEEP;
    const int most = lng_batch_size(plan, keep);
    _Alignas(64) double kept[LNG_KEEP + 1];
    struct lng_tensors t = {.x = p->x,
                            .dy = p->dy,
                            .dx = p->dx,
                            .gamma = gamma,
                            .dg = dg,
                            .db = db,
                            .kept = kept,
                            .pitch = pitch};
    const int stream =
        large && p->block_size % (LNG_LINE * LNG_LANES) == 0 &&
        (uintptr_t)p->dx % (LNG_LINE * LNG_LANES * sizeof(LNG_ELEMENT)) == 0;
    memset(dg, 0, (size_t)plan->partial_stride * sizeof *dg);
    memset(db, 0, (size_t)plan->partial_stride * sizeof *db);
    /* Whether the pieces of a batch start at one parameter. */
    const int shared =
        !plan->wound || (plan->pieces == 1 && p->block_size % p->param_num == 0);
    struct lng_batch b;
    for (int64_t i = tile->i0; i < tile->i1; i++)
        for (int64_t k = tile->k0; k < tile->k1; k += b.count) {
            lng_take(&b, plan, i, k, lng_least(tile->k1 - k, most));
            for (int c = 0; c < b.count && (!shared || !plan->wound); c++)
                b.start[c] = plan->wound ? b.first[c] % p->param_num
                                         : b.first[0] - k * plan->step - tile->p0;
            if (large && p->dx &&
                !rows) /* the same pieces of the next rows, or the next piece */
                t.ahead = k + b.count < tile->k1 || plan->period == 1
                              ? b.count * plan->step
                              : plan->columns - (k - tile->k0) * plan->step;
            lng_do_batch(job, &t, &b, shared ? b.count : 0, keep, stream, rows);
        }
    if (plan->wound) {
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
            total = lng_v_add(total,
                              lng_v_load(partial + LNG_PARTIALS * k * stride + p - p0));
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
