/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PAIR_H
#define LNG_PAIR_H
/*
 * Pairs of singles: hi + lo stands for a value of about 48 bits, sixteen lanes at a time.
 * With v = 2^-24, half the last place of a single, and in units of v^2 = 2^-48:
 *
 *     operation               vector operations   error
 *     lng_pair_difference     6                   none
 *     lng_pair_product        2                   none
 *     lng_pair_times          3                   2 |p*a| (3 where p comes of _times)
 *     lng_pair_mul            4                   6 |p*q| (9 where q comes of _times)
 *     lng_pair_add            11                  3 |p| + 3 |q| (3 |p| + (2m + 1) |q|)
 *     lng_pair_add_single     10                  2 |p| + 2 |a|
 *     lng_pair_plus, _minus   8                   as lng_pair_add
 *
 * where neither overflow nor underflow interferes (acc/range.h sees to that) and to first
 * order: what is left out is less than 2^-20 of it.
 *
 * A pair is tight if hi is the single nearest to hi + lo, so that |lo| <= v*|hi|. Rounded
 * products are left as they come, which saves three operations each: |lo| <= m*v*|hi|
 * with m = 2 for lng_pair_times of a tight pair, 3 for _mul of tight pairs, 4 for _mul of
 * a tight pair and one of _times. That is the m above; a tight pair's is 1.
 *
 * An addition errs in proportion to its operands, not to its result. For sums that are
 * judged by the sum of their magnitudes that is as good: each addition adds 3 units of
 * every term below it, as one with a relative bound of 3 would.
 *
 * Sources: T. J. Dekker, "A floating-point technique for extending the available
 * precision", Numerische Mathematik 18 (1971); D. E. Knuth, TAOCP 2, 4.2.2; M. Joldes,
 * J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of
 * double-word arithmetic", ACM TOMS 44 (2017): lng_pair_add is their Algorithm 5
 * (SloppyDWPlusDW), lng_pair_add_single 4 (DWPlusFP). Their relative bounds need tight
 * operands, hence the bounds here.
 */
#include "port/mt7004.h"

struct lng_pair {
    lng_f16 hi, lo;
};

/* a + b and a - b exactly (Knuth). */
static inline struct lng_pair lng_pair_sum(lng_f16 a, lng_f16 b)
{
    const lng_f16 s = lng_vec_add(a, b), of_b = lng_vec_sub(s, a);
    const lng_f16 of_a = lng_vec_sub(s, of_b);
    return (struct lng_pair){s, lng_vec_add(lng_vec_sub(a, of_a), lng_vec_sub(b, of_b))};
}

static inline struct lng_pair lng_pair_difference(lng_f16 a, lng_f16 b)
{
    const lng_f16 s = lng_vec_sub(a, b), of_b = lng_vec_sub(s, a);
    const lng_f16 of_a = lng_vec_sub(s, of_b);
    return (struct lng_pair){s, lng_vec_sub(lng_vec_sub(a, of_a), lng_vec_add(b, of_b))};
}

/*
 * The same value, tight (Dekker). The error of the sum of hi and lo is a single and is
 * found exactly where hi is a multiple of the last place of lo, or no smaller than lo.
 *
 * Where hi is the rounded sum of two singles a and b, |a| >= |b|, one of both holds for
 * every |lo| <= 13*v*|a|: if |b| < |a|/2 or the sum was inexact, |hi| >= |a|/2 > |lo|.
 * Otherwise hi is a multiple of the last place of b, which is at least v*|a|/2, and that
 * of lo is at most 2^-23 * 13*v*|a|.
 */
static inline struct lng_pair lng_pair_tight(struct lng_pair p)
{
    const lng_f16 hi = lng_vec_add(p.hi, p.lo);
    return (struct lng_pair){hi, lng_vec_sub(p.lo, lng_vec_sub(hi, p.hi))};
}

/* a*b exactly. */
static inline struct lng_pair lng_pair_product(lng_f16 a, lng_f16 b)
{
    const lng_f16 hi = lng_vec_muli(a, b);
    return (struct lng_pair){hi, lng_vec_mulb(a, b, hi)};
}

/* p*a, p with |lo| <= m*v*|hi|: lo is rounded once, |lo| <= (m + 1)*v*|p*a|. So the error
 * is m + 1 units: 2 for a tight p, 3 for one of lng_pair_times. */
static inline struct lng_pair lng_pair_times(struct lng_pair p, lng_f16 a)
{
    const struct lng_pair h = lng_pair_product(p.hi, a);
    return (struct lng_pair){h.hi, lng_vec_mula(p.lo, a, h.lo)};
}

/* p*q, p tight, q with |lo| <= m*v*|hi|: lo is rounded at (m + 1)*v*|p*q| and at
 * (m + 2)*v*|p*q|, and m units, p.lo*q.lo, are left out: 3*m + 3 units. */
static inline struct lng_pair lng_pair_mul(struct lng_pair p, struct lng_pair q)
{
    const struct lng_pair h = lng_pair_product(p.hi, q.hi);
    return (struct lng_pair){h.hi,
                             lng_vec_mula(p.lo, q.hi, lng_vec_mula(p.hi, q.lo, h.lo))};
}

/*
 * p + q and p - q, not tight: the sum of the los is rounded, at |p.lo| + |q.lo|, and that
 * with the error of the sum of the his, which is at most v*|p + q|. So for |p.lo| <= l*v
 * and |q.lo| <= m*v, with magnitudes P and Q, 2*(l*P + m*Q) + |p + q| units, and the
 * resulting |lo| <= v*((l + 1)*P + (m + 1)*Q). l and m need not be factors of the his:
 * where a sum cancelled they are factors of the magnitudes that entered it.
 */
