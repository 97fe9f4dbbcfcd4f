/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "html.h"

/* ---- Tallies ----------------------------------------------------------------------- */

/* What units come to: how many of each verdict, and per output the largest bound and the
 * units that are worst in err/bound and in ulp. */
struct tally {
    size_t units[LNG_CHECK_VERDICTS];
    struct {
        double bound;
        const struct lng_check *ratio, *ulps;
    } worst[LNG_SCORES];
};

/* NaN is worse than everything. */
static int worse(double a, double b)
{
    return isnan(a) ? !isnan(b) : a > b;
}

static struct tally tally_of(const struct lng_item *items, size_t count)
{
    struct tally tally = {0};
    for (size_t i = 0; i < count; i++) {
        const struct lng_check *unit = items[i].unit;
        tally.units[unit->verdict]++;
        for (size_t k = 0; k < LNG_SCORES; k++) {
            const struct lng_score *score = &unit->scores[k];
            const struct lng_check *ratio = tally.worst[k].ratio;
            const struct lng_check *ulps = tally.worst[k].ulps;
            if (!score->judged || unit->verdict == LNG_CHECK_SKIPPED)
                continue;
            if (!ratio || worse(score->bound, tally.worst[k].bound))
                tally.worst[k].bound = score->bound;
            if (!ratio || worse(score->ratio, ratio->scores[k].ratio))
                tally.worst[k].ratio = unit;
            if (!ulps || worse(score->ulps, ulps->scores[k].ulps))
                tally.worst[k].ulps = unit;
        }
    }
    return tally;
}

/* ---- Kernels ----------------------------------------------------------------------- */

/* dx[3][17] as in lng-verify's own lines, dg[17]. */
static void place(FILE *out, const struct lng_check *unit, size_t k)
{
    int64_t at = unit->scores[k].at, H = unit->sizes.block_size;
    if (k == 0 && H > 0)
        fprintf(out, "dx[%" PRId64 "][%" PRId64 "]", at / H, at % H);
    else
        fprintf(out, "%s[%" PRId64 "]", lng_score_name[k], at);
}

static void verdict_cell(FILE *out, const struct lng_row *row, const struct tally *tally)
{
    if (tally->units[LNG_CHECK_FAILED])
        fputs("<td class=\"fail\">FAIL</td>", out);
    else if (tally->units[LNG_CHECK_PASSED])
        fputs("<td class=\"pass\">PASS</td>", out);
    else
        lng_html(out, "<td class=\"muted\">%s</td>",
                 row->available ? "not run" : "not available here");
}

static void tally_cells(FILE *out, const struct lng_row *row, const struct tally *tally)
{
    verdict_cell(out, row, tally);
    for (size_t v = 0; v < LNG_CHECK_VERDICTS; v++)
        lng_html(out, "<td class=\"n\">%s</td>", lng_whole((double)tally->units[v]).s);
    for (size_t k = 0; k < LNG_SCORES; k++) {
        if (!tally->worst[k].ratio) {
            fputs("<td class=\"n\">–</td><td class=\"n\">–</td>", out);
            continue;
        }
        const double ratio = tally->worst[k].ratio->scores[k].ratio;
        lng_html(out, "<td class=\"n%s\">%s</td><td class=\"n\">%s</td>",
                 ratio <= 1 ? "" : " fail", lng_real(ratio).s,
                 lng_real(tally->worst[k].ulps->scores[k].ulps).s);
    }
    fputs("</tr>\n", out);
}

/* The two lines of heads of a table of tallies; lead are its first columns. */
static void tally_heads(FILE *out, const char *const *lead)
{
    static const char *const counts[] = {"Verdict", "Passed", "Failed", "Skipped"};
    fputs("<thead><tr>", out);
    for (; *lead; lead++)
        lng_html(out, "<th scope=\"col\" rowspan=\"2\">%s</th>", *lead);
    for (size_t i = 0; i < 4; i++)
        lng_html(out, "<th scope=\"col\" rowspan=\"2\">%s</th>", counts[i]);
    for (size_t k = 0; k < LNG_SCORES; k++)
        lng_html(out, "<th scope=\"colgroup\" colspan=\"2\">%s, worst</th>",
                 lng_score_name[k]);
    fputs("</tr>\n<tr>", out);
    for (size_t k = 0; k < LNG_SCORES; k++)
        fputs("<th scope=\"col\">err/bound</th><th scope=\"col\">ulp</th>", out);
    fputs("</tr></thead>\n", out);
}

