/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of pairs of singles, on the model of MT7004. The right value of an
 * operation is a sum of a few products of two singles, each of them a double exactly; so
 * is its difference from the result, and that is added up without an error.
 */
#include "acc/pair.h"
#include "fixture.h"

#include <float.h>
#include <math.h>

enum { LANES = 16, LEAVES = 12 };

static struct lng_core core = {.gradual = 1};
static uint64_t state = 1;

static int below(int n)
{
    return (int)((lng_random(&state) >> 20) % (uint64_t)n);
}

/* The sum, rounded once or nearly: sums of two with their errors, until nothing moves. */
static double sum_of(const double *term, int n)
{
    double t[LEAVES];
    assert_true(n <= LEAVES);
    memcpy(t, term, (size_t)n * sizeof *t);
    for (int moved = 1; moved;) {
        moved = 0;
        for (int i = 1; i < n; i++) {
            const double s = t[i - 1] + t[i], b = s - t[i - 1];
            const double rest = (t[i - 1] - (s - b)) + (t[i] - b);
            moved |= s != t[i] || rest != t[i - 1];
            t[i] = s;
            t[i - 1] = rest;
        }
    }
    return t[n - 1];
}

/* One lane's operands and result, as doubles. */
struct number {
    double hi, lo;
};

static struct lng_pair vector(const struct number *v)
{
    float hi[LANES], lo[LANES];
    for (int l = 0; l < LANES; l++) {
        hi[l] = (float)v[l].hi;
        lo[l] = (float)v[l].lo;
    }
    return (struct lng_pair){lng_vec_ld(hi), lng_vec_ld(lo)};
}

static struct number lane(struct lng_pair p, int l)
{
    return (struct number){(double)lng_vec_lane(p.hi, l), (double)lng_vec_lane(p.lo, l)};
}

/* A single about 2^e; significands at both ends and near the middle, where rounding
 * errors are largest and ties, more often than others. */
static double single(int e)
{
    static const int32_t ends[] = {0x800000, 0x800001, 0xffffff, 0xfffffe,
                                   0xb504f3, 0xb504f4, 0xc00001};
    const int32_t significand =
        below(2) ? 0x800000 | (int32_t)(lng_random(&state) >> 41) : ends[below(7)];
    return ldexp(below(2) ? significand : -significand, e - 23);
}

/* A pair about 2^e with |lo| <= m*2^-24*|hi|, often as large as that, often 0. */
static struct number pair(int e, int m)
{
    struct number p = {.hi = single(e)};
    const double most =
        m == 1 ? (double)(nextafterf((float)fabs(p.hi), INFINITY) - (float)fabs(p.hi)) / 2
               : m * 0x1p-24 * fabs(p.hi);
    static const double parts[] = {0, 1, -1, 0.5, -0x1.fffffep-1, 0x1p-20};
    p.lo = most * (below(2) ? parts[below(6)] : single(-1));
    if (fabs((double)(float)p.lo) > most)
        p.lo = (double)nextafterf((float)p.lo, 0);
    p.lo = (double)(float)p.lo;
    return p;
}

enum operation {
    DIFFERENCE,
    SUM,
    PRODUCT,
    TIMES,
    TIMES_LOOSE,
    MUL,
    MUL_LOOSE,
    ADD,
    ADD_LOOSE,
    ADD_SINGLE,
    PLUS,
    MINUS,
    OPERATIONS
};

/* Allowed: units of 2^-48 of |p| (or of the product) and of |q|; and what |lo| may be, as
 * a factor of 2^-24*|hi|, or 0 where the sum may have cancelled. l and m: |lo| of p and
 * q. The 2^-20 are of second order. */
static const struct {
    const char *name;
    double of_p, of_q, lo;
    int l, m, a_is_single, b_is_single;
} table[OPERATIONS] = {
    [DIFFERENCE] = {"difference",  0, 0, 1, 0, 0, 1, 1},
    [SUM] = {"sum",         0, 0, 1, 0, 0, 1, 1},
    [PRODUCT] = {"product",     0, 0, 1, 0, 0, 1, 1},
    [TIMES] = {"times",       2, 0, 2, 1, 0, 0, 1},
    [TIMES_LOOSE] = {"times loose", 3, 0, 3, 2, 0, 0, 1},
    [MUL] = {"mul",         6, 0, 3, 1, 1, 0, 0},
    [MUL_LOOSE] = {"mul loose",   9, 0, 4, 1, 2, 0, 0},
    [ADD] = {"add",         3, 3, 1, 1, 1, 0, 0},
    [ADD_LOOSE] = {"add loose",   3, 9, 1, 1, 4, 0, 0},
    [ADD_SINGLE] = {"add single",  2, 2, 1, 1, 0, 0, 1},
    [PLUS] = {"plus",        7, 9, 0, 3, 4, 0, 0},
    [MINUS] = {"minus",       3, 7, 0, 1, 3, 0, 0},
};

