/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MODEL_MT7004_H
#define LNG_MODEL_MT7004_H
/* The vocabulary of port/mt7004.h on a host: four vectors of four singles, which every
 * host has. */
#include "model/model_scalar.h"

typedef float lng_quad __attribute__((vector_size(16)));
typedef uint32_t lng_uquad __attribute__((vector_size(16)));

typedef struct {
    lng_quad q0, q1, q2, q3;
} lng_f16;

typedef struct {
    lng_uquad q0, q1, q2, q3;
} lng_i16;

enum { LNG_ALL_LANES = 0xffff };

static inline uint16_t lng_ldh(const uint16_t *p)
{
    uint16_t v;
    lng_count(LNG_SCALAR_LOAD);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_sth(uint16_t *p, uint16_t v)
{
    lng_count(LNG_SCALAR_STORE);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 1);
    memcpy(p, &v, sizeof v);
}

static inline double lng_fmadp(double a, double b, double c)
{
    lng_count(LNG_SCALAR_FUSED);
    return fma(a, b, c);
}

/* ---- Loads and stores. Lanes outside the mask are neither checked nor touched. */

static inline lng_f16 lng_vec_ld(const float *p)
{
    lng_f16 v;
    lng_count(LNG_VECTOR_LOAD);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, sizeof v, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_vec_st(float *p, lng_f16 v)
{
    lng_count(LNG_VECTOR_STORE);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, sizeof v, 1);
    memcpy(p, &v, sizeof v);
}

static inline void lng_touch_lanes(const void *p, size_t size, unsigned mask, int write)
{
    for (unsigned l = 0; l < 16; l++)
        if (mask >> l & 1)
            lng_touch(LNG_VECTOR_AREA, (const char *)p + l * size, size, size, write);
    if ((uintptr_t)p % (16 * size) != 0 && lng_self->checked)
        lng_model_access(LNG_VECTOR_AREA, p, size, 16 * size, write);
}

static inline lng_f16 lng_vec_ldm(const float *p, unsigned mask)
{
    float v[16] = {0};
    lng_f16 all;
    lng_count(LNG_VECTOR_LOAD);
    lng_count(LNG_VECTOR_MOVE);
    lng_touch_lanes(p, sizeof *p, mask, 0);
    for (unsigned l = 0; l < 16; l++)
        if (mask >> l & 1)
            memcpy(&v[l], p + l, sizeof *p);
    memcpy(&all, v, sizeof all);
    return all;
}

static inline void lng_vec_stm(float *p, lng_f16 all, unsigned mask)
{
    float v[16];
    lng_count(LNG_VECTOR_STORE);
    lng_count(LNG_VECTOR_MOVE);
    lng_touch_lanes(p, sizeof *p, mask, 1);
    memcpy(v, &all, sizeof v);
    for (unsigned l = 0; l < 16; l++)
        if (mask >> l & 1)
            memcpy(p + l, &v[l], sizeof *p);
}

/* The significand and exponent of a half, moved to single's place, are 2^-112 of its
 * value. */
static inline float lng_widened(uint16_t bits)
{
    uint32_t u = (uint32_t)(bits & 0x7fff) << 13;
    const float scale = u >= 0x0f800000 ? 1 : 0x1p112f;
    if (u >= 0x0f800000)
        u |= 0x7f800000; /* infinity and NaN keep their exponent */
    float f;
    memcpy(&f, &u, sizeof f);
    f *= scale;
    return bits & 0x8000 ? -f : f;
}

/* The half that has the value; if none has, one that has not. */
static inline uint16_t lng_narrowed(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    const uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
    const float a = fabsf(f);
    if (!(a < INFINITY))
        return (uint16_t)(sign | (a > 0 ? 0x7c00 : 0x7e00));
    if (a < 0x1p-14f)
        return (uint16_t)(sign | (uint16_t)(a * 0x1p24f));
    return a < 0x1p16f
               ? (uint16_t)(sign | (((u & 0x7fffffff) - ((127u - 15) << 23)) >> 13))
               : (uint16_t)(sign | 0x7c00);
}

