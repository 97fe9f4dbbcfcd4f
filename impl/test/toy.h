/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TOY_H
#define LNG_TOY_H
/*
 * A small kernel over the port, right in every respect: y = 3x + 1, and the total of y.
 * Tiles go to the cores in turn, through one buffer or two; every core publishes its
 * partial total, and the first adds them up. toy_<chip>.c has the arithmetic of a tile.
 */
#include <stddef.h>
#include <stdint.h>

struct toy {
    const float *x;
    float *y, *total;
    void *workspace; /* a line of 64 bytes a core */
    size_t n, tile;  /* elements; of a tile, a multiple of 16 */
    int buffers;     /* 1 or 2 */
    uint32_t mask;
};

void toy_ft78ne(void *toy);
void toy_mt7004(void *toy);

#endif
