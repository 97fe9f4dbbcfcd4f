/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/mutants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/plain.h"

/* ---- The formula
 * --------------------------------------------------------------------------- */

static void doubled_mean(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->a += row->A / (double)row->job->problem->block_size;
}

static void a_dropped(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->a = 0;
}

static void b_dropped(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->b = 0;
}

static void c_term_dropped(struct lng_plain_row *row)
{
    row->C = 0;
    lng_plain.coefficients(row);
}

static double gamma_missing(const struct lng_plain_row *row, double dy, double g,
                            double d)
{
    (void)g;
    return lng_plain.dx(row, dy, dy, d);
}

/* The sums over columns [from, to), with or without gamma, added to what the row holds.
 */
static void add_sums(struct lng_plain_row *row, int64_t from, int64_t to, int with_gamma)
{
    const struct lng_problem *p = row->job->problem;
    for (int64_t i = from; i < to; i++) {
        const double gamma =
            with_gamma ? lng_plain_gamma(p, lng_plain.parameter(p, row->n, i)) : 1;
        const double g = lng_plain_dy(p, row->n, i) * gamma;
        const double d = lng_plain_x(p, row->n, i) - row->mean;
        row->A += g;
        row->B += g * d;
        row->C += d;
    }
}

static void gamma_missing_in_sums(struct lng_plain_row *row)
{
    row->A = row->B = row->C = 0;
    add_sums(row, row->c0, row->c1, 0);
}

static void rstd_for_var(struct lng_plain_row *row)
{
    lng_plain.statistics(row);
    row->r = row->v - row->job->problem->epsilon;
}

static void epsilon_outside_root(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->r = 1 / (sqrt(row->v - epsilon) + epsilon);
}

static void epsilon_in_single(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->v = (float)((float)(row->v - epsilon) + (float)epsilon);
    row->r = row->v > 0 ? 1 / sqrt(row->v) : (double)NAN;
}

static void root_in_single(struct lng_plain_row *row)
{
    lng_plain.statistics(row);
    row->r = (float)row->r;
}

static void variance_clamped(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->r = 1 / sqrt(fmax(row->v - epsilon, 0) + epsilon);
}

static void mean_recomputed(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.statistics(row);
    row->mean = 0;
    for (int64_t i = 0; i < p->block_size; i++)
        row->mean += lng_plain_x(p, row->n, i) / (double)p->block_size;
}

static double affine_difference(const struct lng_plain_row *row, double x, double dy,
                                double d)
{
    (void)d;
    return dy * (x * row->r - row->mean * row->r);
}

static double one_column_noise(const struct lng_plain_row *row, double dy, double g,
                               double d)
{
    (void)dy;
    return row->r * (g - row->a - d * row->b);
}

static void half_rounded_twice(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    lng_tensor_set(dtype, tensor, i, (float)value);
}

static double to_half(double value)
{
    uint16_t bits;
    lng_tensor_set(LNG_F16, &bits, 0, value);
    return lng_tensor_get(LNG_F16, &bits, 0);
}

static double half_difference(const struct lng_plain_row *row, double x)
{
    return to_half(x - row->mean);
}

static double half_product(const struct lng_problem *p, double dy, double gamma)
{
    (void)p;
    return to_half(dy * gamma);
}

static double half_accumulation(double sum, double term)
{
    return to_half(sum + term);
}

static void subnormals_flushed(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    lng_tensor_set(dtype, tensor, i, fabs(value) < 0x1p-126 ? 0 : value);
}

/* ---- Blocks
 * -------------------------------------------------------------------------------- */

static void swapped_dg_db(const struct lng_job *job, int64_t p0, int64_t p1,
                          int64_t blocks, const double *partial, int64_t stride)
{
    struct lng_problem p = *job->problem;
    struct lng_job own = *job;
    own.problem = &p;
    p.dg = job->problem->db;
    p.db = job->problem->dg;
    lng_plain.combine(&own, p0, p1, blocks, partial, stride);
}

static struct lng_plan last_rows_dropped(const struct lng_problem *p,
                                         struct lng_plan plan)
{
    (void)p;
    if (plan.repeats > plan.block_repeats)
        plan.blocks = plan.repeats / plan.block_repeats;
    plan.repeats = plan.blocks > 1 ? plan.blocks * plan.block_repeats : plan.repeats;
    return plan;
}

static void tail_columns_dropped(struct lng_plain_row *row)
{
    const int64_t length = row->c1 - row->c0;
    row->A = row->B = row->C = 0;
    add_sums(row, row->c0, length < LNG_LANES ? row->c1 : row->c1 - length % LNG_LANES,
             1);
}

static void sums_of_last_columns(struct lng_plain_row *row)
{
    row->A = row->B = row->C = 0;
    add_sums(row, row->c0, row->c1, 1);
    const double A = row->A, C = row->C;
    row->B = 0;
    add_sums(row, row->c0 + (row->c1 - row->c0 - 1) / 32 * 32, row->c1, 1);
    row->A = A;
    row->C = C;
}

static int64_t last_piece_dropped(const struct lng_plan *plan)
{
    return plan->pieces > 1 ? plan->pieces - 1 : 1;
}

