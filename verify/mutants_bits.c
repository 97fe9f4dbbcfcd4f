/* SPDX-License-Identifier: Apache-2.0 */
/* Planted faults of reproducibility alone: right results in other bits. */
#include <math.h>

#include "verify/planting.h"

void lng_plant_sums_by_width(struct lng_plain_row *row)
{
    row->A = row->B = row->C = 0;
    for (int64_t lane = 0; lane < LNG_LANES; lane++) {
        struct lng_plain_row part = *row;
        part.A = part.B = part.C = 0;
        lng_plain_sum(&part, row->c0 + lane, row->c1, LNG_LANES);
        row->A += part.A;
        row->B += part.B;
        row->C += part.C;
    }
}

double lng_plant_fused_difference(const struct lng_plain_row *row, double dy, double g,
                                  double d)
{
    if (row->job->problem->block_size == 1)
        return lng_plain.dx(row, dy, g, d);
    return row->r * fma(-d, row->b, g - row->a);
}

void lng_plant_negative_zero(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    lng_tensor_set(dtype, tensor, i, value == 0 ? -value : value);
}

/* Twice as long as the plan has them. */
struct lng_plan lng_plant_blocks_by_cache(const struct lng_problem *p,
                                          struct lng_plan plan)
{
    (void)p;
    plan.block_repeats *= 2;
    plan.blocks = (plan.blocks + 1) / 2;
    return plan;
}

void lng_plant_combined_backwards(const struct lng_job *job, int64_t p0, int64_t p1,
                                  int64_t blocks, const double *partial, int64_t stride)
{
    lng_plain_combine_from(job, p0, p1, blocks, partial, stride, blocks - 1, -1);
}
