/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of rows and parameters, once for every instruction set and type of the
 * host. The including file defines LNG_ID and includes a vocabulary (vec/<isa>.h) and a
 * type (vec/f32.h or vec/f16.h); it becomes the kernel lng_run_<LNG_ID>.
 *
 * Class wide. Inputs are doubles from the load on, so g = dy*gamma is exact; everything
 * else is rounded to double once an operation, and the outputs once more, to their type.
 */
#include <math.h>
#include <string.h>

#include "target/host/host.h"

/* A row's part of the formula. */
struct lng_row {
    int64_t first; /* flat index of its element 0 */
    int64_t p;     /* parameter of its element 0 */
    double mean, r, a, b;
};

static inline int64_t lng_next(int64_t p, int64_t param_num)
{
    p += LNG_LANES;
    return p < param_num ? p : p % param_num;
}

static inline double lng_scalar(const void *tensor, int64_t i)
{
    double lane[LNG_LANES];
    lng_v_store(lane, lng_load(tensor, i, 1));
    return lane[0];
}

/* n parameters from p on, which start over after param_num. */
static inline lng_v lng_gamma(const lng_problem *problem, int64_t p, int n)
{
    if (!problem->gamma)
        return lng_v_all(1);
    if (p + n <= problem->param_num)
        return lng_load(problem->gamma, p, n);
    double lane[LNG_LANES] = {0};
    for (int l = 0; l < n; l++)
        lane[l] = lng_scalar(problem->gamma, (p + l) % problem->param_num);
    return lng_v_load(lane);
}

/* d of n elements; +0 in the lanes beyond. */
static inline lng_v lng_d(const lng_problem *problem, const struct lng_row *row,
                          int64_t i, int n)
{
    const lng_v d =
        lng_v_sub(lng_load(problem->x, row->first + i, n), lng_v_all(row->mean));
    return n == LNG_LANES ? d : lng_v_first(d, n);
}

struct lng_sums {
    lng_v A, B, C;
};

static inline void lng_add_to_sums(const lng_problem *problem, const struct lng_row *row,
                                   int64_t i, int64_t p, int n, struct lng_sums *s)
{
    const lng_v dy = lng_load(problem->dy, row->first + i, n);
    const lng_v g = lng_v_mul(dy, lng_gamma(problem, p, n));
    const lng_v d = lng_d(problem, row, i, n);
    s->A = lng_v_add(s->A, g);
    s->B = lng_v_fma(g, d, s->B);
    s->C = lng_v_add(s->C, d);
}

/* b = r^2*B/H and a = A/H - b*C/H. */
static inline void lng_coefficients(const lng_problem *problem, struct lng_row *row)
{
    struct lng_sums s = {lng_v_all(0), lng_v_all(0), lng_v_all(0)};
    const int64_t H = problem->block_size, full = H - H % LNG_LANES;
    int64_t p = row->p;
    for (int64_t i = 0; i < full; i += LNG_LANES, p = lng_next(p, problem->param_num))
        lng_add_to_sums(problem, row, i, p, LNG_LANES, &s);
    if (full < H)
        lng_add_to_sums(problem, row, full, p, (int)(H - full), &s);
    row->b = row->r * row->r * (lng_v_sum(s.B) / (double)H);
    row->a = fma(-row->b, lng_v_sum(s.C) / (double)H, lng_v_sum(s.A) / (double)H);
}

/* Adds the terms of n elements to the partial sums, whose first parameter is p0. Each
 * parameter's terms come in ascending order of the flat index on either path. */
static inline void lng_add_to_params(int64_t param_num, int64_t p, int64_t p0, int n,
                                     lng_v dy, lng_v h, double *dg, double *db)
{
    if (n == LNG_LANES && p + n <= param_num) {
        dg += p - p0;
        db += p - p0;
        lng_v_store(dg, lng_v_fma(dy, h, lng_v_load(dg)));
        lng_v_store(db, lng_v_add(dy, lng_v_load(db)));
        return;
    }
    double dy_lane[LNG_LANES], h_lane[LNG_LANES];
    lng_v_store(dy_lane, dy);
    lng_v_store(h_lane, h);
    for (int l = 0; l < n; l++) {
        const int64_t q = (p + l) % param_num - p0;
        dg[q] = fma(dy_lane[l], h_lane[l], dg[q]);
        db[q] += dy_lane[l];
    }
}

