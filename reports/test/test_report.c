/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the pages that lng-report makes of the fixtures and of edits of them. */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_report.h"

/* ---- What stands in it ------------------------------------------------------------- */

static void conformance_numbers(void **state)
{
    (void)state;
    char *page = page_of_text(fixture("verify.json"));
    expect_text(page, "<title>layernormgrad: PASS</title>");
    expect_text(page,
                "<strong>PASS</strong> 9 passed, <a href=\"#failures-1\">0 failed</a>, "
                "2 skipped; mutants killed: 3 of 3.</p>");
    expect_text(page, "<dt>Distinct problems</dt><dd>6</dd>");
    expect_text(page, "<dt>Output elements judged</dt><dd>119,021</dd>");
    expect_text(page, "<dt>Time of judging, all threads</dt><dd>63.03\u00a0ms</dd>");
    expect_text(page, "<dt>Suite</dt><dd>smoke</dd>");
    expect_text(page, "<dt>Seed</dt><dd>0x5eed</dd>");
    expect_text(page, "<dt>Date</dt><dd>2026-01-31T23:59:59Z</dd>");
    expect_text(page, "<dt>Version</dt><dd>0.1.0</dd>");
    expect_text(page, "<dt>Commit</dt><dd>0123456789ab</dd>");
    /* The worst of the kernel's four units, which are different ones for err/bound and
     * ulp. */
    expect_text(
        page, "<tr><th scope=\"row\">f32_avx2 *</th><td>fp32</td><td>wide</td>"
              "<td class=\"pass\">PASS</td><td class=\"n\">4</td><td class=\"n\">0</td>"
              "<td class=\"n\">0</td><td class=\"n\">0.9999</td><td class=\"n\">0.52</td>"
              "<td class=\"n\">1</td><td class=\"n\">0.5</td>");
    expect_text(page,
                "<tr><th scope=\"row\">f32_avx512</th><td>fp32</td><td>wide</td>"
                "<td class=\"muted\">not available here</td><td class=\"n\">0</td>"
                "<td class=\"n\">0</td><td class=\"n\">2</td><td class=\"n\">–</td>");
    /* dx was not asked for in the one call by s. */
    expect_text(page, "<td>s</td><td class=\"pass\">PASS</td><td class=\"n\">1</td>"
                      "<td class=\"n\">0</td><td class=\"n\">0</td><td class=\"n\">–</td>"
                      "<td class=\"n\">–</td><td class=\"n\">0.75</td>");
    expect_text(page, "<td>this processor cannot run it</td><td class=\"n\">2</td>");
    expect_text(page, "<td>BLIND: gamma (it is 1)</td><td class=\"n\">2</td>");
    expect_text(page, "<th scope=\"row\">large-mean</th><td class=\"n\">1</td>");
    expect_text(page, "<th scope=\"row\">shorter</th><td class=\"n\">0</td>");
    expect_text(page, "<td>dg and db are swapped</td><td class=\"pass\">killed</td>"
                      "<td class=\"n\">8.389e+06</td>");
    expect_text(page, "<td class=\"pass\">killed</td><td class=\"n\">inf</td>");
    expect_text(page, "<dt>Memory</dt><dd>8.0 GiB</dd>");
    expect_no_text(page, "Performance");

    char *text = without_tags(page);
    /* 215 = 23 + 2L with L = 96; flat index 70042 = 91*768 + 154. */
    expect_text(text, "(23 + 2L)·2-53, up to 215·2-53 = 2.387e-14");
    expect_text(text, "dx[91][154]lng-verify --impl f32_avx2 --entry p --shape 130x768 "
                      "--dtype fp32 --input large-mean --seed 0x5eed");
    expect_text(text, "dg[767]lng-verify");
    expect_text(text, "lng-verify --suite smoke --json result.json");
    free(text);
    free(page);
}

