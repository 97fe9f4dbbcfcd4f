/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* popen, mkdtemp */
/* lng-verify as a user meets it: wrong words, wrong files, full disks, reproducers. */
#include <unistd.h>

#include "core/kernel.h"
#include "support.h"

static char output[1 << 20];

static void wrong_usage_is_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *command, *message;
    } table[] = {
        {"$V --nonsense",                                             "unknown option --nonsense"                           },
        {"$V word",                                                   "unexpected word word"                                },
        {"$V --shape",                                                "--shape needs a value"                               },
        {"$V --shape 4",                                              "--shape 4: expected NxH"                             },
        {"$V --shape 4x",                                             "--shape 4x: expected NxH"                            },
        {"$V --shape 4x4x4",                                          "--shape 4x4x4: expected NxH"                         },
        {"$V --shape 4x0",                                            "is 0, expected 1"                                    },
        {"$V --shape -1x4",                                           "is -1, expected"                                     },
        {"$V --shape 99999999999x99999999999",                        "--shape 99999999999x99999999999: "                   },
        {"$V --shape 1000000x1000000",                                "more than"                                           },
        {"$V --sizes 4,1,1",                                          "--sizes 4,1,1: expected PN,PS,BN,BS"                 },
        {"$V --sizes 4,2,1,4",                                        "param_num*param_size is 8, block_num*block_size is 4"},
        {"$V --shape 4x4 --sizes 4,4,4,4",                            "expected one of"                                     },
        {"$V --shape 4x4 --suite smoke",                              "expected one of"                                     },
        {"$V --shape 4x4 --case x",                                   "expected one of"                                     },
        {"$V --suite nonsense",                                       "--suite nonsense: expected smoke, sweep or full"     },
        {"$V --suite smoke --input normal",                           "--input goes with --shape"                           },
        {"$V --suite smoke --seed 1",                                 "--seed goes with --shape"                            },
        {"$V --suite smoke --epsilon 1",                              "--epsilon goes with --shape"                         },
        {"$V --shape 4x4 --dtype fp64",                               "--dtype fp64: expected fp32 or fp16"                 },
        {"$V --shape 4x4 --input nonsense",                           "--input nonsense: expected normal"                   },
        {"$V --shape 4x4 --seed x",                                   "--seed x: expected a whole number"                   },
        {"$V --shape 4x4 --seed -1",                                  "--seed -1: expected a whole number"                  },
        {"$V --shape 4x4 --cores 0",                                  "--cores 0: expected a mask"                          },
        {"$V --shape 4x4 --cores 0x80000000",                         "expected a mask"                                     },
        {"$V --impl f32_ft78ne --shape 4x4 --cores 0x100",
         "--cores 0x100: f32_ft78ne has 8 cores, expected 0x1 to 0xff"                                                      },
        {"$V --impl f16_mt7004 --shape 4x4 --cores 0x10",
         "--cores 0x10: f16_mt7004 has 4 cores, expected 0x1 to 0xf"                                                        },
        {"$V --shape 4x4 --cores 1 --entry p",                        "the entry p has no mask"                             },
        {"$V --shape 4x4 --entry q",                                  "--entry q: expected s, p or general"                 },
        {"$V --shape 4x4 --entry s --entry s",
         "--entry s: expected s, p or general, each once"                                                                   },
        {"$V --shape 4x4 --epsilon -1",                               "--epsilon -1: expected 0 or"                         },
        {"$V --shape 4x4 --epsilon nan",                              "--epsilon nan: expected 0 or"                        },
        {"$V --shape 4x4 --tolerance loose",                          "--tolerance loose: expected"                         },
        {"$V --shape 4x4 --timeout 0",                                "--timeout 0: expected seconds"                       },
        {"$V --shape 4x4 --jobs 0",                                   "--jobs 0: expected 1 to 1024"                        },
        {"$V --shape 4x4 --color pink",                               "--color pink: expected"                              },
        {"$V --shape 4x4 --shape 4x4",                                "--shape is given twice"                              },
        {"$V --impl nonsense",                                        "--impl nonsense: no such kernel"                     },
        {"$V --impl f32_scalar --impl f32_scalar",                    "named twice"                                         },
        {"$V --impl f32_scalar --shape 4x4 --dtype fp16",             "nothing is selected"                                 },
        {"$V --impl mutant_doubled_mean --shape 4x4 --entry s",
         "planted faults have the entry general alone"                                                                      },
        {"$V --shape 4x4 --json /dev/full",                           "/dev/full: cannot be written"                        },
        {"$V --shape 4x4 --json /nonexistent/x.json",
         "/nonexistent/x.json: cannot be written"                                                                           },
        {"$V --shape 4x4 --junit /nonexistent/x.xml",
         "/nonexistent/x.xml: cannot be written"                                                                            },
        {"$V --list >/dev/full",                                      "standard output: cannot be written"                  },
        {"$V --help >/dev/full",                                      "standard output: cannot be written"                  },
        {"$V -ab",                                                    "unknown option -ab"                                  },
        {"$V --shape 4x4 >/dev/full",                                 "standard output: cannot be written"                  },
        {"$V --case /nonexistent",                                    "/nonexistent"                                        },
        {"printf 'name x\\ndtype fp32\\n' >t.case; $V --case t.case", "t.case"                                              },
        {"mkdir -p empty; $V --case empty",                           "empty"                                               },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int status = run_tool(table[i].command, output, sizeof output);
        const char *end = strchr(output, '\n');
        if (status != 2 || !end || end[1] || strncmp(output, "lng-verify: ", 12) != 0 ||
            !strstr(output, table[i].message))
            fail_msg("%s\nstatus %d: %s", table[i].command, status, output);
    }
}

