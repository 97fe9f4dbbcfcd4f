/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timings.h"

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_part(const struct lng_timing *a, const struct lng_timing *b)
{
    return a->predicted != b->predicted ? a->predicted - b->predicted
                                        : strcmp(b->dtype, a->dtype); /* fp32 first */
}

static int by_cores(const struct lng_timing *a, const struct lng_timing *b)
{
    return compare(a->cores, b->cores);
}

static int by_shape(const struct lng_timing *a, const struct lng_timing *b)
{
    int order = compare(a->elements, b->elements);
    order =
        order ? order : compare((double)a->sizes.block_num, (double)b->sizes.block_num);
    order =
        order ? order : compare((double)a->sizes.block_size, (double)b->sizes.block_size);
    return order ? order
                 : compare((double)a->sizes.param_num, (double)b->sizes.param_num);
}

static int by_kernel(const struct lng_timing *a, const struct lng_timing *b)
{
    return a->row != b->row ? compare((double)a->row, (double)b->row)
                            : strcmp(a->entry, b->entry);
}

/* The keys of the two orders; a run of depth n agrees in the first n. */
typedef int key(const struct lng_timing *, const struct lng_timing *);
static key *const keys[2][LNG_POINT] = {
    [LNG_CORES_FIRST] = {by_part, by_cores, by_kernel, by_shape},
    [LNG_SHAPE_FIRST] = {by_part, by_shape, by_kernel, by_cores},
};

static int in_order(const struct lng_timing *a, const struct lng_timing *b,
                    enum lng_order order, enum lng_depth depth)
{
    int result = 0;
    for (int i = 0; i < (int)depth && !result; i++)
        result = keys[order][i](a, b);
    return result;
}

static int cores_first(const void *a, const void *b)
{
    return in_order(*(const struct lng_timing *const *)a,
                    *(const struct lng_timing *const *)b, LNG_CORES_FIRST, LNG_POINT);
}

static int shape_first(const void *a, const void *b)
{
    return in_order(*(const struct lng_timing *const *)a,
                    *(const struct lng_timing *const *)b, LNG_SHAPE_FIRST, LNG_POINT);
}

void lng_run_sort(struct lng_run *all)
{
    qsort(all->t, all->count, sizeof *all->t,
          all->order == LNG_CORES_FIRST ? cores_first : shape_first);
}

int lng_run_next(struct lng_run *run, const struct lng_run *all, enum lng_depth depth)
{
    const struct lng_timing **end = all->t + all->count;
    run->order = all->order;
    run->t = run->t ? run->t + run->count : all->t;
    for (run->count = 0; run->t + run->count < end; run->count++)
        if (in_order(run->t[0], run->t[run->count], run->order, depth) != 0)
            break;
    return run->count > 0;
}

int lng_same_shape(const struct lng_timing *a, const struct lng_timing *b)
{
    return by_shape(a, b) == 0;
}

int lng_same_kernel(const struct lng_timing *a, const struct lng_timing *b)
{
    return by_kernel(a, b) == 0;
}

double lng_throughput(const struct lng_timing *t)
{
    return t->bytes / t->median / 1e9;
}

double lng_roof(const struct lng_timing *t)
{
    return t->roof_fraction > 0 ? lng_throughput(t) / t->roof_fraction : NAN;
}
