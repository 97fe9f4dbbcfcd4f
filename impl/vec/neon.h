/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/* The vocabulary of vec/scalar.h in four registers of two doubles. */
#if !defined(__ARM_NEON) || !defined(__aarch64__)
#error "compile for aarch64"
#endif
#include <arm_neon.h>
#include <math.h>
#include <stdint.h>

#include "core/arch.h"
#include "vec/lanes.h"

enum { LNG_SUM_GROUP = 2, LNG_GROUP = 2, LNG_KEEP = 0 };

typedef struct {
    float64x2_t two[4]; /* lanes 2k and 2k + 1 */
} lng_v;

static inline lng_v lng_v_all(double value)
{
    const float64x2_t v = vdupq_n_f64(value);
    return (lng_v){
        {v, v, v, v}
    };
}

static inline lng_v lng_v_load(const double *p)
{
    return (lng_v){
        {vld1q_f64(p), vld1q_f64(p + 2), vld1q_f64(p + 4), vld1q_f64(p + 6)}
    };
}

static inline void lng_v_store(double *p, lng_v v)
{
    for (int k = 0; k < 4; k++)
        vst1q_f64(p + 2 * k, v.two[k]);
}

static inline lng_v lng_v_add(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.two[k] = vaddq_f64(a.two[k], b.two[k]);
    return a;
}

static inline lng_v lng_v_sub(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.two[k] = vsubq_f64(a.two[k], b.two[k]);
    return a;
}

static inline lng_v lng_v_mul(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.two[k] = vmulq_f64(a.two[k], b.two[k]);
    return a;
}

static inline lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    for (int k = 0; k < 4; k++)
        c.two[k] = vfmaq_f64(c.two[k], a.two[k], b.two[k]);
    return c;
}

static inline lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    for (int k = 0; k < 4; k++)
        c.two[k] = vfmsq_f64(c.two[k], a.two[k], b.two[k]);
    return c;
}

static inline lng_v lng_v_r(lng_v v)
{
    for (int k = 0; k < 4; k++) {
        const uint64x2_t legal = vcgtzq_f64(v.two[k]);
        const float64x2_t r = vdivq_f64(vdupq_n_f64(1), vsqrtq_f64(v.two[k]));
        v.two[k] = vbslq_f64(legal, r, vdupq_n_f64((double)NAN));
    }
    return v;
}

static inline lng_v lng_v_first(lng_v v, int n)
{
    static const int64_t lane[LNG_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int k = 0; k < 4; k++) {
        const uint64x2_t kept = vcgtq_s64(vdupq_n_s64(n), vld1q_s64(lane + 2 * k));
        v.two[k] = vbslq_f64(kept, v.two[k], vdupq_n_f64(0));
    }
    return v;
}

/* Lanes four apart and two apart. */
static inline float64x2_t lng_pair(lng_v v)
{
    return vaddq_f64(vaddq_f64(v.two[0], v.two[2]), vaddq_f64(v.two[1], v.two[3]));
}

/* Neighbours last: a paired add ends two sums at a time. */
static inline lng_v lng_v_sums(const lng_v *v)
{
    lng_v sums;
    for (int k = 0; k < 4; k++)
        sums.two[k] = vpaddq_f64(lng_pair(v[2 * k]), lng_pair(v[2 * k + 1]));
    return sums;
}

static inline lng_v lng_v_from_singles(float32x4_t lo, float32x4_t hi)
{
    return (lng_v){
        {vcvt_f64_f32(vget_low_f32(lo)), vcvt_high_f64_f32(lo),
         vcvt_f64_f32(vget_low_f32(hi)), vcvt_high_f64_f32(hi)}
    };
}

static inline lng_v lng_v_load_f32(const float *p)
{
    return lng_v_from_singles(vld1q_f32(p), vld1q_f32(p + 4));
}

static inline void lng_v_store_f32(float *p, lng_v v)
{
    vst1q_f32(p, vcvt_high_f32_f64(vcvt_f32_f64(v.two[0]), v.two[1]));
    vst1q_f32(p + 4, vcvt_high_f32_f64(vcvt_f32_f64(v.two[2]), v.two[3]));
}

static inline lng_v lng_v_load_f16(const uint16_t *p)
{
    const float16x8_t half = vreinterpretq_f16_u16(vld1q_u16(p));
    return lng_v_from_singles(vcvt_f32_f16(vget_low_f16(half)), vcvt_high_f32_f16(half));
}

/* Through single by rounding to odd, as in vec/avx2.h, for which there is an instruction
 * here. (Beyond single's range it gives the largest or the smallest one: infinity and 0
 * in half.) */
static inline void lng_v_store_f16(uint16_t *p, lng_v v)
{
    const float32x4_t lo = vcvtx_high_f32_f64(vcvtx_f32_f64(v.two[0]), v.two[1]);
    const float32x4_t hi = vcvtx_high_f32_f64(vcvtx_f32_f64(v.two[2]), v.two[3]);
    vst1q_u16(p, vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(lo), hi)));
}

#include "vec/some.h"

#endif
