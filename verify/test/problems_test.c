/* SPDX-License-Identifier: Apache-2.0 */
/* The problems of the tree are read as they were written, a generated one is the same
 * value ever after, and every problem tells how to rebuild it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "verify/inputs.h"

static char error[512];

static struct lng_data *read_good(const char *path)
{
    error[0] = '\0';
    struct lng_data *data = lng_data_read(path, error, sizeof(error));
    assert_string_equal(error, "");
    assert_non_null(data);
    return data;
}

static double get(const struct lng_data *data, const void *tensor, int64_t i)
{
    return lng_tensor_get(data->problem.dtype, tensor, i);
}

/* ---- The case files of the tree ------------------------------------------------ */

enum { DX = 1, DG = 2, DB = 4 };

/* Read off the files by eye: type, sizes, epsilon, and the outputs that exact names. */
static const struct {
    const char *name;
    lng_dtype dtype;
    int64_t sizes[4];
    double epsilon;
    int exact;
} cases[] = {
    {"c-term-dominant",            LNG_F32, {4, 1, 1, 4},       1e-5,           0           },
    {"constant-row",               LNG_F32, {4, 1, 1, 4},       0x1.4f8b58p-17, DG | DB     },
    {"doubled-mean-term",          LNG_F32, {4, 1, 1, 4},       0,              DX | DG | DB},
    {"eps-inside-the-root",        LNG_F32, {4, 1, 1, 4},       0x1.4f8b58p-17, 0           },
    {"given-mean-is-used",         LNG_F32, {2, 1, 1, 2},       0x1.4f8b58p-17, 0           },
    {"half-difference-overflow",   LNG_F16, {4, 1, 1, 4},       1e-5,           0           },
    {"half-double-rounding",       LNG_F16, {1, 3, 3, 1},       1e-5,           DB          },
    {"half-long-sum",              LNG_F16, {1, 4096, 4096, 1}, 1e-5,           DX | DG | DB},
    {"half-overflow",              LNG_F16, {4, 1, 1, 4},       1e-12,          DB          },
    {"half-partial-overflow",      LNG_F16, {1, 3, 3, 1},       1e-5,           DB          },
    {"large-mean",                 LNG_F32, {4, 1, 1, 4},       0x1.4f8b58p-17, 0           },
    {"missing-gamma",              LNG_F32, {4, 1, 1, 4},       0,              DX | DG | DB},
    {"nan-stays-in-its-row",       LNG_F32, {4, 2, 2, 4},       0,              0           },
    {"nan-variance-short-rows",    LNG_F32, {4, 2, 4, 2},       0,              0           },
    {"one-column",                 LNG_F32, {1, 5, 5, 1},       0x1.4f8b58p-17, DX | DG | DB},
    {"one-column-mean-differs",    LNG_F32, {1, 3, 3, 1},       0x1.4f8b58p-17, DX          },
    {"parameter-tie",              LNG_F32, {1, 2, 2, 1},       0,              0           },
    {"params-longer-than-rows",    LNG_F32, {4, 2, 4, 2},       1e-5,           0           },
    {"params-shorter-than-rows",   LNG_F32, {2, 4, 2, 4},       1e-5,           0           },
    {"row-leak",                   LNG_F32, {4, 2, 2, 4},       0,              DX | DG | DB},
    {"rstd-var-mix-up",            LNG_F32, {4, 1, 1, 4},       0,              DX | DG | DB},
    {"seed-ascend-example",        LNG_F32, {8, 8, 8, 8},       1e-4,           0           },
    {"subnormal-dy",               LNG_F32, {4, 1, 1, 4},       0,              DX | DG | DB},
    {"zero-epsilon-zero-variance", LNG_F32, {4, 2, 2, 4},       0,              0           },
};

