/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The range in which rows are computed in pairs. Every condition of it has a problem just
 * inside that is right, flushed or not, and one outside that would be wrong: one that no
 * other condition keeps out.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair_kernel.h"

static struct pair_problem q;

struct example {
    const char *what;
    int fits;
    double x[2], mean, dy[2], gamma[2]; /* column j has value j mod 2 */
    double var, epsilon;
    lng_dtype dtype;
};

enum { N = MOST_ROWS, H = 6 };

static void make(const struct example *e)
{
    q.dtype = e->dtype;
    q.N = N;
    q.H = H;
    q.epsilon = e->epsilon;
    for (int j = 0; j < N * H; j++) {
        q.input[X][j] = e->x[j % 2];
        q.input[DY][j] = e->dy[j % 2];
        q.input[MEAN][j] = e->mean;
        q.input[VAR][j] = e->var;
        q.input[GAMMA][j] = e->gamma[j % 2];
    }
}

/* All rows in pairs: how wrong the worst of the three outputs is; above 1 it is wrong. */
static double all_in_pairs(int flush)
{
    const struct pair_results r = pair_kernel(&q, ALL_ROWS, flush);
    double most = r.right ? 0 : (double)INFINITY;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        most = fmax(most, r.worst[o]);
    return most;
}

/* Odd significands, so that a product has 48 bits. */
#define Q (1 + 0x1p-23)
#define R (1 + 0x1.555556p-2)

/* clang-format off */
static const struct example examples[] = {
    {"ordinary", 1, {3, R}, 2, {Q, R}, {R, Q}, 1, 0, LNG_F32},
    {"zeros", 1, {0, 0}, 0, {0, 0}, {0, 1}, 1, 0, LNG_F32},
    {"dy of 0", 1, {3, R}, 2, {0, 0}, {1, 1}, 1, 0, LNG_F32},

    {"dy*d, mean 0", 1, {0x1p-65 * Q, 0x1p-64 * R}, 0, {0x1p-65 * Q, -0x1p-65 * R}, {0x1p60, 0x1p60}, 1, 0, LNG_F32},
    {"dy*d, mean 0", 0, {0x1p-80 * Q, 0x1p-80 * R}, 0, {0x1p-80 * Q, -0x1p-80 * R}, {0x1p60, 0x1p60}, 1, 0, LNG_F32},
    {"an x that is flushed", 0, {1, 0x1p-130}, 0, {1, 1}, {1, 1}, 1, 0, LNG_F32},
    {"a small mean", 1, {1, 0x1p-130}, 0x1p-60, {0x1p-35, 0x1p-35}, {1, 1}, 1, 0, LNG_F32},
    {"a small mean", 0, {0x1p-89, 0x1p-127}, 0x1p-90 * Q, {0x1p-35, 0x1p-35}, {1, 1}, 0x1p-120, 0, LNG_F32},

    {"sum of dg", 1, {3, R}, 2, {0x1p62, 0x1p62}, {1, 1}, 1, 0, LNG_F32},
    {"sum of dg", 0, {3, R}, 2, {0x1p90, 0x1p90}, {0x1p-70, 0x1p-70}, 1, 0, LNG_F32},
    {"sum of dg over rows", 0, {3, R}, 2, {0x1p68, 0x1p68}, {0x1p-50, 0x1p-50}, 1, 0, LNG_F32},
    {"r*g", 1, {3, R}, 2, {0x1p20, 0x1p20}, {0x1p46, 0x1p47}, 1, 0, LNG_F32},
    {"r*g", 0, {3, R}, 2, {0x1p20, 0x1p20}, {0x1p60, 0x1p61}, 1, 0, LNG_F32},
    {"r*g, A = B = 0", 0, {2, 2}, 1, {0x1p20, -0x1p20}, {0x1p60, 0x1p60}, 1, 0, LNG_F32},
    {"d*rb, A = C = 0", 1, {0x1p20, -0x1p20}, 0, {0x1p20, -0x1p20}, {1, 1}, 1, 0, LNG_F32},
    {"d*rb, A = C = 0", 0, {0x1p30, -0x1p30}, 0, {0x1p20, -0x1p20}, {1, 1}, 1, 0, LNG_F32},
    {"sum of g*d", 1, {0x1p60, 0x1p60 * R}, 0, {0x1p20, 0x1p20}, {0x1p40, 0x1p41}, 0x1p100, 0, LNG_F32},
    {"sum of g*d", 0, {0x1p65, 0x1p65 * R}, 0, {0x1p20, 0x1p20}, {0x1p45, 0x1p46}, 0x1p100, 0, LNG_F32},

    {"small g", 1, {3, R}, 2, {Q, R}, {0x1p-70 * Q, 0x1p-70 * R}, 1, 0, LNG_F32},
    {"small g", 0, {3, R}, 2, {0x1p-60 * Q, 0x1p-60 * R}, {0x1p-60 * R, 0x1p-60 * Q}, 1, 0, LNG_F32},
    {"gamma that is flushed", 0, {3, R}, 2, {Q, R}, {0x1p-130, 0x1p-131}, 1, 0, LNG_F32},
    {"gamma that is flushed, large dy", 0, {3, R}, 2, {0x1p40, Q}, {0x1p-127, 0x1p-70}, 1, 0, LNG_F32},
    {"small g beside large d", 1, {1, 2}, 1, {0x1p-30 * Q, 0x1p-35 * Q}, {1, 0x1p-40 * R}, 0x1p-40, 0, LNG_F32},
    {"small g beside large d", 0, {1, 2}, 1, {0x1p-65 * Q, 0x1p-65 * Q}, {0x1p-5, 0x1p-40 * R}, 0x1p-40, 0, LNG_F32},
    {"small r", 1, {3, R}, 2, {0x1p-5 * Q, 0x1p-5 * R}, {Q, R}, 0x1p120, 0, LNG_F32},
    {"small r", 0, {3, R}, 2, {0x1p-35 * Q, 0x1p-35 * R}, {0x1p-35, 0x1p-35}, 0x1p120, 0, LNG_F32},

    {"halves", 1, {0x1p-24, 65504}, -65504, {0x1p-24, 65504}, {65504, 0x1p-24}, 0x1p-3, 0, LNG_F16},
    {"least halves", 1, {0x1p-24, 0}, 0, {0x1p-24, -0x1p-24}, {0x1p-24, 0x1p-23}, 65504, 0, LNG_F16},
    {"d*rb of halves", 0, {65504, 0}, -65504, {65504, 1}, {65504, 1}, 0, 0x1p-40, LNG_F16},
    {"r of halves", 1, {1, 1}, 1, {65504, 1}, {65504, 1}, 0, 0x1p-40, LNG_F16},
    {"r of halves", 0, {1, 1}, 1, {65504, 1}, {65504, 1}, 0, 0x1p-126, LNG_F16},
};
/* clang-format on */

