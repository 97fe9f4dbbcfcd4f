/* SPDX-License-Identifier: Apache-2.0 */
/* Planted faults of workers and calls. */
#include <stdlib.h>

#include "verify/planting.h"

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

/* The first tiles, the totals, then the last tiles. Rows that are cut are left right. */
static lng_status do_some(const struct lng_job *job, const struct lng_host_body *body,
                          int64_t before, int64_t after)
{
    const int64_t tiles = lng_plan_tiles(&job->plan);
    if (job->plan.pieces > 1)
        return lng_host_run(job, body);
    double *partial = calloc((size_t)(tiles * LNG_PARTIALS * job->plan.partial_stride),
                             sizeof *partial);
    if (!partial)
        return LNG_NO_MEMORY;
    do_tiles(job, body, partial, 0, before);
    do_combine(job, body, partial);
    do_tiles(job, body, partial, tiles - after, tiles);
    free(partial);
    return LNG_OK;
}

lng_status lng_plant_combined_too_early(const struct lng_job *job,
                                        const struct lng_host_body *body)
{
    const int late = job->problem->workers > 1;
    return do_some(job, body, lng_plan_tiles(&job->plan) - late, late);
}

lng_status lng_plant_one_worker_short(const struct lng_job *job,
                                      const struct lng_host_body *body)
{
    const int64_t tiles = lng_plan_tiles(&job->plan), w = job->problem->workers;
    return do_some(job, body, w > 1 ? tiles / w * (w - 1) : tiles, 0);
}

void lng_plant_order_of_workers(const struct lng_job *job, int64_t p0, int64_t p1,
                                int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain_combine_from(job, p0, p1, blocks, partial, stride, job->problem->workers,
                           1);
}

void lng_plant_lost_update(const struct lng_job *job, int64_t p0, int64_t p1,
                           int64_t blocks, const double *partial, int64_t stride)
{
    const int lost = job->problem->workers > 1 && blocks > 1;
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    for (int64_t q = p0; lost && q < p1; q++)
        lng_plain_add_to(job->problem, job->problem->db, q,
                         -partial[(LNG_PARTIALS + 1) * stride + q - p0]);
}

void lng_plant_parameters_need_dx(struct lng_plain_row *row, const struct lng_tile *t,
                                  double *dg, double *db)
{
    if (row->job->problem->dx)
        lng_plain.row(row, t, dg, db);
}

void lng_plant_dx_before_parameters(struct lng_plain_row *row, const struct lng_tile *t,
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

void lng_plant_input_as_scratch(struct lng_plain_row *row, const struct lng_tile *t,
                                double *dg, double *db)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.row(row, t, dg, db);
    for (int64_t i = 0; i < p->block_size; i++)
        lng_tensor_set(p->dtype, (void *)(uintptr_t)p->dy, row->n * p->block_size + i,
                       lng_plain_dy(p, row->n, i) *
                           lng_plain_gamma(p, lng_plain.parameter(p, row->n, i)));
}
