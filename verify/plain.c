/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plain.h"

#include <math.h>
#include <string.h>

double lng_plain_x(const struct lng_problem *p, int64_t n, int64_t i)
{
    return lng_tensor_get(p->dtype, p->x, n * p->block_size + i);
}

double lng_plain_dy(const struct lng_problem *p, int64_t n, int64_t i)
{
    return lng_tensor_get(p->dtype, p->dy, n * p->block_size + i);
}

double lng_plain_gamma(const struct lng_problem *p, int64_t parameter)
{
    return p->gamma ? lng_tensor_get(p->dtype, p->gamma, parameter) : 1;
}

static struct lng_plan plan(const struct lng_problem *p, struct lng_plan plan)
{
    (void)p;
    return plan;
}

static int64_t parameter(const struct lng_problem *p, int64_t n, int64_t i)
{
    return (n * p->block_size + i) % p->param_num;
}

static void statistics(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    row->mean = lng_tensor_get(p->dtype, p->mean, row->n);
    row->v = lng_tensor_get(p->dtype, p->var, row->n) + p->epsilon;
    row->r = row->v > 0 ? 1 / sqrt(row->v) : (double)NAN;
}

static double g(const struct lng_problem *p, double dy, double gamma)
{
    (void)p;
    return dy * gamma;
}

static double d(const struct lng_plain_row *row, double x)
{
    return x - row->mean;
}

void lng_plain_sum(struct lng_plain_row *row, int64_t from, int64_t to, int64_t step)
{
    const struct lng_problem *p = row->job->problem;
    const struct lng_plain_stages s = lng_plain_stages_of(row->job);
    for (int64_t i = from; i < to; i += step) {
        const double gi = s.g(p, lng_plain_dy(p, row->n, i),
                              lng_plain_gamma(p, s.parameter(p, row->n, i)));
        const double di = s.d(row, lng_plain_x(p, row->n, i));
        row->A += gi;
        row->B += gi * di;
        row->C += di;
    }
}

void lng_plain_add_to(const struct lng_problem *p, void *out, int64_t i, double value)
{
    if (out)
        lng_tensor_set(p->dtype, out, i, lng_tensor_get(p->dtype, out, i) + value);
}

static void sums(struct lng_plain_row *row)
{
    row->A = row->B = row->C = 0;
    lng_plain_sum(row, row->c0, row->c1, 1);
}

static void coefficients(struct lng_plain_row *row)
{
    const double H = (double)row->job->problem->block_size;
    row->b = row->r * row->r * (row->B / H);
    row->a = row->A / H - row->b * (row->C / H);
}

static int64_t pieces(const struct lng_plan *plan)
{
    return plan->pieces;
}

static double dx(const struct lng_plain_row *row, double dy, double gi, double di)
{
    (void)dy;
    if (row->job->problem->block_size == 1)
        return 0 * (di * gi * row->r);
    return row->r * (gi - row->a - di * row->b);
}

static double term(const struct lng_plain_row *row, double x, double dy, double di)
{
    (void)x;
    return dy * (di * row->r);
}

static double add(double sum, double value)
{
    return sum + value;
}

void lng_plain_take(struct lng_plain_row *r, int64_t number, const double *rows)
{
    const struct lng_piece piece = lng_plan_piece(&r->job->plan, number);
    r->n = piece.n;
    r->c0 = piece.c0;
    r->c1 = piece.c1;
    if (!rows)
        return;
    r->A = rows[LNG_SUMS * r->n];
    r->B = rows[LNG_SUMS * r->n + 1];
    r->C = rows[LNG_SUMS * r->n + 2];
}

static void row(struct lng_plain_row *r, const struct lng_tile *t, double *dg, double *db)
{
    const struct lng_problem *p = r->job->problem;
    const struct lng_plain_stages s = lng_plain_stages_of(r->job);
    s.statistics(r);
    if (p->dx) {
        if (r->job->plan.pieces == 1)
            s.sums(r);
        s.coefficients(r);
    }
    for (int64_t i = r->c0; i < r->c1; i++) {
        const int64_t q = s.parameter(p, r->n, i);
        const double x = lng_plain_x(p, r->n, i), dy = lng_plain_dy(p, r->n, i);
        const double di = s.d(r, x);
        if (p->dx)
            s.store(p->dtype, p->dx, r->n * p->block_size + i,
                    s.dx(r, dy, s.g(p, dy, lng_plain_gamma(p, q)), di));
        dg[q - t->p0] = s.add(dg[q - t->p0], s.term(r, x, dy, di));
        db[q - t->p0] = s.add(db[q - t->p0], dy);
    }
}

static void tile(const struct lng_job *job, const struct lng_tile *t, double *dg,
                 double *db, const double *rows)
{
    const struct lng_plain_stages s = lng_plain_stages_of(job);
    const size_t bytes = (size_t)job->plan.partial_stride * sizeof *dg;
    struct lng_plain_row r = {.job = job};
    memset(dg, 0, bytes);
    memset(db, 0, bytes);
    for (int64_t k = t->k0; k < t->k1; k++)
        for (int64_t i = t->i0; i < t->i1; i++, r.local++) {
            lng_plain_take(&r, k * job->plan.period + i, rows);
            s.row(&r, t, dg, db);
        }
}