static inline lng_f16 lng_vec_ldm_half(const uint16_t *p, unsigned mask)
{
    uint16_t h[16] = {0};
    float v[16];
    lng_f16 all;
    lng_count(LNG_VECTOR_LOAD);
    lng_count(LNG_VECTOR_MOVE);
    lng_touch_lanes(p, sizeof *p, mask, 0);
    for (unsigned l = 0; l < 16; l++)
        if (mask >> l & 1)
            memcpy(&h[l], p + l, sizeof *p);
    for (unsigned l = 0; l < 16; l++)
        v[l] = lng_widened(h[l]);
    memcpy(&all, v, sizeof all);
    return all;
}

static inline lng_f16 lng_vec_ld_half(const uint16_t *p)
{
    uint16_t h[16];
    float v[16];
    lng_f16 all;
    lng_count(LNG_VECTOR_LOAD);
    lng_touch(LNG_VECTOR_AREA, p, sizeof h, sizeof h, 0);
    memcpy(h, p, sizeof h);
    for (unsigned l = 0; l < 16; l++)
        v[l] = lng_widened(h[l]);
    memcpy(&all, v, sizeof all);
    return all;
}

static inline void lng_store_halves(uint16_t *p, lng_f16 all, unsigned mask)
{
    float v[16];
    memcpy(v, &all, sizeof v);
    for (unsigned l = 0; l < 16; l++)
        if (mask >> l & 1) {
            const uint16_t h = lng_narrowed(v[l]);
            if (lng_self->checked && v[l] == v[l] && lng_widened(h) != v[l])
                lng_model_no_half(v[l]);
            memcpy(p + l, &h, sizeof h);
        }
}

static inline void lng_vec_st_half(uint16_t *p, lng_f16 v)
{
    lng_count(LNG_VECTOR_STORE);
    lng_touch(LNG_VECTOR_AREA, p, 16 * sizeof *p, 16 * sizeof *p, 1);
    lng_store_halves(p, v, LNG_ALL_LANES);
}

static inline void lng_vec_stm_half(uint16_t *p, lng_f16 v, unsigned mask)
{
    lng_count(LNG_VECTOR_STORE);
    lng_count(LNG_VECTOR_MOVE);
    lng_touch_lanes(p, sizeof *p, mask, 1);
    lng_store_halves(p, v, mask);
}

/* ---- Arithmetic. Where the chip flushes, what is below 2^-126 is 0 as an operand and as
 * a result. */

static inline lng_quad lng_flushed(lng_quad v)
{
    const lng_uquad u = (lng_uquad)v, sign = u & 0x80000000;
    return (lng_quad)(sign | ((u ^ sign) & (lng_uquad)((u ^ sign) >= 0x00800000)));
}

static inline lng_f16 lng_operand(lng_f16 v)
{
    if (!lng_self->flush)
        return v;
    return (lng_f16){lng_flushed(v.q0), lng_flushed(v.q1), lng_flushed(v.q2),
                     lng_flushed(v.q3)};
}

static inline lng_f16 lng_vec_svbcast(float a)
{
    const lng_quad q = {a, a, a, a};
    lng_count(LNG_VECTOR_MOVE);
    return (lng_f16){q, q, q, q};
}

static inline lng_f16 lng_vec_add(lng_f16 a, lng_f16 b)
{
    lng_count(LNG_VECTOR_ADD);
    a = lng_operand(a);
    b = lng_operand(b);
    return lng_operand((lng_f16){a.q0 + b.q0, a.q1 + b.q1, a.q2 + b.q2, a.q3 + b.q3});
}

static inline lng_f16 lng_vec_sub(lng_f16 a, lng_f16 b)
{
    lng_count(LNG_VECTOR_ADD);
    a = lng_operand(a);
    b = lng_operand(b);
    return lng_operand((lng_f16){a.q0 - b.q0, a.q1 - b.q1, a.q2 - b.q2, a.q3 - b.q3});
}

