/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/*
 * The vocabulary in plain C: eight virtual lanes of double. Every other header of this
 * folder offers the same functions with the same bits; vec/f32.h and vec/f16.h build on
 * them.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/arch.h"
#include "vec/lanes.h"

enum { LNG_SUM_GROUP = 1, LNG_GROUP = 1, LNG_KEEP = 0 };

typedef struct {
    double lane[LNG_LANES];
} lng_v;

static inline lng_v lng_v_all(double value)
{
    lng_v v;
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = value;
    return v;
}

static inline lng_v lng_v_load(const double *p)
{
    lng_v v;
    memcpy(v.lane, p, sizeof v.lane);
    return v;
}

static inline void lng_v_store(double *p, lng_v v)
{
    memcpy(p, v.lane, sizeof v.lane);
}

static inline lng_v lng_v_add(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] += b.lane[l];
    return a;
}

static inline lng_v lng_v_sub(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] -= b.lane[l];
    return a;
}

static inline lng_v lng_v_mul(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] *= b.lane[l];
    return a;
}

/* a*b + c and c - a*b, rounded once. */
static inline lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    for (int l = 0; l < LNG_LANES; l++)
        c.lane[l] = fma(a.lane[l], b.lane[l], c.lane[l]);
    return c;
}

static inline lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    for (int l = 0; l < LNG_LANES; l++)
        c.lane[l] = fma(-a.lane[l], b.lane[l], c.lane[l]);
    return c;
}

/* Lanes from n on become +0. */
static inline lng_v lng_v_first(lng_v v, int n)
{
    for (int l = n; l < LNG_LANES; l++)
        v.lane[l] = 0;
    return v;
}

/* r = 1/sqrt(v), NaN unless v > 0. */
static inline lng_v lng_v_r(lng_v v)
{
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = v.lane[l] > 0 ? 1 / sqrt(v.lane[l]) : (double)NAN;
    return v;
}

/* The sums of eight, by a fixed tree: lanes four apart, two apart, neighbours. */
static inline lng_v lng_v_sums(const lng_v *v)
{
    lng_v sums;
    for (int k = 0; k < LNG_LANES; k++) {
        const double *s = v[k].lane;
        sums.lane[k] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
    return sums;
}

static inline lng_v lng_v_load_f32(const float *p)
{
    lng_v v;
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = (double)p[l];
    return v;
}

static inline void lng_v_store_f32(float *p, lng_v v)
{
    for (int l = 0; l < LNG_LANES; l++)
        p[l] = (float)v.lane[l];
}

/* Exact: the significand and exponent moved to single's place are 2^-112 of the value. */
static inline double lng_half_value(uint16_t bits)
{
    uint32_t u = (uint32_t)(bits & 0x7fff) << 13;
    if (u >= 0x0f800000)
        u |= 0x7f800000; /* infinity and NaN keep their exponent */
    float f;
    memcpy(&f, &u, sizeof f);
    const double value = u >= 0x7f800000 ? (double)f : (double)f * 0x1p112;
    return bits & 0x8000 ? -value : value;
}

/* To nearest even, once. From 65520 on the nearest is infinity; below 2^-14 the spacing
 * is 2^-24, and adding 2^52 rounds to it; between, half the last place is added to the
 * bits. */
static inline uint16_t lng_half_round(double v)
{
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    const double a = fabs(v);
    if (!(a < 65520))
        return (uint16_t)(sign | (a >= 65520 ? 0x7c00 : 0x7e00));
    if (a < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)((a * 0x1p24 + 0x1p52) - 0x1p52));
    uint64_t u;
    memcpy(&u, &a, sizeof u);
    u -= (uint64_t)(1023 - 15) << 52;
    u += ((UINT64_C(1) << 41) - 1) + (u >> 42 & 1);
    return (uint16_t)(sign | (uint16_t)(u >> 42));
}

static inline lng_v lng_v_load_f16(const uint16_t *p)
{
    lng_v v;
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = lng_half_value(p[l]);
    return v;
}

static inline void lng_v_store_f16(uint16_t *p, lng_v v)
{
    for (int l = 0; l < LNG_LANES; l++)
        p[l] = lng_half_round(v.lane[l]);
}

#include "vec/some.h"

#endif
