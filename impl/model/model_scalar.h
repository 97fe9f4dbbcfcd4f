/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MODEL_SCALAR_H
#define LNG_MODEL_SCALAR_H
/* The scalar unit of both chips. A value is copied to and from memory, for scratch has no
 * type. */
#include <math.h>
#include <string.h>

#include "model/model_core.h"

#define LNG_VOCABULARY static inline

static inline float lng_ldw(const float *p)
{
    float v;
    lng_count(LNG_SCALAR_LOAD);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_stw(float *p, float v)
{
    lng_count(LNG_SCALAR_STORE);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 1);
    memcpy(p, &v, sizeof v);
}

static inline double lng_lddw(const double *p)
{
    double v;
    lng_count(LNG_SCALAR_LOAD);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 0);
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void lng_stdw(double *p, double v)
{
    lng_count(LNG_SCALAR_STORE);
    lng_touch(LNG_SCALAR_AREA, p, sizeof v, sizeof v, 1);
    memcpy(p, &v, sizeof v);
}

static inline double lng_adddp(double a, double b)
{
    lng_count(LNG_SCALAR_ADD);
    return a + b;
}

static inline double lng_subdp(double a, double b)
{
    lng_count(LNG_SCALAR_ADD);
    return a - b;
}

static inline double lng_mpydp(double a, double b)
{
    lng_count(LNG_SCALAR_MULTIPLY);
    return a * b;
}

static inline float lng_kept(float a)
{
    return !lng_self->gradual && fabsf(a) < 0x1p-126f ? copysignf(0, a) : a;
}

static inline double lng_spdp(float a)
{
    lng_count(LNG_SCALAR_CONVERT);
    return (double)lng_kept(a);
}

static inline float lng_dpsp(double a)
{
    lng_count(LNG_SCALAR_CONVERT);
    return lng_kept((float)a);
}

/* Cut to the bits of the seed: the error is as large as its bound allows, nearly, and of
 * one sign. */
static inline double lng_cut(double exact)
{
    uint64_t u;
    memcpy(&u, &exact, sizeof u);
    u &= ~UINT64_C(0) << (52 - lng_self->seed_bits);
    memcpy(&exact, &u, sizeof u);
    return exact;
}

/* least: below it a is taken as 0. */
static inline double lng_root_seed(double a, double least)
{
    lng_count(LNG_SCALAR_SEED);
    if (fabs(a) < least)
        return copysign((double)INFINITY, a);
    return isnan(a) || a < 0 ? (double)NAN : lng_cut(1 / sqrt(a));
}

static inline double lng_rsqrdp(double a)
{
    return lng_root_seed(a, 0x1p-1022);
}

#endif
