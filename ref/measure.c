/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three remarks on the measure.
 *
 * It is taken from the exact value, which is never rounded to the type.
 *
 * E + ulp/2 is what an error of E before the one rounding can lead to: a real v within E
 * of exact rounds to a value within ulp(v)/2 of v, and |v| <= |exact| + E. With Omega it
 * is the same: what reaches it rounds to infinity.
 *
 * Where S is 0, so are E and exact. The next value is a whole ulp away, and only a zero
 * is right.
 */
#include "ref/measure.h"

#include <math.h>

double lng_ulp(lng_dtype dtype, double v)
{
    int digits = dtype == LNG_F16 ? 11 : 24;
    int emin = dtype == LNG_F16 ? -14 : -126;
    if (!isfinite(v)) {
        return fabs(v);
    }
    int e = v == 0 || ilogb(v) < emin ? emin : ilogb(v);
    return ldexp(1, e - digits + 1);
}

double lng_omega(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 65520 : 0x1.ffffffp127;
}

/*
 * Where k and c come from. Each rounding multiplies what it is applied to by 1 + delta,
 * |delta| <= u. A term of S that passes through m of them on its way to the result adds
 * m*u of itself to the error; the numbers below are such m.
 *
 * wide: u = 2^-53. The inputs are singles, so dy*gamma has 48 bits and is exact.
 *
 *     d                1
 *     A, B, C          L, L+2, L+1     L additions; d; in B also the product
 *     s, r, r^2        1, 2.5, 6       in r half of s, root, division
 *     b = r^2*B/H      L+11            r^2, B, two products, 1/H
 *     A/H, C/H         L+2, L+3        likewise
 *
 *                           of g     of A      of r^2*B*C    of d*r^2*B
 *     a = A/H - b*C/H                L+3       2L+16
 *     r*a, r*b                       L+6.5     2L+19.5       L+14.5
 *     d*(r*b) + r*a                  L+7.5     2L+20.5       L+16.5
 *     r*g - (...)           4.5      L+8.5     2L+21.5       L+17.5
 *
 * (r*((g - a) - d*b) comes to the same, and so does r*g as (r*dy)*gamma.)
 * A fused operation or a division by H only takes roundings away. m roundings make up
 * less than m*u/(1 - m*u), and that is less than (m + 1.5)*u for m < 2^26: so 23 + 2L.
 *
 *     dg: d 1, r 2.5, d*r 1, its product with dy 1: 5.5 + L, so 7 + L.
 *     db: L. The part of second order, less than 2^-28 of the first for L < 2^26, is left
 *         out.
 *
 * single, half: u = 2^-24, 2^-11. The roundings of g and of epsilon make r 3, r^2 7, and
 * the counts 2L + 24 and L + 6. Kernels of others, whose order of operations is their
 * own, get 26 + 2L, 9 + L and L, and m*u/(1 - m*u) for m*u. From m*u = 1/2 on that says
 * nothing.
 *
 * pair: u = 2^-46, four units of 2^-48, in which impl/acc/pair.h counts. L counts the
 * additions of pairs, not those of the 16 lanes in double. One costs 3 units of each of
 * its operands, and up to 5/8 more on a chip that flushes: less than u. A product that
 * joins a sum costs 2 units more for each of the m - 1 by which its lo exceeds a tight
 * pair's. In units, without the additions:
 *
 *     d, g             0           exact pairs
 *     B                10          product 6, joining 4
 *     e = dy*r         3           r in a pair 1, product 2
 *
 *                      of g   of A   of r^2*B*C   of d*r^2*B
 *     the sums                       10           10
 *     ra, rb in pairs         1      1            1
 *     d*rb                                        6
 *     ra - d*rb               3      3            7      |lo|: 1 and 3
 *     e, e*gamma       6
 *     (...) + e*gamma  7      5      5            9      |lo|: 3; 2 and 4
 *     to half          4      3      3            5      where it moves, by |lo|/2^24
 *                      17     12     22           38
 *
 *     38 units are 9.5 u; the operations in double, 30 of 2^-53 or less, are 0.3 u; what
 *     flushing loses is 1 u and 1/4 unit, by impl/acc/range.h. Together 11 + 2L.
 *
 *     dg: e 3, d*e 9, joining 6: 4.5 u, and 1/2 unit by flushing. So 5 + L.
 *     db: L. An addition of a single costs 2 units; nothing is flushed.
 */
struct lng_terms lng_bound_terms(enum lng_class accuracy, enum lng_output output)
{
    static const struct {
        double u, k[LNG_OUTPUTS];
    } classes[] = {
        [LNG_WIDE] = {0x1p-53, {23, 7, 0}},
        [LNG_PAIR] = {0x1p-46, {11, 5, 0}},
        [LNG_SINGLE] = {0x1p-24, {26, 9, 0}},
        [LNG_HALF] = {0x1p-11, {26, 9, 0}},
    };
    return (struct lng_terms){.k = classes[accuracy].k[output],
                              .c = output == LNG_DX ? 2 : 1,
                              .u = classes[accuracy].u};
}

double lng_bound(enum lng_class accuracy, enum lng_output output, double L)
{
    const struct lng_terms t = lng_bound_terms(accuracy, output);
    const double mu = (t.k + t.c * L) * t.u;
    if (accuracy == LNG_WIDE || accuracy == LNG_PAIR) {
        return mu;
    }
    return mu < 0.5 ? mu / (1 - mu) : (double)INFINITY;
}

/* What is not a matter of distance: right, or infinitely wrong. */
static struct lng_error settled(int right)
{
    double error = right ? 0 : (double)INFINITY;
    return (struct lng_error){right, 1, error, error};
}

