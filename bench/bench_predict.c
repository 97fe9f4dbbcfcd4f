/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predictions: the model of a DSP counts what a call does, and from the facts of its chip
 * says how many cycles that takes. The same call gives the same counts, so one is enough;
 * how long this machine takes for it means nothing.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench.h"
#include "model/model_run.h"

static struct lng_bench_prediction read_report(const struct lng_model_report *report,
                                               double bytes)
{
    const struct lng_chip *chip = report->chip;
    struct lng_bench_prediction p = {.cycles = report->cycles,
                                     .seconds = report->cycles / (chip->clock * 1e9),
                                     .roof_fraction =
                                         bytes / chip->ddr_bandwidth / report->cycles};
    for (int c = 0; c < LNG_MOST_CORES; c++) {
        p.compute = fmax(p.compute, report->cores[c].computed);
        p.transfer = fmax(p.transfer, report->cores[c].transferred);
    }
    return p;
}

void lng_bench_predict(struct lng_bench_plan *plan)
{
    struct lng_bench_data *data = NULL;
    const int show_progress = isatty(STDERR_FILENO);
    for (size_t i = 0; i < plan->group_count; i++) {
        const struct lng_bench_group *g = &plan->groups[i];
        for (size_t k = 0; g->predicted && k < g->unit_count; k++) {
            struct lng_bench_unit *unit = &g->units[k];
            if (show_progress)
                fprintf(stderr, "\r\033[K%s", unit->name);
            data = lng_bench_data_for(data, g);
            const lng_problem problem = lng_bench_bind(unit, data);
            lng_bench_check(&problem, unit->name);
            unit->prediction = read_report(lng_model_last(), lng_bench_bytes(g));
        }
    }
    if (show_progress)
        fprintf(stderr, "\r\033[K");
    lng_bench_data_free(data);
}
