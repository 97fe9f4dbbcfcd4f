/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_HOST_H
#define LNG_HOST_H
/*
 * How the host drives a body: workers take the tiles of the plan in turn; whoever
 * finishes a strip's last tile adds up its partial sums. Who does what is left to chance,
 * what is done is the plan's.
 */
#include "core/kernel.h"

/* From so many elements on, waking other processors pays; and from so many, dx bypasses
 * the cache, which it would only empty of what is to be read. */
enum { LNG_PARALLEL_ELEMENTS = 32768, LNG_STREAM_ELEMENTS = 393216 };
extern const int64_t lng_host_thresholds[];

enum { lng_host_cores = 31 }; /* bit 31 of an int's mask is its sign */

/* The two steps of the arithmetic, compiled once for each instruction set (body/rows.h).
 */
struct lng_host_body {
    /* Rows of a tile: dx, and the tile's partial sums, which it sets; gamma is scratch.
     */
    void (*tile)(const struct lng_job *job, const struct lng_tile *tile, double *dg,
                 double *db, double *gamma, int stream);
    /* Rounded totals of parameters [p0, p1), from the partial sums of `blocks` blocks: dg
     * of block k at partial + LNG_ARRAYS*k*stride, db one stride after it. */
    void (*combine)(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                    const double *partial, int64_t stride);
};

size_t lng_host_workspace(const struct lng_plan *plan);
lng_status lng_host_run(const struct lng_job *job, const struct lng_host_body *body);

#endif