static inline struct lng_pair lng_pair_plus(struct lng_pair p, struct lng_pair q)
{
    const struct lng_pair h = lng_pair_sum(p.hi, q.hi);
    return (struct lng_pair){h.hi, lng_vec_add(h.lo, lng_vec_add(p.lo, q.lo))};
}

static inline struct lng_pair lng_pair_minus(struct lng_pair p, struct lng_pair q)
{
    const struct lng_pair h = lng_pair_difference(p.hi, q.hi);
    return (struct lng_pair){h.hi, lng_vec_add(h.lo, lng_vec_sub(p.lo, q.lo))};
}

/* A term q or a joins a sum p, which is and stays tight. */
static inline struct lng_pair lng_pair_add(struct lng_pair p, struct lng_pair q)
{
    return lng_pair_tight(lng_pair_plus(p, q));
}

static inline struct lng_pair lng_pair_add_single(struct lng_pair p, lng_f16 a)
{
    const struct lng_pair h = lng_pair_sum(p.hi, a);
    return lng_pair_tight((struct lng_pair){h.hi, lng_vec_add(h.lo, p.lo)});
}

/* dx = e*gamma - (d*rb - ra), where e = dy*r is of lng_pair_times. */
static inline struct lng_pair lng_pair_dx(struct lng_pair e, lng_f16 gamma,
                                          struct lng_pair d, struct lng_pair rb,
                                          struct lng_pair ra)
{
    return lng_pair_plus(lng_pair_minus(ra, lng_pair_mul(d, rb)),
                         lng_pair_times(e, gamma));
}

/* ---- To and from the scalar unit: a double in all lanes, with an error of 1 unit; and a
 * lane as a double, which rounds at 2^-53. */
static inline struct lng_pair lng_pair_all(double value)
{
    const float hi = lng_dpsp(value);
    return (struct lng_pair){lng_vec_svbcast(hi),
                             lng_vec_svbcast(lng_dpsp(lng_subdp(value, lng_spdp(hi))))};
}

static inline double lng_pair_lane(struct lng_pair p, int i)
{
    return lng_adddp(lng_spdp(lng_vec_lane(p.hi, i)), lng_spdp(lng_vec_lane(p.lo, i)));
}

/* ---- Rounding, tight or not, of value*scale, scale a power of two. */

/* To single: once, unless the result is subnormal. */
static inline lng_f16 lng_pair_to_single(struct lng_pair p, lng_f16 scale)
{
    return lng_vec_muli(lng_vec_add(p.hi, p.lo), scale);
}

/* What rounding to half needs, broadcast once. */
struct lng_halving {
    lng_f16 scale, up, down;
    lng_i16 one, exponent, least, beyond;
};

static inline struct lng_halving lng_halving_start(float scale)
{
    return (struct lng_halving){
        .scale = lng_vec_svbcast(scale),
        .up = lng_vec_svbcast(0x1p112f),
        .down = lng_vec_svbcast(0x1p-112f),
        .one = lng_vec_svbcast_bits(1),
        .exponent = lng_vec_svbcast_bits(0x7f800000),
        .least = lng_vec_svbcast_bits(0x38800000),        /* 2^-14 */
        .beyond = lng_vec_svbcast_bits(0u - 0x06c00000u), /* -log2 of 1.5*2^13 */
    };
}

/*
 * To half, once; in a register of singles.
 *
 * First to single by rounding to odd: of the two singles around an inexact value the one
 * whose last bit is 1. A half's midpoints are singles that end in 0, so the value stays
 * on its side of them. hi of the tight pair is one of the two; it is the one farther from
 * zero where the signs of hi and lo differ. (Where lo exceeds hi, after cancellation, lo
 * may come out as 0 that is not; the value is then moved by less than v*|lo|.)
 *
 * Then to a multiple of the last place of a half, which is 2^-10 of the power of two
 * below, and 2^-24 at least: adding 1.5*2^13 times that power rounds there. From 65536
 * on, where 65520 and more arrive, 2^112 takes it to infinity.
 *
 * Where scale takes the single below 2^-126 it loses bits, and the half is 0 either way.
 */
static inline lng_f16 lng_pair_to_half(struct lng_pair p, const struct lng_halving *h)
{
    const struct lng_pair t = lng_pair_tight(p);
    const lng_i16 hi = lng_vec_bits(t.hi), lo = lng_vec_bits(t.lo);
    const lng_i16 inexact = lng_vec_minu(lng_vec_shift(lo, 1), h->one);
    const lng_i16 differ =
        lng_vec_shift(lng_vec_subi(lng_vec_or(hi, lo), lng_vec_and(hi, lo)), -31);
    const lng_i16 odd =
        lng_vec_or(lng_vec_subi(hi, lng_vec_and(differ, inexact)), inexact);
    const lng_f16 single = lng_vec_muli(lng_vec_float(odd), h->scale);

    const lng_i16 power =
        lng_vec_maxu(lng_vec_and(lng_vec_bits(single), h->exponent), h->least);
    const lng_f16 there = lng_vec_float(lng_vec_subi(power, h->beyond));
    const lng_f16 rounded = lng_vec_sub(lng_vec_add(single, there), there);
    return lng_vec_muli(lng_vec_muli(rounded, h->up), h->down);
}

#endif
