/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_TIMINGS_H
#define LNG_REPORTS_TIMINGS_H
/*
 * The timings of lng-bench in order. They are cut into parts, a type measured or
 * predicted each; the two never meet. A part is shown in figures: one for each core
 * count, with a curve over the shapes for each kernel, and one for each shape, with a
 * curve over the core counts. So there are two orders.
 */
#include <stddef.h>

#include "model.h"

enum lng_order { LNG_CORES_FIRST, LNG_SHAPE_FIRST };

struct lng_run {
    enum lng_order order;
    const struct lng_timing **t;
    size_t count;
};

void lng_run_sort(struct lng_run *all);

/* Walks through the parts of all timings, the figures of a part, the curves of a figure:
 *     for (struct lng_run part = {0}; lng_run_next(&part, &all, LNG_PART);) */
enum lng_depth { LNG_PART = 1, LNG_FIGURE, LNG_CURVE, LNG_POINT };
int lng_run_next(struct lng_run *run, const struct lng_run *all, enum lng_depth depth);

int lng_same_shape(const struct lng_timing *a, const struct lng_timing *b);
int lng_same_kernel(const struct lng_timing *a, const struct lng_timing *b);

/* GB/s of a timing and of its roof; NaN where it has none. */
double lng_throughput(const struct lng_timing *t);
double lng_roof(const struct lng_timing *t);

#endif
