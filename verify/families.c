/* SPDX-License-Identifier: Apache-2.0 */
/* The table of families, what they are made of, and those whose values are ordinary. */
#include <float.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "verify/families.h"
#include "verify/inputs.h"

const struct lng_family lng_families[] = {
#define LNG_FAMILY(name, eps, function) {name, eps, lng_family_##function},
#include "verify/families.def"
#undef LNG_FAMILY
};
const size_t lng_families_count = sizeof(lng_families) / sizeof(lng_families[0]);

const struct lng_family *lng_family_find(const char *name)
{
    for (size_t i = 0; i < lng_families_count; i++) {
        if (strcmp(lng_families[i].name, name) == 0) {
            return &lng_families[i];
        }
    }
    return NULL;
}

/* ---- What they are made of ----------------------------------------------------- */

double lng_type_max(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 65504 : (double)FLT_MAX;
}

double lng_type_min(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 0x1p-24 : 0x1p-149;
}

int lng_type_digits(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 11 : 24;
}

int64_t lng_draw_index(void *rng, int64_t n)
{
    return (int64_t)(gsl_rng_uniform(rng) * (double)n);
}

double lng_draw_normal(void *rng)
{
    return gsl_ran_gaussian_ziggurat(rng, 1);
}

double lng_draw(void *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

double lng_draw_signed(void *rng, double magnitude)
{
    return gsl_rng_uniform(rng) < 0.5 ? -magnitude : magnitude;
}

double lng_draw_power(void *rng, double low, double high)
{
    return lng_draw_signed(rng, exp2(lng_draw(rng, low, high)));
}

double lng_sum_unit(const lng_problem *problem)
{
    double unit = 1;
    for (int64_t k = problem->param_size; problem->dtype == LNG_F16 && k > 4096; k /= 2) {
        unit /= 2;
    }
    return unit;
}

void lng_ordinary_dy(struct lng_fill *fill, void *rng)
{
    const int64_t elements = fill->problem->block_num * fill->problem->block_size;
    const double unit = lng_sum_unit(fill->problem);
    for (int64_t j = 0; j < elements; j++) {
        fill->dy[j] = unit * (0.25 + lng_draw_normal(rng));
    }
}

void lng_ordinary_gamma(struct lng_fill *fill, void *rng)
{
    for (int64_t p = 0; p < fill->problem->param_num; p++) {
        const double magnitude = exp2(lng_draw(rng, -1, 1));
        fill->gamma[p] = lng_draw_index(rng, 4) == 0 ? -magnitude : magnitude;
    }
}

void lng_statistics(struct lng_fill *fill)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size;
    for (int64_t n = 0; n < problem->block_num; n++) {
        double *x = fill->x + n * H, sum = 0, squares = 0;
        for (int64_t i = 0; i < H; i++) {
            x[i] = lng_rounded(problem->dtype, x[i]);
            sum += x[i];
        }
        const double mean = sum / (double)H;
        for (int64_t i = 0; i < H; i++) {
            squares += (x[i] - mean) * (x[i] - mean);
        }
        fill->mean[n] = mean;
        fill->var[n] = squares / (double)H;
    }
}

/* ---- Ordinary values ----------------------------------------------------------- */

/* What training makes. Shows a wrong formula: a factor, a term or an operand that is
 * missing or comes twice, dg and db exchanged, r in the place of var. */
void lng_family_normal(struct lng_fill *fill, void *rng)
{
    const int64_t elements = fill->problem->block_num * fill->problem->block_size;
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = 0.5 + 1.5 * lng_draw_normal(rng);
    }
    lng_statistics(fill);
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
}

/* x, dy, d and gamma are all positive, so no sum cancels. Shows accumulators that are too
 * short or stall, and sums over blocks or strips that lose one: in noise around 0 both
 * hide. mean is below every x, so C counts too. */
void lng_family_coherent(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t elements = problem->block_num * problem->block_size;
    const double unit = lng_sum_unit(problem);
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = lng_draw(rng, 1, 2);
        fill->dy[j] = unit * lng_draw(rng, 0.5, 1.5);
    }
    for (int64_t n = 0; n < problem->block_num; n++) {
        fill->mean[n] = lng_draw(rng, 0.25, 0.75);
        fill->var[n] = lng_draw(rng, 0.5, 4);
    }
    for (int64_t p = 0; p < problem->param_num; p++) {
        fill->gamma[p] = lng_draw(rng, 0.5, 2);
    }
}

