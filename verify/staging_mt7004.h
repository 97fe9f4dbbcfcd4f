/* SPDX-License-Identifier: Apache-2.0 */
/* staging.h for the kernels of MT7004, with the stages that only they have. */
#include "acc/range.h"
#include "port/mt7004.h"
#include "verify/staging.h"

static inline unsigned lng_staged_lanes(unsigned mask)
{
    lng_chip_lanes *lanes = lng_staged_core()->stages->lanes;
    return lanes ? lanes(mask) : mask;
}

static inline int lng_staged_fits(int fits)
{
    lng_chip_fits *stage = lng_staged_core()->stages->fits;
    return stage ? stage(fits) : fits;
}

static inline struct lng_pair lng_staged_sum(struct lng_pair p)
{
    lng_chip_sum *sum = lng_staged_core()->stages->sum;
    return sum ? sum(p) : p;
}

static inline struct lng_pair lng_staged_halved(struct lng_pair p)
{
    lng_chip_halved *halved = lng_staged_core()->stages->halved;
    return halved ? halved(p) : p;
}

#define lng_vec_ldm(p, mask) lng_vec_ldm(p, lng_staged_lanes(mask))
#define lng_vec_ldm_half(p, mask) lng_vec_ldm_half(p, lng_staged_lanes(mask))
#define lng_pair_range_f32(...) lng_staged_fits(lng_pair_range_f32(__VA_ARGS__))
#define lng_pair_range_f16(...) lng_staged_fits(lng_pair_range_f16(__VA_ARGS__))
#define lng_pair_add(p, q) lng_staged_sum(lng_pair_add(p, q))
#define lng_pair_add_single(p, a) lng_staged_sum(lng_pair_add_single(p, a))
#define lng_pair_to_half(p, halving) lng_pair_to_half(lng_staged_halved(p), halving)
