/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "page.h"
#include "plot.h"
#include "reader.h"
#include "timings.h"

/* The kernel, and the entry point if it is not the usual one. */
static struct lng_label label_of(const struct lng_result *result,
                                 const struct lng_timing *t)
{
    const int usual = strcmp(t->entry, "general") == 0;
    struct lng_label label;
    snprintf(label.s, sizeof label.s, "%.60s%s%.30s", result->rows[t->row].id,
             usual ? "" : " ", usual ? "" : t->entry);
    lng_read_clean(label.s);
    return label;
}

/* ---- Figures ----------------------------------------------------------------------- */

/* The curves of one figure; room for those of any. */
struct canvas {
    struct lng_label *labels;
    struct lng_curve *curves;
    struct lng_point *points;
    size_t curves_count, points_count;
    /* The shapes of the part, with their names, and its kernels: one timing for each. */
    const struct lng_timing **shape, **kernel;
    struct lng_label *shapes;
    size_t shapes_count, kernels_count;
};

static void begin_curve(struct canvas *canvas, struct lng_label label, size_t style)
{
    canvas->labels[canvas->curves_count] = label;
    canvas->curves[canvas->curves_count] =
        (struct lng_curve){.label = canvas->labels[canvas->curves_count].s,
                           .points = canvas->points + canvas->points_count,
                           .style = style};
    canvas->curves_count++;
}

static void add_point(struct canvas *canvas, double x, double y)
{
    canvas->points[canvas->points_count++] = (struct lng_point){x, y};
    canvas->curves[canvas->curves_count - 1].count++;
}

/* The first of the part's shapes or kernels that agrees with a timing. */
static size_t find(const struct lng_timing *const *list,
                   int (*agrees)(const struct lng_timing *, const struct lng_timing *),
                   const struct lng_timing *t)
{
    size_t i = 0;
    while (!agrees(list[i], t))
        i++;
    return i;
}

static void begin_kernel(struct canvas *canvas, const struct lng_result *result,
                         const struct lng_timing *t)
{
    begin_curve(canvas, label_of(result, t), find(canvas->kernel, lng_same_kernel, t));
}

static void figure_begin(struct lng_page *page, const struct lng_plot *plot)
{
    lng_html(page->out,
             "<figure><figcaption><strong>%s.</strong> %s</figcaption>\n"
             "<div class=\"side\">\n",
             plot->title, plot->description);
    if (!page->error[0])
        lng_plot(page->out, plot, page->plots++, page->error, page->size);
}

static void figure_end(struct lng_page *page)
{
    fputs("</div></figure>\n", page->out);
}

static const char *cores_of(const struct lng_timing *t)
{
    return t->cores == 1 ? "core" : "cores";
}

static const char *kind(const struct lng_timing *t)
{
    return t->predicted ? ", predicted by the model" : "";
}

/* ---- Fraction of the roof ---------------------------------------------------------- */

static void fraction_table(FILE *out, const struct canvas *canvas, const char *caption)
{
    lng_table(out, caption, NULL);
    fputs("<thead><tr><th scope=\"col\">Shape</th>", out);
    for (size_t c = 0; c < canvas->curves_count; c++)
        lng_html(out, "<th scope=\"col\">%s</th>", canvas->curves[c].label);
    fputs("</tr></thead>\n", out);
    for (size_t i = 0; i < canvas->shapes_count; i++) {
        lng_html(out, "<tr><th scope=\"row\">%s</th>", canvas->shapes[i].s);
        for (size_t c = 0; c < canvas->curves_count; c++) {
            double fraction = NAN;
            for (size_t k = 0; k < canvas->curves[c].count; k++)
                if (canvas->curves[c].points[k].x == (double)i)
                    fraction = canvas->curves[c].points[k].y / 100;
            lng_html(out, "<td class=\"n\">%s</td>", lng_percent(fraction).s);
        }
        fputs("</tr>\n", out);
    }
    lng_table_end(out);
}

/* Of one core count, by shape. */
static void fraction_figure(struct lng_page *page, const struct lng_result *result,
                            const struct lng_run *figure, struct canvas *canvas)
{
    const struct lng_timing *least = NULL, *most = NULL;
    canvas->curves_count = canvas->points_count = 0;
    for (struct lng_run curve = {0}; lng_run_next(&curve, figure, LNG_CURVE);) {
        begin_kernel(canvas, result, curve.t[0]);
        for (size_t i = 0; i < curve.count; i++) {
            const struct lng_timing *t = curve.t[i];
            add_point(canvas, (double)find(canvas->shape, lng_same_shape, t),
                      100 * t->roof_fraction);
            if (!isfinite(t->roof_fraction))
                continue;
            least = least && least->roof_fraction <= t->roof_fraction ? least : t;
            most = most && most->roof_fraction >= t->roof_fraction ? most : t;
        }
    }
    if (!least)
        return;

    char title[128], description[1024];
    const struct lng_timing *any = figure->t[0];
    snprintf(title, sizeof title, "Fraction of the roof, %s, %.0f %s%s", any->dtype,
             any->cores, cores_of(any), kind(any));
    snprintf(
        description, sizeof description,
        "Per cent of the roof by shape on %.0f %s: from %s (%s at %s) to %s (%s at %s).",
        any->cores, cores_of(any), lng_percent(least->roof_fraction).s,
        label_of(result, least).s, lng_shape(least->sizes).s,
        lng_percent(most->roof_fraction).s, label_of(result, most).s,
        lng_shape(most->sizes).s);
    const struct lng_plot plot = {.title = title,
                                  .description = description,
                                  .x_name = "rows x H",
                                  .y_name = "% of the roof",
                                  .ticks = canvas->shapes,
                                  .ticks_count = canvas->shapes_count,
                                  .y_top = 100,
                                  .curves = canvas->curves,
                                  .curves_count = canvas->curves_count};
    figure_begin(page, &plot);
    fraction_table(page->out, canvas, title);
    figure_end(page);
}

