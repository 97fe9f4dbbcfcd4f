/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VEC_H
#define LNG_VEC_H
/*
 * The vocabulary of body/rows.h for FT78NE: four virtual lanes. Elements come as two
 * pairs of singles; wide values are four doubles of the scalar unit: four flops in double
 * a cycle cost less than the twenty of an addition of pairs of singles, at sixteen a
 * cycle. There is no fused operation; a product and a sum round separately.
 */
#include "port/ft78ne.h"

#ifndef LNG_INLINE
#define LNG_INLINE static inline
#endif

enum { LNG_LANES = 4, LNG_LINE = 1, LNG_GROUP = 1, LNG_KEEPS_D = 1 };

#define LNG_ELEMENT float

typedef struct {
    double lane[LNG_LANES];
} lng_v;

LNG_INLINE lng_v lng_v_all(double value)
{
    lng_v v;
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = value;
    return v;
}

LNG_INLINE lng_v lng_v_load(const double *p)
{
    lng_v v;
    for (int l = 0; l < LNG_LANES; l++)
        v.lane[l] = lng_lddw(p + l);
    return v;
}

LNG_INLINE void lng_v_store(double *p, lng_v v)
{
    for (int l = 0; l < LNG_LANES; l++)
        lng_stdw(p + l, v.lane[l]);
}

LNG_INLINE lng_v lng_v_add(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] = lng_adddp(a.lane[l], b.lane[l]);
    return a;
}

LNG_INLINE lng_v lng_v_sub(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] = lng_subdp(a.lane[l], b.lane[l]);
    return a;
}

LNG_INLINE lng_v lng_v_mul(lng_v a, lng_v b)
{
    for (int l = 0; l < LNG_LANES; l++)
        a.lane[l] = lng_mpydp(a.lane[l], b.lane[l]);
    return a;
}

/* a*b + c and c - a*b, rounded twice. */
LNG_INLINE lng_v lng_v_fma(lng_v a, lng_v b, lng_v c)
{
    return lng_v_add(lng_v_mul(a, b), c);
}

LNG_INLINE lng_v lng_v_fnma(lng_v a, lng_v b, lng_v c)
{
    return lng_v_sub(c, lng_v_mul(a, b));
}

/* Lanes from n on become +0. */
LNG_INLINE lng_v lng_v_first(lng_v v, int n)
{
    for (int l = n; l < LNG_LANES; l++)
        v.lane[l] = 0;
    return v;
}

#include "vec/widened.h"

/* n elements from a vector's place on; lanes beyond are 0. */
LNG_INLINE lng_e lng_load(const void *tensor, int64_t i, int n)
{
    const float *p = (const float *)tensor + i;
    lng_e e = lng_v_all(0);
    for (int l = 0; l < n; l += 2) {
        const lng_f2 pair = lng_amem8_f2(p + l);
        e.lane[l] = lng_spdp(lng_lof2(pair));
        if (l + 1 < n)
            e.lane[l + 1] = lng_spdp(lng_hif2(pair));
    }
    return e;
}

/* gamma is kept as doubles: n of them at `room`, for its elements. */
enum { LNG_GAMMA_ROOM = sizeof(double) };

LNG_INLINE const void *lng_keep_gamma(void *room, const void *elements, int64_t n)
{
    for (int64_t i = 0; i < n; i += LNG_LANES)
        lng_v_store((double *)room + i, lng_load(elements, i, LNG_LANES));
    return room;
}

LNG_INLINE lng_e lng_gamma(const void *gamma, int64_t i, int n)
{
    const lng_v v = lng_v_load((const double *)gamma + i);
    return n == LNG_LANES ? v : lng_v_first(v, n);
}

/* Each lane rounded once; those beyond n stay in the vector's place. */
LNG_INLINE void lng_store(void *tensor, int64_t i, int n, lng_v v)
{
    float *p = (float *)tensor + i;
    for (int k = 0; 2 * k < n; k++)
        lng_amem8_f2_st(p + 2 * k,
                        lng_ftof2(lng_dpsp(v.lane[2 * k + 1]), lng_dpsp(v.lane[2 * k])));
}

/* The sum of the lanes: two apart, then neighbours. */
LNG_INLINE double lng_v_sum(lng_v v)
{
    return lng_adddp(lng_adddp(v.lane[0], v.lane[2]), lng_adddp(v.lane[1], v.lane[3]));
}

/* Wide value i of scalar scratch, as lng_v_store laid it; an element of scalar scratch,
 * and one rounded to its type. */
LNG_INLINE double lng_wide_at(const double *wide, int64_t i)
{
    return lng_lddw(wide + i);
}

LNG_INLINE double lng_element_at(const void *elements, int64_t i)
{
    return lng_spdp(lng_ldw((const float *)elements + i));
}

LNG_INLINE void lng_element_set(void *elements, int64_t i, double value)
{
    lng_stw((float *)elements + i, lng_dpsp(value));
}

/* Doubles have room for whatever comes of singles: every row fits, without scale. */
enum { LNG_NARROW = 0, LNG_EXTENT_FACTS = 0 };
#define LNG_SCALE 1.0

LNG_INLINE void lng_extent_facts(const void *x, const void *dy, const void *gamma,
                                 int64_t n, double mean, double *facts)
{
    (void)x, (void)dy, (void)gamma, (void)n, (void)mean, (void)facts;
}

LNG_INLINE void lng_join_extents(double *a, const double *b, int first)
{
    (void)a, (void)b, (void)first;
}

LNG_INLINE int lng_extent_fits(const double *facts, double mean, double r, double ra,
                               double rb, double H, double terms)
{
    (void)facts, (void)mean, (void)r, (void)ra, (void)rb, (void)H, (void)terms;
    return 1;
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
