/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "verify/result.h"

static void print_row(const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    char shape[LNG_BENCH_NAME];
    lng_bench_shape(&g->sizes, shape, sizeof shape);
    printf("%-12s %-5s %20s %5d", u->id, lng_result_dtype(g->dtype), shape, g->cores);
}

/* Followed by its range where there are several processes. */
static void print_ratio(struct lng_bench_spread ratio, int processes)
{
    char range[64];
    printf(" %7.3f", ratio.median);
    snprintf(range, sizeof range, "%.3f-%.3f", ratio.least, ratio.most);
    if (processes > 1)
        printf(" %13s", range);
}

static void print_unit(const struct lng_bench_unit *u, int processes)
{
    const struct lng_bench_group *g = u->group;
    const double median = lng_bench_median(&u->series);
    const struct lng_bench_spread of_peer = lng_bench_of_peer(u, processes);
    print_row(u);
    printf(" %12.2f %8.2f %10.3e %8.2f", median * 1e6, lng_bench_bytes(g) / median / 1e9,
           (double)lng_bench_elements(g) / median,
           lng_bench_roof_bytes(g) / lng_bench_roof_median(g) / 1e9);
    print_ratio(lng_bench_of_roof(u, processes), processes);
    if (!isnan(of_peer.median))
        print_ratio(of_peer, processes);
    putchar('\n');
}

static void print_heading(const struct lng_bench_options *o)
{
    const char *range = o->processes > 1 ? "      low-high" : "";
    printf("%-12s %-5s %20s %5s %12s %8s %10s %8s %7s%s", "kernel", "dtype", "shape",
           "cores", "median us", "GB/s", "elements/s", "roof", "/roof", range);
    if (o->peer)
        printf("   /%s%s", o->peer, range);
    putchar('\n');
}

static void print_skipped(const struct lng_bench_options *o)
{
    lng_kernel_info kernel;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK; i++)
        if (!kernel.available && lng_bench_wanted(o, &kernel))
            printf("%-12s skipped: this processor cannot run it\n", kernel.id);
    for (int k = 0; k < LNG_ROOFS; k++)
        if (!lng_roof_available((enum lng_roof)k))
            printf("%-12s skipped: this processor cannot run it\n", lng_roof_name[k]);
}

static void measured_table(const struct lng_bench_plan *plan,
                           const struct lng_bench_options *o)
{
    print_heading(o);
    for (size_t i = 0; i < plan->group_count; i++)
        for (size_t k = 0; k < plan->groups[i].unit_count; k++) {
            const struct lng_bench_unit *unit = &plan->groups[i].units[k];
            if (unit->kind == LNG_BENCH_UNSUPPORTED_PEER) {
                print_row(unit);
                printf("  unsupported\n");
            } else if (unit->series.count) {
                print_unit(unit, plan->processes);
            }
        }
    print_skipped(o);
    if (o->peer)
        printf("%s is oneDNN %s; /%s is its time / this time\n", o->peer,
               lng_dnnl_version(), o->peer);
    if (plan->processes > 1)
        printf("medians of %d processes, ratios with the lowest and highest of them\n",
               plan->processes);
}

static void print_prediction(const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    const struct lng_bench_prediction *p = &u->prediction;
    print_row(u);
    printf(" %12.2f %8.2f %10.3e %7.3f %12.0f %12.0f %12.0f\n", p->seconds * 1e6,
           lng_bench_bytes(g) / p->seconds / 1e9,
           (double)lng_bench_elements(g) / p->seconds, p->roof_fraction, p->cycles,
           p->compute, p->transfer);
}

static void predicted_table(const struct lng_bench_plan *plan)
{
    printf(
        "predicted by the model of the chip, not measured; /roof is of its DDR; compute "
        "and transfer\nare cycles of the core that has most of them\n"
        "%-12s %-5s %20s %5s %12s %8s %10s %7s %12s %12s %12s\n",
        "kernel", "dtype", "shape", "cores", "predicted us", "GB/s", "elements/s",
        "/roof", "cycles", "compute", "transfer");
    for (size_t i = 0; i < plan->group_count; i++)
        for (size_t k = 0; plan->groups[i].predicted && k < plan->groups[i].unit_count;
             k++)
            print_prediction(&plan->groups[i].units[k]);
}

/* The two never share one. */
void lng_bench_table(const struct lng_bench_plan *plan, const struct lng_bench_options *o)
{
    if (lng_bench_has(plan, 0))
        measured_table(plan, o);
    if (lng_bench_has(plan, 1))
        predicted_table(plan);
}

static void add_number(cJSON *object, const char *key, double v)
{
    cJSON_AddItemToObject(object, key, lng_result_number(v));
}

static void add_series(cJSON *object, const char *key, const struct lng_series *series)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (size_t i = 0; i < series->count; i++)
        cJSON_AddItemToArray(array, lng_result_number(series->times[i]));
}

