/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_HALF_VALUE_H
#define LNG_HALF_VALUE_H
/* binary16 to double and back, in plain C. */
#include <stdint.h>
#include <string.h>

/* Exact: the significand and exponent moved to single's place are 2^-112 of the value. */
static inline double lng_half_value(uint16_t bits)
{
    uint32_t u = (uint32_t)(bits & 0x7fff) << 13;
    if (u >= 0x0f800000)
        u |= 0x7f800000; /* infinity and NaN keep their exponent */
    float f;
    memcpy(&f, &u, sizeof f);
    const double value = u >= 0x7f800000 ? (double)f : (double)f * 0x1p112;
    return bits & 0x8000 ? -value : value;
}

/* To nearest even, once. From 65520 on the nearest is infinity; below 2^-14 the spacing
 * is 2^-24, and adding 2^52 rounds to it; between, half the last place is added to the
 * bits. */
static inline uint16_t lng_half_round(double v)
{
    uint64_t u;
    memcpy(&u, &v, sizeof u);
    const uint16_t sign = (uint16_t)(u >> 63 << 15);
    const double a = sign ? -v : v;
    if (!(a < 65520))
        return (uint16_t)(sign | (a >= 65520 ? 0x7c00 : 0x7e00));
    if (a < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)((a * 0x1p24 + 0x1p52) - 0x1p52));
    u &= ~UINT64_C(0) >> 1;
    u -= (uint64_t)(1023 - 15) << 52;
    u += ((UINT64_C(1) << 41) - 1) + (u >> 42 & 1);
    return (uint16_t)(sign | (uint16_t)(u >> 42));
}

#endif
