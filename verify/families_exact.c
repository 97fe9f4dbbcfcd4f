/* SPDX-License-Identifier: Apache-2.0 */
/* Families whose results can be told by hand: r is a power of two, everything else
 * dyadic. */
#include <math.h>

#include "verify/families.h"

/* Every element tells where it stands: periods are primes, so no stride or row length
 * divides them. Shows permuted, transposed or shifted elements, strides, and rows that
 * leak. The seed shifts the ramp. */
void lng_family_index_ramp(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t elements = problem->block_num * problem->block_size;
    const int64_t first = lng_draw_index(rng, 1000000);
    const int64_t period = problem->dtype == LNG_F16 ? 2039 : 1048573;
    const double unit = lng_sum_unit(problem);
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = (double)((first + j) % period) / 16;
        fill->dy[j] = unit * (double)(1 + (first + j) % 1021) / 512;
    }
    for (int64_t p = 0; p < problem->param_num; p++) {
        fill->gamma[p] = (double)(1 + (first + p) % 251) / 64;
    }
    lng_statistics(fill);
}

/* dy is 1 everywhere and d*r is 1 or -1, so db counts the rows and dg their signs. Shows
 * rows that are lost or come twice, and half accumulators, which stall at 2048. */
void lng_family_counting(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t elements = problem->block_num * problem->block_size;
    for (int64_t j = 0; j < elements; j++) {
        fill->x[j] = lng_draw_signed(rng, 1);
        fill->dy[j] = 1;
    }
    for (int64_t n = 0; n < problem->block_num; n++) {
        fill->var[n] = 1;
    }
    lng_ordinary_gamma(fill, rng);
}

/* Results are small multiples of a power of two, exact in any order of the sums, whatever
 * H: any rounding at all shows. In row n
 *
 *     d alternates, s and -s, with s = 1/r a power of two (0 where an odd row ends);
 *     g = m + v at s and m - v at -s, with whole v that add up to H over the row,
 *
 * so A = m*H, B = 2*s*H, C = 0, b = 2*r, a = m and dx = r*(v - 2) or its negative. */
void lng_family_dyadic(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size, P = problem->param_num;
    for (int64_t p = 0; p < P; p++) {
        fill->gamma[p] = lng_draw_signed(rng, exp2((double)lng_draw_index(rng, 3) - 1));
    }
    for (int64_t n = 0; n < problem->block_num; n++) {
        const double s = exp2((double)(n % 4) - 1), mean = (double)(n % 7) - 3;
        const double m = lng_draw_signed(rng, (double)(1 + lng_draw_index(rng, 3)));
        double *x = fill->x + n * H, *dy = fill->dy + n * H, left = (double)H;
        fill->mean[n] = mean;
        fill->var[n] = s * s;
        for (int64_t i = 0; i < H; i += 2) {
            const int64_t p = (n * H + i) % P;
            if (i + 1 == H) {
                x[i] = mean;
                dy[i] = m / fill->gamma[p];
                break;
            }
            const double v = i + 3 < H ? (double)(1 + lng_draw_index(rng, 3)) : left;
            left -= v;
            x[i] = mean + s;
            x[i + 1] = mean - s;
            dy[i] = (m + v) / fill->gamma[p];
            dy[i + 1] = (m - v) / fill->gamma[(p + 1) % P];
        }
    }
}

/* dx lies half way between two values of the type. Elements come in pairs with the same d
 * and with g and -g, so A = B = 0 and dx = r*g, where r is a power of two and g = 1.5*m
 * has one binary digit more than the type. Of four rows one has g of a few half units of
 * the smallest subnormal; and two end with one or two g so small that they only move
 * every other dx off its middle. Shows ties that go the wrong way and values that are
 * rounded twice. */
