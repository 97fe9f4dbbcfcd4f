/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "plot.h"

extern char **environ;

/* Relative luminance between 0.13 and 0.30, for the contrast that plot.h promises. */
static const char *const colours[] = {"#2f7ed8", "#d2552b", "#2e8b57", "#a557c6",
                                      "#a67c00", "#d0478b", "#128a9c", "#7a7f2a"};
/* Point types of gnuplot's SVG: square, circle, triangles, diamond, pentagon; filled,
 * open. */
static const int points[] = {5, 7, 9, 13, 11, 15, 4, 6, 8, 12, 10, 14};
enum {
    COLOURS = sizeof colours / sizeof *colours,
    POINTS = sizeof points / sizeof *points,
    DASHES = 5
};

static int width(const struct lng_plot *plot)
{
    return plot->ticks ? 720 : 480;
}

static int height(const struct lng_plot *plot)
{
    return plot->ticks ? 400 : 340;
}

/* ---- The script -------------------------------------------------------------------- */

/* Between single quotes gnuplot replaces nothing, and a quote is written twice; the
 * terminal is noenhanced, so that no character is markup either. */
static void quoted(FILE *script, const char *text)
{
    putc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            putc('\'', script);
        putc(*text, script);
    }
    putc('\'', script);
}

static void x_axis(FILE *script, const struct lng_plot *plot)
{
    if (plot->ticks) {
        fprintf(script, "set xrange [-0.5:%zu.5]\nset xtics rotate by 40 right (",
                plot->ticks_count - 1);
        for (size_t i = 0; i < plot->ticks_count; i++) {
            fputs(i ? ", " : "", script);
            quoted(script, plot->ticks[i].s);
            fprintf(script, " %zu", i);
        }
        fputs(")\n", script);
        return;
    }
    double least = INFINITY, most = 0;
    for (size_t s = 0; s < plot->curves_count; s++)
        for (size_t i = 0; i < plot->curves[s].count; i++) {
            least = fmin(least, plot->curves[s].points[i].x);
            most = fmax(most, plot->curves[s].points[i].x);
        }
    if (most > 8)
        fprintf(script, "set logscale x 2\nset xrange [%.17g:%.17g]\n", least / 1.2,
                most * 1.2);
    else
        fprintf(script, "set xtics 1\nset xrange [%.17g:%.17g]\n", least - 0.3,
                most + 0.3);
}

static int has_points(const struct lng_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (isfinite(curve->points[i].y))
            return 1;
    return 0;
}

static void write_points(FILE *script, size_t number, const struct lng_curve *curve)
{
    fprintf(script, "$d%zu << EOD\n", number);
    for (size_t i = 0; i < curve->count; i++)
        if (isfinite(curve->points[i].y))
            fprintf(script, "%.17g %.17g\n", curve->points[i].x, curve->points[i].y);
    fputs("EOD\n", script);
}

static void write_script(FILE *script, const struct lng_plot *plot)
{
    fprintf(script,
            "set encoding utf8\n"
            "set terminal svg dynamic noenhanced size %d,%d font 'sans-serif,13'\n"
            "set border 3\n"
            "set tics nomirror\n"
            "set grid ytics lc rgb '#8a8f98' dt 3\n"
            "set key outside top center horizontal\n"
            "set yrange [0:%.17g<*]\n",
            width(plot), height(plot), plot->y_top);
    fputs("set xlabel ", script);
    quoted(script, plot->x_name);
    fputs("\nset ylabel ", script);
    quoted(script, plot->y_name);
    putc('\n', script);
    x_axis(script, plot);
    const char *separator = "plot";
    for (size_t s = 0; s < plot->curves_count; s++)
        write_points(script, s, &plot->curves[s]);
    for (size_t s = 0; s < plot->curves_count; s++) {
        const struct lng_curve *curve = &plot->curves[s];
        if (!has_points(curve))
            continue;
        fprintf(script, "%s $d%zu using 1:2 with linespoints ", separator, s);
        if (curve->style == LNG_ROOF)
            fputs("lc rgb '#8a8f98' lw 4 dt 1 pt 0", script);
        else
            fprintf(script, "lc rgb '%s' lw 1.5 dt %zu pt %d ps 0.9",
                    colours[curve->style % COLOURS], curve->style % DASHES + 1,
                    points[curve->style % POINTS]);
        fputs(" title ", script);
        quoted(script, curve->label);
        separator = ",";
    }
    putc('\n', script);
}

