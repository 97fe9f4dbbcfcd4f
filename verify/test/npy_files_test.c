/* SPDX-License-Identifier: Apache-2.0 */
/* .npy files, written here byte by byte, and bundles of them. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "verify/inputs.h"
#include "verify/npy.h"

static char error[512];

/* ---- One file ------------------------------------------------------------------ */

/* Writes magic, version, the length of the literal, the literal and a line end, and
 * bytes. */
static const char *write_npy(const char *name, int version, const char *literal,
                             const void *bytes, size_t length)
{
    unsigned char all[512] = "\x93NUMPY";
    const size_t start = version == 1 ? 10 : 12, header = strlen(literal) + 1;
    assert_true(start + header + length < sizeof(all));
    all[6] = (unsigned char)version;
    all[8] = (unsigned char)(header & 255);
    all[9] = (unsigned char)(header >> 8);
    memcpy(all + start, literal, header - 1);
    all[start + header - 1] = '\n';
    memcpy(all + start + header, bytes, length);
    return scratch_write(name, all, start + header + length);
}

static const unsigned char singles[] = {0, 0, 0x80, 0x3f, 0xdb, 0x0f, 0x49, 0xc0};
static const float values[] = {1, -0x1.921fb6p+1f}; /* what they say, low byte first */

static void check_good(const char *path, int width, int64_t count, const void *elements)
{
    error[0] = '\0';
    void *read = lng_npy_read(path, width, count, error, sizeof(error));
    assert_string_equal(error, "");
    assert_non_null(read);
    assert_memory_equal(read, elements, (size_t)count * (size_t)width);
    free(read);
}

static void headers_that_numpy_writes_or_reads(void **state)
{
    (void)state;
    static const char *const literals[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }           ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 1)}",
        "{'shape':(2,1),'fortran_order':True,'descr':\"<f4\"}",
        " { 'fortran_order' : False , 'shape' : ( 2 , ) , 'descr' : '<f4' , } ",
    };
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        for (int version = 1; version <= 3; version++) {
            check_good(write_npy("good.npy", version, literals[i], singles, 8), 4, 2,
                       values);
        }
    }
    check_good(write_npy("scalar.npy", 1,
                         "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", singles,
                         4),
               4, 1, values);
    check_good(write_npy("none.npy", 1,
                         "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 7)}", "",
                         0),
               4, 0, values);
}

static void every_width_and_byte_order(void **state)
{
    (void)state;
    static const unsigned char big_singles[] = {0x3f, 0x80, 0, 0, 0xc0, 0x49, 0x0f, 0xdb};
    static const uint16_t halves[] = {0x3c01, 0xc0ff};
    static const unsigned char little_halves[] = {0x01, 0x3c, 0xff, 0xc0};
    static const unsigned char big_halves[] = {0x3c, 0x01, 0xc0, 0xff};
    static const double pi = 0x1.921fb54442d18p+1;
    static const unsigned char little_pi[] = {0x18, 0x2d, 0x44, 0x54,
                                              0xfb, 0x21, 0x09, 0x40};
    static const unsigned char big_pi[] = {0x40, 0x09, 0x21, 0xfb,
                                           0x54, 0x44, 0x2d, 0x18};
    static const struct {
        const char *descr;
        int width;
        const unsigned char *bytes;
        size_t length;
        const void *elements;
    } rows[] = {
        {"<f4", 4, singles,       8, values},
        {">f4", 4, big_singles,   8, values},
        {"<f2", 2, little_halves, 4, halves},
        {">f2", 2, big_halves,    4, halves},
        {"<f8", 8, little_pi,     8, &pi   },
        {">f8", 8, big_pi,        8, &pi   },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char literal[128];
        const int count = (int)rows[i].length / rows[i].width;
        snprintf(literal, sizeof(literal),
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%d,)}", rows[i].descr,
                 count);
        check_good(write_npy("order.npy", 1, literal, rows[i].bytes, rows[i].length),
                   rows[i].width, count, rows[i].elements);
    }
}

static void check_bad(const char *path, const char *after)
{
    char expected[512];
    snprintf(expected, sizeof(expected), "%s%s", path, after);
    assert_null(lng_npy_read(path, 4, 2, error, sizeof(error)));
    assert_string_equal(error, expected);
}

#define LITERAL                                                                          \
    ": its header is no literal, expected {'descr': '<f4', 'fortran_order': False, "     \
    "'shape': "                                                                          \
    "(4, 33), }"

