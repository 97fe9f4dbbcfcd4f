/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged files never harm the readers: what they say of one is a problem or one line.
 * Meant to run under the address and undefined-behaviour sanitizers too. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "verify/inputs.h"

enum { ROUNDS = 10000, LARGEST = 200000 };

static uint32_t draws = 12345;

static uint32_t draw(uint32_t n)
{
    draws = draws * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)draws * n) >> 32);
}

/* One to four changes: a bit, a byte, a byte that means something here, a part that goes
 * away, a part that comes twice, or an end. */
static size_t damage(unsigned char *bytes, size_t length)
{
    static const char meaningful[] = "0129*-+.exnaif# \n\t(){},'<>:";
    for (uint32_t changes = 1 + draw(4); changes > 0 && length > 0; changes--) {
        const size_t at = draw((uint32_t)length);
        const size_t some = draw(32), part = some < length - at ? some : length - at;
        switch (draw(6)) {
        case 0:
            bytes[at] ^= (unsigned char)(1 << draw(8));
            break;
        case 1:
            bytes[at] = (unsigned char)draw(256);
            break;
        case 2:
            bytes[at] = (unsigned char)meaningful[draw(sizeof(meaningful) - 1)];
            break;
        case 3:
            memmove(bytes + at, bytes + at + part, length - at - part);
            length -= part;
            break;
        case 4:
            memmove(bytes + at + part, bytes + at, length - at);
            length += part;
            break;
        default:
            length = at;
        }
    }
    return length;
}

static size_t read_bytes(const char *path, unsigned char *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, LARGEST, file);
    fclose(file);
    return length;
}

static int64_t read_count, error_count;

static void read_damaged(const char *path)
{
    char error[300] = "";
    struct lng_data *data = lng_data_read(path, error, sizeof(error));
    read_count += data != NULL;
    error_count += data == NULL;
    assert_true((data == NULL) == (error[0] != '\0'));
    assert_null(strchr(error, '\n'));
    lng_data_free(data);
}

static void damaged_cases(void **state)
{
    (void)state;
    static const char *const names[] = {"params-longer-than-rows",
                                        "nan-variance-short-rows", "half-overflow",
                                        "half-long-sum", "subnormal-dy"};
    static unsigned char whole[LARGEST], bytes[LARGEST];
    read_count = error_count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        char path[256];
        snprintf(path, sizeof(path), LNG_SOURCE_DIR "/verify/cases/%s.case",
                 names[i % 5]);
        const size_t length = read_bytes(path, whole);
        memcpy(bytes, whole, length);
        read_damaged(scratch_write("damaged.case", bytes, damage(bytes, length)));
    }
    assert_true(read_count > ROUNDS / 100 && error_count > ROUNDS / 2);
}

/* One file of a small bundle at a time. */
static void damaged_bundles(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes;
        size_t length;
    } files[] = {
#define NPY(shape, data)                                                                 \
    "\x93NUMPY\1\0\x39\0{'descr': '<f2', 'fortran_order': False, 'shape': " shape        \
    "}\n" data
#define SIZE(text) text, sizeof(text) - 1
        {"problem.txt",     SIZE("dtype fp16\nparam_num 2\nparam_size 2\nblock_num 2\n"
                             "block_size 2\nepsilon 1e-5\n")},
        { "x.npy", SIZE(NPY("(2,2)",                            "\0\x3c\0\x3c\0\x3c\0\x40"))},
        { "dy.npy", SIZE(NPY("(4, )",                            "\0\x3c\0\x3c\0\x3c\0\x40"))},
        { "mean.npy", SIZE(NPY("(2, )",                                        "\0\x3c\0\x3c"))},
        { "var.npy", SIZE(NPY("(2,1)",                                        "\0\x3c\0\x3c"))},
        { "gamma.npy", SIZE(NPY("(1,2)",                                        "\0\x3c\0\x40"))},
        { "db.npy", SIZE(NPY("(2, )",                                        "\0\x3c\0\x3c"))},
    };
    enum { FILES = sizeof(files) / sizeof(files[0]) };
    char path[64];
    assert_int_equal(mkdir(scratch_path("bundle"), 0777), 0);
    for (int f = 0; f < FILES; f++) {
        snprintf(path, sizeof(path), "bundle/%s", files[f].name);
        scratch_write(path, files[f].bytes, files[f].length);
    }
    read_count = error_count = 0;
    read_damaged(scratch_path("bundle"));
    assert_int_equal(read_count, 1);
    for (int i = 0; i < ROUNDS; i++) {
        const int f = i % FILES;
        unsigned char bytes[512];
        memcpy(bytes, files[f].bytes, files[f].length);
        snprintf(path, sizeof(path), "bundle/%s", files[f].name);
        scratch_write(path, bytes, damage(bytes, files[f].length));
        read_damaged(scratch_path("bundle"));
        scratch_write(path, files[f].bytes, files[f].length);
    }
    assert_true(read_count > ROUNDS / 100 && error_count > ROUNDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_cases),
        cmocka_unit_test(damaged_bundles),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
