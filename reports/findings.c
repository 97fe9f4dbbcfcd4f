/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "groups.h"
#include "html.h"

/* ---- Failures, notes and skips ----------------------------------------------------- */

static void failed_unit(FILE *out, const struct lng_result *result,
                        const struct lng_check *unit)
{
    const struct lng_row *row = &result->rows[unit->row];
    fputs("<li><strong class=\"fail\">FAIL</strong> ", out);
    lng_html(out, "<b>%s</b> %s, entry %s: %s<br/>", row->id, row->dtype, unit->entry,
             unit->note);
    lng_check_command(out, result, unit);
    fputs("</li>\n", out);
}

void lng_page_failures(struct lng_page *page, const struct lng_result *result)
{
    enum { SHOWN = 50 };
    FILE *out = page->out;
    size_t written = 0;
    if (result->totals[LNG_CHECK_FAILED] == 0) {
        fputs("<p>None.</p>\n", out);
        return;
    }
    fputs("<ul>\n", out);
    for (size_t i = 0; i < result->mutants_count; i++)
        if (!result->mutants[i].killed)
            lng_html(
                out,
                "<li><strong class=\"fail\">FAIL</strong> <b>%s</b> survived: %s</li>\n",
                result->mutants[i].id, result->mutants[i].plants);
    for (size_t i = 0; i < result->units_count; i++) {
        if (result->units[i].verdict != LNG_CHECK_FAILED)
            continue;
        if (written++ == SHOWN)
            fputs("</ul>\n<details><summary>The rest</summary>\n<ul>\n", out);
        failed_unit(out, result, &result->units[i]);
    }
    fputs(written > SHOWN ? "</ul></details>\n" : "</ul>\n", out);
}

static void skips(FILE *out, const struct lng_result *result,
                  const struct lng_item *items, size_t count)
{
    static const char *const heads[] = {"Kernel", "Type", "Reason", "Units", NULL};
    if (!count) {
        fputs("<p>Nothing was skipped.</p>\n", out);
        return;
    }
    lng_table(out, "Skipped units", heads);
    for (size_t from = 0, to; from < count; from = to) {
        to = lng_group_end(items, from, count);
        const struct lng_row *row = &result->rows[items[from].row];
        lng_html(out,
                 "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
                 "<td class=\"n\">%s</td></tr>\n",
                 row->id, row->dtype, items[from].key, lng_whole((double)(to - from)).s);
    }
    lng_table_end(out);
}

static void notes(FILE *out, const struct lng_result *result,
                  const struct lng_item *items, size_t count)
{
    static const char *const heads[] = {"Note", "Units", "For example", NULL};
    if (!count) {
        fputs("<p>No unit passed with a note.</p>\n", out);
        return;
    }
    lng_html(
        out,
        "<details><summary>%s units passed with a note</summary>\n"
        "<p>BLIND: because of its inputs the problem cannot show a fault in the terms "
        "that are named.</p>\n",
        lng_whole((double)count).s);
    lng_table(out, "Notes of units that passed", heads);
    for (size_t from = 0, to; from < count; from = to) {
        to = lng_group_end(items, from, count);
        lng_html(out, "<tr><td>%s</td><td class=\"n\">%s</td><td>", items[from].key,
                 lng_whole((double)(to - from)).s);
        lng_check_command(out, result, items[from].unit);
        fputs("</td></tr>\n", out);
    }
    lng_table_end(out);
    fputs("</details>\n", out);
}

void lng_page_notes(struct lng_page *page, const struct lng_result *result)
{
    static const struct {
        int (*pick)(struct lng_item *);
        void (*write)(FILE *, const struct lng_result *, const struct lng_item *, size_t);
    } parts[] = {
        {lng_pick_skipped, skips},
        {lng_pick_noted,   notes}
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t count;
        struct lng_item *items = lng_items_sorted(page, result, parts[i].pick, &count);
        if (items)
            parts[i].write(page->out, result, items, count);
        free(items);
    }
}

/* ---- Coverage and mutants ---------------------------------------------------------- */

static void counts(FILE *out, const char *caption, const char *head,
                   const struct lng_count *count, size_t n)
{
    const char *const heads[] = {head, "Problems", NULL};
    lng_table(out, caption, heads);
    for (size_t i = 0; i < n; i++)
        lng_html(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td></tr>\n",
                 count[i].name, lng_whole(count[i].problems).s);
    lng_table_end(out);
}

void lng_page_coverage(struct lng_page *page, const struct lng_result *result)
{
    FILE *out = page->out;
    fputs("<p>Factorings: usual is param_num = block_size; longer, where block_size\n"
          "divides param_num; shorter, where param_num divides block_size; mixed, where\n"
          "neither divides the other.</p>\n<div class=\"side\">\n",
          out);
    counts(out, "Distinct problems by input family", "Family", result->families,
           result->families_count);
    counts(out, "Distinct problems by factoring", "Factoring", result->factorings,
           result->factorings_count);
    fputs("</div>\n", out);
}

static void mutant_row(FILE *out, const struct lng_fault *mutant)
{
    lng_html(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", mutant->id, mutant->plants);
    if (mutant->killed) {
        lng_html(out, "<td class=\"pass\">killed</td><td class=\"n\">%s</td><td>",
                 lng_real(mutant->margin).s);
        lng_command(out, (const char *const[]){mutant->by, NULL});
    } else {
        fputs("<td class=\"fail\">SURVIVED</td><td class=\"n\">–</td><td>–", out);
    }
    fputs("</td></tr>\n", out);
}

void lng_page_mutants(struct lng_page *page, const struct lng_result *result)
{
    static const char *const heads[] = {"Mutant",    "Planted fault", "Verdict",
                                        "err/bound", "Killed by",     NULL};
    FILE *out = page->out;
    if (!result->mutants_count) {
        fputs("<p>No mutants were run.</p>\n", out);
        return;
    }
    fputs(
        "<p>A mutant is a kernel with one fault, planted to see that the suite finds it; "
        "one that survives is a failure of the suite.</p>\n",
        out);
    lng_table(out, "Mutants: survivors first", heads);
    for (int killed = 0; killed <= 1; killed++)
        for (size_t i = 0; i < result->mutants_count; i++)
            if (!result->mutants[i].killed == !killed)
                mutant_row(out, &result->mutants[i]);
    lng_table_end(out);
}
