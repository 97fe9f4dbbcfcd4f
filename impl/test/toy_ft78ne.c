/* SPDX-License-Identifier: Apache-2.0 */
#include "port/ft78ne.h"

static double toy_tile(const float *in, float *out, size_t n)
{
    const lng_f2 one = lng_ftof2(1, 1), three = lng_ftof2(3, 3);
    double sum = 0;
    for (size_t i = 0; i + 2 <= n; i += 2) {
        const lng_f2 y = lng_daddsp(lng_dmpysp(lng_amem8_f2(in + i), three), one);
        lng_amem8_f2_st(out + i, y);
        sum = lng_adddp(sum, lng_spdp(lng_lof2(y)));
        sum = lng_adddp(sum, lng_spdp(lng_hif2(y)));
    }
    if (n % 2) {
        const lng_f2 x = lng_ftof2(0, lng_ldw(in + n - 1));
        const lng_f2 y = lng_daddsp(lng_dmpysp(x, three), one);
        lng_stw(out + n - 1, lng_lof2(y));
        sum = lng_adddp(sum, lng_spdp(lng_lof2(y)));
    }
    return sum;
}

#include "toy_body.h"

void toy_ft78ne(void *toy)
{
    toy_program(toy);
}
