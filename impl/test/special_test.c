/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Special values, row by row of the contract's table, for every kernel and the kinds of
 * factoring;.
 */
#include "fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an element has to be: SAME is what it is without the special value. */
enum kind { SAME, IS_NAN, NOT_FINITE, ZERO };

static const double nan_ = NAN, inf = INFINITY;

/* usual, parameters longer than rows, shorter, neither divides the other, one row, one
 * parameter, one column. */
static const int64_t shapes[][4] = {
    {9,  4,  4, 9 },
    {18, 3,  6, 9 },
    {3,  12, 4, 9 },
    {6,  6,  4, 9 },
    {9,  1,  1, 9 },
    {1,  20, 4, 5 },
    {40, 3,  6, 20}
};

static int is(enum kind kind, lng_dtype dtype, const void *got, const void *plain,
              int64_t i)
{
    const double value = lng_get(dtype, got, i);
    switch (kind) {
    case SAME:
        return lng_same(dtype, got, i, plain, i);
    case IS_NAN:
        return isnan(value);
    case NOT_FINITE:
        return !isfinite(value);
    case ZERO:
        return value == 0;
    }
    return 0;
}

/* A value put into one input, and the kind it gives: to dx of its rows, and to dg and db
 * of its columns; all else is the same. Rows and columns are told by reaches. */
struct special {
    const char *what;
    enum lng_tensor tensor;
    double value;
    enum kind dx, dg, db;
};

/* Whether element j of dx, or parameter q, is in reach of element `at` of an input. */
static int reaches(const lng_problem *p, enum lng_tensor from, int64_t at, int64_t j)
{
    const int64_t H = p->block_size;
    switch (from) {
    case X:
    case DY:
        return j / H == at / H;
    case MEAN:
    case VAR:
        return j / H == at;
    default: /* gamma: the rows that use it */
        for (int64_t k = j / H * H; k < j / H * H + H; k++)
            if (k % p->param_num == at)
                return 1;
        return 0;
    }
}

static int reaches_parameter(const lng_problem *p, enum lng_tensor from, int64_t at,
                             int64_t q)
{
    if (from == GAMMA)
        return 0;
    if (from == X || from == DY)
        return at % p->param_num == q;
    for (int64_t k = at * p->block_size; k < (at + 1) * p->block_size; k++)
        if (k % p->param_num == q)
            return 1;
    return 0;
}

static void check_special(const struct special *s, const struct lng_kernel *kernel,
                          const int64_t sizes[4])
{
    struct lng_fixture plain = lng_setup(kernel->dtype, sizes, AT_END);
    struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
    plain.p.kernel = f.p.kernel = kernel->id;
    /* Ordinary values, so that nothing overflows by itself. */
    for (int t = X; t <= GAMMA; t++)
        for (int64_t i = 0; i < f.length[t]; i++)
            lng_put(kernel->dtype, plain.tensor[t], i,
                    t == VAR ? 0.25 + (double)(i % 3)
                             : (double)((i * 7 + t) % 11) / 4 - 1.125);
    lng_copy_inputs(&f, &plain);
    assert_int_equal(lng_layernormgrad(&plain.p), LNG_OK);
    for (int64_t at = 0; at < f.length[s->tensor]; at++) {
        lng_copy_inputs(&f, &plain);
        lng_forget(&f);
        lng_put(kernel->dtype, f.tensor[s->tensor], at, s->value);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int out = DX; out < TENSORS; out++)
            for (int64_t i = 0; i < f.length[out]; i++) {
                const int reached = out == DX ? reaches(&f.p, s->tensor, at, i)
                                              : reaches_parameter(&f.p, s->tensor, at, i);
                const enum kind kind = !reached    ? SAME
                                       : out == DX ? s->dx
                                       : out == DG ? s->dg
                                                   : s->db;
                lng_assert(is(kind, kernel->dtype, f.tensor[out], plain.tensor[out], i),
                           "%s, %s at %lld of %lld x %lld (%lld parameters): output %d "
                           "[%lld] is %a",
                           kernel->id, s->what, (long long)at, (long long)sizes[2],
                           (long long)sizes[3], (long long)sizes[0], out - DX,
                           (long long)i, lng_get(kernel->dtype, f.tensor[out], i));
            }
    }
    lng_teardown(&plain);
    lng_teardown(&f);
}

