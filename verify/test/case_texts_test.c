/* SPDX-License-Identifier: Apache-2.0 */
/* What a case file may say, and the one line that tells what is wrong. */
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

/* ---- What a case file may look like -------------------------------------------- */

static void a_file_of_every_notation(void **state)
{
    (void)state;
    struct lng_data *data = read_good(scratch_text(
        "every.case", "# comment\n"
                      "x-note 1 2 3\n"
                      "x-note again\n"
                      "\n"
                      "gamma 0x1.8p-1*2 +2.5e-1\r\n" /* before the sizes */
                      "\tname  spaced\n"
                      "dtype fp32\n"
                      "param_num 3\nparam_size 2\nblock_num 2\nblock_size 3\n"
                      "epsilon 0x1p-126\n"
                      "x 1*2 -.5 nan +inf -inf\n"
                      "dy 1e-45 0*4 -0\n"
                      "mean 0*2\n"
                      "var inf -1\n"
                      "expect_dx nonfinite*2 -inf nan inf 1e999\n"
                      "exact dx\n"));
    static const double x[3] = {1, 1, -0.5};
    const lng_problem *p = &data->problem;
    for (int i = 0; i < 3; i++) {
        assert_true(get(data, p->x, i) == x[i]);
    }
    assert_true(isnan(get(data, p->x, 3)));
    assert_true(get(data, p->x, 4) == (double)INFINITY);
    assert_true(get(data, p->x, 5) == -(double)INFINITY);
    assert_true(get(data, p->dy, 0) == 0x1p-149);
    assert_true(signbit(get(data, p->dy, 5)));
    assert_true(get(data, p->var, 0) == (double)INFINITY && get(data, p->var, 1) == -1);
    assert_true(get(data, p->gamma, 0) == 0.75 && get(data, p->gamma, 1) == 0.75);
    assert_true(get(data, p->gamma, 2) == 0.25);
    assert_true(p->epsilon == 0x1p-126);
    assert_string_equal(data->name, "spaced");
    assert_string_equal(data->expected[LNG_DX].words[1], "nonfinite");
    assert_string_equal(data->expected[LNG_DX].words[5], "1e999");
    assert_null(data->expected[LNG_DG].words);
    assert_true(data->expected[LNG_DX].exact && !data->expected[LNG_DG].exact);
    lng_data_free(data);
}

static void a_case_without_rows(void **state)
{
    (void)state;
    struct lng_data *data =
        read_good(scratch_text("empty.case", "name empty\ndtype fp16\nparam_num 3\n"
                                             "param_size 0\nblock_num 0\nblock_size 5\n"
                                             "epsilon 0\nx\ngamma 1 2 3\nexpect_dx\n"
                                             "expect_dg 0*3\nexact dx dg\n"));
    assert_non_null(data->problem.x);
    assert_non_null(data->problem.mean);
    assert_true(get(data, data->problem.gamma, 2) == 3);
    assert_string_equal(data->expected[LNG_DG].words[2], "0");
    lng_data_free(data);
}

/* Values that are none of the type are rounded once and from the decimal: by way of
 * double the fourth of each type would be the tie above it. The last one of each is what
 * a double of that text is in the type, so there is nothing to warn of. */