static int special(enum lng_kind kind, double got)
{
    return kind == LNG_NAN ? isnan(got) : !isfinite(got);
}

/*
 * An infinity is measured as what it stands for, every real from Omega on: err is how far
 * exact falls short of that, and E alone may bridge it.
 *
 * Proof that what is decided is right. Let u = 2^-53, e the exact value, hi, lo and S
 * what lng_oracle promises, and bound as it was given.
 *
 *     E errs by less than (2^-48 + 2u)*E. So, with unsure = 2^-44*size + 2^-149*S, size =
 *     |hi| + E is within unsure of |e| + E, and |hi| - E of |e| - E.
 *
 *     ulp is monotonic: ulp(|e| + E) lies between ulp(size - unsure) and ulp(size +
 *     unsure), which are the same unless a power of two is that near. So low and high
 *     enclose the limit, but for 2^-47 of it.
 *
 *     (target - hi) - lo errs by u*|target - hi| and u of the result, so by less than
 *     2^-51*err + 2^-104*|hi|, and hi + lo by 2^-104*|e| + 2^-150*S. Together that is
 *     less than 2^-51*err + 2^-102*size + 2^-150*S.
 *
 * What is set aside for each is at least twice as much, which covers the roundings of
 * these few operations too.
 */
struct lng_error lng_measure(lng_dtype dtype, double got, const struct lng_truth *truth,
                             double bound)
{
    if (truth->kind != LNG_FINITE || isnan(got)) {
        return settled(truth->kind != LNG_FINITE &&
                       special((enum lng_kind)truth->kind, got));
    }
    int infinite = isinf(got);
    double omega = lng_omega(dtype), hi = truth->hi, S = truth->S;
    double E = S == 0 ? 0 : bound * S;
    double target = infinite ? copysign(omega, got) : got;
    double err = (target - hi) - truth->lo;
    err = infinite && (err > 0) != (got > 0) ? 0 : fabs(err);
    double ulps = err / lng_ulp(dtype, hi);
    if (isinf(E)) {
        return (struct lng_error){1, 1, 0, ulps};
    }
    double size = fabs(hi) + E, unsure = 0x1p-44 * size + 0x1p-149 * S;
    double low = E, high = E, limit = E, beyond = -INFINITY;
    if (!infinite) {
        low += lng_ulp(dtype, fmax(size - unsure, 0)) / 2;
        high += lng_ulp(dtype, size + unsure) / 2;
        limit += lng_ulp(dtype, size) / 2;
        beyond = fabs(hi) - E - omega;
    }
    double err_unsure = 0x1p-44 * (err + high) + 0x1p-100 * size + 0x1p-149 * S;
    int right = err <= limit && beyond < 0;
    int decided =
        (err + err_unsure <= low || err - err_unsure > high) && fabs(beyond) > unsure;
    if (!right && (infinite || beyond >= 0)) {
        return (struct lng_error){0, decided, INFINITY, INFINITY};
    }
    return (struct lng_error){right, decided, err == 0 ? 0 : err / limit, ulps};
}

/* The same in 512 bits, where a distance of 2^-500*S from the limit counts as none. */
struct lng_error lng_measure_exactly(const lng_problem *problem, enum lng_output output,
                                     int64_t index, double got, double bound)
{
    mpfr_t v, S, E, err, limit, beyond;
    mpfr_inits2(512, v, S, E, err, limit, beyond, (mpfr_ptr)NULL);
    enum lng_kind kind = lng_oracle_element(problem, output, index, v, S);
    struct lng_error error = settled(kind != LNG_FINITE && special(kind, got));
    if (kind == LNG_FINITE && !isnan(got)) {
        int infinite = isinf(got);
        double omega = lng_omega(problem->dtype);
        mpfr_mul_d(E, S, mpfr_zero_p(S) ? 0 : bound, MPFR_RNDN);
        mpfr_abs(beyond, v, MPFR_RNDN);
        mpfr_sub(beyond, beyond, E, MPFR_RNDN);
        mpfr_sub_d(beyond, beyond, omega, MPFR_RNDN);
        mpfr_mul_2si(limit, S, -500, MPFR_RNDN);
        mpfr_add(E, E, limit, MPFR_RNDN);
        mpfr_abs(limit, v, MPFR_RNDN);
        mpfr_add(limit, limit, E, MPFR_RNDN);
        double ulp = lng_ulp(problem->dtype, mpfr_get_d(limit, MPFR_RNDZ));
        mpfr_add_d(limit, E, infinite ? 0 : ulp / 2, MPFR_RNDN);
        mpfr_d_sub(err, infinite ? copysign(omega, got) : got, v, MPFR_RNDN);
        if (infinite && (mpfr_sgn(err) > 0) != (got > 0)) {
            mpfr_set_zero(err, 1);
        }
        mpfr_abs(err, err, MPFR_RNDN);
        error.right = mpfr_lessequal_p(err, limit) && (infinite || mpfr_sgn(beyond) < 0);
        if (error.right || (!infinite && mpfr_sgn(beyond) < 0)) {
            error.ulps = mpfr_get_d(err, MPFR_RNDN) /
                         lng_ulp(problem->dtype, mpfr_get_d(v, MPFR_RNDZ));
            mpfr_div(err, err, limit, MPFR_RNDN);
            error.ratio = mpfr_nan_p(err) ? 0 : mpfr_get_d(err, MPFR_RNDN);
        }
    }
    mpfr_clears(v, S, E, err, limit, beyond, (mpfr_ptr)NULL);
    return error;
}
