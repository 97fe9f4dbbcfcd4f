/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* popen */
/* What counts as the same bits, their hash, and kernels held against each other. */
#include <math.h>

#include "core/status.h"
#include "support.h"
#include "target/host/host.h"
#include "verify/bits.h"
#include "verify/mutants.h"
#include "verify/result.h"
#include "verify/run.h"

/* The hashes were computed by the rule of FORMAT.md, byte by byte, with other means. */
static void hashes_follow_the_format(void **state)
{
    (void)state;
    const float s[] = {0, -0.0f, 1};
    const uint16_t h[] = {0xfe01, 0x8000, 0x3c00}; /* a NaN, -0 and 1 */
    assert_true(lng_bits_hash(LNG_HASH_BEGIN, LNG_F32, s, 3) ==
                UINT64_C(0xfea92c9b76cce478));
    assert_true(lng_bits_hash(LNG_HASH_BEGIN, LNG_F16, h, 3) ==
                UINT64_C(0x70cc54ad5c621a97));
    assert_true(lng_bits_hash(7, LNG_F32, NULL, 0) == 7);
    uint64_t parts = LNG_HASH_BEGIN;
    for (int i = 0; i < 3; i++)
        parts = lng_bits_hash(parts, LNG_F16, &h[i], 1);
    assert_true(parts == UINT64_C(0x70cc54ad5c621a97));
}