static void check_table(const struct lng_kernel *kernel)
{
    const struct special specials[] = {
        {"var NaN",        VAR,   nan_, IS_NAN,     IS_NAN,     SAME      },
        {"var -4",         VAR,   -4,   IS_NAN,     IS_NAN,     SAME      },
        {"var -infinity",  VAR,   -inf, IS_NAN,     IS_NAN,     SAME      },
        {"x NaN",          X,     nan_, IS_NAN,     NOT_FINITE, SAME      },
        {"x infinity",     X,     inf,  NOT_FINITE, NOT_FINITE, SAME      },
        {"x -infinity",    X,     -inf, NOT_FINITE, NOT_FINITE, SAME      },
        {"dy NaN",         DY,    nan_, IS_NAN,     NOT_FINITE, NOT_FINITE},
        {"dy infinity",    DY,    inf,  NOT_FINITE, NOT_FINITE, NOT_FINITE},
        {"dy -infinity",   DY,    -inf, NOT_FINITE, NOT_FINITE, NOT_FINITE},
        {"mean NaN",       MEAN,  nan_, IS_NAN,     NOT_FINITE, SAME      },
        {"mean infinity",  MEAN,  inf,  NOT_FINITE, NOT_FINITE, SAME      },
        {"gamma NaN",      GAMMA, nan_, NOT_FINITE, SAME,       SAME      },
        {"gamma infinity", GAMMA, inf,  NOT_FINITE, SAME,       SAME      },
    };
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            check_special(&specials[i], kernel, shapes[k]);
}

static void special_values(void **state)
{
    (void)state;
    lng_for_all_kernels(check_table);
}

/* var = -epsilon, and its neighbours: NaN up to 0, a finite number from there on. */
static void check_zero_variance(const struct lng_kernel *kernel)
{
    static const int64_t sizes[4] = {5, 1, 1, 5};
    struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
    f.p.kernel = kernel->id;
    for (int64_t j = 0; j < 5; j++) {
        lng_put(kernel->dtype, f.tensor[X], j, (double)j / 64);
        lng_put(kernel->dtype, f.tensor[DY], j, (double)(j * j) / 64);
        lng_put(kernel->dtype, f.tensor[GAMMA], j, 1);
    }
    lng_put(kernel->dtype, f.tensor[MEAN], 0, 0);
    static const struct {
        double epsilon, var;
        int finite;
    } cases[] = {
        {0,        0,            0},
        {0,        -0.0,         0},
        {0,        0x1p-24,      1},
        {0x1p-10,  -0x1p-10,     0},
        {0x1p-10,  -0x1.ffcp-11, 1},
        {0x1p-10,  -0x1.004p-10, 0},
        {0x1p-126, 0,            1},
        {0x1p127,  -1,           1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f.p.epsilon = cases[i].epsilon;
        lng_put(kernel->dtype, f.tensor[VAR], 0, cases[i].var);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int64_t j = 0; j < 5; j++) {
            const double dx = lng_get(kernel->dtype, f.tensor[DX], j);
            const double dg = lng_get(kernel->dtype, f.tensor[DG], j);
            lng_assert(isnan(dx) == !cases[i].finite && isnan(dg) == !cases[i].finite,
                       "%s, var %a, epsilon %a: dx %a, dg %a", kernel->id, cases[i].var,
                       cases[i].epsilon, dx, dg);
            assert_true(lng_get(kernel->dtype, f.tensor[DB], j) == (double)(j * j) / 64);
        }
    }
    lng_teardown(&f);
}

static void zero_variance(void **state)
{
    (void)state;
    lng_for_all_kernels(check_zero_variance);
}

/* var = +infinity: dx of the row 0, and dg as if its d were 0; but a special value in the
 * row comes first. */
