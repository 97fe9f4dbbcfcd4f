/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of special values, row by row, in both oracles. Four rows of two over four
 * parameters, so that a row reaches half of them:
 *
 *     dx   0 1 | 2 3 | 4 5 | 6 7        dg, db   rows 0 and 2: 0 1, rows 1 and 3: 2 3
 *
 * A letter an element: f finite, 0 exactly zero (S too), n NaN, i not finite.
 */
#include "ref/exact.h"
#include "small.h"

#include <math.h>
#include <string.h>

enum { X, DY, MEAN, VAR, GAMMA };

struct change {
    int which;
    int64_t i;
    double value;
};

/* clang-format off */
static const struct {
    const char *says;
    struct change changes[3]; /* ended by value 0 */
    const char *expected[LNG_OUTPUTS];
} cases[] = {
    {"nothing special", {{0}}, {"ffffffff", "ffff", "ffff"}},
    {"var + epsilon = 0", {{VAR, 1, -0.25}}, {"ffnnffff", "ffnn", "ffff"}},
    {"var + epsilon < 0", {{VAR, 1, -0.5}}, {"ffnnffff", "ffnn", "ffff"}},
    {"var + epsilon > 0 with var < 0", {{VAR, 1, -0.125}}, {"ffffffff", "ffff", "ffff"}},
    {"var NaN", {{VAR, 2, NAN}}, {"ffffnnff", "nnff", "ffff"}},
    {"var -infinity", {{VAR, 2, -INFINITY}}, {"ffffnnff", "nnff", "ffff"}},
    {"var +infinity", {{VAR, 2, INFINITY}}, {"ffff00ff", "ffff", "ffff"}},
    {"no part in dg", {{VAR, 2, INFINITY}, {VAR, 0, INFINITY}},
     {"00ff00ff", "00ff", "ffff"}},
    {"x NaN", {{X, 4, NAN}}, {"ffffnnff", "ifff", "ffff"}},
    {"x infinite", {{X, 5, -INFINITY}}, {"ffffiiff", "fiff", "ffff"}},
    {"dy NaN", {{DY, 7, NAN}}, {"ffffffnn", "fffi", "fffi"}},
    {"dy infinite", {{DY, 6, INFINITY}}, {"ffffffii", "ffif", "ffif"}},
    {"mean NaN", {{MEAN, 0, NAN}}, {"nnffffff", "iiff", "ffff"}},
    {"mean infinite", {{MEAN, 3, INFINITY}}, {"ffffffii", "ffii", "ffff"}},
    {"gamma NaN", {{GAMMA, 1, NAN}}, {"iiffiiff", "ffff", "ffff"}},
    {"gamma infinite", {{GAMMA, 2, INFINITY}}, {"ffiiffii", "ffff", "ffff"}},
    {"NaN beside infinity", {{X, 4, INFINITY}, {DY, 5, NAN}},
     {"ffffnnff", "iiff", "fiff"}},
    {"gamma NaN beside x infinite", {{X, 4, INFINITY}, {GAMMA, 1, NAN}},
     {"iiffiiff", "ifff", "ffff"}},
    {"var wins over x", {{VAR, 0, -1}, {X, 0, INFINITY}}, {"nnffffff", "nnff", "ffff"}},
    {"var wins over dy, not in db", {{VAR, 0, NAN}, {DY, 1, INFINITY}},
     {"nnffffff", "nnff", "fiff"}},
    {"var of one row, x of another", {{VAR, 0, NAN}, {X, 5, NAN}},
     {"nnffnnff", "nnff", "ffff"}},
    {"x wins over var +infinity", {{VAR, 0, INFINITY}, {X, 0, INFINITY}},
     {"iiffffff", "ifff", "ffff"}},
    {"gamma wins over var +infinity", {{VAR, 0, INFINITY}, {GAMMA, 0, INFINITY}},
     {"iiffiiff", "ffff", "ffff"}},
};
/* clang-format on */

/* The same for rows of one element: var, x and gamma win over the exact zero. */
/* clang-format off */
static const struct {
    const char *says;
    struct change changes[2];
    const char *expected[LNG_OUTPUTS];
} one_element[] = {
    {"dx is 0", {{0}}, {"000", "f", "f"}},
    {"var + epsilon < 0", {{VAR, 1, -1}}, {"0n0", "n", "f"}},
    {"var +infinity", {{VAR, 1, INFINITY}}, {"000", "f", "f"}},
    {"x NaN", {{X, 0, NAN}}, {"n00", "i", "f"}},
    {"dy infinite", {{DY, 2, INFINITY}}, {"00i", "i", "i"}},
    {"gamma infinite", {{GAMMA, 0, INFINITY}}, {"iii", "f", "f"}},
};
/* clang-format on */

