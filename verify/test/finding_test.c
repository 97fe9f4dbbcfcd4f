/* SPDX-License-Identifier: Apache-2.0 */
/* Cases and bundles are found below a folder: which ones, and in which order. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "verify/problem.h"

static char error[512];

struct list {
    char names[64][64];
    int count, stop;
};

static int add(const char *path, void *user)
{
    struct list *list = user;
    assert_true(list->count < 64);
    assert_int_equal(strncmp(path, scratch, strlen(scratch)), 0);
    snprintf(list->names[list->count++], sizeof(list->names[0]), "%s",
             path + strlen(scratch) + 1);
    return list->count == list->stop ? 7 : 0;
}

static void folders_are_searched_in_order(void **state)
{
    (void)state;
    static const char *const folders[] = {"f",        "f/b",    "f/b/deep",
                                          "f/bundle", "f/none", "f/.hidden"};
    static const char *const files[] = {"f/z.case",        "f/a.case",
                                        "f/B.case",        "f/b/deep/1.case",
                                        "f/b/note.txt",    "f/bundle/problem.txt",
                                        "f/bundle/q.case", "f/.hidden/h.case",
                                        "f/case",          "f/.case"};
    static const char *const order[] = {"f/B.case", "f/a.case", "f/b/deep/1.case",
                                        "f/bundle", "f/link",   "f/z.case"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        assert_int_equal(mkdir(scratch_path(folders[i]), 0777), 0);
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        scratch_text(files[i], "");
    }
    assert_int_equal(symlink("bundle", scratch_path("f/link")), 0);
    assert_int_equal(symlink("..", scratch_path("f/b/up")), 0);
    assert_int_equal(symlink("nowhere.case", scratch_path("f/lost.case")), 0);

    struct list list = {.stop = 0};
    assert_int_equal(lng_data_find(scratch_path("f/"), add, &list, error, sizeof(error)),
                     0);
    assert_int_equal(list.count, 6);
    for (int i = 0; i < list.count; i++) {
        assert_string_equal(list.names[i], order[i]);
    }

    list = (struct list){.stop = 2}; /* a non-zero answer ends the search */
    assert_int_equal(lng_data_find(scratch_path("f"), add, &list, error, sizeof(error)),
                     7);
    assert_int_equal(list.count, 2);

    static const char *const alone[] = {"f/bundle", "f/case"}; /* a file of any name */
    for (int i = 0; i < 2; i++) {
        list = (struct list){.stop = 0};
        assert_int_equal(
            lng_data_find(scratch_path(alone[i]), add, &list, error, sizeof(error)), 0);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.names[0], alone[i]);
    }

    char expected[300];
    assert_int_equal(
        lng_data_find(scratch_path("f/none"), add, &list, error, sizeof(error)), -1);
    snprintf(expected, sizeof(expected),
             "%s/f/none: nothing in it, expected *.case files or bundles", scratch);
    assert_string_equal(error, expected);
    assert_int_equal(
        lng_data_find(scratch_path("gone"), add, &list, error, sizeof(error)), -1);
    snprintf(
        expected, sizeof(expected),
        "%s/gone: No such file or directory, expected a case file, a bundle or a folder",
        scratch);
    assert_string_equal(error, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_searched_in_order),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