/* The mean is 2^12 times the spread (2^7 in half). Shows, in arithmetic of the type, d
 * formed as x*r - mean*r, and sums of x*g from which mean*A is taken afterwards; and a
 * variance computed again from sums of squares. */
void lng_family_large_mean(struct lng_fill *fill, void *rng)
{
    static const double levels[2][4] = {
        {1e2, 1e3, 1e4,  1e6 },
        {64,  500, 1000, 2000}
    };
    const int fp16 = fill->problem->dtype == LNG_F16;
    const int64_t H = fill->problem->block_size;
    for (int64_t n = 0; n < fill->problem->block_num; n++) {
        const double mean = lng_draw_signed(rng, levels[fp16][n % 4]);
        const double spread = fabs(mean) * (fp16 ? 0x1p-7 : 0x1p-12);
        for (int64_t i = 0; i < H; i++) {
            fill->x[n * H + i] = mean + spread * lng_draw_normal(rng);
        }
    }
    lng_statistics(fill);
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
}

/* mean is 0 and 1e4 (1e3 in half) in turn, var 4^(n mod 5). Shows statistics of another
 * row: a scratch reused before it was read, an index of the block taken for that of the
 * row. */
void lng_family_alternating_mean(struct lng_fill *fill, void *rng)
{
    const double high = fill->problem->dtype == LNG_F16 ? 1e3 : 1e4;
    const int64_t H = fill->problem->block_size;
    for (int64_t n = 0; n < fill->problem->block_num; n++) {
        const double spread = exp2((double)(n % 5));
        for (int64_t i = 0; i < H; i++) {
            fill->x[n * H + i] = (n % 2 ? high : 0) + spread * lng_draw_normal(rng);
        }
    }
    lng_statistics(fill);
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
}

/* x is its mean in the whole row, so d and with it dg are exactly 0; var is 0, or what a
 * one-pass forward makes of it, above or below 0 and greater than -epsilon. Shows d that
 * is not exactly 0, a clamp of var, and epsilon that is lost. */
void lng_family_constant_row(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size;
    for (int64_t n = 0; n < problem->block_num; n++) {
        fill->mean[n] = 1000 * lng_draw_normal(rng);
        fill->var[n] = n % 3 == 0 ? 0 : (n % 3 == 1 ? -0.5 : 0.5) * problem->epsilon;
        for (int64_t i = 0; i < H; i++) {
            fill->x[n * H + i] = fill->mean[n];
        }
    }
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
}

/* var is 2^-24, far below epsilon. Shows epsilon outside the root (r is then 4096 and not
 * 316), left out, or added in half. */
void lng_family_below_epsilon(struct lng_fill *fill, void *rng)
{
    const int64_t elements = fill->problem->block_num * fill->problem->block_size;
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = 0x1p-12 * lng_draw_normal(rng);
    }
    lng_statistics(fill);
    lng_ordinary_dy(fill, rng);
    lng_ordinary_gamma(fill, rng);
}

/* One x in a row is far from the others, and so is one dy, elsewhere. Shows small terms
 * that vanish beside a large one, and errors relative to the largest element of a row. */
void lng_family_outlier(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size;
    const double far = problem->dtype == LNG_F16 ? 200 : 1e5;
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n++) {
        const int64_t j = n * H + lng_draw_index(rng, H);
        fill->x[j] = lng_draw_signed(rng, far);
        fill->dy[n * H + lng_draw_index(rng, H)] *= 100;
    }
    lng_statistics(fill);
}

/* Magnitudes over 2^-30 to 2^30 (2^-12 to 2^6 in half). Shows sums that keep only what is
 * near their largest term, and absolute tolerances. */
void lng_family_wide_exponents(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t elements = problem->block_num * problem->block_size;
    const int fp16 = problem->dtype == LNG_F16;
    const double low = fp16 ? -12 : -30, high = fp16 ? 6 : 30,
                 unit = lng_sum_unit(problem);
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = lng_draw_power(rng, low, high);
        fill->dy[j] = unit * lng_draw_power(rng, low, high);
    }
    for (int64_t p = 0; p < problem->param_num; p++) {
        fill->gamma[p] = lng_draw_power(rng, -3, 3);
    }
    lng_statistics(fill);
}