static void add_ratio(cJSON *object, const char *key, const char *range_key,
                      struct lng_bench_spread ratio)
{
    add_number(object, key, ratio.median);
    cJSON *range = cJSON_AddArrayToObject(object, range_key);
    cJSON_AddItemToArray(range, lng_result_number(ratio.least));
    cJSON_AddItemToArray(range, lng_result_number(ratio.most));
}

static void add_measured(cJSON *unit, const struct lng_bench_unit *u, int processes)
{
    const struct lng_bench_group *g = u->group;
    add_series(unit, "times", &u->series);
    add_number(unit, "median", lng_bench_median(&u->series));
    cJSON *roof = cJSON_AddObjectToObject(unit, "roof");
    for (int k = 0; k < LNG_ROOFS; k++)
        add_series(roof, lng_roof_name[k], &g->roofs[k].series);
    add_number(roof, "bytes", lng_bench_roof_bytes(g));
    add_number(roof, "median", lng_bench_roof_median(g));
    add_ratio(unit, "roof_fraction", "roof_fraction_range",
              lng_bench_of_roof(u, processes));
    const struct lng_bench_spread of_peer = lng_bench_of_peer(u, processes);
    if (!isnan(of_peer.median))
        add_ratio(unit, "peer_ratio", "peer_ratio_range", of_peer);
}

static void add_predicted(cJSON *unit, const struct lng_bench_prediction *p)
{
    cJSON_AddArrayToObject(unit, "times");
    add_number(unit, "median", p->seconds);
    add_number(unit, "cycles", p->cycles);
    add_number(unit, "compute_cycles", p->compute);
    add_number(unit, "transfer_cycles", p->transfer);
    add_number(unit, "roof_fraction", p->roof_fraction);
}

static cJSON *unit_object(const struct lng_bench_unit *u, int processes)
{
    const struct lng_bench_group *g = u->group;
    const int64_t sizes[] = {g->sizes.param_num, g->sizes.param_size, g->sizes.block_num,
                             g->sizes.block_size};
    cJSON *unit = cJSON_CreateObject();
    cJSON_AddStringToObject(unit, "kernel", u->id);
    if (u->kind == LNG_BENCH_PEER)
        cJSON_AddStringToObject(unit, "dnnl_version", lng_dnnl_version());
    cJSON_AddStringToObject(unit, "entry", "general");
    cJSON_AddStringToObject(unit, "dtype", lng_result_dtype(g->dtype));
    cJSON *array = cJSON_AddArrayToObject(unit, "sizes");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        cJSON_AddItemToArray(array, lng_result_number((double)sizes[i]));
    add_number(unit, "cores", g->cores);
    add_number(unit, "bytes", lng_bench_bytes(g));
    add_number(unit, "elements", (double)lng_bench_elements(g));
    cJSON_AddBoolToObject(unit, "predicted", g->predicted);
    if (g->predicted)
        add_predicted(unit, &u->prediction);
    else
        add_measured(unit, u, processes);
    return unit;
}

/* The problems as text, in order, whatever the kernels and core counts. */
static uint64_t suite_hash(const struct lng_bench_options *o)
{
    uint64_t hash = LNG_HASH_BEGIN;
    for (int i = 0; i < o->size_count; i++)
        for (int dtype = 0; dtype < LNG_BENCH_DTYPES; dtype++) {
            char shape[LNG_BENCH_NAME], text[2 * LNG_BENCH_NAME];
            if (!o->dtypes[dtype])
                continue;
            lng_bench_shape(&o->sizes[i], shape, sizeof shape);
            snprintf(text, sizeof text, "%s %s\n", shape,
                     lng_result_dtype((lng_dtype)dtype));
            hash = lng_result_hash(hash, text);
        }
    return hash;
}

void lng_bench_json(const struct lng_bench_plan *plan, const struct lng_bench_options *o,
                    time_t start)
{
    cJSON *result = lng_result_begin("lng-bench", start);
    lng_result_suite(result, o->suite, suite_hash(o), LNG_BENCH_SEED, 1, 1);
    cJSON_AddStringToObject(result, "pinning",
                            plan->pinned ? "each worker on a processor of its own"
                                         : "none");
    add_number(result, "processes", plan->processes);
    cJSON *units = cJSON_AddArrayToObject(result, "units");
    for (size_t i = 0; i < plan->group_count; i++)
        for (size_t k = 0; k < plan->groups[i].unit_count; k++)
            if (plan->groups[i].predicted || plan->groups[i].units[k].series.count)
                cJSON_AddItemToArray(
                    units, unit_object(&plan->groups[i].units[k], plan->processes));
    cJSON_AddBoolToObject(result, "complete", 1);
    char error[512];
    if (lng_result_write(result, o->json, error, sizeof error) != 0)
        lng_bench_fail("%s", error);
    cJSON_Delete(result);
}