/* Elements of them: of an input the number, of an output the word itself. */
static const struct {
    const char *name, *tensor;
    int64_t at;
    const char *word;
} spots[] = {
    {"c-term-dominant",            "mean",  0,    "100"                                  },
    {"c-term-dominant",            "dx",    3,    "-1.125121945772189908844184100380E+0" },
    {"constant-row",               "x",     3,    "1234"                                 },
    {"constant-row",               "dg",    3,    "0"                                    },
    {"doubled-mean-term",          "dx",    2,    "-0.5"                                 },
    {"eps-inside-the-root",        "var",   0,    "0x1.b7cdfep-34"                       },
    {"given-mean-is-used",         "x",     0,    "-0x1.d6f3c2p+0"                       },
    {"given-mean-is-used",         "dx",    1,    "1.437429035930714582979460180521E-3"  },
    {"half-difference-overflow",   "x",     1,    "-60000"                               },
    {"half-difference-overflow",   "dg",    0,    "3.907204023406299384097678509326E+2"  },
    {"half-double-rounding",       "dy",    2,    "0x1p-24"                              },
    {"half-double-rounding",       "db",    0,    "1.000488340854644775390625"           },
    {"half-long-sum",              "dy",    4095, "1"                                    },
    {"half-long-sum",              "db",    0,    "4096"                                 },
    {"half-overflow",              "x",     3,    "0x1.004p0"                            },
    {"half-overflow",              "dx",    3,    "-inf"                                 },
    {"half-partial-overflow",      "dy",    2,    "-60000"                               },
    {"large-mean",                 "x",     3,    "40003"                                },
    {"large-mean",                 "dx",    3,    "1.788815027633742826493201315894E-1"  },
    {"missing-gamma",              "gamma", 3,    "8"                                    },
    {"missing-gamma",              "dx",    1,    "-3"                                   },
    {"nan-stays-in-its-row",       "dx",    4,    "0.5"                                  },
    {"nan-stays-in-its-row",       "dg",    1,    "nan"                                  },
    {"nan-variance-short-rows",    "dg",    3,    "nan"                                  },
    {"one-column",                 "x",     4,    "1e6"                                  },
    {"one-column-mean-differs",    "x",     1,    "0x1.59999ap+1"                        },
    {"one-column-mean-differs",    "dg",    0,    "-8.542965579420016587719105428636E-1" },
    {"parameter-tie",              "dy",    0,    "16777216"                             },
    {"parameter-tie",              "db",    0,    "16777217"                             },
    {"params-longer-than-rows",    "mean",  3,    "27.5"                                 },
    {"params-longer-than-rows",    "dg",    3,    "-6.999989408359128081961931648694E+0" },
    {"params-shorter-than-rows",   "gamma", 1,    "-3"                                   },
    {"params-shorter-than-rows",   "db",    1,    "-11"                                  },
    {"row-leak",                   "dx",    6,    "-0.5"                                 },
    {"rstd-var-mix-up",            "var",   0,    "4"                                    },
    {"seed-ascend-example",        "var",   7,    "5.25"                                 },
    {"seed-ascend-example",        "db",    7,    "280"                                  },
    {"subnormal-dy",               "dy",    0,    "0x1p-147"                             },
    {"subnormal-dy",               "dx",    2,    "-2.802596928649634141847459166580E-45"},
    {"zero-epsilon-zero-variance", "x",     7,    "3"                                    },
    {"zero-epsilon-zero-variance", "dx",    7,    "nan"                                  },
};

static struct lng_data *read_case(const char *name)
{
    char path[256];
    snprintf(path, sizeof(path), LNG_SOURCE_DIR "/verify/cases/%s.case", name);
    struct lng_data *data = read_good(path);
    assert_string_equal(data->name, name);
    assert_null(data->warning);
    assert_null(data->family);
    return data;
}

static void cases_of_the_tree(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct lng_data *data = read_case(cases[c].name);
        const lng_problem *p = &data->problem;
        assert_int_equal(p->dtype, cases[c].dtype);
        assert_int_equal(p->param_num, cases[c].sizes[0]);
        assert_int_equal(p->param_size, cases[c].sizes[1]);
        assert_int_equal(p->block_num, cases[c].sizes[2]);
        assert_int_equal(p->block_size, cases[c].sizes[3]);
        assert_true(p->epsilon == cases[c].epsilon);
        for (int output = 0; output < LNG_OUTPUTS; output++) {
            assert_int_equal(data->expected[output].exact, cases[c].exact >> output & 1);
        }
        lng_data_free(data);
    }
}

static void elements_of_the_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
        struct lng_data *data = read_case(spots[i].name);
        int seen = 0;
        for (int k = 0; k < LNG_INPUTS; k++) {
            const struct lng_input input = lng_input_at(&data->problem, k);
            if (strcmp(input.name, spots[i].tensor) == 0) {
                assert_in_range(spots[i].at, 0, input.length - 1);
                assert_true(get(data, *input.tensor, spots[i].at) ==
                            strtod(spots[i].word, NULL));
                seen++;
            }
        }
        for (int output = 0; output < LNG_OUTPUTS; output++) {
            if (strcmp(lng_output_name[output], spots[i].tensor) == 0) {
                assert_string_equal(data->expected[output].words[spots[i].at],
                                    spots[i].word);
                seen++;
            }
        }
        assert_int_equal(seen, 1);
        lng_data_free(data);
    }
}

