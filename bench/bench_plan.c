/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sysconf(_SC_PHYS_PAGES) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "core/arguments.h"
#include "core/kernel.h"
#include "core/workers.h"
#include "verify/result.h"

void lng_bench_shape(const struct lng_bench_sizes *z, char *text, size_t size)
{
    if (z->param_num == z->block_size && z->param_size == z->block_num)
        snprintf(text, size, "%lldx%lld", (long long)z->block_num,
                 (long long)z->block_size);
    else
        snprintf(text, size, "%lld,%lld,%lld,%lld", (long long)z->param_num,
                 (long long)z->param_size, (long long)z->block_num,
                 (long long)z->block_size);
}

int64_t lng_bench_elements(const struct lng_bench_group *g)
{
    return g->sizes.block_num * g->sizes.block_size;
}

/* x and dy in, dx out; mean and var, gamma, dg and db once. */
double lng_bench_bytes(const struct lng_bench_group *g)
{
    return (double)lng_element_size(g->dtype) *
           (3 * (double)lng_bench_elements(g) + 2 * (double)g->sizes.block_num +
            3 * (double)g->sizes.param_num);
}

double lng_bench_roof_bytes(const struct lng_bench_group *g)
{
    return (double)lng_element_size(g->dtype) * 3 * (double)lng_bench_elements(g);
}

lng_problem lng_bench_problem(const struct lng_bench_unit *unit)
{
    const struct lng_bench_group *g = unit->group;
    return (lng_problem){.dtype = g->dtype,
                         .param_num = g->sizes.param_num,
                         .param_size = g->sizes.param_size,
                         .block_num = g->sizes.block_num,
                         .block_size = g->sizes.block_size,
                         .epsilon = 1e-12,
                         .core_mask = (UINT32_C(1) << g->cores) - 1,
                         .kernel = unit->kind == LNG_BENCH_KERNEL ? unit->id : NULL};
}

int lng_bench_wanted(const struct lng_bench_options *o, const lng_kernel_info *kernel)
{
    if (!o->dtypes[kernel->dtype])
        return 0;
    for (int i = 0; i < o->impl_count; i++)
        if (strcmp(o->impls[i], kernel->id) == 0)
            return 1;
    return o->impl_count == 0 &&
           (kernel->best || !lng_on_host(kernel->target) || !o->best_only);
}

int lng_bench_has(const struct lng_bench_plan *plan, int predicted)
{
    for (size_t i = 0; i < plan->group_count; i++)
        if (plan->groups[i].predicted == predicted)
            return 1;
    return 0;
}

int lng_bench_cores(const lng_kernel_info *kernel)
{
    const int host = lng_on_host(kernel->target);
    return host && lng_processors() < kernel->cores ? lng_processors() : kernel->cores;
}

static void name_of(char *name, const char *series, const struct lng_bench_group *g)
{
    char shape[LNG_BENCH_NAME / 2];
    lng_bench_shape(&g->sizes, shape, sizeof shape);
    const char *dtype = lng_result_dtype(g->dtype);
    snprintf(name, LNG_BENCH_NAME, "%s/%s/%.*s/cores:%d", series, dtype,
             (int)sizeof shape, shape, g->cores);
}

/* What the system can give without swapping; without /proc, all it has. */
double lng_bench_memory_available(void)
{
    double kib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1024;
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}

/* The sizes have to be a problem, and its buffers have to fit. */
static void check_group(struct lng_bench_plan *plan, const struct lng_bench_group *g)
{
    const lng_problem problem = lng_bench_problem(&g->units[0]);
    char shape[LNG_BENCH_NAME / 2];
    lng_bench_shape(&g->sizes, shape, sizeof shape);
    lng_workspace_size(&problem);
    if (lng_last_status() != LNG_OK)
        lng_bench_fail("sizes %s: %s", shape, lng_status_text());
    const double need = (double)lng_bench_memory(g), have = lng_bench_memory_available();
    if (!(need <= have))
        lng_bench_fail(
            "sizes %s in %s need %.1f MiB, expected at most the %.1f available", shape,
            lng_result_dtype(g->dtype), need / 1048576, have / 1048576);
    plan->memory = fmax(plan->memory, need);
}

