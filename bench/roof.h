/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_ROOF_H
#define LNG_ROOF_H
/*
 * The roof of a shape: how fast its streams can move at all. It is the better of two
 * loops over the kernel's own buffers,
 *
 *     dx[i] = x[i] + s*dy[i],   s = 1/2,
 *
 * one with ordinary stores, one with non-temporal ones (they bypass the caches). The
 * tensors are taken as singles whatever their type, since only the bytes matter; a half
 * left over at the end is copied. The inputs must be such that no pair of halves reads as
 * a NaN or a subnormal single (those of bench_data.c are).
 *
 * Each thread owns one run of whole pages. The threads wait for one another actively
 * between passes, so that the roof is that of the memory and not of waking threads.
 */
#include <stddef.h>

enum lng_roof { LNG_STREAM, LNG_STREAM_NT, LNG_ROOFS };
extern const char *const lng_roof_name[LNG_ROOFS]; /* "stream", "stream_nt" */

/* Whether this processor has such stores. */
int lng_roof_available(enum lng_roof roof);

/* One pass over bytes [0, bytes) by the calling thread. bytes is a multiple of 2; dx is
 * aligned to 32 and overlaps neither input. */
void lng_roof_loop(enum lng_roof roof, void *dx, const void *x, const void *dy,
                   size_t bytes);

struct lng_roof_team;

struct lng_roof_streams {
    const void *x, *dy;
    void *dx; /* aligned to a page */
    size_t bytes;
};

/* Runs body(team, user) in the calling thread while other threads of the library's pool,
 * up to `cores` together, stand by for lng_roof_pass. 0, or -1 if they could not be
 * started (then body was not called). */
int lng_roof_run(enum lng_roof roof, const struct lng_roof_streams *streams, int cores,
                 void (*body)(struct lng_roof_team *team, void *user), void *user);

/* One pass over the streams by the whole team; returns when all are through. */
void lng_roof_pass(struct lng_roof_team *team);

#endif
