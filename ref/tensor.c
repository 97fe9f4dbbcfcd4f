/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements of tensors as doubles. A binary16 is read and written by its bits, so that
 * neither the compiler nor the processor has to know the type:
 *
 *     sign | exponent e (5 bits) | fraction f (10 bits)
 *     e = 0: f * 2^-24
 *     e = 31: infinity, or NaN if f is not 0
 *     else: (2^10 + f) * 2^(e-25)
 */
#include <math.h>
#include <string.h>

#include "ref/oracle.h"

const char *const lng_output_name[LNG_OUTPUTS] = {"dx", "dg", "db"};

int64_t lng_output_length(const lng_problem *problem, enum lng_output output)
{
    return output == LNG_DX ? problem->block_num * problem->block_size
                            : problem->param_num;
}

size_t lng_dtype_size(lng_dtype dtype)
{
    return dtype == LNG_F16 ? sizeof(uint16_t) : sizeof(float);
}

static double half_value(uint16_t bits)
{
    int e = (bits >> 10) & 31;
    int f = bits & 1023;
    double magnitude = e == 31  ? (f ? (double)NAN : (double)INFINITY)
                       : e == 0 ? ldexp(f, -24)
                                : ldexp(1024 + f, e - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

/* One rounding: the value in units of the spacing at its own binade, which is exact,
 * rounded to an integer. Magnitudes from 65520 = 65504 + 16 on round to infinity, the tie
 * included, for 65504 is odd in the last place. A carry out of the fraction is one into
 * the exponent. */
static uint16_t half_bits(double value)
{
    unsigned sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) {
        return 0x7e00;
    }
    if (fabs(value) >= 65520) {
        return (uint16_t)(sign | 0x7c00);
    }
    int e = value == 0 || ilogb(value) < -14 ? -14 : ilogb(value);
    unsigned steps = (unsigned)nearbyint(ldexp(fabs(value), 10 - e));
    return (uint16_t)(sign | (((unsigned)(e + 14) << 10) + steps));
}

double lng_tensor_get(lng_dtype dtype, const void *tensor, int64_t i)
{
    if (dtype == LNG_F16) {
        uint16_t bits;
        memcpy(&bits, (const char *)tensor + i * (int64_t)sizeof bits, sizeof bits);
        return half_value(bits);
    }
    float value;
    memcpy(&value, (const char *)tensor + i * (int64_t)sizeof value, sizeof value);
    return (double)value;
}

void lng_tensor_set(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    if (dtype == LNG_F16) {
        uint16_t bits = half_bits(value);
        memcpy((char *)tensor + i * (int64_t)sizeof bits, &bits, sizeof bits);
    } else {
        float rounded = (float)value;
        memcpy((char *)tensor + i * (int64_t)sizeof rounded, &rounded, sizeof rounded);
    }
}
