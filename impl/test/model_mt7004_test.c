/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of MT7004 on the model, against figures by hand, fmaf, and integers. */
#include "fixture.h"

#include <math.h>
#include <string.h>

#include "model/model_run.h"
#include "port/mt7004.h"

/* Runs a program on core 0, where it may assert: that is the thread of the test. */
static void on_chip(void (*program)(void *), void *arg)
{
    const struct lng_model_call call = {.chip = &lng_mt7004,
                                        .mask = 1,
                                        .checked = 1,
                                        .kernel = "toy",
                                        .program = program,
                                        .arg = arg};
    lng_assert(lng_model_run(&call, NULL) == LNG_OK, "%s", lng_status_text());
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static int same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (a != a && b != b);
}

static lng_f16 vector_of(const float *v)
{
    lng_f16 all;
    memcpy(&all, v, sizeof all);
    return all;
}

/* ---- Multiply-add */

static void check_fused(const float *a, const float *b, const float *c)
{
    const lng_f16 x = vector_of(a), y = vector_of(b), z = vector_of(c);
    const lng_f16 sum = lng_vec_mula(x, y, z), difference = lng_vec_mulb(x, y, z);
    for (int l = 0; l < 16; l++) {
        lng_assert(same(lng_vec_lane(sum, l), fmaf(a[l], b[l], c[l])), "%a*%a + %a = %a",
                   (double)a[l], (double)b[l], (double)c[l],
                   (double)lng_vec_lane(sum, l));
        lng_assert(same(lng_vec_lane(difference, l), fmaf(a[l], b[l], -c[l])),
                   "%a*%a - %a = %a", (double)a[l], (double)b[l], (double)c[l],
                   (double)lng_vec_lane(difference, l));
    }
}

/* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is half-way between two singles; what is added to it
 * is too small for a double, and decides. */
static void fused_by_hand(void *arg)
{
    (void)arg;
    const float a = 1 + 0x1p-12f;
    const lng_f16 v = lng_vec_svbcast(a);
    for (int e = -149; e <= -26; e++) {
        const float c = ldexpf(1, e);
        assert_true(lng_vec_lane(lng_vec_mula(v, v, lng_vec_svbcast(c)), 3) ==
                    1 + 0x1p-11f + 0x1p-23f);
        assert_true(lng_vec_lane(lng_vec_mulb(v, v, lng_vec_svbcast(c)), 12) ==
                    1 + 0x1p-11f);
    }
    /* Even: below; the product alone is not an exact half of anything subnormal. */
    assert_true(lng_vec_lane(lng_vec_mula(v, v, lng_vec_svbcast(0)), 0) == 1 + 0x1p-11f);
    const lng_f16 least = lng_vec_svbcast(0x1p-149f);
    assert_true(lng_vec_lane(lng_vec_muli(least, lng_vec_svbcast(0.5f)), 0) == 0);
    assert_true(lng_vec_lane(lng_vec_mula(least, lng_vec_svbcast(0.5f), least), 0) ==
                0x1p-148f);
}

static void fused_extremes(void *arg)
{
    (void)arg;
    static const float values[] = {0,
                                   0x1p-149f,
                                   0x1.8p-148f,
                                   0x1p-127f,
                                   0x1.fffffcp-127f,
                                   0x1p-126f,
                                   0x1.000002p-126f,
                                   0x1p-100f,
                                   0x1p-75f,
                                   0x1p-63f,
                                   0x1.fffffep-25f,
                                   0x1p-24f,
                                   0x1.000002p-24f,
                                   0x1.fffffep-1f,
                                   1,
                                   0x1.000002p0f,
                                   0x1.001p0f,
                                   3,
                                   0x1p23f,
                                   0x1.fffffep63f,
                                   0x1p64f,
                                   0x1p127f,
                                   0x1.fffffep127f,
                                   INFINITY,
                                   NAN};
    enum { N = sizeof values / sizeof *values };
    float a[16], b[16], c[16];
    int l = 0;
    for (int i = 0; i < 2 * N; i++)
        for (int k = 0; k < N; k++)
            for (int m = 0; m < 2 * N; m++) {
                a[l] = i < N ? values[i] : -values[i - N];
                b[l] = values[k];
                c[l] = m < N ? values[m] : -values[m - N];
                l = (l + 1) % 16;
                if (l == 0)
                    check_fused(a, b, c);
            }
}

/* Random bits, and sums that nearly cancel or are nearly half-way. */
static void fused_random(void *arg)
{
    (void)arg;
    uint64_t seed = 3;
    for (int i = 0; i < 60000; i++) {
        float a[16], b[16], c[16];
        for (int l = 0; l < 16; l++) {
            const uint64_t r = lng_random(&seed), q = lng_random(&seed);
            const int e = (int)(q % 40) - 60;
            a[l] = float_of((uint32_t)r);
            b[l] = float_of((uint32_t)(r >> 32));
            c[l] = float_of((uint32_t)q);
            if (l % 4 != 0) {
                a[l] = 1 + ldexpf((float)(r % 4096), -23 + (int)(r >> 20 & 15));
                b[l] = 1 + ldexpf((float)(r >> 12 & 255), -12);
                c[l] = l % 4 == 1 ? -a[l] * b[l] : ldexpf(l % 4 == 2 ? 1 : -1, e);
            }
        }
        check_fused(a, b, c);
    }
}

