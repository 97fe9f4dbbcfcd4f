/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "page.h"

static const struct lng_row *row_of(const struct lng_line *line)
{
    return lng_cell_row(line->cells);
}

static int same_table(const struct lng_line *a, const struct lng_line *b)
{
    return strcmp(row_of(a)->target, row_of(b)->target) == 0 &&
           strcmp(row_of(a)->dtype, row_of(b)->dtype) == 0;
}

/* ---- Which lines are shown --------------------------------------------------------- */

/* Lines with one value that stand for the others. */
struct selection {
    const struct lng_line **lines;
    size_t count;
};

/* How many of them have the line's family on its target, and its factoring and type. */
static void count_alike(const struct selection *s, const struct lng_line *line,
                        size_t *family, size_t *factoring)
{
    const struct lng_check *own = line->cells->check;
    *family = *factoring = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct lng_check *check = s->lines[i]->cells->check;
        if (strcmp(row_of(s->lines[i])->target, row_of(line)->target) == 0)
            *family += strcmp(check->family, own->family) == 0;
        if (same_table(s->lines[i], line))
            *factoring += strcmp(check->factoring, own->factoring) == 0;
    }
}

/* One of every family, a few of every factoring and type; then whatever has none yet. The
 * suites begin with small edge cases, so from the end. */
static void select_lines(const struct lng_matrix *m, struct selection *s)
{
    enum { A_FEW = 3 };
    for (int rest = 0; rest <= 1; rest++)
        for (size_t i = m->count; i-- > 0;) {
            size_t family, factoring;
            const struct lng_line *line = &m->lines[i];
            if (line->values > 1)
                continue;
            count_alike(s, line, &family, &factoring);
            if (rest ? !family || !factoring : !family && factoring < A_FEW)
                s->lines[s->count++] = line;
        }
}

static int is_shown(const struct selection *s, const struct lng_line *line)
{
    int shown = line->values > 1;
    for (size_t i = 0; i < s->count && !shown; i++)
        shown = s->lines[i] == line;
    return shown;
}

/* ---- The tables -------------------------------------------------------------------- */

static int in_table(const struct lng_column *column, const struct lng_line *table)
{
    return strcmp(column->row->target, row_of(table)->target) == 0 &&
           strcmp(column->row->dtype, row_of(table)->dtype) == 0;
}

/* The heads of the columns, below those of their files if there are several. */
static void heads(FILE *out, const struct lng_matrix *m, const struct lng_line *table)
{
    const int files = m->files > 1;
    lng_html(out, "<thead><tr><th scope=\"col\" rowspan=\"%s\">Problem</th>",
             files ? "2" : "1");
    for (size_t i = 0, to; i < m->columns_count && files; i = to) {
        size_t span = 0;
        const struct lng_result *result = m->columns[i].result;
        for (to = i; to < m->columns_count && m->columns[to].result == result; to++)
            span += (size_t)in_table(&m->columns[to], table);
        if (span)
            lng_html(out, "<th scope=\"colgroup\" colspan=\"%s\">%s<br/>%s</th>",
                     lng_whole((double)span).s, result->file, result->machine.os);
    }
    fputs(files ? "</tr>\n<tr>" : "", out);
    for (size_t i = 0; i < m->columns_count; i++)
        if (in_table(&m->columns[i], table))
            lng_html(out, "<th scope=\"col\">%s</th>", m->columns[i].row->id);
    fputs("</tr></thead>\n", out);
}

/* The values that a kernel has in a line, each once; the entry points too, where they
 * disagree. */
static void cell(FILE *out, const struct lng_line *line, const struct lng_column *column)
{
    const char *first = NULL;
    int differs = 0, several = 0;
    for (size_t i = 0; i < line->count; i++)
        if (lng_cell_row(&line->cells[i]) == column->row) {
            const char *bits = line->cells[i].check->bits;
            first = first ? first : bits;
            several |= strcmp(bits, first) != 0;
            differs |= strcmp(bits, line->usual) != 0;
        }
    if (!first) {
        fputs("<td class=\"muted\">–</td>", out);
        return;
    }
    fprintf(out, "<td class=\"%s\">", differs ? "fail" : "pass");
    for (size_t i = 0; i < line->count; i++) {
        const struct lng_check *check = line->cells[i].check;
        if (lng_cell_row(&line->cells[i]) != column->row)
            continue;
        char start[9];
        snprintf(start, sizeof start, "%s", check->bits);
        lng_html(out, "<code title=\"%s\">%s%s</code>", check->bits,
                 strcmp(check->bits, line->usual) != 0 ? "≠ " : "", start);
        if (!several)
            break;
        lng_html(out, " %s<br/>", check->entry);
    }
    fputs("</td>", out);
}

static void table(FILE *out, const struct lng_matrix *m, const struct selection *s,
                  const struct lng_line *lines, size_t count)
{
    char caption[128];
    snprintf(caption, sizeof caption, "Hashes: %.40s, %s", row_of(lines)->target,
             row_of(lines)->dtype);
    lng_table(out, caption, NULL);
    heads(out, m, lines);
    for (size_t i = 0; i < count; i++) {
        if (!is_shown(s, &lines[i]))
            continue;
        fputs("<tr><th scope=\"row\">", out);
        lng_command(out, (const char *const[]){"lng-verify",
                                               lines[i].cells->check->problem, NULL});
        fputs("</th>", out);
        for (size_t k = 0; k < m->columns_count; k++)
            if (in_table(&m->columns[k], lines))
                cell(out, &lines[i], &m->columns[k]);
        fputs("</tr>\n", out);
    }
    lng_table_end(out);
}

void lng_page_matrix(struct lng_page *page)
{
    const struct lng_matrix *m = page->matrix;
    FILE *out = page->out;
    struct selection s = {.lines = lng_page_array(page, m->count, sizeof *s.lines)};
    if (!s.lines)
        return;
    select_lines(m, &s);
    lng_html(out, "<p>%s problems, each one value over %s kernels",
             lng_whole((double)m->count).s, lng_whole((double)m->columns_count).s);
    if (m->files > 1)
        lng_html(out, " of %s files", lng_whole((double)m->files).s);
    lng_html(out, " and %s ways of calling: ", lng_whole((double)m->ways).s);
    if (m->unequal)
        lng_html(out, "<strong class=\"fail\">no</strong>, %s have more.</p>\n",
                 lng_whole((double)m->unequal).s);
    else
        fputs("<strong class=\"pass\">yes</strong>.</p>\n", out);
    fputs(
        "<p>On one target the bits of dx, dg and db depend on the values and the sizes "
        "alone. The value of a problem is a hash of them, its first eight digits here. "
        "A way of calling is an entry point with a core mask or number of workers, "
        "alignment, choice of outputs, aliasing; a large problem is put to a few of "
        "them. Shown are the problems that have more than one value, where ≠ marks what "
        "differs from most, and a few that have every family, factoring and type.</p>\n",
        out);
    for (size_t from = 0, to; from < m->count; from = to) {
        for (to = from; to < m->count && same_table(&m->lines[from], &m->lines[to]); to++)
            ;
        table(out, m, &s, &m->lines[from], to - from);
    }
    free(s.lines);
}
