/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DSP_LAYOUT_H
#define LNG_DSP_LAYOUT_H
/*
 * The workspace of a DSP kernel, in bytes, as the cores share it. What two cores write
 * never lies in one line of the caches:
 *     where rows are cut, a line for the sums of each piece and one for the coefficients
 *     of each row;
 *     for each tile the partial sums of its parameters, in doubles, dg and then db.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"

enum { LNG_DSP_LINE = 64 };

struct lng_dsp_layout {
    int64_t rows, partials, end;
    int64_t stride; /* doubles of dg of a tile, and of db */
};

static inline struct lng_dsp_layout lng_dsp_lay_out(const struct lng_plan *plan)
{
    const int64_t line = LNG_DSP_LINE / (int64_t)sizeof(double);
    const int64_t params = plan->wound ? plan->param_num : plan->span;
    const int64_t cut_rows = plan->pieces > 1 ? plan->block_num : 0;
    struct lng_dsp_layout at = {.stride = (params + line - 1) / line * line};
    at.rows = cut_rows * plan->pieces * LNG_DSP_LINE;
    at.partials = at.rows + cut_rows * LNG_DSP_LINE;
    at.end = at.partials +
             plan->strips * plan->blocks * 2 * at.stride * (int64_t)sizeof(double);
    if (at.end == 0)
        at.end = LNG_DSP_LINE; /* no rows; a call has a workspace all the same */
    return at;
}

#endif
