/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that mean harm, full disks, a gnuplot that fails, large files. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "run_report.h"

/* ---- Texts that mean harm ---------------------------------------------------------- */

static void texts_are_escaped(void **state)
{
    (void)state;
    static const char evil[] = "<script>alert('x')</script>&\\\"\\u0001\\ufffe\xff";
    static const char safe[] =
        "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot; ";
    static const char *const verify[] = {"smoke",      "Example 9004", "f32_scalar",
                                         "large-mean", "BLIND",        "doubled_mean",
                                         "the mean of"};
    for (size_t i = 0; i < sizeof verify / sizeof *verify; i++) {
        char *page =
            page_of_text(replaced_everywhere(fixture("verify.json"), verify[i], evil));
        expect_text(page, safe);
        expect_no_text(page, "<script");
        expect_no_text(page, "\xff");
        expect_no_text(page, "\x01");
        expect_no_text(page, "\xef\xbf\xbe");
        free(page);
    }
}

/* A name of a kernel gets into gnuplot's script, too. */
static void names_are_no_commands(void **state)
{
    (void)state;
    char *page = page_of_text(
        replaced_everywhere(fixture("bench.json"), "dnnl",
                            "a'; system 'touch x' \\n`touch y`@z\\\\n{b}^2<&"));
    expect_text(page, ">a'; system 'touch x'  `touch y`@z\\n{b}^2&lt;&amp;</text>");
    assert_false(there_is("x"));
    assert_false(there_is("y"));
    free(page);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    char *json = replaced(fixture("verify.json"), "\"ratio\": 0.9999, \"ulps\": 0.52",
                          "\"ratio\": \"nan\", \"ulps\": \"inf\"");
    char *page = page_of_text(json);
    expect_text(page, "<td class=\"n\">4</td><td class=\"n\">0</td><td class=\"n\">0</td>"
                      "<td class=\"n fail\">NaN</td><td class=\"n\">inf</td>");
    free(page);
    page = page_of_text(replaced(fixture("bench.json"), "\"roof_fraction\": 0.637",
                                 "\"roof_fraction\": \"nan\""));
    expect_text(page, "<td class=\"n\">32.58</td><td class=\"n\">2.712</td>"
                      "<td class=\"n\">–</td><td class=\"n\">–</td>");
    expect_text(page, "<tr><th scope=\"row\">4096x768</th><td class=\"n\">–</td>"
                      "<td class=\"n\">21.2\u00a0%</td>");
    free(page);
    /* The predicted kernel alone, so fast that nothing can be drawn. */
    json = replaced(fixture("bench.json"), "\"median\": 0.02", "\"median\": 1e-320");
    json = replaced(json, "\"median\": 0.01,", "\"median\": 1e-320,");
    json = replaced(json, "\"median\": 0.005,", "\"median\": 1e-320,");
    page = page_of_text(replaced(json, "\"median\": 0.0025", "\"median\": 1e-320"));
    expect_text(page, "Throughput at 4096x768, fp32, predicted by the model");
    expect_no_text(page, ">Throughput at 4096x768, fp32, predicted by the model</title>");
    free(page);
}

/* ---- Well-formed ------------------------------------------------------------------- */

static void pages_are_xml(void **state)
{
    (void)state;
    if (system("command -v xmllint >/dev/null") != 0) {
        print_message("pages_are_xml: needs xmllint (Debian: libxml2-utils)\n");
        skip();
    }
    free(page_of_both());
    assert_int_equal(system("xmllint --noout page.html"), 0);
    free(page_of_text(failing()));
    assert_int_equal(system("xmllint --noout page.html"), 0);
    free(page_of_text(
        replaced_everywhere(fixture("bench.json"), "dnnl", "]]><&'\\\"\\u0001 \xc3")));
    assert_int_equal(system("xmllint --noout page.html"), 0);
}

/* ---- The file ---------------------------------------------------------------------- */

