/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_HTML_H
#define LNG_REPORTS_HTML_H
/*
 * HTML that is XML too. Texts reach the page by lng_html alone, which escapes them.
 */
#include <stdio.h>

#include "model.h"

/* printf whose only conversions are %s, escaped for text and attributes, and %%. */
__attribute__((format(printf, 2, 3))) void lng_html(FILE *out, const char *format, ...);

/* A table in a region of its own, which scrolls where it is wider than the page: the
 * heads of its columns, a NULL after the last, then rows by the caller. No heads: the
 * caller's too. */
void lng_table(FILE *out, const char *caption, const char *const *heads);
void lng_table_end(FILE *out);

/* A command line to copy, from texts with blanks between them, a NULL after the last; it
 * breaks between words only. Empty texts are left out. */
void lng_command(FILE *out, const char *const *texts);

/* A short text by value, to be printed in the same expression: lng_seconds(t).s. */
struct lng_label {
    char s[96];
};
struct lng_label lng_whole(double v);   /* 1,234,567 */
struct lng_label lng_real(double v);    /* about 4 digits, "inf", "-inf", "NaN" */
struct lng_label lng_percent(double v); /* 0.637 is "63.7 %"; "–" for NaN */
struct lng_label lng_seconds(double v); /* 4 digits, and ns, µs, ms or s */
struct lng_label lng_range(double least, double most); /* "5.88–6.18 µs" */
struct lng_label lng_gibibytes(double v);              /* of bytes, 1 decimal */
struct lng_label lng_shape(struct lng_sizes sizes);    /* "4x33", or the four "6,4,8,3" */

#endif
