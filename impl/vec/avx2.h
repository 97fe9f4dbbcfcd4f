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

#include "core/arch.h"
#include "vec/lanes.h"

enum { LNG_SUM_GROUP = 2, LNG_GROUP = 2, LNG_KEEP = 0 };

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

static inline __m256d lng_r4(__m256d v)
{
    const __m256d r = _mm256_div_pd(_mm256_set1_pd(1), _mm256_sqrt_pd(v));
    const __m256d legal = _mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_GT_OQ);
    return _mm256_blendv_pd(_mm256_set1_pd((double)NAN), r, legal);
}

static inline lng_v lng_v_r(lng_v v)
{
    return (lng_v){lng_r4(v.lo), lng_r4(v.hi)};
}

/* Four sums: lanes four apart, two apart, neighbours. */
static inline __m256d lng_sums4(const lng_v *v)
{
    __m256d four[4];
    for (int k = 0; k < 4; k++)
        four[k] = _mm256_add_pd(v[k].lo, v[k].hi);
    const __m256d a = _mm256_add_pd(_mm256_permute2f128_pd(four[0], four[2], 0x20),
                                    _mm256_permute2f128_pd(four[0], four[2], 0x31));
    const __m256d b = _mm256_add_pd(_mm256_permute2f128_pd(four[1], four[3], 0x20),
                                    _mm256_permute2f128_pd(four[1], four[3], 0x31));
    return _mm256_add_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
}

static inline lng_v lng_v_sums(const lng_v *v)
{
    return (lng_v){lng_sums4(v), lng_sums4(v + 4)};
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

static inline __m256i lng_first8(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline lng_v lng_v_load_first_f32(const float *p, int n)
{
    const __m256 f = _mm256_maskload_ps(p, lng_first8(n));
    return (lng_v){_mm256_cvtps_pd(_mm256_castps256_ps128(f)),
                   _mm256_cvtps_pd(_mm256_extractf128_ps(f, 1))};
}

static inline void lng_v_store_first_f32(float *p, int n, lng_v v)
{
    _mm256_maskstore_ps(p, lng_first8(n),
                        _mm256_set_m128(_mm256_cvtpd_ps(v.hi), _mm256_cvtpd_ps(v.lo)));
}

static inline void lng_v_stream_f32(float *p, const lng_v *v)
{
    for (int k = 0; k < 2; k++)
        _mm256_stream_ps(p + LNG_LANES * k, _mm256_set_m128(_mm256_cvtpd_ps(v[k].hi),
                                                            _mm256_cvtpd_ps(v[k].lo)));
}

static inline lng_v lng_v_load_first_f16(const uint16_t *p, int n)
{
    uint16_t some[LNG_LANES] = {0};
    for (int l = 0; l < n; l++)
        some[l] = p[l];
    return lng_v_load_f16(some);
}

static inline void lng_v_store_first_f16(uint16_t *p, int n, lng_v v)
{
    uint16_t some[LNG_LANES];
    lng_v_store_f16(some, v);
    for (int l = 0; l < n; l++)
        p[l] = some[l];
}

static inline void lng_v_stream_f16(uint16_t *p, const lng_v *v)
{
    for (int k = 0; k < 4; k++) {
        const __m256 f =
            _mm256_set_m128(lng_round_to_odd(v[k].hi), lng_round_to_odd(v[k].lo));
        _mm_stream_si128((__m128i *)p + k, _mm256_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT));
    }
}

#endif
