/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sched_yield */
#include "target/host/host.h"

#include <sched.h>
#include <stdatomic.h>

#include "core/arch.h"
#include "core/status.h"
#include "core/workers.h"
#include "vec/lanes.h"

const int64_t lng_host_thresholds[] = {LNG_PARALLEL_ELEMENTS, LNG_LARGE_ELEMENTS, 0};

const struct lng_grain lng_host_grain = {.lanes = LNG_LANES,
                                         .whole = 16384,
                                         .tile_elements = 4096,
                                         .tile_repeats = 16,
                                         .most_blocks = 64};

/* Workers that have work, at most, in a stage; a larger team has idle members. */
enum { SLOTS = 32 };

/* Parameters whose totals are one task. */
enum { TOTALS = 512 };

/* Workspace, in doubles: gamma for each of the workers that have tiles; the partial sums,
 * for each of them where there is one block, else strip after strip and block after
 * block; and where rows are cut the sums of their pieces and what follows for each. */
struct layout {
    int64_t slots, partials, sums, rows, end;
};

static struct layout lay_out(const struct lng_plan *plan)
{
    const int64_t tiles = lng_plan_tiles(plan), stride = plan->partial_stride;
    const int cut = plan->pieces > 1;
    struct layout l = {.slots = tiles > SLOTS ? SLOTS : tiles ? tiles : 1};
    l.partials = l.slots * stride;
    l.sums = l.partials + LNG_PARTIALS * stride * (plan->blocks > 1 ? tiles : l.slots);
    l.rows = l.sums + cut * LNG_SUMS * plan->block_num * plan->pieces;
    l.end = l.rows + cut * LNG_SUMS * plan->block_num;
    return l;
}

size_t lng_host_workspace(const struct lng_plan *plan)
{
    return ((size_t)lay_out(plan).end * sizeof(double) + 63) / 64 * 64;
}

struct share;

/* Tasks that need nothing of each other, but all of the stage before. Each worker has a
 * run of them, the same in every call, so that what is in a core's own cache is used
 * there; who is through with it helps the next. */
struct stage {
    void (*run)(struct share *s, int64_t task, int w);
    int64_t tasks;
    int team; /* workers that take part */
    struct {
        _Alignas(64) atomic_llong next;
    } of[SLOTS];
    atomic_llong done;
};

struct share {
    const struct lng_job *job;
    const struct lng_host_body *body;
    struct layout at;
    double *workspace;
    int64_t batches; /* of repetitions, for the sums */
    int large;
    int64_t strip_of_gamma[SLOTS]; /* what a slot's gamma is of */
    struct stage stages[4];
    int stage_count;
};

static void sums(struct share *s, int64_t task, int w)
{
    const struct lng_plan *plan = &s->job->plan;
    const int64_t k0 = task / plan->period * LNG_LANES;
    const int64_t k1 = k0 + LNG_LANES < plan->repeats ? k0 + LNG_LANES : plan->repeats;
    (void)w;
    s->body->sums(s->job, task % plan->period, k0, k1, s->workspace + s->at.sums);
}

static void coefficients(struct share *s, int64_t task, int w)
{
    (void)w;
    const int64_t n0 = task * LNG_LANES, rows = s->job->plan.block_num;
    s->body->coefficients(s->job, n0, n0 + LNG_LANES < rows ? n0 + LNG_LANES : rows,
                          s->workspace + s->at.sums, s->workspace + s->at.rows);
}

static double *partials(const struct share *s, int64_t strip, int64_t block, int w)
{
    const struct lng_plan *plan = &s->job->plan;
    return s->workspace + s->at.partials +
           (plan->blocks > 1 ? strip * plan->blocks + block : w) * LNG_PARTIALS *
               plan->partial_stride;
}

static void tile(struct share *s, int64_t task, int w)
{
    const struct lng_plan *plan = &s->job->plan;
    const struct lng_tile t = lng_plan_tile(plan, task);
    double *dg = partials(s, t.strip, t.block, w);
    double *gamma = s->workspace + w * plan->partial_stride;
    if (s->strip_of_gamma[w] != t.strip)
        s->body->gamma(s->job, &t, gamma);
    s->strip_of_gamma[w] = t.strip;
    s->body->tile(s->job, &t, dg, dg + plan->partial_stride, gamma,
                  plan->pieces > 1 ? s->workspace + s->at.rows : NULL, s->large);
    if (plan->blocks == 1)
        s->body->combine(s->job, t.p0, t.p1, 1, dg, plan->partial_stride);
}