static void expect(const lng_problem *problem, const char *says,
                   const char *const expected[])
{
    struct lng_truth truth[LNG_OUTPUTS][8];
    assert_int_equal(lng_oracle(problem, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]), 0);
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        int64_t length = lng_output_length(problem, (enum lng_output)output);
        assert_int_equal(strlen(expected[output]), length);
        for (int64_t i = 0; i < length; i++) {
            char letter = expected[output][i];
            enum lng_kind kind = letter == 'n'   ? LNG_NAN
                                 : letter == 'i' ? LNG_NONFINITE
                                                 : LNG_FINITE;
            const struct lng_truth *t = &truth[output][i];
            double exactly = 1, rounded = 1;
            enum lng_kind second =
                lng_exact(problem, (enum lng_output)output, i, &exactly);
            mpfr_t v, S;
            mpfr_inits2(100, v, S, (mpfr_ptr)NULL);
            enum lng_kind one =
                lng_oracle_element(problem, (enum lng_output)output, i, v, S);
            assert_int_equal(
                lng_oracle_round(problem, (enum lng_output)output, i, &rounded),
                LNG_ROUNDED);
            int right = t->kind == (int)kind && second == kind && one == kind;
            if (kind == LNG_FINITE) {
                right &= isfinite(t->hi) && isfinite(rounded) && isfinite(exactly);
            } else {
                right &= isnan(rounded);
            }
            if (letter == '0') {
                right &=
                    t->hi == 0 && t->lo == 0 && t->S == 0 && rounded == 0 && exactly == 0;
                right &= mpfr_zero_p(v) && mpfr_zero_p(S);
            }
            mpfr_clears(v, S, (mpfr_ptr)NULL);
            if (!right) {
                fail_msg("%s: %s[%d] is not %c", says, lng_output_name[output], (int)i,
                         letter);
            }
        }
    }
}

static void change(lng_problem *problem, const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count && changes[i].value != 0; i++) {
        small_set(problem, changes[i].which, changes[i].i, changes[i].value);
    }
}

static void rows_of_two(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lng_problem problem = small_new(i % 2 ? LNG_F16 : LNG_F32, 4, 2, 4, 2, 0.25);
        small_fill(&problem, X, (const double[]){1, 2, 3, 5, 8, 13, 21, 34});
        small_fill(&problem, DY, (const double[]){1, -1, 2, -2, 3, -3, 4, -5});
        small_fill(&problem, MEAN, (const double[]){1, 4, 10, 27});
        small_fill(&problem, GAMMA, (const double[]){1, 2, 3, 4});
        change(&problem, cases[i].changes, 3);
        expect(&problem, cases[i].says, cases[i].expected);
        small_free(&problem);
    }
}

static void rows_of_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof one_element / sizeof *one_element; i++) {
        lng_problem problem = small_new(LNG_F32, 1, 3, 3, 1, 0);
        small_fill(&problem, X, (const double[]){1.1, 2.7, -3.3});
        small_fill(&problem, DY, (const double[]){0.7, -1.3, 2.9});
        small_fill(&problem, MEAN, (const double[]){0.9, 2.2, -3.1});
        change(&problem, one_element[i].changes, 2);
        expect(&problem, one_element[i].says, one_element[i].expected);
        small_free(&problem);
    }
}

static void no_rows(void **state)
{
    (void)state;
    lng_problem problem = {.param_num = 3, .block_size = 5};
    expect(&problem, "no rows", (const char *const[]){"", "000", "000"});
}

static void no_gamma(void **state)
{
    (void)state;
    lng_problem problem = small_new(LNG_F32, 2, 1, 1, 2, 0);
    small_fill(&problem, X, (const double[]){-1, 2});
    small_fill(&problem, DY, (const double[]){3, -4});
    lng_problem without = problem;
    without.gamma = NULL;
    for (int64_t i = 0; i < 2; i++) {
        double with_ones, rounded;
        assert_int_equal(lng_exact(&without, LNG_DX, i, &rounded), LNG_FINITE);
        assert_int_equal(lng_oracle_round(&problem, LNG_DX, i, &with_ones), LNG_ROUNDED);
        assert_true(rounded == with_ones && rounded != 0);
        assert_int_equal(lng_oracle_round(&without, LNG_DX, i, &rounded), LNG_ROUNDED);
        assert_true(rounded == with_ones);
    }
    small_free(&problem);
}

/* S by hand: g = {1, 2}, d = {-1, 1}, r = 1, so sum |g| = sum |g*d| = 3, sum |d| = 2, and
 * S(dx) = |g| + 3/2 + |d|*3/2 + 3*2/4. */
static void magnitudes(void **state)
{
    (void)state;
    static const float x[] = {1, 3}, dy[] = {1, 1}, gamma[] = {1, 2}, mean = 2, var = 1;
    static const double right[LNG_OUTPUTS][2] = {
        {5.5, 6.5},
        {1,   1  },
        {1,   1  }
    };
    const lng_problem problem = {.param_num = 2,
                                 .param_size = 1,
                                 .block_num = 1,
                                 .block_size = 2,
                                 .x = x,
                                 .dy = dy,
                                 .mean = &mean,
                                 .var = &var,
                                 .gamma = gamma};
    struct lng_truth truth[LNG_OUTPUTS][2];
    mpfr_t v, S;
    mpfr_inits2(200, v, S, (mpfr_ptr)NULL);
    assert_int_equal(lng_oracle(&problem, truth[0], truth[1], truth[2]), 0);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        for (int64_t i = 0; i < 2; i++) {
            assert_true(truth[o][i].S == right[o][i]);
            lng_oracle_element(&problem, o, i, v, S);
            assert_true(mpfr_cmp_d(S, right[o][i]) == 0);
        }
    mpfr_clears(v, S, (mpfr_ptr)NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(magnitudes),  cmocka_unit_test(rows_of_two),
        cmocka_unit_test(rows_of_one), cmocka_unit_test(no_rows),
        cmocka_unit_test(no_gamma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
