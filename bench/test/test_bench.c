/* SPDX-License-Identifier: Apache-2.0 */
/* lng-bench as a program: what it refuses and how, and what it says before it times. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "bench_program.h"
#include "layernormgrad.h"

#define SMALL "--shape 4x8 --repetitions 1 --benchmark_min_time=0.001 "

static void test_errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *options, *says;
    } wrong[] = {
        {"--frobnicate",                                  "'--frobnicate'"                        },
        {"8x8",                                           "'8x8'"                                 },
        {"--impl f99_none",                               "'f99_none'"                            },
        {"--impl",                                        "--impl: expected ID"                   },
        {"--impl ''",                                     "--impl: expected ID"                   },
        {"--shape 3",                                     "'3'"                                   },
        {"--shape 0x4",                                   "'0x4'"                                 },
        {"--shape 4x-3",                                  "'4x-3'"                                },
        {"--shape ' 4x4'",                                "' 4x4'"                                },
        {"--shape 4x4x4",                                 "'4x4x4'"                               },
        {"--shape 99999999999999999999x1",                "'99999999999999999999x1'"              },
        {"--shape 100000000x100000000",                   "140737488355328 elements"              },
        {"--shape 1000000x10000000",                      "available"                             },
        {"--sizes 2,3,4",                                 "'2,3,4'"                               },
        {"--sizes 2,3,4,5,6",                             "'2,3,4,5,6'"                           },
        {"--sizes 2,3,4,5",                               "2,3,4,5: param_num*param_size is 6"    },
        {"--dtype fp64",                                  "'fp64'"                                },
        {"--cores 0",                                     "'0'"                                   },
        {"--cores 100000",                                "'100000'"                              },
        {"--repetitions 0",                               "'0'"                                   },
        {"--repetitions 1e3",                             "'1e3'"                                 },
        {"--peer torch",                                  "'torch', expected dnnl"                },
        {"--peer",                                        "--peer: expected dnnl"                 },
        {"--suite nightly",                               "'nightly'"                             },
        {"--processes 0",                                 "'0'"                                   },
        {"--processes 1e3",                               "'1e3'"                                 },
        {SMALL "--processes 2 --benchmark_min_time=soon", "'--benchmark_min_time=soon'"           },
        {SMALL "--processes 2 --benchmark_out=/dev/null", "--json FILE"                           },
        {"--suite quick --shape 8x8",                     "--suite"                               },
        {"--impl f32_scalar --dtype fp16",                "nothing to run"                        },
        {SMALL "--benchmark_filter=nothing",              "--benchmark_filter"                    },
        {SMALL "'--benchmark_filter=('",                  "--benchmark_filter"                    },
        {SMALL "--benchmark_speed=9",                     "'--benchmark_speed=9'"                 },
        {SMALL "--benchmark_min_time=soon",               "'--benchmark_min_time=soon'"           },
        {SMALL "--benchmark_out_format=xml",              "--benchmark_ flag"                     },
        {SMALL "--benchmark_repetitions=3",               "--repetitions"                         },
        {SMALL "--benchmark_out=/nowhere/x",              "/nowhere/x"                            },
        {SMALL "--json /nowhere/x.json",                  "/nowhere/x.json: cannot"               },
        {SMALL "--json /",                                "/: cannot"                             },
        {SMALL "--json /dev/full",                        "/dev/full: cannot be written: No space"},
        {SMALL ">/dev/full",                              "standard output"                       },
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

/* Every shape in both types, by the best kernel alone. */
static void test_standard(void **unused)
{
    (void)unused;
    static const char *const shapes[] = {"8192x1024",
                                         "32768x1024",
                                         "65536x128",
                                         "4096x768",
                                         "2048x4096",
                                         "512x8192",
                                         "128x65536",
                                         "64x256",
                                         "1024x64",
                                         "1000003x7",
                                         "1x1048576",
                                         "8x8",
                                         "1048576,8,8192,1024",
                                         "256,32768,8192,1024",
                                         "768,10924,8193,1024"};
    const int count = (int)(sizeof shapes / sizeof *shapes);
    lng_kernel_info kernel;
    assert_int_equal(run("--suite standard --cores 1 --benchmark_list_tests", "2>&1"), 0);
    assert_int_equal(rows("f"), 2 * count);
    for (size_t i = 0; lng_kernel_at(i, &kernel) == LNG_OK; i++)
        for (int k = 0; k < count && kernel.best; k++) {
            char name[128];
            snprintf(name, sizeof name, "%s/%s/%s/cores:1/", kernel.id,
                     kernel.dtype == LNG_F16 ? "fp16" : "fp32", shapes[k]);
            assert_int_equal(rows(name), 1);
        }
    assert_int_equal(run("--suite standard --impl f32_scalar --cores 1 "
                         "--benchmark_list_tests",
                         "2>&1"),
                     0);
    assert_int_equal(rows("f32_scalar/fp32/"), count);
    assert_int_equal(rows("f"), count);
}

/* The memory comes before the table; and that there is but one processor. */
static void test_announcement(void **unused)
{
    (void)unused;
    double need, have;
    cpu_set_t allowed, one;
    assert_int_equal(run("--shape 64x256 --impl f32_scalar --cores 1 --repetitions 1 "
                         "--benchmark_min_time=0.001",
                         "2>&1"),
                     0);
    /* x, dy and dx are 196608 bytes, 2^-20 of which are 0.1875 */
    assert_int_equal(sscanf(output, "needs %lf MiB, %lf available\n", &need, &have), 2);
    assert_true(need >= 0.2 && need < 1 && have > 1);

    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    CPU_ZERO(&one);
    for (size_t cpu = 0; !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &allowed))
            CPU_SET(cpu, &one);
    const int many = CPU_COUNT(&allowed) > 1;
    assert_int_equal(rows("one processor"), !many);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(run(SMALL "--impl f32_scalar", "2>&1"), 0);
    assert_int_equal(rows("one processor"), 1);
    assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}

int main(void)
{
    if (open_folder() != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors), cmocka_unit_test(test_help_and_lists),
        cmocka_unit_test(test_missing_peer), cmocka_unit_test(test_standard),
        cmocka_unit_test(test_announcement)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_folder();
    return failed;
}