void lng_plain_combine_from(const struct lng_job *job, int64_t p0, int64_t p1,
                            int64_t blocks, const double *partial, int64_t stride,
                            int64_t first, int64_t step)
{
    const struct lng_problem *p = job->problem;
    const struct lng_plain_stages s = lng_plain_stages_of(job);
    for (int64_t q = p0; q < p1; q++) {
        double dg = 0, db = 0;
        for (int64_t i = 0; i < blocks; i++) {
            const int64_t k = (first + i * step) % blocks;
            dg = s.add(dg, partial[LNG_PARTIALS * k * stride + q - p0]);
            db = s.add(db, partial[(LNG_PARTIALS * k + 1) * stride + q - p0]);
        }
        if (p->dg)
            s.store(p->dtype, p->dg, q, dg);
        if (p->db)
            s.store(p->dtype, p->db, q, db);
    }
}

static void combine(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                    const double *partial, int64_t stride)
{
    lng_plain_combine_from(job, p0, p1, blocks, partial, stride, 0, 1);
}

const struct lng_plain_stages lng_plain = {.plan = plan,
                                           .drive = lng_host_run,
                                           .tile = tile,
                                           .row = row,
                                           .parameter = parameter,
                                           .statistics = statistics,
                                           .g = g,
                                           .d = d,
                                           .sums = sums,
                                           .coefficients = coefficients,
                                           .pieces = pieces,
                                           .dx = dx,
                                           .term = term,
                                           .add = add,
                                           .combine = combine,
                                           .store = lng_tensor_set};

struct lng_plain_stages lng_plain_stages_of(const struct lng_job *job)
{
    const struct lng_plain_stages *own =
        &((const struct lng_mutant *)job->kernel)->stages;
    struct lng_plain_stages s = lng_plain;
#define EXCHANGE(stage) s.stage = own->stage ? own->stage : s.stage
    EXCHANGE(plan);
    EXCHANGE(drive);
    EXCHANGE(tile);
    EXCHANGE(row);
    EXCHANGE(parameter);
    EXCHANGE(statistics);
    EXCHANGE(g);
    EXCHANGE(d);
    EXCHANGE(sums);
    EXCHANGE(coefficients);
    EXCHANGE(pieces);
    EXCHANGE(dx);
    EXCHANGE(term);
    EXCHANGE(add);
    EXCHANGE(combine);
    EXCHANGE(store);
#undef EXCHANGE
    return s;
}

/* gamma is read where it is. */
static void run_gamma(const struct lng_job *job, const struct lng_tile *t, double *gamma)
{
    (void)job;
    (void)t;
    (void)gamma;
}

static void run_sums(const struct lng_job *job, int64_t i, int64_t k0, int64_t k1,
                     double *sums)
{
    const struct lng_plain_stages s = lng_plain_stages_of(job);
    struct lng_plain_row r = {.job = job};
    for (int64_t k = k0; k < k1; k++) {
        const int64_t piece = k * job->plan.period + i;
        lng_plain_take(&r, piece, NULL);
        s.statistics(&r);
        s.sums(&r);
        memcpy(sums + LNG_SUMS * piece, (double[]){r.A, r.B, r.C},
               LNG_SUMS * sizeof *sums);
    }
}

static void run_coefficients(const struct lng_job *job, int64_t n0, int64_t n1,
                             const double *sums, double *rows)
{
    const struct lng_plain_stages s = lng_plain_stages_of(job);
    const int64_t added = s.pieces(&job->plan);
    for (int64_t n = n0; n < n1; n++)
        for (int l = 0; l < LNG_SUMS; l++) {
            double total = 0;
            for (int64_t piece = 0; piece < added; piece++)
                total += sums[LNG_SUMS * (n * job->plan.pieces + piece) + l];
            rows[LNG_SUMS * n + l] = total;
        }
}

/* dx goes through the cache. */
static void run_tile(const struct lng_job *job, const struct lng_tile *t, double *dg,
                     double *db, const double *gamma, const double *rows, int large)
{
    (void)gamma;
    (void)large;
    lng_plain_stages_of(job).tile(job, t, dg, db, rows);
}

static void run_combine(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                        const double *partial, int64_t stride)
{
    lng_plain_stages_of(job).combine(job, p0, p1, blocks, partial, stride);
}

lng_status lng_plain_run(const struct lng_job *job)
{
    static const struct lng_host_body body = {run_gamma, run_sums, run_coefficients,
                                              run_tile, run_combine};
    const struct lng_plain_stages s = lng_plain_stages_of(job);
    struct lng_job own = *job;
    own.plan = s.plan(job->problem, job->plan);
    return s.drive(&own, &body);
}
