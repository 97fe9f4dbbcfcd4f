/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bound of class pair, against the oracle: a plain kernel on random problems whose
 * magnitudes lie anywhere, and on the worst that a climb finds from there; with and
 * without flush. Errors are taken before the last rounding, so that E alone has to cover
 * them. An argument makes the search that many times as long.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair_kernel.h"

static uint64_t state = 1;

static uint64_t random_bits(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state ^ state >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 11;
}

static int below(int n)
{
    return (int)(random_bits() % (uint64_t)n);
}

static double uniform(double low, double high)
{
    return low + (high - low) * ((double)(random_bits() & 0xffffffff) * 0x1p-32);
}

/* About 2^centre; significands that round badly more often than others. */
static double magnitude(double centre, double width)
{
    static const uint64_t tails[] = {0, 1, 0x7fffff, 0x400000, 0x3fffff, 0x555555};
    const uint64_t tail = below(2) ? random_bits() & 0x7fffff : tails[below(6)];
    const double exponent = floor(centre + width * uniform(-0.5, 0.5));
    return ldexp(1 + (double)tail * 0x1p-23, (int)exponent);
}

static void fill(struct pair_problem *q, enum input t, double centre, double width,
                 int zeros)
{
    const int one_sign = t == VAR || below(3) == 0;
    for (int i = 0; i < pair_length(q, t); i++) {
        const double v = magnitude(centre, width);
        q->input[t][i] = below(zeros) == 0 ? 0 : !one_sign && below(2) ? -v : v;
    }
}

/* Of ordinary magnitudes but for a power of two a tensor, or wild. */
static void draw(struct pair_problem *q, lng_dtype dtype)
{
    const int wild = below(2);
    const double far = dtype == LNG_F16 ? 7 : wild ? 120 : 30;
    const double of_x = uniform(-far, far), of_dy = uniform(-far, far);
    const double of_gamma = uniform(-far, far) / 3, width = uniform(0, wild ? 40 : 8);
    q->dtype = dtype;
    q->N = 1 + below(below(4) ? 4 : MOST_ROWS);
    q->H = 1 + below(below(4) ? 40 : MOST_COLUMNS);
    q->epsilon = below(2) ? 0x1p-40 : 0x1p-17;
    fill(q, X, of_x, below(2) ? 1 : width, 50);
    fill(q, MEAN, of_x + uniform(-30, 4), 2, 4);
    fill(q, VAR, 2 * of_x + uniform(below(2) ? -30 : -6, 6), 2, 20);
    fill(q, DY, of_dy, below(2) ? 1 : width, 10);
    fill(q, GAMMA, of_gamma, below(2) ? 1 : width / 2, 20);
}

static double worst[LNG_OUTPUTS];
static long judged, pairs, rows;

static struct pair_results judge(const struct pair_problem *q, int flush)
{
    const struct pair_results r = pair_kernel(q, IN_RANGE, flush);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        if (!(r.worst[o] <= 1))
            fail_msg("%s, %d x %d, flush %d: err/E %g", lng_output_name[o], q->N, q->H,
                     flush, r.worst[o]);
        worst[o] = fmax(worst[o], r.worst[o]);
    }
    assert_true(r.right);
    pairs += r.pairs;
    rows += q->N;
    judged += r.judged;
    return r;
}

static void tell(const char *what)
{
    print_message("%s: %ld elements, %ld of %ld rows in pairs, worst err/E dx %.3f "
                  "dg %.3f db %.3f\n",
                  what, judged, pairs, rows, worst[LNG_DX], worst[LNG_DG], worst[LNG_DB]);
    assert_true(pairs > rows / 10);
    memset(worst, 0, sizeof worst);
    judged = pairs = rows = 0;
}

static int times = 1;

static void random_problems(void **unused)
{
    (void)unused;
    static struct pair_problem q;
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        for (int i = 0; i < 500 * times; i++) {
            draw(&q, (lng_dtype)dtype);
            judge(&q, 0);
            judge(&q, 1);
        }
        tell(dtype == LNG_F32 ? "fp32" : "fp16");
    }
}

/* From random problems, a change of one input is kept if it does not make the error of
 * one output smaller. */
static void climb(void **unused)
{
    (void)unused;
    static struct pair_problem q;
    for (int i = 0; i < 20 * times; i++) {
        const enum lng_output o = (enum lng_output)(i % LNG_OUTPUTS);
        do {
            draw(&q, LNG_F32);
        } while (q.N * q.H > 50);
        double most = judge(&q, 1).worst[o];
        for (int k = 0; k < 500; k++) {
            const enum input t = (enum input)below(INPUTS);
            const int n = pair_length(&q, t);
            double *v = &q.input[t][below(n)];
            const double old = *v;
            const double change = uniform(-1, 1);
            *v = below(4) ? old * (1 + ldexp(change, -below(24))) : q.input[t][below(n)];
            if (t != VAR && below(6) == 0)
                *v = -*v;
            const double now = judge(&q, 1).worst[o];
            if (now < most)
                *v = old;
            else
                most = now;
        }
    }
    tell("climb");
}

int main(int argc, char **argv)
{
    times = argc > 1 ? atoi(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(climb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