/* dx_j = r*(g - a - d*b); the terms of dg are dy*(d*r), those of db dy. Reads n elements
 * of x and dy before it writes dx, which may be either. */
static inline void lng_finish(const lng_problem *problem, const struct lng_row *row,
                              int64_t i, int64_t p, int64_t p0, int n, double *dg,
                              double *db)
{
    const lng_v r = lng_v_all(row->r);
    const lng_v dy = lng_load(problem->dy, row->first + i, n);
    const lng_v d = lng_d(problem, row, i, n);
    if (problem->dx) {
        const lng_v g = lng_v_mul(dy, lng_gamma(problem, p, n));
        const lng_v inner =
            lng_v_fnma(d, lng_v_all(row->b), lng_v_sub(g, lng_v_all(row->a)));
        /* One column: exactly 0, but NaN where an input is not finite. */
        const lng_v dx = problem->block_size > 1
                             ? lng_v_mul(r, inner)
                             : lng_v_mul(lng_v_all(0), lng_v_mul(lng_v_mul(d, g), r));
        lng_store(problem->dx, row->first + i, n, dx);
    }
    if (problem->dg || problem->db)
        lng_add_to_params(problem->param_num, p, p0, n, dy, lng_v_mul(d, r), dg, db);
}

static void lng_do_row(const lng_problem *problem, int64_t n, int64_t p0, double *dg,
                       double *db)
{
    const int64_t H = problem->block_size, full = H - H % LNG_LANES;
    const double v = lng_scalar(problem->var, n) + problem->epsilon;
    struct lng_row row = {.first = n * H,
                          .p = n * H % problem->param_num,
                          .mean = lng_scalar(problem->mean, n),
                          .r = v > 0 ? 1 / sqrt(v) : (double)NAN};
    if (problem->dx)
        lng_coefficients(problem, &row);
    int64_t p = row.p;
    for (int64_t i = 0; i < full; i += LNG_LANES, p = lng_next(p, problem->param_num))
        lng_finish(problem, &row, i, p, p0, LNG_LANES, dg, db);
    if (full < H)
        lng_finish(problem, &row, full, p, p0, (int)(H - full), dg, db);
}

static void lng_do_tile(const struct lng_job *job, const struct lng_tile *t, double *dg,
                        double *db)
{
    const struct lng_plan *plan = &job->plan;
    memset(dg, 0, (size_t)plan->partial_stride * sizeof *dg);
    memset(db, 0, (size_t)plan->partial_stride * sizeof *db);
    for (int64_t k = t->k0; k < t->k1; k++)
        for (int64_t i = t->i0; i < t->i1; i++)
            lng_do_row(job->problem, k * plan->period + i, t->p0, dg, db);
}

static void lng_total(void *out, int64_t p0, int64_t p1, int64_t blocks,
                      const double *partial, int64_t stride)
{
    for (int64_t p = p0; p < p1; p += LNG_LANES) {
        lng_v total = lng_v_all(0);
        for (int64_t k = 0; k < blocks; k++)
            total = lng_v_add(total, lng_v_load(partial + 2 * k * stride + p - p0));
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

#define LNG_RUN_OF(id) LNG_RUN_(id)
#define LNG_RUN_(id) lng_run_##id
lng_status LNG_RUN_OF(LNG_ID)(const struct lng_job *job);
lng_status LNG_RUN_OF(LNG_ID)(const struct lng_job *job)
{
    static const struct lng_host_body body = {lng_do_tile, lng_do_combine};
    return lng_host_run(job, &body);
}
