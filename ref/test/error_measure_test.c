/* SPDX-License-Identifier: Apache-2.0 */
/* The measure: its parts by hand, verdicts by hand, and what lng_measure decides in
 * double against lng_measure_exactly. */
#include "ref/measure.h"
#include "small.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { X, DY, MEAN, VAR, GAMMA };

static void units(void **state)
{
    (void)state;
    static const struct {
        lng_dtype dtype;
        double v, ulp;
    } known[] = {
        {LNG_F32, 0,                 0x1p-149},
        {LNG_F32, 0x1p-200,          0x1p-149},
        {LNG_F32, 0x1.8p-126,        0x1p-149},
        {LNG_F32, -0x1.fffffffp-126, 0x1p-149},
        {LNG_F32, 0x1p-125,          0x1p-148},
        {LNG_F32, 1,                 0x1p-23 },
        {LNG_F32, -0x1.fffffffffp-1, 0x1p-24 },
        {LNG_F32, 0x1p128,           0x1p105 },
        {LNG_F16, 0,                 0x1p-24 },
        {LNG_F16, 0x1p-14,           0x1p-24 },
        {LNG_F16, 0x1p-13,           0x1p-23 },
        {LNG_F16, 1,                 0x1p-10 },
        {LNG_F16, -65504,            32      },
        {LNG_F16, 65536,             64      },
        {LNG_F16, INFINITY,          INFINITY},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(lng_ulp(known[i].dtype, known[i].v) == known[i].ulp);
    }
    assert_true(lng_omega(LNG_F32) == (double)FLT_MAX + 0x1p103);
    assert_true(lng_omega(LNG_F16) == 65520);
}

static void bounds(void **state)
{
    (void)state;
    assert_true(lng_bound(LNG_WIDE, LNG_DX, 0) == 23 * 0x1p-53);
    assert_true(lng_bound(LNG_WIDE, LNG_DX, 100) == 223 * 0x1p-53);
    assert_true(lng_bound(LNG_WIDE, LNG_DG, 100) == 107 * 0x1p-53);
    assert_true(lng_bound(LNG_WIDE, LNG_DB, 100) == 100 * 0x1p-53);
    assert_true(lng_bound(LNG_PAIR, LNG_DX, 10) == 31 * 0x1p-46);
    assert_true(lng_bound(LNG_PAIR, LNG_DG, 10) == 15 * 0x1p-46);
    assert_true(lng_bound(LNG_SINGLE, LNG_DX, 115) == 0x1p-16 / (1 - 0x1p-16));
    assert_true(lng_bound(LNG_SINGLE, LNG_DG, 247) == 0x1p-16 / (1 - 0x1p-16));
    assert_true(lng_bound(LNG_SINGLE, LNG_DB, 0) == 0);
    assert_true(lng_bound(LNG_HALF, LNG_DG, 503) == 1.0 / 3);
    assert_true(lng_bound(LNG_HALF, LNG_DB, 1023) == 1023.0 / 1025);
    assert_true(lng_bound(LNG_HALF, LNG_DB, 1024) == INFINITY);
    assert_true(lng_bound(LNG_HALF, LNG_DX, 499) == INFINITY);
}

/* ---- Verdicts by hand ----------------------------------------------------- */
/* exact is hi + lo, and S and bound such that E = bound*S is a number by hand too. ratio
 * and ulps are held to 2^-40. Those that are on the limit are for lng_measure_exactly,
 * below. */
