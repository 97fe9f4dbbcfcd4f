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
#include "vec/half.h"
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
