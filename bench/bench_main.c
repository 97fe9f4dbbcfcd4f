/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "core/kernel.h"
#include "core/workers.h"
#include "verify/result.h"

_Noreturn void lng_bench_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("lng-bench: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(2);
}

void *lng_bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        lng_bench_fail("no memory for %zu times %zu bytes", count, size);
    return memory;
}

static void list(const struct lng_bench_options *o)
{
    lng_kernel_info kernel;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK; i++)
        printf("kernel %-12s %s %s%s%s%s\n", kernel.id, lng_result_dtype(kernel.dtype),
               kernel.accuracy, kernel.best ? " *" : "",
               lng_on_host(kernel.target) ? "" : " predicted",
               kernel.available ? "" : " (this processor cannot run it)");
    for (int i = 0; i < o->size_count; i++) {
        char shape[LNG_BENCH_NAME];
        lng_bench_shape(&o->sizes[i], shape, sizeof shape);
        printf("shape  %s\n", shape);
    }
    for (int i = 0; i < o->core_count; i++)
        printf("cores  %d\n", o->cores[i]);
    if (o->peer) {
        const char *wrong = lng_dnnl_load();
        printf("peer   %s %s\n", o->peer, wrong ? wrong : lng_dnnl_version());
    }
    for (int k = 0; k < LNG_ROOFS; k++)
        printf("roof   %s%s\n", lng_roof_name[k],
               lng_roof_available((enum lng_roof)k) ? ""
                                                    : " (this processor cannot run it)");
}

/* What has less cores than each number that was named. */
static void left_out(const struct lng_bench_options *o)
{
    lng_kernel_info kernel;
    int least = o->core_count ? o->cores[0] : 1;
    for (int c = 1; c < o->core_count; c++)
        least = o->cores[c] < least ? o->cores[c] : least;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK; i++)
        if (lng_bench_wanted(o, &kernel) && kernel.available &&
            lng_bench_cores(&kernel) < least)
            printf("%s is left out: %d cores\n", kernel.id, lng_bench_cores(&kernel));
}

/* What is to be known before it takes its time. */
static void announce(const struct lng_bench_options *o, const struct lng_bench_plan *plan)
{
    printf("needs %.1f MiB, %.1f available\n", plan->memory / 1048576,
           lng_bench_memory_available() / 1048576);
    if (lng_processors() < 2 && lng_bench_has(plan, 0))
        printf("one processor: nothing here tells how times scale with cores\n");
    if (o->peer && !lng_bench_has(plan, 0))
        printf("%s is not timed: no kernel of the host is\n", o->peer);
    left_out(o);
    fflush(stdout);
}

static void run(const struct lng_bench_options *o)
{
    const time_t start = time(NULL);
    char error[512];
    static struct lng_bench_plan plan;
    plan = lng_bench_plan_make(o);
    if (o->json && lng_result_probe(o->json, error, sizeof error) != 0)
        lng_bench_fail("%s", error);
    if (!o->names_only)
        announce(o, &plan);
    if (lng_bench_has(&plan, 0)) {
        if (o->processes > 1)
            lng_bench_run_processes(&plan, o);
        else if (!lng_bench_run(&plan, o))
            return;
    }
    lng_bench_predict(&plan);
    lng_bench_table(&plan, o);
    if (o->json)
        lng_bench_json(&plan, o, start);
}

int main(int argc, char **argv)
{
    static struct lng_bench_options options;
    options = lng_bench_parse(argc, argv);
    switch (options.action) {
    case LNG_BENCH_HELP:
        lng_bench_usage();
        break;
    case LNG_BENCH_LIST:
        list(&options);
        break;
    case LNG_BENCH_RUN:
        run(&options);
        break;
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        lng_bench_fail("standard output cannot be written");
    return 0;
}