/* clang-format off */
static const struct {
    const char *says;
    lng_dtype dtype;
    double got;
    struct lng_truth truth;
    double bound;
    int right;
    double ratio, ulps;
} verdicts[] = {
    {"exact", LNG_F32, 1, {1, 0, 1, 0}, 0, 1, 0, 0},
    {"within half an ulp", LNG_F32, 1, {1 + 0x1p-25, 0, 1, 0}, 0, 1, 0.5, 0.25},
    {"beyond half an ulp", LNG_F32, 1, {1 + 0x1.8p-24, 0, 1, 0}, 0, 0, 1.5, 0.75},
    {"that E allows", LNG_F32, 1, {1 + 0x1.8p-24, 0, 2, 0}, 0x1p-25, 1, 0.75, 0.75},
    {"that lo decides", LNG_F32, 1, {1 + 0x1p-24, 0x1p-60, 1, 0}, 0, 0, 1 + 0x1p-36,
     0.5 + 0x1p-37},
    {"ulp of a power of two, from below", LNG_F32, 1, {1 - 0x1.8p-26, 0, 1, 0}, 0, 1,
     0.75, 0.375},
    {"E reaches the next binade", LNG_F32, 1 + 0x1p-23, {1 - 0x1p-30, 0, 1, 0},
     0x1.08p-24, 1, (1 + 0x1p-7) / (1 + 0x1p-6), 2 + 0x1p-6},
    {"subnormal", LNG_F32, 0, {0x1.8p-151, 0, 0x1p-149, 0}, 0, 1, 0.75, 0.375},
    {"subnormal, the wrong side", LNG_F32, 0x1p-149, {0x1.8p-151, 0, 0x1p-149, 0}, 0, 0,
     1.25, 0.625},
    {"half has its own", LNG_F16, 1, {1 + 0x1p-12, 0, 1, 0}, 0, 1, 0.5, 0.25},
    {"half, subnormal", LNG_F16, 0x1p-24, {0x1.8p-24, -0x1p-80, 1, 0}, 0, 1, 1, 0.5},
    {"nothing enters", LNG_F32, 0, {0, 0, 0, 0}, 1, 1, 0, 0},
    {"of either sign", LNG_F32, -0.0, {0, 0, 0, 0}, 1, 1, 0, 0},
    {"nothing enters, yet", LNG_F32, 0x1p-149, {0, 0, 0, 0}, 1, 0, 2, 1},
    {"nothing enters, vacuous", LNG_F32, 0x1p-149, {0, 0, 0, 0}, INFINITY, 0, 2, 1},
    {"vacuous", LNG_F32, 100, {1, 0, 1, 0}, INFINITY, 1, 0, 99 * 0x1p23},
    {"vacuous, infinite", LNG_F32, INFINITY, {1, 0, 1, 0}, INFINITY, 1, 0,
     0x1.ffffffp127 * 0x1p23},
    {"vacuous, NaN", LNG_F32, NAN, {1, 0, 1, 0}, INFINITY, 0, INFINITY, INFINITY},
    {"infinite", LNG_F32, INFINITY, {0x1p128, 0, 0x1p128, 0}, 0, 1, 0, 0},
    {"far beyond", LNG_F32, -INFINITY, {-0x1p300, 0, 0x1p300, 0}, 0x1p-50, 1, 0, 0},
    {"infinite of the other sign", LNG_F32, -INFINITY, {0x1p128, 0, 0x1p128, 0},
     0x1p-50, 0, INFINITY, INFINITY},
    {"finite, but infinite it is", LNG_F32, FLT_MAX, {0x1p128, 0, 0x1p128, 0}, 0x1p-30,
     0, INFINITY, INFINITY},
    {"finite, E allows", LNG_F32, FLT_MAX, {0x1p128, 0, 0x1p128, 0}, 0x1p-24, 1, 0.5,
     0.5},
    {"infinite, E allows half of it", LNG_F16, INFINITY, {65504, 0, 65504, 0},
     32.0 / 65504, 1, 0.5, 0.5},
    {"infinite, E does not allow", LNG_F16, INFINITY, {65504, 0, 65504, 0}, 8.0 / 65504,
     0, INFINITY, INFINITY},
    {"infinite below Omega", LNG_F16, INFINITY, {65519, 0, 65519, 0}, 0, 0, INFINITY,
     INFINITY},
    {"finite below Omega", LNG_F16, 65504, {65519, 0, 65519, 0}, 0, 1, 15.0 / 16,
     15.0 / 32},
    {"NaN for a number", LNG_F16, NAN, {1, 0, 1, 0}, 1, 0, INFINITY, INFINITY},
    {"NaN", LNG_F16, NAN, {1, 0, 1, LNG_NAN}, 0, 1, 0, 0},
    {"infinity for NaN", LNG_F16, INFINITY, {1, 0, 1, LNG_NAN}, 0, 0, INFINITY,
     INFINITY},
    {"number for NaN", LNG_F16, 1, {1, 0, 1, LNG_NAN}, 0, 0, INFINITY, INFINITY},
    {"NaN, not finite", LNG_F16, NAN, {1, 0, 1, LNG_NONFINITE}, 0, 1, 0, 0},
    {"infinity, not finite", LNG_F32, -INFINITY, {1, 0, 1, LNG_NONFINITE}, 0, 1, 0, 0},
    {"number for not finite", LNG_F32, FLT_MAX, {1, 0, 1, LNG_NONFINITE}, 0, 0,
     INFINITY, INFINITY},
};
/* clang-format on */