/* Every line that a wrong kernel gets is a command that fails in the same words. */
static void reproducers_reproduce(void **state)
{
    (void)state;
    static const char *const mutants[] = {"mutant_doubled_mean",
                                          "mutant_half_accumulation",
                                          "mutant_lost_update",
                                          "mutant_stale_partial_sums",
                                          "mutant_whole_vectors_stored",
                                          "mutant_dx_before_parameters",
                                          "control_f32 --impl mutant_sums_by_width"};
    static char again[1 << 16];
    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        char command[4096];
        snprintf(command, sizeof command, "$V --suite smoke --color never --impl %s",
                 mutants[m]);
        assert_int_equal(run_tool(command, output, sizeof output), 1);
        int tried = 0;
        for (char *line = strstr(output, "FAIL "); line && tried < 5; tried++) {
            char *end = strchr(line, '\n');
            char *repro = strstr(end, "  repro: lng-verify ");
            assert_ptr_equal(repro, end + 1);
            *end = 0;
            repro += strlen("  repro: lng-verify ");
            char *stop = strchr(repro, '\n');
            *stop = 0;
            snprintf(command, sizeof command, "$V --color never %s", repro);
            assert_int_equal(run_tool(command, again, sizeof again), 1);
            if (!strstr(again, line) && !strstr(line, "crashed"))
                fail_msg("%s\n%s\nbut then\n%s", line, command, again);
            line = strstr(stop + 1, "FAIL ");
        }
        assert_true(tried > 0);
    }
}

/* A copy of the kernel's line in the output; empty: it has none. */
static const char *line_of(const struct lng_kernel *kernel)
{
    static char line[1000];
    char id[64];
    snprintf(id, sizeof id, "%s ", kernel->id);
    const char *begin = strstr(output, id);
    snprintf(line, sizeof line, "%.*s", begin ? (int)strcspn(begin, "\n") : 0,
             begin ? begin : "");
    return line;
}

/* And says so in its line. */
static int only_what_cannot_run_is_skipped(void)
{
    for (size_t k = 0; k < lng_kernels_count; k++) {
        const char *line = line_of(&lng_kernels[k]);
        if (*line && !strstr(line, " 0 skipped") &&
            (lng_kernels[k].available() || !strstr(line, "skipped: this processor")))
            return 0;
    }
    return 1;
}

static void a_right_kernel_ends_0(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "$V --shape 4x33",
        "$V --shape 0x7 --dtype fp16",
        "$V --sizes 6,10,20,3 --input large-mean --seed 0x7 --epsilon 0.5 --entry s "
        "--cores 0xf",
        "$V --shape 4x33 --entry s --entry general --cores 0x7fffffff",
        "$V --shape 4x33 --tolerance single",
        "$V --shape 4x33 --impl f32_ft78ne --entry s --cores 0x80",
        "$V --shape 9x33 --impl f32_mt7004 --entry s --entry p --cores 0x5",
        "$V --case " LNG_SOURCE_DIR "/verify/cases --case " LNG_SOURCE_DIR "/verify/data",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const int status = run_tool(commands[i], output, sizeof output);
        if (status != 0 || !strstr(output, " passed, 0 failed, ") ||
            !only_what_cannot_run_is_skipped())
            fail_msg("%s\nstatus %d: %s", commands[i], status, output);
    }
}

