/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems whose answers are worked out by hand, for every kernel: values, the ends of
 * the type's range, no rows, no gamma.
 */
#include "fixture.h"

#include <math.h>

/* One row of H columns, with as many parameters. */
struct row {
    const char *what;
    int64_t H;
    double epsilon, mean, var;
    double x[4], dy[4], gamma[4];
    double dx[4], dg[4], db[4];
};

static const struct row rows[] = {
    {.what = "r = 1, A = 1, B = -1, C = 0: dx = dy - 1/4 + d/4",
     .H = 4,
     .var = 1,
     .x = {-1, 1, -1, 1},
     .dy = {1, 0, 0, 0},
     .gamma = {1, 1, 1, 1},
     .dx = {0.5, 0, -0.5, 0},
     .dg = {-1, 0, 0, 0},
     .db = {1, 0, 0, 0}       },
    {.what = "A = 15, B = 5: dx = gamma - 15/4 - d*5/4",
     .H = 4,
     .var = 1,
     .x = {-1, 1, -1, 1},
     .dy = {1, 1, 1, 1},
     .gamma = {1, 2, 4, 8},
     .dx = {-1.5, -3, 1.5, 3},
     .dg = {-1, 1, -1, 1},
     .db = {1, 1, 1, 1}       },
    {.what = "r = 1/2: not var, not its root twice",
     .H = 4,
     .var = 4,
     .x = {-2, 2, -2, 2},
     .dy = {1, 0, 0, 0},
     .gamma = {1, 1, 1, 1},
     .dx = {0.25, 0, -0.25, 0},
     .dg = {-1, 0, 0, 0},
     .db = {1, 0, 0, 0}       },
    {.what = "the same with var + epsilon = 4 and a mean",
     .H = 4,
     .epsilon = 3,
     .mean = 10,
     .var = 1,
     .x = {8, 12, 8, 12},
     .dy = {1, 0, 0, 0},
     .gamma = {1, 1, 1, 1},
     .dx = {0.25, 0, -0.25, 0},
     .dg = {-1, 0, 0, 0},
     .db = {1, 0, 0, 0}},
    {.what = "a negative var that epsilon lifts to 1/4",
     .H = 2,
     .epsilon = 1,
     .var = -0.75,
     .x = {-0.5, 0.5},
     .dy = {1, 0},
     .gamma = {1, 1},
     .dx = {0, 0},
     .dg = {-1, 0},
     .db = {1, 0}},
    {.what = "gamma = 0 lets nothing through to dx",
     .H = 4,
     .var = 1,
     .x = {-1, 1, -1, 1},
     .dy = {1, 2, 3, 4},
     .dg = {-1, 2, -3, 4},
     .db = {1, 2, 3, 4}      },
    {.what = "one column: dx is 0 wherever the mean is; r = 1/2",
     .H = 1,
     .mean = 3,
     .var = 4,
     .x = {7},
     .dy = {5},
     .gamma = {2},
     .dg = {10},
     .db = {5}     },
};

static void put_all(lng_dtype dtype, void *tensor, const double *values, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        lng_put(dtype, tensor, i, values[i]);
}

/* Runs the fixture and compares. */
static void expect(struct lng_fixture *f, const struct lng_kernel *kernel,
                   const char *what, const double *dx, const double *dg, const double *db)
{
    const double *const right[] = {dx, dg, db};
    f->p.kernel = kernel->id;
    assert_int_equal(lng_layernormgrad(&f->p), LNG_OK);
    for (int t = DX; t < TENSORS; t++)
        for (int64_t i = 0; i < f->length[t]; i++) {
            const double got = lng_get(kernel->dtype, f->tensor[t], i);
            lng_assert(got == right[t - DX][i],
                       "%s, %s: output %d [%lld] is %a, expected %a", kernel->id, what,
                       t - DX, (long long)i, got, right[t - DX][i]);
        }
}

