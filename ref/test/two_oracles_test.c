/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The oracle against the second one, which shares no code with it: kinds and correctly
 * rounded values agree on small problems without end, ties, zeros and subnormals among
 * them; and what lng_oracle promises of its three doubles is held against
 * lng_oracle_element.
 */
#include "ref/exact.h"
#include "small.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { X, DY, MEAN, VAR, GAMMA };

static long elements, ties, zeros;

static void assert_promised(const struct lng_truth *truth, const mpfr_t v, const mpfr_t S)
{
    mpfr_t error, allowed;
    mpfr_inits2(600, error, allowed, (mpfr_ptr)NULL);
    mpfr_sub_d(error, v, truth->hi, MPFR_RNDN);
    mpfr_sub_d(error, error, truth->lo, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_abs(allowed, v, MPFR_RNDN);
    mpfr_mul_2si(allowed, allowed, -104, MPFR_RNDN);
    mpfr_mul_2si(error, error, 150, MPFR_RNDN);
    mpfr_mul_2si(allowed, allowed, 150, MPFR_RNDN);
    mpfr_add(allowed, allowed, S, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(error, allowed));
    assert_true(fabs(truth->lo) <= 0x1p-53 * fabs(truth->hi));
    mpfr_sub_d(error, S, truth->S, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_mul_2si(error, error, 48, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(error, S));
    mpfr_clears(error, allowed, (mpfr_ptr)NULL);
}

/* Whether v lies half-way between two singles. */
static int is_single_tie(double rounded, const mpfr_t v)
{
    float toward = mpfr_cmp_d(v, rounded) > 0 ? INFINITY : -INFINITY;
    double middle = (rounded + (double)nextafterf((float)rounded, toward)) / 2;
    return mpfr_cmp_d(v, rounded) != 0 && mpfr_cmp_d(v, middle) == 0;
}

static void assert_agreement(const lng_problem *problem)
{
    struct lng_truth *truth[LNG_OUTPUTS];
    mpfr_t v, S;
    mpfr_inits2(500, v, S, (mpfr_ptr)NULL);
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        int64_t length = lng_output_length(problem, (enum lng_output)output);
        truth[output] = malloc((size_t)length * sizeof *truth[output]);
        assert_non_null(truth[output]);
    }
    assert_int_equal(lng_oracle(problem, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]), 0);
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        int64_t length = lng_output_length(problem, (enum lng_output)output);
        for (int64_t i = 0; i < length; i++) {
            double first, second = NAN;
            enum lng_kind kind = lng_exact(problem, (enum lng_output)output, i, &second);
            assert_int_equal(
                lng_oracle_round(problem, (enum lng_output)output, i, &first),
                LNG_ROUNDED);
            assert_int_equal(truth[output][i].kind, kind);
            assert_int_equal(
                lng_oracle_element(problem, (enum lng_output)output, i, v, S), kind);
            if (kind == LNG_FINITE) {
                if (first != second) {
                    fail_msg("%s[%d]: %a and %a", lng_output_name[output], (int)i, first,
                             second);
                }
                assert_promised(&truth[output][i], v, S);
                ties += problem->dtype == LNG_F32 && is_single_tie(first, v);
                zeros += first == 0 && mpfr_cmp_ui(S, 0) > 0;
            } else {
                assert_true(isnan(first));
            }
            elements++;
        }
        free(truth[output]);
    }
    mpfr_clears(v, S, (mpfr_ptr)NULL);
}

/* ---- Every midpoint of binary16 ------------------------------------------- */
/* dg of three rows of one element with r = 1/2, 1/2 and 2^-7: the first two give the
 * midpoint of k and k + 1, the third, of the smallest subnormals, is next to nothing on
 * either side of it. */
static void every_half_midpoint(void **state)
{
    (void)state;
    lng_problem problem = small_new(LNG_F16, 1, 3, 3, 1, 0);
    small_fill(&problem, VAR, (const double[]){4, 4, 16384});
    for (uint16_t k = 0; k < 0x7c00; k++) {
        uint16_t next = (uint16_t)(k + 1);
        double negative = k % 3 == 0 ? -1 : 1;
        small_set(&problem, X, 0, negative);
        small_set(&problem, X, 1, negative * (k == 0x7bff ? 2 : 1));
        small_set(&problem, DY, 0, lng_tensor_get(LNG_F16, &k, 0));
        small_set(&problem, DY, 1,
                  k == 0x7bff ? 32768 : lng_tensor_get(LNG_F16, &next, 0));
        small_set(&problem, DY, 2, 0x1p-24);
        for (int side = -1; side <= 1; side++) {
            double first, second;
            uint16_t expected = (uint16_t)(side == 0 ? k + k % 2 : side > 0 ? k + 1 : k);
            small_set(&problem, X, 2, negative * side * 0x1p-24);
            assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
            assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
            assert_true(first == negative * lng_tensor_get(LNG_F16, &expected, 0));
            assert_true(second == first);
        }
    }
    small_free(&problem);
}