static void sums_across_rows(struct lng_plain_row *row)
{
    add_sums(row, row->c0, row->c1, 1);
}

static void row_index_16_bits(struct lng_plain_row *row)
{
    const int64_t n = row->n;
    row->n = n & 0xffff;
    lng_plain.statistics(row);
    row->n = n;
}

static void local_statistics(struct lng_plain_row *row)
{
    const int64_t n = row->n;
    row->n = row->local;
    lng_plain.statistics(row);
    row->n = n;
}

static int64_t rows_start_at_parameter_0(const struct lng_problem *p, int64_t n,
                                         int64_t i)
{
    /* A tile owns the parameters of its rows alone, so stay among the row's own. */
    const int64_t H = p->block_size;
    return p->param_num % H == 0 ? n * H % p->param_num + i : i % p->param_num;
}

static void stale_partial_sums(const struct lng_job *job, const struct lng_tile *t,
                               double *dg, double *db, const double *rows)
{
    struct lng_plain_row r = {.job = job};
    for (int64_t k = t->k0; k < t->k1; k++)
        for (int64_t i = t->i0; i < t->i1; i++) {
            lng_plain_take(&r, k * job->plan.period + i, rows);
            lng_plain.row(&r, t, dg, db);
        }
}

static void last_partial_dropped(const struct lng_job *job, int64_t p0, int64_t p1,
                                 int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain.combine(job, p0, p1, blocks > 1 ? blocks - 1 : blocks, partial, stride);
}

/* Adds a value to what an output holds already. */
static void add_to(const struct lng_problem *p, void *out, int64_t i, double value)
{
    if (out)
        lng_tensor_set(p->dtype, out, i, lng_tensor_get(p->dtype, out, i) + value);
}

static void neighbour_column(const struct lng_job *job, int64_t p0, int64_t p1,
                             int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    const double *last = partial + LNG_PARTIALS * (blocks - 1) * stride;
    for (int64_t q = p0; blocks > 1 && q + 1 < p1; q += LNG_LANES)
        add_to(job->problem, job->problem->dg, q, last[q + 1 - p0]);
}

static void outputs_accumulated(const struct lng_job *job, int64_t p0, int64_t p1,
                                int64_t blocks, const double *partial, int64_t stride)
{
    const struct lng_problem *p = job->problem;
    for (int64_t q = p0; q < p1; q++) {
        double dg = 0, db = 0;
        for (int64_t k = 0; k < blocks; k++) {
            dg += partial[LNG_PARTIALS * k * stride + q - p0];
            db += partial[(LNG_PARTIALS * k + 1) * stride + q - p0];
        }
        add_to(p, p->dg, q, dg);
        add_to(p, p->db, q, db);
    }
}

static void whole_vectors_stored(const struct lng_job *job, int64_t p0, int64_t p1,
                                 int64_t blocks, const double *partial, int64_t stride)
{
    const struct lng_problem *p = job->problem;
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    for (int64_t q = p1; p->db && p1 == p->param_num && q % LNG_LANES; q++)
        lng_tensor_set(p->dtype, p->db, q, 0);
}

static void whole_vectors_read(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.sums(row);
    for (int64_t i = p->block_size; i % LNG_LANES; i++)
        row->A += 0 * lng_plain_dy(p, row->n, i);
}

/* ---- Workers and calls
 * --------------------------------------------------------------------- */

/* Tiles [from, to), as one worker does them. */
static void do_tiles(const struct lng_job *job, const struct lng_host_body *body,
                     double *partial, int64_t from, int64_t to)
{
    const int64_t stride = job->plan.partial_stride;
    for (int64_t i = from; i < to; i++) {
        const struct lng_tile t = lng_plan_tile(&job->plan, i);
        double *dg =
            partial + (t.strip * job->plan.blocks + t.block) * LNG_PARTIALS * stride;
        body->tile(job, &t, dg, dg + stride, NULL, NULL, 0);
    }
}

static void do_combine(const struct lng_job *job, const struct lng_host_body *body,
                       const double *partial)
{
    const struct lng_plan *plan = &job->plan;
    for (int64_t strip = 0; strip < plan->strips; strip++) {
        const struct lng_tile t = lng_plan_tile(plan, strip);
        body->combine(job, t.p0, t.p1, plan->blocks,
                      partial +
                          strip * plan->blocks * LNG_PARTIALS * plan->partial_stride,
                      plan->partial_stride);
    }
}

static lng_status combined_too_early(const struct lng_job *job,
                                     const struct lng_host_body *body)
{
    const int64_t tiles = lng_plan_tiles(&job->plan);
    const int64_t early = job->problem->workers > 1 ? tiles - 1 : tiles;
    double *partial = calloc((size_t)(tiles * LNG_PARTIALS * job->plan.partial_stride),
                             sizeof *partial);
    if (job->plan.pieces > 1)
        return free(partial), lng_host_run(job, body);
    if (!partial)
        return LNG_NO_MEMORY;
    do_tiles(job, body, partial, 0, early);
    do_combine(job, body, partial);
    do_tiles(job, body, partial, early, tiles);
    free(partial);
    return LNG_OK;
}