static void full_disk(void **state)
{
    (void)state;
    char *json = fixture("verify.json");
    write_text("verify.json", json);
    free(json);
    struct outcome outcome =
        run_report(ARGUMENTS("--output", "/dev/full", "verify.json"));
    assert_int_equal(outcome.status, 2);
    assert_string_equal(outcome.err,
                        "lng-report: /dev/full: cannot be written: No space left "
                        "on device\n");
    outcome_free(&outcome);

    /* A limit on the size of files stands for a disk that is full after 4 KiB. */
    write_text("old.html", "as it was");
    struct rlimit limit, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    outcome = run_report(ARGUMENTS("--output", "old.html", "verify.json"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(outcome.status, 2);
    assert_string_equal(outcome.err,
                        "lng-report: old.html: cannot be written: File too large\n");
    outcome_free(&outcome);
    assert_false(there_is("old.html.tmp"));
    char *old = read_text("old.html");
    assert_string_equal(old, "as it was");
    free(old);

    outcome = run_report(ARGUMENTS("--output", "absent/page.html", "verify.json"));
    assert_int_equal(outcome.status, 2);
    expect_text(outcome.err,
                "absent/page.html: cannot be written: No such file or directory");
    outcome_free(&outcome);
}

/* ---- gnuplot ----------------------------------------------------------------------- */

/* A program in its place keeps what it was told: the same numbers as in the tables. */
static void data_of_plots(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH")), here[4096];
    write_text("gnuplot", "#!/bin/sh\ncat >>told\necho '<svg><desc></desc></svg>'\n");
    assert_int_equal(chmod("gnuplot", 0755), 0);
    snprintf(here, sizeof here, ".:%s", path);
    setenv("PATH", here, 1);
    free(page_of_text(fixture("bench.json")));
    setenv("PATH", path, 1);
    free(path);
    char *told = read_text("told");
    assert_non_null(told);
    expect_text(told, "\n1 32.578"); /* GB/s of f32_avx2 at 4096x768, */
    expect_text(told, "\n2 53.226"); /* on 2 cores, */
    expect_text(told, "\n1 51.143"); /* and their roofs */
    expect_text(told, "\n2 64.910");
    expect_text(told, "\n1 63.7"); /* per cent of it at the second shape */
    expect_text(told, "('64x256' 0, '4096x768' 1, '8192x1024' 2)");
    free(told);
}

static void without_gnuplot(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH")), *verify = fixture("verify.json");
    char *bench = fixture("bench.json");
    write_text("verify.json", verify);
    write_text("bench.json", bench);
    setenv("PATH", ".", 1);
    expect_refused(
        ARGUMENTS("--output", "page.html", "bench.json"),
        "gnuplot: No such file or directory (Debian: apt-get install gnuplot-nox)");
    free(page_of(ARGUMENTS("verify.json"))); /* has no plot */
    remove("page.html");

    static const struct {
        const char *script, *expected;
    } table[] = {
        {"echo 'line 3: no terminal' >&2; exit 1",
         "gnuplot: made no plot: line 3: no terminal"                     },
        {"echo '<svg><desc></desc>'",              "gnuplot: made no plot"},
        {"kill -9 $$",                             "gnuplot: made no plot"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char script[128];
        snprintf(script, sizeof script, "#!/bin/sh\n%s\n", table[i].script);
        write_text("gnuplot", script);
        assert_int_equal(chmod("gnuplot", 0755), 0);
        expect_refused(ARGUMENTS("--output", "page.html", "bench.json"),
                       table[i].expected);
    }
    setenv("PATH", path, 1);
    free(path);
    free(verify);
    free(bench);
}

/* ---- Size -------------------------------------------------------------------------- */

/* 20,000 units, a hundred of them failures, are 8 MB: less than 2 s of processor. */
static void many_units(void **state)
{
    (void)state;
    enum { UNITS = 20000, FAILED = 100 };
    char *small = fixture("verify.json");
    const char *units = strstr(small, "    {\"kernel\": \"f32_avx2\"");
    const char *end = strstr(small, "  ],\n  \"totals\""),
               *rest = strstr(small, "  \"coverage\"");
    assert_true(units && end && rest);
    FILE *out = fopen("big.json", "w");
    assert_non_null(out);
    fprintf(out, "%.*s", (int)(units - small), small);
    for (int i = 0; i < UNITS; i++)
        fprintf(
            out,
            "{\"kernel\": \"%s\", \"entry\": \"general\", \"problem\": \"--shape %dx33 "
            "--dtype fp32 --input normal --seed 0x%x\", \"dtype\": \"fp32\", \"family\": "
            "\"normal\", \"factoring\": \"usual\", \"sizes\": [33, 4, 4, 33], "
            "\"verdict\": "
            "\"%s\", \"note\": \"BLIND: %d\", \"bits\": \"%016x\", \"ways\": [0, 1], "
            "\"dx\": {\"bound\": "
            "5.4400928206632670e-15, "
            "\"ratio\": 0.9%d, \"ulps\": 0.5, \"at\": 1}, \"elements_judged\": 132, "
            "\"judge_seconds\": 0.0003123456789012345}%s\n",
            i % 2 ? "f32_avx2" : "f32_scalar", i, i, i < FAILED ? "failed" : "passed", i,
            i, i, i + 1 < UNITS ? "," : "");
    fprintf(
        out,
        "],\n\"totals\": {\"passed\": %d, \"failed\": %d, \"skipped\": 0, \"problems\": "
        "20000, \"elements_judged\": %d},\n%s",
        UNITS - FAILED, FAILED, UNITS * 132, rest);
    assert_int_equal(fclose(out), 0);
    free(small);

    struct outcome outcome = run_report(ARGUMENTS("--output", "page.html", "big.json"));
    assert_string_equal(outcome.err, "");
    assert_int_equal(outcome.status, 0);
    print_message("many_units: %.2f s\n", outcome.seconds);
    assert_true(outcome.seconds < 2);
    outcome_free(&outcome);
    char *page = read_text("page.html");
    expect_text(page, "19,900 passed, <a href=\"#failures-1\">100 failed</a>");
    expect_text(page, "<summary>The rest</summary>");
    expect_text(page, "<summary>19,900 units passed with a note</summary>");
    expect_text(page, "<dt>Output elements judged</dt><dd>2,640,000</dd>");
    free(page);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)
    const struct CMUnitTest tests[] = {TEST(texts_are_escaped),
                                       TEST(names_are_no_commands),
                                       TEST(numbers_that_are_none),
                                       TEST(pages_are_xml),
                                       TEST(full_disk),
                                       TEST(data_of_plots),
                                       TEST(without_gnuplot),
                                       TEST(many_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
