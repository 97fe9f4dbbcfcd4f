/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch: allocation, and what is wrong with an access. */
#include "model/machine.h"

#include <string.h>

void lng_fill(void *p, size_t bytes)
{
    memset(p, 0xff, bytes);
}

int lng_is_filled(const void *p, size_t bytes)
{
    const unsigned char *b = p;
    unsigned char all = 0xff;
    for (size_t i = 0; i < bytes; i++)
        all &= b[i];
    return all == 0xff;
}

struct lng_pool *lng_pool_of(struct lng_core_inside *core, enum lng_area_kind kind)
{
    const int shared = core->machine->call->chip->scalar_scratch == 0;
    return &core->pools[shared ? LNG_VECTOR_AREA : kind];
}

int lng_block_of(const struct lng_pool *pool, size_t at, size_t bytes)
{
    for (int b = 0; b < pool->count; b++)
        if (at >= pool->blocks[b].at &&
            at - pool->blocks[b].at <= pool->blocks[b].bytes &&
            bytes <= pool->blocks[b].bytes - (at - pool->blocks[b].at))
            return b;
    return -1;
}

static void *allocate(enum lng_area_kind kind, size_t bytes)
{
    struct lng_core_inside *core = lng_core_inside();
    struct lng_pool *pool = lng_pool_of(core, kind);
    const struct lng_area *area = &core->face.areas[kind];
    const size_t line = LNG_SCRATCH_LINE;
    if (bytes > pool->capacity - pool->used)
        return NULL;
    if (pool->count == LNG_MOST_BLOCKS)
        lng_finding(core, "allocates %s more than %d times", area->name, LNG_MOST_BLOCKS);
    const size_t at = pool->used + line * (size_t)(pool->count + 1);
    pool->blocks[pool->count++] = (struct lng_block){at, bytes};
    pool->used += (bytes + line - 1) / line * line;
    if (core->face.checked) {
        lng_fill(area->base + at - line, bytes + 2 * line);
        for (size_t i = 0; i < bytes / line; i++)
            area->lines[at / line + i] = LNG_LINE_WHOLE;
    }
    return area->base + at;
}

void *lng_port_vector_scratch(size_t bytes)
{
    return allocate(LNG_VECTOR_AREA, bytes);
}

void *lng_port_scalar_scratch(size_t bytes)
{
    return allocate(LNG_SCALAR_AREA, bytes);
}

static size_t left(enum lng_area_kind kind)
{
    const struct lng_pool *pool = lng_pool_of(lng_core_inside(), kind);
    return pool->capacity - pool->used;
}

size_t lng_port_vector_free(void)
{
    return left(LNG_VECTOR_AREA);
}

size_t lng_port_scalar_free(void)
{
    return left(LNG_SCALAR_AREA);
}

void lng_end_scratch(struct lng_core_inside *core)
{
    for (int kind = 0; kind < LNG_AREAS; kind++) {
        const struct lng_pool *pool = &core->pools[kind];
        const struct lng_area *area = &core->face.areas[kind];
        for (int b = 0; b < pool->count; b++) {
            const size_t at = pool->blocks[b].at, end = at + pool->blocks[b].bytes;
            if (!lng_is_filled(area->base + at - LNG_SCRATCH_LINE, LNG_SCRATCH_LINE) ||
                !lng_is_filled(area->base + end, LNG_SCRATCH_LINE))
                lng_finding(core, "wrote beside allocation %d of %s, not by the port",
                            b + 1, area->name);
        }
    }
}

/* ---- Accesses */

/* Of the allocation that holds the first byte, or of the nearest. */
void lng_find_outside(struct lng_core_inside *core, const char *what,
                      const struct lng_area *area, const struct lng_pool *pool, size_t at,
                      size_t bytes)
{
    int nearest = -1, behind = 0;
    size_t distance = LNG_SCRATCH_LINE + 1;
    for (int b = 0; b < pool->count; b++) {
        const size_t start = pool->blocks[b].at, end = start + pool->blocks[b].bytes;
        const size_t far = at < start ? start - at : at < end ? 0 : at + bytes - end;
        if (far < distance) {
            nearest = b;
            behind = at >= start;
            distance = far;
        }
    }
    if (nearest < 0)
        lng_finding(core, "%s outside %s", what, area->name);
    const struct lng_block *b = &pool->blocks[nearest];
    lng_finding(core, "%s %zu bytes %s allocation %d of %s", what,
                behind ? at + bytes - (b->at + b->bytes) : distance,
                behind ? "beyond" : "before", nearest + 1, area->name);
}

void lng_model_access(enum lng_area_kind kind, const void *p, size_t bytes,
                      size_t alignment, int write)
{
    static const char *const words[2][2] = {
        {"vector load", "vector store"},
        {"scalar load", "scalar store"}
    };
    struct lng_core_inside *core = lng_core_inside();
    const struct lng_area *area = &core->face.areas[kind];
    const struct lng_pool *pool = lng_pool_of(core, kind);
    const char *what = words[kind][write];
    const size_t at = (size_t)((uintptr_t)p - (uintptr_t)area->base);
    if (at >= area->size)
        lng_finding(core, "%s outside %s", what, area->name);
    const int b = lng_block_of(pool, at, bytes);
    if (b < 0)
        lng_find_outside(core, what, area, pool, at, bytes);
    const size_t from = at - pool->blocks[b].at;
    if (at % alignment != 0)
        lng_finding(core, "%s at byte %zu of allocation %d of %s is not aligned to %zu",
                    what, from, b + 1, area->name, alignment);
    const struct lng_runs runs = {(uintptr_t)p, bytes, 1, 0};
    for (int c = 0; c < LNG_CHANNELS; c++) {
        const struct lng_flight *f = &core->flights[c];
        if (f->active && lng_runs_meet(&runs, &f->to.runs))
            lng_finding(core, "%s at byte %zu of allocation %d of %s, where %s writes",
                        what, from, b + 1, area->name, lng_flight_name(core, f));
        if (f->active && write && lng_runs_meet(&runs, &f->from.runs))
            lng_finding(core, "%s at byte %zu of allocation %d of %s, which %s reads",
                        what, from, b + 1, area->name, lng_flight_name(core, f));
    }
}

void lng_model_no_half(float value)
{
    lng_finding(lng_core_inside(), "stores %a as a half, which it is not", (double)value);
}
