/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_FT78NE_H
#define LNG_FT78NE_H
/*
 * FT78NE: a DSP like TI's C66x. Vectors are pairs of singles; there is no fused
 * multiply-add, so a product and a sum round separately. Names after TI's intrinsics
 * (SPRU187, SPRUGH7), without their first underscore.
 *
 * Singles: round to nearest even, gradual underflow (descriptor: gradual_underflow).
 */
#include "port/port.h"

/* What a kernel knows when it is compiled; impl/model/ft78ne.def has the sources. */
enum {
    LNG_CORES = 8,
    LNG_VECTOR_BYTES = 8,           /* of a register */
    LNG_VECTOR_SCRATCH = 512 << 10, /* bytes a core */
    LNG_SCALAR_SCRATCH = 0,         /* the same memory */
    LNG_DMA_ALIGNMENT = 4
};

/* The header that defines lng_f2 (a pair of singles; TI: __float2_t) and what is declared
 * below. On a host the model's. */
#ifndef LNG_PORT
#define LNG_PORT "model/model_ft78ne.h"
#endif
#include LNG_PORT

#include "port/scalar_unit.h"

/* A pair at p, aligned to 8 bytes. TI: _amem8_f2, read and assigned to. */
LNG_VOCABULARY lng_f2 lng_amem8_f2(const float *p);
LNG_VOCABULARY void lng_amem8_f2_st(float *p, lng_f2 v);

/* The element at the lower and at the higher address; a pair of both. TI: _lof2, _hif2,
 * _ftof2(hi, lo). Parts of a register: they take no time. */
LNG_VOCABULARY float lng_lof2(lng_f2 a);
LNG_VOCABULARY float lng_hif2(lng_f2 a);
LNG_VOCABULARY lng_f2 lng_ftof2(float hi, float lo);

/* ---- Not needed by the kernels here, but by others perhaps. */

/* A pair, aligned to 4 bytes; half as many a cycle. TI: _mem8_f2. */
LNG_VOCABULARY lng_f2 lng_mem8_f2(const float *p);
LNG_VOCABULARY void lng_mem8_f2_st(float *p, lng_f2 v);

/* a + b, a - b, a * b, element by element. TI: _daddsp, _dsubsp, _dmpysp. */
LNG_VOCABULARY lng_f2 lng_daddsp(lng_f2 a, lng_f2 b);
LNG_VOCABULARY lng_f2 lng_dsubsp(lng_f2 a, lng_f2 b);
LNG_VOCABULARY lng_f2 lng_dmpysp(lng_f2 a, lng_f2 b);

/* Seeds of 1/sqrt(a) and 1/a in single, relative error below 2^-8 for a normal a; special
 * values as lng_rsqrdp's; 1/infinity is 0. TI: _rsqrsp, _rcpsp. */
LNG_VOCABULARY float lng_rsqrsp(float a);
LNG_VOCABULARY float lng_rcpsp(float a);

#endif
