/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arguments.h"

#include <inttypes.h>
#include <stdint.h>

#include "core/status.h"
#include "core/workspace.h"

/* No machine addresses more; keeps every product of sizes and bytes inside 64 bits. */
#define LNG_MAX_ELEMENTS (INT64_C(1) << 47)

size_t lng_element_size(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 2 : 4;
}

int lng_epsilon_is_legal(double epsilon)
{
    return epsilon == 0 || (epsilon >= 0x1p-126 && epsilon <= 0x1p127);
}

/* More threads than any test needs, fewer than a process may have. */
enum { LNG_MAX_WORKERS = 1024 };

/* Of sizes within the limit; -1: beyond it. In double it is exact up to 2^53. */
static int64_t product(int64_t a, int64_t b)
{
    return (double)a * (double)b > (double)LNG_MAX_ELEMENTS ? -1 : a * b;
}

lng_status lng_check_sizes(const lng_problem *p)
{
    if (p->dtype != LNG_F32 && p->dtype != LNG_F16)
        return lng_report(LNG_BAD_DTYPE, "dtype is %d, expected LNG_F32 or LNG_F16",
                          (int)p->dtype);
    const int no_rows = p->block_num == 0 && p->param_size == 0;
    const struct {
        const char *name;
        int64_t value, least;
    } sizes[] = {
        {"param_num",  p->param_num,  1       },
        {"param_size", p->param_size, !no_rows},
        {"block_num",  p->block_num,  !no_rows},
        {"block_size", p->block_size, 1       }
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].value < sizes[i].least || sizes[i].value > LNG_MAX_ELEMENTS)
            return lng_report(LNG_BAD_SIZE, "%s is %" PRId64 ", expected 1 to %" PRId64,
                              sizes[i].name, sizes[i].value, LNG_MAX_ELEMENTS);
    const int64_t params = product(p->param_num, p->param_size);
    const int64_t blocks = product(p->block_num, p->block_size);
    if (params < 0 || blocks < 0)
        return lng_report(LNG_BAD_SIZE, "more than %" PRId64 " elements",
                          LNG_MAX_ELEMENTS);
    if (params != blocks)
        return lng_report(LNG_SIZE_MISMATCH,
                          "param_num*param_size is %" PRId64
                          ", block_num*block_size is %" PRId64
                          ", expected equal products",
                          params, blocks);
    if (!lng_epsilon_is_legal(p->epsilon))
        return lng_report(LNG_BAD_EPSILON, "epsilon is %g, expected 0 or 2^-126 to 2^127",
                          p->epsilon);
    return LNG_OK;
}

struct span {
    const char *name;
    uintptr_t first, end; /* equal: nothing there */
    int required;
};

static struct span span_of(const char *name, const void *start, int64_t elements,
                           size_t element, int required)
{
    const uintptr_t first = (uintptr_t)start;
    const uintptr_t bytes = start ? (uintptr_t)elements * element : 0;
    return (struct span){name, first, first + bytes, required && elements > 0};
}

static int overlap(const struct span *a, const struct span *b)
{
    return a->first < b->end && b->first < a->end;
}

lng_status lng_check_buffers(const lng_problem *p, uint32_t cores, size_t workspace)
{
    if (p->core_mask == 0 || p->core_mask & ~cores)
        return lng_report(LNG_BAD_MASK,
                          "core_mask is 0x%" PRIx32 ", expected 0x1 to 0x%" PRIx32,
                          p->core_mask, cores);
    if (p->workers < 0 || p->workers > LNG_MAX_WORKERS)
        return lng_report(LNG_BAD_WORKERS, "workers is %d, expected 0 to %d", p->workers,
                          LNG_MAX_WORKERS);

    const size_t size = lng_element_size(p->dtype);
    const int64_t elements = p->block_num * p->block_size;
    enum { X, DY, INPUTS = 5, DX = INPUTS, ALL = 8 };
    const struct span spans[ALL] = {span_of("x", p->x, elements, size, 1),
                                    span_of("dy", p->dy, elements, size, 1),
                                    span_of("mean", p->mean, p->block_num, size, 1),
                                    span_of("var", p->var, p->block_num, size, 1),
                                    span_of("gamma", p->gamma, p->param_num, size, 0),
                                    span_of("dx", p->dx, elements, size, 0),
                                    span_of("dg", p->dg, p->param_num, size, 0),
                                    span_of("db", p->db, p->param_num, size, 0)};
    for (int i = 0; i < ALL; i++) {
        if (spans[i].required && !spans[i].first)
            return lng_report(LNG_NULL_POINTER, "%s is NULL", spans[i].name);
        if (spans[i].first & (size - 1))
            return lng_report(LNG_BAD_ALIGNMENT, "%s is not aligned to %zu bytes",
                              spans[i].name, size);
    }
    for (int out = DX; out < ALL; out++)
        for (int other = 0; other < out; other++) {
            const int in_place = out == DX && (other == X || other == DY) &&
                                 spans[out].first == spans[other].first;
            if (!in_place && overlap(&spans[out], &spans[other]))
                return lng_report(LNG_OVERLAP, "%s overlaps %s", spans[out].name,
                                  spans[other].name);
        }
    if (!p->workspace)
        return LNG_OK;
    if (p->workspace_size < workspace ||
        (uintptr_t)p->workspace % LNG_WORKSPACE_ALIGNMENT)
        return lng_report(LNG_BAD_WORKSPACE,
                          "workspace of %zu bytes, expected %zu aligned to %d",
                          p->workspace_size, workspace, LNG_WORKSPACE_ALIGNMENT);
    const struct span space =
        span_of("workspace", p->workspace, (int64_t)workspace, 1, 0);
    for (int i = 0; i < ALL; i++)
        if (overlap(&space, &spans[i]))
            return lng_report(LNG_OVERLAP, "workspace overlaps %s", spans[i].name);
    return LNG_OK;
}
