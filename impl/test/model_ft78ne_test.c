/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of FT78NE, and the scalar unit of both chips, on the model. */
#include "fixture.h"

#include <math.h>
#include <string.h>

#include "model/model_run.h"
#include "port/ft78ne.h"

/* Runs a program on core 0, where it may assert: that is the thread of the test. */
static lng_status on(const struct lng_chip *chip, void (*program)(void *), void *arg)
{
    const struct lng_model_call call = {.chip = chip,
                                        .mask = 1,
                                        .checked = 1,
                                        .kernel = "toy",
                                        .program = program,
                                        .arg = arg};
    return lng_model_run(&call, NULL);
}

static lng_status on_chip(void (*program)(void *), void *arg)
{
    return on(&lng_ft78ne, program, arg);
}

/* Product and sum round separately: (1 + 2^-12)^2 - (1 + 2^-11) is 0 here and 2^-24 where
 * they are fused. */
static void check_pairs(void *arg)
{
    (void)arg;
    float *p = lng_port_vector_scratch(64);
    for (int i = 0; i < 16; i++)
        lng_stw(p + i, (float)i);
    const lng_f2 a = lng_amem8_f2(p + 2), b = lng_mem8_f2(p + 5);
    assert_true(lng_lof2(a) == 2 && lng_hif2(a) == 3);
    assert_true(lng_lof2(b) == 5 && lng_hif2(b) == 6);
    const lng_f2 sum = lng_daddsp(a, b), difference = lng_dsubsp(a, b);
    const lng_f2 product = lng_dmpysp(a, b);
    assert_true(lng_lof2(sum) == 7 && lng_hif2(sum) == 9);
    assert_true(lng_lof2(difference) == -3 && lng_hif2(difference) == -3);
    assert_true(lng_lof2(product) == 10 && lng_hif2(product) == 18);
    lng_amem8_f2_st(p + 8, lng_ftof2(20, 10));
    lng_mem8_f2_st(p + 11, lng_ftof2(40, 30));
    static const float after[] = {7, 10, 20, 10, 30, 40, 13};
    for (int i = 0; i < 7; i++)
        assert_true(i == 3 || lng_ldw(p + 7 + i) == after[i]);
    assert_true(lng_ldw(p + 10) == 10);
    const float x = 1 + 0x1p-12f;
    const lng_f2 square = lng_dmpysp(lng_ftof2(x, x), lng_ftof2(x, x));
    assert_true(lng_hif2(lng_dsubsp(square, lng_ftof2(1 + 0x1p-11f, 1))) == 0);
}

/* Vector and scalar scratch are one memory. */
static void check_scratch(void *arg)
{
    (void)arg;
    assert_int_equal(lng_port_vector_free(), LNG_VECTOR_SCRATCH);
    double *d = lng_port_scalar_scratch(128);
    assert_int_equal(lng_port_vector_free(), LNG_VECTOR_SCRATCH - 128);
    assert_int_equal(lng_port_scalar_free(), LNG_VECTOR_SCRATCH - 128);
    lng_stdw(d + 15, 0x1.123456789p-1000);
    assert_true(lng_lddw(d + 15) == 0x1.123456789p-1000);
    assert_true(isnan(lng_lddw(d)) && isnan(lng_ldw((float *)(void *)d)));
}

/* |seed*exact - 1| < 2^-8 where it is normal, and no better than that. */
static void check_seeds(void *arg)
{
    (void)arg;
    uint64_t seed = 5;
    double worst = 0;
    for (int i = 0; i < 100000; i++) {
        const uint64_t r = lng_random(&seed);
        const double a = ldexp(1 + (double)(r >> 12) * 0x1p-52, (int)(r % 250) - 125);
        const float f = (float)a;
        const double errors[] = {
            lng_rsqrdp(a) * sqrt(a) - 1,
            (double)lng_rsqrsp(f) * sqrt((double)f) - 1,
            (double)lng_rcpsp(f) * (double)f - 1,
            lng_rsqrdp(ldexp(a, 800)) * sqrt(ldexp(a, 800)) - 1,
            lng_rsqrdp(ldexp(a, -800)) * sqrt(ldexp(a, -800)) - 1,
        };
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
            worst = fabs(errors[k]) > worst ? fabs(errors[k]) : worst;
    }
    lng_assert(worst < 0x1p-8 && worst > 0x1p-9, "%a", worst);
    assert_true(lng_rsqrdp(0.) == (double)INFINITY &&
                lng_rsqrdp(-0.) == -(double)INFINITY);
    assert_true(lng_rsqrdp(0x1p-1030) == (double)INFINITY);
    assert_true(lng_rsqrdp((double)INFINITY) == 0 && isnan(lng_rsqrdp((double)NAN)));
    assert_true(isnan(lng_rsqrdp(-1)) && isnan(lng_rsqrdp(-(double)INFINITY)));
    assert_true(lng_rsqrsp(0x1p-127f) == INFINITY && isnan(lng_rsqrsp(-1)));
    assert_true(lng_rcpsp(-0x1p-127f) == -INFINITY && isnan(lng_rcpsp(NAN)));
    assert_true(lng_rcpsp(-INFINITY) == 0 && lng_rcpsp(0x1p127f) == 0);
    assert_true(lng_rcpsp(-0x1p126f) == -0x1p-126f);
}

