/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/* The vocabulary of vec/scalar.h in one register of eight doubles. */
#if !defined(__AVX512F__) || !defined(__AVX512VL__) || !defined(__AVX512BW__) ||         \
    !defined(__AVX512DQ__)
#error "compile with -mavx512f -mavx512vl -mavx512bw -mavx512dq"
#endif
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#include "core/arch.h"
#include "vec/lanes.h"

enum { LNG_SUM_GROUP = 2, LNG_GROUP = 4, LNG_KEEP = 4096 };

typedef struct {
    __m512d all;
} lng_v;

static inline lng_v lng_v_all(double value)
{
    return (lng_v){_mm512_set1_pd(value)};
}

static inline lng_v lng_v_load(const double *p)
{
    return (lng_v){_mm512_loadu_pd(p)};
}

static inline void lng_v_store(double *p, lng_v v)
{
    _mm512_storeu_pd(p, v.all);
}

static inline lng_v lng_v_add(lng_v a, lng_v b)
{
    return (lng_v){_mm512_add_pd(a.all, b.all)};
}

static inline lng_v lng_v_sub(lng_v a, lng_v b)
{
    return (lng_v){_mm512_sub_pd(a.all, b.all)};
}

static inline lng_v lng_v_mul(lng_v a, lng_v b)
{
    return (lng_v){_mm512_mul_pd(a.all, b.all)};
}

static inline lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    return (lng_v){_mm512_fmadd_pd(a.all, b.all, c.all)};
}

static inline lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    return (lng_v){_mm512_fnmadd_pd(a.all, b.all, c.all)};
}

static inline lng_v lng_v_r(lng_v v)
{
    const __mmask8 legal = _mm512_cmp_pd_mask(v.all, _mm512_setzero_pd(), _CMP_GT_OQ);
    const __m512d r = _mm512_div_pd(_mm512_set1_pd(1), _mm512_sqrt_pd(v.all));
    return (lng_v){_mm512_mask_blend_pd(legal, _mm512_set1_pd((double)NAN), r)};
}

static inline __mmask8 lng_first8(int n)
{
    return (__mmask8)((1u << n) - 1);
}

static inline lng_v lng_v_first(lng_v v, int n)
{
    return (lng_v){_mm512_maskz_mov_pd(lng_first8(n), v.all)};
}

/* The tree of vec/scalar.h for eight registers at a time: lanes four apart, two apart,
 * neighbours, each step joining two registers into one. Half of the lanes that are to be
 * added are in place already in one of the two, so that a step is a blend, a shuffle and
 * an addition. */
static inline __m512d lng_join4(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_mask_blend_pd(0xf0, a, b),
                         _mm512_shuffle_f64x2(a, b, 0x4e));
}

static inline __m512d lng_join2(__m512d a, __m512d b)
{
    return _mm512_add_pd(
        _mm512_mask_blend_pd(0xcc, a, b),
        _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 3, 8, 9, 6, 7, 12, 13), b));
}

static inline __m512d lng_join1(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_mask_blend_pd(0xaa, a, b), _mm512_shuffle_pd(a, b, 0x55));
}

static inline lng_v lng_v_sums(const lng_v *v)
{
    const __m512d ae = lng_join4(v[0].all, v[4].all), bf = lng_join4(v[1].all, v[5].all);
    const __m512d cg = lng_join4(v[2].all, v[6].all), dh = lng_join4(v[3].all, v[7].all);
    return (lng_v){lng_join1(lng_join2(ae, cg), lng_join2(bf, dh))};
}

static inline lng_v lng_v_load_f32(const float *p)
{
    return (lng_v){_mm512_cvtps_pd(_mm256_loadu_ps(p))};
}

static inline lng_v lng_v_load_first_f32(const float *p, int n)
{
    return (lng_v){_mm512_cvtps_pd(_mm256_maskz_loadu_ps(lng_first8(n), p))};
}

static inline void lng_v_store_f32(float *p, lng_v v)
{
    _mm256_storeu_ps(p, _mm512_cvtpd_ps(v.all));
}

static inline void lng_v_store_first_f32(float *p, int n, lng_v v)
{
    _mm256_mask_storeu_ps(p, lng_first8(n), _mm512_cvtpd_ps(v.all));
}

static inline void lng_v_stream_f32(float *p, const lng_v *v)
{
    _mm512_stream_ps(p,
                     _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(v[0].all)),
                                        _mm512_cvtpd_ps(v[1].all), 1));
}

static inline lng_v lng_v_from_half(__m128i half)
{
    return (lng_v){_mm512_cvtps_pd(_mm256_cvtph_ps(half))};
}

#if defined(__AVX512FP16__)
/* In one step; the way back in one step is slower than through single. */
static inline __m128i lng_v_to_half(lng_v v)
{
    return _mm_castph_si128(_mm512_cvtpd_ph(v.all));
}
#else
/* Through single by rounding to odd, as in vec/avx2.h. */
static inline __m128i lng_v_to_half(lng_v v)
{
    const __m512i cut = _mm512_set1_epi64(0x1fffffff), bits = _mm512_castpd_si512(v.all);
    const __m512i carry = _mm512_add_epi64(_mm512_and_si512(bits, cut), cut);
    const __m512i odd = _mm512_andnot_si512(cut, _mm512_or_si512(bits, carry));
    return _mm256_cvtps_ph(_mm512_cvtpd_ps(_mm512_castsi512_pd(odd)),
                           _MM_FROUND_TO_NEAREST_INT);
}
#endif

static inline lng_v lng_v_load_f16(const uint16_t *p)
{
    return lng_v_from_half(_mm_loadu_si128((const __m128i *)p));
}

static inline lng_v lng_v_load_first_f16(const uint16_t *p, int n)
{
    return lng_v_from_half(_mm_maskz_loadu_epi16(lng_first8(n), p));
}

static inline void lng_v_store_f16(uint16_t *p, lng_v v)
{
    _mm_storeu_si128((__m128i *)p, lng_v_to_half(v));
}

static inline void lng_v_store_first_f16(uint16_t *p, int n, lng_v v)
{
    _mm_mask_storeu_epi16(p, lng_first8(n), lng_v_to_half(v));
}

static inline void lng_v_stream_f16(uint16_t *p, const lng_v *v)
{
    for (int k = 0; k < 4; k++)
        _mm_stream_si128((__m128i *)p + k, lng_v_to_half(v[k]));
}

#endif
