/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix of hashes: what is held against what, and which problems are shown. */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_report.h"

static const char scalar_unit[] = "\"kernel\": \"f32_scalar\", \"entry\": \"general\", "
                                  "\"problem\": \"--shape 4x33";
static const char hash[] = "1ccaa40487877d95"; /* of that problem */
static const char other[] = "1ccaa40487877d96";

/* The section of a page, which is freed. */
static char *bits_of(char *page)
{
    const char *from = strstr(page, "<h2 id=\"bits\">");
    assert_non_null(from);
    char *section = strndup(from, (size_t)(strstr(from, "</section>") - from));
    free(page);
    return section;
}

/* The fixture with the n-th hash of that problem, from 0, replaced. */
static char *with_other_bits(int n)
{
    char *json = fixture("verify.json"), *at = json;
    for (int i = 0; (at = strstr(at, hash)) && i < n; i++)
        at++;
    assert_non_null(at);
    memcpy(at, other, strlen(other));
    return json;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void one_value_everywhere(void **state)
{
    (void)state;
    /* general in three ways, s and p in two each. */
    char *page = page_of_text(fixture("verify.json"));
    expect_text(page, "<title>layernormgrad: PASS</title>");
    expect_text(page, "<li><a href=\"#bits\">Bits</a></li>");
    char *bits = bits_of(page);
    expect_text(bits, "<p>6 problems, each one value over 4 kernels and 7 ways of "
                      "calling: <strong class=\"pass\">yes</strong>.</p>");
    expect_text(bits, "<caption>Hashes: host, fp32</caption>");
    expect_text(bits, "<caption>Hashes: host, fp16</caption>");
    expect_text(bits, "<th scope=\"col\" rowspan=\"1\">Problem</th>"
                      "<th scope=\"col\">f32_avx2</th><th scope=\"col\">f32_scalar</th>"
                      "</tr></thead>");
    expect_text(bits,
                "<td class=\"pass\"><code title=\"13b3a196dccc9f0f\">13b3a196</code></td>"
                "<td class=\"pass\"><code title=\"13b3a196dccc9f0f\">13b3a196</code></td>"
                "</tr>");
    expect_text(bits, "<td class=\"muted\">–</td>");
    expect_no_text(bits, "\"fail\"");
    /* The first problem has nothing that the others have not. */
    assert_int_equal(count_of(bits, "<th scope=\"row\">"), 5);
    expect_no_text(bits, "4x33");
    free(bits);
}

static void no_hashes_no_section(void **state)
{
    (void)state;
    char *page = page_of_text(
        replaced_everywhere(fixture("verify.json"), "\"bits\"", "\"renamed\""));
    expect_no_text(page, "id=\"bits\"");
    free(page);
}

/* The file itself found nothing wrong. The value of a line is that of most cells. */
static void a_kernel_with_other_bits(void **state)
{
    (void)state;
    char *page = page_of_text(with_other_bits(2));
    expect_text(page, "<title>layernormgrad: FAIL</title>");
    expect_text(page, "<strong>FAIL</strong> Bits differ in <a href=\"#bits\">1 of 6 "
                      "problems</a>.");
    expect_text(page, "<strong>PASS</strong> 9 passed");
    char *bits = bits_of(page);
    expect_text(bits, "<strong class=\"fail\">no</strong>, 1 have more.</p>");
    expect_text(bits,
                "<td class=\"pass\"><code title=\"1ccaa40487877d95\">1ccaa404</code></td>"
                "<td class=\"fail\"><code title=\"1ccaa40487877d96\">≠ "
                "1ccaa404</code></td></tr>");
    free(bits);
    struct outcome outcome =
        run_report(ARGUMENTS("--output", "page.html", "result.json"));
    expect_text(outcome.out, "page.html: FAIL, 9 passed, 0 failed");
    outcome_free(&outcome);
}

static void an_entry_with_other_bits(void **state)
{
    (void)state;
    char *bits = bits_of(page_of_text(with_other_bits(1)));
    expect_text(bits,
                "<td class=\"fail\"><code title=\"1ccaa40487877d95\">1ccaa404</code> "
                "general<br/><code title=\"1ccaa40487877d96\">≠ 1ccaa404</code> s<br/>"
                "</td><td class=\"pass\">");
    free(bits);

    /* Also where it comes first. */
    bits = bits_of(page_of_text(with_other_bits(0)));
    expect_text(bits,
                "<td class=\"fail\"><code title=\"1ccaa40487877d96\">≠ 1ccaa404</code> "
                "general<br/><code title=\"1ccaa40487877d95\">1ccaa404</code> s<br/>"
                "</td><td class=\"pass\">");
    free(bits);
}

/* One machine agrees with another, or does not. */
static void files_are_held_against_each_other(void **state)
{
    (void)state;
    char *one = fixture("verify.json"), *two = with_other_bits(0);
    write_text("one.json", one);
    write_text("same.json", one);
    write_text("two.json", two);
    char *bits = bits_of(page_of(ARGUMENTS("one.json", "same.json")));
    expect_text(bits, "<p>6 problems, each one value over 8 kernels of 2 files and 7 "
                      "ways of calling: <strong class=\"pass\">yes</strong>.</p>");
    expect_text(bits,
                "<th scope=\"colgroup\" colspan=\"2\">one.json<br/>Linux 6.1.0 x86_64");
    expect_text(bits, "<th scope=\"colgroup\" colspan=\"2\">same.json<br/>");
    assert_int_equal(count_of(bits, "<th scope=\"col\">f32_avx2</th>"), 2);
    free(bits);

    bits = bits_of(page_of(ARGUMENTS("one.json", "two.json")));
    expect_text(bits, "<strong class=\"fail\">no</strong>, 1 have more.</p>");
    assert_int_equal(count_of(bits, "class=\"fail\"><code"), 1);
    free(bits);
    free(one);
    free(two);
}

/* Another target may have other bits, and a kernel that no table lists too. */
static void other_targets_are_apart(void **state)
{
    (void)state;
    char *one = fixture("verify.json");
    char *two = replaced_everywhere(fixture("verify.json"), hash, other);
    two = replaced_everywhere(two, "\"host\"", "\"board\"");
    write_text("one.json", one);
    write_text("two.json", two);
    char *page = page_of(ARGUMENTS("one.json", "two.json"));
    expect_text(page, "<title>layernormgrad: PASS</title>");
    free(page);
    two = replaced(two, scalar_unit,
                   "\"kernel\": \"foreign.so\", \"entry\": \"general\", "
                   "\"problem\": \"--shape 4x33");
    memcpy(strstr(strstr(two, "foreign.so"), other), hash, strlen(hash));
    write_text("two.json", two);
    page = page_of(ARGUMENTS("two.json"));
    expect_text(page, "<title>layernormgrad: PASS</title>");
    char *bits = bits_of(page);
    expect_text(bits, "<caption>Hashes: board, fp32</caption>");
    expect_no_text(bits, "foreign.so");
    free(bits);
    free(one);
    free(two);
}

/* Many problems of every kind: a few of them stand for all, but whatever differs is
 * there. */
static void what_is_shown(void **state)
{
    (void)state;
    enum { UNITS = 2000, FAMILIES = 30 };
    static const char *const factorings[] = {"usual", "longer", "shorter", "mixed"};
    char *json = fixture("verify.json");
    const char *units = strstr(json, "    {\"kernel\": \"f32_avx2\"");
    const char *end = strstr(json, "  ],\n  \"totals\"");
    const char *rest = strstr(json, "  \"coverage\"");
    FILE *out = fopen("result.json", "w");
    assert_true(units && end && rest && out);
    fprintf(out, "%.*s", (int)(units - json), json);
    for (int i = 0; i < UNITS; i++) {
        const int p = i / 2; /* by two kernels each; two problems have two values */
        const char *dtype = p / 4 % 2 ? "fp16" : "fp32";
        fprintf(out,
                "{\"kernel\": \"f%s_%s\", \"entry\": \"general\", \"problem\": \"p%d "
                "family%d. %s %s\", \"dtype\": \"%s\", \"family\": \"family%d\", "
                "\"factoring\": \"%s\", \"sizes\": [3, 4, 4, 3], \"verdict\": "
                "\"passed\", \"note\": \"\", \"bits\": \"%016x\", \"ways\": [0], "
                "\"elements_judged\": 1, \"judge_seconds\": 0}%s\n",
                dtype + 2, i % 2 ? "avx2" : "scalar", p, p % FAMILIES, factorings[p % 4],
                dtype, dtype, p % FAMILIES, factorings[p % 4],
                i == 200 || i == 801 ? i + 7000 : p, i + 1 < UNITS ? "," : "");
    }
    fprintf(out,
            "],\n\"totals\": {\"passed\": %d, \"failed\": 0, \"skipped\": 0, "
            "\"problems\": %d, \"elements_judged\": %d},\n%s",
            UNITS, UNITS / 2, UNITS, rest);
    assert_int_equal(fclose(out), 0);
    free(json);
    char *bits = bits_of(page_of(ARGUMENTS("result.json")));
    expect_text(bits, "<p>1,000 problems, each one value over 4 kernels and 1 ways");
    expect_text(bits, "no</strong>, 2 have more.</p>");
    assert_in_range(count_of(bits, "<th scope=\"row\">"), FAMILIES, FAMILIES + 10);
    for (int f = 0; f < FAMILIES; f++) {
        char family[32];
        snprintf(family, sizeof family, "<span>family%d.</span>", f);
        expect_text(bits, family);
    }
    for (int f = 0; f < 8; f++) {
        char kind[64];
        snprintf(kind, sizeof kind, "<span>%s</span> <span>%s</span>", factorings[f / 2],
                 f % 2 ? "fp16" : "fp32");
        expect_text(bits, kind);
    }
    /* The first line of each table: problems 400 in fp32 and 100 in fp16 differ. */
    const char *fp16 = strstr(bits, "Hashes: host, fp16");
    const char *p400 = strstr(bits, "<span>p400</span>");
    const char *p100 = strstr(bits, "<span>p100</span>");
    assert_true(p400 && p100 && fp16);
    assert_ptr_equal(strstr(bits, "<span>p"), p400);
    assert_ptr_equal(strstr(fp16, "<span>p"), p100);
    free(bits);
}

/* The command of a unit that failed by its bits runs the other one too. */
static void both_run_again(void **state)
{
    (void)state;
    char *json =
        replaced(fixture("verify.json"), "\"verdict\": \"passed\", \"note\": \"\"",
                 "\"verdict\": \"failed\", \"against\": {\"kernel\": "
                 "\"f32_scalar\", \"entry\": \"p\"}, \"note\": \"other bits\"");
    json = replaced(json, "\"passed\": 9, \"failed\": 0", "\"passed\": 8, \"failed\": 1");
    char *page = page_of_text(json), *text = without_tags(page);
    expect_text(text, "other bitslng-verify --impl f32_scalar --impl f32_avx2 --entry p "
                      "--entry general --shape 4x33");
    free(text);
    free(page);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)
    const struct CMUnitTest tests[] = {TEST(one_value_everywhere),
                                       TEST(no_hashes_no_section),
                                       TEST(a_kernel_with_other_bits),
                                       TEST(an_entry_with_other_bits),
                                       TEST(files_are_held_against_each_other),
                                       TEST(other_targets_are_apart),
                                       TEST(what_is_shown),
                                       TEST(both_run_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