static int close_to(double value, double expected)
{
    return value == expected || fabs(value - expected) <= 0x1p-40 * expected;
}

static void verdicts_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        struct lng_error error = lng_measure(verdicts[i].dtype, verdicts[i].got,
                                             &verdicts[i].truth, verdicts[i].bound);
        if (error.right != verdicts[i].right ||
            !close_to(error.ratio, verdicts[i].ratio) ||
            !close_to(error.ulps, verdicts[i].ulps)) {
            fail_msg("%s: right %d, decided %d, ratio %.17g, ulps %.17g",
                     verdicts[i].says, error.right, error.decided, error.ratio,
                     error.ulps);
        }
    }
}

/* On the limit itself double does not decide, and the exact measure does: db of three
 * rows. */
/* clang-format off */
static const struct {
    const char *says;
    lng_dtype dtype;
    double dy[3], got, bound;
    int right;
} on_the_limit[] = {
    {"half an ulp", LNG_F32, {1, 0x1p-24, 0}, 1, 0, 1},
    {"half an ulp, not the even one", LNG_F32, {1, 0x1p-24, 0}, 1 + 0x1p-23, 0, 1},
    {"and a little", LNG_F32, {1, 0x1p-24, 0x1p-149}, 1, 0, 0},
    {"E and half an ulp", LNG_F16, {1.5, 0x1.8p-11, 0x1.8p-11 - 0.5}, 1, 0x1p-11, 1},
    {"E and half an ulp, and a little", LNG_F16, {1.5, 0x1.8p-11, 0x1.8p-11 - 0.5}, 1,
     0x1.ffffffffffff8p-12, 0},
    {"below a power of two", LNG_F32, {1, -0x1p-25, 0}, 1, 0, 1},
    {"Omega is infinite", LNG_F32, {FLT_MAX, 0x1p103, 0}, INFINITY, 0, 1},
    {"and not finite", LNG_F32, {FLT_MAX, 0x1p103, 0}, FLT_MAX, 0, 0},
    {"a little less is finite", LNG_F32, {FLT_MAX, 0x1p103, -0x1p-149}, FLT_MAX, 0, 1},
    {"and not infinite", LNG_F32, {FLT_MAX, 0x1p103, -0x1p-149}, INFINITY, 0, 0},
    {"minus Omega", LNG_F16, {-65504, -16, 0}, -INFINITY, 0, 1},
    {"Omega to within E", LNG_F16, {32768, 32752, -16}, INFINITY, 0x1p-12, 1},
    {"or not", LNG_F16, {32768, 32752, -16}, INFINITY, 0x1.ffffffffffff8p-13, 0},
};
/* clang-format on */

static void the_limit_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof on_the_limit / sizeof *on_the_limit; i++) {
        double bound = on_the_limit[i].bound, got = on_the_limit[i].got;
        lng_problem problem = small_new(on_the_limit[i].dtype, 1, 3, 3, 1, 0);
        struct lng_truth truth;
        small_fill(&problem, DY, on_the_limit[i].dy);
        assert_int_equal(lng_oracle(&problem, NULL, NULL, &truth), 0);
        struct lng_error fast = lng_measure(problem.dtype, got, &truth, bound);
        struct lng_error exact = lng_measure_exactly(&problem, LNG_DB, 0, got, bound);
        if (fast.decided || !exact.decided || exact.right != on_the_limit[i].right) {
            fail_msg("%s: decided %d, right %d", on_the_limit[i].says, fast.decided,
                     exact.right);
        }
        small_free(&problem);
    }
}

