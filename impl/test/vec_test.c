/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary under one kernel, compiled once for every host row of variants.def:
 * LNG_TEST_SOURCE is the kernel's own file and LNG_TEST_ID its id. Right values are
 * integers times powers of two, or what stands between two neighbours by construction.
 */
#include LNG_TEST_SOURCE

#include "fixture.h"

#include <float.h>
#include <stdlib.h>

static lng_dtype dtype;

/* Lanes 0 ... 7 of an expression over a, b and c, whose values round in every lane. */
static const double a[LNG_LANES] = {1.1, -2.3, 0x1p-1074, 4.7, 0x1p53, -1e300, 0.1, 3};
static const double b[LNG_LANES] = {3.3, 5.9, 0.75, -1.7, 1, 1e-300, 0.2, 0x1p-60};
static const double c[LNG_LANES] = {-3.63, 7, 0, 8, 1, 1, -0.02, 3};

static lng_v get(const double *lanes)
{
    return lng_v_load(lanes);
}

static void expect(lng_v v, const double *right, const char *what)
{
    double lane[LNG_LANES];
    lng_v_store(lane, v);
    for (int l = 0; l < LNG_LANES; l++)
        lng_assert(memcmp(&lane[l], &right[l], sizeof *lane) == 0,
                   "%s: lane %d is %a, expected %a", what, l, lane[l], right[l]);
}

static void arithmetic(void **state)
{
    (void)state;
    double sum[LNG_LANES], difference[LNG_LANES], product[LNG_LANES], all[LNG_LANES];
    double fused[LNG_LANES], negated[LNG_LANES];
    int rounded_twice = 0;
    for (int l = 0; l < LNG_LANES; l++) {
        sum[l] = a[l] + b[l];
        difference[l] = a[l] - b[l];
        product[l] = a[l] * b[l];
        fused[l] = fma(a[l], b[l], c[l]);
        negated[l] = fma(-a[l], b[l], c[l]);
        all[l] = 0x1.23456789abcdep-7;
        rounded_twice += product[l] + c[l] != fused[l];
    }
    assert_true(rounded_twice >= 2);
    expect(lng_v_all(all[0]), all, "all");
    expect(lng_v_add(get(a), get(b)), sum, "add");
    expect(lng_v_sub(get(a), get(b)), difference, "sub");
    expect(lng_v_mul(get(a), get(b)), product, "mul");
    expect(lng_v_fma(get(a), get(b), get(c)), fused, "fma");
    expect(lng_v_fnma(get(a), get(b), get(c)), negated, "fnma");
}

static void first_lanes(void **state)
{
    (void)state;
    const double v[LNG_LANES] = {NAN, -1, -0.0, INFINITY, 5, -NAN, 7, 8};
    for (int n = 0; n <= LNG_LANES; n++) {
        double right[LNG_LANES] = {0};
        memcpy(right, v, (size_t)n * sizeof *v);
        expect(lng_v_first(get(v), n), right, "first");
    }
}

/* Eight sums, each ((0+4) + (2+6)) + ((1+5) + (3+7)): values whose every other tree has
 * another sum, and every one in its own place. */
static void sum_trees(void **state)
{
    (void)state;
    const double v[LNG_LANES] = {0x1p53, 0x1p54, 1, 1, 1, -0x1p54, -0x1p53, 0x1p-53};
    uint64_t seed = 1;
    for (int i = 0; i < 10000; i++) {
        double s[LNG_LANES][LNG_LANES], right[LNG_LANES];
        lng_v all[LNG_LANES];
        for (int k = 0; k < LNG_LANES; k++) {
            for (int l = 0; l < LNG_LANES; l++)
                s[k][l] = i == 0 ? v[l] * (k + 1)
                                 : ldexp((double)(int64_t)lng_random(&seed),
                                         (int)(lng_random(&seed) & 7));
            right[k] = ((s[k][0] + s[k][4]) + (s[k][2] + s[k][6])) +
                       ((s[k][1] + s[k][5]) + (s[k][3] + s[k][7]));
            all[k] = get(s[k]);
        }
        expect(lng_v_sums(all), right, "sums");
    }
}