static inline lng_f16 lng_vec_neg(lng_f16 a)
{
    lng_count(LNG_VECTOR_ADD);
    a = lng_operand(a);
    return lng_operand((lng_f16){-a.q0, -a.q1, -a.q2, -a.q3});
}

static inline lng_f16 lng_vec_muli(lng_f16 a, lng_f16 b)
{
    lng_count(LNG_VECTOR_MULTIPLY);
    a = lng_operand(a);
    b = lng_operand(b);
    return lng_operand((lng_f16){a.q0 * b.q0, a.q1 * b.q1, a.q2 * b.q2, a.q3 * b.q3});
}

/* a*b + c, rounded once, lane by lane. */
static __attribute__((noinline, unused)) lng_f16 lng_fused_lanes(lng_f16 a, lng_f16 b,
                                                                 lng_f16 c)
{
    float x[16], y[16], z[16];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    memcpy(z, &c, sizeof z);
    for (int l = 0; l < 16; l++)
        z[l] = fmaf(x[l], y[l], z[l]);
    memcpy(&c, z, sizeof c);
    return c;
}

#ifdef FP_FAST_FMAF
static inline lng_f16 lng_fused(lng_f16 a, lng_f16 b, lng_f16 c)
{
    return lng_fused_lanes(a, b, c);
}
#else
typedef double lng_two __attribute__((vector_size(16)));
typedef int32_t lng_words __attribute__((vector_size(16)));

static inline lng_two lng_lower(lng_quad a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, 0, 1), lng_two);
}

static inline lng_two lng_upper(lng_quad a)
{
    return __builtin_convertvector(__builtin_shufflevector(a, a, 2, 3), lng_two);
}

/* On a host without that instruction: a*b is exact in double, and s is the exact sum
 * rounded to double. What is half-way between two singles is a double, so s is on the
 * same side of it as the exact sum, or on it. Only there, where the lower 29 bits of s
 * are a one and zeros, and among subnormal singles, which are half-way elsewhere,
 * rounding s once more can be wrong: there the lane is in doubt. */
static inline lng_quad lng_fused_quad(lng_quad a, lng_quad b, lng_quad c,
                                      lng_words *doubt)
{
    typedef float two_singles __attribute__((vector_size(8)));
    const lng_two s = lng_lower(a) * lng_lower(b) + lng_lower(c);
    const lng_two t = lng_upper(a) * lng_upper(b) + lng_upper(c);
    const lng_words low = __builtin_shufflevector((lng_words)s, (lng_words)t, 0, 2, 4, 6);
    const lng_words high =
        0x7fffffff & __builtin_shufflevector((lng_words)s, (lng_words)t, 1, 3, 5, 7);
    *doubt |= ((low & 0x1fffffff) == 0x10000000) | ((high < 0x38100000) & (high > 0));
    return __builtin_shufflevector(__builtin_convertvector(s, two_singles),
                                   __builtin_convertvector(t, two_singles), 0, 1, 2, 3);
}

static inline lng_f16 lng_fused(lng_f16 a, lng_f16 b, lng_f16 c)
{
    typedef int64_t halves __attribute__((vector_size(16)));
    lng_words doubt = {0};
    const lng_f16 sum = {lng_fused_quad(a.q0, b.q0, c.q0, &doubt),
                         lng_fused_quad(a.q1, b.q1, c.q1, &doubt),
                         lng_fused_quad(a.q2, b.q2, c.q2, &doubt),
                         lng_fused_quad(a.q3, b.q3, c.q3, &doubt)};
    if (((halves)doubt)[0] | ((halves)doubt)[1])
        return lng_fused_lanes(a, b, c);
    return sum;
}
#endif

static inline lng_f16 lng_vec_mula(lng_f16 a, lng_f16 b, lng_f16 c)
{
    lng_count(LNG_VECTOR_FUSED);
    return lng_operand(lng_fused(lng_operand(a), lng_operand(b), lng_operand(c)));
}