/* Also where there are no rows: then every total is the empty sum. */
static void totals(struct share *s, int64_t task, int w)
{
    const struct lng_plan *plan = &s->job->plan;
    const int64_t a_strip = (plan->span + TOTALS - 1) / TOTALS;
    const struct lng_tile t = lng_plan_tile(plan, task / a_strip);
    const int64_t p0 = t.p0 + task % a_strip * TOTALS;
    const int64_t p1 = p0 + TOTALS < t.p1 ? p0 + TOTALS : t.p1;
    if (p0 < p1)
        s->body->combine(s->job, p0, p1, plan->blocks,
                         partials(s, t.strip, 0, w) + (p0 - t.p0), plan->partial_stride);
}

static void add_stage(struct share *s, void (*run)(struct share *, int64_t, int),
                      int64_t tasks)
{
    struct stage *stage = &s->stages[s->stage_count++];
    stage->run = run;
    stage->tasks = tasks;
}

static void make_stages(struct share *s)
{
    const struct lng_plan *plan = &s->job->plan;
    s->stage_count = 0;
    if (plan->pieces > 1 && s->job->problem->dx) {
        s->batches = (plan->repeats + LNG_LANES - 1) / LNG_LANES;
        add_stage(s, sums, s->batches * plan->period);
        add_stage(s, coefficients, (plan->block_num + LNG_LANES - 1) / LNG_LANES);
    }
    add_stage(s, tile, lng_plan_tiles(plan));
    if (plan->blocks != 1)
        add_stage(s, totals, plan->strips * ((plan->span + TOTALS - 1) / TOTALS));
}

static int64_t first_task(const struct stage *stage, int w)
{
    return stage->tasks * w / stage->team;
}

static void begin_stages(struct share *s, int workers)
{
    for (int i = 0; i < s->stage_count; i++) {
        struct stage *stage = &s->stages[i];
        const int64_t most = stage->run == tile ? s->at.slots : SLOTS;
        stage->team = workers < most ? workers : (int)most;
        atomic_init(&stage->done, 0);
        for (int w = 0; w < stage->team; w++)
            atomic_init(&stage->of[w].next, first_task(stage, w));
    }
}

/* The last tasks of a stage are with workers that run, so the wait is short, but for a
 * team larger than the machine. */
static void wait_for(struct stage *stage)
{
    for (int spins = 0; atomic_load(&stage->done) < stage->tasks; spins++)
        if (spins < 1000)
            lng_relax();
        else
            sched_yield();
}

static void work(void *arg, int w)
{
    struct share *s = arg;
    if (w >= SLOTS)
        return;
    s->strip_of_gamma[w] = -1;
    for (int i = 0; i < s->stage_count; i++) {
        struct stage *stage = &s->stages[i];
        for (int v = w; w < stage->team && v < w + stage->team; v++) {
            const int of = v % stage->team;
            const int64_t end = first_task(stage, of + 1);
            int64_t done = 0;
            for (int64_t task; (task = atomic_fetch_add(&stage->of[of].next, 1)) < end;
                 done++)
                stage->run(s, task, w);
            if (done)
                atomic_fetch_add(&stage->done, done);
        }
        if (i + 1 < s->stage_count)
            wait_for(stage);
    }
}

/* One worker: nobody to wait for. */
static void work_alone(void *arg, int w)
{
    struct share *s = arg;
    s->strip_of_gamma[w] = -1;
    for (int i = 0; i < s->stage_count; i++)
        for (int64_t task = 0; task < s->stages[i].tasks; task++)
            s->stages[i].run(s, task, w);
}

static int workers_of(const struct share *s)
{
    const lng_problem *p = s->job->problem;
    if (p->workers > 0)
        return p->workers;
    if (p->block_num * p->block_size < LNG_PARALLEL_ELEMENTS)
        return 1;
    const int allowed = lng_mask_workers(p->core_mask);
    const int64_t tasks = s->stages[0].tasks;
    return allowed < tasks ? allowed : (int)tasks;
}

lng_status lng_host_run(const struct lng_job *job, const struct lng_host_body *body)
{
    const lng_problem *p = job->problem;
    struct share s; /* too large to be cleared in a call on a few elements */
    s.job = job;
    s.body = body;
    s.at = lay_out(&job->plan);
    s.workspace = job->workspace;
    s.large = p->block_num * p->block_size >= LNG_LARGE_ELEMENTS;
    make_stages(&s);
    const int workers = workers_of(&s);
    if (workers > 1)
        begin_stages(&s, workers);
    if (workers > 1 &&
        (p->workers ? lng_workers_run : lng_workers_help)(workers, work, &s) == 0)
        return LNG_OK;
    if (p->workers > 1)
        return lng_report(LNG_BAD_WORKERS, "%d workers could not be started", workers);
    lng_workers_run(1, work_alone, &s); /* the mask is an upper limit */
    return LNG_OK;
}