/* ---- Small problems ------------------------------------------------------- */
/* Ordinary numbers; makers of ties, the ends of the types, and what is no number. */
static const double few[] = {0, 1, -1, 3, 0.5};
static const double more[] = {0,      1,       -1,   2,        -3,      0.75,      2049,
                              0x1p24, 0x1p-24, 1e-3, 0x1p-149, 60000.0, -INFINITY, NAN};
static const double vars[] = {1, 4, 2, 0, 8, -1, 9, 0x1p-20, 3, INFINITY, NAN, -0x1p-40};
static const double epsilons[] = {0, 0x1p-40, 1e-12, 1e-5, 0.5};

/* One element: every x, dy, mean and var, gamma and epsilon by turns. */
static void one_by_one(void **state)
{
    (void)state;
    const int64_t n = sizeof more / sizeof *more, v = sizeof vars / sizeof *vars;
    for (int64_t k = 0; k < n * n * n * v; k++) {
        lng_problem problem =
            small_new(k % 2 ? LNG_F16 : LNG_F32, 1, 1, 1, 1, epsilons[k % 5]);
        small_set(&problem, X, 0, more[k % n]);
        small_set(&problem, DY, 0, more[k / n % n]);
        small_set(&problem, MEAN, 0, more[k / n / n % n]);
        small_set(&problem, VAR, 0, vars[k / n / n / n]);
        small_set(&problem, GAMMA, 0, more[k * 7 / 3 % n]);
        assert_agreement(&problem);
        small_free(&problem);
    }
}

/* Two elements, every factoring: every x and dy of few; mean, var and gamma go through
 * their values beside them. */
static void two_elements(void **state)
{
    (void)state;
    const int64_t n = sizeof few / sizeof *few;
    int64_t P, N;
    for (int step = 0; small_factoring(2, step, &P, &N); step++) {
        for (int64_t k = 0; k < n * n * n * n; k++) {
            lng_problem problem =
                small_new(k % 2 ? LNG_F16 : LNG_F32, P, 2 / P, N, 2 / N, epsilons[k % 3]);
            int64_t digits = k, other = k;
            for (int64_t i = 0; i < 2; i++) {
                small_set(&problem, X, i, few[digits % n]);
                small_set(&problem, DY, i, few[digits / n % n]);
                digits /= n * n;
            }
            for (int64_t i = 0; i < N; i++, other /= 2) {
                small_set(&problem, MEAN, i, few[other % n]);
                small_set(&problem, VAR, i, vars[other / 3 % 9]);
            }
            for (int64_t i = 0; i < P; i++) {
                small_set(&problem, GAMMA, i, few[(k + 2 * i) % n]);
            }
            assert_agreement(&problem);
            small_free(&problem);
        }
    }
}

static double pick(uint64_t *seed, const double *values, size_t count)
{
    return values[small_below(seed, (int64_t)count)];
}

/* Three, four and six elements, every factoring, values of the lists by lot: one problem
 * in four of the longer list. */
static void few_elements(void **state)
{
    (void)state;
    static const int64_t counts[] = {3, 4, 6};
    uint64_t seed = 0x5eed;
    int64_t P, N;
    for (size_t c = 0; c < 3; c++) {
        int64_t T = counts[c];
        for (int step = 0; small_factoring(T, step, &P, &N); step++) {
            for (int k = 0; k < 240; k++) {
                int wide = k % 4 == 0;
                lng_problem problem = small_new(k % 3 ? LNG_F32 : LNG_F16, P, T / P, N,
                                                T / N, epsilons[k % 5]);
                for (int which = 0; which < SMALL_INPUTS; which++) {
                    for (int64_t i = 0; i < small_length(&problem, which); i++) {
                        double value = which == VAR ? pick(&seed, vars, wide ? 12 : 4)
                                       : wide       ? pick(&seed, more, 14)
                                                    : pick(&seed, few, 5);
                        small_set(&problem, which, i, value);
                    }
                }
                assert_agreement(&problem);
                small_free(&problem);
            }
        }
    }
}

/* ---- Random problems ------------------------------------------------------ */
/* Every bit of a finite value by lot, so that exponents are as far apart as can be. */
static double any_value(uint64_t *seed, lng_dtype dtype)
{
    uint32_t bits = (uint32_t)(small_uniform(seed) * 0x1p32);
    uint16_t bits16 = (uint16_t)bits;
    double value = dtype == LNG_F16 ? lng_tensor_get(dtype, &bits16, 0)
                                    : lng_tensor_get(dtype, &bits, 0);
    return isfinite(value) ? value : any_value(seed, dtype);
}

