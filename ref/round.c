/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Correct rounding. The exact value is enclosed ever more narrowly until both ends round
 * to the same; that fails only where it lies on a midpoint of the type, so a midpoint
 * that stays enclosed is compared with it exactly. Zero needs no care: what surrounds it
 * rounds to zero.
 */
#include <assert.h>
#include <math.h>

#include "ref/measure.h"
#include "ref/oracle_row.h"

/* FIRST_BITS hold every sum of fewer than 2^36 singles, EXACT_BITS all that dx_is forms:
 * R has at most 1400 bits, and R^2 twice that. */
enum { FIRST_BITS = 320, MOST_BITS = 20480, EXACT_BITS = 4096, MOST_CLASSES = 256 };

/* v to nearest even, as if the type had no largest value; and what it makes of that. */
static double nearest(lng_dtype dtype, const mpfr_t v)
{
    double ulp = lng_ulp(dtype, mpfr_get_d(v, MPFR_RNDZ));
    mpfr_t steps;
    mpfr_init2(steps, mpfr_get_prec(v));
    mpfr_div_d(steps, v, ulp, MPFR_RNDN);
    mpfr_roundeven(steps, steps);
    double result = mpfr_get_d(steps, MPFR_RNDN) * ulp;
    mpfr_clear(steps);
    return result;
}

static double in_type(lng_dtype dtype, double value)
{
    return fabs(value) >= lng_omega(dtype) ? copysign(INFINITY, value) : value;
}

/* ---- dx = R/(H^2*s^(3/2)), R = H*(s*(H*g - A) - d*B) + B*C ---------------- */
/* Whether dx is m: they have the same sign and R^2 = m^2*H^4*s^3, where nothing is
 * rounded. */
static int dx_is(const lng_problem *problem, int64_t index, double m)
{
    int64_t H = problem->block_size, n = index / H;
    struct lng_oracle_row row;
    mpfr_t R, square;
    lng_row_init(&row, problem, EXACT_BITS, EXACT_BITS);
    mpfr_inits2(EXACT_BITS, R, square, (mpfr_ptr)NULL);
    lng_row_open(&row, n);
    mpfr_clear_inexflag();
    for (int64_t j = n * H; j < (n + 1) * H; j++) {
        lng_row_read(&row, j);
        lng_row_add(&row);
    }
    lng_row_read(&row, index);
    lng_sum_read(&row.A, &row.a);
    lng_sum_read(&row.B, &row.b);
    lng_sum_read(&row.C, &row.u);
    mpfr_mul_si(R, row.g, H, MPFR_RNDN);
    mpfr_sub(R, R, row.a.v, MPFR_RNDN);
    mpfr_mul(R, R, row.s, MPFR_RNDN);
    mpfr_mul(row.t, row.d, row.b.v, MPFR_RNDN);
    mpfr_sub(R, R, row.t, MPFR_RNDN);
    mpfr_mul_si(R, R, H, MPFR_RNDN);
    mpfr_mul(row.t, row.b.v, row.u.v, MPFR_RNDN);
    mpfr_add(R, R, row.t, MPFR_RNDN);
    int sign = mpfr_sgn(R) == (m > 0) - (m < 0);
    mpfr_sqr(R, R, MPFR_RNDN);
    mpfr_pow_ui(square, row.s, 3, MPFR_RNDN);
    for (int k = 0; k < 4; k++) {
        mpfr_mul_si(square, square, H, MPFR_RNDN);
    }
    mpfr_mul_d(square, square, m * m, MPFR_RNDN);
    assert(!mpfr_inexflag_p());
    int equal = mpfr_equal_p(R, square);
    mpfr_clears(R, square, (mpfr_ptr)NULL);
    lng_row_clear(&row);
    return sign && equal;
}

/* ---- dg = sum of c/sqrt(s), c = dy*d -------------------------------------- */
/* The terms of a class have roots that are rational multiples of one another, so it is
 * one rational c over the root of its first s; roots of different classes are linearly
 * independent over the rationals (Besicovitch). With -m/sqrt(1) among the terms the sum
 * is m iff every class adds up to zero. */
struct root_class {
    mpq_t s, c;
};