/* ---- The child --------------------------------------------------------------------- */

/* All of a stream as a string; NULL without memory. */
static char *contents(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long length = ftell(file);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text)
        return NULL;
    rewind(file);
    text[fread(text, 1, (size_t)length, file)] = 0;
    return text;
}

/* The three streams of the child are files, so nobody waits for anybody. */
static int run(FILE *in, FILE *out, FILE *err)
{
    char *const arguments[] = {"gnuplot", "--default-settings", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(err), 2);
    failure = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure)
        return failure;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return status == 0 ? 0 : -1;
}

/* What gnuplot makes of the plot; NULL: error tells why. */
static char *gnuplot(const struct lng_plot *plot, char *error, size_t size)
{
    FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
    char *svg = NULL, *said = NULL;
    int failure = errno;
    if (in && out && err) {
        write_script(in, plot);
        rewind(in);
        failure = ferror(in) ? errno : run(in, out, err);
        svg = contents(out);
        said = contents(err);
    }
    if (failure > 0)
        snprintf(error, size, "gnuplot: %s%s", strerror(failure),
                 failure == ENOENT ? " (Debian: apt-get install gnuplot-nox)" : "");
    else if (failure < 0 || !svg || !strstr(svg, "</svg>"))
        snprintf(error, size, "gnuplot: made no plot: %.*s",
                 said ? (int)strcspn(said + strspn(said, " \n"), "\n") : 0,
                 said ? said + strspn(said, " \n") : "");
    free(said);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    if (err)
        fclose(err);
    if (error[0]) {
        free(svg);
        svg = NULL;
    }
    return svg;
}

/* ---- Into the page ----------------------------------------------------------------- */

/* Moves on if text starts with this. */
static int skip(const char **text, const char *start)
{
    size_t n = strlen(start);
    if (strncmp(*text, start, n) != 0)
        return 0;
    *text += n;
    return 1;
}

static void skip_beyond(const char **text, const char *end)
{
    const char *found = strstr(*text, end);
    *text = found ? found + strlen(end) : *text + strlen(*text);
}

/* The drawing, without what would stand twice in a page of several plots: gnuplot's own
 * titles, its ids, and the point symbols, which all plots share with the first. */
static void embed(FILE *out, const char *svg, int first)
{
    skip_beyond(&svg, "</desc>");
    while (*svg) {
        if (skip(&svg, "<title>"))
            skip_beyond(&svg, "</title>");
        else if (skip(&svg, "id=\"gnuplot_"))
            fputs("class=\"gnuplot_", out);
        else if (!first && skip(&svg, "<defs>"))
            skip_beyond(&svg, "</defs>");
        else if (skip(&svg, "]]>"))
            fputs("]]&gt;", out); /* of a name; XML does not allow it in a text */
        else if (skip(&svg, "</svg>"))
            break;
        else
            putc(*svg++, out);
    }
}

int lng_plot(FILE *out, const struct lng_plot *plot, int number, char *error, size_t size)
{
    int drawn = 0;
    for (size_t s = 0; s < plot->curves_count; s++)
        drawn |= has_points(&plot->curves[s]);
    error[0] = 0;
    if (!drawn)
        return 0;
    char *svg = gnuplot(plot, error, size);
    if (!svg)
        return -1;
    fprintf(out,
            "<svg class=\"plot%s\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-labelledby=\"plot%d-title plot%d-desc\" "
            "xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\">",
            plot->ticks ? " wide" : "", width(plot), height(plot), number, number);
    fprintf(out, "<title id=\"plot%d-title\">", number);
    lng_html(out, "%s</title>", plot->title);
    fprintf(out, "<desc id=\"plot%d-desc\">", number);
    lng_html(out, "%s</desc>", plot->description);
    embed(out, svg, number == 0);
    fputs("</svg>\n", out);
    free(svg);
    return 0;
}