static inline lng_f16 lng_vec_mulb(lng_f16 a, lng_f16 b, lng_f16 c)
{
    return lng_vec_mula(a, b, (lng_f16){-c.q0, -c.q1, -c.q2, -c.q3});
}

static inline lng_f16 lng_vec_sel(unsigned mask, lng_f16 a, lng_f16 b)
{
    float x[16], y[16];
    lng_count(LNG_VECTOR_MOVE);
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    for (unsigned l = 0; l < 16; l++)
        x[l] = mask >> l & 1 ? x[l] : y[l];
    memcpy(&a, x, sizeof a);
    return a;
}

/* ---- Bits */

static inline lng_i16 lng_vec_bits(lng_f16 a)
{
    return (lng_i16){(lng_uquad)a.q0, (lng_uquad)a.q1, (lng_uquad)a.q2, (lng_uquad)a.q3};
}

static inline lng_f16 lng_vec_float(lng_i16 a)
{
    return (lng_f16){(lng_quad)a.q0, (lng_quad)a.q1, (lng_quad)a.q2, (lng_quad)a.q3};
}

static inline lng_i16 lng_vec_svbcast_bits(uint32_t a)
{
    const lng_uquad q = {a, a, a, a};
    lng_count(LNG_VECTOR_MOVE);
    return (lng_i16){q, q, q, q};
}

static inline lng_i16 lng_vec_and(lng_i16 a, lng_i16 b)
{
    lng_count(LNG_VECTOR_BITS);
    return (lng_i16){a.q0 & b.q0, a.q1 & b.q1, a.q2 & b.q2, a.q3 & b.q3};
}

static inline lng_i16 lng_vec_or(lng_i16 a, lng_i16 b)
{
    lng_count(LNG_VECTOR_BITS);
    return (lng_i16){a.q0 | b.q0, a.q1 | b.q1, a.q2 | b.q2, a.q3 | b.q3};
}

static inline lng_i16 lng_vec_subi(lng_i16 a, lng_i16 b)
{
    lng_count(LNG_VECTOR_BITS);
    return (lng_i16){a.q0 - b.q0, a.q1 - b.q1, a.q2 - b.q2, a.q3 - b.q3};
}

static inline lng_uquad lng_larger(lng_uquad a, lng_uquad b)
{
    const lng_uquad first = (lng_uquad)(a > b);
    return (a & first) | (b & ~first);
}

static inline lng_i16 lng_vec_maxu(lng_i16 a, lng_i16 b)
{
    lng_count(LNG_VECTOR_BITS);
    return (lng_i16){lng_larger(a.q0, b.q0), lng_larger(a.q1, b.q1),
                     lng_larger(a.q2, b.q2), lng_larger(a.q3, b.q3)};
}

static inline lng_i16 lng_vec_minu(lng_i16 a, lng_i16 b)
{
    lng_count(LNG_VECTOR_BITS);
    return (lng_i16){~lng_larger(~a.q0, ~b.q0), ~lng_larger(~a.q1, ~b.q1),
                     ~lng_larger(~a.q2, ~b.q2), ~lng_larger(~a.q3, ~b.q3)};
}

static inline lng_i16 lng_vec_shift(lng_i16 a, int n)
{
    lng_count(LNG_VECTOR_BITS);
    if (n < 0)
        return (lng_i16){a.q0 >> -n, a.q1 >> -n, a.q2 >> -n, a.q3 >> -n};
    return (lng_i16){a.q0 << n, a.q1 << n, a.q2 << n, a.q3 << n};
}

static inline float lng_vec_lane(lng_f16 a, int i)
{
    float v[16];
    lng_count(LNG_VECTOR_MOVE);
    memcpy(v, &a, sizeof v);
    return v[i];
}

static inline uint32_t lng_vec_lane_bits(lng_i16 a, int i)
{
    uint32_t v[16];
    lng_count(LNG_VECTOR_MOVE);
    memcpy(v, &a, sizeof v);
    return v[i];
}

#endif
