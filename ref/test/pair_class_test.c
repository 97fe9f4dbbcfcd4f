/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bound of class pair, against the oracle: a plain kernel on random problems whose
 * magnitudes lie anywhere, and on the worst that a climb finds from there; with and
 * without flush. Errors are taken before the last rounding, so that E alone has to cover
 * them.
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
#include "ref/measure.h"

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

enum { X, DY, MEAN, VAR, GAMMA, INPUTS };

struct problem {
    lng_problem p;
    int64_t length[INPUTS];
    double input[INPUTS][MOST_ROWS * MOST_COLUMNS];
    float tensor[INPUTS][MOST_ROWS * MOST_COLUMNS]; /* of either type */
};

static void pack(struct problem *q)
{
    for (int t = 0; t < INPUTS; t++)
        for (int64_t i = 0; i < q->length[t]; i++)
            lng_tensor_set(q->p.dtype, q->tensor[t], i, q->input[t][i]);
}

static void start(struct problem *q, lng_dtype dtype, int N, int H)
{
    q->p = (lng_problem){.dtype = dtype,
                         .param_num = H,
                         .param_size = N,
                         .block_num = N,
                         .block_size = H,
                         .x = q->tensor[X],
                         .dy = q->tensor[DY],
                         .mean = q->tensor[MEAN],
                         .var = q->tensor[VAR],
                         .gamma = q->tensor[GAMMA]};
    q->length[X] = q->length[DY] = N * H;
    q->length[MEAN] = q->length[VAR] = N;
    q->length[GAMMA] = H;
}

/* A magnitude about 2^centre whose significand rounds badly more often than not. */
static double magnitude(double centre, double width)
{
    static const uint64_t tails[] = {0, 1, 0x7fffff, 0x400000, 0x3fffff, 0x555555};
    const double significand =
        1 + (double)(below(2) ? random_bits() & 0x7fffff : tails[below(6)]) * 0x1p-23;
    const double v = ldexp(significand, (int)floor(centre + width * uniform(-0.5, 0.5)));
    return v;
}

static void fill(struct problem *q, int t, double centre, double width, int zeros)
{
    const int one_sign = below(3) == 0;
    for (int64_t i = 0; i < q->length[t]; i++) {
        const double v = magnitude(centre, width);
        q->input[t][i] = below(zeros) == 0 ? 0 : !one_sign && below(2) ? -v : v;
    }
}

/* Ordinary scale but for a power of two, or anywhere. */
static void draw(struct problem *q, lng_dtype dtype)
{
    const int N = 1 + below(below(4) ? 4 : MOST_ROWS);
    const int H = 1 + below(below(4) ? 40 : MOST_COLUMNS);
    const int wild = below(2);
    const double far = dtype == LNG_F16 ? 8 : wild ? 120 : 30;
    start(q, dtype, N, H);
    const double of_x = uniform(-far, far), width = uniform(0, wild ? 40 : 8);
    fill(q, X, of_x, below(2) ? 1 : width, 50);
    fill(q, MEAN, of_x + uniform(-30, 4), 2, 4);
    fill(q, VAR, 2 * of_x + uniform(-6, 6), 2, 20);
    fill(q, DY, uniform(-far, far), below(2) ? 1 : width, 10);
    fill(q, GAMMA, uniform(-far, far) / 3, below(2) ? 1 : width / 2, 20);
    for (int64_t n = 0; n < q->length[VAR]; n++)
        q->input[VAR][n] = fabs(q->input[VAR][n]);
    q->p.epsilon = below(2) ? 0x1p-40 : 0x1p-17;
    pack(q);
}

static double worst[LNG_OUTPUTS];
static long judged, pairs, rows;

/* The largest |got - exact|/E; the stored dx is judged as a kernel's would be. */
static double judge(const struct problem *q, enum which_rows which, int flush)
{
    static struct results got;
    static struct lng_truth truth[LNG_OUTPUTS][MOST_ROWS * MOST_COLUMNS];
    const double *const value[] = {got.dx, got.dg, got.db};
    pair_kernel(&q->p, which, flush, &got);
    pairs += got.pairs;
    rows += (long)q->p.block_num;
    lng_oracle(&q->p, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]);
    double most = 0;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        const double L =
            o == LNG_DX ? pair_kernel_depth_dx(&q->p) : pair_kernel_depth_params(&q->p);
        const double bound = lng_bound(LNG_PAIR, o, L);
        for (int64_t i = 0; i < lng_output_length(&q->p, o); i++) {
            const struct lng_truth *t = &truth[o][i];
            if (t->kind != LNG_FINITE || (o == LNG_DX && q->p.block_size == 1))
                continue;
            const double err = fabs((value[o][i] - t->hi) - t->lo);
            const double ratio = err == 0 ? 0 : err / (bound * t->S);
            judged++;
            most = !(ratio <= most) ? ratio : most;
            worst[o] = !(ratio <= worst[o]) ? ratio : worst[o];
            if (o == LNG_DX && which == IN_RANGE && got.in_range[i / q->p.block_size] &&
                !lng_measure(q->p.dtype, (double)got.stored[i], t, bound).right)
                fail_msg("dx[%d] stored as %a, exact %a", (int)i, (double)got.stored[i],
                         t->hi);
        }
    }
    return most;
}

static void tell(const char *what)
{
    print_message("%s: %ld elements, %ld of %ld rows in pairs, worst err/E dx %.3f "
                  "dg %.3f db %.3f\n",
                  what, judged, pairs, rows, worst[LNG_DX], worst[LNG_DG], worst[LNG_DB]);
    memset(worst, 0, sizeof worst);
    judged = pairs = rows = 0;
}

static int many = 1;

static void random_problems(void **unused)
{
    (void)unused;
    static struct problem q;
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        for (int i = 0; i < 500 * many; i++) {
            draw(&q, (lng_dtype)dtype);
            for (int flush = 0; flush <= 1; flush++)
                if (!(judge(&q, IN_RANGE, flush) <= 1))
                    fail_msg("problem %d, flush %d: err/E %g", i, flush,
                             judge(&q, IN_RANGE, flush));
        }
        tell(dtype == LNG_F32 ? "fp32" : "fp16");
    }
}

/* From random problems, the change of one input that makes the error larger is kept. */
static void climb(void **unused)
{
    (void)unused;
    static struct problem q, best;
    for (int i = 0; i < 10 * many; i++) {
        do {
            draw(&best, LNG_F32);
        } while (best.p.block_num * best.p.block_size > 100);
        double most = judge(&best, IN_RANGE, 1);
        for (int k = 0; k < 200; k++) {
            q = best;
            start(&q, LNG_F32, (int)best.p.block_num, (int)best.p.block_size);
            const int t = below(INPUTS), at = below((int)q.length[t]);
            double *v = &q.input[t][at];
            *v = below(4) ? *v * (1 + ldexp(uniform(-1, 1), -below(24)))
                          : q.input[t][below((int)q.length[t])];
            *v = t == VAR || below(6) ? *v : -*v;
            pack(&q);
            const double ratio = judge(&q, IN_RANGE, 1);
            if (!(ratio <= 1))
                fail_msg("climb %d: err/E %g", i, ratio);
            if (ratio > most) {
                most = ratio;
                start(&q, LNG_F32, (int)best.p.block_num, (int)best.p.block_size);
                best = q;
                start(&best, LNG_F32, (int)q.p.block_num, (int)q.p.block_size);
            }
        }
    }
    tell("climb");
}

int main(int argc, char **argv)
{
    many = argc > 1 ? atoi(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(climb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
