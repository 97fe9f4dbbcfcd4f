/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* popen, mkdtemp */
/* What the suites promise of themselves. */
#include "support.h"
#include "verify/output.h"

struct seen {
    int problems, tall, odd, one_column, no_rows;
    int family[64], factoring[4], dtype[2];
};

static struct seen look(const char *name)
{
    static const char *const factorings[] = {"usual", "longer", "shorter", "mixed"};
    struct lng_suite suite;
    struct seen s = {0};
    assert_true(lng_families_count <= 64);
    assert_int_equal(lng_suite_make(name, 0x5eed, &suite), 0);
    s.problems = suite.count;
    for (int i = 0; i < suite.count; i++) {
        const struct lng_spec *p = &suite.sources[i].spec;
        const lng_problem sizes = {.param_num = p->param_num,
                                   .block_size = p->block_size};
        assert_true(p->param_num * p->param_size == p->block_num * p->block_size);
        s.tall += p->block_num >= 130 && p->block_size >= 9;
        s.odd += p->block_size % 2 == 1;
        s.one_column += p->block_size == 1;
        s.no_rows += p->block_num == 0;
        s.family[p->family - lng_families]++;
        s.dtype[p->dtype]++;
        for (int f = 0; f < 4; f++)
            s.factoring[f] += strcmp(lng_factoring(&sizes), factorings[f]) == 0;
    }
    lng_suite_free(&suite);
    return s;
}

static void check_shares(const struct seen *s)
{
    const int families = (int)lng_families_count;
    for (int f = 0; f < families; f++)
        assert_true(s->family[f] * 20 * families >= s->problems);
    for (int f = 0; f < 4; f++)
        assert_true(s->factoring[f] * 20 * 4 >= s->problems);
    for (int t = 0; t < 2; t++)
        assert_true(s->dtype[t] * 20 * 2 >= s->problems);
}

static void smoke_has_every_kind(void **state)
{
    (void)state;
    const struct seen s = look("smoke");
    check_shares(&s);
    assert_true(s.tall >= 10 && s.odd >= 100 && s.one_column >= 5 && s.no_rows >= 1);
}

static void sweep_is_large_enough(void **state)
{
    (void)state;
    const struct seen s = look("sweep");
    check_shares(&s);
    assert_true(s.problems >= 3000);
    assert_true(s.tall >= 100 && s.odd >= 500 && s.one_column >= 20 && s.no_rows >= 3);
}

/* The same list every time, nothing in it twice: the closing line says distinct. */
static void problems_are_distinct(void **state)
{
    (void)state;
    struct lng_options a = {0}, b = {0};
    assert_int_equal(lng_suite_make("sweep", 0x5eed, &a.problems), 0);
    assert_int_equal(lng_suite_make("sweep", 0x5eed, &b.problems), 0);
    const struct lng_totals ta = lng_count(&a, NULL), tb = lng_count(&b, NULL);
    assert_int_equal(ta.problems, a.problems.count);
    assert_true(ta.hash == tb.hash);
    lng_options_free(&a);
    lng_options_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(smoke_has_every_kind),
                                       cmocka_unit_test(sweep_is_large_enough),
                                       cmocka_unit_test(problems_are_distinct)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
