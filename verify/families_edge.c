/* SPDX-License-Identifier: Apache-2.0 */
/* Families at the ends of the range, and of values that are no numbers. */
#include <math.h>

#include "verify/families.h"

/* dy is a small multiple of the smallest subnormal, and so are the outputs. Shows values
 * flushed to zero, on the way in or out, and underflow that is not gradual. */
void lng_family_subnormal(struct lng_fill *fill, void *rng)
{
    const int64_t elements = fill->problem->block_num * fill->problem->block_size;
    const double smallest = lng_type_min(fill->problem->dtype);
    lng_family_normal(fill, rng);
    for (int64_t j = 0; j < elements; j++) {
        fill->dy[j] =
            lng_draw_signed(rng, smallest * (double)(1 + lng_draw_index(rng, 64)));
    }
}

/* var is subnormal and epsilon 0. Shows a subnormal var read as 0 (the row is then NaN),
 * a root that takes no subnormal argument, and an epsilon that is added where none was
 * asked for. */
void lng_family_tiny_variance(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t elements = problem->block_num * problem->block_size;
    const double spread = problem->dtype == LNG_F16 ? 0x1p-10 : 0x1p-70;
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = spread * lng_draw_normal(rng);
    }
    lng_statistics(fill);
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
    for (int64_t j = 0; j < elements; j++) {
        fill->dy[j] *= 0x1p-4;
    }
    for (int64_t n = 0; n < problem->block_num; n++) {
        fill->var[n] = fmin(fmax(fill->var[n], spread * spread / 4), spread * spread * 4);
    }
}

/* Values at the end of the range. Of three rows
 *
 *     one has d and its sums beyond the type, and the largest var, with which dx fits;
 *     one has A and B beyond it, g where |gamma| is above 1, and dx as well;
 *     one has the same, but for var = 2^10, with which dx fits.
 *
 * Down a column dy changes sign every two repetitions, so that partial sums of db are
 * beyond the type where db is not. Shows infinities and NaN from intermediates, and
 * results that are clamped and do not overflow. */
void lng_family_near_overflow(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size, P = problem->param_num;
    const double most = lng_type_max(problem->dtype);
    lng_ordinary_gamma(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n++) {
        const int kind = (int)(n % 3);
        fill->var[n] = kind == 0 ? most : kind == 1 ? 1 : 0x1p10;
        for (int64_t j = n * H; j < n * H + H; j++) {
            if (kind == 0) {
                fill->x[j] = lng_draw_signed(rng, most * lng_draw(rng, 0.7, 0.95));
                fill->dy[j] = lng_draw_signed(rng, lng_draw(rng, 0.5, 1.5));
            } else {
                const int64_t p = j % P, k = j / P;
                const double golden = 0.6180339887498949 * (double)p;
                fill->x[j] = (kind == 1 ? 0x1p-5 : 1) * lng_draw_normal(rng);
                fill->dy[j] = ((k + p) % 4 < 2 ? most : -most) *
                              (0.8 + 0.18 * (golden - floor(golden)));
            }
        }
        fill->mean[n] = kind == 0 ? -0.5 * copysign(most, fill->x[n * H]) : 0;
    }
}

/* var is +infinity (dx is 0 then), 0, just above -epsilon, the smallest or the largest of
 * the type: all legal. Shows a clamp of var, var+epsilon formed in the type, and r = 0
 * that turns into NaN. */
void lng_family_edge_variance(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n++) {
        const double edges[] = {(double)INFINITY,
                                0,
                                fill->var[n],
                                -problem->epsilon * (1 - 0x1p-6),
                                lng_type_min(problem->dtype),
                                lng_type_max(problem->dtype)};
        fill->var[n] = edges[n % 6];
    }
}

/* An element of row n whose parameter is in the first half, so that the others stay
 * finite; -1 where a few draws find none. */
static int64_t element_in_first_half(const lng_problem *problem, int64_t n, void *rng)
{
    const int64_t H = problem->block_size, P = problem->param_num;
    for (int draw = 0; draw < 8; draw++) {
        const int64_t j = n * H + lng_draw_index(rng, H);
        if (j % P < (P + 1) / 2) {
            return j;
        }
    }
    return -1;
}

/* One x or dy of every third row is NaN or infinite, or all its dy are 0. Shows values
 * that reach another row or column, and those that get lost: compared away, clamped, or
 * multiplied by a mask. The rows between, and half of the columns, stay finite. */
void lng_family_special(struct lng_fill *fill, void *rng)
{
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const lng_problem *problem = fill->problem;
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n += 3) {
        const int64_t kind = n / 3 % 7, j = element_in_first_half(problem, n, rng);
        if (kind == 6) {
            for (int64_t i = 0; i < problem->block_size; i++) {
                fill->dy[n * problem->block_size + i] = 0;
            }
        } else if (j >= 0) {
            (kind % 2 ? fill->dy : fill->x)[j] = values[kind / 2];
        }
    }
}

/* mean or var of every third row is one with which no gradient exists: NaN, infinite, or
 * var+epsilon zero or negative. Shows rows that are not NaN, from a clamp or a select the
 * wrong way round, and columns of db that are. dg is NaN in all columns that such a row
 * reaches. */
void lng_family_special_statistics(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const double epsilon = problem->epsilon > 0 ? problem->epsilon : 0x1p-17;
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n += 3) {
        const double values[] = {-problem->epsilon, (double)NAN, -2 * epsilon,
                                 -(double)INFINITY, -128};
        const double means[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
        const int64_t kind = n / 3 % 8;
        if (kind < 5) {
            fill->var[n] = values[kind];
        } else {
            fill->mean[n] = means[kind - 5];
        }
    }
}

/* One gamma is NaN or infinite and some are 0. dx is not finite in every row that uses
 * the one; dg and db, which do not depend on gamma, show it where a kernel divides by
 * gamma or takes dg from g. */
void lng_family_special_gamma(struct lng_fill *fill, void *rng)
{
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const int64_t P = fill->problem->param_num;
    lng_family_normal(fill, rng);
    for (int64_t p = 0; p < P; p += 5) {
        fill->gamma[p] = 0;
    }
    const int64_t hit = lng_draw_index(rng, P);
    fill->gamma[hit] = values[lng_draw_index(rng, 3)];
}