/* To single: nearest even, once; subnormal; infinity from half-way beyond the largest. */
static void check_conversions(void *arg)
{
    (void)arg;
    assert_true(lng_dpsp(1 + 0x1p-24) == 1);
    assert_true(lng_dpsp(1 + 0x1p-24 + 0x1p-52) == 1 + 0x1p-23f);
    assert_true(lng_dpsp(1 + 0x1.8p-23) == 1 + 0x1p-22f);
    assert_true(lng_dpsp(0x1p-149) == 0x1p-149f && lng_dpsp(0x1p-150) == 0);
    assert_true(lng_dpsp(0x1.0000001p-150) == 0x1p-149f);
    assert_true(lng_dpsp(0x1.fffffefffffffp127) == 0x1.fffffep127f);
    assert_true(lng_dpsp(-0x1.ffffffp127) == -INFINITY);
    assert_true(lng_spdp(0x1p-149f) == 0x1p-149);
    assert_true(lng_adddp(1, 0x1p-53) == 1 && lng_subdp(1, 0x1p-54) == 1);
    assert_true(lng_mpydp(1 + 0x1p-30, 1 + 0x1p-30) == 1 + 0x1p-29);
}

static void vocabulary(void **state)
{
    (void)state;
    assert_int_equal(on_chip(check_pairs, NULL), LNG_OK);
    assert_int_equal(on_chip(check_scratch, NULL), LNG_OK);
    assert_int_equal(on_chip(check_seeds, NULL), LNG_OK);
    assert_int_equal(on_chip(check_conversions, NULL), LNG_OK);
}

/* An access that straddles a line is checked at both ends; pairs are aligned. */
static void straddles(void *arg)
{
    (void)arg;
    lng_mem8_f2((float *)lng_port_vector_scratch(64) + 15);
}

static void half_aligned(void *arg)
{
    (void)arg;
    lng_amem8_f2((float *)lng_port_vector_scratch(64) + 1);
}

static void accesses(void **state)
{
    (void)state;
    assert_int_equal(on_chip(straddles, NULL), LNG_MODEL_FAULT);
    assert_string_equal(lng_status_text(),
                        "toy core 0: vector load 4 bytes beyond allocation 1 of scratch");
    assert_int_equal(on_chip(half_aligned, NULL), LNG_MODEL_FAULT);
    assert_string_equal(lng_status_text(), "toy core 0: vector load at byte 4 of "
                                           "allocation 1 of scratch is not aligned to 8");
}

/* As TI's C66x has it: conversions take and give 0 for subnormal singles. */
static void check_abrupt(void *arg)
{
    (void)arg;
    assert_true(lng_spdp(0x1p-149f) == 0 && lng_spdp(-0x1.fffffcp-127f) == 0);
    assert_true(signbit(lng_spdp(-0x1.fffffcp-127f)));
    assert_true(lng_spdp(-0x1p-126f) == -0x1p-126);
    assert_true(lng_dpsp(0x1.fffffcp-127) == 0 && lng_dpsp(-0x1p-149) == 0);
    assert_true(lng_dpsp(0x1p-126) == 0x1p-126f && isnan(lng_dpsp((double)NAN)));
}

static void no_gradual_underflow(void **state)
{
    (void)state;
    struct lng_chip chip = lng_ft78ne;
    chip.gradual_underflow = 0;
    assert_int_equal(on(&chip, check_abrupt, NULL), LNG_OK);
    assert_int_equal(on_chip(check_conversions, NULL), LNG_OK);
}

/* The flag of MT7004 changes nothing here. */
static void check_no_flush(void *arg)
{
    (void)arg;
    assert_true(lng_lof2(lng_daddsp(lng_ftof2(0, 0x1p-149f), lng_ftof2(0, 0))) ==
                0x1p-149f);
}

static void no_flush(void **state)
{
    (void)state;
    assert_int_equal(lng_model_flush(1), LNG_OK);
    assert_int_equal(on_chip(check_no_flush, NULL), LNG_OK);
    lng_model_flush(0);
}

static void descriptor(void **state)
{
    (void)state;
    assert_true(lng_ft78ne.cores == LNG_CORES);
    assert_true(lng_ft78ne.vector_scratch == LNG_VECTOR_SCRATCH);
    assert_true(lng_ft78ne.scalar_scratch == LNG_SCALAR_SCRATCH);
    assert_true(lng_ft78ne.dma_alignment == LNG_DMA_ALIGNMENT);
    size_t rows = 0;
    for (const struct lng_chip_row *r = lng_ft78ne_rows; r->name; r++, rows++)
        assert_true(r->source[0] && r->unit[0]);
    size_t operations = 0;
    for (int k = 0; k < LNG_OPERATIONS; k++)
        operations += lng_ft78ne.operations[k].per_cycle > 0;
    assert_int_equal(rows, operations + (offsetof(struct lng_chip, operations) -
                                         offsetof(struct lng_chip, cores)) /
                                            sizeof(double));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vocabulary),           cmocka_unit_test(accesses),
        cmocka_unit_test(no_gradual_underflow), cmocka_unit_test(no_flush),
        cmocka_unit_test(descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
