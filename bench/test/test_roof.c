/* SPDX-License-Identifier: Apache-2.0 */
/* The roof's loops compute dx[i] = x[i] + dy[i]/2 in every element and touch nothing
 * else, whatever the length, the alignment of the inputs and the number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "roof.h"

enum { PAGE = 4096, MOST = 12 * PAGE, GUARD = 64, UNTOUCHED = 0x5a };

static unsigned char *x, *dy, *dx; /* MOST bytes and a guard behind */

/* x[i] = i + salt and dy[i] = 4i + 2: the sum 3i + salt + 1 is exact. */
static void fill(int salt, size_t shift)
{
    for (size_t i = 0; i < MOST / sizeof(float); i++) {
        const float a = (float)(i + (size_t)salt), b = (float)(4 * i + 2);
        memcpy(x + shift + i * sizeof a, &a, sizeof a);
        memcpy(dy + shift + i * sizeof b, &b, sizeof b);
    }
    memset(dx, UNTOUCHED, MOST + GUARD);
}

static void check(int salt, size_t shift, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        float got;
        memcpy(&got, dx + i * sizeof got, sizeof got);
        assert_true(got == (float)(3 * i + (size_t)salt + 1));
    }
    const size_t whole = bytes / sizeof(float) * sizeof(float);
    assert_memory_equal(dx + whole, x + shift + whole, bytes - whole);
    for (size_t i = bytes; i < MOST + GUARD; i++)
        assert_int_equal(dx[i], UNTOUCHED);
}

/* Every length over a few steps of the widest loop, with inputs off their vectors'
 * alignment. */
static void test_lengths(void **unused)
{
    (void)unused;
    for (int roof = 0; roof < LNG_ROOFS; roof++)
        for (size_t shift = 0; shift <= 4; shift += 4)
            for (size_t bytes = 0; bytes <= 300; bytes += 2) {
                if (!lng_roof_available((enum lng_roof)roof))
                    continue;
                fill(7, shift);
                lng_roof_loop((enum lng_roof)roof, dx, x + shift, dy + shift, bytes);
                check(7, shift, bytes);
            }
}

struct passes {
    size_t bytes;
    int called;
};

/* Inputs and dx change between passes, so each pass has to do all of the work again. */
static void three_passes(struct lng_roof_team *team, void *user)
{
    struct passes *passes = user;
    passes->called++;
    for (int salt = 0; salt < 3; salt++) {
        fill(salt, 0);
        lng_roof_pass(team);
        check(salt, 0, passes->bytes);
    }
}

static void test_teams(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {
        2,        PAGE - 2,     PAGE,           PAGE + 2,      2 * PAGE - 4,
        2 * PAGE, 3 * PAGE + 6, 4 * PAGE + 258, 11 * PAGE + 2, MOST};
    for (int roof = 0; roof < LNG_ROOFS; roof++)
        for (int cores = 1; cores <= 5; cores++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                if (!lng_roof_available((enum lng_roof)roof))
                    continue;
                const struct lng_roof_streams streams = {x, dy, dx, lengths[i]};
                struct passes passes = {lengths[i], 0};
                assert_int_equal(lng_roof_run((enum lng_roof)roof, &streams, cores,
                                              three_passes, &passes),
                                 0);
                assert_int_equal(passes.called, 1);
            }
}

int main(void)
{
    x = aligned_alloc(PAGE, MOST + PAGE);
    dy = aligned_alloc(PAGE, MOST + PAGE);
    dx = aligned_alloc(PAGE, MOST + PAGE);
    if (!x || !dy || !dx)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_teams)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(x);
    free(dy);
    free(dx);
    return failed;
}
