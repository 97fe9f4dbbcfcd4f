/* SPDX-License-Identifier: Apache-2.0 */
/* What lng-report refuses, and how it says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_report.h"

#define ON(file) ARGUMENTS("--output", "page.html", file)

static void command_lines(void **state)
{
    (void)state;
    expect_refused((const char *const[]){NULL}, "no --output");
    expect_refused(ARGUMENTS("a.json"), "no --output, expected --output FILE.html");
    expect_refused(ARGUMENTS("--output"), "--output: expected a file after it");
    expect_refused(ARGUMENTS("--output", ""), "--output: expected a file after it");
    expect_refused(ARGUMENTS("--output", "page.html"), "no result file");
    expect_refused(ARGUMENTS("--output", "page.html", "--verdict", "a.json"),
                   "unknown option '--verdict', expected --output or --help");
    expect_refused(ARGUMENTS("--output=page.html", "a.json"),
                   "unknown option '--output=");
}

static void help_is_no_error(void **state)
{
    (void)state;
    struct outcome outcome = run_report(ARGUMENTS("--help"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.err, "");
    expect_text(outcome.out, "usage: lng-report --output FILE.html FILE.json...\n");
    outcome_free(&outcome);
}

static void files_that_are_none(void **state)
{
    (void)state;
    expect_refused(ON("absent.json"), "absent.json: No such file or directory");
    assert_int_equal(mkdir("folder.json", 0777), 0);
    expect_refused(ON("folder.json"), "folder.json: Is a directory");
    write_text("empty.json", "");
    expect_refused(ON("empty.json"), "empty.json: is empty");
    write_text("list.json", "[1, 2]");
    expect_refused(ON("list.json"), "list.json: expected a JSON object");
    write_text("text.json", "passed\n");
    expect_refused(ON("text.json"), "text.json: the JSON is cut or wrong at byte 1 of 7");
    write_text("twice.json", "{} {}");
    expect_refused(ON("twice.json"),
                   "twice.json: the JSON is cut or wrong at byte 4 of 5");
    write_text("object.json", "{}");
    expect_refused(ON("object.json"), "object.json: schema: missing");
    /* The second of two files is read as well. */
    char *good = fixture("verify.json");
    write_text("good.json", good);
    free(good);
    expect_refused(ARGUMENTS("--output", "page.html", "good.json", "absent.json"),
                   "absent.json: No such file");
}

static void cut_files(void **state)
{
    (void)state;
    char *whole = fixture("bench.json");
    /* The last two bytes are the brace and the end of its line. */
    for (size_t length = strlen(whole) - 2; length > 0;
         length = length > 400 ? length - 397 : length - 1) {
        whole[length] = 0;
        write_text("cut.json", whole);
        expect_refused(ON("cut.json"), "cut.json: the JSON is cut or wrong at byte ");
    }
    free(whole);
}

