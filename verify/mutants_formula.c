/* SPDX-License-Identifier: Apache-2.0 */
/* Planted faults of the formula. */
#include <math.h>

#include "verify/planting.h"

void lng_plant_doubled_mean(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->a += row->A / (double)row->job->problem->block_size;
}

void lng_plant_a_dropped(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->a = 0;
}

void lng_plant_b_dropped(struct lng_plain_row *row)
{
    lng_plain.coefficients(row);
    row->b = 0;
}

void lng_plant_c_term_dropped(struct lng_plain_row *row)
{
    row->C = 0;
    lng_plain.coefficients(row);
}

double lng_plant_gamma_missing(const struct lng_plain_row *row, double dy, double g,
                               double d)
{
    (void)g;
    return lng_plain.dx(row, dy, dy, d);
}

void lng_plant_gamma_missing_in_sums(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    row->A = row->B = row->C = 0;
    for (int64_t i = row->c0; i < row->c1; i++) {
        const double dy = lng_plain_dy(p, row->n, i);
        const double d = lng_plain_x(p, row->n, i) - row->mean;
        row->A += dy;
        row->B += dy * d;
        row->C += d;
    }
}

void lng_plant_rstd_for_var(struct lng_plain_row *row)
{
    lng_plain.statistics(row);
    row->r = row->v - row->job->problem->epsilon;
}

void lng_plant_epsilon_outside_root(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->r = 1 / (sqrt(row->v - epsilon) + epsilon);
}

void lng_plant_epsilon_in_single(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->v = (float)((float)(row->v - epsilon) + (float)epsilon);
    row->r = row->v > 0 ? 1 / sqrt(row->v) : (double)NAN;
}

void lng_plant_root_in_single(struct lng_plain_row *row)
{
    lng_plain.statistics(row);
    row->r = (float)row->r;
}

void lng_plant_variance_clamped(struct lng_plain_row *row)
{
    const double epsilon = row->job->problem->epsilon;
    lng_plain.statistics(row);
    row->r = 1 / sqrt(fmax(row->v - epsilon, 0) + epsilon);
}

void lng_plant_mean_recomputed(struct lng_plain_row *row)
{
    const struct lng_problem *p = row->job->problem;
    lng_plain.statistics(row);
    row->mean = 0;
    for (int64_t i = 0; i < p->block_size; i++)
        row->mean += lng_plain_x(p, row->n, i) / (double)p->block_size;
}

double lng_plant_affine_difference(const struct lng_plain_row *row, double x, double dy,
                                   double d)
{
    (void)d;
    return dy * (x * row->r - row->mean * row->r);
}

double lng_plant_one_column_noise(const struct lng_plain_row *row, double dy, double g,
                                  double d)
{
    (void)dy;
    return row->r * (g - row->a - d * row->b);
}

void lng_plant_half_rounded_twice(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    lng_tensor_set(dtype, tensor, i, (float)value);
}

static double to_half(double value)
{
    uint16_t bits;
    lng_tensor_set(LNG_F16, &bits, 0, value);
    return lng_tensor_get(LNG_F16, &bits, 0);
}

double lng_plant_half_difference(const struct lng_plain_row *row, double x)
{
    return to_half(x - row->mean);
}

double lng_plant_half_product(const struct lng_problem *p, double dy, double gamma)
{
    (void)p;
    return to_half(dy * gamma);
}

double lng_plant_half_accumulation(double sum, double term)
{
    return to_half(sum + term);
}

void lng_plant_subnormals_flushed(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    lng_tensor_set(dtype, tensor, i, fabs(value) < 0x1p-126 ? 0 : value);
}
