/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "bench.h"
#include "core/workers.h"
#include "gbench.h"

/* What the bodies share: buffers stay while shape and type do, threads and the peer's
 * objects while the group does. */
static struct {
    const struct lng_bench_group *group;
    struct lng_bench_data *data;
    struct lng_dnnl *peer; /* NULL until it is timed */
    size_t done, all;      /* repetitions */
    int show_progress;
} run;

/* The processors of the process, before its first thread was bound to one of them. */
static cpu_set_t allowed;
static atomic_int not_pinned;

static void pin(void *arg, int w)
{
    (void)arg;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    int seen = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && seen++ == w)
            CPU_SET(cpu, &mine);
    if (sched_setaffinity(0, sizeof mine, &mine) != 0)
        not_pinned = 1;
}

/* Worker w of the next calls goes to processor w of the allowed ones: the pool gives the
 * threads that it got back last, so the team bound here is the one that the group's calls
 * will use. */
static void enter(const struct lng_bench_group *g)
{
    if (g == run.group)
        return;
    lng_dnnl_free(run.peer);
    run.peer = NULL;
    run.data = lng_bench_data_for(run.data, g);
    run.group = g;
    if (lng_workers_run(g->cores, pin, NULL) != 0)
        lng_bench_fail("%d threads could not be started", g->cores);
}

/* One untimed call first, the one that checks or another: it wakes the threads and fills
 * the caches. */
static void kernel_body(struct lng_gbench_state *state, void *user)
{
    struct lng_bench_unit *unit = user;
    enter(unit->group);
    const lng_problem problem = lng_bench_bind(unit, run.data);
    lng_status status = LNG_OK;
    if (!unit->checked)
        lng_bench_check(&problem, unit->name);
    else
        status = lng_layernormgrad(&problem);
    unit->checked = 1;
    while (lng_gbench_next(state))
        status |= lng_layernormgrad(&problem);
    if (status != LNG_OK)
        lng_bench_fail("%s: a call failed: %s", unit->name, lng_status_text());
}

/* So it is here, where it starts the threads again that ended with the turn before. */
static void peer_body(struct lng_gbench_state *state, void *user)
{
    struct lng_bench_unit *unit = user;
    enter(unit->group);
    const lng_problem problem = lng_bench_bind(unit, run.data);
    if (!run.peer)
        run.peer = lng_dnnl_make(&problem, unit->group->cores);
    if (!run.peer)
        lng_bench_fail("%s: refused by oneDNN %s", unit->name, lng_dnnl_version());
    int failed = 0;
    if (!unit->checked)
        lng_bench_check_peer(&problem, run.peer, unit->name);
    else
        failed = lng_dnnl_run(run.peer);
    unit->checked = 1;
    while (lng_gbench_next(state))
        failed |= lng_dnnl_run(run.peer);
    lng_dnnl_rest();
    if (failed)
        lng_bench_fail("%s: a call failed", unit->name);
}

static void roof_passes(struct lng_roof_team *team, void *state)
{
    lng_roof_pass(team);
    while (lng_gbench_next(state))
        lng_roof_pass(team);
}

static void roof_body(struct lng_gbench_state *state, void *user)
{
    const struct lng_bench_roof *roof = user;
    const struct lng_bench_group *g = roof->group;
    enter(g);
    const struct lng_roof_streams streams = {run.data->x, run.data->dy, run.data->dx,
                                             (size_t)lng_bench_roof_bytes(g) / 3};
    if (lng_roof_run(roof->kind, &streams, g->cores, roof_passes, state) != 0)
        lng_bench_fail("%d threads could not be started", g->cores);
}

static void report(struct lng_series *series, const char *name, double seconds)
{
    series->times[series->count++] = seconds;
    run.done++;
    if (run.show_progress)
        fprintf(stderr, "\r\033[K%zu/%zu %s", run.done, run.all, name);
}

static void unit_report(double seconds, void *user)
{
    struct lng_bench_unit *unit = user;
    report(&unit->series, unit->name, seconds);
}

static void roof_report(double seconds, void *user)
{
    struct lng_bench_roof *roof = user;
    report(&roof->series, roof->name, seconds);
}

/* In every round each kernel and each loop of the group once, so that drift of the
 * machine meets all of them alike. */
static void add_group(struct lng_bench_group *g, int rounds)
{
    for (size_t i = 0; i < g->unit_count; i++) {
        struct lng_bench_unit *unit = &g->units[i];
        unit->series.times = lng_bench_allocate((size_t)rounds, sizeof(double));
        unit->clock = (struct lng_gbench){
            unit->name, unit->kind == LNG_BENCH_PEER ? peer_body : kernel_body,
            unit_report, unit};
    }
    for (int k = 0; k < LNG_ROOFS; k++) {
        struct lng_bench_roof *roof = &g->roofs[k];
        roof->series.times = lng_bench_allocate((size_t)rounds, sizeof(double));
        roof->clock = (struct lng_gbench){roof->name, roof_body, roof_report, roof};
    }
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < g->unit_count; i++)
            if (g->units[i].kind != LNG_BENCH_UNSUPPORTED_PEER) {
                lng_gbench_add(&g->units[i].clock);
                run.all++;
            }
        for (int k = 0; k < LNG_ROOFS; k++)
            if (lng_roof_available(g->roofs[k].kind)) {
                lng_gbench_add(&g->roofs[k].clock);
                run.all++;
            }
    }
}

static void bad_flag(void)
{
    lng_bench_fail(
        "a --benchmark_ flag has a bad value, expected one of Google Benchmark's");
}

int lng_bench_run(struct lng_bench_plan *plan, const struct lng_bench_options *o)
{
    const char *wrong = lng_gbench_init(o->flag_count, o->flags, bad_flag);
    if (wrong)
        lng_bench_fail("unknown option or bad value '%s'", wrong);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    run.show_progress = isatty(STDERR_FILENO);
    for (size_t i = 0; i < plan->group_count; i++)
        if (!plan->groups[i].predicted)
            add_group(&plan->groups[i], o->repetitions);
    if (!lng_gbench_run())
        lng_bench_fail("nothing to run: no benchmark matches --benchmark_filter");
    if (run.show_progress)
        fprintf(stderr, "\r\033[K");
    lng_dnnl_free(run.peer);
    lng_bench_data_free(run.data);
    plan->pinned = !not_pinned;
    return run.done > 0;
}