static void performance_numbers(void **state)
{
    (void)state;
    char *page = page_of_text(fixture("bench.json"));
    expect_text(page, "<title>layernormgrad: no verdict</title>");
    expect_text(page, "<strong>Performance</strong> 24 timings, 4 predictions.");
    /* 4096x768, 1 core: 4*(3*4096*768 + 2*4096 + 3*768) = 37,790,720 bytes in 1.16 ms. */
    expect_text(page,
                "<tr><th scope=\"row\">f32_avx2</th><td class=\"n\">1</td>"
                "<td class=\"n\">1.16\u00a0ms</td><td class=\"n\">1.14–1.2\u00a0ms</td>"
                "<td class=\"n\">32.58</td><td class=\"n\">2.712</td>"
                "<td class=\"n\">51.14</td><td class=\"n\">63.7\u00a0%</td>");
    expect_text(page,
                "<tr><th scope=\"row\">4096x768</th><td class=\"n\">63.7\u00a0%</td>"
                "<td class=\"n\">21.2\u00a0%</td><td class=\"n\">45.5\u00a0%</td></tr>");
    expect_text(page,
                "from 12.0\u00a0% (f32_scalar at 64x256) to 90.0\u00a0% (f32_avx2 at "
                "8192x1024).");
    expect_text(page,
                "the fastest is f32_avx2 on 2 cores with 53.23 GB/s, 82.0\u00a0% of its "
                "roof.");
    expect_text(page, "<dt>Pinning</dt><dd>each worker on a processor of its own</dd>");
    /* 37,790,720 bytes in 2.5 ms are 15.12 GB/s; predictions have their own section. */
    const char *predictions = strstr(page, "<h2 id=\"predictions-1\">Predictions</h2>");
    assert_non_null(predictions);
    expect_text(predictions, "<h3>fp32, predicted by the model</h3>");
    expect_text(predictions,
                "<tr><th scope=\"row\">f32_ft78ne</th><td class=\"n\">8</td>"
                "<td class=\"n\">2,500,000</td><td class=\"n\">1,875,000</td>"
                "<td class=\"n\">2,250,000</td><td class=\"n\">2.5\u00a0ms</td>"
                "<td class=\"n\">15.12</td>");
    expect_no_text(predictions, "f32_avx2");
    expect_no_text(predictions, "<th scope=\"col\">Range</th>");
    const char *measured = strstr(page, "<h2 id=\"performance-1\">Performance</h2>");
    assert_true(measured && strstr(measured, "f32_ft78ne") > predictions);
    char *text = without_tags(page);
    expect_text(text,
                "lng-bench --impl f32_avx2 --dtype fp32 --shape 4096x768 --cores 2");
    expect_text(text, "lng-bench --peer dnnl --dtype fp32 --shape 4096x768 --cores 2");
    free(text);
    free(page);
}

/* Two plots of the roof for two types each, and one for each of 3 shapes, 2 types, and
 * the one that is predicted; every one has its own title and description. */
static void plots(void **state)
{
    (void)state;
    char *page = page_of_both();
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, "<svg ")); at++)
        count++;
    assert_int_equal(count, 4 + 7);
    for (size_t i = 0; i < count; i++) {
        char label[128];
        snprintf(label, sizeof label,
                 "role=\"img\" aria-labelledby=\"plot%zu-title plot%zu-desc\"", i, i);
        expect_text(page, label);
        snprintf(label, sizeof label, "<title id=\"plot%zu-title\">", i);
        expect_text(page, label);
        snprintf(label, sizeof label, "<desc id=\"plot%zu-desc\">", i);
        expect_text(page, label);
    }
    expect_text(page, ">Fraction of the roof, fp16, 2 cores</title>");
    expect_text(page, ">Throughput at 4096x768, fp32, predicted by the model</title>");
    expect_text(page, "<text>f32_scalar</text>");
    expect_text(page, "<text>roof</text>");
    expect_no_text(page, "gnuplot_plot_1</title>");
    free(page);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void ids_are_unique_and_links_meet(void **state)
{
    (void)state;
    char *page = page_of_both(), *ids[1000];
    size_t count = 0;
    for (char *at = page; (at = strstr(at, " id=")); at++) {
        const char quote[] = {at[4], 0};
        assert_true(count < 1000);
        ids[count++] = strndup(at + 5, strcspn(at + 5, quote));
    }
    assert_true(count > 20);
    qsort(ids, count, sizeof *ids, compare_texts);
    for (size_t i = 1; i < count; i++)
        assert_string_not_equal(ids[i - 1], ids[i]);
    for (char *at = page; (at = strstr(at, "href=")); at++) {
        const char quote[] = {at[5], 0};
        assert_int_equal(at[6], '#'); /* and nothing from outside */
        char *target = strndup(at + 7, strcspn(at + 7, quote));
        if (!bsearch(&target, ids, count, sizeof *ids, compare_texts))
            fail_msg("no id %s", target);
        free(target);
    }
    static const char *const loaders[] = {" src=", "url(", "@import", "<link", "<script"};
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        expect_no_text(page, loaders[i]);
    while (count)
        free(ids[--count]);
    free(page);
}

