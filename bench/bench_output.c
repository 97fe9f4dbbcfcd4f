/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "verify/result.h"

static int ascending(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* NaN of none. */
static double median_of(const struct lng_series *series)
{
    const size_t n = series->count;
    if (!n)
        return NAN;
    double *sorted = lng_bench_allocate(n, sizeof *sorted);
    memcpy(sorted, series->times, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

/* Seconds a pass of the better loop; NaN where none was timed. */
static double roof_median(const struct lng_bench_group *g)
{
    return fmin(median_of(&g->roofs[LNG_STREAM].series),
                median_of(&g->roofs[LNG_STREAM_NT].series));
}

static double roof_fraction(const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    return roof_median(g) * (lng_bench_bytes(g) / lng_bench_roof_bytes(g)) /
           median_of(&u->series);
}

/* How many times as long as this one the peer takes; NaN without one. */
static double peer_ratio(const struct lng_bench_unit *u)
{
    const struct lng_bench_unit *last = &u->group->units[u->group->unit_count - 1];
    return last->kind == LNG_BENCH_PEER ? median_of(&last->series) / median_of(&u->series)
                                        : NAN;
}

static void print_unit(const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    const double median = median_of(&u->series);
    char shape[LNG_BENCH_NAME];
    lng_bench_shape(&g->sizes, shape, sizeof shape);
    printf("%-12s %-5s %20s %5d %12.2f %8.2f %10.3e %8.2f %6.3f", u->id,
           lng_result_dtype(g->dtype), shape, g->cores, median * 1e6,
           lng_bench_bytes(g) / median / 1e9, (double)lng_bench_elements(g) / median,
           lng_bench_roof_bytes(g) / roof_median(g) / 1e9, roof_fraction(u));
    if (!isnan(peer_ratio(u)))
        printf(" %7.3f", peer_ratio(u));
    putchar('\n');
}

static void print_unsupported(const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    char shape[LNG_BENCH_NAME];
    lng_bench_shape(&g->sizes, shape, sizeof shape);
    printf("%-12s %-5s %20s %5d  unsupported\n", u->id, lng_result_dtype(g->dtype), shape,
           g->cores);
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

void lng_bench_table(const struct lng_bench_plan *plan, const struct lng_bench_options *o)
{
    printf("%-12s %-5s %20s %5s %12s %8s %10s %8s %6s", "kernel", "dtype", "shape",
           "cores", "median us", "GB/s", "elements/s", "roof", "/roof");
    if (o->peer)
        printf("   /%s", o->peer);
    putchar('\n');
    for (size_t i = 0; i < plan->group_count; i++)
        for (size_t k = 0; k < plan->groups[i].unit_count; k++) {
            const struct lng_bench_unit *unit = &plan->groups[i].units[k];
            if (unit->kind == LNG_BENCH_UNSUPPORTED_PEER)
                print_unsupported(unit);
            else if (unit->series.count)
                print_unit(unit);
        }
    if (o->peer)
        printf("%s is oneDNN %s; /%s: its time / this time\n", o->peer,
               lng_dnnl_version(), o->peer);
    print_skipped(o);
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

static cJSON *unit_object(const struct lng_bench_unit *u)
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
    add_series(unit, "times", &u->series);
    add_number(unit, "median", median_of(&u->series));
    add_number(unit, "bytes", lng_bench_bytes(g));
    add_number(unit, "elements", (double)lng_bench_elements(g));
    cJSON *roof = cJSON_AddObjectToObject(unit, "roof");
    for (int k = 0; k < LNG_ROOFS; k++)
        add_series(roof, lng_roof_name[k], &g->roofs[k].series);
    add_number(roof, "bytes", lng_bench_roof_bytes(g));
    add_number(roof, "median", roof_median(g));
    add_number(unit, "roof_fraction", roof_fraction(u));
    if (!isnan(peer_ratio(u)))
        add_number(unit, "peer_ratio", peer_ratio(u));
    cJSON_AddBoolToObject(unit, "predicted", 0);
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
    cJSON *units = cJSON_AddArrayToObject(result, "units");
    for (size_t i = 0; i < plan->group_count; i++)
        for (size_t k = 0; k < plan->groups[i].unit_count; k++)
            if (plan->groups[i].units[k].series.count)
                cJSON_AddItemToArray(units, unit_object(&plan->groups[i].units[k]));
    cJSON_AddBoolToObject(result, "complete", 1);
    char error[512];
    if (lng_result_write(result, o->json, error, sizeof error) != 0)
        lng_bench_fail("%s", error);
    cJSON_Delete(result);
}
