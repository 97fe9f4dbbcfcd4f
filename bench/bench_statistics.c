/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int ascending(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* Sorts them. */
static double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, ascending);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

double lng_bench_median(const struct lng_series *series)
{
    const size_t n = series->count;
    double *sorted = lng_bench_allocate(n, sizeof *sorted);
    memcpy(sorted, series->times, n * sizeof *sorted);
    const double median = median_of(sorted, n);
    free(sorted);
    return median;
}

/* What one process measured: all measured equally often. */
static struct lng_series part(const struct lng_series *series, int process, int processes)
{
    const size_t count = series->count / (size_t)processes;
    return (struct lng_series){series->times + (size_t)process * count, count};
}

static double better_roof(const struct lng_bench_group *g, int process, int processes)
{
    double better = NAN;
    for (int k = 0; k < LNG_ROOFS; k++) {
        const struct lng_series times = part(&g->roofs[k].series, process, processes);
        better = fmin(better, lng_bench_median(&times));
    }
    return better;
}

double lng_bench_roof_median(const struct lng_bench_group *g)
{
    return better_roof(g, 0, 1);
}

/* NaN without a peer. */
static double peer_median(const struct lng_bench_group *g, int process, int processes)
{
    const struct lng_bench_unit *last = &g->units[g->unit_count - 1];
    const struct lng_series times = part(&last->series, process, processes);
    return last->kind == LNG_BENCH_PEER ? lng_bench_median(&times) : NAN;
}

/* Of the time of something else in the group to the unit's, in each process. */
static struct lng_bench_spread spread_of(const struct lng_bench_unit *u, int processes,
                                         double (*other)(const struct lng_bench_group *g,
                                                         int process, int processes))
{
    double *ratios = lng_bench_allocate((size_t)processes, sizeof *ratios);
    for (int p = 0; p < processes; p++) {
        const struct lng_series times = part(&u->series, p, processes);
        ratios[p] = other(u->group, p, processes) / lng_bench_median(&times);
    }
    struct lng_bench_spread s = {.median = median_of(ratios, (size_t)processes)};
    s.least = ratios[0];
    s.most = ratios[processes - 1];
    free(ratios);
    return s;
}

/* Their bytes differ: a pass of the roof leaves the parameters out. */
struct lng_bench_spread lng_bench_of_roof(const struct lng_bench_unit *u, int processes)
{
    const double bytes = lng_bench_bytes(u->group) / lng_bench_roof_bytes(u->group);
    const struct lng_bench_spread s = spread_of(u, processes, better_roof);
    return (struct lng_bench_spread){s.median * bytes, s.least * bytes, s.most * bytes};
}

struct lng_bench_spread lng_bench_of_peer(const struct lng_bench_unit *u, int processes)
{
    return spread_of(u, processes, peer_median);
}
