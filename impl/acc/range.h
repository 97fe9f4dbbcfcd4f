/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_RANGE_H
#define LNG_RANGE_H
/*
 * Which rows are computed in pairs of singles. A pair keeps its 48 bits only where
 * neither hi nor lo leaves the range of singles. lng_pair_range_f32 and _f16 tell, for a
 * row after its sums, that nothing in it does so harmfully, whether the chip flushes
 * subnormals or not; the others are done in scalar double.
 *
 * The letters of the formula, and for one row
 *
 *     Y, D, G     max |dy|, |d|, |g|        least    min of the |dy| and |d| but zeros
 *     r ra rb     coefficients of the second sweep, all of them times LNG_PAIR_SCALE,
 *                 so that the products with them lie in the middle of the range
 *     terms       at most so many are added to one sum of dg or db in pairs
 *
 * eta = 2^-126 is what a flush takes away at most, of an operand or a result. (Without
 * flush only products lose anything, 2^-150.) What it does to an operation of pair.h is
 * counted operation by operation: lng_pair_sum errs by less than 5*eta, lng_pair_add by
 * 10*eta, lng_pair_times and _mul by 3*eta.
 *
 * Overflow. In the first sweep it leaves a NaN or an infinity in A, B or C, and so does
 * an input that is not finite; then ra is not finite. In the second sweep
 *     |ra| + |rb|*(1 + D) + r*(1 + G)     bounds dx, what is added for it, and r,
 *     terms*Y*(1 + r*(1 + D))             the sums of dg and db, and e = dy*r;
 * at most 2^125 and 2^126. Comparisons are such that NaN is out of range.
 *
 * dg. Its column may hold nothing but the smallest terms, so each has to be right by
 * itself. If mean is 0, d is x. Otherwise |mean| >= 2^-70: an x of 2^-71 and more makes d
 * exact, and with a smaller one |d| >= 2^-71, of which 6*eta are 2^-52. Where
 *     r*least*min(1, least) >= 2^-74      no e and no d*e is smaller,
 * so that eta is 2^-52 of it: e loses 2 of these and d*e 3, together less than 2^-49, and
 * an addition 10, which is 5/8 of 2^-48: with the 3 units of lng_pair_add less than u = 4
 * units (2^-46) an addition. (r >= 2^-9, as var + epsilon < 2^129: its pair is whole.)
 *
 * db. With r <= 2^125, least >= 2^-100. So dy is a multiple of 2^-123, and so is all that
 * its sum is made of: nothing is flushed.
 *
 * dx. All of its errors may be compared with S >= r*F, F = sum|g|/H >= G/H. Divided by r,
 * in units of eta, and with q = r*D, here of the r without scale:
 *     A/H             12 + Y                  addition 10, g 2, a flushed gamma Y
 *     d*b             r*q*14 + q^2*(2 + Y)    addition 10, product 4, g times D
 *     b*C/H           the same and 10*r*q*F   |C|/H <= D; addition to C 10
 *     second sweep    ((28 + D)/LNG_PAIR_SCALE + 1)/r
 *                     two additions, two products, ra and rb in pairs; and the result
 *                     itself, when it has lost the scale
 * which together is less than
 *     noise = 16*(1 + Y)*(1 + q^2) + 32*r*q*(1 + G) + 2*(1 + D)/r
 * so that eta*noise <= u*G/H leaves it less than u*S. Where Y = 0, and with it all of dx,
 * it need not. (Where gamma = 0 but dy is not, a flushed gamma cannot be told from 0: out
 * of range.)
 *
 * Halves. Everything in the first sweep is a multiple of 2^-72, and nothing is flushed.
 * So least = 2^-24, Y = 2^16, D = 2^17 and G = 2^32 need not be looked for. What the
 * second sweep loses, (28 + D)*eta/LNG_PAIR_SCALE < 2^-164, matters to no half: where S
 * < 2^-26 they are 0, and elsewhere u*S is larger.
 */
#include <string.h>

#include "acc/pair.h"

#define LNG_PAIR_SCALE 0x1p56

/* Bits of the magnitudes seen, a lane for itself: the least is kept minus 1, which makes
 * zero the largest of all. */
struct lng_spread {
    lng_i16 least, dy, d, g;
    lng_i16 one, magnitude; /* constants */
    lng_i16 of_x;           /* what of x counts as d: see lng_spread_add */
};

