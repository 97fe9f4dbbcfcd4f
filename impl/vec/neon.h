/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/* The vocabulary of vec/scalar.h in four registers of two doubles. */
#if !defined(__aarch64__)
#error "compile for aarch64"
#endif
#include <arm_neon.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/arch.h"
#include "core/plan.h"

enum { LNG_GROUP = 2 };

typedef struct {
    float64x2_t v[4];
} lng_v;

LNG_INLINE lng_v lng_v_all(double value)
{
    const float64x2_t v = vdupq_n_f64(value);
    return (lng_v){
        {v, v, v, v}
    };
}

LNG_INLINE lng_v lng_v_load(const double *p)
{
    return (lng_v){
        {vld1q_f64(p), vld1q_f64(p + 2), vld1q_f64(p + 4), vld1q_f64(p + 6)}
    };
}

LNG_INLINE void lng_v_store(double *p, lng_v a)
{
    for (int k = 0; k < 4; k++)
        vst1q_f64(p + 2 * k, a.v[k]);
}

LNG_INLINE lng_v lng_v_add(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = vaddq_f64(a.v[k], b.v[k]);
    return a;
}

LNG_INLINE lng_v lng_v_sub(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = vsubq_f64(a.v[k], b.v[k]);
    return a;
}

LNG_INLINE lng_v lng_v_mul(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = vmulq_f64(a.v[k], b.v[k]);
    return a;
}

LNG_INLINE lng_v lng_v_div(lng_v a, lng_v b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = vdivq_f64(a.v[k], b.v[k]);
    return a;
}

LNG_INLINE lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    for (int k = 0; k < 4; k++)
        c.v[k] = vfmaq_f64(c.v[k], a.v[k], b.v[k]);
    return c;
}

LNG_INLINE lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    for (int k = 0; k < 4; k++)
        c.v[k] = vfmsq_f64(c.v[k], a.v[k], b.v[k]);
    return c;
}

LNG_INLINE lng_v lng_v_r(lng_v a)
{
    for (int k = 0; k < 4; k++) {
        const float64x2_t r = vdivq_f64(vdupq_n_f64(1), vsqrtq_f64(a.v[k]));
        a.v[k] = vbslq_f64(vcgtzq_f64(a.v[k]), r, vdupq_n_f64((double)NAN));
    }
    return a;
}

LNG_INLINE lng_v lng_v_first(lng_v a, int n)
{
    static const int64_t lane[LNG_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int64x2_t count = vdupq_n_s64(n);
    for (int k = 0; k < 4; k++) {
        const uint64x2_t keep = vcgtq_s64(count, vld1q_s64(lane + 2 * k));
        a.v[k] = vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(a.v[k]), keep));
    }
    return a;
}

/* Two sums: lanes four apart, two apart, neighbours. */
LNG_INLINE float64x2_t lng_sums2(lng_v a, lng_v b)
{
    const float64x2_t s = vaddq_f64(vaddq_f64(a.v[0], a.v[2]), vaddq_f64(a.v[1], a.v[3]));
    const float64x2_t t = vaddq_f64(vaddq_f64(b.v[0], b.v[2]), vaddq_f64(b.v[1], b.v[3]));
    return vpaddq_f64(s, t);
}

LNG_INLINE lng_v lng_v_sums(const lng_v *a)
{
    return (lng_v){
        {lng_sums2(a[0], a[1]), lng_sums2(a[2], a[3]), lng_sums2(a[4], a[5]),
         lng_sums2(a[6], a[7])}
    };
}

LNG_INLINE lng_v lng_v_widen(float32x4_t lo, float32x4_t hi)
{
    return (lng_v){
        {vcvt_f64_f32(vget_low_f32(lo)), vcvt_high_f64_f32(lo),
         vcvt_f64_f32(vget_low_f32(hi)), vcvt_high_f64_f32(hi)}
    };
}

LNG_INLINE lng_v lng_v_load_f32(const float *p)
{
    return lng_v_widen(vld1q_f32(p), vld1q_f32(p + 4));
}

LNG_INLINE void lng_v_store_f32(float *p, lng_v a)
{
    vst1q_f32(p, vcvt_high_f32_f64(vcvt_f32_f64(a.v[0]), a.v[1]));
    vst1q_f32(p + 4, vcvt_high_f32_f64(vcvt_f32_f64(a.v[2]), a.v[3]));
}

LNG_INLINE lng_v lng_v_load_f16(const uint16_t *p)
{
    const float16x8_t h = vreinterpretq_f16_u16(vld1q_u16(p));
    return lng_v_widen(vcvt_f32_f16(vget_low_f16(h)), vcvt_high_f32_f16(h));
}

/* Through single by rounding to odd, which aarch64 has an instruction for. */
LNG_INLINE float16x4_t lng_v_narrow(float64x2_t lo, float64x2_t hi)
{
    return vcvt_f16_f32(vcvtx_high_f32_f64(vcvtx_f32_f64(lo), hi));
}

LNG_INLINE void lng_v_store_f16(uint16_t *p, lng_v a)
{
    vst1_u16(p, vreinterpret_u16_f16(lng_v_narrow(a.v[0], a.v[1])));
    vst1_u16(p + 4, vreinterpret_u16_f16(lng_v_narrow(a.v[2], a.v[3])));
}

#include "vec/some.h"

#endif