static void check_rows(const struct lng_kernel *kernel)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *h = &rows[i];
        const int64_t sizes[4] = {h->H, 1, 1, h->H};
        struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
        f.p.epsilon = h->epsilon;
        put_all(kernel->dtype, f.tensor[MEAN], &h->mean, 1);
        put_all(kernel->dtype, f.tensor[VAR], &h->var, 1);
        put_all(kernel->dtype, f.tensor[X], h->x, h->H);
        put_all(kernel->dtype, f.tensor[DY], h->dy, h->H);
        put_all(kernel->dtype, f.tensor[GAMMA], h->gamma, h->H);
        expect(&f, kernel, h->what, h->dx, h->dg, h->db);
        lng_teardown(&f);
    }
}

static void one_row(void **state)
{
    (void)state;
    lng_for_all_kernels(check_rows);
}

/* Three rows of two: x = 2, 4, mean = 1, so d = 1, 3 and C = 4, which no mean of x gives;
 * r = 1. Then dx = g0 + g1, -(g0 + g1); dy = 1 ... 6, and a parameter's terms are dy*1 at
 * even places and dy*3 at odd ones. */
static const struct {
    const char *what;
    int64_t param_num;
    double gamma[6], dx[6], dg[6], db[6];
} factorings[] = {
    {"usual",   2, {1, 2},             {5, -5, 11, -11, 17, -17}, {9, 36},      {9, 12}  },
    {"longer",
     6,            {1, 2, 4, 1, 2, 4},
     {5, -5, 16, -16, 34, -34},
     {1, 6, 3, 12, 5, 18},
     {1, 2, 3, 4, 5, 6}                                                                  },
    {"shorter", 1, {2},                {6, -6, 14, -14, 22, -22}, {45},         {21}     },
    {"mixed",   3, {1, 2, 4},          {5, -5, 16, -16, 34, -34}, {13, 11, 21}, {5, 7, 9}},
};

static void check_factorings(const struct lng_kernel *kernel)
{
    for (size_t i = 0; i < sizeof factorings / sizeof *factorings; i++) {
        const int64_t params = factorings[i].param_num;
        const int64_t sizes[4] = {params, 6 / params, 3, 2};
        struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
        f.p.epsilon = 0;
        for (int64_t j = 0; j < 6; j++) {
            lng_put(kernel->dtype, f.tensor[X], j, j % 2 ? 4 : 2);
            lng_put(kernel->dtype, f.tensor[DY], j, (double)(j + 1));
        }
        for (int64_t n = 0; n < 3; n++) {
            lng_put(kernel->dtype, f.tensor[MEAN], n, 1);
            lng_put(kernel->dtype, f.tensor[VAR], n, 1);
        }
        put_all(kernel->dtype, f.tensor[GAMMA], factorings[i].gamma, params);
        expect(&f, kernel, factorings[i].what, factorings[i].dx, factorings[i].dg,
               factorings[i].db);
        lng_teardown(&f);
    }
}

static void factorings_by_hand(void **state)
{
    (void)state;
    lng_for_all_kernels(check_factorings);
}

