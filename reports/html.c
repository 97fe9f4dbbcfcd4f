/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "html.h"

static void escape(FILE *out, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    case '\'':
        fputs("&#39;", out);
        break;
    default:
        putc(c, out);
    }
}

void lng_html(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (const char *f = format; *f; f++) {
        if (*f == '%' && *++f == 's')
            for (const char *text = va_arg(list, const char *); *text; text++)
                escape(out, *text);
        else
            putc(*f, out);
    }
    va_end(list);
}

void lng_table(FILE *out, const char *caption, const char *const *heads)
{
    lng_html(out,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
             "<table><caption>%s</caption>\n",
             caption, caption);
    if (!heads)
        return;
    fputs("<thead><tr>", out);
    for (; *heads; heads++)
        lng_html(out, "<th scope=\"col\">%s</th>", *heads);
    fputs("</tr></thead>\n", out);
}

void lng_table_end(FILE *out)
{
    fputs("</table></div>\n", out);
}

void lng_command(FILE *out, const char *const *texts)
{
    const char *separator = "<code class=\"command\">";
    for (; *texts; texts++)
        for (const char *word = *texts; *word;) {
            fputs(separator, out);
            fputs("<span>", out);
            const size_t length = strcspn(word, " ");
            for (size_t i = 0; i < length; i++)
                escape(out, word[i]);
            fputs("</span>", out);
            word += length;
            word += strspn(word, " ");
            separator = " ";
        }
    fputs("</code>", out);
}

/* ---- Numbers ----------------------------------------------------------------------- */

struct lng_label lng_whole(double v)
{
    struct lng_label digits, label;
    int n = snprintf(digits.s, sizeof digits.s, "%.0f", v);
    char *to = label.s;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits.s[i];
    }
    *to = 0;
    return label;
}

struct lng_label lng_real(double v)
{
    struct lng_label label;
    if (isnan(v))
        strcpy(label.s, "NaN");
    else
        snprintf(label.s, sizeof label.s,
                 fabs(v) >= 1e4 && fabs(v) < 1e6 ? "%.0f" : "%.4g", v);
    return label;
}

struct lng_label lng_percent(double v)
{
    struct lng_label label;
    if (isnan(v))
        strcpy(label.s, "–");
    else
        snprintf(label.s, sizeof label.s, "%.1f\u00a0%%", 100 * v);
    return label;
}

static const struct unit {
    double seconds;
    const char *name;
} units[] = {
    {1,    "s"  },
    {1e-3, "ms" },
    {1e-6, "µs"},
    {1e-9, "ns" }
};

static const struct unit *unit_of(double v)
{
    size_t i = 0;
    while (i < 3 && v < units[i].seconds)
        i++;
    return &units[i];
}

struct lng_label lng_seconds(double v)
{
    const struct unit *unit = unit_of(v);
    struct lng_label label;
    snprintf(label.s, sizeof label.s, "%.4g\u00a0%s", v / unit->seconds, unit->name);
    return label;
}

struct lng_label lng_range(double least, double most)
{
    const struct unit *unit = unit_of(most);
    struct lng_label label;
    snprintf(label.s, sizeof label.s, "%.3g–%.3g\u00a0%s", least / unit->seconds,
             most / unit->seconds, unit->name);
    return label;
}

struct lng_label lng_gibibytes(double v)
{
    struct lng_label label;
    snprintf(label.s, sizeof label.s, "%.1f GiB", v / 0x1p30);
    return label;
}

struct lng_label lng_shape(struct lng_sizes n)
{
    struct lng_label label;
    if (n.param_num == n.block_size && n.param_size == n.block_num)
        snprintf(label.s, sizeof label.s, "%" PRId64 "x%" PRId64, n.block_num,
                 n.block_size);
    else
        snprintf(label.s, sizeof label.s, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
                 n.param_num, n.param_size, n.block_num, n.block_size);
    return label;
}