/* What E is over S: (k + c·L)·u of the class, and the largest that comes to. */
static void tolerance(FILE *out, const struct lng_result *result, const char *class_name,
                      size_t k, double bound)
{
    size_t i = 0;
    while (i < result->profiles_count &&
           strcmp(result->profiles[i].name, class_name) != 0)
        i++;
    if (i == result->profiles_count) {
        lng_html(out, "up to %s", lng_real(bound).s);
        return;
    }
    const double constant = result->profiles[i].terms[k].k;
    const double c = result->profiles[i].terms[k].c, u = result->profiles[i].terms[k].u;
    const struct lng_label exponent = lng_real(log2(u));
    if (constant > 0)
        lng_html(out, "(%s + ", lng_real(constant).s);
    lng_html(out, "%sL%s·2<sup>%s</sup>, ", c > 1 ? lng_real(c).s : "",
             constant > 0 ? ")" : "", exponent.s);
    lng_html(out, "up to %s·2<sup>%s</sup> = %s", lng_real(bound / u).s, exponent.s,
             lng_real(bound).s);
}

/* Where a kernel was worst: a line for each output. */
static void worst_rows(FILE *out, const struct lng_result *result,
                       const struct lng_row *row, const struct tally *tally)
{
    size_t outputs = 0;
    for (size_t k = 0; k < LNG_SCORES; k++)
        outputs += tally->worst[k].ratio != NULL;
    if (!outputs)
        return;
    fprintf(out, "<tbody><tr><th scope=\"rowgroup\" rowspan=\"%zu\">", outputs);
    lng_html(out, "%s <span class=\"muted\">%s</span></th>", row->id, row->dtype);
    for (size_t k = 0, written = 0; k < LNG_SCORES; k++) {
        const struct lng_check *ratio = tally->worst[k].ratio,
                               *ulps = tally->worst[k].ulps;
        if (!ratio)
            continue;
        fputs(written++ ? "<tr>" : "", out);
        lng_html(out, "<th scope=\"row\">%s</th><td class=\"tolerance\">",
                 lng_score_name[k]);
        const int own = strcmp(result->tolerance, "class") == 0;
        tolerance(out, result, own ? row->accuracy : result->tolerance, k,
                  tally->worst[k].bound);
        lng_html(out, "</td><td class=\"n\">%s</td><td>",
                 lng_real(ratio->scores[k].ratio).s);
        place(out, ratio, k);
        fputs("<br/>", out);
        lng_check_command(out, result, ratio);
        lng_html(out, "</td><td class=\"n\">%s</td><td>",
                 lng_real(ulps->scores[k].ulps).s);
        if (ulps == ratio)
            fputs("the same problem", out);
        else
            lng_check_command(out, result, ulps);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody>\n", out);
}

void lng_page_kernels(struct lng_page *page, const struct lng_result *result)
{
    static const char *const lead[] = {"Kernel", "Type", "Class", NULL};
    static const char *const entry_lead[] = {"Kernel", "Type", "Entry", NULL};
    static const char *const worst[] = {
        "Kernel",    "Output",  "Tolerance", "Worst err/bound", "Where, and the command",
        "Worst ulp", "Command", NULL};
    size_t count;
    struct lng_item *items = lng_items_sorted(page, result, lng_pick_by_entry, &count);
    struct tally *tallies = lng_page_array(page, result->rows_count, sizeof *tallies);
    for (size_t i = 0, from = 0, to; items && tallies && i < result->rows_count; i++) {
        for (to = from; to < count && items[to].row == i; to++)
            ;
        tallies[i] = tally_of(items + from, to - from);
        from = to;
    }
    if (!items || !tallies)
        goto end;

    FILE *out = page->out;
    fputs(
        "<p>An element is right if |got − exact| ≤ E + ½ulp(|exact| + E), where "
        "E = (k + c·L)·u·S: S is the sum of the magnitudes that enter the element, L the "
        "longest chain of additions, u the unit of the kernel’s class. err/bound is the "
        "left side over the right; more than 1 is a failure. ulp is the error in "
        "units in the last place of the exact value; where a sum cancels that is small, "
        "and only the bound tells. * is the kernel that the best choice takes.</p>\n",
        out);
    lng_table(out, "Kernels: units judged and worst errors", NULL);
    tally_heads(out, lead);
    for (size_t i = 0; i < result->rows_count; i++) {
        const struct lng_row *row = &result->rows[i];
        lng_html(out, "<tr><th scope=\"row\">%s%s</th><td>%s</td><td>%s</td>", row->id,
                 row->best ? " *" : "", row->dtype,
                 row->accuracy[0] ? row->accuracy : "–");
        tally_cells(out, row, &tallies[i]);
    }
    lng_table_end(out);

    fputs("<details><summary>By entry point</summary>\n", out);
    lng_table(out, "Kernels by entry point", NULL);
    tally_heads(out, entry_lead);
    for (size_t from = 0, to; from < count; from = to) {
        to = lng_group_end(items, from, count);
        const struct lng_row *row = &result->rows[items[from].row];
        const struct tally tally = tally_of(items + from, to - from);
        lng_html(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", row->id,
                 row->dtype, items[from].key);
        tally_cells(out, row, &tally);
    }
    lng_table_end(out);
    fputs("</details>\n", out);

    lng_table(out, "Where each kernel was worst", worst);
    for (size_t i = 0; i < result->rows_count; i++)
        worst_rows(out, result, &result->rows[i], &tallies[i]);
    lng_table_end(out);
end:
    free(tallies);
    free(items);
}
