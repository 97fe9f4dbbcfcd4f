/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TENSOR_H
#define LNG_TENSOR_H
/* Tensors of one type, over any vocabulary: vec/f32.h or vec/f16.h, which include this,
 * say which. n is the number of elements, at most LNG_LANES. */

#include "vec/widened.h"

/* Vectors of LNG_LANES elements in a cache line. */
enum { LNG_LINE = 64 / sizeof(LNG_ELEMENT) / LNG_LANES };

/* gamma is kept as doubles. */
LNG_INLINE lng_e lng_gamma(const void *gamma, int64_t i, int n)
{
    const lng_v v = lng_v_load((const double *)gamma + i);
    return n == LNG_LANES ? v : lng_v_first(v, n);
}

LNG_INLINE lng_e lng_load(const void *tensor, int64_t i, int n)
{
    const LNG_ELEMENT *p = (const LNG_ELEMENT *)tensor + i;
    return n == LNG_LANES ? LNG_TYPED(lng_v_load)(p) : LNG_TYPED(lng_v_load_first)(p, n);
}

LNG_INLINE void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    LNG_ELEMENT *p = (LNG_ELEMENT *)tensor + i;
    if (n == LNG_LANES)
        LNG_TYPED(lng_v_store)(p, v);
    else
        LNG_TYPED(lng_v_store_first)(p, n, v);
}

/* A whole line, aligned to one. */
LNG_INLINE void lng_stream(void *tensor, int64_t i, const lng_v *v)
{
    LNG_TYPED(lng_v_stream)((LNG_ELEMENT *)tensor + i, v);
}

/* Element i will soon be read, if there is one. */
LNG_INLINE void lng_fetch(const void *tensor, int64_t i)
{
    lng_prefetch((uintptr_t)tensor + (uintptr_t)i * sizeof(LNG_ELEMENT));
}

static inline double lng_load_one(const void *tensor, int64_t i)
{
    double lane[LNG_LANES];
    lng_v_store(lane, lng_load(tensor, i, 1));
    return lane[0];
}

#endif