static void check_infinite_variance(const struct lng_kernel *kernel)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct lng_fixture f = lng_setup(kernel->dtype, shapes[s], AT_END);
        struct lng_fixture flat = lng_setup(kernel->dtype, shapes[s], AT_END);
        f.p.kernel = flat.p.kernel = kernel->id;
        const int64_t H = f.p.block_size, n = f.p.block_num - 1;
        lng_put(kernel->dtype, f.tensor[VAR], n, inf);
        for (int64_t j = n * H; j < (n + 1) * H; j++)
            lng_put(kernel->dtype, flat.tensor[X], j,
                    lng_get(kernel->dtype, flat.tensor[MEAN], n));
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        assert_int_equal(lng_layernormgrad(&flat.p), LNG_OK);
        for (int64_t j = 0; j < f.length[DX]; j++)
            lng_assert(j / H == n
                           ? lng_get(kernel->dtype, f.tensor[DX], j) == 0
                           : lng_same(kernel->dtype, f.tensor[DX], j, flat.tensor[DX], j),
                       "%s: dx[%lld] is %a", kernel->id, (long long)j,
                       lng_get(kernel->dtype, f.tensor[DX], j));
        for (int64_t q = 0; q < f.length[DG]; q++)
            lng_assert(lng_get(kernel->dtype, f.tensor[DG], q) ==
                           lng_get(kernel->dtype, flat.tensor[DG], q),
                       "%s: dg[%lld]", kernel->id, (long long)q);
        /* Where wide values are pairs the row with infinity is summed apart. */
        if (kernel->accuracy == LNG_WIDE)
            lng_assert_same(&f, &flat, DB, kernel->id);
        for (int64_t q = 0; q < f.length[DB]; q++)
            lng_assert(fabs(lng_get(kernel->dtype, f.tensor[DB], q) -
                            lng_get(kernel->dtype, flat.tensor[DB], q)) <= 0x1p-30,
                       "%s: db[%lld]", kernel->id, (long long)q);

        lng_put(kernel->dtype, f.tensor[X], n * H, nan_);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int64_t j = n * H; j < (n + 1) * H; j++)
            assert_true(isnan(lng_get(kernel->dtype, f.tensor[DX], j)));
        lng_put(kernel->dtype, f.tensor[X], n * H, -inf);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int64_t j = n * H; j < (n + 1) * H; j++)
            assert_true(!isfinite(lng_get(kernel->dtype, f.tensor[DX], j)));
        lng_teardown(&f);
        lng_teardown(&flat);
    }
}

static void infinite_variance(void **state)
{
    (void)state;
    lng_for_all_kernels(check_infinite_variance);
}

/* One column: dx = 0 whatever x - mean is, and the table's other rows still apply. */
static void check_one_column(const struct lng_kernel *kernel)
{
    static const int64_t one[][4] = {
        {1,  30, 30, 1},
        {3,  10, 30, 1},
        {30, 1,  30, 1}
    };
    for (size_t s = 0; s < sizeof one / sizeof *one; s++) {
        struct lng_fixture f = lng_setup(kernel->dtype, one[s], AT_END);
        f.p.kernel = kernel->id;
        const struct {
            enum lng_tensor tensor;
            double value;
        } specials[] = {
            {X,    nan_},
            {X,    inf },
            {DY,   inf },
            {MEAN, nan_},
            {MEAN, -inf},
            {VAR,  -1  },
            {VAR,  nan_}
        };
        enum { SPECIALS = sizeof specials / sizeof *specials };
        for (int64_t i = 0; i < SPECIALS; i++)
            lng_put(kernel->dtype, f.tensor[specials[i].tensor], 2 * i + 1,
                    specials[i].value);
        lng_put(kernel->dtype, f.tensor[VAR], 20, inf);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int64_t n = 0; n < 30; n++) {
            const double dx = lng_get(kernel->dtype, f.tensor[DX], n);
            lng_assert(n % 2 == 1 && n < 2 * SPECIALS ? !isfinite(dx) : dx == 0,
                       "%s: dx[%lld] is %a", kernel->id, (long long)n, dx);
        }
        lng_teardown(&f);
    }
}

static void one_column(void **state)
{
    (void)state;
    lng_for_all_kernels(check_one_column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values),
        cmocka_unit_test(zero_variance),
        cmocka_unit_test(infinite_variance),
        cmocka_unit_test(one_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