/* Pairs that agree or differ, as one element among others, wherever it stands. */
static void a_nan_is_a_nan_and_a_zero_has_a_sign(void **state)
{
    (void)state;
    static const struct {
        lng_dtype dtype;
        uint32_t a, b;
        int same;
    } table[] = {
        {LNG_F32, 0x7fc00000, 0xffc00001, 1},
        {LNG_F32, 0x7f800001, 0x7fffffff, 1},
        {LNG_F32, 0x7f800000, 0x7f800001, 0}, /* infinity is not a NaN */
        {LNG_F32, 0x7f800000, 0xff800000, 0},
        {LNG_F32, 0x00000000, 0x80000000, 0},
        {LNG_F32, 0x3f800000, 0x3f800001, 0},
        {LNG_F16, 0x7e00,     0xfc01,     1},
        {LNG_F16, 0x7c00,     0x7c01,     0},
        {LNG_F16, 0x7c00,     0xfc00,     0},
        {LNG_F16, 0x0000,     0x8000,     0},
        {LNG_F16, 0x3c00,     0x3c01,     0},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (int at = 0; at < 5; at++) {
            uint32_t s[2][5] = {{0}};
            uint16_t h[2][5] = {{0}};
            const int f16 = table[t].dtype == LNG_F16;
            const void *const a = f16 ? (void *)h[0] : s[0];
            const void *const b = f16 ? (void *)h[1] : s[1];
            s[0][at] = table[t].a;
            s[1][at] = table[t].b;
            h[0][at] = (uint16_t)table[t].a;
            h[1][at] = (uint16_t)table[t].b;
            assert_int_equal(lng_bits_differ(table[t].dtype, a, b, 5),
                             table[t].same ? -1 : at);
            assert_int_equal(lng_bits_hash(1, table[t].dtype, a, 5) ==
                                 lng_bits_hash(1, table[t].dtype, b, 5),
                             table[t].same);
        }
}

/* ---- Kernels against each other ---------------------------------------------------- */

/* The scalar kernel, but for one bit pattern of db that becomes another. */
static uint32_t from, to;

static lng_status run_exchanging(const struct lng_job *job)
{
    const lng_status status = lng_kernel_find("f32_scalar")->run(job);
    uint32_t *db = job->problem->db;
    for (int64_t p = 0; db && p < job->problem->param_num; p++)
        if (db[p] == from)
            db[p] = to;
    return status;
}

/* Three rows whose dy is 1, -1, 0 in every column but one, where it is NaN: db is +0, and
 * once a NaN. */
static struct lng_run run_of(const struct lng_kernel **kernels, int count,
                             struct lng_suite *suite)
{
    static const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, mean[3] = {2, 5, 8};
    static const float var[3] = {1, 1, 2}, gamma[3] = {1, 2, 3};
    static const float dy[9] = {1, 1, (float)NAN, -1, -1, 0, 0, 0, 0};
    static char options[] = "--shape 3x3";
    static struct lng_data data = {
        .problem = {.param_num = 3,
                    .param_size = 3,
                    .block_num = 3,
                    .block_size = 3,
                    .x = x,
                    .dy = dy,
                    .mean = mean,
                    .var = var,
                    .gamma = gamma},
        .options = options
    };
    static struct lng_source source = {.data = &data};
    *suite = (struct lng_suite){.sources = &source, .count = 1};
    struct lng_run run = {.suite = suite,
                          .kernels = kernels,
                          .kernels_count = count,
                          .entries = 1u << LNG_GENERAL,
                          .mask = 1,
                          .thorough = 1,
                          .jobs = 1,
                          .tolerance = -1,
                          .timeout = 5};
    char error[400] = "";
    assert_int_equal(lng_run_open(&run, error, sizeof error), 0);
    assert_int_equal(lng_run_units(&run, error, sizeof error), 0);
    return run;
}

/* A vector kernel that takes `from` for `to`, of this target, before the scalar one. */
static struct lng_run run_beside_scalar(const char *target, struct lng_kernel *kernel,
                                        const struct lng_kernel **kernels,
                                        struct lng_suite *suite)
{
    *kernel = *lng_kernel_find("f32_scalar");
    kernel->id = "vectors";
    kernel->lanes = 8;
    kernel->target = target;
    kernel->run = run_exchanging;
    kernels[0] = kernel;
    kernels[1] = lng_kernel_find("f32_scalar");
    return run_of(kernels, 2, suite);
}

static void other_bits_fail(void **state)
{
    (void)state;
    struct lng_kernel kernel;
    const struct lng_kernel *kernels[2];
    struct lng_suite suite;
    from = 0;
    to = 0x80000000;
    struct lng_run run = run_beside_scalar("host", &kernel, kernels, &suite);
    assert_int_equal(run.units_count, 2);
    /* The simple body comes first, wherever it was named. */
    assert_int_equal(run.units[0].kernel, 1);
    assert_int_equal(run.units[0].verdict, LNG_PASSED);
    assert_int_equal(run.units[0].against, -1);
    assert_int_equal(run.units[1].verdict, LNG_FAILED);
    assert_string_equal(run.units[1].note,
                        "db[0]  got -0x0p+0  f32_scalar 0x0p+0  other bits than "
                        "f32_scalar by the entry general");
    assert_ptr_equal(lng_unit_against(&run, &run.units[1]), &run.units[0]);
    assert_true(run.units[0].bits != run.units[1].bits);
    lng_run_close(&run);
}

static void another_target_may_have_other_bits(void **state)
{
    (void)state;
    struct lng_kernel kernel;
    const struct lng_kernel *kernels[2];
    struct lng_suite suite;
    from = 0;
    to = 0x80000000;
    struct lng_run run = run_beside_scalar("board", &kernel, kernels, &suite);
    assert_int_equal(run.units[1].verdict, LNG_PASSED);
    assert_true(run.units[0].bits != run.units[1].bits);
    lng_run_close(&run);
}

static void nans_may_differ(void **state)
{
    (void)state;
    struct lng_kernel kernel;
    const struct lng_kernel *kernels[2];
    struct lng_suite suite;
    for (from = 0x7fc00000; from; from = from == 0x7fc00000 ? 0xffc00000 : 0) {
        to = 0x7fc12345;
        struct lng_run run = run_beside_scalar("host", &kernel, kernels, &suite);
        assert_int_equal(run.units[1].verdict, LNG_PASSED);
        assert_true(run.units[0].bits == run.units[1].bits);
        lng_run_close(&run);
    }
}

/* A DSP's kernel is called with each of its masks, and on a chip that flushes, where it
 * may have other bits and no other values. */
static uint32_t wrong_mask;
static int wrong_flushed;
int lng_model_flushes(void); /* of model/machine.h, whose other names the judge has too */

static lng_status run_as_a_dsp(const struct lng_job *job)
{
    from = job->problem->core_mask == wrong_mask ? 0 : 1;
    to = 0x80000000;
    if (lng_model_flushes()) {
        from = 0;
        to = wrong_flushed ? 0x3f800000 : 0x80000000;
    }
    return run_exchanging(job);
}

static void a_dsp_is_called_with_each_mask(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask;
        int flushed, cores;
        const char *note; /* "": it passes */
    } table[] = {
        {0,    0, 8,  ""                                                                    },
        {0x5b, 0, 8,
         "db[0]  got -0x0p+0  before 0x0p+0  other bits than the first call: "
         "every core mask, 0x5b"                                                            },
        {0x5b, 0, 4,  ""                                                                    },
        {0x5b, 0, 31, ""                                                                    },
        {0,    1, 8,  "chip flushes subnormals: db[0]  got 0x1p+0  exact 0x0p+0  err/bound "},
        {0,    1, 31, ""                                                                    },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct lng_kernel kernel = *lng_kernel_find("f32_scalar");
        const struct lng_kernel *kernels[] = {&kernel};
        struct lng_suite suite;
        kernel.id = "dsp";
        kernel.target = "board";
        kernel.cores = table[i].cores;
        kernel.run = run_as_a_dsp;
        wrong_mask = table[i].mask;
        wrong_flushed = table[i].flushed;
        struct lng_run run = run_of(kernels, 1, &suite);
        assert_int_equal(strncmp(run.units[0].note, table[i].note, strlen(table[i].note)),
                         0);
        assert_int_equal(run.units[0].verdict,
                         table[i].note[0] ? LNG_FAILED : LNG_PASSED);
        lng_run_close(&run);
    }
}