static struct lng_pair apply(enum operation o, struct lng_pair p, struct lng_pair q)
{
    switch (o) {
    case DIFFERENCE:
        return lng_pair_difference(p.hi, q.hi);
    case SUM:
        return lng_pair_sum(p.hi, q.hi);
    case PRODUCT:
        return lng_pair_product(p.hi, q.hi);
    case TIMES:
    case TIMES_LOOSE:
        return lng_pair_times(p, q.hi);
    case MUL:
    case MUL_LOOSE:
        return lng_pair_mul(p, q);
    case ADD_SINGLE:
        return lng_pair_add_single(p, q.hi);
    case PLUS:
        return lng_pair_plus(p, q);
    case MINUS:
        return lng_pair_minus(p, q);
    default:
        return lng_pair_add(p, q);
    }
}

static int multiplies(enum operation o)
{
    return o >= PRODUCT && o <= MUL_LOOSE;
}

/* Of one lane: error over what is allowed, infinite where none is. */
static double ratio_of(enum operation o, struct number p, struct number q,
                       struct number got)
{
    const double sign = o == DIFFERENCE || o == MINUS ? -1 : 1;
    const double product[] = {-got.hi,     -got.lo,     p.hi * q.hi,
                              p.hi * q.lo, p.lo * q.hi, p.lo * q.lo};
    const double sum[] = {-got.hi, -got.lo, p.hi, p.lo, sign * q.hi, sign * q.lo};
    const double err = fabs(sum_of(multiplies(o) ? product : sum, 6));
    const double P = fabs(p.hi + p.lo), Q = fabs(q.hi + q.lo);
    const double units =
        multiplies(o) ? table[o].of_p * P * Q : table[o].of_p * P + table[o].of_q * Q;
    return err == 0 ? 0 : err / (units * 0x1p-48);
}

/* q: anywhere near p's magnitude, or such that it cancels p's leading part. */
static void operands(enum operation o, struct number *p, struct number *q)
{
    const int e = below(40) - 20;
    *p = table[o].a_is_single ? (struct number){.hi = single(e)} : pair(e, table[o].l);
    const int f = multiplies(o) ? below(40) - 20 : e + below(60) - 30;
    *q = table[o].b_is_single ? (struct number){.hi = single(f)} : pair(f, table[o].m);
    if (!multiplies(o) && below(3) == 0) {
        const double hi = below(2) ? -p->hi : p->hi;
        q->lo *= hi / q->hi;
        q->hi = (double)nextafterf((float)hi, below(2) ? 0 : FLT_MAX);
        q->lo = (double)(float)(q->lo / 2);
    }
}

static void each_operation(void **unused)
{
    (void)unused;
    for (int flush = 0; flush <= 1; flush++) {
        core.flush = flush;
        for (enum operation o = 0; o < OPERATIONS; o++) {
            double worst = 0, widest = 0;
            for (int i = 0; i < 40000; i++) {
                struct number p[LANES], q[LANES];
                for (int l = 0; l < LANES; l++)
                    operands(o, &p[l], &q[l]);
                const struct lng_pair r = apply(o, vector(p), vector(q));
                for (int l = 0; l < LANES; l++) {
                    const struct number got = lane(r, l);
                    const double ratio = ratio_of(o, p[l], q[l], got);
                    lng_assert(ratio <= 1 + 0x1p-20,
                               "%s of (%a, %a) and (%a, %a) is (%a, %a): %g of its bound",
                               table[o].name, p[l].hi, p[l].lo, q[l].hi, q[l].lo, got.hi,
                               got.lo, ratio);
                    const double lo = got.lo == 0 ? 0 : fabs(got.lo / got.hi) * 0x1p24;
                    lng_assert(table[o].lo == 0 || lo <= table[o].lo * (1 + 0x1p-20),
                               "%s: (%a, %a) has too large a lo", table[o].name, got.hi,
                               got.lo);
                    lng_assert(
                        table[o].lo != 1 || (float)(got.hi + got.lo) == (float)got.hi,
                        "%s: (%a, %a) is not tight", table[o].name, got.hi, got.lo);
                    worst = ratio > worst ? ratio : worst;
                    widest = lo > widest ? lo : widest;
                }
            }
            print_message("%s: worst error %.3f of its bound\n", table[o].name, worst);
        }
    }
}

