/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch: allocation, and what is wrong with an access. */
#include "model/machine.h"

#include <string.h>

#define EIGHT 0xf4, 0x7f, 0xf4, 0x7f, 0xf4, 0x7f, 0xf4, 0x7f
static const unsigned char pattern[] = {EIGHT, EIGHT, EIGHT, EIGHT,
                                        EIGHT, EIGHT, EIGHT, EIGHT};

static size_t at_most(size_t bytes)
{
    return bytes < sizeof pattern ? bytes : sizeof pattern;
}

void lng_fill(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof pattern)
        memcpy((char *)p + i, pattern, at_most(bytes - i));
}

int lng_is_filled(const void *p, size_t bytes)
{
    int filled = 1;
    for (size_t i = 0; i < bytes && filled; i += sizeof pattern)
        filled = memcmp((const char *)p + i, pattern, at_most(bytes - i)) == 0;
    return filled;
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

static void find_outside(struct lng_core_inside *core, const char *what,
                         const struct lng_area *area, const struct lng_pool *pool,
                         size_t at, size_t bytes)
{
    for (int b = 0; b < pool->count; b++) {
        const size_t end = pool->blocks[b].at + pool->blocks[b].bytes;
        if (at >= pool->blocks[b].at && at < end + LNG_SCRATCH_LINE)
            lng_finding(core, "%s %zu bytes beyond allocation %d of %s", what,
                        at + bytes - end, b + 1, area->name);
        if (at < pool->blocks[b].at && at + bytes > pool->blocks[b].at - LNG_SCRATCH_LINE)
            lng_finding(core, "%s %zu bytes before allocation %d of %s", what,
                        pool->blocks[b].at - at, b + 1, area->name);
    }
    lng_finding(core, "%s outside %s", what, area->name);
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
        find_outside(core, what, area, pool, at, bytes);
    const size_t from = at - pool->blocks[b].at;
    if (at % alignment != 0)
        lng_finding(core, "%s at byte %zu of allocation %d of %s is not aligned to %zu",
                    what, from, b + 1, area->name, alignment);
    const struct lng_runs runs = {(uintptr_t)p, bytes, 1, 0};
    for (int c = 0; c < LNG_CHANNELS; c++) {
        const struct lng_flight *f = &core->flights[c];
        char name[48];
        if (f->active && lng_runs_meet(&runs, &f->to.runs))
            lng_finding(core, "%s at byte %zu of allocation %d of %s, where %s writes",
                        what, from, b + 1, area->name, lng_flight_name(core, f, name));
        if (f->active && write && lng_runs_meet(&runs, &f->from.runs))
            lng_finding(core, "%s at byte %zu of allocation %d of %s, which %s reads",
                        what, from, b + 1, area->name, lng_flight_name(core, f, name));
    }
}

void lng_model_no_half(float value)
{
    lng_finding(lng_core_inside(), "stores %a as a half, which it is not", (double)value);
}