static struct lng_bench_unit *add_unit(struct lng_bench_group *g, const char *id)
{
    struct lng_bench_unit *unit = &g->units[g->unit_count++];
    *unit = (struct lng_bench_unit){.id = id, .group = g};
    name_of(unit->name, id, g);
    return unit;
}

static void add_peer(struct lng_bench_group *g, const char *name)
{
    struct lng_bench_unit *unit = add_unit(g, name);
    unit->kind = LNG_BENCH_PEER;
    const lng_problem problem = lng_bench_problem(unit);
    if (!lng_dnnl_supports(&problem))
        unit->kind = LNG_BENCH_UNSUPPORTED_PEER;
}

static void add_group(struct lng_bench_plan *plan, const struct lng_bench_options *o,
                      const struct lng_bench_sizes *sizes, lng_dtype dtype, int cores,
                      int predicted)
{
    struct lng_bench_group *g = &plan->groups[plan->group_count];
    *g = (struct lng_bench_group){
        .dtype = dtype, .sizes = *sizes, .cores = cores, .predicted = predicted};
    g->units = lng_bench_allocate(lng_kernel_count() + 1, sizeof *g->units);
    lng_kernel_info kernel;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK; i++)
        if (kernel.dtype == dtype && kernel.available &&
            cores <= lng_bench_cores(&kernel) &&
            lng_on_host(kernel.target) != predicted && lng_bench_wanted(o, &kernel))
            add_unit(g, kernel.id);
    if (!g->unit_count) {
        free(g->units);
        return;
    }
    if (o->peer && !predicted)
        add_peer(g, o->peer);
    for (int k = 0; k < LNG_ROOFS; k++) {
        g->roofs[k].kind = (enum lng_roof)k;
        g->roofs[k].group = g;
        name_of(g->roofs[k].name, lng_roof_name[k], g);
    }
    check_group(plan, g);
    plan->group_count++;
}

/* Each count that was named has to be one of something that is wanted. */
static void check_cores(const struct lng_bench_options *o)
{
    lng_kernel_info kernel;
    const char *target = "";
    int most = 0;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK; i++)
        if (lng_bench_wanted(o, &kernel) && most < lng_bench_cores(&kernel)) {
            most = lng_bench_cores(&kernel);
            target = kernel.target;
        }
    for (int c = 0; c < o->core_count; c++)
        if (o->cores[c] > most && most)
            lng_bench_fail("--cores '%d': expected 1 to %d, the number of cores of %s",
                           o->cores[c], most,
                           lng_on_host(target) ? "this machine" : target);
}

/* Whether a count was named; where none was, those of the host are 1, 2, 4 ... all. */
static int takes_cores(const struct lng_bench_options *o, int cores, int predicted)
{
    for (int c = 0; c < o->core_count; c++)
        if (o->cores[c] == cores)
            return 1;
    return !o->core_count &&
           (predicted || (cores & (cores - 1)) == 0 || cores == lng_processors());
}

struct lng_bench_plan lng_bench_plan_make(const struct lng_bench_options *o)
{
    const char *wrong = o->peer ? lng_dnnl_load() : NULL;
    if (wrong)
        lng_bench_fail("--peer %s: %s", o->peer, wrong);
    const size_t most = (size_t)o->size_count * LNG_BENCH_DTYPES * 2 * LNG_BENCH_CORES;
    check_cores(o);
    struct lng_bench_plan plan = {.groups = lng_bench_allocate(most, sizeof *plan.groups),
                                  .processes = o->processes};
    for (int i = 0; i < o->size_count; i++)
        for (int dtype = 0; dtype < LNG_BENCH_DTYPES; dtype++)
            for (int predicted = 0; predicted <= !o->filtered; predicted++)
                for (int cores = 1; cores <= LNG_BENCH_CORES; cores++)
                    if (takes_cores(o, cores, predicted))
                        add_group(&plan, o, &o->sizes[i], (lng_dtype)dtype, cores,
                                  predicted);
    if (!plan.group_count)
        lng_bench_fail("nothing to run: no kernel that was asked for is of this type and "
                       "available on this processor");
    return plan;
}
