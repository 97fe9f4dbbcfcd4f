/* SPDX-License-Identifier: Apache-2.0 */
#include "target/host/host.h"

#include <stdatomic.h>

#include "core/status.h"
#include "core/workers.h"

enum { LINE = 64 };

const int64_t lng_host_thresholds[] = {LNG_PARALLEL_ELEMENTS, LNG_STREAM_ELEMENTS, 0};

/* Workspace: one counter a strip, then the partial sums, strip after strip, block after
 * block, dg then db. */
static size_t counters_size(const struct lng_plan *plan)
{
    const size_t bytes = (size_t)plan->strips * sizeof(atomic_llong);
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t lng_host_workspace(const struct lng_plan *plan)
{
    const size_t partials =
        (size_t)(lng_plan_tiles(plan) * LNG_ARRAYS * plan->partial_stride);
    return counters_size(plan) + partials * sizeof(double);
}

struct share {
    const struct lng_job *job;
    const struct lng_host_body *body;
    atomic_llong next;  /* tile */
    atomic_llong *done; /* tiles of each strip */
    double *partial;
};

static void combine(const struct share *s, const struct lng_tile *t)
{
    const struct lng_plan *plan = &s->job->plan;
    s->body->combine(s->job, t->p0, t->p1, plan->blocks,
                     s->partial +
                         t->strip * plan->blocks * LNG_ARRAYS * plan->partial_stride,
                     plan->partial_stride);
}

static void work(void *arg, int w)
{
    (void)w;
    struct share *s = arg;
    const struct lng_plan *plan = &s->job->plan;
    const int64_t tiles = lng_plan_tiles(plan),
                  elements = plan->block_num * plan->block_size;
    for (int64_t i; (i = atomic_fetch_add(&s->next, 1)) < tiles;) {
        const struct lng_tile t = lng_plan_tile(plan, i);
        double *dg = s->partial + (t.strip * plan->blocks + t.block) * LNG_ARRAYS *
                                      plan->partial_stride;
        s->body->tile(s->job, &t, dg, dg + plan->partial_stride,
                      dg + 2 * plan->partial_stride, elements >= LNG_STREAM_ELEMENTS);
        if (atomic_fetch_add(&s->done[t.strip], 1) + 1 == plan->blocks)
            combine(s, &t);
    }
}

/* No rows: every parameter is the empty sum. */
static void no_tiles(void *arg, int w)
{
    (void)w;
    const struct share *s = arg;
    for (int64_t strip = 0; strip < s->job->plan.strips; strip++) {
        const struct lng_tile t = lng_plan_tile(&s->job->plan, strip);
        combine(s, &t);
    }
}

static int workers_of(const struct lng_job *job)
{
    const lng_problem *p = job->problem;
    if (p->workers > 0)
        return p->workers;
    if (p->block_num * p->block_size < LNG_PARALLEL_ELEMENTS)
        return 1;
    const int allowed = lng_mask_workers(p->core_mask);
    const int64_t tiles = lng_plan_tiles(&job->plan);
    return allowed < tiles ? allowed : (int)tiles;
}

lng_status lng_host_run(const struct lng_job *job, const struct lng_host_body *body)
{
    struct share s = {.job = job, .body = body, .done = job->workspace};
    s.partial = (double *)((char *)job->workspace + counters_size(&job->plan));
    for (int64_t strip = 0; strip < job->plan.strips; strip++)
        atomic_init(&s.done[strip], 0);
    if (!job->plan.blocks)
        return lng_workers_run(1, no_tiles, &s), LNG_OK;
    const int workers = workers_of(job);
    if (lng_workers_run(workers, work, &s) == 0)
        return LNG_OK;
    if (job->problem->workers > 0)
        return lng_report(LNG_BAD_WORKERS, "%d workers could not be started", workers);
    return lng_workers_run(1, work, &s), LNG_OK; /* the mask is an upper limit */
}
