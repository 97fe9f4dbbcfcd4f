/* SPDX-License-Identifier: Apache-2.0 */
/* Planted faults of the kernels of MT7004: lanes, and pairs of singles. */
#include "acc/range.h"
#include "verify/planting.h"

unsigned lng_plant_mt7004_a_lane_too_many(unsigned mask)
{
    return mask << 1 | 1;
}

unsigned lng_plant_mt7004_a_lane_too_few(unsigned mask)
{
    return mask >> 1;
}

unsigned lng_plant_mt7004_a_half_too_few(unsigned mask)
{
    return mask >> 1;
}

int lng_plant_mt7004_range_ignored(int fits)
{
    (void)fits;
    return 1;
}

double lng_plant_mt7004_scale_left(double a, double b)
{
    return b == 1 / LNG_PAIR_SCALE ? a : lng_mpydp(a, b);
}

struct lng_pair lng_plant_mt7004_low_halves_dropped(struct lng_pair sum)
{
    sum.lo = lng_vec_svbcast(0);
    return sum;
}

struct lng_pair lng_plant_mt7004_half_through_single(struct lng_pair p)
{
    return (struct lng_pair){lng_vec_add(p.hi, p.lo), lng_vec_svbcast(0)};
}