/* Overflow goes to infinity, of the right sign, and underflow is gradual. */
static void check_range(const struct lng_kernel *kernel)
{
    static const int64_t sizes[4] = {4, 1, 1, 4};
    struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
    f.p.kernel = kernel->id;
    f.p.epsilon = 0;
    const int is_half = kernel->dtype == LNG_F16;
    const double largest = is_half ? 65504 : 0x1.fffffep127,
                 least = is_half ? 0x1p-24 : 0x1p-149;
    for (int64_t j = 0; j < 4; j++) {
        lng_put(kernel->dtype, f.tensor[X], j, j % 2 ? 1 : -1);
        lng_put(kernel->dtype, f.tensor[GAMMA], j, 1);
        lng_put(kernel->dtype, f.tensor[DY], j, j < 2 ? largest : -largest);
    }
    /* d = -1, 1, -1, 1: A = B = C = 0 and dx = r*dy, with r = 2. */
    lng_put(kernel->dtype, f.tensor[MEAN], 0, 0);
    lng_put(kernel->dtype, f.tensor[VAR], 0, 0.25);
    assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
    for (int64_t j = 0; j < 4; j++) {
        assert_true(lng_get(kernel->dtype, f.tensor[DX], j) ==
                    (j < 2 ? (double)INFINITY : -(double)INFINITY));
        assert_true(lng_get(kernel->dtype, f.tensor[DG], j) ==
                    (j == 1 || j == 2 ? (double)INFINITY : -(double)INFINITY));
        assert_true(lng_get(kernel->dtype, f.tensor[DB], j) ==
                    (j < 2 ? largest : -largest));
    }
    /* A = 4, B = -4 least: dx = dy - 1 + d = 2, 0, -2, 0 least, with r = 1. */
    for (int64_t j = 0; j < 4; j++)
        lng_put(kernel->dtype, f.tensor[DY], j, j ? 0 : 4 * least);
    lng_put(kernel->dtype, f.tensor[VAR], 0, 1);
    assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
    for (int64_t j = 0; j < 4; j++)
        assert_true(lng_get(kernel->dtype, f.tensor[DX], j) ==
                    (double)((j == 0) - (j == 2)) * 2 * least);
    assert_true(lng_get(kernel->dtype, f.tensor[DG], 0) == -4 * least);
    assert_true(lng_get(kernel->dtype, f.tensor[DB], 0) == 4 * least);
    lng_teardown(&f);
}

static void range(void **state)
{
    (void)state;
    lng_for_all_kernels(check_range);
}

/* No rows: dg and db are 0, dx is not there; neither are x, dy, mean and var. */
static void check_no_rows(const struct lng_kernel *kernel)
{
    static const int64_t lengths[][2] = {
        {1,     1  },
        {7,     3  },
        {12,    5  },
        {10000, 10 },
        {8,     100}
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int workers = 0; workers <= 3; workers++) {
            const int64_t sizes[4] = {lengths[i][0], 0, 0, lengths[i][1]};
            struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
            f.p.kernel = kernel->id;
            f.p.workers = workers;
            f.p.x = f.p.dy = f.p.mean = f.p.var = NULL;
            f.p.dx = workers % 2 ? NULL : f.p.dx;
            f.p.gamma = workers == 2 ? NULL : f.p.gamma;
            assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
            for (int out = DG; out <= DB; out++)
                for (int64_t q = 0; q < f.length[out]; q++)
                    lng_assert(lng_get(kernel->dtype, f.tensor[out], q) == 0,
                               "%s: output %d [%lld]", kernel->id, out - DX,
                               (long long)q);
            lng_teardown(&f);
        }
}

static void no_rows(void **state)
{
    (void)state;
    lng_for_all_kernels(check_no_rows);
}

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

/* gamma = NULL is gamma = 1. */
static void check_no_gamma(const struct lng_kernel *kernel)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct lng_fixture f = lng_setup(kernel->dtype, shapes[s], AT_END);
        struct lng_fixture ones = lng_setup(kernel->dtype, shapes[s], AT_END);
        f.p.kernel = ones.p.kernel = kernel->id;
        f.p.gamma = NULL;
        for (int64_t q = 0; q < ones.length[GAMMA]; q++)
            lng_put(kernel->dtype, ones.tensor[GAMMA], q, 1);
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        assert_int_equal(lng_layernormgrad(&ones.p), LNG_OK);
        for (int out = DX; out < TENSORS; out++)
            lng_assert_same(&f, &ones, out, kernel->id);
        lng_teardown(&f);
        lng_teardown(&ones);
    }
}

static void no_gamma(void **state)
{
    (void)state;
    lng_for_all_kernels(check_no_gamma);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row),  cmocka_unit_test(factorings_by_hand),
        cmocka_unit_test(range),    cmocka_unit_test(no_rows),
        cmocka_unit_test(no_gamma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