static void random_problems(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {
  /* param_num, block_num, block_size */
        {7,  3, 7 },
        {1,  5, 3 },
        {16, 1, 16},
        {6,  4, 3 },
        {3,  2, 12},
        {6,  5, 6 },
        {4,  6, 6 },
        {33, 2, 33}
    };
    uint64_t seed = 0xfeed;
    for (int k = 0; k < 240; k++) {
        const int64_t *shape = shapes[k % 8];
        int64_t T = shape[1] * shape[2];
        lng_dtype dtype = k / 8 % 2 ? LNG_F16 : LNG_F32;
        int wide = k / 16 % 2;
        lng_problem problem = small_new(dtype, shape[0], T / shape[0], shape[1], shape[2],
                                        k % 3 ? ldexp(1 + small_uniform(&seed), -k) : 0);
        for (int which = 0; which < SMALL_INPUTS; which++) {
            for (int64_t i = 0; i < small_length(&problem, which); i++) {
                double value =
                    wide ? any_value(&seed, dtype) : small_uniform(&seed) - 0.5;
                small_set(&problem, which, i, which == VAR ? fabs(value) : value);
            }
        }
        assert_agreement(&problem);
        small_free(&problem);
    }
}

/* ---- Ties by hand --------------------------------------------------------- */
/* What only exact arithmetic tells, each with its neighbour that is no tie. */
static void ties_by_hand(void **state)
{
    (void)state;
    double first, second;
    /* dg = (2^24 + 1)/3*3 between two singles, although r = 1/3 is no dyadic number */
    lng_problem problem = small_new(LNG_F32, 1, 2, 2, 1, 0);
    small_fill(&problem, X, (const double[]){3, 3});
    small_fill(&problem, DY, (const double[]){16777216, 1});
    small_fill(&problem, VAR, (const double[]){9, 9});
    assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
    assert_true(first == 16777216 && second == 16777216);
    small_set(&problem, DY, 1, 1.0000001);
    assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
    assert_true(first == 16777218 && second == 16777218);
    small_free(&problem);

    /* irrational parts that cancel, 1/sqrt(2) - 2/sqrt(8) and 1/sqrt(3) - 3/sqrt(27),
     * around the tie 1 + 2^-24 */
    problem = small_new(LNG_F32, 1, 6, 6, 1, 0);
    small_fill(&problem, X, (const double[]){1, 1, 1, 1, 1, 1});
    small_fill(&problem, DY, (const double[]){1, -2, 1, 1, -3, 0x1p-24});
    small_fill(&problem, VAR, (const double[]){2, 8, 1, 3, 27, 1});
    assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
    assert_true(first == 1 && second == 1);
    small_set(&problem, VAR, 4, 0x1.b00002p4);
    assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
    assert_true(first == 1 + 0x1p-23 && second == first);
    small_free(&problem);

    /* the rational part is that tie, and an irrational one of 2^-361.5 is left */
    problem = small_new(LNG_F32, 1, 3, 3, 1, 0);
    small_fill(&problem, X, (const double[]){1, 1, 0x1p-149});
    small_fill(&problem, DY, (const double[]){1, 0x1p-24, 0x1p-149});
    small_fill(&problem, VAR, (const double[]){1, 1, 0x1p127});
    assert_int_equal(lng_oracle_round(&problem, LNG_DG, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DG, 0, &second), LNG_FINITE);
    assert_true(first == 1 + 0x1p-23 && second == first);
    small_free(&problem);

    /* dx = r*(g - A/2) = (dy_0 - dy_1)/2/3 with d = 0: a tie at 1 + 2^-24; one above */
    problem = small_new(LNG_F32, 2, 1, 1, 2, 0);
    small_set(&problem, VAR, 0, 9);
    small_fill(&problem, DY, (const double[]){6, -0x1.8p-22});
    assert_int_equal(lng_oracle_round(&problem, LNG_DX, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DX, 0, &second), LNG_FINITE);
    assert_true(first == 1 && second == 1);
    small_set(&problem, DY, 1, -0x1.800002p-22);
    assert_int_equal(lng_oracle_round(&problem, LNG_DX, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DX, 0, &second), LNG_FINITE);
    assert_true(first == 1 + 0x1p-23 && second == first);
    small_free(&problem);

    /* db = Omega, half-way from the largest single to 2^128: infinite; below it not */
    problem = small_new(LNG_F32, 1, 2, 2, 1, 0);
    small_fill(&problem, DY, (const double[]){FLT_MAX, 0x1p103});
    assert_int_equal(lng_oracle_round(&problem, LNG_DB, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DB, 0, &second), LNG_FINITE);
    assert_true(first == INFINITY && second == INFINITY);
    small_set(&problem, DY, 1, 0x1.fffffep102);
    assert_int_equal(lng_oracle_round(&problem, LNG_DB, 0, &first), LNG_ROUNDED);
    assert_int_equal(lng_exact(&problem, LNG_DB, 0, &second), LNG_FINITE);
    assert_true(first == FLT_MAX && second == FLT_MAX);
    small_free(&problem);
}

static void counts(void **state)
{
    (void)state;
    printf("%ld elements, %ld ties, %ld zeros with S > 0\n", elements, ties, zeros);
    assert_true(elements > 150000 && ties > 100 && zeros > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_midpoint),
        cmocka_unit_test(ties_by_hand),
        cmocka_unit_test(one_by_one),
        cmocka_unit_test(two_elements),
        cmocka_unit_test(few_elements),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