static void wrong_headers_are_told_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *literal, *error;
    } rows[] = {
        {"",                                                                            LITERAL},
        {"{}",                                                                          LITERAL},
        {"{'descr': '<f4', 'fortran_order': False}",                                    LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",                      LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}}",                    LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} # note",              LITERAL},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",                      LITERAL},
        {"{'descr': '<f4', 'descr': '<f4', 'shape': (2,)}",                             LITERAL},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
         LITERAL                                                                               },
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",                         LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 2}",                        LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",                    LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 1)}",                    LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",                      LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2}",                       LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,",                       LITERAL},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999)}",
         LITERAL                                                                               },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         LITERAL                                                                               },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",          LITERAL},
        {"{'descr': '<f4 and a long type', 'fortran_order': False, 'shape': (2,)}",
         LITERAL                                                                               },
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",            LITERAL},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",                      LITERAL},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
         ": descr '<f8', expected '<f4' or '>f4'"                                              },
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}",
         ": descr '<i4', expected '<f4' or '>f4'"                                              },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
         ": a shape of 3 elements, expected 2"                                                 },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
         ": a shape of 1 elements, expected 2"                                                 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check_bad(write_npy("bad.npy", 1, rows[i].literal, singles, 8), rows[i].error);
    }
    const char *path = write_npy(
        "f.npy", 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", "", 0);
    assert_null(lng_npy_read(path, 4, 4, error, sizeof(error)));
    assert_non_null(strstr(error, "f.npy: fortran_order True, expected C order"));
}