/* ---- Throughput -------------------------------------------------------------------- */

static int by_x(const void *a, const void *b)
{
    const double x = ((const struct lng_point *)a)->x,
                 y = ((const struct lng_point *)b)->x;
    return (x > y) - (x < y);
}

/* The roof that was measured at each core count; the best one, if there are several. */
static void roof_curve(struct canvas *canvas, const struct lng_run *figure)
{
    begin_curve(canvas, (struct lng_label){"roof"}, LNG_ROOF);
    struct lng_point *points = canvas->points + canvas->points_count;
    for (size_t i = 0; i < figure->count; i++) {
        const struct lng_timing *t = figure->t[i];
        const size_t count = canvas->curves[canvas->curves_count - 1].count;
        size_t k = 0;
        while (k < count && points[k].x != t->cores)
            k++;
        if (k < count)
            points[k].y = fmax(points[k].y, lng_roof(t));
        else
            add_point(canvas, t->cores, lng_roof(t));
    }
    qsort(points, canvas->curves[canvas->curves_count - 1].count, sizeof *points, by_x);
}

static void bench_command(FILE *out, const struct lng_result *result,
                          const struct lng_timing *t)
{
    const struct lng_row *row = &result->rows[t->row];
    const int is_ours = row->target[0] != 0;
    const struct lng_label shape = lng_shape(t->sizes), cores = lng_real(t->cores);
    lng_command(out, (const char *const[]){"lng-bench", is_ours ? "--impl" : "--peer",
                                           row->id, "--dtype", t->dtype,
                                           strchr(shape.s, ',') ? "--sizes" : "--shape",
                                           shape.s, "--cores", cores.s, NULL});
}

static void measured_cells(FILE *out, const struct lng_timing *t)
{
    lng_html(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
             lng_seconds(t->median).s, lng_range(t->least, t->most).s);
}

static void predicted_cells(FILE *out, const struct lng_timing *t)
{
    lng_html(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
             lng_whole(t->cycles).s, lng_whole(t->compute).s);
    lng_html(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
             lng_whole(t->transfer).s, lng_seconds(t->median).s);
}

static void throughput_table(FILE *out, const struct lng_result *result,
                             const struct lng_run *figure, const char *caption)
{
    static const char *const measured[] = {"Kernel",  "Cores",    "Time", "Range",
                                           "GB/s",    "10⁹ el/s", "Roof", "Of roof",
                                           "Command", NULL};
    static const char *const predicted[] = {
        "Kernel", "Cores",    "Cycles", "Compute", "Transfer", "Predicted time",
        "GB/s",   "10⁹ el/s", "Roof",   "Of roof", "Command",  NULL};
    lng_table(out, caption, figure->t[0]->predicted ? predicted : measured);
    for (size_t i = 0; i < figure->count; i++) {
        const struct lng_timing *t = figure->t[i];
        lng_html(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>",
                 label_of(result, t).s, lng_real(t->cores).s);
        (t->predicted ? predicted_cells : measured_cells)(out, t);
        lng_html(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
                 lng_real(lng_throughput(t)).s,
                 lng_real(t->elements / t->median / 1e9).s);
        lng_html(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td><td>",
                 isnan(lng_roof(t)) ? "–" : lng_real(lng_roof(t)).s,
                 lng_percent(t->roof_fraction).s);
        bench_command(out, result, t);
        fputs("</td></tr>\n", out);
    }
    lng_table_end(out);
}

