/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_SCALAR_UNIT_H
#define LNG_SCALAR_UNIT_H
/*
 * The vocabulary that both chips have for their scalar unit, after the names of TI's
 * instructions. Included by port/<chip>.h, after the types.
 *
 * Loads and stores: of scalar scratch, aligned to the type. Arithmetic: round to nearest
 * even, gradual underflow, one rounding an operation. Comparisons and integers are plain
 * C.
 */

/* TI: LDW, STW; FT-Matrix: SLDW, SSTW. */
LNG_VOCABULARY float lng_ldw(const float *p);
LNG_VOCABULARY void lng_stw(float *p, float v);

/* TI: LDDW, STDW; FT-Matrix: SLDDW, SSTDW. */
LNG_VOCABULARY double lng_lddw(const double *p);
LNG_VOCABULARY void lng_stdw(double *p, double v);

/* TI: FADDDP, FSUBDP, FMPYDP; FT-Matrix: SFADDD, SFSUBD, SFMULD. */
LNG_VOCABULARY double lng_adddp(double a, double b);
LNG_VOCABULARY double lng_subdp(double a, double b);
LNG_VOCABULARY double lng_mpydp(double a, double b);

/* Single to double, exact, subnormals included. TI: _spdp, which takes a subnormal as 0
 * (descriptor: gradual_underflow); FT-Matrix: SFSPDP. */
LNG_VOCABULARY double lng_spdp(float a);

/* Double to single, one rounding to nearest even, gradual underflow, overflow to
 * infinity. TI: _dpsp, which gives 0 for what is subnormal (descriptor:
 * gradual_underflow); FT-Matrix: SFDPSP. */
LNG_VOCABULARY float lng_dpsp(double a);

/* Seed of 1/sqrt(a), relative error below 2^-8 for a normal a > 0; 0: infinity of its
 * sign, +infinity: 0, negative or NaN: NaN, subnormal: as 0. TI: _rsqrdp; FT-Matrix: the
 * scalar seed SFRSQD, assumed to be as good. */
LNG_VOCABULARY double lng_rsqrdp(double a);

#endif