static void fused(void **state)
{
    (void)state;
    on_chip(fused_by_hand, NULL);
    on_chip(fused_extremes, NULL);
    on_chip(fused_random, NULL);
}

/* ---- Flush to zero */

enum operation { ADD, SUB, NEG, MULI, MULA, MULB };

static float apply(enum operation o, float a, float b, float c)
{
    const lng_f16 x = lng_vec_svbcast(a), y = lng_vec_svbcast(b), z = lng_vec_svbcast(c);
    switch (o) {
    case ADD:
        return lng_vec_lane(lng_vec_add(x, y), 5);
    case SUB:
        return lng_vec_lane(lng_vec_sub(x, y), 5);
    case NEG:
        return lng_vec_lane(lng_vec_neg(x), 5);
    case MULI:
        return lng_vec_lane(lng_vec_muli(x, y), 5);
    case MULA:
        return lng_vec_lane(lng_vec_mula(x, y, z), 5);
    default:
        return lng_vec_lane(lng_vec_mulb(x, y, z), 5);
    }
}

static const struct {
    enum operation operation;
    float a, b, c, gradual, flushed;
} flushes[] = {
    {ADD,  0x1p-149f,      0,           0,           0x1p-149f,   0         },
    {ADD,  0x1p-126f,      0x1.8p-127f, 0,           0x1.cp-126f, 0x1p-126f },
    {ADD,  1,              0x1p-130f,   0,           1,           1         },
    {SUB,  0x1.8p-126f,    0x1p-126f,   0,           0x1p-127f,   0         },
    {SUB,  0x1p-126f,      0x1p-127f,   0,           0x1p-127f,   0x1p-126f },
    {SUB,  0,              0x1p-130f,   0,           -0x1p-130f,  0         },
    {NEG,  0x1p-127f,      0,           0,           -0x1p-127f,  -0.f      },
    {NEG,  0x1p-126f,      0,           0,           -0x1p-126f,  -0x1p-126f},
    {MULI, 0x1p-63f,       -0x1p-64f,   0,           -0x1p-127f,  -0.f      },
    {MULI, 0x1p-127f,      0x1p100f,    0,           0x1p-27f,    0         },
    {MULI, 0x1.fffffep-1f, 0x1p-126f,   0,           0x1p-126f,   0x1p-126f },
    {MULI, INFINITY,       0x1p-130f,   0,           INFINITY,    NAN       },
    {MULA, 0x1p-127f,      0x1p127f,    1,           2,           1         },
    {MULA, 1,              1,           0x1p-130f,   1,           1         },
    {MULA, 0x1p-100f,      0x1p-100f,   0x1p-130f,   0x1p-130f,   0         },
    {MULA, 0x1p-63f,       0x1p-63f,    -0x1p-127f,  0x1p-127f,   0x1p-126f },
    {MULB, 0x1p-63f,       0x1p-63f,    0x1.8p-126f, -0x1p-127f,  -0.f      },
};

static void check_flush(void *arg)
{
    const int on = *(int *)arg;
    for (size_t i = 0; i < sizeof flushes / sizeof *flushes; i++) {
        const float got =
            apply(flushes[i].operation, flushes[i].a, flushes[i].b, flushes[i].c);
        lng_assert(same(got, on ? flushes[i].flushed : flushes[i].gradual),
                   "row %zu, flush %d: %a", i, on, (double)got);
    }
    /* What does not compute keeps subnormals. */
    float *v = lng_port_vector_scratch(64), *s = lng_port_scalar_scratch(64);
    lng_vec_st(v, lng_vec_svbcast(0x1p-149f));
    const lng_f16 x = lng_vec_ld(v);
    assert_true(lng_vec_lane(x, 15) == 0x1p-149f);
    assert_true(lng_vec_lane(lng_vec_sel(1, x, x), 0) == 0x1p-149f);
    assert_true(lng_vec_lane_bits(lng_vec_bits(x), 7) == 1);
    lng_stw(s, 0x1p-149f);
    assert_true(lng_spdp(lng_ldw(s)) == 0x1p-149);
    assert_true(lng_dpsp(0x1.8p-149) == 0x1p-148f);
}

static void flush(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        assert_int_equal(lng_model_flush(on), LNG_OK);
        on_chip(check_flush, &on);
    }
    lng_model_flush(0);
}

/* ---- Halves, masks, bits */