/* All the tensors of one case, and runs of equal words. */
static void a_whole_case(void **state)
{
    (void)state;
    struct lng_data *data =
        read_good(LNG_SOURCE_DIR "/verify/cases/nan-variance-short-rows.case");
    static const double x[8] = {1, 2, 3, 5, 8, 13, 21, 34};
    static const double dy[8] = {1, -1, 2, -2, 3, -3, 4, -5};
    static const double mean[4] = {1.5, 4, 10.5, 27.5}, gamma[4] = {1, 2, 3, 4};
    static const char *const dx[8] = {"0", "0", "nan", "nan", "0", "0", "0", "0"};
    for (int i = 0; i < 8; i++) {
        assert_true(get(data, data->problem.x, i) == x[i]);
        assert_true(get(data, data->problem.dy, i) == dy[i]);
        assert_string_equal(data->expected[LNG_DX].words[i], dx[i]);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(get(data, data->problem.mean, i) == mean[i]);
        assert_true(get(data, data->problem.gamma, i) == gamma[i]);
    }
    assert_true(get(data, data->problem.var, 0) == 0.25);
    assert_true(isnan(get(data, data->problem.var, 1)));
    assert_true(get(data, data->problem.var, 3) == 42.25);
    lng_data_free(data);
}

/* ---- The bundles of the tree --------------------------------------------------- */

static const struct {
    const char *name;
    lng_dtype dtype;
    int64_t N, H;
    double epsilon;
} bundles[] = {
    {"gpt192-b1l2",      LNG_F32, 128, 192, 1e-5},
    {"gpt77-b2l1-fp16",  LNG_F16, 250, 77,  1e-6},
    {"gpt96-b0l1",       LNG_F32, 256, 96,  1e-5},
    {"gpt96-final-fp16", LNG_F16, 256, 96,  1e-5},
};

/* First element, that at a third of the length, and the last, from another reader; five
 * inputs a bundle. */
static const double elements[][3] = {
    {-0x1.aa8696p+3, 0x1.492258p+2,   0x1.837d2p+3  }, /* gpt192-b1l2 x */
    {0x1.efe7e8p-16, 0x1.9f2eaep-18,  0x1.5b9de2p-16}, /* gpt192-b1l2 dy */
    {0x1.2a5334p-3,  0x1.49c382p-3,   0x1.eaf12ep-4 }, /* gpt192-b1l2 mean */
    {0x1.8f659ap+5,  0x1.0d0738p+6,   0x1.81c4e2p+5 }, /* gpt192-b1l2 var */
    {0x1.f98974p-1,  0x1.016c86p+0,   0x1.f1125cp-1 }, /* gpt192-b1l2 gamma */
    {0x1.decp+1,     -0x1.15p-6,      -0x1.204p-3   }, /* gpt77-b2l1-fp16 x */
    {0x1.7e8p-6,     -0x1.418p-8,     0x1.218p-7    }, /* gpt77-b2l1-fp16 dy */
    {0x1.94p-7,      0x1.e28p-4,      0x1.d08p-6    }, /* gpt77-b2l1-fp16 mean */
    {0x1.d28p+2,     0x1.0c4p+2,      0x1.8cp+2     }, /* gpt77-b2l1-fp16 var */
    {0x1.d6cp-1,     0x1.efcp-1,      0x1.f18p-1    }, /* gpt77-b2l1-fp16 gamma */
    {0x1.2975e4p-1,  0x1.c18e38p-6,   -0x1.011cfap+0}, /* gpt96-b0l1 x */
    {0x1.336b84p-16, -0x1.611c56p-16, 0x1.622feap-16}, /* gpt96-b0l1 dy */
    {0x1.4448eep-6,  0x1.34b9ep-3,    0x1.cf8e56p-4 }, /* gpt96-b0l1 mean */
    {0x1.ce0fd4p-1,  0x1.2cb3d2p+0,   0x1.11c1c2p+0 }, /* gpt96-b0l1 var */
    {0x1.eace66p-1,  0x1.e627d4p-1,   0x1.e5e838p-1 }, /* gpt96-b0l1 gamma */
    {-0x1.8dp+1,     0x1.26p+1,       -0x1.73cp+2   }, /* gpt96-final-fp16 x */
    {0x1.2acp-7,     -0x1.cb8p-2,     0x1.a6cp-4    }, /* gpt96-final-fp16 dy */
    {0x1.52cp-9,     0x1.2fcp-3,      0x1.79p-3     }, /* gpt96-final-fp16 mean */
    {0x1.364p+4,     0x1.538p+4,      0x1.874p+4    }, /* gpt96-final-fp16 var */
    {0x1.10cp+0,     0x1.17cp+0,      0x1.08cp+0    }, /* gpt96-final-fp16 gamma */
};

