/* SPDX-License-Identifier: Apache-2.0 */
#include "port/mt7004.h"

static double toy_tile(const float *in, float *out, size_t n)
{
    const lng_f16 one = lng_vec_svbcast(1), three = lng_vec_svbcast(3);
    double sum = 0;
    for (size_t i = 0; i < n; i += 16) {
        const unsigned lanes = n - i < 16 ? (unsigned)(n - i) : 16;
        const unsigned mask = 0xffffu >> (16 - lanes);
        const lng_f16 x = lanes < 16 ? lng_vec_ldm(in + i, mask) : lng_vec_ld(in + i);
        const lng_f16 y = lng_vec_mula(x, three, one);
        if (lanes < 16)
            lng_vec_stm(out + i, y, mask);
        else
            lng_vec_st(out + i, y);
        for (unsigned l = 0; l < lanes; l++)
            sum = lng_adddp(sum, lng_spdp(lng_vec_lane(y, (int)l)));
    }
    return sum;
}

#include "toy_body.h"

void toy_mt7004(void *toy)
{
    toy_program(toy);
}
