/* SPDX-License-Identifier: Apache-2.0 */
/* What lng-bench measured: its JSON is complete and agrees with itself, with a peer and
 * with several processes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_program.h"

static void check_unit(const cJSON *unit, int repetitions)
{
    static const struct {
        double sizes[4], bytes, elements; /* bytes in single, by hand */
    } hand[] = {
        {{5, 3, 3, 5},       4 * (3 * 15 + 2 * 3 + 3 * 5),       15   },
        {{6, 10, 12, 5},     4 * (3 * 60 + 2 * 12 + 3 * 6),      60   },
        {{256, 64, 64, 256}, 4 * (3 * 16384 + 2 * 64 + 3 * 256), 16384}
    };
    size_t k = 0;
    const cJSON *sizes = get(unit, "sizes");
    while (k < 3 && cJSON_GetArrayItem(sizes, 0)->valuedouble != hand[k].sizes[0])
        k++;
    assert_true(k < 3);
    for (int i = 0; i < 4; i++)
        assert_true(cJSON_GetArrayItem(sizes, i)->valuedouble == hand[k].sizes[i]);
    const int fp16 = strcmp(get(unit, "dtype")->valuestring, "fp16") == 0;
    const double scale = fp16 ? 0.5 : 1;
    assert_true(number(unit, "bytes") == scale * hand[k].bytes);
    assert_true(number(unit, "elements") == hand[k].elements);
    assert_string_equal(get(unit, "kernel")->valuestring,
                        fp16 ? "f16_scalar" : "f32_scalar");
    assert_string_equal(get(unit, "entry")->valuestring, "general");
    assert_true(number(unit, "cores") == 1);
    assert_true(cJSON_IsFalse(get(unit, "predicted")));

    const double median = number(unit, "median");
    assert_true(median == median_by_counting(get(unit, "times"), repetitions));
    const cJSON *roof = get(unit, "roof"), *nt = get(roof, "stream_nt");
    double better = median_by_counting(get(roof, "stream"), repetitions);
    if (cJSON_GetArraySize(nt))
        better = fmin(better, median_by_counting(nt, repetitions));
    assert_true(number(roof, "median") == better);
    const double roof_bytes = scale * 4 * 3 * hand[k].elements;
    assert_true(number(roof, "bytes") == roof_bytes);
    const double fraction = better * (number(unit, "bytes") / roof_bytes) / median;
    assert_true(fabs(number(unit, "roof_fraction") - fraction) <= 1e-12 * fraction);
}

static void test_json(void **unused)
{
    (void)unused;
    for (int repetitions = 3; repetitions <= 4; repetitions++) {
        char options[256];
        snprintf(options, sizeof options,
                 "--shape 3x5 --shape 64x256 --shape 3x5 --sizes 6,10,12,5 --cores 1 "
                 "--impl f32_scalar --impl f16_scalar --repetitions %d",
                 repetitions);
        cJSON *result = json_of(options);
        assert_non_null(result);
        assert_true(lines() >= 1 + 6);
        static const char *const texts[] = {"schema",     "tool", "version",
                                            "commit",     "date", "suite",
                                            "suite_hash", "seed", "pinning"};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            assert_true(cJSON_IsString(get(result, texts[i])));
        assert_string_equal(get(result, "tool")->valuestring, "lng-bench");
        assert_string_equal(get(result, "suite")->valuestring, "custom");
        assert_true(number(get(result, "shard"), "n") == 1);
        assert_true(cJSON_IsTrue(get(result, "complete")));
        const cJSON *units = get(result, "units"), *unit;
        assert_int_equal(cJSON_GetArraySize(units), 3 * 2);
        cJSON_ArrayForEach(unit, units) check_unit(unit, repetitions);
        cJSON_Delete(result);
    }
}

/* A row in every group, and times where the library has a call for it: single precision,
 * a parameter for each element of a row. */