/* A double in all lanes, and back. */
static void scalars(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        const double v = single(below(60) - 30) + single(-40) + single(-70);
        const struct lng_pair p = lng_pair_all(v);
        const int l = below(LANES);
        const struct number got = lane(p, l);
        const double err[] = {v, -got.hi, -got.lo};
        assert_true((float)v == (float)got.hi);
        assert_true(fabs(sum_of(err, 3)) <= 0x1p-48 * fabs(v));
        assert_true(lng_pair_lane(p, l) == got.hi + got.lo);
    }
}

/* Stores hi + lo, split in two ways, at two scales, and in flushing or not. */
static void check_half(double hi, double lo, uint32_t right)
{
    static const double scales[] = {1, 0x1p56};
    for (int k = 0; k < 2; k++) {
        struct number n[LANES];
        uint16_t stored[LANES];
        for (int l = 0; l < LANES; l++) {
            const double sign = l & 1 ? -1 : 1;
            n[l] = (struct number){sign * hi * scales[k], sign * lo * scales[k]};
            if (l & 2) { /* not tight: an eighth of hi is in lo */
                const double part = (double)(float)(n[l].hi / 0x1p21);
                const double rest = n[l].lo + part;
                if ((double)(float)(n[l].hi - part) == n[l].hi - part &&
                    (double)(float)rest == rest)
                    n[l] = (struct number){n[l].hi - part, rest};
            }
        }
        const struct lng_halving h = lng_halving_start((float)(1 / scales[k]));
        const lng_f16 v = lng_pair_to_half(vector(n), &h);
        lng_vec_st_half(stored, v);
        for (int l = 0; l < LANES; l++) {
            const uint32_t expected = right | (l & 1 ? 0x8000u : 0);
            lng_assert(stored[l] == expected || (right == 0 && stored[l] == 0),
                       "%a + %a at scale %a is stored as 0x%x, expected 0x%x", n[l].hi,
                       n[l].lo, scales[k], stored[l], expected);
        }
    }
}

/* Every half, the midpoint to the next and the singles beside them, with and without a
 * lo on either side, the smallest among them. */
static void halves(void **unused)
{
    (void)unused;
    for (int flush = 0; flush <= 1; flush++) {
        core.flush = flush;
        for (uint32_t h = 0; h < 0x7c00; h++) {
            const double a = lng_half(h), b = h == 0x7bff ? 65536 : lng_half(h + 1);
            const double middle = (a + b) / 2, tiny = ldexp(middle, -49);
            const uint32_t even = h + (h & 1);
            const double before = (double)nextafterf((float)middle, 0);
            const double after = (double)nextafterf((float)middle, FLT_MAX);
            check_half(a, 0, h);
            check_half(middle, 0, even);
            check_half(middle, tiny, h + 1);
            check_half(middle, -tiny, h);
            check_half(middle, (after - middle) / 2, h + 1);
            check_half(middle, (before - middle) / 2, h);
            check_half(middle, ldexp(middle, -60), h + 1);
            check_half(middle, -ldexp(middle, -60), h);
            check_half(before, (middle - before) * 0x1.fffffep-2, h);
            check_half(before, tiny, h);
            check_half(after, -tiny, h + 1);
            check_half(after, (middle - after) * 0x1.fffffep-2, h + 1);
            if (h > 0) {
                check_half(a, ldexp(a, -25), h);
                check_half(a, -ldexp(a, -26), h);
            }
        }
        check_half(65536, 0, 0x7c00);
        check_half(0x1p68, -0x1p44, 0x7c00);
        check_half(0x1p-60, 0x1p-90, 0);
    }
}

/* To single: the nearest to hi + lo, also of one that is not tight; lo decides ties. */
static void singles(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        struct number n[LANES];
        double right[LANES];
        for (int l = 0; l < LANES; l++) {
            n[l] = pair(below(40) - 20, 4);
            right[l] = (double)(float)(n[l].hi + n[l].lo); /* exact in double: 52 bits */
            n[l].hi *= 0x1p56;
            n[l].lo *= 0x1p56;
        }
        const lng_f16 v = lng_pair_to_single(vector(n), lng_vec_svbcast((float)0x1p-56));
        for (int l = 0; l < LANES; l++)
            lng_assert((double)lng_vec_lane(v, l) == right[l], "%a + %a becomes %a",
                       n[l].hi, n[l].lo, (double)lng_vec_lane(v, l));
    }
}

int main(void)
{
    lng_self = &core;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation),
        cmocka_unit_test(scalars),
        cmocka_unit_test(halves),
        cmocka_unit_test(singles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