static void check_halves(void *arg)
{
    (void)arg;
    uint16_t *h = lng_port_scalar_scratch(64), *v = lng_port_vector_scratch(64);
    const struct lng_transfer in = {v, h, 32, 1, 0, 0}, out = {h, v, 32, 1, 0, 0};
    for (unsigned first = 0; first < 65536; first += 16) {
        for (unsigned l = 0; l < 16; l++)
            lng_sth(h + l, (uint16_t)(first + l));
        lng_port_start(0, &in);
        lng_port_wait(0);
        const lng_f16 x = lng_vec_ld_half(v);
        lng_vec_st((float *)(void *)v, lng_vec_svbcast(0));
        lng_vec_st_half(v, x);
        lng_port_start(0, &out);
        lng_port_wait(0);
        for (unsigned l = 0; l < 16; l++) {
            const unsigned u = first + l, size = u & 0x7fff;
            const float got = lng_vec_lane(x, (int)l);
            if (size > 0x7c00) {
                assert_true(got != got);
                assert_true((lng_ldh(h + l) & 0x7fff) > 0x7c00);
                continue;
            }
            const float value = size == 0x7c00 ? INFINITY : (float)lng_half(size);
            assert_true(same(got, u & 0x8000 ? -value : value));
            assert_int_equal(lng_ldh(h + l), u);
        }
    }
}

static void check_masks(void *arg)
{
    (void)arg;
    float *v = lng_port_vector_scratch(64), values[16];
    uint16_t *h = lng_port_vector_scratch(64);
    for (int l = 0; l < 16; l++)
        values[l] = (float)(l + 1);
    for (unsigned mask = 0; mask < 65536; mask += 37) {
        lng_vec_st(v, lng_vec_svbcast(-1));
        lng_vec_st_half(h, lng_vec_svbcast(-1));
        lng_vec_stm(v, vector_of(values), mask);
        lng_vec_stm_half(h, vector_of(values), mask);
        const lng_f16 x = lng_vec_ld(v), y = lng_vec_ldm(v, mask);
        const lng_f16 p = lng_vec_ld_half(h), q = lng_vec_ldm_half(h, mask);
        const lng_f16 z = lng_vec_sel(mask, vector_of(values), lng_vec_svbcast(-1));
        for (int l = 0; l < 16; l++) {
            const int on = (int)(mask >> l & 1);
            const float stored = on ? values[l] : -1, loaded = on ? values[l] : 0;
            assert_true(lng_vec_lane(x, l) == stored && lng_vec_lane(z, l) == stored &&
                        lng_vec_lane(p, l) == stored);
            assert_true(same(lng_vec_lane(y, l), loaded) &&
                        same(lng_vec_lane(q, l), loaded));
        }
    }
}

static void check_bits(void *arg)
{
    (void)arg;
    uint64_t seed = 4;
    for (int i = 0; i < 2000; i++) {
        const uint64_t r = lng_random(&seed);
        const uint32_t a = (uint32_t)r, b = i % 3 ? (uint32_t)(r >> 32) : a;
        const lng_i16 x = lng_vec_svbcast_bits(a), y = lng_vec_svbcast_bits(b);
        const int l = i % 16, n = i % 32;
        assert_true(lng_vec_lane_bits(lng_vec_and(x, y), l) == (a & b));
        assert_true(lng_vec_lane_bits(lng_vec_or(x, y), l) == (a | b));
        assert_true(lng_vec_lane_bits(lng_vec_maxu(x, y), l) == (a > b ? a : b));
        assert_true(lng_vec_lane_bits(lng_vec_minu(x, y), l) == (a < b ? a : b));
        assert_true(lng_vec_lane_bits(lng_vec_subi(x, y), l) == a - b);
        assert_true(lng_vec_lane_bits(lng_vec_shift(x, n), l) == a << n);
        assert_true(lng_vec_lane_bits(lng_vec_shift(x, -n), l) == a >> n);
        assert_true(lng_vec_lane_bits(lng_vec_bits(lng_vec_float(x)), l) == a);
    }
}

static void halves_masks_and_bits(void **state)
{
    (void)state;
    on_chip(check_halves, NULL);
    on_chip(check_masks, NULL);
    on_chip(check_bits, NULL);
}

/* ---- The descriptor: the constants of the port, 96 flop a cycle, a row a fact. */
static void descriptor(void **state)
{
    (void)state;
    assert_true(lng_mt7004.cores == LNG_CORES);
    assert_true(lng_mt7004.vector_scratch == LNG_VECTOR_SCRATCH);
    assert_true(lng_mt7004.scalar_scratch == LNG_SCALAR_SCRATCH);
    assert_true(lng_mt7004.operations[LNG_VECTOR_FUSED].per_cycle * 16 * 2 == 96);
    size_t rows = 0;
    for (const struct lng_chip_row *r = lng_mt7004_rows; r->name; r++, rows++)
        assert_true(r->source[0] && r->unit[0]);
    size_t operations = 0;
    for (int k = 0; k < LNG_OPERATIONS; k++)
        operations += lng_mt7004.operations[k].per_cycle > 0;
    assert_int_equal(rows, operations + (offsetof(struct lng_chip, operations) -
                                         offsetof(struct lng_chip, cores)) /
                                            sizeof(double));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused),
        cmocka_unit_test(flush),
        cmocka_unit_test(halves_masks_and_bits),
        cmocka_unit_test(descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