void lng_family_halfway(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size, P = problem->param_num;
    const int digits = lng_type_digits(problem->dtype);
    const double smallest = lng_type_min(problem->dtype);
    const double tiny = problem->dtype == LNG_F16 ? smallest : 0x1p-40;
    /* 3*m has digits + 1 digits: m is odd, and one of so many from least on */
    const int64_t least = ((INT64_C(1) << digits) / 3 + 1) | 1;
    const int64_t odds = ((INT64_C(1) << (digits + 1)) / 3 - least) / 2;
    for (int64_t p = 0; p < P; p++) {
        fill->gamma[p] = lng_draw_signed(rng, lng_draw_index(rng, 2) ? 1.5 : 0.75);
    }
    for (int64_t n = 0; n < problem->block_num; n++) {
        const int below = n % 4 == 2, off = n % 2 == 1 && H > 2;
        const double mean = (double)(n % 7) - 3;
        const int64_t last = off ? (H - 1) & ~INT64_C(1) : H & ~INT64_C(1);
        double *x = fill->x + n * H, *dy = fill->dy + n * H;
        fill->mean[n] = mean;
        fill->var[n] = below ? 1 : exp2(2 * ((double)(n % 5) - 2));
        for (int64_t i = 0; i < H; i++) {
            const int64_t p = (n * H + i) % P, partner = (p + P - 1) % P;
            if (i >= last) {
                x[i] = mean + 1;
                dy[i] = off ? lng_draw_signed(rng, tiny) : 0;
            } else if (i % 2 == 0) {
                const double m =
                    below
                        ? (double)(1 + 2 * lng_draw_index(rng, 32)) * smallest
                        : ldexp((double)(least + 2 * lng_draw_index(rng, odds)), -digits);
                x[i] =
                    mean + lng_draw_signed(rng, (double)(1 + lng_draw_index(rng, 8)) / 4);
                dy[i] = lng_draw_signed(rng, 1.5 * m / fill->gamma[p]);
            } else {
                x[i] = x[i - 1];
                dy[i] = -dy[i - 1] * fill->gamma[partner] / fill->gamma[p];
            }
        }
    }
}

/* dg and db lie half way between two values of the type, or just beside. Down a column
 * stand a value of the type in [1, 2), half of its last place, and 0 or something tiny;
 * then pairs of w and -w. d*r is 1 or -1, the same in both of a pair. Shows sums that are
 * rounded twice, to single and then to half, and small terms that vanish beside large
 * ones. */
void lng_family_halfway_sums(struct lng_fill *fill, void *rng)
{
    const lng_problem *problem = fill->problem;
    const int64_t H = problem->block_size, P = problem->param_num;
    const int64_t elements = problem->block_num * H;
    const int digits = lng_type_digits(problem->dtype);
    const double tiny = problem->dtype == LNG_F16 ? 0x1p-24 : 0x1p-50;
    for (int64_t n = 0; n < problem->block_num; n++) {
        fill->mean[n] = (double)(n % 7) - 3;
        fill->var[n] = exp2(2 * ((double)(n % 3) - 1));
    }
    for (int64_t j = 0; j < elements; j++) {
        const int64_t n = j / H, k = j / P;
        const int second = k > 3 && k % 2 == 0,
                  alone = k >= 3 && !second && j + P >= elements;
        double sign = lng_draw_signed(rng, 1);
        if (second) {
            sign = fill->x[j - P] > fill->mean[(j - P) / H] ? 1 : -1;
            fill->dy[j] = -fill->dy[j - P];
        } else if (k == 1) {
            fill->dy[j] = lng_draw_signed(rng, ldexp(1, -digits));
        } else if (k == 2) {
            fill->dy[j] = tiny * (double)(lng_draw_index(rng, 3) - 1);
        } else if (!alone) {
            const int64_t steps = (INT64_C(1) << (digits - 1)) - 2;
            fill->dy[j] = lng_draw_signed(
                rng, 1 + ldexp((double)(1 + lng_draw_index(rng, steps)), 1 - digits));
        }
        fill->x[j] = fill->mean[n] + sign * sqrt(fill->var[n]);
    }
    lng_ordinary_gamma(fill, rng);
}
