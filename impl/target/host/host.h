/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_HOST_H
#define LNG_HOST_H
/*
 * How the host drives a body: in stages, whose tasks the workers take in turn. Who does
 * what is left to chance, what is done is the plan's.
 */
#include "core/kernel.h"

/* From so many elements on, waking other processors pays; and from so many, the data are
 * beyond the cache: dx bypasses it, and what is read next is fetched ahead. */
enum { LNG_PARALLEL_ELEMENTS = 32768, LNG_LARGE_ELEMENTS = 393216 };
extern const int64_t lng_host_thresholds[];

/* A few rows of up to 16384 columns stay in a core's cache, with their partial sums,
 * between the reading for A, B, C and that for dx. Longer ones are cut, so that the cores
 * share a row and a piece's partial sums stay in the cache from row to row. */
extern const struct lng_grain lng_host_grain;

enum { lng_host_cores = 31 }; /* bit 31 of an int's mask is its sign */

/* The steps of the arithmetic, compiled once for each instruction set (body/tiles.h). */
struct lng_host_body {
    /* gamma of a tile's parameters, laid out like its partial sums. */
    void (*gamma)(const struct lng_job *job, const struct lng_tile *tile, double *gamma);
    /* Where rows are cut: A, B, C of pieces k*period + i, k in [k0, k1), at
     * sums + LNG_SUMS*piece. */
    void (*sums)(const struct lng_job *job, int64_t i, int64_t k0, int64_t k1,
                 double *sums);
    /* And from them what dx of rows [n0, n1) needs, at most LNG_LANES, at
     * rows + LNG_SUMS*n. */
    void (*coefficients)(const struct lng_job *job, int64_t n0, int64_t n1,
                         const double *sums, double *rows);
    /* dx of a tile, and its partial sums, which it sets. rows: as above, NULL where rows
     * are not cut. */
    void (*tile)(const struct lng_job *job, const struct lng_tile *tile, double *dg,
                 double *db, const double *gamma, const double *rows, int large);
    /* Rounded totals of parameters [p0, p1), from the partial sums of `blocks` blocks: dg
     * of block k at partial + LNG_PARTIALS*k*stride, db one stride after it. */
    void (*combine)(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                    const double *partial, int64_t stride);
};

#define lng_host_depth lng_plan_depth
size_t lng_host_workspace(const struct lng_plan *plan);
lng_status lng_host_run(const struct lng_job *job, const struct lng_host_body *body);

#endif
