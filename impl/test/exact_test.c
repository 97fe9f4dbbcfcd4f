/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems in which nothing rounds before the outputs do: small integers, rows of a power
 * of two, var a power of four. The formula as it stands at the head of layernormgrad.h,
 * in any order, is then the exact gradient; and every element has to be its rounding.
 */
#include "fixture.h"

#include <stdlib.h>

static void put_integers(struct lng_fixture *f)
{
    const lng_dtype dtype = f->p.dtype;
    uint64_t seed = (uint64_t)f->p.param_num;
    for (int t = X; t <= GAMMA; t++)
        for (int64_t i = 0; i < f->length[t]; i++)
            lng_put(dtype, f->tensor[t], i, (double)(lng_random(&seed) % 15) - 7);
    static const double fourth_powers[] = {1, 4, 0.25};
    for (int64_t n = 0; n < f->p.block_num; n++)
        lng_put(dtype, f->tensor[VAR], n, fourth_powers[n % 3]);
    f->p.epsilon = 0;
}

static void exact_gradient(const struct lng_fixture *f, double *dx, double *dg,
                           double *db)
{
    static const double roots[] = {1, 0.5, 2};
    const int64_t params = f->p.param_num, H = f->p.block_size;
    const lng_dtype dtype = f->p.dtype;
    for (int64_t n = 0; n < f->p.block_num; n++) {
        const double r = roots[n % 3], mean = lng_get(dtype, f->tensor[MEAN], n);
        double A = 0, B = 0, C = 0;
        for (int64_t j = n * H; j < (n + 1) * H; j++) {
            const double dy = lng_get(dtype, f->tensor[DY], j);
            const double d = lng_get(dtype, f->tensor[X], j) - mean;
            const double g = dy * lng_get(dtype, f->tensor[GAMMA], j % params);
            A += g;
            B += g * d;
            C += d;
            dg[j % params] += dy * d * r;
            db[j % params] += dy;
        }
        const double size = (double)H;
        const double b = r * r * B / size, a = A / size - r * r * B * C / (size * size);
        for (int64_t j = n * H; j < (n + 1) * H; j++) {
            const double d = lng_get(dtype, f->tensor[X], j) - mean;
            const double g = lng_get(dtype, f->tensor[DY], j) *
                             lng_get(dtype, f->tensor[GAMMA], j % params);
            dx[j] = H == 1 ? 0 : r * (g - a - d * b);
        }
    }
}

static void check_shape(const struct lng_kernel *kernel, int64_t param_num,
                        int64_t block_num, int64_t block_size)
{
    const int64_t elements = block_num * block_size;
    const int64_t sizes[4] = {param_num, elements / param_num, block_num, block_size};
    struct lng_fixture f = lng_setup(kernel->dtype, sizes, AT_END);
    put_integers(&f);
    double *right[] = {calloc((size_t)elements, sizeof(double)),
                       calloc((size_t)param_num, sizeof(double)),
                       calloc((size_t)param_num, sizeof(double))};
    exact_gradient(&f, right[0], right[1], right[2]);
    f.p.kernel = kernel->id;
    f.p.workers = 2;
    assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
    for (int t = DX; t < TENSORS; t++) {
        for (int64_t i = 0; i < f.length[t]; i++) {
            const double got = lng_get(kernel->dtype, f.tensor[t], i);
            const double rounded = lng_round(kernel->dtype, right[t - DX][i]);
            lng_assert(
                got == rounded,
                "%s, %lld x %lld, %lld parameters: output %d [%lld] is %a, expected %a",
                kernel->id, (long long)block_num, (long long)block_size,
                (long long)param_num, t - DX, (long long)i, got, rounded);
        }
        free(right[t - DX]);
    }
    lng_teardown(&f);
}

/* Every factoring of small shapes. */
static void check_small(const struct lng_kernel *kernel)
{
    for (int64_t H = 1; H <= 64; H *= 2)
        for (int64_t N = 1; N <= 9; N++)
            for (int64_t params = 1; params <= N * H; params++)
                if (N * H % params == 0)
                    check_shape(kernel, params, N, H);
}

/* Many strips and blocks. */
static void check_large(const struct lng_kernel *kernel)
{
    check_shape(kernel, 64, 3001, 64);
    check_shape(kernel, 8192, 13, 8192);
    check_shape(kernel, 1024 * 21, 63, 1024);
    check_shape(kernel, 3, 12000, 8);
    check_shape(kernel, 100, 5000, 16);
    check_shape(kernel, 1, 40000, 1);
}

static void small_shapes(void **state)
{
    (void)state;
    lng_for_all_kernels(check_small);
}

static void large_shapes(void **state)
{
    (void)state;
    lng_for_all_kernels(check_large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_shapes),
        cmocka_unit_test(large_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
