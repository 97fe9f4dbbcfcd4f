/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_PLOT_H
#define LNG_REPORTS_PLOT_H
/*
 * Plots: gnuplot, run as a child, makes an SVG that becomes part of the page. Curves
 * differ in colour, dash and point; the colours have a contrast of 3 or more against
 * white and against the dark page, and everything gnuplot draws in black follows the
 * page's text.
 */
#include <stdio.h>

#include "html.h"

struct lng_point {
    double x, y; /* left out where y is not finite */
};

enum { LNG_ROOF = 1 << 20 };
struct lng_curve {
    const char *label;
    const struct lng_point *points;
    size_t count;
    size_t style; /* which colour, dash and point; LNG_ROOF: a thick grey line */
};

struct lng_plot {
    const char *title, *description;
    const char *x_name, *y_name;
    const struct lng_label
        *ticks; /* names of x = 0, 1, …; NULL: x is a number of cores */
    size_t ticks_count;
    double y_top; /* the least upper end of the y axis, which starts at 0 */
    const struct lng_curve *curves;
    size_t curves_count;
};

/* Writes the plot as an <svg> element, and nothing where no point is finite. number tells
 * the plots of a page apart. 0, or -1: error holds one line. */
int lng_plot(FILE *out, const struct lng_plot *plot, int number, char *error,
             size_t size);

#endif
