/* SPDX-License-Identifier: Apache-2.0 */
/* Result files: what all tools write alike, numbers to the last bit, and all or nothing
 * on disk. */
#define _GNU_SOURCE /* mkdtemp, symlink */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <math.h>
#include <cmocka.h>

#include "verify/result.h"

static char folder[] = "/tmp/lng_result_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static const char *text_of(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void test_numbers(void **unused)
{
    (void)unused;
    /* cJSON alone prints the second as 1 and the last as null */
    static const double numbers[] = {
        0.1, 0x1.0000000000001p0, 0x1p-1074, 0x1.fffffffffffffp1023, -3.5, 0x1p52 + 1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cJSON *number = lng_result_number(numbers[i]);
        char *text = cJSON_PrintUnformatted(number);
        assert_true(strtod(text, NULL) == numbers[i]);
        free(text);
        cJSON_Delete(number);
    }
    static const struct {
        double v;
        const char *text;
    } words[] = {
        {INFINITY,  "inf" },
        {-INFINITY, "-inf"},
        {NAN,       "nan" }
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cJSON *word = lng_result_number(words[i].v);
        assert_string_equal(cJSON_GetStringValue(word), words[i].text);
        cJSON_Delete(word);
    }
}

/* Values from the test suite of the FNV authors (Noll). */
static void test_hash(void **unused)
{
    (void)unused;
    assert_true(lng_result_hash(LNG_HASH_BEGIN, "") == UINT64_C(0xcbf29ce484222325));
    assert_true(lng_result_hash(LNG_HASH_BEGIN, "a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(lng_result_hash(lng_result_hash(LNG_HASH_BEGIN, "foo"), "bar") ==
                UINT64_C(0x85944171f73967e8));
}

static void test_head(void **unused)
{
    (void)unused;
    cJSON *result = lng_result_begin("lng-bench", 1769903999);
    lng_result_suite(result, "quick", UINT64_C(0x1f), UINT64_C(0x5eed), 2, 3);
    assert_string_equal(text_of(result, "schema"), "lng-result/1");
    assert_string_equal(text_of(result, "tool"), "lng-bench");
    assert_string_equal(text_of(result, "version"), lng_version());
    assert_string_equal(text_of(result, "date"), "2026-01-31T23:59:59Z");
    assert_string_equal(text_of(result, "suite_hash"), "000000000000001f");
    assert_string_equal(text_of(result, "seed"), "0x5eed");
    /* the three parts of the build information, put together again, are all of it */
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(result, "machine");
    char info[1024];
    snprintf(info, sizeof info, "commit=%s compiler=%s flags=%s",
             text_of(result, "commit"), text_of(machine, "compiler"),
             text_of(machine, "flags"));
    assert_string_equal(info, lng_build_info());
    assert_true(strlen(text_of(machine, "cpu")) > 0);
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(result, "kernels");
    assert_int_equal(cJSON_GetArraySize(kernels), lng_kernel_count());
    lng_kernel_info first;
    assert_int_equal(lng_kernel_at(0, &first), LNG_OK);
    assert_string_equal(text_of(cJSON_GetArrayItem(kernels, 0), "id"), first.id);
    cJSON_Delete(result);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static char *read_file(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* A long array, so that a full disk shows before the end as well as at it. */
static void test_write(void **unused)
{
    (void)unused;
    char error[256];
    cJSON *result = cJSON_CreateArray();
    for (int i = 0; i < 2000; i++)
        cJSON_AddItemToArray(result, lng_result_number(i));
    char *path = strdup(in_folder("r.json")), *tmp = strdup(in_folder("r.json.tmp"));

    write_file(path, "the old one");
    assert_int_equal(lng_result_probe(path, error, sizeof error), 0);
    assert_string_equal(read_file(path), "the old one");
    assert_int_equal(lng_result_write(result, path, error, sizeof error), 0);
    cJSON *back = cJSON_Parse(read_file(path));
    assert_int_equal(cJSON_GetArraySize(back), 2000);
    assert_int_equal(access(tmp, F_OK), -1);
    cJSON_Delete(back);

    if (access("/dev/full", W_OK) == 0) {
        cJSON *small = cJSON_CreateTrue(); /* fails only when the buffer is flushed */
        const cJSON *both[] = {result, small};
        for (int i = 0; i < 2; i++) {
            write_file(path, "the old one");
            assert_int_equal(symlink("/dev/full", tmp), 0);
            assert_int_equal(lng_result_write(both[i], path, error, sizeof error), -1);
            assert_non_null(strstr(error, "r.json: cannot be written: No space"));
            assert_string_equal(read_file(path), "the old one");
            assert_int_equal(lng_result_write(both[i], "/dev/full", error, sizeof error),
                             -1);
        }
        cJSON_Delete(small);
    }
    assert_int_equal(lng_result_probe(folder, error, sizeof error), -1);
    assert_int_equal(lng_result_write(result, "/nowhere/r.json", error, sizeof error),
                     -1);
    assert_int_equal(lng_result_probe("/nowhere/r.json", error, sizeof error), -1);
    assert_string_equal(error,
                        "/nowhere/r.json: cannot be written: No such file or directory");
    cJSON_Delete(result);
    remove(path);
    free(path);
    free(tmp);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_hash),
        cmocka_unit_test(test_head), cmocka_unit_test(test_write)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
