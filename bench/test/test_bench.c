/* SPDX-License-Identifier: Apache-2.0 */
/* lng-bench as a program: what it refuses and how, and that its JSON is complete and
 * agrees with itself. LNG_BENCH is the path of the program. */
#define _GNU_SOURCE /* popen, mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <cjson/cJSON.h>

#include "layernormgrad.h"

static char folder[] = "/tmp/lng_bench_XXXXXX";
static char output[1 << 20];

/* The exit status; output holds what it wrote to the stream that `redirect` leaves over.
 */
static int run_with(const char *environment, const char *options, const char *redirect)
{
    char command[1024];
    snprintf(command, sizeof command, "%s %s %s %s", environment, LNG_BENCH, options,
             redirect);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run(const char *options, const char *redirect)
{
    return run_with("", options, redirect);
}

#define SMALL "--shape 4x8 --repetitions 1 --benchmark_min_time=0.001 "

static void test_errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *options, *says;
    } wrong[] = {
        {"--frobnicate",                     "'--frobnicate'"                        },
        {"8x8",                              "'8x8'"                                 },
        {"--impl f99_none",                  "'f99_none'"                            },
        {"--impl",                           "--impl: expected ID"                   },
        {"--impl ''",                        "--impl: expected ID"                   },
        {"--shape 3",                        "'3'"                                   },
        {"--shape 0x4",                      "'0x4'"                                 },
        {"--shape 4x-3",                     "'4x-3'"                                },
        {"--shape ' 4x4'",                   "' 4x4'"                                },
        {"--shape 4x4x4",                    "'4x4x4'"                               },
        {"--shape 99999999999999999999x1",   "'99999999999999999999x1'"              },
        {"--shape 100000000x100000000",      "140737488355328 elements"              },
        {"--shape 1000000x10000000",         "available"                             },
        {"--sizes 2,3,4",                    "'2,3,4'"                               },
        {"--sizes 2,3,4,5,6",                "'2,3,4,5,6'"                           },
        {"--sizes 2,3,4,5",                  "2,3,4,5: param_num*param_size is 6"    },
        {"--dtype fp64",                     "'fp64'"                                },
        {"--cores 0",                        "'0'"                                   },
        {"--cores 100000",                   "'100000'"                              },
        {"--repetitions 0",                  "'0'"                                   },
        {"--repetitions 1e3",                "'1e3'"                                 },
        {"--peer torch",                     "'torch', expected dnnl"                },
        {"--peer",                           "--peer: expected dnnl"                 },
        {"--suite nightly",                  "'nightly'"                             },
        {"--suite quick --shape 8x8",        "--suite"                               },
        {"--impl f32_scalar --dtype fp16",   "nothing to run"                        },
        {SMALL "--benchmark_filter=nothing", "--benchmark_filter"                    },
        {SMALL "'--benchmark_filter=('",     "--benchmark_filter"                    },
        {SMALL "--benchmark_speed=9",        "'--benchmark_speed=9'"                 },
        {SMALL "--benchmark_min_time=soon",  "'--benchmark_min_time=soon'"           },
        {SMALL "--benchmark_out_format=xml", "--benchmark_ flag"                     },
        {SMALL "--benchmark_repetitions=3",  "--repetitions"                         },
        {SMALL "--benchmark_out=/nowhere/x", "/nowhere/x"                            },
        {SMALL "--json /nowhere/x.json",     "/nowhere/x.json: cannot"               },
        {SMALL "--json /",                   "/: cannot"                             },
        {SMALL "--json /dev/full",           "/dev/full: cannot be written: No space"},
        {SMALL ">/dev/full",                 "standard output"                       },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *redirect =
            strchr(wrong[i].options, '>') ? "2>&1 >/dev/full" : "2>&1 >/dev/null";
        char options[256];
        snprintf(options, sizeof options, "%s", wrong[i].options);
        if (strchr(options, '>'))
            *strchr(options, '>') = 0;
        const int status = run(options, redirect);
        const char *newline = strchr(output, '\n');
        if (status != 2 || strncmp(output, "lng-bench: ", 11) != 0 || !newline ||
            newline[1] != 0 || !strstr(output, wrong[i].says))
            fail_msg("%s: status %d, said: %s", wrong[i].options, status, output);
    }
}

static void test_help_and_lists(void **unused)
{
    (void)unused;
    assert_int_equal(run("--help", "2>&1"), 0);
    assert_non_null(strstr(output, "--repetitions"));
    assert_int_equal(run("--list", "2>&1"), 0);
    lng_kernel_info kernel;
    for (size_t i = 0; lng_kernel_at(i, &kernel) == LNG_OK; i++)
        assert_non_null(strstr(output, kernel.id));
    assert_non_null(strstr(output, "8192x1024"));
    assert_int_equal(
        run("--impl f32_scalar --shape 3x5 --cores 1 --benchmark_list_tests", "2>&1"), 0);
    assert_int_equal(strncmp(output, "f32_scalar/fp32/3x5/cores:1", 27), 0);
    char *again = strstr(output, "f32_scalar");
    assert_null(strstr(again + 1, "f32_scalar"));
}

static int lines(const char *text)
{
    int count = 0;
    while ((text = strchr(text, '\n'))) {
        count++;
        text++;
    }
    return count;
}

/* A library of that name that is none stands first on the way to it. */
static void test_missing_peer(void **unused)
{
    (void)unused;
    char path[128], variable[256];
    snprintf(path, sizeof path, "%s/libdnnl.so.2", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    snprintf(variable, sizeof variable, "LD_LIBRARY_PATH=%s", folder);
    assert_int_equal(run_with(variable, SMALL "--peer dnnl", "2>&1"), 2);
    assert_string_equal(output, "lng-bench: --peer dnnl: libdnnl.so.2 cannot be loaded, "
                                "expected the package libdnnl2\n");
    assert_int_equal(run_with(variable, SMALL, "2>&1"), 0);
    remove(path);
}

static const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item)
        fail_msg("no key %s", key);
    return item;
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* By counting: as many at or below it as at or above it, and it is the middle of its two
 * neighbours where the count is even. */
static double median_by_counting(const cJSON *times, int expected)
{
    const int n = cJSON_GetArraySize(times);
    assert_int_equal(n, expected);
    double low = INFINITY, high = INFINITY;
    const cJSON *a, *b;
    cJSON_ArrayForEach(a, times)
    {
        int upto = 0;
        assert_true(a->valuedouble > 0 && a->valuedouble < 10);
        cJSON_ArrayForEach(b, times) upto += b->valuedouble <= a->valuedouble;
        if (2 * upto >= n && a->valuedouble < low)
            low = a->valuedouble;
        if (2 * upto > n && a->valuedouble < high)
            high = a->valuedouble;
    }
    return (low + high) / 2;
}

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

/* Runs the program; NULL where it ends with another status than 0. The table stays in
 * output. */
static cJSON *json_of(const char *options)
{
    static char text[sizeof output];
    char all[512], path[128];
    snprintf(path, sizeof path, "%s/out.json", folder);
    snprintf(all, sizeof all, "%s --benchmark_min_time=0.001 --json %s", options, path);
    if (run(all, "") != 0)
        return NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    remove(path);
    cJSON *result = cJSON_Parse(text);
    assert_non_null(result);
    return result;
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
        assert_true(lines(output) >= 1 + 6);
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

static int rows(const char *start)
{
    int count = 0;
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, start, strlen(start)) == 0;
    }
    return count;
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

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors), cmocka_unit_test(test_help_and_lists),
        cmocka_unit_test(test_json), cmocka_unit_test(test_peer),
        cmocka_unit_test(test_missing_peer)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