/* ---- Verdicts ---------------------------------------------------------------------- */

static void verdicts(void **state)
{
    (void)state;
    char *page = page_of_text(failing());
    expect_text(page, "<title>layernormgrad: FAIL</title>");
    expect_text(page, "<p class=\"verdict fail\"><strong>FAIL</strong> 8 passed, "
                      "<a href=\"#failures-1\">1 failed</a>");
    expect_text(page, "<td class=\"fail\">FAIL</td>");
    expect_text(page, "<td class=\"n fail\">5.31</td>");
    char *text = without_tags(page);
    expect_text(text, "FAIL f32_avx2 fp32, entry general: dx[3][17]  got 0x1.8p-4");
    free(text);
    free(page);

    char *json =
        replaced(fixture("verify.json"), "\"killed\": true", "\"killed\": false");
    page = page_of_text(replaced(json, "\"failed\": 0", "\"failed\": 1"));
    expect_text(page,
                "<strong>FAIL</strong> 9 passed, <a href=\"#failures-1\">1 failed</a>");
    expect_text(page, "mutants killed: 2 of 3");
    expect_text(page, "<b>doubled_mean</b> survived: the mean of dy*gamma is");
    expect_text(page, "<td class=\"fail\">SURVIVED</td>");
    free(page);

    page = page_of_text(
        replaced(fixture("verify.json"), "\"complete\": true", "\"complete\": false"));
    expect_text(page, "<strong>FAIL</strong> 9 passed");
    expect_text(page, "the run was cut short");
    free(page);

    json = replaced_everywhere(fixture("verify.json"), "\"passed\", \"note\"",
                               "\"skipped\", \"note\"");
    page = page_of_text(replaced(json, "\"passed\": 9, \"failed\": 0, \"skipped\": 2",
                                 "\"passed\": 0, \"failed\": 0, \"skipped\": 11"));
    expect_text(page, "<strong>NOTHING RUN</strong> 0 passed");
    free(page);
}

static void several_files(void **state)
{
    (void)state;
    char *good = fixture("verify.json"), *bad = failing();
    write_text("good.json", good);
    write_text("bad.json", bad);
    free(good);
    free(bad);
    char *page = page_of(ARGUMENTS("bad.json", "good.json"));
    expect_text(page, "<title>layernormgrad: FAIL</title>");
    free(page);
    struct outcome outcome =
        run_report(ARGUMENTS("--output", "page.html", "good.json", "bad.json"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.out, "page.html: FAIL, 17 passed, 1 failed, 4 skipped, "
                                     "0 timings, 0 predictions\n");
    outcome_free(&outcome);
    page = read_text("page.html");
    expect_text(page, "<title>layernormgrad: FAIL</title>");
    expect_text(page, "<h2 id=\"kernels-1\">Kernels: good.json</h2>");
    expect_text(page, "<h2 id=\"failures-2\">Failures: bad.json</h2>");
    free(page);
}

/* A foreign library has one name for both types. */
static void kernels_by_type(void **state)
{
    (void)state;
    char *json = replaced_everywhere(fixture("verify.json"), "f32_avx2", "both.so");
    char *page = page_of_text(replaced_everywhere(json, "f16_avx2", "both.so"));
    expect_text(page, "<tr><th scope=\"row\">both.so *</th><td>fp32</td><td>wide</td>"
                      "<td class=\"pass\">PASS</td><td class=\"n\">4</td>");
    expect_text(page, "<tr><th scope=\"row\">both.so *</th><td>fp16</td><td>wide</td>"
                      "<td class=\"pass\">PASS</td><td class=\"n\">1</td>");
    free(page);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)
    const struct CMUnitTest tests[] = {TEST(conformance_numbers),
                                       TEST(performance_numbers),
                                       TEST(plots),
                                       TEST(ids_are_unique_and_links_meet),
                                       TEST(verdicts),
                                       TEST(several_files),
                                       TEST(kernels_by_type)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
