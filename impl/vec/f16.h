/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DTYPE_H
#define LNG_DTYPE_H
/* Tensors of binary16, over any vec/ header. n is the number of elements, at most
 * LNG_LANES. */
#include <string.h>

static inline lng_v lng_load(const void *tensor, int64_t i, int n)
{
    const uint16_t *p = (const uint16_t *)tensor + i;
    if (n == LNG_LANES)
        return lng_v_load_f16(p);
    uint16_t some[LNG_LANES] = {0};
    memcpy(some, p, (size_t)n * sizeof *p);
    return lng_v_load_f16(some);
}

static inline void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    uint16_t *p = (uint16_t *)tensor + i;
    if (n == LNG_LANES) {
        lng_v_store_f16(p, v);
    } else {
        uint16_t some[LNG_LANES];
        lng_v_store_f16(some, v);
        memcpy(p, some, (size_t)n * sizeof *p);
    }
}

#endif