/* Every key that FORMAT.md requires and the page needs: renamed, it is missed by name. */
static void missing_keys(void **state)
{
    (void)state;
    static const struct {
        const char *file, *key, *path;
    } table[] = {
        {"verify.json", "schema",          "schema"                   },
        {"verify.json", "tool",            "tool"                     },
        {"verify.json", "version",         "version"                  },
        {"verify.json", "commit",          "commit"                   },
        {"verify.json", "date",            "date"                     },
        {"verify.json", "suite",           "suite"                    },
        {"verify.json", "suite_hash",      "suite_hash"               },
        {"verify.json", "seed",            "seed"                     },
        {"verify.json", "tolerance",       "tolerance"                },
        {"verify.json", "shard",           "shard"                    },
        {"verify.json", "i",               "shard.i"                  },
        {"verify.json", "n",               "shard.n"                  },
        {"verify.json", "machine",         "machine"                  },
        {"verify.json", "cpu",             "machine.cpu"              },
        {"verify.json", "processors",      "machine.processors"       },
        {"verify.json", "memory_bytes",    "machine.memory_bytes"     },
        {"verify.json", "os",              "machine.os"               },
        {"verify.json", "compiler",        "machine.compiler"         },
        {"verify.json", "flags",           "machine.flags"            },
        {"verify.json", "isa",             "machine.isa"              },
        {"verify.json", "kernels",         "kernels"                  },
        {"verify.json", "id",              "kernels[0].id"            },
        {"verify.json", "target",          "kernels[0].target"        },
        {"verify.json", "dtype",           "kernels[0].dtype"         },
        {"verify.json", "class",           "kernels[0].class"         },
        {"verify.json", "available",       "kernels[0].available"     },
        {"verify.json", "best",            "kernels[0].best"          },
        {"verify.json", "units",           "units"                    },
        {"verify.json", "kernel",          "units[0].kernel"          },
        {"verify.json", "entry",           "units[0].entry"           },
        {"verify.json", "problem",         "units[0].problem"         },
        {"verify.json", "sizes",           "units[0].sizes"           },
        {"verify.json", "family",          "units[0].family"          },
        {"verify.json", "factoring",       "units[0].factoring"       },
        {"verify.json", "verdict",         "units[0].verdict"         },
        {"verify.json", "ways",            "units[0].ways"            },
        {"verify.json", "note",            "units[0].note"            },
        {"verify.json", "bound",           "units[0].dx.bound"        },
        {"verify.json", "ratio",           "units[0].dx.ratio"        },
        {"verify.json", "ulps",            "units[0].dx.ulps"         },
        {"verify.json", "at",              "units[0].dx.at"           },
        {"verify.json", "elements_judged", "units[0].elements_judged" },
        {"verify.json", "judge_seconds",   "units[0].judge_seconds"   },
        {"verify.json", "totals",          "totals"                   },
        {"verify.json", "passed",          "totals.passed"            },
        {"verify.json", "failed",          "totals.failed"            },
        {"verify.json", "skipped",         "totals.skipped"           },
        {"verify.json", "problems",        "totals.problems"          },
        {"verify.json", "coverage",        "coverage"                 },
        {"verify.json", "families",        "coverage.families"        },
        {"verify.json", "factorings",      "coverage.factorings"      },
        {"verify.json", "mutants",         "mutants"                  },
        {"verify.json", "plants",          "mutants[0].plants"        },
        {"verify.json", "killed",          "mutants[0].killed"        },
        {"verify.json", "by",              "mutants[0].by"            },
        {"verify.json", "margin",          "mutants[0].margin"        },
        {"verify.json", "classes",         "classes"                  },
        {"verify.json", "k",               "classes.wide.dx.k"        },
        {"verify.json", "c",               "classes.wide.dx.c"        },
        {"verify.json", "u",               "classes.wide.dx.u"        },
        {"verify.json", "complete",        "complete"                 },
        {"bench.json",  "pinning",         "pinning"                  },
        {"bench.json",  "kernel",          "units[0].kernel"          },
        {"bench.json",  "entry",           "units[0].entry"           },
        {"bench.json",  "sizes",           "units[0].sizes"           },
        {"bench.json",  "cores",           "units[0].cores"           },
        {"bench.json",  "times",           "units[0].times"           },
        {"bench.json",  "median",          "units[0].median"          },
        {"bench.json",  "bytes",           "units[0].bytes"           },
        {"bench.json",  "elements",        "units[0].elements"        },
        {"bench.json",  "roof_fraction",   "units[0].roof_fraction"   },
        {"bench.json",  "predicted",       "units[0].predicted"       },
        {"bench.json",  "cycles",          "units[24].cycles"         },
        {"bench.json",  "compute_cycles",  "units[24].compute_cycles" },
        {"bench.json",  "transfer_cycles", "units[24].transfer_cycles"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char key[64], expected[128];
        snprintf(key, sizeof key, "\"%s\":", table[i].key);
        snprintf(expected, sizeof expected, "bad.json: %s: missing, expected ",
                 table[i].path);
        char *text = replaced(fixture(table[i].file), key, "\"renamed\":");
        write_text("bad.json", text);
        free(text);
        expect_refused(ON("bad.json"), expected);
    }
}

static void wrong_values(void **state)
{
    (void)state;
    static const struct {
        const char *file, *from, *to, *expected;
    } table[] = {
  /* clang-format off */
        {"verify.json", "\"lng-result/1\"", "\"lng-result/2\"",
         "bad.json: schema: is \"lng-result/2\", expected lng-result/1"},
        {"verify.json", "\"lng-verify\"", "\"lng-prove\"",
         "bad.json: tool: is \"lng-prove\", expected lng-verify or lng-bench"},
        {"verify.json", "\"0.1.0\"", "0.1",
         "bad.json: version: expected a text"},
        {"verify.json", "\"complete\": true", "\"complete\": \"yes\"",
         "bad.json: complete: expected true or false"},
        {"verify.json", "\"processors\": 2", "\"processors\": 1.5",
         "bad.json: machine.processors: expected a whole number"},
        {"verify.json", "\"processors\": 2", "\"processors\": -2",
         "bad.json: machine.processors: expected a whole number"},
        {"verify.json", "\"i\": 1, \"n\": 1}", "\"i\": 1, \"n\": \"1\"}",
         "bad.json: shard.n: expected a whole number"},
        {"verify.json", "{\"i\": 1, \"n\": 1}", "[1, 1]",
         "bad.json: shard: expected an object"},
        {"verify.json", "\"dtype\": \"fp32\"", "\"dtype\": \"bf16\"",
         "bad.json: kernels[0].dtype: is \"bf16\", expected fp32 or fp16"},
        {"verify.json", "[33, 4, 4, 33]", "[33, 4, 4]",
         "bad.json: units[0].sizes: expected four whole numbers"},
        {"verify.json", "[33, 4, 4, 33]", "[33, 4, 4, 33, 1]",
         "bad.json: units[0].sizes: expected four whole numbers"},
        {"verify.json", "[33, 4, 4, 33]", "[33, 4, 4, \"33\"]",
         "bad.json: units[0].sizes: expected four whole numbers"},
        {"verify.json", "[33, 4, 4, 33]", "\"4x33\"",
         "bad.json: units[0].sizes: expected an array"},
        {"verify.json", "\"verdict\": \"passed\"", "\"verdict\": \"ok\"",
         "bad.json: units[0].verdict: is \"ok\", expected passed, failed or skipped"},
        {"verify.json", "\"ratio\": 0.9991", "\"ratio\": \"infinity\"",
         "bad.json: units[0].dx.ratio: expected a number, \"inf\", \"-inf\" or \"nan\""},
        {"verify.json", "\"ratio\": 0.9991", "\"ratio\": null",
         "bad.json: units[0].dx.ratio: expected a number"},
        {"verify.json", "\"dg\": {", "\"dg\": 1, \"rest\": {",
         "bad.json: units[0].dg: expected an object"},
        {"verify.json", "\"bits\": \"1c", "\"bits\": \"1",
         "bad.json: units[0].bits: expected 16 hex digits"},
        {"verify.json", "\"bits\": \"1c", "\"bits\": \"1C",
         "bad.json: units[0].bits: expected 16 hex digits"},
        {"verify.json", "[0, 1, 3]", "[0, 1, 4]",
         "bad.json: units[0].ways: expected whole numbers below 4"},
        {"verify.json", "[0, 1, 3]", "[0, -1]",
         "bad.json: units[0].ways: expected whole numbers below 4"},
        {"verify.json", "\"plain\", ", "1, ",
         "bad.json: ways: expected up to 64 texts"},
        {"verify.json", "\"u\": 1", "\"u\": -1",
         "bad.json: classes.wide.dx.u: expected a finite number above 0"},
        {"verify.json", "\"passed\": 9", "\"passed\": 10",
         "bad.json: totals.passed: is 10, but units and mutants make 9"},
        {"verify.json", "\"killed\": true", "\"killed\": false",
         "bad.json: totals.failed: is 0, but units and mutants make 1"},
        {"verify.json", "\"elements_judged\": 119021", "\"elements_judged\": 119022",
         "bad.json: totals.elements_judged: is 119022, but the units make 119021"},
        {"verify.json", "\"normal\": 2", "\"normal\": \"2\"",
         "bad.json: coverage.families.normal: expected a whole number"},
        {"bench.json", "\"cores\": 1", "\"cores\": 0",
         "bad.json: units[0].cores: expected a finite number above 0"},
        {"bench.json", "\"median\": 6e-06", "\"median\": \"nan\"",
         "bad.json: units[0].median: expected a finite number above 0"},
        {"bench.json", "\"median\": 6e-06", "\"median\": 1e999",
         "bad.json: units[0].median: expected a finite number above 0"},
        {"bench.json", "[5.88e-06,", "[-5.88e-06,",
         "bad.json: units[0].times[0]: expected a finite number above 0"},
        {"bench.json", "[5.88e-06, 6e-06, 6.18e-06]", "[]",
         "bad.json: units[0].times: is empty"},
        {"bench.json", "\"times\": [], \"median\": 0.02", "\"times\": [0.02], \"median\": 0.02",
         "bad.json: units[24].times: expected none, for it is predicted"},
        {"bench.json",
         "\"times\": [], \"median\": 0.01, \"cycles\": 10000000, \"compute_cycles\": 7500000, "
         "\"transfer_cycles\": 9000000, \"bytes\": 37790720, \"elements\": 3145728, "
         "\"predicted\": true",
         "\"times\": [0.01], \"median\": 0.01, \"roof_fraction\": 0.5, \"bytes\": 37790720, "
         "\"elements\": 3145728, \"predicted\": false",
         "bad.json: units[25].predicted: expected true, as for f32_ft78ne before"},
        {"bench.json", "\"units\": [", "\"units\": [5,",
         "bad.json: units[0]: expected an object"},
  /* clang-format on */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = replaced(fixture(table[i].file), table[i].from, table[i].to);
        write_text("bad.json", text);
        free(text);
        expect_refused(ON("bad.json"), table[i].expected);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)
    const struct CMUnitTest tests[] = {TEST(command_lines),       TEST(help_is_no_error),
                                       TEST(files_that_are_none), TEST(cut_files),
                                       TEST(missing_keys),        TEST(wrong_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