/* Of one shape, by core count. */
static void throughput_figure(struct lng_page *page, const struct lng_result *result,
                              const struct lng_run *figure, struct canvas *canvas)
{
    const struct lng_timing *best = figure->t[0];
    canvas->curves_count = canvas->points_count = 0;
    for (struct lng_run curve = {0}; lng_run_next(&curve, figure, LNG_CURVE);) {
        begin_kernel(canvas, result, curve.t[0]);
        for (size_t i = 0; i < curve.count; i++) {
            add_point(canvas, curve.t[i]->cores, lng_throughput(curve.t[i]));
            if (lng_throughput(curve.t[i]) > lng_throughput(best))
                best = curve.t[i];
        }
    }
    roof_curve(canvas, figure);

    char title[160], description[1024];
    const char *shape = canvas->shapes[find(canvas->shape, lng_same_shape, best)].s;
    snprintf(title, sizeof title, "Throughput at %s, %s%s", shape, best->dtype,
             kind(best));
    const int used =
        snprintf(description, sizeof description,
                 "GB/s by number of cores: the fastest is %s on %.0f %s with %s GB/s",
                 label_of(result, best).s, best->cores, cores_of(best),
                 lng_real(lng_throughput(best)).s);
    snprintf(description + used, sizeof description - (size_t)used,
             isnan(lng_roof(best)) ? "." : ", %s of its roof.",
             lng_percent(best->roof_fraction).s);
    const struct lng_plot plot = {.title = title,
                                  .description = description,
                                  .x_name = "cores",
                                  .y_name = "GB/s",
                                  .curves = canvas->curves,
                                  .curves_count = canvas->curves_count};
    figure_begin(page, &plot);
    throughput_table(page->out, result, figure, title);
    figure_end(page);
}

/* ---- The section ------------------------------------------------------------------- */

/* The same timings in both orders. */
static void write_part(struct lng_page *page, const struct lng_result *result,
                       const struct lng_run *cores, const struct lng_run *shapes,
                       struct canvas *canvas)
{
    const struct lng_timing *any = cores->t[0];
    lng_html(page->out, "<h3>%s%s</h3>\n", any->dtype,
             any->predicted ? ", predicted by the model" : "");
    canvas->shapes_count = canvas->kernels_count = 0;
    for (struct lng_run figure = {0}; lng_run_next(&figure, shapes, LNG_FIGURE);) {
        canvas->shapes[canvas->shapes_count] = lng_shape(figure.t[0]->sizes);
        canvas->shape[canvas->shapes_count++] = figure.t[0];
    }
    for (size_t i = 0; i < cores->count; i++) {
        canvas->kernel[canvas->kernels_count] = cores->t[i]; /* so that it is found */
        if (find(canvas->kernel, lng_same_kernel, cores->t[i]) == canvas->kernels_count)
            canvas->kernels_count++;
    }
    for (struct lng_run figure = {0}; lng_run_next(&figure, cores, LNG_FIGURE);)
        fraction_figure(page, result, &figure, canvas);
    for (struct lng_run figure = {0}; lng_run_next(&figure, shapes, LNG_FIGURE);)
        throughput_figure(page, result, &figure, canvas);
}

/* Of all timings those that are measured, or predicted. */
static void write_parts(struct lng_page *page, const struct lng_result *result,
                        int predicted)
{
    const size_t n = result->timings_count;
    struct lng_run cores = {LNG_CORES_FIRST, lng_page_array(page, n, sizeof *cores.t), 0};
    struct lng_run shapes = {LNG_SHAPE_FIRST, lng_page_array(page, n, sizeof *shapes.t),
                             0};
    struct canvas canvas = {.labels = lng_page_array(page, n + 1, sizeof *canvas.labels),
                            .curves = lng_page_array(page, n + 1, sizeof *canvas.curves),
                            .points = lng_page_array(page, 2 * n, sizeof *canvas.points),
                            .shapes = lng_page_array(page, n, sizeof *canvas.shapes),
                            .shape = lng_page_array(page, n, sizeof *canvas.shape),
                            .kernel = lng_page_array(page, n, sizeof *canvas.kernel)};
    if (!page->error[0]) {
        for (size_t i = 0; i < n; i++)
            if (result->timings[i].predicted == predicted)
                cores.t[cores.count++] = shapes.t[shapes.count++] = &result->timings[i];
        lng_run_sort(&cores);
        lng_run_sort(&shapes);
        for (struct lng_run c = {0}, s = {0};
             lng_run_next(&c, &cores, LNG_PART) && lng_run_next(&s, &shapes, LNG_PART);)
            write_part(page, result, &c, &s, &canvas);
    }
    free(cores.t);
    free(shapes.t);
    free(canvas.labels);
    free(canvas.curves);
    free(canvas.points);
    free(canvas.shapes);
    free(canvas.shape);
    free(canvas.kernel);
}

void lng_page_performance(struct lng_page *page, const struct lng_result *result)
{
    fputs(
        "<p>Times are medians. GB/s counts what a call has to move: x and dy in, dx\n"
        "out, parameters and statistics once. The roof is the better of two loops\n"
        "dx[i] = x[i] + s·dy[i], with ordinary and with non-temporal stores, over the\n"
        "same buffers, cores and process; the waking of threads is in the times of the\n"
        "kernels and not in the roof.</p>\n",
        page->out);
    write_parts(page, result, 0);
}

void lng_page_predictions(struct lng_page *page, const struct lng_result *result)
{
    fputs(
        "<p>Predicted by the model, and not measured: the model of a chip counts what a\n"
        "call does, and takes from the description of the chip how many cycles that is.\n"
        "The roof is what the chip’s DDR moves. Compute and transfer are cycles of the\n"
        "core that has most of them. None of this is to be held against the time of a\n"
        "machine.</p>\n",
        page->out);
    write_parts(page, result, 1);
}