/* Masks beyond a DSP's cores: its documented call without a mask is judged all the same. */
static void cores_that_a_target_lacks(void **state)
{
    (void)state;
    static const char skips[] =
        "skipped: --cores names cores that the target does not have";
    assert_int_equal(run_tool("$V --shape 4x33 --cores 0x10 --entry s --entry p", output,
                              sizeof output),
                     0);
    for (size_t k = 0; k < lng_kernels_count; k++) {
        const char *line = line_of(&lng_kernels[k]);
        const int lacks = lng_kernels[k].cores < 5 && lng_kernels[k].dtype == LNG_F32;
        assert_int_equal(strstr(line, skips) != NULL, lacks);
        if (lacks)
            assert_non_null(strstr(line, " 1 passed   0 failed   1 skipped"));
    }
}

static void the_list_marks_the_best(void **state)
{
    (void)state;
    assert_int_equal(run_tool("LNG_ISA=scalar $V --list", output, sizeof output), 0);
    assert_non_null(strstr(output, "* f32_scalar"));
    assert_non_null(strstr(output, "* f16_scalar"));
    assert_non_null(strstr(output, "f32_ft78ne     ft78ne   fp32   2 lanes   8 cores"));
    assert_non_null(strstr(output, "f16_mt7004     mt7004   fp16  16 lanes   4 cores"));
    assert_int_equal(run_tool("LNG_ISA=nonsense $V --list", output, sizeof output), 0);
    assert_non_null(strstr(output, "nonsense"));
}

/* A planted failure is in every output: exit status, JSON and JUnit. */
static void failures_are_written(void **state)
{
    (void)state;
    assert_int_equal(
        run_tool("$V --impl mutant_swapped_dg_db --shape 4x33 --json r.json --junit "
                 "r.xml --quiet",
                 output, sizeof output),
        1);
    run_tool("cat r.json", output, sizeof output);
    assert_non_null(strstr(output, "\"schema\":\"lng-result/1\""));
    assert_non_null(strstr(output, "\"verdict\":\"failed\""));
    assert_non_null(strstr(output, "\"problem\":\"--shape 4x33 --dtype fp32"));
    run_tool("cat r.xml", output, sizeof output);
    assert_non_null(strstr(output, "failures=\"1\""));
    assert_non_null(strstr(output, "<failure message=\""));
    assert_int_not_equal(access("r.json.tmp", F_OK), 0);
}

/* Bits that are not those of another kernel: both hashes, the ways, and against which. */
static void bits_are_written(void **state)
{
    (void)state;
    assert_int_equal(
        run_tool("$V --impl mutant_negative_zero --impl control_f16 --shape 3x1 "
                 "--dtype fp16 --json r.json --quiet",
                 output, sizeof output),
        1);
    run_tool("cat r.json", output, sizeof output);
    assert_non_null(strstr(output, "\"ways\":[\"plain\",\"2 workers\","));
    const char *first = strstr(output, "\"bits\":\"");
    assert_non_null(first);
    const char *second = strstr(first + 1, "\"bits\":\"");
    assert_non_null(second);
    assert_int_not_equal(strncmp(first, second, strlen("\"bits\":\"") + 16), 0);
    assert_int_equal(strspn(second + strlen("\"bits\":\""), "0123456789abcdef"), 16);
    assert_non_null(strstr(second, "\"ways\":[0,1,2,3,4,6,"));
    assert_non_null(strstr(second, "\"against\":{\"kernel\":\"mutant_negative_zero\","
                                   "\"entry\":\"general\"}"));
}

int main(void)
{
    char scratch[] = "/tmp/lng-test-XXXXXX";
    if (!mkdtemp(scratch) || chdir(scratch) != 0)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_usage_is_one_line),
                                       cmocka_unit_test(reproducers_reproduce),
                                       cmocka_unit_test(a_right_kernel_ends_0),
                                       cmocka_unit_test(cores_that_a_target_lacks),
                                       cmocka_unit_test(the_list_marks_the_best),
                                       cmocka_unit_test(failures_are_written),
                                       cmocka_unit_test(bits_are_written)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_tool("cd / && rm -rf \"$OLDPWD\"", output, sizeof output);
    return failed;
}