static void decimals_are_rounded_once(void **state)
{
    (void)state;
    static const struct {
        const char *dtype, *word;
        double value;
        int warned;
    } rows[] = {
        {"fp16", "0.1",                                      0x1.998p-4,        1},
        {"fp16", "1.00048828125",                            1,                 1},
        {"fp16", "1.00146484375",                            0x1.008p0,         1},
        {"fp16", "1.00048828125000000000000000001",          0x1.004p0,         1},
        {"fp16", "1.49016e-7",                               0x1.8p-23,         1}, /* 2.5 of the smallest and a little */
        {"fp16", "2.98023223876953125e-8",                   0,                 1},
        {"fp16", "2.98023223876953125000000000001e-8",       0x1p-24,           1},
        {"fp16", "-65519.99999999999999999999",              -65504,            1},
        {"fp16", "65520",                                    (double)INFINITY,  1},
        {"fp16", "0x1.0060000000000000001p0",                0x1.008p0,         1},
        {"fp16", "6.1035156250e-05",                         0x1p-14,           0},
        {"fp32", "0.1",                                      0x1.99999ap-4,     1},
        {"fp32", "1.000000059604644775390625",               1,                 1},
        {"fp32", "1.000000178813934326171875",               0x1.000004p0,      1},
        {"fp32", "1.00000005960464477539062500001",          0x1.000002p0,      1},
        {"fp32", "7.006492321624085e-46",                    0,                 1},
        {"fp32", "7.0064923216240853546186479164495807e-46", 0x1p-149,          1},
        {"fp32", "3.4028235677973366e38",                    0x1.fffffep127,    1},
        {"fp32", "3.4028235677973367e38",                    (double)INFINITY,  1},
        {"fp32", "-1e999",                                   -(double)INFINITY, 1},
        {"fp32", "1.100000023841858",                        0x1.19999ap0,      0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[400], warning[400];
        snprintf(
            text, sizeof(text),
            "name r\ndtype %s\nparam_num 1\nparam_size 1\nblock_num 1\nblock_size 1\n"
            "epsilon 0\nx 1\ndy %s\nmean 0\nvar 1\ngamma 1\n",
            rows[i].dtype, rows[i].word);
        const char *path = scratch_text("rounded.case", text);
        struct lng_data *data = read_good(path);
        if (get(data, data->problem.dy, 0) != rows[i].value) {
            fail_msg("%s %s became %a", rows[i].dtype, rows[i].word,
                     get(data, data->problem.dy, 0));
        }
        snprintf(warning, sizeof(warning), "%s: 1 value rounded to %s: dy[0] = %s to %a",
                 path, rows[i].dtype, rows[i].word, rows[i].value);
        if (rows[i].warned) {
            assert_string_equal(data->warning, warning);
        } else {
            assert_null(data->warning);
        }
        lng_data_free(data);
    }
}

/* A text whose last line does not end is what a cut leaves; it is read all the same. */
static void an_open_last_line_is_told(void **state)
{
    (void)state;
    const char *path = scratch_text(
        "open.case", "name o\ndtype fp32\nparam_num 1\nparam_size 1\nblock_num 1\n"
                     "block_size 1\nepsilon 0\nx 1\ndy 1\nmean 0\nvar 1\ngamma 12");
    struct lng_data *data = read_good(path);
    char warning[200];
    snprintf(warning, sizeof(warning),
             "%s:12: the last line does not end, is the file cut?", path);
    assert_string_equal(data->warning, warning);
    lng_data_free(data);
}

static void a_long_line(void **state)
{
    (void)state;
    static char text[40000];
    int length = snprintf(text, sizeof(text),
                          "name l\ndtype fp32\nparam_num 1\nparam_size 6000\n"
                          "block_num 6000\nblock_size 1\nepsilon 0\nmean 0*6000\n"
                          "var 1*6000\ngamma 1\nx 0*6000\ndy");
    for (int i = 0; i < 6000; i++) {
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %d", i);
    }
    struct lng_data *data = read_good(scratch_text("long.case", strcat(text, "\n")));
    for (int i = 0; i < 6000; i++) {
        assert_true(get(data, data->problem.dy, i) == i);
    }
    lng_data_free(data);
}

/* ---- What is wrong --------------------------------------------------------------- */

/* A case whose lines can be replaced one at a time, counted from 1. */
static const char *const lines[] = {
    "name good",    "dtype fp16", "param_num 3",   "param_size 2", "block_num 2",
    "block_size 3", "epsilon 0",  "x 1 2 3*4",     "dy 1*6",       "mean 0 1",
    "var 1 2",      "gamma 1*3",  "expect_db 2*3", "exact db"};
enum { LINES = sizeof(lines) / sizeof(lines[0]) };

/* clang-format off */
#define FROM(least) ", expected a whole number from " least " to 2147483647"
#define EPSILON ", expected 0 or a number from 2^-126 to 2^127"
#define PRODUCT ", expected param_num*param_size, which is 6"
#define NUMBER ", expected a number, nan or inf"
#define RESULT ", expected a number, inf, -inf, nan or nonfinite"
#define MORE "more values than the sizes say, expected "
#define NAMES ", expected names of outputs that have an expect_ line: dx dg db"
#define KEYS ": unknown key, expected one of the keys of a case, or x-NOTE"

/* Line `line` becomes `text`, or goes away (NULL); the error is PATH and then this. */
static const struct {
    int line;
    const char *text, *error;
} bad[] = {
    {1, NULL, ":13: name: missing, expected one word"},
    {1, "name a b", ":1: name: 2 values, expected one word"},
    {1, "name", ":1: name: 0 values, expected one word"},
    {2, NULL, ":13: dtype: missing, expected fp32 or fp16"},
    {2, "dtype fp64", ":2: dtype: 'fp64', expected fp32 or fp16"},
    {2, "dtype float32", ":2: dtype: 'float32', expected fp32 or fp16"},
    {3, NULL, ":13: param_num: missing" FROM("1")},
    {3, "param_num 0", ":3: param_num: '0'" FROM("1")},
    {3, "param_num -3", ":3: param_num: '-3'" FROM("1")},
    {3, "param_num 3.0", ":3: param_num: '3.0'" FROM("1")},
    {3, "param_num 2147483648", ":3: param_num: '2147483648'" FROM("1")},
    {3, "param_num 18446744073709551619", /* 2^64 + 3 */
     ":3: param_num: '18446744073709551619'" FROM("1")},
    {3, "param_num 3 3", ":3: param_num: 2 values" FROM("1")},
    {4, "param_size -0", ":4: param_size: '-0'" FROM("0")},
    {5, "block_num two", ":5: block_num: 'two'" FROM("0")},
    {5, "block_num 0", ":6: block_size: block_num*block_size is 0" PRODUCT},
    {6, "block_size 4", ":6: block_size: block_num*block_size is 8" PRODUCT},
    {6, NULL, ":13: block_size: missing" FROM("1")},
    {7, NULL, ":13: epsilon: missing" EPSILON},
    {7, "epsilon -1e-5", ":7: epsilon: '-1e-5'" EPSILON},
    {7, "epsilon nan", ":7: epsilon: 'nan'" EPSILON},
    {7, "epsilon inf", ":7: epsilon: 'inf'" EPSILON},
    {7, "epsilon 1e-38", ":7: epsilon: '1e-38'" EPSILON},
    {7, "epsilon 0x1.1p127", ":7: epsilon: '0x1.1p127'" EPSILON},
    {7, "epsilon small", ":7: epsilon: 'small'" EPSILON},
    {8, NULL, ":13: x: missing, expected 6 values"},
    {8, "x", ":8: x: 0 values, expected 6"},
    {8, "x 1 2 3*3", ":8: x: 5 values, expected 6"},
    {8, "x 1 2 3*5", ":8: x: " MORE "6"},
    {8, "x 1*999999999999999999", ":8: x: " MORE "6"},
    {8, "x 1*99999999999999999999999", ":8: x: " MORE "6"},
    {8, "x 1*0 1*6", ":8: x: '1*0', expected V*N, N times V"},
    {8, "x 1*", ":8: x: '1*', expected V*N, N times V"},
    {8, "x 1*-6", ":8: x: '1*-6', expected V*N, N times V"},
    {8, "x 1*2*3", ":8: x: '1*2*3', expected V*N, N times V"},
    {8, "x *6", ":8: x: value 1 is ''" NUMBER},
    {8, "x 1 2 3,4 5 6 7", ":8: x: value 3 is '3,4'" NUMBER},
    {8, "x 1 2 0x 4 5 6", ":8: x: value 3 is '0x'" NUMBER},
    {8, "x 1 2 3f 4 5 6", ":8: x: value 3 is '3f'" NUMBER},
    {8, "x 1*5 .", ":8: x: value 6 is '.'" NUMBER},
    {8, "x 1*5 --1", ":8: x: value 6 is '--1'" NUMBER},
    {8, "x 1*5 NaN", ":8: x: value 6 is 'NaN'" NUMBER},
    {8, "x 1*5 nan(1)", ":8: x: value 6 is 'nan(1)'" NUMBER},
    {8, "x 1*5 infinity", ":8: x: value 6 is 'infinity'" NUMBER},
    {8, "x 1*5 \x1b[31m", ":8: x: value 6 is '?[31m'" NUMBER},
    {8, "x 1*5 0123456789012345678901234567890123456789012345z",
     ":8: x: value 6 is '0123456789012345678901234567890123456789'" NUMBER},
    {9, "x 1*6", ":9: x: again, expected only line 8"},
    {10, "mean 0", ":10: mean: 1 values, expected 2"},
    {11, "var 1 2 3", ":11: var: " MORE "2"},
    {12, NULL, ":13: gamma: missing, expected 3 values"},
    {12, "Gamma 1*3", ":12: Gamma" KEYS},
    {12, "xnote 1", ":12: xnote" KEYS},
    {12, " # 1", ":12: #" KEYS},
    {13, "expect_db 2 2", ":13: expect_db: 2 values, expected 3"},
    {13, "expect_db 2*4", ":13: expect_db: " MORE "3"},
    {13, "expect_db 2*2 finite", ":13: expect_db: value 3 is 'finite'" RESULT},
    {13, "expect_db 2*2 -nan", ":13: expect_db: value 3 is '-nan'" RESULT},
    {13, NULL, ":13: exact: 'db'" NAMES},
    {14, "exact", ":14: exact: empty" NAMES},
    {14, "exact db dbeta", ":14: exact: 'dbeta'" NAMES},
    {14, "exact dx", ":14: exact: 'dx'" NAMES},
};
/* clang-format on */

static const char *write_case(const char *name, int line, const char *text)
{
    char all[1024] = "";
    for (int i = 1; i <= LINES; i++) {
        const char *now = i == line ? text : lines[i - 1];
        if (now) {
            strcat(strcat(all, now), "\n");
        }
    }
    return scratch_text(name, all);
}

static void check_error(const char *path, const char *after)
{
    char expected[512];
    snprintf(expected, sizeof(expected), "%s%s", path, after);
    struct lng_data *data = lng_data_read(path, error, sizeof(error));
    assert_null(data);
    assert_string_equal(error, expected);
}

static void wrong_cases_are_told_in_one_line(void **state)
{
    (void)state;
    lng_data_free(read_good(write_case("good.case", 0, NULL)));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        check_error(write_case("bad.case", bad[i].line, bad[i].text), bad[i].error);
    }
}