/* A kernel that is 0.7 ulp off: db = 1 + 0.3 ulp, and the value above it. */
static void planted_error(void **state)
{
    (void)state;
    lng_problem problem = small_new(LNG_F32, 1, 2, 2, 1, 0);
    small_fill(&problem, DY, (const double[]){1, 0.3 * 0x1p-23});
    struct lng_truth truth;
    assert_int_equal(lng_oracle(&problem, NULL, NULL, &truth), 0);
    double got = 1 + 0x1p-23, bound = lng_bound(LNG_WIDE, LNG_DB, 1);
    struct lng_error fast = lng_measure(LNG_F32, got, &truth, bound);
    struct lng_error exact = lng_measure_exactly(&problem, LNG_DB, 0, got, bound);
    assert_true(fabs(fast.ulps - 0.7) < 0.01 && fabs(exact.ulps - 0.7) < 0.01);
    assert_true(fast.decided && !fast.right && !exact.right);
    small_free(&problem);
}

/* ---- The two measures ----------------------------------------------------- */
/* k values further up in the order of the type; beyond the largest is infinity. */
static double step(lng_dtype dtype, double value, int64_t k)
{
    uint32_t bits = 0;
    int64_t top = dtype == LNG_F16 ? 0x7c00 : 0x7f800000;
    double away = fabs(value);
    lng_tensor_set(dtype, &bits, 0, away);
    int64_t place = (value < 0 ? -(int64_t)bits : (int64_t)bits) + k;
    place = place > top ? top : place < -top ? -top : place;
    bits = (uint32_t)(place < 0 ? -place : place);
    return (place < 0 ? -1 : 1) * lng_tensor_get(dtype, &bits, 0);
}

static double any_value(uint64_t *seed, lng_dtype dtype, int wide)
{
    int high = dtype == LNG_F16 ? 16 : 128, low = dtype == LNG_F16 ? -24 : -149;
    int exponent =
        wide ? low + (int)small_below(seed, high - low) : -(int)small_below(seed, 4);
    double value = ldexp(1 + small_uniform(seed), exponent);
    value = small_below(seed, 8) == 0 ? ldexp(1, exponent) : value;
    return small_below(seed, 2) ? -value : value;
}

static lng_problem any_problem(uint64_t *seed)
{
    lng_dtype dtype = small_below(seed, 2) ? LNG_F16 : LNG_F32;
    int64_t N = 1 + small_below(seed, 2), H = 1 + small_below(seed, 3);
    int wide = small_below(seed, 3) == 0;
    lng_problem problem = small_new(dtype, H, N, N, H, 0);
    for (int which = 0; which < SMALL_INPUTS; which++) {
        for (int64_t i = 0; i < small_length(&problem, which); i++) {
            double value = any_value(seed, dtype, wide);
            small_set(&problem, which, i, which == VAR ? fabs(value) : value);
        }
    }
    double one = ldexp(1, (int)small_below(seed, 16)), little = one;
    switch (small_below(seed, 8)) {
    case 0: /* near the largest value */
        one = step(dtype, INFINITY, -1 - small_below(seed, 2));
        little = lng_ulp(dtype, one) / 2;
        break;
    case 1: /* just below a power of two */
        little *= -lng_ulp(dtype, 1) * small_uniform(seed);
        break;
    default:
        return problem;
    }
    small_set(&problem, DY, 0, one);
    small_set(&problem, DY, H * (N - 1), little);
    return problem;
}

static long judged, undecided, close_calls;

