/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "page.h"
#include "page_css.h"

void *lng_page_array(struct lng_page *page, size_t count, size_t size)
{
    void *array = calloc(count ? count : 1, size);
    if (!array && !page->error[0])
        snprintf(page->error, page->size, "no memory for the page");
    return array;
}

enum lng_outcome lng_page_outcome(const struct lng_page *page)
{
    if (page->matrix->unequal)
        return LNG_FAIL;
    return lng_results_outcome(page->results, page->count);
}

/* ---- Sections ---------------------------------------------------------------------- */

static int has_timings(const struct lng_result *result)
{
    return result->predictions_count < result->timings_count;
}

static int has_predictions(const struct lng_result *result)
{
    return result->predictions_count > 0;
}

static const struct section {
    const char *id, *title;
    enum lng_tool tool;
    void (*write)(struct lng_page *, const struct lng_result *);
    int (*is_there)(const struct lng_result *); /* NULL: always */
} sections[] = {
    {"kernels",     "Kernels",         LNG_VERIFY, lng_page_kernels,     NULL           },
    {"failures",    "Failures",        LNG_VERIFY, lng_page_failures,    NULL           },
    {"notes",       "Skips and notes", LNG_VERIFY, lng_page_notes,       NULL           },
    {"coverage",    "Coverage",        LNG_VERIFY, lng_page_coverage,    NULL           },
    {"mutants",     "Mutants",         LNG_VERIFY, lng_page_mutants,     NULL           },
    {"performance", "Performance",     LNG_BENCH,  lng_page_performance, has_timings    },
    {"predictions", "Predictions",     LNG_BENCH,  lng_page_predictions, has_predictions},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* Calls write for every section of every result; ids are told apart by the result's
 * number, and titles by its file where the tool gave more than one. */
static void for_each_section(struct lng_page *page,
                             void (*write)(struct lng_page *, const struct section *,
                                           const struct lng_result *, const char *id,
                                           const char *file))
{
    size_t of_tool[2] = {0};
    for (size_t i = 0; i < page->count; i++)
        of_tool[page->results[i].tool]++;
    for (size_t i = 0; i < page->count; i++)
        for (size_t s = 0; s < SECTIONS; s++) {
            const struct lng_result *result = &page->results[i];
            char id[64];
            snprintf(id, sizeof id, "%s-%zu", sections[s].id, i + 1);
            if (sections[s].tool == result->tool &&
                (!sections[s].is_there || sections[s].is_there(result)))
                write(page, &sections[s], result, id,
                      of_tool[result->tool] > 1 ? result->file : NULL);
        }
}

static void title(FILE *out, const struct section *section, const char *file)
{
    lng_html(out, file ? "%s: %s" : "%s", section->title, file);
}

static void write_link(struct lng_page *page, const struct section *section,
                       const struct lng_result *result, const char *id, const char *file)
{
    (void)result;
    lng_html(page->out, "<li><a href=\"#%s\">", id);
    title(page->out, section, file);
    fputs("</a></li>\n", page->out);
}

static void write_section(struct lng_page *page, const struct section *section,
                          const struct lng_result *result, const char *id,
                          const char *file)
{
    lng_html(page->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", id, id);
    title(page->out, section, file);
    fputs("</h2>\n", page->out);
    section->write(page, result);
    fputs("</section>\n", page->out);
}

/* ---- Verdict ----------------------------------------------------------------------- */

static void fact(FILE *out, const char *name, const char *value)
{
    lng_html(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

static void verify_verdict(FILE *out, const struct lng_result *result, size_t number)
{
    const enum lng_outcome outcome = lng_result_outcome(result);
    lng_html(out,
             "<p class=\"verdict %s\"><strong>%s</strong> %s passed, "
             "<a href=\"#failures-%s\">%s failed</a>, %s skipped",
             outcome == LNG_PASS ? "pass" : "fail", lng_outcome_name[outcome],
             lng_whole(result->totals[LNG_CHECK_PASSED]).s, lng_whole((double)number).s,
             lng_whole(result->totals[LNG_CHECK_FAILED]).s,
             lng_whole(result->totals[LNG_CHECK_SKIPPED]).s);
    if (result->mutants_count)
        lng_html(out, "; mutants killed: %s of %s",
                 lng_whole((double)result->mutants_killed).s,
                 lng_whole((double)result->mutants_count).s);
    if (!result->complete)
        fputs("; the run was cut short", out);
    if (result->shard_n > 1)
        lng_html(out, "; part %s of %s", lng_whole(result->shard_i).s,
                 lng_whole(result->shard_n).s);
    fputs(".</p>\n<dl>\n", out);
    fact(out, "Distinct problems", lng_whole(result->problems).s);
    fact(out, "Output elements judged", lng_whole(result->elements_judged).s);
    fact(out, "Time of judging, all threads", lng_seconds(result->judge_seconds).s);
}

static void bench_verdict(FILE *out, const struct lng_result *result)
{
    lng_html(out,
             "<p class=\"verdict\"><strong>Performance</strong> %s timings, %s "
             "predictions%s.</p>\n<dl>\n",
             lng_whole((double)(result->timings_count - result->predictions_count)).s,
             lng_whole((double)result->predictions_count).s,
             result->complete ? "" : "; the run was cut short");
}

static void write_verdict(struct lng_page *page)
{
    FILE *out = page->out;
    fputs("<section aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Verdict</h2>\n",
          out);
    if (page->matrix->unequal)
        lng_html(out,
                 "<p class=\"verdict fail\"><strong>FAIL</strong> Bits differ in "
                 "<a href=\"#bits\">%s of %s problems</a>.</p>\n",
                 lng_whole((double)page->matrix->unequal).s,
                 lng_whole((double)page->matrix->count).s);
    for (size_t i = 0; i < page->count; i++) {
        const struct lng_result *result = &page->results[i];
        if (result->tool == LNG_VERIFY)
            verify_verdict(out, result, i + 1);
        else
            bench_verdict(out, result);
        fact(out, "Suite", result->suite);
        if (result->tool == LNG_VERIFY)
            fact(out, "Judged by", result->tolerance);
        fact(out, "Seed", result->seed);
        fact(out, "Date", result->date);
        fact(out, "Version", result->version);
        fact(out, "Commit", result->commit);
        fact(out, "File", result->file);
        fputs("</dl>\n", out);
    }
    fputs("</section>\n", out);
}

static void write_bits(struct lng_page *page)
{
    fputs("<section aria-labelledby=\"bits\">\n<h2 id=\"bits\">Bits</h2>\n", page->out);
    lng_page_matrix(page);
    fputs("</section>\n", page->out);
}

/* ---- Environment and commands ------------------------------------------------------ */

static void write_environment(struct lng_page *page)
{
    FILE *out = page->out;
    fputs("<section aria-labelledby=\"environment\">\n"
          "<h2 id=\"environment\">Environment</h2>\n",
          out);
    for (size_t i = 0; i < page->count; i++) {
        const struct lng_result *result = &page->results[i];
        const struct lng_machine *machine = &result->machine;
        lng_html(out, "<h3>%s, %s</h3>\n<dl>\n",
                 result->tool == LNG_VERIFY ? "lng-verify" : "lng-bench", result->file);
        fact(out, "Processor", machine->cpu);
        fact(out, "Processors", lng_whole(machine->processors).s);
        fact(out, "Memory", lng_gibibytes(machine->memory_bytes).s);
        fact(out, "System", machine->os);
        fact(out, "Compiler", machine->compiler);
        fact(out, "Flags", machine->flags);
        fact(out, "LNG_ISA", machine->isa[0] ? machine->isa : "not set");
        if (result->tool == LNG_BENCH)
            fact(out, "Pinning", result->pinning);
        fact(out, "Version", result->version);
        fact(out, "Commit", result->commit);
        fact(out, "Date", result->date);
        fact(out, "Suite hash", result->suite_hash);
        fact(out, "Seed", result->seed);
        fputs("</dl>\n", out);
    }
    fputs("</section>\n", out);
}

static void run_command(FILE *out, const struct lng_result *result)
{
    if (strcmp(result->suite, "custom") == 0) {
        lng_html(out, "<li>%s: by the commands of its rows.</li>\n", result->file);
        return;
    }
    char isa[64] = "", shard[64] = "";
    if (result->machine.isa[0])
        snprintf(isa, sizeof isa, "LNG_ISA=%.40s", result->machine.isa);
    if (result->shard_n > 1)
        snprintf(shard, sizeof shard, "--shard %.0f/%.0f", result->shard_i,
                 result->shard_n);
    fputs("<li>", out);
    lng_command(out, (const char *const[]){
                         isa, result->tool == LNG_VERIFY ? "lng-verify" : "lng-bench",
                         "--suite", result->suite, shard, "--json", result->file, NULL});
    fputs("</li>\n", out);
}

static void write_commands(struct lng_page *page)
{
    FILE *out = page->out;
    fputs("<section aria-labelledby=\"reproduce\">\n"
          "<h2 id=\"reproduce\">How to reproduce</h2>\n"
          "<p>Each row above has its own command. The whole, with a build of the commit "
          "that\n"
          "stands above:</p>\n<ul>\n",
          out);
    for (size_t i = 0; i < page->count; i++)
        run_command(out, &page->results[i]);
    fputs("</ul>\n</section>\n", out);
}

/* ---- The page ---------------------------------------------------------------------- */

void lng_page_write(struct lng_page *page)
{
    FILE *out = page->out;
    const char *outcome = lng_outcome_name[lng_page_outcome(page)];
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
          out);
    lng_html(out, "<title>layernormgrad: %s</title>\n<style>\n", outcome);
    fputs(lng_page_css, out);
    fputs(
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the report</a>\n"
        "<header><h1>layernormgrad</h1>\n"
        "<p>The gradient of layer normalisation: conformance and performance of its "
        "kernels.</p></header>\n"
        "<nav aria-label=\"Contents\"><ul>\n<li><a href=\"#verdict\">Verdict</a></li>\n",
        out);
    if (page->matrix->count)
        fputs("<li><a href=\"#bits\">Bits</a></li>\n", out);
    for_each_section(page, write_link);
    fputs("<li><a href=\"#environment\">Environment</a></li>\n"
          "<li><a href=\"#reproduce\">How to reproduce</a></li>\n</ul></nav>\n"
          "<main id=\"main\">\n",
          out);
    write_verdict(page);
    if (page->matrix->count)
        write_bits(page);
    for_each_section(page, write_section);
    write_environment(page);
    write_commands(page);
    fputs("</main>\n</body>\n</html>\n", out);
}
