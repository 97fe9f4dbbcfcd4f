/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a process's memory lies shifts its times for as long as it lives, so that one
 * process tells them too precisely. Here fresh ones run the same command, one after the
 * other, and hand their results over as lng-result/1 through a pipe.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "verify/result.h"

/* Becomes this program again, with the results to the pipe and no table; with a filter,
 * so that nothing is predicted. */
static void become(const struct lng_bench_options *o, int pipe)
{
    static char json[] = "--json", every[] = "--benchmark_filter=all";
    char path[32];
    char **argv = o->again;
    snprintf(path, sizeof path, "/dev/fd/%d", pipe);
    argv[o->again_count] = json;
    argv[o->again_count + 1] = path;
    argv[o->again_count + 2] = o->filtered ? NULL : every;
    argv[o->again_count + 3] = NULL;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", argv);
    _exit(127);
}

static cJSON *read_result(int pipe)
{
    size_t size = 1 << 16, used = 0;
    char *text = lng_bench_allocate(size, 1);
    for (ssize_t got; (got = read(pipe, text + used, size - 1 - used)) > 0;) {
        used += (size_t)got;
        if (used < size - 1)
            continue;
        char *larger = lng_bench_allocate(size *= 2, 1);
        memcpy(larger, text, used);
        free(text);
        text = larger;
    }
    cJSON *result = cJSON_Parse(text);
    free(text);
    return result;
}

/* A process that ends with a status has said why. */
static cJSON *run_process(const struct lng_bench_options *o)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        lng_bench_fail("no pipe to another process");
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        lng_bench_fail("no other process could be started");
    if (child == 0) {
        close(ends[0]);
        become(o, ends[1]);
    }
    close(ends[1]);
    cJSON *result = read_result(ends[0]);
    close(ends[0]);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        lng_bench_fail("a process that was started did not end by itself");
    if (WEXITSTATUS(status) == 2)
        exit(2);
    if (WEXITSTATUS(status) != 0 || !result)
        lng_bench_fail("a process that was started gave no results");
    return result;
}

static void add_times(struct lng_series *series, const cJSON *times)
{
    const cJSON *item;
    const size_t more = (size_t)cJSON_GetArraySize(times);
    double *all = lng_bench_allocate(series->count + more, sizeof *all);
    if (series->count)
        memcpy(all, series->times, series->count * sizeof *all);
    free(series->times);
    series->times = all;
    cJSON_ArrayForEach(item, times) series->times[series->count++] = item->valuedouble;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The process had the same plan; what was filtered out has no unit in its results. */
static int is_of(const cJSON *item, const struct lng_bench_unit *u)
{
    const struct lng_bench_group *g = u->group;
    const int64_t sizes[] = {g->sizes.param_num, g->sizes.param_size, g->sizes.block_num,
                             g->sizes.block_size};
    for (int i = 0; i < 4; i++)
        if (cJSON_GetArrayItem(member(item, "sizes"), i)->valuedouble != (double)sizes[i])
            return 0;
    return strcmp(member(item, "kernel")->valuestring, u->id) == 0 &&
           strcmp(member(item, "dtype")->valuestring, lng_result_dtype(g->dtype)) == 0 &&
           member(item, "cores")->valuedouble == g->cores;
}

/* Every unit of a group carries the times of its roof. */
static void take_group(struct lng_bench_group *g, const cJSON **item)
{
    const cJSON *roof = NULL;
    for (size_t i = 0; i < g->unit_count && *item; i++)
        if (is_of(*item, &g->units[i])) {
            add_times(&g->units[i].series, member(*item, "times"));
            roof = member(*item, "roof");
            *item = (*item)->next;
        }
    for (int k = 0; k < LNG_ROOFS; k++)
        add_times(&g->roofs[k].series, member(roof, lng_roof_name[k]));
}

void lng_bench_run_processes(struct lng_bench_plan *plan,
                             const struct lng_bench_options *o)
{
    plan->pinned = 1;
    for (int p = 0; p < o->processes; p++) {
        cJSON *result = run_process(o);
        const cJSON *item = member(result, "units")->child;
        for (size_t i = 0; i < plan->group_count; i++)
            if (!plan->groups[i].predicted)
                take_group(&plan->groups[i], &item);
        plan->pinned &= strcmp(member(result, "pinning")->valuestring, "none") != 0;
        cJSON_Delete(result);
    }
}
