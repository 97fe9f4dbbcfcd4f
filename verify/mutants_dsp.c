/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planted faults of the kernels of DSPs: what transfers bring, and where to. A transfer
 * is told by what it reads or writes.
 */
#include <math.h>

#include "verify/planting.h"

static int64_t element(const struct lng_staged *s)
{
    return (int64_t)lng_dtype_size(s->job->problem->dtype);
}

static int within(const void *p, const void *start, int64_t bytes)
{
    return start && (uintptr_t)p - (uintptr_t)start < (uintptr_t)bytes;
}

static int in_rows(const struct lng_staged *s, const void *p, const void *tensor)
{
    const struct lng_problem *of = s->job->problem;
    return within(p, tensor, of->block_num * of->block_size * element(s));
}

static int in_statistics(const struct lng_staged *s, const void *p, const void *tensor)
{
    return within(p, tensor, s->job->problem->block_num * element(s));
}

static int in_parameters(const struct lng_staged *s, const void *p, const void *tensor)
{
    return within(p, tensor, s->job->problem->param_num * element(s));
}

/* Byte `from` to `end` of the workspace. */
static int in_workspace(const struct lng_staged *s, const void *p, int64_t from,
                        int64_t end)
{
    return within(p, (const char *)s->job->workspace + from, end - from);
}

static const void *moved(const void *p, int64_t bytes)
{
    return (const char *)p + bytes;
}

/* ---- Rows */

static size_t without_tail(const struct lng_staged *s, size_t bytes)
{
    const size_t size = (size_t)element(s);
    return bytes / size % 2 && bytes > size ? bytes - size : bytes;
}

