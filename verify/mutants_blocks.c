/* SPDX-License-Identifier: Apache-2.0 */
/* Planted faults of blocks: which rows, columns and parameters a piece of work takes. */
#include "verify/planting.h"

void lng_plant_swapped_dg_db(const struct lng_job *job, int64_t p0, int64_t p1,
                             int64_t blocks, const double *partial, int64_t stride)
{
    struct lng_problem p = *job->problem;
    struct lng_job own = *job;
    own.problem = &p;
    p.dg = job->problem->db;
    p.db = job->problem->dg;
    lng_plain.combine(&own, p0, p1, blocks, partial, stride);
}

struct lng_plan lng_plant_last_rows_dropped(const struct lng_problem *p,
                                            struct lng_plan plan)
{
    (void)p;
    if (plan.repeats > plan.block_repeats)
        plan.blocks = plan.repeats / plan.block_repeats;
    plan.repeats = plan.blocks > 1 ? plan.blocks * plan.block_repeats : plan.repeats;
    return plan;
}

void lng_plant_tail_columns_dropped(struct lng_plain_row *row)
{
    const int64_t length = row->c1 - row->c0;
    row->A = row->B = row->C = 0;
    lng_plain_sum(row, row->c0,
                  length < LNG_LANES ? row->c1 : row->c1 - length % LNG_LANES, 1);
}

void lng_plant_sums_of_last_columns(struct lng_plain_row *row)
{
    row->A = row->B = row->C = 0;
    lng_plain_sum(row, row->c0, row->c1, 1);
    const double A = row->A, C = row->C;
    row->B = 0;
    lng_plain_sum(row, row->c0 + (row->c1 - row->c0 - 1) / 32 * 32, row->c1, 1);
    row->A = A;
    row->C = C;
}

int64_t lng_plant_last_piece_dropped(const struct lng_plan *plan)
{
    return plan->pieces > 1 ? plan->pieces - 1 : 1;
}

void lng_plant_sums_across_rows(struct lng_plain_row *row)
{
    lng_plain_sum(row, row->c0, row->c1, 1);
}

void lng_plant_row_index_16_bits(struct lng_plain_row *row)
{
    const int64_t n = row->n;
    row->n = n & 0xffff;
    lng_plain.statistics(row);
    row->n = n;
}

void lng_plant_local_statistics(struct lng_plain_row *row)
{
    const int64_t n = row->n;
    row->n = row->local;
    lng_plain.statistics(row);
    row->n = n;
}

int64_t lng_plant_rows_start_at_parameter_0(const struct lng_problem *p, int64_t n,
                                            int64_t i)
{
    /* A tile owns the parameters of its rows alone, so stay among the row's own. */
    const int64_t H = p->block_size;
    return p->param_num % H == 0 ? n * H % p->param_num + i : i % p->param_num;
}

void lng_plant_stale_partial_sums(const struct lng_job *job, const struct lng_tile *t,
                                  double *dg, double *db, const double *rows)
{
    struct lng_plain_row r = {.job = job};
    for (int64_t k = t->k0; k < t->k1; k++)
        for (int64_t i = t->i0; i < t->i1; i++) {
            lng_plain_take(&r, k * job->plan.period + i, rows);
            lng_plain.row(&r, t, dg, db);
        }
}

void lng_plant_last_partial_dropped(const struct lng_job *job, int64_t p0, int64_t p1,
                                    int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain.combine(job, p0, p1, blocks > 1 ? blocks - 1 : blocks, partial, stride);
}

void lng_plant_neighbour_column(const struct lng_job *job, int64_t p0, int64_t p1,
                                int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    const double *last = partial + LNG_PARTIALS * (blocks - 1) * stride;
    for (int64_t q = p0; blocks > 1 && q + 1 < p1; q += LNG_LANES)
        lng_plain_add_to(job->problem, job->problem->dg, q, last[q + 1 - p0]);
}

void lng_plant_outputs_accumulated(const struct lng_job *job, int64_t p0, int64_t p1,
                                   int64_t blocks, const double *partial, int64_t stride)
{
    const struct lng_problem *p = job->problem;
    for (int64_t q = p0; q < p1; q++) {
        double dg = 0, db = 0;
        for (int64_t k = 0; k < blocks; k++) {
            dg += partial[LNG_PARTIALS * k * stride + q - p0];
            db += partial[(LNG_PARTIALS * k + 1) * stride + q - p0];
        }
        lng_plain_add_to(p, p->dg, q, dg);
        lng_plain_add_to(p, p->db, q, db);
    }
}

void lng_plant_whole_vectors_stored(const struct lng_job *job, int64_t p0, int64_t p1,
                                    int64_t blocks, const double *partial, int64_t stride)
{
    const struct lng_problem *p = job->problem;
    lng_plain.combine(job, p0, p1, blocks, partial, stride);
    for (int64_t q = p1; p->db && p1 == p->param_num && q % LNG_LANES; q++)
        lng_tensor_set(p->dtype, p->db, q, 0);
}

void lng_plant_whole_vectors_read(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.sums(row);
    for (int64_t i = p->block_size; i % LNG_LANES; i++)
        row->A += 0 * lng_plain_dy(p, row->n, i);
}