/* Against the division and root of the C library, which round correctly. */
static void reciprocal_roots(void **state)
{
    (void)state;
    const double v[LNG_LANES] = {4, 0, -1, INFINITY, NAN, 0x1p-149, 2, 3};
    const double right[LNG_LANES] = {
        0.5, NAN, NAN, 0, NAN, 1 / sqrt(0x1p-149), 1 / sqrt(2), 1 / sqrt(3)};
    expect(lng_v_r(get(v)), right, "r");
}

static uint32_t bits_at(const void *tensor, int i)
{
    uint32_t bits = 0;
    memcpy(&bits, (const char *)tensor + (size_t)i * lng_size(dtype), lng_size(dtype));
    return bits;
}

/* Loads eight copies of a value at every lane and compares with the exact one. */
static void check_load(uint32_t bits, double right)
{
    unsigned char tensor[LNG_LANES * sizeof(float)];
    for (int l = 0; l < LNG_LANES; l++)
        memcpy(tensor + (size_t)l * lng_size(dtype), &bits, lng_size(dtype));
    double lane[LNG_LANES];
    lng_v_store(lane, lng_load(tensor, 0, LNG_LANES));
    for (int l = 0; l < LNG_LANES; l++)
        lng_assert(
            isnan(right) ? isnan(lane[l]) : memcmp(&lane[l], &right, sizeof right) == 0,
            "bits 0x%x load as %a in lane %d, expected %a", bits, lane[l], l, right);
}

/* Stores a value in every lane, through the cache and past it. */
static void check_store(double value, uint32_t right)
{
    _Alignas(64) unsigned char stored[64], streamed[64];
    lng_v line[LNG_LINE];
    for (int u = 0; u < LNG_LINE; u++)
        line[u] = lng_v_all(value);
    lng_store(stored, 0, LNG_LANES, line[0]);
    lng_stream(streamed, 0, line);
    for (int i = 0; i < (1 + LNG_LINE) * LNG_LANES; i++) {
        const int l = i % LNG_LANES;
        const uint32_t got =
            i < LNG_LANES ? bits_at(stored, i) : bits_at(streamed, i - LNG_LANES);
        lng_assert(got == right, "%a is stored as 0x%x in lane %d, expected 0x%x", value,
                   got, l, right);
    }
}

static double single(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* A pair of neighbours of the type, the upper of which may be the value after the
 * largest: stored, and everything between, midpoint and its two neighbours first; of
 * either sign. */
static void check_between(uint32_t low, double a0, double a1)
{
    const double middle = (a0 + a1) / 2;
    const uint32_t even = low + (low & 1);
    const struct {
        double value;
        uint32_t right;
    } points[] = {
        {a0,                           low                       },
        {nextafter(a0,                 INFINITY),                  low},
        {a0 + (a1 - a0) * 0x1p-27,                            low                              },
        {middle - (a1 - a0) * 0x1p-14,                            low},
        {middle - (a1 - a0) * 0x1p-27,                            low                              },
        {nextafter(middle,                            0),         low},
        {middle,                         even                                          },
        {nextafter(middle,INFINITY),low + 1},
        {middle + (a1 - a0) * 0x1p-27,                    low + 1                                                       },
        {middle + (a1 - a0) * 0x1p-14, low + 1},
        {nextafter(a1, 0),                    low + 1},
        {a1,                 low + 1                                        }
    };
    const uint32_t sign = dtype == LNG_F16 ? 0x8000 : 0x80000000;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        check_store(points[i].value, points[i].right);
        check_store(-points[i].value, sign | points[i].right);
    }
}

static void every_half(void)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const double magnitude = lng_half(bits & 0x7fff);
        check_load(bits, bits & 0x8000 ? -magnitude : magnitude);
    }
    for (uint32_t bits = 0; bits < 0x7bff; bits++)
        check_between(bits, lng_half(bits), lng_half(bits + 1));
    check_between(0x7bff, 65504, 65536); /* from 65520 on infinity */
}