/* What the model finds is a failure, in its own words. */
static lng_status run_with_a_finding(const struct lng_job *job)
{
    return lng_report(LNG_MODEL_FAULT, "%s core 3: transfer 12 is in flight",
                      job->kernel->id);
}

static void a_finding_of_the_model_is_a_failure(void **state)
{
    (void)state;
    struct lng_kernel kernel = *lng_kernel_find("f32_ft78ne");
    const struct lng_kernel *kernels[] = {&kernel};
    struct lng_suite suite;
    kernel.run = run_with_a_finding;
    struct lng_run run = run_of(kernels, 1, &suite);
    assert_int_equal(run.units[0].verdict, LNG_FAILED);
    assert_non_null(
        strstr(run.units[0].note, ": f32_ft78ne core 3: transfer 12 is in flight"));
    lng_run_close(&run);
}

/* A unit that failed by itself says nothing of the bits of others. */
static void a_failure_is_no_reference(void **state)
{
    (void)state;
    struct lng_kernel wrong = *lng_kernel_find("f32_scalar");
    const struct lng_kernel *kernels[] = {&wrong, lng_kernel_find("f32_scalar")};
    struct lng_suite suite;
    wrong.id = "wrong";
    wrong.run = run_exchanging;
    from = 0;
    to = 0x3f800000;
    struct lng_run run = run_of(kernels, 2, &suite);
    assert_int_equal(run.units[0].verdict, LNG_FAILED);
    assert_int_equal(run.units[0].against, -1);
    assert_true(run.units[0].ways == 1); /* its outputs are known all the same */
    assert_int_equal(run.units[1].verdict, LNG_PASSED);
    assert_true(run.units[0].bits != run.units[1].bits);
    lng_run_close(&run);
}