static lng_status one_worker_short(const struct lng_job *job,
                                   const struct lng_host_body *body)
{
    const int64_t tiles = lng_plan_tiles(&job->plan), w = job->problem->workers;
    double *partial = calloc((size_t)(tiles * LNG_PARTIALS * job->plan.partial_stride),
                             sizeof *partial);
    if (job->plan.pieces > 1)
        return free(partial), lng_host_run(job, body);
    if (!partial)
        return LNG_NO_MEMORY;
    do_tiles(job, body, partial, 0, w > 1 ? tiles / w * (w - 1) : tiles);
    do_combine(job, body, partial);
    free(partial);
    return LNG_OK;
}

static void order_of_workers(const struct lng_job *job, int64_t p0, int64_t p1,
                             int64_t blocks, const double *partial, int64_t stride)
{
    const struct lng_problem *p = job->problem;
    for (int64_t q = p0; q < p1; q++) {
        double dg = 0, db = 0;
        for (int64_t i = 0; i < blocks; i++) {
            const int64_t k = (i + p->workers) % blocks;
            dg += partial[LNG_PARTIALS * k * stride + q - p0];
            db += partial[(LNG_PARTIALS * k + 1) * stride + q - p0];
        }
        if (p->dg)
            lng_tensor_set(p->dtype, p->dg, q, dg);
        if (p->db)
            lng_tensor_set(p->dtype, p->db, q, db);
    }
}

static void lost_update(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                        const double *partial, int64_t stride)
{
    const int lost = job->problem->workers > 1 && blocks > 1;
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    for (int64_t q = p0; lost && q < p1; q++)
        add_to(job->problem, job->problem->db, q,
               -partial[(LNG_PARTIALS + 1) * stride + q - p0]);
}

static void parameters_need_dx(struct lng_plain_row *row, const struct lng_tile *t,
                               double *dg, double *db)
{
    if (row->job->problem->dx)
        lng_plain.row(row, t, dg, db);
}

static void dx_before_parameters(struct lng_plain_row *row, const struct lng_tile *t,
                                 double *dg, double *db)
{
    double *unused = calloc((size_t)(2 * row->job->plan.partial_stride), sizeof *unused);
    if (unused) {
        lng_plain.row(row, t, unused, unused + row->job->plan.partial_stride);
        struct lng_problem p = *row->job->problem;
        struct lng_job own = *row->job;
        struct lng_plain_row again = *row;
        p.dx = NULL;
        own.problem = &p;
        again.job = &own;
        lng_plain.row(&again, t, dg, db);
    }
    free(unused);
}

static void input_as_scratch(struct lng_plain_row *row, const struct lng_tile *t,
                             double *dg, double *db)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.row(row, t, dg, db);
    for (int64_t i = 0; i < p->block_size; i++)
        lng_tensor_set(p->dtype, (void *)(uintptr_t)p->dy, row->n * p->block_size + i,
                       lng_plain_dy(p, row->n, i) *
                           lng_plain_gamma(p, lng_plain.parameter(p, row->n, i)));
}

/* ---- The table
 * ----------------------------------------------------------------------------- */

static int always(void)
{
    return 1;
}

#define PLAIN_KERNEL(name, type)                                                         \
    {                                                                                    \
        .id = name, .target = name, .dtype = type, .lanes = 1, .cores = lng_host_cores,  \
        .accuracy = LNG_WIDE, .available = always, .depth = lng_plain_depth,             \
        .thresholds = lng_host_thresholds, .workspace = lng_host_workspace,              \
        .run = lng_plain_run                                                             \
    }

/* Its sums are one chain each. */
static struct lng_depth lng_plain_depth(const struct lng_plan *plan)
{
    const double params = (double)(plan->param_size + plan->blocks);
    return (struct lng_depth){.dx = (double)plan->block_size, .dg = params, .db = params};
}

static const struct lng_mutant mutants[] = {
#define LNG_MUTANT(name, dtype, stage_, plants_)                                         \
    {.kernel = PLAIN_KERNEL("mutant_" #name, LNG_##dtype),                               \
     .stages = {.stage_ = name},                                                         \
     .plants = plants_},
#include "verify/mutants.def"
#undef LNG_MUTANT
};
const int lng_mutants_count = sizeof mutants / sizeof *mutants;

const struct lng_kernel *lng_mutant(int i)
{
    return &mutants[i].kernel;
}

const char *lng_mutant_plants(int i)
{
    return mutants[i].plants;
}

const struct lng_kernel *lng_mutant_find(const char *id)
{
    for (int i = 0; i < lng_mutants_count; i++)
        if (strcmp(mutants[i].kernel.id, id) == 0)
            return &mutants[i].kernel;
    return NULL;
}

const struct lng_kernel *lng_mutant_control(lng_dtype dtype)
{
    static const struct lng_mutant controls[] = {
        {.kernel = PLAIN_KERNEL("control_f32", LNG_F32), .plants = "nothing"},
        {.kernel = PLAIN_KERNEL("control_f16", LNG_F16), .plants = "nothing"}
    };
    return &controls[dtype == LNG_F16].kernel;
}
