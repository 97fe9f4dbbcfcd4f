/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a problem that claims are checked with. */
#include <math.h>

#include "family_view.h"

struct view v;

const int64_t shapes[SHAPES][4] = {
    {1,  1,   1,   1 },
    {1,  6,   6,   1 },
    {5,  1,   1,   5 },
    {2,  3,   3,   2 },
    {3,  12,  12,  3 },
    {33, 24,  24,  33},
    {9,  130, 130, 9 },
    {16, 16,  16,  16},
    {8,  3,   6,   4 },
    {64, 4,   32,  8 },
    {4,  24,  12,  8 },
    {1,  60,  12,  5 },
    {60, 1,   12,  5 },
    {6,  2,   3,   4 },
    {10, 27,  18,  15},
    {5,  0,   0,   5 },
    {3,  0,   0,   7 },
};

void unload(void)
{
    lng_data_free(v.data);
    v.data = NULL;
}

void load(const char *family, int shape, lng_dtype dtype, uint64_t seed)
{
    struct lng_spec spec = {dtype,
                            shapes[shape][0],
                            shapes[shape][1],
                            shapes[shape][2],
                            shapes[shape][3],
                            0,
                            lng_family_find(family),
                            seed};
    assert_non_null(spec.family);
    spec.epsilon = spec.family->epsilon;
    unload();
    struct lng_data *data = lng_data_generate(&spec);
    assert_non_null(data);
    v.data = data;
    v.dtype = dtype;
    v.P = spec.param_num;
    v.K = spec.param_size;
    v.N = spec.block_num;
    v.H = spec.block_size;
    v.T = v.N * v.H;
    v.epsilon = spec.epsilon;
    v.max = lng_type_max(dtype);
    v.ulp_of_one = ldexp(1, 1 - lng_type_digits(dtype));
    double *const tensors[] = {v.x, v.dy, v.mean, v.var, v.gamma};
    for (int i = 0; i < LNG_INPUTS; i++) {
        const struct lng_input input = lng_input_at(&data->problem, i);
        assert_in_range(input.length, 0, MOST);
        for (int64_t j = 0; j < input.length; j++) {
            tensors[i][j] = lng_tensor_get(dtype, *input.tensor, j);
        }
    }
}

double r_of(int64_t n)
{
    return 1 / sqrt(v.var[n] + v.epsilon);
}

double d_of(int64_t j)
{
    return v.x[j] - v.mean[j / v.H];
}

double g_of(int64_t j)
{
    return v.dy[j] * v.gamma[j % v.P];
}

struct sums sums_of(int64_t n)
{
    struct sums s = {0, 0, 0};
    for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
        s.A += g_of(j);
        s.B += g_of(j) * d_of(j);
        s.C += d_of(j);
    }
    return s;
}

double dx_of(int64_t j)
{
    const int64_t n = j / v.H;
    const struct sums s = sums_of(n);
    const double H = (double)v.H, r = r_of(n), b = r * r * s.B / H;
    return r * (g_of(j) - (s.A / H - b * s.C / H) - d_of(j) * b);
}

double dg_of(int64_t p)
{
    double sum = 0;
    for (int64_t j = p; j < v.T; j += v.P) {
        sum += v.dy[j] * d_of(j) * r_of(j / v.H);
    }
    return sum;
}

double db_of(int64_t p)
{
    double sum = 0;
    for (int64_t j = p; j < v.T; j += v.P) {
        sum += v.dy[j];
    }
    return sum;
}

double beside_half(double value)
{
    const int emin = v.dtype == LNG_F16 ? -14 : -126;
    const int e = ilogb(value) > emin ? ilogb(value) : emin;
    return fmod(ldexp(fabs(value), lng_type_digits(v.dtype) - 1 - e), 1) - 0.5;
}

int differ(const double *values, int64_t count)
{
    int64_t j = 1;
    while (j < count && values[j] == values[0]) {
        j++;
    }
    return j < count;
}