static inline struct lng_spread lng_spread_start(float mean)
{
    const lng_i16 zero = lng_vec_svbcast_bits(0);
    const lng_i16 magnitude = lng_vec_svbcast_bits(0x7fffffff);
    return (struct lng_spread){.least = lng_vec_svbcast_bits(0xffffffff),
                               .dy = zero,
                               .d = zero,
                               .g = zero,
                               .one = lng_vec_svbcast_bits(1),
                               .magnitude = magnitude,
                               .of_x = mean == 0 ? magnitude : zero};
}

/* Elements of the first sweep, by 12 operations; 0 in lanes beyond the row. Where mean is
 * 0, d is x, but for an x that was flushed: its bits are looked at too. */
static inline void lng_spread_add(struct lng_spread *s, lng_f16 dy, lng_f16 x, lng_f16 d,
                                  lng_f16 g)
{
    const lng_i16 of_dy = lng_vec_and(lng_vec_bits(dy), s->magnitude);
    const lng_i16 of_d = lng_vec_or(lng_vec_and(lng_vec_bits(d), s->magnitude),
                                    lng_vec_and(lng_vec_bits(x), s->of_x));
    s->least = lng_vec_minu(
        s->least, lng_vec_minu(lng_vec_subi(of_dy, s->one), lng_vec_subi(of_d, s->one)));
    s->dy = lng_vec_maxu(s->dy, of_dy);
    s->d = lng_vec_maxu(s->d, of_d);
    s->g = lng_vec_maxu(s->g, lng_vec_and(lng_vec_bits(g), s->magnitude));
}

/* The same of all lanes, and of several pieces of a row. */
struct lng_extent {
    uint32_t least, dy, d, g;
};

static inline struct lng_extent lng_extent_join(struct lng_extent a, struct lng_extent b)
{
    return (struct lng_extent){
        a.least < b.least ? a.least : b.least,
        a.dy > b.dy ? a.dy : b.dy,
        a.d > b.d ? a.d : b.d,
        a.g > b.g ? a.g : b.g,
    };
}

static inline struct lng_extent lng_extent_of(const struct lng_spread *s)
{
    struct lng_extent all = {0xffffffff, 0, 0, 0};
    for (int i = 0; i < 16; i++) {
        const struct lng_extent lane = {
            lng_vec_lane_bits(s->least, i), lng_vec_lane_bits(s->dy, i),
            lng_vec_lane_bits(s->d, i), lng_vec_lane_bits(s->g, i)};
        all = lng_extent_join(all, lane);
    }
    return all;
}

static inline double lng_absolute(double v)
{
    return v < 0 ? -v : v;
}

/* What both types ask. */
static inline int lng_pair_fits(double least, double Y, double D, double G, double r,
                                double ra, double rb, double terms)
{
    const double smallest = least < 1 ? r * least * least : r * least;
    return smallest >= 0x1p-74 && terms * Y * (1 + r * (1 + D)) <= 0x1p126 &&
           lng_absolute(ra) + lng_absolute(rb) * (1 + D) + r * (1 + G) <= 0x1p125;
}

static inline double lng_magnitude(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return lng_spdp(value);
}

static inline int lng_pair_range_f32(struct lng_extent all, double mean, double r,
                                     double ra, double rb, double H, double terms)
{
    const double least = all.least == 0xffffffff ? 0x1p128 : lng_magnitude(all.least + 1);
    const double Y = lng_magnitude(all.dy), D = lng_magnitude(all.d);
    const double G = lng_magnitude(all.g), r1 = r * (1 / LNG_PAIR_SCALE), q = r1 * D;
    const double noise = r1 * (16 * (1 + Y) * (1 + q * q) + 32 * r1 * q * (1 + G)) +
                         2 * (1 + D); /* times r1 */
    return (mean == 0 || lng_absolute(mean) >= 0x1p-70) &&
           lng_pair_fits(least, Y, D, G, r, ra, rb, terms) &&
           (Y == 0 || 0x1p-126 * noise * H <= 0x1p-46 * r1 * G);
}

static inline int lng_pair_range_f16(double r, double ra, double rb, double terms)
{
    return lng_pair_fits(0x1p-24, 0x1p16, 0x1p17, 0x1p32, r, ra, rb, terms);
}

#endif