static void files_that_are_cut_or_none(void **state)
{
    (void)state;
    static const char literal[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
    char bytes[256];
    const char *path = write_npy("whole.npy", 2, literal, singles, 8);
    FILE *file = fopen(path, "rb");
    const size_t length = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_int_equal(length, 12 + sizeof(literal) + 8);
    for (size_t cut = 0; cut < length; cut++) {
        check_bad(scratch_write("cut.npy", bytes, cut),
                  cut < 10           ? ": no .npy file, expected \\x93NUMPY at its start"
                  : cut < length - 8 ? ": cut in the header"
                                     : ": cut, expected 8 bytes after the header");
    }
    bytes[length] = 0;
    check_bad(scratch_write("long.npy", bytes, length + 1),
              ": too long, expected 8 bytes after the header");
    bytes[6] = 4;
    check_bad(scratch_write("new.npy", bytes, length),
              ": version 4.0, expected 1.0, 2.0 or 3.0");
    bytes[6] = 0;
    check_bad(scratch_write("old.npy", bytes, length),
              ": version 0.0, expected 1.0, 2.0 or 3.0");
    bytes[6] = 1;
    bytes[7] = 1;
    check_bad(scratch_write("minor.npy", bytes, length),
              ": version 1.1, expected 1.0, 2.0 or 3.0");
    bytes[7] = 0;
    bytes[6] = 2;
    bytes[10] = 1; /* 2^16 more */
    check_bad(scratch_write("huge.npy", bytes, length),
              ": a header of 65592 bytes, expected at most 65536");
    bytes[10] = 0;
    bytes[12 + sizeof(literal) - 1] = '\0'; /* the line end */
    check_bad(scratch_write("nul.npy", bytes, length), LITERAL);
    check_bad(scratch_text("text.npy", "1 2 3 4 5 6 7 8 9"),
              ": no .npy file, expected \\x93NUMPY at its start");
    check_bad(scratch_path("gone.npy"),
              ": No such file or directory, expected a .npy file");
}

/* ---- A folder ------------------------------------------------------------------ */

static const uint16_t halves[2] = {0x3c00, 0xc000}; /* 1, -2 */

static void write_tensor(const char *folder, const char *name, const char *descr,
                         int count, const void *bytes, size_t length)
{
    char path[64], literal[128];
    snprintf(path, sizeof(path), "%s/%s.npy", folder, name);
    snprintf(literal, sizeof(literal),
             "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", descr, count);
    write_npy(path, 1, literal, bytes, length);
}

/* One row of two halves. */
static void write_bundle(const char *folder, const char *problem)
{
    char path[64];
    mkdir(scratch_path(folder), 0777);
    snprintf(path, sizeof(path), "%s/problem.txt", folder);
    scratch_text(path, problem);
    write_tensor(folder, "x", "<f2", 2, halves, 4);
    write_tensor(folder, "dy", "<f2", 2, halves, 4);
    write_tensor(folder, "mean", "<f2", 1, halves, 2);
    write_tensor(folder, "var", "<f2", 1, halves, 2);
    write_tensor(folder, "gamma", "<f2", 2, halves, 4);
}

static const char shape[] = "dtype fp16\nparam_num 2\nparam_size 1\nblock_num 1\n"
                            "block_size 2\nepsilon 1e-5\n";

static void a_bundle_with_results(void **state)
{
    (void)state;
    write_bundle("results", shape);
    write_tensor("results", "dx", "<f2", 2, halves, 4);
    write_tensor("results", "db", "<f2", 2, halves, 4);
    write_tensor("results", "torch_dx", "<f8", 7, "", 0); /* ignored */
    struct lng_data *data = lng_data_read(scratch_path("results"), error, sizeof(error));
    assert_non_null(data);
    assert_true(lng_tensor_get(LNG_F16, data->problem.dy, 1) == -2);
    assert_true(lng_tensor_get(LNG_F16, data->results[LNG_DX], 1) == -2);
    assert_null(data->results[LNG_DG]);
    assert_true(lng_tensor_get(LNG_F16, data->results[LNG_DB], 0) == 1);
    lng_data_free(data);
}

static void a_problem_text_that_does_not_end(void **state)
{
    (void)state;
    char text[sizeof(shape)], warning[300];
    memcpy(text, shape, sizeof(shape));
    text[sizeof(shape) - 2] = '\0';
    write_bundle("open", text);
    struct lng_data *data = lng_data_read(scratch_path("open"), error, sizeof(error));
    assert_non_null(data);
    snprintf(warning, sizeof(warning),
             "%s/problem.txt:6: the last line does not end, is the file cut?",
             scratch_path("open"));
    assert_string_equal(data->warning, warning);
    lng_data_free(data);
}

static void check_bundle(const char *path, const char *after)
{
    char expected[512];
    snprintf(expected, sizeof(expected), "%s%s", path, after);
    assert_null(lng_data_read(path, error, sizeof(error)));
    assert_string_equal(error, expected);
}

static void wrong_bundles_are_told_in_one_line(void **state)
{
    (void)state;
    static const char name[] = "dtype fp16\nname n\n";
    static const char expect[] = "x 1 2\n";
    static const char sizes[] = "dtype fp16\nparam_num 2\nparam_size 1\nblock_num 1\n"
                                "block_size 3\nepsilon 1e-5\n";
    char path[256];
    write_bundle("wrong", name);
    snprintf(path, sizeof(path), "%s", scratch_path("wrong"));
    check_bundle(path,
                 "/problem.txt:2: name: unknown key, expected dtype, a size or epsilon");
    write_bundle("wrong", expect);
    check_bundle(path,
                 "/problem.txt:1: x: unknown key, expected dtype, a size or epsilon");
    write_bundle("wrong", sizes);
    check_bundle(path, "/problem.txt:5: block_size: block_num*block_size is 3, expected "
                       "param_num*param_size, which is 2");
    write_bundle("wrong", shape);
    write_tensor("wrong", "var", "<f4", 1, "1234", 4);
    check_bundle(path, "/var.npy: descr '<f4', expected '<f2' or '>f2'");
    write_bundle("wrong", shape);
    write_tensor("wrong", "mean", "<f2", 2, halves, 4);
    check_bundle(path, "/mean.npy: a shape of 2 elements, expected 1");
    write_bundle("wrong", shape);
    assert_int_equal(unlink(scratch_path("wrong/gamma.npy")), 0);
    check_bundle(path, "/gamma.npy: No such file or directory, expected a .npy file");
    write_bundle("wrong", shape);
    write_tensor("wrong", "dg", "<f2", 2, halves, 3);
    check_bundle(path, "/dg.npy: cut, expected 4 bytes after the header");
    assert_int_equal(unlink(scratch_path("wrong/problem.txt")), 0);
    check_bundle(path,
                 "/problem.txt: No such file or directory, expected a readable file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_that_numpy_writes_or_reads),
        cmocka_unit_test(every_width_and_byte_order),
        cmocka_unit_test(wrong_headers_are_told_in_one_line),
        cmocka_unit_test(files_that_are_cut_or_none),
        cmocka_unit_test(a_bundle_with_results),
        cmocka_unit_test(a_problem_text_that_does_not_end),
        cmocka_unit_test(wrong_bundles_are_told_in_one_line),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