static void bundles_of_the_tree(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof(bundles) / sizeof(bundles[0]); b++) {
        char path[256];
        snprintf(path, sizeof(path), LNG_SOURCE_DIR "/verify/data/%s/", bundles[b].name);
        const int64_t N = bundles[b].N, H = bundles[b].H;
        struct lng_data *data = read_good(path);
        lng_problem *p = &data->problem;
        assert_string_equal(data->name, bundles[b].name);
        assert_int_equal(p->dtype, bundles[b].dtype);
        assert_true(p->param_num == H && p->param_size == N && p->block_num == N &&
                    p->block_size == H && p->epsilon == bundles[b].epsilon);
        for (size_t i = 0; i < LNG_INPUTS; i++) {
            const struct lng_input input = lng_input_at(p, (int)i);
            const double *expected = elements[b * LNG_INPUTS + i];
            assert_true(get(data, *input.tensor, 0) == expected[0]);
            assert_true(get(data, *input.tensor, input.length / 3) == expected[1]);
            assert_true(get(data, *input.tensor, input.length - 1) == expected[2]);
        }
        assert_null(data->results[LNG_DX]);
        assert_null(data->expected[LNG_DX].words);
        lng_data_free(data);
    }
}

/* ---- Options that rebuild ------------------------------------------------------ */

static void generated_problems_tell_their_options(void **state)
{
    (void)state;
    const struct lng_family *normal = lng_family_find("normal");
    const struct {
        struct lng_spec spec;
        const char *options, *factoring;
    } rows[] = {
        {{LNG_F32, 33, 4, 4, 33, 1e-5, normal, 0x5eed},
         "--shape 4x33 --dtype fp32 --input normal --seed 0x5eed",             "usual"  },
        {{LNG_F16, 33, 0, 0, 33, 1e-5, normal, UINT64_MAX},
         "--shape 0x33 --dtype fp16 --input normal --seed 0xffffffffffffffff", "usual"  },
        {{LNG_F16, 3, 0, 0, 7, 1e-5, normal, 2},
         "--sizes 3,0,0,7 --dtype fp16 --input normal --seed 0x2",             "mixed"  },
        {{LNG_F16, 8, 3, 6, 4, 1e-12, normal, 0},
         "--sizes 8,3,6,4 --dtype fp16 --input normal --seed 0x0 --epsilon "
         "9.9999999999999998e-13",                                             "longer" },
        {{LNG_F32, 2, 4, 1, 8, 0, lng_family_find("dyadic"), 1},
         "--sizes 2,4,1,8 --dtype fp32 --input dyadic --seed 0x1",             "shorter"},
        {{LNG_F32, 6, 2, 3, 4, 0x1p-126, lng_family_find("dyadic"), 1},
         "--sizes 6,2,3,4 --dtype fp32 --input dyadic --seed 0x1 --epsilon "
         "1.1754943508222875e-38",                                             "mixed"  },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct lng_data *data = lng_data_generate(&rows[i].spec);
        assert_string_equal(data->options, rows[i].options);
        assert_string_equal(lng_factoring(&data->problem), rows[i].factoring);
        assert_ptr_equal(data->family, rows[i].spec.family);
        assert_null(data->name);
        assert_int_equal(data->problem.core_mask, 1);
        assert_true(data->problem.epsilon == rows[i].spec.epsilon);
        lng_data_free(data);
    }
}

static void paths_are_quoted_for_a_shell(void **state)
{
    (void)state;
    static const struct {
        const char *name, *quoted;
    } rows[] = {
        {"plain-1.case", "--case %s/plain-1.case" },
        {"a case",       "--case '%s/a case'"     },
        {"it's $1",      "--case '%s/it'\\''s $1'"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[300];
        snprintf(expected, sizeof(expected), rows[i].quoted, scratch);
        struct lng_data *data = read_good(
            scratch_text(rows[i].name,
                         "name q\ndtype fp32\nparam_num 1\nparam_size 1\nblock_num 1\n"
                         "block_size 1\nepsilon 0\nx 1\ndy 1\nmean 0\nvar 1\ngamma 1\n"));
        assert_string_equal(data->options, expected);
        lng_data_free(data);
    }
}

/* ---- Everything -------------------------------------------------------------- */

static int read_and_count(const char *path, void *user)
{
    lng_data_free(read_good(path));
    ++*(int *)user;
    return 0;
}

static void everything_in_the_tree_is_readable(void **state)
{
    (void)state;
    int count = 0;
    assert_int_equal(lng_data_find(LNG_SOURCE_DIR "/verify/cases", read_and_count, &count,
                                   error, sizeof(error)),
                     0);
    assert_in_range(count, 24, 1000);
    count = 0;
    assert_int_equal(lng_data_find(LNG_SOURCE_DIR "/verify/data", read_and_count, &count,
                                   error, sizeof(error)),
                     0);
    assert_in_range(count, 4, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_the_tree),
        cmocka_unit_test(elements_of_the_cases),
        cmocka_unit_test(a_whole_case),
        cmocka_unit_test(bundles_of_the_tree),
        cmocka_unit_test(everything_in_the_tree_is_readable),
        cmocka_unit_test(generated_problems_tell_their_options),
        cmocka_unit_test(paths_are_quoted_for_a_shell),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