/* Of an entry that gave other bits once, and not again: no place, but a failure. */
static void entries_are_held_against_each_other(void **state)
{
    (void)state;
    const struct lng_spec spec = {.param_num = 7,
                                  .param_size = 3,
                                  .block_num = 3,
                                  .block_size = 7,
                                  .family = lng_family_find("normal"),
                                  .epsilon = 1e-5};
    const struct lng_kernel *kernel = lng_kernel_find("f32_scalar");
    struct lng_unit units[] = {{.entry = LNG_GENERAL}, {.entry = LNG_P}};
    struct lng_data *data = lng_data_generate(&spec);
    struct lng_judge judge;
    struct lng_caller caller = {0};
    char error[400];
    assert_int_equal(lng_caller_open(&caller, error, sizeof error), 0);
    assert_int_equal(lng_judge_open(&judge, data, error, sizeof error), 0);
    for (int u = 0; u < 2; u++) {
        lng_judge_unit(&judge, &caller, kernel, 1, 1, &units[u]);
        lng_judge_bits(&judge, &caller, &kernel, 1, units, u + 1);
        assert_int_equal(units[u].verdict, LNG_PASSED);
        for (int w = 0; w < lng_ways_count; w++)
            assert_int_equal(units[u].ways >> w & 1,
                             lng_way_suits(&lng_ways[w], kernel, units[u].entry));
    }
    assert_true(units[0].bits == units[1].bits);
    units[0].bits ^= 1;
    lng_judge_bits(&judge, &caller, &kernel, 1, units, 2);
    assert_int_equal(units[1].verdict, LNG_FAILED);
    assert_int_equal(units[1].against, 0);
    assert_string_equal(units[1].note, "other bits than f32_scalar by the entry general");
    lng_judge_close(&judge);
    lng_caller_free(&caller);
    lng_data_free(data);
}

/* ---- The planted faults ------------------------------------------------------------ */

/* Alone they pass: nothing else finds them. (Large problems would only take long.) */
static void planted_bits_are_within_every_bound(void **state)
{
    (void)state;
    struct lng_suite suite;
    int seen = 0;
    assert_int_equal(lng_suite_make("smoke", 0x5eed, &suite), 0);
    int kept = 0;
    for (int i = 0; i < suite.count; i++) {
        const struct lng_spec *spec = &suite.sources[i].spec;
        if (spec->block_num * spec->block_size <= 20000)
            suite.sources[kept++] = suite.sources[i];
    }
    suite.count = kept;
    for (int m = 0; m < lng_mutants_count; m++) {
        const struct lng_kernel *kernel = lng_mutant(m);
        char error[400] = "";
        if (strcmp(kernel->target, lng_mutant_right(m)->target) != 0)
            continue;
        struct lng_run run = {.suite = &suite,
                              .kernels = &kernel,
                              .kernels_count = 1,
                              .entries = 1u << LNG_GENERAL,
                              .mask = 1,
                              .jobs = 2,
                              .tolerance = -1,
                              .timeout = 5};
        assert_int_equal(lng_run_open(&run, error, sizeof error), 0);
        assert_int_equal(lng_run_units(&run, error, sizeof error), 0);
        for (int i = 0; i < run.units_count; i++)
            if (run.units[i].verdict != LNG_PASSED)
                fail_msg("%s %s", kernel->id, run.units[i].note);
        lng_run_close(&run);
        seen++;
    }
    assert_true(seen >= 3);
    lng_suite_free(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_follow_the_format),
        cmocka_unit_test(a_nan_is_a_nan_and_a_zero_has_a_sign),
        cmocka_unit_test(other_bits_fail),
        cmocka_unit_test(another_target_may_have_other_bits),
        cmocka_unit_test(nans_may_differ),
        cmocka_unit_test(a_dsp_is_called_with_each_mask),
        cmocka_unit_test(a_finding_of_the_model_is_a_failure),
        cmocka_unit_test(a_failure_is_no_reference),
        cmocka_unit_test(entries_are_held_against_each_other),
        cmocka_unit_test(planted_bits_are_within_every_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
