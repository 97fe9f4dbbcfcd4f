/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DTYPE_H
#define LNG_DTYPE_H
/* Tensors of binary32, over any vec/ header. n is the number of elements, at most
 * LNG_LANES. */
#include <string.h>

static inline lng_v lng_load(const void *tensor, int64_t i, int n)
{
    const float *p = (const float *)tensor + i;
    if (n == LNG_LANES)
        return lng_v_load_f32(p);
    float some[LNG_LANES] = {0};
    memcpy(some, p, (size_t)n * sizeof *p);
    return lng_v_load_f32(some);
}

static inline void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    float *p = (float *)tensor + i;
    if (n == LNG_LANES) {
        lng_v_store_f32(p, v);
    } else {
        float some[LNG_LANES];
        lng_v_store_f32(some, v);
        memcpy(p, some, (size_t)n * sizeof *p);
    }
}

#endif
