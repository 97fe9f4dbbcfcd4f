/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DTYPE_H
#define LNG_DTYPE_H
/* Tensors of binary32, over any vec/ header. n is the number of elements, at most
 * LNG_LANES. */
#include <string.h>

/* Vectors of LNG_LANES elements in a cache line. */
enum { LNG_LINE = 2 };

#define LNG_ELEMENT float

LNG_INLINE lng_v lng_load(const void *tensor, int64_t i, int n)
{
    const float *p = (const float *)tensor + i;
    return n == LNG_LANES ? lng_v_load_f32(p) : lng_v_load_first_f32(p, n);
}

LNG_INLINE void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    float *p = (float *)tensor + i;
    if (n == LNG_LANES)
        lng_v_store_f32(p, v);
    else
        lng_v_store_first_f32(p, n, v);
}

/* A whole line, aligned to one. */
LNG_INLINE void lng_stream(void *tensor, int64_t i, const lng_v *v)
{
    lng_v_stream_f32((float *)tensor + i, v);
}

/* Element i will soon be read. No address is wrong. */
LNG_INLINE void lng_fetch(const void *tensor, int64_t i)
{
    __builtin_prefetch((const float *)tensor + i, 0, 2);
}

static inline double lng_load_one(const void *tensor, int64_t i)
{
    double lane[LNG_LANES];
    lng_v_store(lane, lng_load(tensor, i, 1));
    return lane[0];
}

#endif
