/* SPDX-License-Identifier: Apache-2.0 */
/* The clock: every repetition is reported, in the order asked for, and more work takes
 * more time. */
#define _GNU_SOURCE /* setenv, execv */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "gbench.h"

enum { ROUNDS = 5 };

struct job {
    const char *letter;
    int work, bodies;
    double times[ROUNDS];
    int reports;
};

static char order[64]; /* letters as they were reported */

static void body(struct lng_gbench_state *state, void *user)
{
    struct job *job = user;
    volatile unsigned sum = 0;
    job->bodies++;
    while (lng_gbench_next(state))
        for (int i = 0; i < job->work; i++)
            sum = sum + 1;
}

static void report(double seconds, void *user)
{
    struct job *job = user;
    if (job->reports < ROUNDS)
        job->times[job->reports] = seconds;
    job->reports++;
    strcat(order, job->letter);
}

static void bad_value(void)
{
    exit(3);
}

static void init(char *flag)
{
    char *argv[] = {(char[]){"test"}, (char[]){"--benchmark_min_time=0.005"}, flag};
    assert_null(lng_gbench_init(flag ? 3 : 2, argv, bad_value));
}

static double fastest(const struct job *job)
{
    double least = job->times[0];
    for (int i = 1; i < ROUNDS; i++)
        least = job->times[i] < least ? job->times[i] : least;
    return least;
}

static struct job little = {.letter = "l", .work = 1000};
static struct job much = {.letter = "m", .work = 10000};
static const struct lng_gbench little_b = {"little/8x8", body, report, &little};
static const struct lng_gbench much_b = {"much/8x8", body, report, &much};

static void test_times_scale_and_alternate(void **unused)
{
    (void)unused;
    init(NULL);
    for (int round = 0; round < ROUNDS; round++) {
        lng_gbench_add(&little_b);
        lng_gbench_add(&much_b);
    }
    assert_int_equal(lng_gbench_run(), 2 * ROUNDS);
    assert_int_equal(little.reports, ROUNDS);
    assert_int_equal(much.reports, ROUNDS);
    assert_string_equal(order, "lmlmlmlmlm");
    assert_true(fastest(&little) > 0);
    /* a second for 1000 additions would be a wrong unit, and so would a nanosecond */
    assert_true(fastest(&little) < 1 && fastest(&little) > 1e-9);
    assert_true(fastest(&much) > 3 * fastest(&little));
    assert_true(fastest(&much) < 30 * fastest(&little));
}

/* The benchmarks of the test before are still registered. */
static void test_filter(void **unused)
{
    (void)unused;
    order[0] = 0;
    init((char[]){"--benchmark_filter=^much"});
    assert_int_equal(lng_gbench_run(), ROUNDS);
    assert_string_equal(order, "mmmmm");
    init((char[]){"--benchmark_filter=neither"});
    assert_int_equal(lng_gbench_run(), 0);
    init((char[]){"--benchmark_filter=("});
    assert_int_equal(lng_gbench_run(), 0);
    assert_string_equal(order, "mmmmm");
}

static void test_flags_that_are_none(void **unused)
{
    (void)unused;
    char *unknown[] = {(char[]){"test"}, (char[]){"--benchmark_color=false"},
                       (char[]){"--benchmark_speed=9"}};
    assert_string_equal(lng_gbench_init(3, unknown, bad_value), "--benchmark_speed=9");
    char *no_number[] = {(char[]){"test"}, (char[]){"--benchmark_min_time=soon"}};
    assert_string_equal(lng_gbench_init(2, no_number, bad_value),
                        "--benchmark_min_time=soon");
}

/* Google Benchmark reads its environment before main: the variable must add no
 * repetition. */
int main(int argc, char **argv)
{
    (void)argc;
    if (!getenv("BENCHMARK_REPETITIONS")) {
        setenv("BENCHMARK_REPETITIONS", "3", 1);
        execv(argv[0], argv);
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times_scale_and_alternate),
                                       cmocka_unit_test(test_filter),
                                       cmocka_unit_test(test_flags_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
