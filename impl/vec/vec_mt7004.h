/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/*
 * The vocabulary of body/rows.h for MT7004: sixteen lanes, elements as they are loaded,
 * wide values as pairs of singles (acc/pair.h), in memory the his of a vector and then
 * its los. LNG_ELEMENT says which type the tensors have: float, or uint16_t for halves,
 * which are widened when they are loaded.
 *
 * r and what is formed from it are times LNG_SCALE (acc/range.h), and so is dg of the
 * window; lng_store takes it out again.
 */
#include "acc/pair.h"
#include "acc/range.h"
#include "vec/half.h"

#ifndef LNG_INLINE
#define LNG_INLINE static inline
#endif

/* LNG_NARROW: wide values have the range of singles, and a row may not fit. */
enum {
    LNG_LANES = 16,
    LNG_LINE = 1,
    LNG_GROUP = 1,
    LNG_KEEPS_D = 1,
    LNG_NARROW = 1,
    LNG_HALVES = sizeof(LNG_ELEMENT) == 2
};
#define LNG_SCALE LNG_PAIR_SCALE

typedef lng_f16 lng_e;
typedef struct lng_pair lng_v;

LNG_INLINE unsigned lng_mask(int n)
{
    return (1u << n) - 1;
}

/* n elements from a vector's place on; lanes beyond are 0. */
LNG_INLINE lng_e lng_load(const void *tensor, int64_t i, int n)
{
    if (LNG_HALVES) {
        const uint16_t *p = (const uint16_t *)tensor + i;
        return n == LNG_LANES ? lng_vec_ld_half(p) : lng_vec_ldm_half(p, lng_mask(n));
    }
    const float *p = (const float *)tensor + i;
    return n == LNG_LANES ? lng_vec_ld(p) : lng_vec_ldm(p, lng_mask(n));
}

/* gamma is kept as it comes. */
enum { LNG_GAMMA_ROOM = 0 };

LNG_INLINE const void *lng_keep_gamma(void *room, const void *elements, int64_t n)
{
    (void)room;
    (void)n;
    return elements;
}

LNG_INLINE lng_e lng_gamma(const void *gamma, int64_t i, int n)
{
    return lng_load(gamma, i, n);
}

LNG_INLINE lng_e lng_e_all(double value)
{
    return lng_vec_svbcast(lng_dpsp(value));
}

LNG_INLINE lng_v lng_v_all(double value)
{
    return lng_pair_all(value);
}

LNG_INLINE lng_v lng_v_load(const double *p)
{
    const float *his = (const float *)p;
    return (lng_v){lng_vec_ld(his), lng_vec_ld(his + LNG_LANES)};
}

LNG_INLINE void lng_v_store(double *p, lng_v v)
{
    float *his = (float *)p;
    lng_vec_st(his, v.hi);
    lng_vec_st(his + LNG_LANES, v.lo);
}

/* Sums that are carried on; their terms need not be tight. */
LNG_INLINE lng_v lng_v_add(lng_v sum, lng_v term)
{
    return lng_pair_add(sum, term);
}

LNG_INLINE lng_v lng_v_add_e(lng_v sum, lng_e term)
{
    return lng_pair_add_single(sum, term);
}

LNG_INLINE lng_v lng_v_mul(lng_v a, lng_v b)
{
    return lng_pair_mul(a, b);
}

LNG_INLINE lng_v lng_v_mul_e(lng_v a, lng_e b)
{
    return lng_pair_times(a, b);
}

/* a*b + sum, a tight. */
LNG_INLINE lng_v lng_v_fma(lng_v a, lng_v b, lng_v sum)
{
    return lng_pair_add(sum, lng_pair_mul(a, b));
}

/* c - a*b, and a*b + c which is rounded to an element next: neither is tight. */
LNG_INLINE lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    return lng_pair_minus(c, lng_pair_mul(a, b));
}

LNG_INLINE lng_v lng_v_fma_e(lng_v a, lng_e b, lng_v c)
{
    return lng_pair_plus(c, lng_pair_times(a, b));
}

LNG_INLINE lng_v lng_e_sub(lng_e a, lng_e b)
{
    return lng_pair_difference(a, b);
}

LNG_INLINE lng_v lng_e_mul(lng_e a, lng_e b)
{
    return lng_pair_product(a, b);
}

/* Lanes from n on become +0. */
LNG_INLINE lng_v lng_v_first(lng_v v, int n)
{
    const lng_f16 zero = lng_vec_svbcast(0);
    return (lng_v){lng_vec_sel(lng_mask(n), v.hi, zero),
                   lng_vec_sel(lng_mask(n), v.lo, zero)};
}