/* Adds the term to the classes; ratio is scratch. */
static int classes_add(struct root_class *classes, int count, mpq_t s, mpq_t c,
                       mpq_t ratio)
{
    int k = 0;
    for (; k < count; k++) {
        mpq_div(ratio, classes[k].s, s);
        if (mpz_perfect_square_p(mpq_numref(ratio)) &&
            mpz_perfect_square_p(mpq_denref(ratio))) {
            mpz_sqrt(mpq_numref(ratio), mpq_numref(ratio));
            mpz_sqrt(mpq_denref(ratio), mpq_denref(ratio));
            mpq_mul(ratio, ratio, c);
            mpq_add(classes[k].c, classes[k].c, ratio);
            return count;
        }
    }
    mpq_inits(classes[k].s, classes[k].c, (mpq_ptr)NULL);
    mpq_set(classes[k].s, s);
    mpq_set(classes[k].c, c);
    return count + 1;
}

/* Whether dg is m; also 0 where there are too many classes to tell. */
static int dg_is(const lng_problem *problem, int64_t p, double m)
{
    struct lng_oracle_row row;
    struct root_class classes[MOST_CLASSES];
    int count = 0;
    mpq_t s, c, ratio;
    mpq_inits(s, c, ratio, (mpq_ptr)NULL);
    lng_row_init(&row, problem, EXACT_BITS, EXACT_BITS);
    mpq_set_ui(s, 1, 1);
    mpq_set_d(c, -m);
    count = classes_add(classes, count, s, c, ratio);
    for (int64_t k = 0; k < problem->param_size && count < MOST_CLASSES; k++) {
        int64_t j = k * problem->param_num + p;
        lng_row_open(&row, j / problem->block_size);
        lng_row_read(&row, j);
        mpfr_mul(row.t, row.dy, row.d, MPFR_RNDN);
        if (!mpfr_zero_p(row.t) && !mpfr_zero_p(row.r)) {
            mpfr_get_q(s, row.s);
            mpfr_get_q(c, row.t);
            count = classes_add(classes, count, s, c, ratio);
        }
    }
    int zero = count < MOST_CLASSES;
    for (int k = 0; k < count; k++) {
        zero = zero && mpq_sgn(classes[k].c) == 0;
        mpq_clears(classes[k].s, classes[k].c, (mpq_ptr)NULL);
    }
    lng_row_clear(&row);
    mpq_clears(s, c, ratio, (mpq_ptr)NULL);
    return zero;
}

/* ---- Rounding ------------------------------------------------------------- */
/* Whether the exact value is m. For db v is it. */
static int is_exactly(const lng_problem *problem, enum lng_output output, int64_t index,
                      double m, const mpfr_t v)
{
    return output == LNG_DX   ? dx_is(problem, index, m)
           : output == LNG_DG ? dg_is(problem, index, m)
                              : mpfr_cmp_d(v, m) == 0;
}

enum lng_rounding lng_oracle_round(const lng_problem *problem, enum lng_output output,
                                   int64_t index, double *rounded)
{
    lng_dtype dtype = problem->dtype;
    int done = 0;
    for (mpfr_prec_t bits = FIRST_BITS; !done && bits <= MOST_BITS; bits *= 4) {
        mpfr_t v, S, end;
        mpfr_inits2(bits, v, S, end, (mpfr_ptr)NULL);
        if (lng_oracle_element(problem, output, index, v, S) != LNG_FINITE) {
            *rounded = NAN;
            done = 1;
        } else {
            mpfr_mul_2si(S, S, 2 - (long)bits, MPFR_RNDU);
            mpfr_sub(end, v, S, MPFR_RNDD);
            double low = nearest(dtype, end);
            mpfr_add(end, v, S, MPFR_RNDU);
            double high = nearest(dtype, end);
            double middle = (low + high) / 2;
            done = in_type(dtype, low) == in_type(dtype, high) ||
                   is_exactly(problem, output, index, middle, v);
            mpfr_set_d(end, middle, MPFR_RNDN);
            *rounded = in_type(dtype, nearest(dtype, end));
        }
        mpfr_clears(v, S, end, (mpfr_ptr)NULL);
    }
    return done ? LNG_ROUNDED : LNG_UNDECIDED;
}
