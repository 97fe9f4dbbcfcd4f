/* SPDX-License-Identifier: Apache-2.0 */
/* Status, text and handler: whose they are, and how long they stay. */
#include "fixture.h"

#include <pthread.h>
#include <string.h>

/* Without a handler errors are only kept; a success clears them. */
static void without_handler(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    assert_int_equal(lng_set_epsilon(-1), LNG_BAD_EPSILON);
    assert_int_equal(lng_last_status(), LNG_BAD_EPSILON);
    assert_int_equal(lng_set_epsilon(1e-12), LNG_OK);
    lng_expect_accepted("a success");
    lng_watch_errors(NULL);
}

/* Another thread begins with success, and leaves this one's reason alone. */
static void *fresh_thread(void *right)
{
    *(int *)right = lng_last_status() == LNG_OK && !*lng_status_text();
    lng_set_epsilon(1e-12);
    lng_force_kernel("no such");
    return NULL;
}

static void of_each_thread(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    assert_int_equal(lng_set_epsilon(-1), LNG_BAD_EPSILON);
    pthread_t thread;
    int right = 0;
    assert_int_equal(pthread_create(&thread, NULL, fresh_thread, &right), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(right);
    assert_int_equal(lng_last_status(), LNG_BAD_EPSILON);
    assert_non_null(strstr(lng_status_text(), "epsilon"));
}

/* A handler may make calls of its own; the reason kept is that of the failing call. */
static int nested_calls;

static void calling_handler(lng_status status, const char *text, void *user)
{
    (void)text;
    (void)user;
    if (nested_calls++ == 0 && status == LNG_BAD_EPSILON)
        lng_force_kernel("no such");
}

static void handler_calls(void **state)
{
    (void)state;
    lng_set_error_handler(calling_handler, NULL);
    assert_int_equal(lng_set_epsilon(-1), LNG_BAD_EPSILON);
    assert_int_equal(nested_calls, 2);
    assert_int_equal(lng_last_status(), LNG_BAD_EPSILON);
    assert_non_null(strstr(lng_status_text(), "epsilon"));
    lng_set_error_handler(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_handler),
        cmocka_unit_test(of_each_thread),
        cmocka_unit_test(handler_calls),
    };
    return cmocka_run_group_tests(tests, lng_watch_errors, NULL);
}
