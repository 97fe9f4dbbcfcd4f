/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MT7004_H
#define LNG_MT7004_H
/*
 * MT7004: a DSP of the FT-Matrix family. Vectors are 16 singles; halves are loaded into
 * and stored from them. Multiply-add is fused. Names after the vendor's vec_ functions.
 *
 * Singles: round to nearest even; gradual underflow, or, where the chip flushes
 * (descriptor: flush; lng_model_flush), operands and results of vector arithmetic below
 * 2^-126 are 0; loads, stores, halves, bits and the scalar unit keep subnormals in either
 * case. A kernel must be right both ways.
 */
#include "port/port.h"

/* What a kernel knows when it is compiled; impl/model/mt7004.def has the sources. */
enum {
    LNG_CORES = 4,
    LNG_VECTOR_BYTES = 64,          /* of a register */
    LNG_VECTOR_SCRATCH = 768 << 10, /* AM, bytes a core */
    LNG_SCALAR_SCRATCH = 64 << 10,  /* SM, bytes a core */
    LNG_DMA_ALIGNMENT = 2
};

/* The header that defines lng_f16 (16 singles; lvector float) and lng_i16 (16 unsigned
 * integers of 32 bits; lvector unsigned int) and what is declared below. On a host the
 * model's. */
#ifndef LNG_PORT
#define LNG_PORT "model/model_mt7004.h"
#endif
#include LNG_PORT

#include "port/scalar_unit.h"

/* ---- Vector loads and stores, of vector scratch. mask: bit l is lane l; lanes without
 * their bit are loaded as +0, not stored, and their memory is not touched (mov_to_vlr
 * before, and the vendor's masked form). */

/* 16 singles, aligned to 64 bytes. vec_ld, vec_st. */
LNG_VOCABULARY lng_f16 lng_vec_ld(const float *p);
LNG_VOCABULARY void lng_vec_st(float *p, lng_f16 v);
LNG_VOCABULARY lng_f16 lng_vec_ldm(const float *p, unsigned mask);
LNG_VOCABULARY void lng_vec_stm(float *p, lng_f16 v, unsigned mask);

/* 16 halves, aligned to 32 bytes: widened exactly; and stored, where every lane that is
 * stored is a half exactly, infinity or NaN (the kernel has rounded). Assumed: the
 * relative has the loads, VLDHW and VSTHW, for integers. */
LNG_VOCABULARY lng_f16 lng_vec_ld_half(const uint16_t *p);
LNG_VOCABULARY void lng_vec_st_half(uint16_t *p, lng_f16 v);
LNG_VOCABULARY lng_f16 lng_vec_ldm_half(const uint16_t *p, unsigned mask);
LNG_VOCABULARY void lng_vec_stm_half(uint16_t *p, lng_f16 v, unsigned mask);

/* ---- Vector arithmetic */

/* All lanes a. vec_svbcast. */
LNG_VOCABULARY lng_f16 lng_vec_svbcast(float a);

/* a + b, a - b, a * b. vec_add, vec_sub, vec_muli. */
LNG_VOCABULARY lng_f16 lng_vec_add(lng_f16 a, lng_f16 b);
LNG_VOCABULARY lng_f16 lng_vec_sub(lng_f16 a, lng_f16 b);
LNG_VOCABULARY lng_f16 lng_vec_muli(lng_f16 a, lng_f16 b);

/* a*b + c and a*b - c, rounded once. vec_mula, vec_mulb. */
LNG_VOCABULARY lng_f16 lng_vec_mula(lng_f16 a, lng_f16 b, lng_f16 c);
LNG_VOCABULARY lng_f16 lng_vec_mulb(lng_f16 a, lng_f16 b, lng_f16 c);

/* Lane l is a's where bit l of the mask is set, else b's. mov_to_vlr, vec_mov. */
LNG_VOCABULARY lng_f16 lng_vec_sel(unsigned mask, lng_f16 a, lng_f16 b);

/* ---- Bits of vectors */

/* The patterns of singles as integers, and back. They are one register. */
LNG_VOCABULARY lng_i16 lng_vec_bits(lng_f16 a);
LNG_VOCABULARY lng_f16 lng_vec_float(lng_i16 a);

/* All lanes a; bitwise and, or; larger and smaller, unsigned; a - b modulo 2^32; a
 * shifted left by n, or right by -n with zeros, |n| < 32. vec_svbcast, vec_and, vec_or,
 * VMAXU, VMINU, vec_subi, VSHFLL and VSHFLR. */
LNG_VOCABULARY lng_i16 lng_vec_svbcast_bits(uint32_t a);
LNG_VOCABULARY lng_i16 lng_vec_and(lng_i16 a, lng_i16 b);
LNG_VOCABULARY lng_i16 lng_vec_or(lng_i16 a, lng_i16 b);
LNG_VOCABULARY lng_i16 lng_vec_maxu(lng_i16 a, lng_i16 b);
LNG_VOCABULARY lng_i16 lng_vec_minu(lng_i16 a, lng_i16 b);
LNG_VOCABULARY lng_i16 lng_vec_subi(lng_i16 a, lng_i16 b);
LNG_VOCABULARY lng_i16 lng_vec_shift(lng_i16 a, int n);

/* Lane i, moved out to the scalar unit. SVR registers, mov_from_svr. */
LNG_VOCABULARY float lng_vec_lane(lng_f16 a, int i);
LNG_VOCABULARY uint32_t lng_vec_lane_bits(lng_i16 a, int i);

/* ---- What the scalar unit has beyond port/scalar_unit.h */

/* A half as its 16 bits, in scalar scratch, aligned to 2 bytes. SLDHU, SSTH. */
LNG_VOCABULARY uint16_t lng_ldh(const uint16_t *p);
LNG_VOCABULARY void lng_sth(uint16_t *p, uint16_t v);

/* ---- Not needed by the kernels here, but by others perhaps. */

/* -a. vec_neg. */
LNG_VOCABULARY lng_f16 lng_vec_neg(lng_f16 a);

/* a*b + c in double, rounded once. SFMULAD. */
LNG_VOCABULARY double lng_fmadp(double a, double b, double c);

#endif
