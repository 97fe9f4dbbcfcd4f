/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_SOME_H
#define LNG_VEC_SOME_H
/* The first n elements only, and stores past the cache, for a vocabulary that has neither
 * masks nor such stores: through a copy, and as an ordinary store. */
#include <string.h>

static inline lng_v lng_v_load_first_f32(const float *p, int n)
{
    float some[LNG_LANES] = {0};
    memcpy(some, p, (size_t)n * sizeof *p);
    return lng_v_load_f32(some);
}

static inline void lng_v_store_first_f32(float *p, int n, lng_v v)
{
    float some[LNG_LANES];
    lng_v_store_f32(some, v);
    memcpy(p, some, (size_t)n * sizeof *p);
}

static inline void lng_v_stream_f32(float *p, const lng_v *v)
{
    for (int k = 0; k < 2; k++)
        lng_v_store_f32(p + LNG_LANES * k, v[k]);
}

static inline lng_v lng_v_load_first_f16(const uint16_t *p, int n)
{
    uint16_t some[LNG_LANES] = {0};
    memcpy(some, p, (size_t)n * sizeof *p);
    return lng_v_load_f16(some);
}

static inline void lng_v_store_first_f16(uint16_t *p, int n, lng_v v)
{
    uint16_t some[LNG_LANES];
    lng_v_store_f16(some, v);
    memcpy(p, some, (size_t)n * sizeof *p);
}

static inline void lng_v_stream_f16(uint16_t *p, const lng_v *v)
{
    for (int k = 0; k < 4; k++)
        lng_v_store_f16(p + LNG_LANES * k, v[k]);
}

#endif