static void some_singles(void)
{
    uint64_t seed = 2;
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (int i = 0; i < 200; i++) {
            const uint32_t significand = i == 0 ? 0
                                         : i == 1
                                             ? 0x7fffff
                                             : (uint32_t)lng_random(&seed) & 0x7fffff;
            const uint32_t bits = exponent << 23 | significand;
            const double value =
                ldexp((double)(significand + (exponent ? 0x800000u : 0u)),
                      (int)(exponent ? exponent - 1 : 0) - 149);
            check_load(bits, value);
            check_load(bits | 0x80000000, -value);
            check_between(bits, value, bits == 0x7f7fffff ? 0x1p128 : single(bits + 1));
        }
    check_load(0x7f800000, INFINITY);
    check_load(0xff800000, -INFINITY);
    check_load(0x7fc00000, NAN);
}

static void load_and_store(void **state)
{
    (void)state;
    if (dtype == LNG_F16)
        every_half();
    else
        some_singles();
}

static void beyond_the_type(void **state)
{
    (void)state;
    const uint32_t infinity = dtype == LNG_F16 ? 0x7c00 : 0x7f800000;
    const uint32_t sign = dtype == LNG_F16 ? 0x8000 : 0x80000000;
    static const double large[] = {0x1p128, 0x1.8p200, DBL_MAX, INFINITY};
    static const double tiny[] = {0, 0x1p-1074, DBL_MIN, 0x1p-300, 0x1p-151};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        check_store(large[i], infinity);
        check_store(-large[i], sign | infinity);
    }
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        check_store(tiny[i], 0);
        check_store(-tiny[i], sign);
    }
    unsigned char tensor[LNG_LANES * sizeof(float)];
    lng_store(tensor, 0, LNG_LANES, lng_v_all(NAN));
    assert_true((bits_at(tensor, 0) & ~sign) > infinity);
}

/* n elements against a page that may not be touched; nothing but n is written, each from
 * its own lane, and the lanes of the others are +0. */
static void tails(void **state)
{
    (void)state;
    const size_t size = lng_size(dtype);
    static const double count[LNG_LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int n = 1; n <= LNG_LANES; n++) {
        char *end = lng_map((size_t)n * size, size);
        for (int i = 0; i < n; i++)
            lng_put(dtype, end, i, count[i]);
        double lane[LNG_LANES];
        lng_v_store(lane, lng_load(end, 0, n));
        for (int l = 0; l < LNG_LANES; l++)
            lng_assert(lane[l] == (l < n ? count[l] : 0) && !signbit(lane[l]),
                       "%d elements: lane %d is %a", n, l, lane[l]);
        lng_store(end, 0, n, lng_v_mul(get(count), lng_v_all(-3)));
        for (int i = 0; i < n; i++)
            assert_true(lng_get(dtype, end, i) == -3 * count[i]);
        lng_unmap(end, (size_t)n * size);

        unsigned char tensor[2 * LNG_LANES * sizeof(float)] = {0};
        lng_store(tensor, 1, n, get(count)); /* from an odd element */
        for (int i = 0; i < 2 * LNG_LANES; i++)
            assert_true(lng_get(dtype, tensor, i) == (i >= 1 && i <= n ? i : 0));
    }
    _Alignas(64) unsigned char streamed[64];
    lng_v line[LNG_LINE];
    for (int u = 0; u < LNG_LINE; u++)
        line[u] = lng_v_add(get(count), lng_v_all(u * LNG_LANES));
    lng_stream(streamed, 0, line);
    for (int i = 0; i < LNG_LINE * LNG_LANES; i++)
        assert_true(lng_get(dtype, streamed, i) == i + 1);
}

int main(void)
{
    const struct lng_kernel *kernel = lng_kernel_find(LNG_TEST_ID);
    if (!kernel->available()) {
        print_message("skipped: this processor cannot run %s\n", kernel->id);
        return 77;
    }
    dtype = kernel->dtype;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),     cmocka_unit_test(first_lanes),
        cmocka_unit_test(sum_trees),      cmocka_unit_test(reciprocal_roots),
        cmocka_unit_test(load_and_store), cmocka_unit_test(beyond_the_type),
        cmocka_unit_test(tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
