/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands in DDR and the work shared by four cores, which FT78NE (0xff are all of its
 * eight) and MT7004 have:
 *
 *     cc shared_operands.c $(pkg-config --cflags --libs layernormgrad_ft78ne)
 *
 * or layernormgrad_mt7004.
 */
#include "device_data.h"

int main(void)
{
    struct device_data d = {0};
    const int core_mask = 0xf;
    if (device_fill(&d, LNG_DDR) == 0)
        fp_layernormgrad_s(d.x, d.dy, d.var, d.mean, d.gamma, PARAM_NUM, PARAM_SIZE,
                           PARAM_SIZE, PARAM_NUM, d.dx, d.dg, d.db, core_mask);
    const int failed = device_print(&d);
    device_free(&d);
    return failed;
}
