/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands in one core's own memory, the L2 of FT78NE or the AM of MT7004, of which what
 * is left serves the kernel as scratch:
 *
 *     cc private_operands.c $(pkg-config --cflags --libs layernormgrad_ft78ne)
 *
 * or layernormgrad_mt7004.
 */
#include "device_data.h"

int main(void)
{
    struct device_data d = {0};
    if (device_fill(&d, LNG_PRIVATE) == 0)
        fp_layernormgrad_p(d.x, d.dy, d.var, d.mean, d.gamma, PARAM_NUM, PARAM_SIZE,
                           PARAM_SIZE, PARAM_NUM, d.dx, d.dg, d.db);
    const int failed = device_print(&d);
    device_free(&d);
    return failed;
}
