/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/arguments.h"

enum { PAGE = 4096 };

static size_t pages(int64_t elements, lng_dtype dtype)
{
    const size_t bytes = (size_t)elements * lng_element_size(dtype);
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The most that a kernel of the group asks for. */
static size_t workspace_size(const struct lng_bench_group *g)
{
    size_t most = 0;
    for (size_t i = 0; i < g->unit_count; i++) {
        const lng_problem problem = lng_bench_problem(&g->units[i]);
        const size_t size = lng_workspace_size(&problem);
        if (size > most)
            most = size;
    }
    return (most + PAGE - 1) / PAGE * PAGE;
}

/* What a peer is compared with: dx, dg and db of ours. */
static size_t copies_size(const struct lng_bench_group *g)
{
    for (size_t i = 0; i < g->unit_count; i++)
        if (g->units[i].kind == LNG_BENCH_PEER)
            return pages(lng_bench_elements(g), g->dtype) +
                   2 * pages(g->sizes.param_num, g->dtype);
    return 0;
}

size_t lng_bench_memory(const struct lng_bench_group *g)
{
    return 3 * pages(lng_bench_elements(g), g->dtype) +
           2 * pages(g->sizes.block_num, g->dtype) +
           3 * pages(g->sizes.param_num, g->dtype) + workspace_size(g) + copies_size(g);
}

static void *buffer(size_t bytes)
{
    void *memory = aligned_alloc(PAGE, bytes ? bytes : PAGE);
    if (!memory)
        lng_bench_fail("no memory for %zu bytes", bytes);
    memset(memory, 0, bytes);
    return memory;
}

/* Elements of magnitude 1/8 to 2, of either sign or positive: their time is that of any
 * ordinary data, nothing is subnormal or overflows, and a pair of halves read as a single
 * (roof.h) has an exponent of -31 to 0. The random bits are the high ones of Knuth's MMIX
 * generator. */
static void *random_tensor(uint64_t *state, lng_dtype dtype, int64_t elements,
                           int positive)
{
    void *tensor = buffer(pages(elements, dtype));
    for (int64_t i = 0; i < elements; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t bits = (uint32_t)(*state >> 32);
        const uint32_t sign = positive ? 0 : bits >> 31, octave = bits >> 29 & 3;
        if (dtype == LNG_F16)
            ((uint16_t *)tensor)[i] =
                (uint16_t)(sign << 15 | (15 - 3 + octave) << 10 | (bits & 0x3ff));
        else
            ((uint32_t *)tensor)[i] =
                sign << 31 | (127 - 3 + octave) << 23 | (bits & 0x7fffff);
    }
    return tensor;
}

struct lng_bench_data *lng_bench_data_make(const struct lng_bench_group *g)
{
    struct lng_bench_data *d = lng_bench_allocate(1, sizeof *d);
    const struct lng_bench_sizes *z = &g->sizes;
    const int64_t elements = lng_bench_elements(g);
    uint64_t state = LNG_BENCH_SEED;
    *d = (struct lng_bench_data){
        .dtype = g->dtype,
        .sizes = *z,
        .x = random_tensor(&state, g->dtype, elements, 0),
        .dy = random_tensor(&state, g->dtype, elements, 0),
        .mean = random_tensor(&state, g->dtype, z->block_num, 0),
        .var = random_tensor(&state, g->dtype, z->block_num, 1),
        .gamma = random_tensor(&state, g->dtype, z->param_num, 0),
        .dx = buffer(pages(elements, g->dtype)),
        .dg = buffer(pages(z->param_num, g->dtype)),
        .db = buffer(pages(z->param_num, g->dtype)),
        .workspace_size = workspace_size(g),
    };
    d->workspace = buffer(d->workspace_size);
    return d;
}

struct lng_bench_data *lng_bench_data_for(struct lng_bench_data *d,
                                          const struct lng_bench_group *g)
{
    if (d && d->dtype == g->dtype && memcmp(&d->sizes, &g->sizes, sizeof d->sizes) == 0 &&
        d->workspace_size >= workspace_size(g))
        return d;
    lng_bench_data_free(d);
    return lng_bench_data_make(g);
}

void lng_bench_data_free(struct lng_bench_data *d)
{
    if (!d)
        return;
    void *const all[] = {d->x,  d->dy, d->mean, d->var,       d->gamma,
                         d->dx, d->dg, d->db,   d->workspace, d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

lng_problem lng_bench_bind(const struct lng_bench_unit *unit,
                           const struct lng_bench_data *d)
{
    lng_problem problem = lng_bench_problem(unit);
    problem.x = d->x;
    problem.dy = d->dy;
    problem.mean = d->mean;
    problem.var = d->var;
    problem.gamma = d->gamma;
    problem.dx = d->dx;
    problem.dg = d->dg;
    problem.db = d->db;
    problem.workspace = d->workspace;
    problem.workspace_size = d->workspace_size;
    return problem;
}