/* mean and var have nothing to do with x. Shows a kernel that computes them again, or
 * that relies on C = 0 or on the sum of d^2*r^2 being H. */
void lng_family_inconsistent(struct lng_fill *fill, void *rng)
{
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < fill->problem->block_num; n++) {
        fill->mean[n] = 3 * lng_draw_normal(rng);
        fill->var[n] = exp2(lng_draw(rng, -4, 4));
    }
}

/* g is a + b*d but for the rounding of dy, so that dx is a small rest of large terms
 * (epsilon is small beside var, or it would not be); and dy changes sign from row to row,
 * so that db cancels too. Shows a and b, or sums over rows, that are not carried to more
 * than the precision of the type. */
void lng_family_near_cancelling(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size;
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n++) {
        const double mean = lng_rounded(problem->dtype, fill->mean[n]);
        const double s = lng_rounded(problem->dtype, fill->var[n]) + problem->epsilon;
        const double r = s > 0 ? 1 / sqrt(s) : 1;
        const double a = (n % 2 ? -1 : 1) * lng_draw(rng, 1, 2), b = lng_draw(rng, -1, 1);
        for (int64_t j = n * H; j < n * H + H; j++) {
            const double g = a + b * r * (fill->x[j] - mean);
            fill->dy[j] = lng_sum_unit(problem) * g / fill->gamma[j % problem->param_num];
        }
    }
}

/* The parameters' second half of repetitions has the d of the first half and its dy with
 * the other sign, and all rows have the same var: dg and db are sums of large terms that
 * cancel to 0. The mean is about 2^20 (2^8 in half) times d, and another one in every
 * row. Shows d*r formed as x*r - mean*r, whose errors grow with the mean and are then all
 * of the result; and sums in another order, for all that is left of a sum is its
 * rounding. */
void lng_family_paired_rows(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size, P = problem->param_num,
                  K = problem->param_size;
    const int fp16 = problem->dtype == LNG_F16;
    const double level =
        fp16 ? 0x1p10 : 0x1p20;            /* |mean| is between this and its double */
    const double step = fp16 ? 1 : 0x1p-3; /* the distance of values there */
    const double range = fp16 ? 6 : 20;    /* of dy: so wide that db is rounded as well */
    const double var = fp16 ? lng_draw(rng, 8, 16) : lng_draw(rng, 0.5, 2);
    lng_ordinary_gamma(fill, rng);
    for (int64_t n = 0; n < problem->block_num; n++) {
        const double mean = level + step * floor(level / step * lng_draw(rng, 0.1, 0.9));
        fill->mean[n] = lng_draw_signed(rng, mean);
        fill->var[n] = var;
    }
    for (int64_t j = 0; j < P * K; j++) {
        const int64_t k = j / P, first = j - K / 2 * P;
        fill->dy[j] = lng_draw_power(rng, -range, range);
        double d = lng_draw_signed(rng, step * (double)(1 + lng_draw_index(rng, 8)));
        if (k >= K / 2 && k < K / 2 * 2) {
            d = fill->x[first] - fill->mean[first / H];
            fill->dy[j] = -fill->dy[first];
        } else if (k > 0 && k == K - 1) {
            fill->dy[j] = 0;
        }
        fill->x[j] = fill->mean[j / H] + d;
    }
}

/* The mean is 50 deviations away from the row, so r^2*B*C/H^2 is nearly all of a. Shows a
 * C term that is left out, or that is not accurate. */
void lng_family_c_term(struct lng_fill *fill, void *rng)
{
    lng_family_normal(fill, rng);
    for (int64_t n = 0; n < fill->problem->block_num; n++) {
        const double s = fill->var[n] + fill->problem->epsilon;
        fill->mean[n] += lng_draw_signed(rng, 50 * sqrt(s));
    }
}

/* dy is 0 but for one parameter, or (every other seed) but for one row. Shows what leaks
 * from there: sums that take in a neighbour's column or row; all others are exactly 0. */
void lng_family_one_hot(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size;
    lng_family_normal(fill, rng);
    const int by_row = lng_draw_index(rng, 2) == 1;
    const int64_t row = lng_draw_index(rng, problem->block_num);
    const int64_t parameter = lng_draw_index(rng, problem->param_num);
    for (int64_t j = 0; j < problem->block_num * H; j++) {
        if (by_row ? j / H != row : j % problem->param_num != parameter) {
            fill->dy[j] = 0;
        }
    }
}