void lng_plant_ft78ne_tail_not_fetched(struct lng_staged *s, int channel,
                                       struct lng_transfer t)
{
    if (in_rows(s, t.from, s->job->problem->x))
        t.bytes = without_tail(s, t.bytes);
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_tail_not_stored(struct lng_staged *s, int channel,
                                      struct lng_transfer t)
{
    if (in_rows(s, t.to, s->job->problem->dx))
        t.bytes = without_tail(s, t.bytes);
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_whole_vectors_fetched(struct lng_staged *s, int channel,
                                            struct lng_transfer t)
{
    const size_t vector = (size_t)(s->job->plan.lanes * element(s));
    if (in_rows(s, t.from, s->job->problem->dy))
        t.bytes = (t.bytes + vector - 1) / vector * vector;
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_last_row_stale(struct lng_staged *s, int channel,
                                     struct lng_transfer t)
{
    if (in_rows(s, t.from, s->job->problem->dy) && t.count > 1)
        t.count--;
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_one_buffer(struct lng_staged *s, int channel, struct lng_transfer t)
{
    if (in_rows(s, t.from, s->job->problem->x)) {
        if (!s->kept)
            s->kept = t.to;
        t.to = (void *)(uintptr_t)s->kept;
    }
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_x_not_awaited(const struct lng_staged *s, int channel)
{
    if (!in_rows(s, s->last[channel].from, s->job->problem->x))
        lng_port_wait(channel);
}

void lng_plant_ft78ne_dx_not_awaited(const struct lng_staged *s, int channel)
{
    if (!in_rows(s, s->last[channel].to, s->job->problem->dx))
        lng_port_wait(channel);
}

void lng_plant_ft78ne_results_in_flight(const struct lng_staged *s, int channel)
{
    if (!in_parameters(s, s->last[channel].to, s->job->problem->db))
        lng_port_wait(channel);
}

/* ---- Statistics, coefficients and gamma */

void lng_plant_ft78ne_mean_and_var_swapped(struct lng_staged *s, int channel,
                                           struct lng_transfer t)
{
    const struct lng_problem *p = s->job->problem;
    const int64_t apart = (const char *)p->var - (const char *)p->mean;
    if (in_statistics(s, t.from, p->mean))
        t.from = moved(t.from, apart);
    else if (in_statistics(s, t.from, p->var))
        t.from = moved(t.from, -apart);
    lng_port_start(channel, &t);
}

/* Where a transfer ends that reads. */
static const void *end_of(const struct lng_transfer *t)
{
    return moved(t->from, (int64_t)(t->count - 1) * t->from_pitch + (int64_t)t->bytes);
}

void lng_plant_ft78ne_var_of_next_row(struct lng_staged *s, int channel,
                                      struct lng_transfer t)
{
    const void *var = s->job->problem->var;
    if (in_statistics(s, t.from, var) && in_statistics(s, end_of(&t), var))
        t.from = moved(t.from, element(s));
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_coefficients_of_next_row(struct lng_staged *s, int channel,
                                               struct lng_transfer t)
{
    const int64_t rows = s->at.rows, partials = s->at.partials;
    if (in_workspace(s, t.from, rows, partials) &&
        in_workspace(s, end_of(&t), rows, partials))
        t.from = moved(t.from, LNG_DSP_LINE);
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_last_piece_missing(struct lng_staged *s, int channel,
                                         struct lng_transfer t)
{
    if (in_workspace(s, t.from, 0, s->at.rows) && t.bytes > LNG_DSP_LINE)
        t.bytes -= LNG_DSP_LINE;
    lng_port_start(channel, &t);
}

void lng_plant_ft78ne_previous_gamma(struct lng_staged *s, int channel,
                                     struct lng_transfer t)
{
    const void *gamma = s->job->problem->gamma, *from = t.from, *before = s->kept;
    if (in_parameters(s, from, gamma)) {
        if (before && in_parameters(s, moved(before, (int64_t)t.bytes - 1), gamma))
            t.from = before;
        s->kept = from;
    }
    lng_port_start(channel, &t);
}

/* ---- Partial sums and scratch */

/* The window's are cleared once, from the NaN that scratch is filled with. */
double lng_plant_ft78ne_sums_across_windows(const struct lng_staged *s, const double *at,
                                            double v)
{
    for (int sums = 1; sums <= 2; sums++)
        if (v == 0 && !isnan(*at) &&
            within(at, s->scratch[sums].start, (int64_t)s->scratch[sums].bytes))
            return *at;
    return v;
}

/* Whether a transfer brings a tile's partial sums for the totals; tile: which one's. */
static int brings_partials(const struct lng_staged *s, const struct lng_transfer *t,
                           int64_t *tile)
{
    const char *partials = (const char *)s->job->workspace + s->at.partials;
    const int64_t a_tile = 2 * s->at.stride * (int64_t)sizeof(double);
    if (s->acquired != partials || !in_workspace(s, t->from, s->at.partials, s->at.end))
        return 0;
    *tile = ((const char *)t->from - partials) / a_tile;
    return 1;
}

/* The partial sums of another block of the strip. */
static void start_other(const struct lng_staged *s, int channel, struct lng_transfer t,
                        int64_t tile, int64_t block)
{
    const int64_t strips = s->job->plan.strips;
    t.from = moved(t.from, (block - tile / strips) * strips * 2 * s->at.stride *
                               (int64_t)sizeof(double));
    lng_port_start(channel, &t);
}

static int cores_of(uint32_t mask)
{
    return mask ? 1 + cores_of(mask & (mask - 1)) : 0;
}

void lng_plant_ft78ne_one_core_short(struct lng_staged *s, int channel,
                                     struct lng_transfer t)
{
    const struct lng_plan *plan = &s->job->plan;
    const int64_t tiles = plan->blocks * plan->strips, cores = cores_of(s->mask);
    int64_t tile;
    if (brings_partials(s, &t, &tile) && tile >= tiles * (cores - 1) / cores &&
        cores > 1 && tile >= plan->strips)
        start_other(s, channel, t, tile, tile / plan->strips - 1);
    else
        lng_port_start(channel, &t);
}

void lng_plant_ft78ne_order_of_cores(struct lng_staged *s, int channel,
                                     struct lng_transfer t)
{
    const struct lng_plan *plan = &s->job->plan;
    int64_t tile;
    if (brings_partials(s, &t, &tile))
        start_other(s, channel, t, tile,
                    (tile / plan->strips + lng_port_core()) % plan->blocks);
    else
        lng_port_start(channel, &t);
}

void lng_plant_ft78ne_combined_backwards(struct lng_staged *s, int channel,
                                         struct lng_transfer t)
{
    const struct lng_plan *plan = &s->job->plan;
    int64_t tile;
    if (brings_partials(s, &t, &tile))
        start_other(s, channel, t, tile, plan->blocks - 1 - tile / plan->strips);
    else
        lng_port_start(channel, &t);
}

size_t lng_plant_ft78ne_scratch_too_small(size_t bytes)
{
    return bytes - sizeof(float);
}

/* ---- Cores */

static int is_last(const struct lng_staged *s)
{
    return s->mask >> lng_port_core() == 1 && s->mask & (s->mask - 1);
}

int64_t lng_plant_ft78ne_last_core_idle(const struct lng_staged *s, int64_t tiles)
{
    return is_last(s) ? 0 : tiles;
}

uint32_t lng_plant_ft78ne_mask_of_all_below(const struct lng_staged *s, uint32_t mask)
{
    (void)s;
    for (uint32_t core = 1; core < mask; core <<= 1)
        mask |= core;
    return mask;
}

void lng_plant_ft78ne_no_barrier(const struct lng_staged *s, uint32_t mask)
{
    (void)s;
    (void)mask;
}

void lng_plant_ft78ne_last_core_passes(const struct lng_staged *s, uint32_t mask)
{
    if (!is_last(s))
        lng_port_barrier(mask);
}

void lng_plant_ft78ne_not_published(const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
}

void lng_plant_ft78ne_not_acquired(const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
}