/* Each lane without LNG_SCALE, rounded once. */
LNG_INLINE void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    if (LNG_HALVES) {
        uint16_t *p = (uint16_t *)tensor + i;
        const struct lng_halving h = lng_halving_start((float)(1 / LNG_SCALE));
        const lng_f16 halves = lng_pair_to_half(v, &h);
        if (n == LNG_LANES)
            lng_vec_st_half(p, halves);
        else
            lng_vec_stm_half(p, halves, lng_mask(n));
    } else {
        float *p = (float *)tensor + i;
        const lng_f16 scale = lng_vec_svbcast((float)(1 / LNG_SCALE));
        const lng_f16 singles = lng_pair_to_single(v, scale);
        if (n == LNG_LANES)
            lng_vec_st(p, singles);
        else
            lng_vec_stm(p, singles, lng_mask(n));
    }
}

/* The sum of the lanes: eight apart, four, two, neighbours. */
LNG_INLINE double lng_v_sum(lng_v v)
{
    double lane[LNG_LANES];
    for (int l = 0; l < LNG_LANES; l++)
        lane[l] = lng_pair_lane(v, l);
    for (int apart = LNG_LANES / 2; apart > 0; apart /= 2)
        for (int l = 0; l < apart; l++)
            lane[l] = lng_adddp(lane[l], lane[l + apart]);
    return lane[0];
}

/* Wide value i of scalar scratch, as lng_v_store laid it; an element of scalar scratch,
 * and one rounded to its type. */
LNG_INLINE double lng_wide_at(const double *wide, int64_t i)
{
    const float *his = (const float *)(wide + i / LNG_LANES * LNG_LANES) + i % LNG_LANES;
    return lng_adddp(lng_spdp(lng_ldw(his)), lng_spdp(lng_ldw(his + LNG_LANES)));
}

LNG_INLINE double lng_element_at(const void *elements, int64_t i)
{
    return LNG_HALVES ? lng_half_value(lng_ldh((const uint16_t *)elements + i))
                      : lng_spdp(lng_ldw((const float *)elements + i));
}

LNG_INLINE void lng_element_set(void *elements, int64_t i, double value)
{
    if (LNG_HALVES)
        lng_sth((uint16_t *)elements + i, lng_half_round(value));
    else
        lng_stw((float *)elements + i, lng_dpsp(value));
}

/* What the range of a row depends on, as numbers: acc/range.h; of halves nothing. */
enum { LNG_EXTENT_FACTS = LNG_HALVES ? 0 : 4 };

LNG_INLINE void lng_put_extent(struct lng_extent e, double *facts)
{
    facts[0] = e.least;
    facts[1] = e.dy;
    facts[2] = e.d;
    facts[3] = e.g;
}

LNG_INLINE struct lng_extent lng_extent_at(const double *facts)
{
    return (struct lng_extent){(uint32_t)facts[0], (uint32_t)facts[1], (uint32_t)facts[2],
                               (uint32_t)facts[3]};
}

/* Of n elements. */
LNG_INLINE void lng_extent_facts(const void *x, const void *dy, const void *gamma,
                                 int64_t n, double mean, double *facts)
{
    if (LNG_HALVES)
        return;
    struct lng_spread spread = lng_spread_start(lng_dpsp(mean));
    const lng_e m = lng_e_all(mean), zero = lng_e_all(0);
    for (int64_t i = 0; i < n; i += LNG_LANES) {
        const int lanes = n - i < LNG_LANES ? (int)(n - i) : LNG_LANES;
        const lng_e xi = lng_load(x, i, lanes), dyi = lng_load(dy, i, lanes);
        lng_e d = lng_vec_sub(xi, m);
        if (lanes < LNG_LANES)
            d = lng_vec_sel(lng_mask(lanes), d, zero);
        lng_spread_add(&spread, dyi, xi, d,
                       lng_vec_muli(dyi, lng_gamma(gamma, i, lanes)));
    }
    lng_put_extent(lng_extent_of(&spread), facts);
}

/* b joins a, the first one takes its place. */
LNG_INLINE void lng_join_extents(double *a, const double *b, int first)
{
    if (!LNG_HALVES)
        lng_put_extent(first ? lng_extent_at(b)
                             : lng_extent_join(lng_extent_at(a), lng_extent_at(b)),
                       a);
}

/* r, ra and rb are times LNG_SCALE; terms are added to a sum of dg or db at most. */
LNG_INLINE int lng_extent_fits(const double *facts, double mean, double r, double ra,
                               double rb, double H, double terms)
{
    return LNG_HALVES
               ? lng_pair_range_f16(r, ra, rb, terms)
               : lng_pair_range_f32(lng_extent_at(facts), mean, r, ra, rb, H, terms);
}

/* Elements that body/rows.h would have fetched ahead come by transfers. */
LNG_INLINE void lng_fetch(const void *tensor, int64_t i)
{
    (void)tensor;
    (void)i;
}

LNG_INLINE void lng_stream(void *tensor, int64_t i, const lng_v *v)
{
    lng_store(tensor, i, LNG_LANES, v[0]);
}

#endif
