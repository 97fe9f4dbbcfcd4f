/* SPDX-License-Identifier: Apache-2.0 */
/* The grains of the chips and the workspace, C99 as everything that a chip compiles. */
#include "target/dsp/layout.h"
#include "target/ft78ne/target_ft78ne.h"
#include "target/mt7004/target_mt7004.h"

/* Rows that stay in 512 KiB with gamma and the partial sums; tiles that are enough for
 * eight cores where the problem is small. */
const struct lng_grain lng_ft78ne_grain = {.lanes = 4,
                                           .whole = 4096,
                                           .tile_elements = 2048,
                                           .tile_repeats = 8,
                                           .most_blocks = 32};

/* The same of 768 KiB; four cores with sixteen lanes. */
const struct lng_grain lng_mt7004_grain = {.lanes = 16,
                                           .whole = 8192,
                                           .tile_elements = 4096,
                                           .tile_repeats = 8,
                                           .most_blocks = 32};

size_t lng_dsp_workspace(const struct lng_plan *plan)
{
    return (size_t)lng_dsp_lay_out(plan).end;
}

/* Rows as the plan says. A parameter's terms are added in the window or, where rows are
 * wound, one window after the other: all that meet it in a tile; then the window joins,
 * and the blocks. */
struct lng_depth lng_dsp_depth(const struct lng_plan *plan)
{
    const int64_t most =
        plan->block_repeats < plan->repeats ? plan->block_repeats : plan->repeats;
    const int64_t P = plan->param_num, run = (most * plan->step + P - 1) / P;
    struct lng_depth depth = lng_plan_depth(plan);
    depth.dg = depth.db = (double)(run + 1 + plan->blocks);
    return depth;
}