static void what_is_no_case_at_all(void **state)
{
    (void)state;
    check_error(scratch_text("empty.case", ""), ":0: name: missing, expected one word");
    check_error(
        scratch_write("nul.case", "name a\0b\n", 9),
        ": not text, or more than 67108864 bytes, expected lines of keys and values");
    check_error(
        "/dev/zero",
        ": not text, or more than 67108864 bytes, expected lines of keys and values");
    check_error(scratch_path("gone.case"),
                ": No such file or directory, expected a case file or a bundle");
    check_error(
        scratch_text("large.case",
                     "name l\ndtype fp32\nparam_num 1\nparam_size 100000000\n"
                     "block_num 100000000\nblock_size 1\nepsilon 0\nx 0*100000000\n"),
        ":3: param_num: too large for a case, expected at most 67108864 elements (a "
        "bundle has no such limit)");
}

/* Cut anywhere before the last input is whole a case is an error. Behind it what is left
 * may be a case, and the line that does not end is told. */
static void cut_cases_are_errors(void **state)
{
    (void)state;
    char text[1024], path[256];
    snprintf(path, sizeof(path), "%s", write_case("whole.case", 14, "exact db"));
    FILE *file = fopen(path, "r");
    const size_t length = fread(text, 1, sizeof(text), file);
    fclose(file);
    const size_t inputs = (size_t)(strstr(text, "gamma 1*3") - text) + 9;
    for (size_t cut = 0; cut < length; cut++) {
        struct lng_data *data =
            lng_data_read(scratch_write("cut.case", text, cut), error, sizeof(error));
        assert_true(data == NULL || cut >= inputs);
        assert_true(data == NULL || text[cut - 1] == '\n' || data->warning);
        lng_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_every_notation),
        cmocka_unit_test(a_case_without_rows),
        cmocka_unit_test(a_long_line),
        cmocka_unit_test(decimals_are_rounded_once),
        cmocka_unit_test(an_open_last_line_is_told),
        cmocka_unit_test(wrong_cases_are_told_in_one_line),
        cmocka_unit_test(what_is_no_case_at_all),
        cmocka_unit_test(cut_cases_are_errors),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
