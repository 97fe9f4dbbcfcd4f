/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plain.h"

static _Thread_local struct lng_staged core;

struct lng_staged *lng_staged_core(void)
{
    return &core;
}

uint32_t lng_staged_begin(const struct lng_job *job, uint32_t mask)
{
    core = (struct lng_staged){.job = job,
                               .stages = &((const struct lng_mutant *)job->kernel)->chip,
                               .at = lng_dsp_lay_out(&job->plan),
                               .mask = mask};
    return core.stages->mask ? core.stages->mask(&core, mask) : mask;
}

void lng_staged_start(int channel, const struct lng_transfer *t)
{
    core.last[channel] = *t;
    if (core.stages->start)
        core.stages->start(&core, channel, *t);
    else
        lng_port_start(channel, t);
}

void lng_staged_wait(int channel)
{
    if (core.stages->wait)
        core.stages->wait(&core, channel);
    else
        lng_port_wait(channel);
}

void lng_staged_barrier(uint32_t mask)
{
    if (core.stages->barrier)
        core.stages->barrier(&core, mask);
    else
        lng_port_barrier(mask);
}

void lng_staged_publish(const void *p, size_t bytes)
{
    (core.stages->publish ? core.stages->publish : lng_port_publish)(p, bytes);
}

void lng_staged_acquire(const void *p, size_t bytes)
{
    core.acquired = p;
    (core.stages->acquire ? core.stages->acquire : lng_port_acquire)(p, bytes);
}

void *lng_staged_vector_scratch(size_t bytes)
{
    void *start = lng_port_vector_scratch(
        core.stages->scratch ? core.stages->scratch(bytes) : bytes);
    if (core.scratches < LNG_STAGED_SCRATCH) {
        core.scratch[core.scratches].start = start;
        core.scratch[core.scratches++].bytes = bytes;
    }
    return start;
}

int64_t lng_staged_tiles(const struct lng_plan *plan)
{
    const int64_t tiles = lng_plan_tiles(plan);
    return core.stages->tiles ? core.stages->tiles(&core, tiles) : tiles;
}
