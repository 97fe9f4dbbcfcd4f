/* SPDX-License-Identifier: Apache-2.0 */
/* What lng-bench predicts of DSPs: the same every time, of the chip's cores and roof, and
 * apart from what it measures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_program.h"

#define DSPS "--impl f32_ft78ne --impl f32_mt7004 --impl f16_mt7004 "

/* The unit of a kernel, block_num and core count; there is one. */
static const cJSON *unit_of(const cJSON *result, const char *id, double rows_, int cores)
{
    const cJSON *unit, *found = NULL;
    cJSON_ArrayForEach(unit, get(result, "units"))
    {
        if (strcmp(get(unit, "kernel")->valuestring, id) == 0 &&
            cJSON_GetArrayItem(get(unit, "sizes"), 2)->valuedouble == rows_ &&
            number(unit, "cores") == cores) {
            assert_null(found);
            found = unit;
        }
    }
    assert_non_null(found);
    return found;
}

static void check_unit(const cJSON *unit)
{
    const double cycles = number(unit, "cycles");
    assert_true(cJSON_IsTrue(get(unit, "predicted")));
    assert_int_equal(cJSON_GetArraySize(get(unit, "times")), 0);
    assert_false(cJSON_HasObjectItem(unit, "roof"));
    /* a clock of 1 GHz, 12.8 bytes a cycle: devices that are so described */
    assert_true(fabs(number(unit, "median") - cycles * 1e-9) <= 1e-12 * cycles);
    const double fraction = number(unit, "bytes") / 12.8 / cycles;
    assert_true(fabs(number(unit, "roof_fraction") - fraction) <= 1e-12 * fraction);
    assert_true(fraction > 0.001 && fraction <= 1);
    assert_true(number(unit, "compute_cycles") > 0 &&
                number(unit, "compute_cycles") <= cycles);
    assert_true(number(unit, "transfer_cycles") > 0 &&
                number(unit, "transfer_cycles") <= cycles);
}

static void every_core_count(void **unused)
{
    (void)unused;
    cJSON *result = json_of(DSPS "--shape 64x256 --shape 256x64");
    assert_non_null(result);
    const cJSON *unit;
    assert_int_equal(cJSON_GetArraySize(get(result, "units")), 2 * (8 + 4 + 4));
    cJSON_ArrayForEach(unit, get(result, "units")) check_unit(unit);
    static const struct {
        const char *id;
        int cores;
    } kernels[] = {
        {"f32_ft78ne", 8},
        {"f32_mt7004", 4},
        {"f16_mt7004", 4}
    };
    for (int k = 0; k < 3; k++) {
        const cJSON *one = unit_of(result, kernels[k].id, 64, 1);
        const cJSON *all = unit_of(result, kernels[k].id, 64, kernels[k].cores);
        const cJSON *other = unit_of(result, kernels[k].id, 256, 1);
        assert_true(number(all, "cycles") < number(one, "cycles"));
        assert_true(number(all, "compute_cycles") < number(one, "compute_cycles"));
        assert_true(number(other, "cycles") != number(one, "cycles"));
    }
    cJSON_Delete(result);
}

static void twice_the_same(void **unused)
{
    (void)unused;
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        cJSON *result =
            json_of(DSPS "--shape 64x256 --sizes 6,10,12,5 --cores 1 --cores 3");
        assert_non_null(result);
        texts[i] = cJSON_Print(get(result, "units"));
        cJSON_Delete(result);
    }
    assert_string_equal(texts[0], texts[1]);
    for (int i = 0; i < 2; i++)
        cJSON_free(texts[i]);
}

/* A table each; what is measured is not said to be predicted, and with several processes
 * it alone is run again. */
static void never_mixed(void **unused)
{
    (void)unused;
    cJSON *result =
        json_of("--impl f32_ft78ne --impl f32_scalar --shape 64x256 --cores 1 "
                "--repetitions 2 --processes 2");
    assert_non_null(result);
    const char *measured = strstr(output, "f32_scalar   fp32"),
               *heading = strstr(output, "\npredicted by the model of the chip"),
               *predicted = strstr(output, "f32_ft78ne   fp32");
    assert_true(measured && heading && predicted);
    assert_true(measured < heading && heading < predicted);
    assert_int_equal(rows("f32_"), 2);
    assert_null(strstr(heading, "median"));
    assert_int_equal(cJSON_GetArraySize(get(result, "units")), 2);
    check_unit(unit_of(result, "f32_ft78ne", 64, 1));
    assert_true(cJSON_IsFalse(get(unit_of(result, "f32_scalar", 64, 1), "predicted")));
    cJSON_Delete(result);
    assert_non_null(result = json_of(DSPS "--shape 8x8"));
    assert_null(strstr(output, "median"));
    assert_int_equal(rows("f"), 16);
    cJSON_Delete(result);
}

/* Core counts are those of the chip; a filter is of what is timed. */
static void choices(void **unused)
{
    (void)unused;
    assert_int_equal(run("--impl f32_mt7004 --shape 8x8 --cores 8", "2>&1"), 2);
    assert_non_null(
        strstr(output, "--cores '8': expected 1 to 4, the number of cores of mt7004"));
    assert_int_equal(
        run("--impl f32_ft78ne --impl f32_mt7004 --shape 8x8 --cores 8", "2>&1"), 0);
    assert_int_equal(rows("f32_"), 2);
    assert_int_equal(rows("f32_mt7004 is left out: 4 cores"), 1);
    if (run(DSPS "--shape 8x8 --cores 1 --peer dnnl", "2>&1") == 0)
        assert_int_equal(rows("dnnl is not timed: no kernel of the host is"), 1);
    else
        assert_non_null(strstr(output, "expected the package libdnnl2"));
    assert_int_equal(run("--impl f32_ft78ne --shape 8x8 --benchmark_filter=f32", "2>&1"),
                     2);
    assert_non_null(strstr(output, "nothing to run"));
    assert_int_equal(run("--impl f32_ft78ne --impl f32_scalar --shape 8x8 --cores 1 "
                         "--repetitions 1 --benchmark_filter=f32",
                         "2>&1"),
                     0);
    assert_int_equal(rows("f32_"), 1);
    assert_int_equal(run("--list", "2>&1"), 0);
    assert_non_null(strstr(output, "f32_ft78ne   fp32 wide predicted"));
}

int main(void)
{
    if (open_folder() != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_core_count), cmocka_unit_test(twice_the_same),
        cmocka_unit_test(never_mixed), cmocka_unit_test(choices)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_folder();
    return failed;
}