static void each_limit(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        make(e);
        const double gradual = all_in_pairs(0), flushed = all_in_pairs(1);
        for (int flush = 0; flush <= 1; flush++) {
            const struct pair_results r = pair_kernel(&q, IN_RANGE, flush);
            if (r.pairs != (e->fits ? N : 0) || !r.right)
                fail_msg("%s: %d rows of %d in range, right %d", e->what, r.pairs, N,
                         r.right);
        }
        if (e->fits ? !(gradual <= 1 && flushed <= 1) : gradual <= 1 && flushed <= 1)
            fail_msg("%s in pairs: err/E %g, flushed %g", e->what, gradual, flushed);
    }
}

/* No special value in any input is in range. */
static void special_values(void **unused)
{
    (void)unused;
    static const double specials[] = {NAN, INFINITY, -INFINITY};
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++)
        for (size_t i = 0; i < 3; i++)
            for (enum input t = X; t < INPUTS; t++) {
                make(&examples[0]);
                q.dtype = (lng_dtype)dtype;
                assert_int_equal(pair_kernel(&q, IN_RANGE, 0).pairs, N);
                q.input[t][t == GAMMA ? 1 : 0] = specials[i];
                const int left = pair_kernel(&q, IN_RANGE, 0).pairs;
                assert_int_equal(left, t == GAMMA ? 0 : N - 1);
            }
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

/* Data as training has them stay in pairs, whatever the scale of dy. */
static void ordinary_data(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (double of_dy = 1e-12; of_dy < 2e4; of_dy *= 10)
        for (double of_x = 1e-3; of_x < 2e3; of_x *= 10) {
            q.dtype = LNG_F32;
            q.N = MOST_ROWS;
            q.H = MOST_COLUMNS;
            q.epsilon = 1e-12;
            for (int j = 0; j < q.N * q.H; j++) {
                q.input[X][j] = of_x * normal(&state);
                q.input[DY][j] = of_dy * normal(&state);
            }
            for (int n = 0; n < q.N; n++) {
                q.input[MEAN][n] = n == 0 ? 0 : of_x * 0.05 * normal(&state);
                q.input[VAR][n] = of_x * of_x;
            }
            for (int i = 0; i < q.H; i++)
                q.input[GAMMA][i] = 1 + 0.3 * normal(&state);
            const int pairs = pair_kernel(&q, IN_RANGE, 0).pairs;
            if (pairs != q.N)
                fail_msg("dy %g, x %g: %d of %d rows in range", of_dy, of_x, pairs, q.N);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit),
        cmocka_unit_test(special_values),
        cmocka_unit_test(ordinary_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
