/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/* The vocabulary of vec/scalar.h in two registers of four doubles. */
#if !defined(__AVX2__) || !defined(__FMA__) || !defined(__F16C__)
#error "compile with -mavx2 -mfma -mf16c"
#endif
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#include "core/plan.h"

typedef struct {
    __m256d lo, hi;
} lng_v;

static inline lng_v lng_v_all(double value)
{
    return (lng_v){_mm256_set1_pd(value), _mm256_set1_pd(value)};
}

static inline lng_v lng_v_load(const double *p)
{
    return (lng_v){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}

static inline void lng_v_store(double *p, lng_v v)
{
    _mm256_storeu_pd(p, v.lo);
    _mm256_storeu_pd(p + 4, v.hi);
}

static inline lng_v lng_v_add(lng_v a, lng_v b)
{
    return (lng_v){_mm256_add_pd(a.lo, b.lo), _mm256_add_pd(a.hi, b.hi)};
}

static inline lng_v lng_v_sub(lng_v a, lng_v b)
{
    return (lng_v){_mm256_sub_pd(a.lo, b.lo), _mm256_sub_pd(a.hi, b.hi)};
}

static inline lng_v lng_v_mul(lng_v a, lng_v b)
{
    return (lng_v){_mm256_mul_pd(a.lo, b.lo), _mm256_mul_pd(a.hi, b.hi)};
}

static inline lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    return (lng_v){_mm256_fmadd_pd(a.lo, b.lo, c.lo), _mm256_fmadd_pd(a.hi, b.hi, c.hi)};
}

static inline lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    return (lng_v){_mm256_fnmadd_pd(a.lo, b.lo, c.lo),
                   _mm256_fnmadd_pd(a.hi, b.hi, c.hi)};
}

static inline lng_v lng_v_first(lng_v v, int n)
{
    const __m256i count = _mm256_set1_epi64x(n);
    const __m256i lo = _mm256_cmpgt_epi64(count, _mm256_setr_epi64x(0, 1, 2, 3));
    const __m256i hi = _mm256_cmpgt_epi64(count, _mm256_setr_epi64x(4, 5, 6, 7));
    return (lng_v){_mm256_and_pd(v.lo, _mm256_castsi256_pd(lo)),
                   _mm256_and_pd(v.hi, _mm256_castsi256_pd(hi))};
}

static inline double lng_v_sum(lng_v v)
{
    const __m256d four = _mm256_add_pd(v.lo, v.hi);
    const __m128d two =
        _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline lng_v lng_v_load_f32(const float *p)
{
    return (lng_v){_mm256_cvtps_pd(_mm_loadu_ps(p)),
                   _mm256_cvtps_pd(_mm_loadu_ps(p + 4))};
}

static inline void lng_v_store_f32(float *p, lng_v v)
{
    _mm_storeu_ps(p, _mm256_cvtpd_ps(v.lo));
    _mm_storeu_ps(p + 4, _mm256_cvtpd_ps(v.hi));
}

static inline lng_v lng_v_load_f16(const uint16_t *p)
{
    const __m256 f = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
    return (lng_v){_mm256_cvtps_pd(_mm256_castps256_ps128(f)),
                   _mm256_cvtps_pd(_mm256_extractf128_ps(f, 1))};
}

/* Double to single by rounding to odd: the 29 bits that single lacks are cut, and the
 * last bit kept becomes 1 if any of them was. Single has over two bits more than half, so
 * rounding the odd one to half rounds once. (Beyond single's range the cast rounds again,
 * harmlessly: to infinity, or to something that is 0 in half.) */
static inline __m128 lng_round_to_odd(__m256d v)
{
    const __m256i cut = _mm256_set1_epi64x(0x1fffffff);
    const __m256i bits = _mm256_castpd_si256(v);
    const __m256i carry = _mm256_add_epi64(_mm256_and_si256(bits, cut), cut);
    return _mm256_cvtpd_ps(
        _mm256_castsi256_pd(_mm256_andnot_si256(cut, _mm256_or_si256(bits, carry))));
}

static inline void lng_v_store_f16(uint16_t *p, lng_v v)
{
    const __m256 f = _mm256_set_m128(lng_round_to_odd(v.hi), lng_round_to_odd(v.lo));
    _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT));
}

#endif
