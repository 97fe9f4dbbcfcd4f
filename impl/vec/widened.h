/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_WIDENED_H
#define LNG_WIDENED_H
/* For a vocabulary that makes an element a wide value when it is loaded. */

typedef lng_v lng_e;

LNG_INLINE lng_e lng_e_all(double value)
{
    return lng_v_all(value);
}

LNG_INLINE lng_v lng_e_sub(lng_e a, lng_e b)
{
    return lng_v_sub(a, b);
}

LNG_INLINE lng_v lng_e_mul(lng_e a, lng_e b)
{
    return lng_v_mul(a, b);
}

LNG_INLINE lng_v lng_v_mul_e(lng_v a, lng_e b)
{
    return lng_v_mul(a, b);
}

LNG_INLINE lng_v lng_v_add_e(lng_v a, lng_e b)
{
    return lng_v_add(a, b);
}

LNG_INLINE lng_v lng_v_fma_e(lng_v a, lng_e b, lng_v c)
{
    return lng_v_fma(a, b, c);
}

#endif
