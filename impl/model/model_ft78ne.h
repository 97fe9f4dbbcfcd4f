/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MODEL_FT78NE_H
#define LNG_MODEL_FT78NE_H
/* The vocabulary of port/ft78ne.h on a host. */
#include "model/model_entry.h"
#include "model/model_scalar.h"

#define LNG_CHIP lng_ft78ne

typedef struct {
    float lo, hi;
} lng_f2;

static inline lng_f2 lng_amem8_f2(const float *p)
{
    lng_f2 v;
    lng_count(LNG_VECTOR_LOAD);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, 8, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_amem8_f2_st(float *p, lng_f2 v)
{
    lng_count(LNG_VECTOR_STORE);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, 8, 1);
    memcpy(p, &v, sizeof v);
}

static inline lng_f2 lng_mem8_f2(const float *p)
{
    lng_f2 v;
    lng_count(LNG_VECTOR_UNALIGNED);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, 4, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_mem8_f2_st(float *p, lng_f2 v)
{
    lng_count(LNG_VECTOR_UNALIGNED);
    lng_touch(LNG_VECTOR_AREA, p, sizeof v, 4, 1);
    memcpy(p, &v, sizeof v);
}

static inline lng_f2 lng_daddsp(lng_f2 a, lng_f2 b)
{
    lng_count(LNG_VECTOR_ADD);
    return (lng_f2){a.lo + b.lo, a.hi + b.hi};
}

static inline lng_f2 lng_dsubsp(lng_f2 a, lng_f2 b)
{
    lng_count(LNG_VECTOR_ADD);
    return (lng_f2){a.lo - b.lo, a.hi - b.hi};
}

static inline lng_f2 lng_dmpysp(lng_f2 a, lng_f2 b)
{
    lng_count(LNG_VECTOR_MULTIPLY);
    return (lng_f2){a.lo * b.lo, a.hi * b.hi};
}

static inline float lng_lof2(lng_f2 a)
{
    return a.lo;
}

static inline float lng_hif2(lng_f2 a)
{
    return a.hi;
}

static inline lng_f2 lng_ftof2(float hi, float lo)
{
    return (lng_f2){lo, hi};
}

static inline float lng_rsqrsp(float a)
{
    return (float)lng_root_seed((double)a, 0x1p-126);
}

/* 1/a of a large a is subnormal, and 0 on the chip. */
static inline float lng_rcpsp(float a)
{
    lng_count(LNG_SCALAR_SEED);
    if (fabsf(a) < 0x1p-126f)
        return copysignf(INFINITY, a);
    const double seed = lng_cut(1 / (double)a);
    return fabs(seed) < 0x1p-126 ? copysignf(0, a) : (float)seed;
}

#endif