static void test_peer(void **unused)
{
    (void)unused;
    cJSON *result = json_of("--shape 64x256 --sizes 6,10,12,5 --cores 1 --repetitions 3 "
                            "--impl f32_scalar --impl f16_scalar --peer dnnl");
    if (!result && run("--peer dnnl", "2>&1") == 2 && strstr(output, "libdnnl2"))
        skip();
    assert_non_null(result);
    assert_int_equal(rows("f32_scalar   fp32 "), 2);
    assert_int_equal(rows("f16_scalar   fp16 "), 2);
    assert_int_equal(rows("dnnl         fp32 "), 2);
    assert_int_equal(rows("dnnl         fp16 "), 2);
    assert_int_equal(rows("dnnl         fp16                64x256     1  unsupported\n"),
                     1);
    const cJSON *units = get(result, "units");
    assert_int_equal(cJSON_GetArraySize(units), 5);
    const cJSON *ours = cJSON_GetArrayItem(units, 0),
                *peer = cJSON_GetArrayItem(units, 1);
    assert_string_equal(get(peer, "kernel")->valuestring, "dnnl");
    assert_int_equal(strncmp(get(peer, "dnnl_version")->valuestring, "2.", 2), 0);
    assert_true(number(peer, "median") == median_by_counting(get(peer, "times"), 3));
    assert_true(number(peer, "peer_ratio") == 1);
    const double ratio = number(peer, "median") / number(ours, "median");
    assert_true(fabs(number(ours, "peer_ratio") - ratio) <= 1e-12 * ratio);
    for (int i = 0; i < 5; i++) {
        const cJSON *unit = cJSON_GetArrayItem(units, i);
        assert_int_equal(cJSON_HasObjectItem(unit, "dnnl_version"), i == 1);
        assert_int_equal(cJSON_HasObjectItem(unit, "peer_ratio"), i < 2);
    }
    cJSON_Delete(result);
}

/* The median of process p of 3, by 2 repetitions each. */
static double of_process(const cJSON *times, int p)
{
    assert_int_equal(cJSON_GetArraySize(times), 3 * 2);
    return (cJSON_GetArrayItem(times, 2 * p)->valuedouble +
            cJSON_GetArrayItem(times, 2 * p + 1)->valuedouble) /
           2;
}

static void expect_ratio(double got, double expected)
{
    assert_true(fabs(got - expected) <= 1e-12 * expected);
}

static void test_processes(void **unused)
{
    (void)unused;
    cJSON *result = json_of("--shape 64x256 --sizes 6,10,12,5 --cores 1 --repetitions 2 "
                            "--impl f32_scalar --impl f16_scalar --processes 3");
    assert_non_null(result);
    assert_true(number(result, "processes") == 3);
    assert_int_equal(rows("medians of 3 processes"), 1);
    const cJSON *units = get(result, "units"), *unit;
    assert_int_equal(cJSON_GetArraySize(units), 4);
    double different = 0;
    cJSON_ArrayForEach(unit, units)
    {
        const cJSON *times = get(unit, "times"), *roof = get(unit, "roof");
        const cJSON *range = get(unit, "roof_fraction_range");
        const double bytes = number(unit, "bytes") / number(roof, "bytes");
        double ratio[3], low = INFINITY, high = 0, sum = 0;
        for (int p = 0; p < 3; p++) {
            double better = of_process(get(roof, "stream"), p);
            if (cJSON_GetArraySize(get(roof, "stream_nt")))
                better = fmin(better, of_process(get(roof, "stream_nt"), p));
            ratio[p] = better * bytes / of_process(times, p);
            low = fmin(low, ratio[p]);
            high = fmax(high, ratio[p]);
            sum += ratio[p];
        }
        expect_ratio(cJSON_GetArrayItem(range, 0)->valuedouble, low);
        expect_ratio(cJSON_GetArrayItem(range, 1)->valuedouble, high);
        assert_true(fabs(number(unit, "roof_fraction") - (sum - low - high)) <=
                    1e-12 * sum);
        assert_true(number(unit, "median") == median_by_counting(times, 6));
        different += high - low;
    }
    assert_true(different > 0); /* one process counted three times would be alike */
    cJSON_Delete(result);
}

int main(void)
{
    if (open_folder() != 0)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_peer),
                                       cmocka_unit_test(test_processes)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_folder();
    return failed;
}