/* close: the bound was chosen to make the verdict difficult. */
static void compare(const lng_problem *problem, enum lng_output output, int64_t i,
                    double got, const struct lng_truth *truth, double bound, int close)
{
    struct lng_error fast = lng_measure(problem->dtype, got, truth, bound);
    struct lng_error exact = lng_measure_exactly(problem, output, i, got, bound);
    judged++;
    close_calls += close;
    undecided += !close && !fast.decided;
    double size = fabs(truth->hi) + bound * truth->S; /* ratio jumps where the ulp does */
    int smooth = lng_ulp(problem->dtype, size * (1 - 0x1p-40)) ==
                 lng_ulp(problem->dtype, size * (1 + 0x1p-40));
    int same =
        fast.right == exact.right && (!smooth || close_to(fast.ratio, exact.ratio) ||
                                      fabs(fast.ratio - exact.ratio) <= 0x1p-40);
    if (fast.decided && !same) {
        fail_msg("%s[%d] got %a, exact %a %a, S %a, bound %a: %d %a, exactly %d %a",
                 lng_output_name[output], (int)i, got, truth->hi, truth->lo, truth->S,
                 bound, fast.right, fast.ratio, exact.right, exact.ratio);
    }
}

/* For a value got near the exact one: the bounds of the classes, and those that put the
 * limit, or Omega, on it or next to it. */
static void compare_bounds(const lng_problem *problem, enum lng_output output, int64_t i,
                           double got, const struct lng_truth *truth, uint64_t *seed)
{
    double exact = truth->hi, omega = lng_omega(problem->dtype);
    double err = isinf(got) ? omega - fabs(exact) : fabs((got - exact) - truth->lo);
    double E = isinf(got) ? err : err - lng_ulp(problem->dtype, fabs(exact) + err) / 2;
    compare(problem, output, i, got, truth, lng_bound(LNG_WIDE, output, 2), 0);
    compare(problem, output, i, got, truth, lng_bound(LNG_SINGLE, output, 2), 0);
    const double starts[] = {
        E,                                        /* of got being right */
        fabs(exact) - omega,                      /* of a finite value being right */
        ldexp(1, ilogb(exact) + 1) - fabs(exact), /* of the next binade's ulp */
    };
    for (size_t k = 0; k < 3 && truth->S > 0; k++) {
        double off =
            (small_below(seed, 2) ? 1 : -1) * ldexp(1, -(int)small_below(seed, 60));
        double bound = starts[k] / truth->S * (1 + off);
        if (starts[k] > 0 && isfinite(starts[k])) {
            compare(problem, output, i, got, truth, bound, fabs(off) < 0x1p-38 || k > 0);
        }
        if (k == 2) { /* a value between half the old ulp and half the new one */
            double far = starts[k] + 0.75 * lng_ulp(problem->dtype, exact);
            far = step(problem->dtype, exact - copysign(far, exact), 0);
            compare(problem, output, i, far, truth, bound, 1);
        }
    }
}

static void a_million(void **state)
{
    (void)state;
    uint64_t seed = 0x5eed;
    while (judged < 1000000) {
        lng_problem problem = any_problem(&seed);
        struct lng_truth truth[LNG_OUTPUTS][6];
        assert_int_equal(lng_oracle(&problem, truth[0], truth[1], truth[2]), 0);
        for (int output = 0; output < LNG_OUTPUTS; output++) {
            for (int64_t i = 0; i < lng_output_length(&problem, (enum lng_output)output);
                 i++) {
                const struct lng_truth *t = &truth[output][i];
                for (int k = -2; k <= 2; k++) {
                    compare_bounds(&problem, (enum lng_output)output, i,
                                   step(problem.dtype, t->hi, k), t, &seed);
                }
                compare_bounds(
                    &problem, (enum lng_output)output, i,
                    step(problem.dtype, t->hi, 1000 - small_below(&seed, 2000)), t,
                    &seed);
                compare(&problem, (enum lng_output)output, i, copysign(INFINITY, t->hi),
                        t, lng_bound(LNG_SINGLE, (enum lng_output)output, 2), 0);
            }
        }
        small_free(&problem);
    }
    printf("%ld verdicts, %ld of them close calls; %ld of the others undecided\n", judged,
           close_calls, undecided);
    /* neighbours of powers of two, of which there are many here, are half an ulp away */
    assert_true(undecided * 200 < judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),
        cmocka_unit_test(bounds),
        cmocka_unit_test(verdicts_by_hand),
        cmocka_unit_test(the_limit_itself),
        cmocka_unit_test(planted_error),
        cmocka_unit_test(a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
