/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole numbers. With U = 2^-a the smallest subnormal of the type, every x, dy, mean, var
 * and gamma is a whole number of U, every product of n of them one of U^n, every value of
 * the type and every midpoint between two a whole number of U/2. epsilon, a double, and
 * with it s, is one of w = 2^-1074.
 *
 * So an element is rounded by q, the whole part of its magnitude in U/2, and by whether
 * anything is left beyond q.
 */
#include "ref/exact.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bits ----------------------------------------------------------------- */
static int fraction_bits(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 10 : 23;
}

static unsigned long infinity_bits(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 0x7c00 : 0x7f800000;
}

/* a: 24 or 149 */
static unsigned long unit_exponent(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 24 : 149;
}

/* The magnitude that bits without a sign stand for, in the smallest subnormal of their
 * type; of infinity what it would be as a number, the first value that the type lacks. */
static void decode(mpz_t units, unsigned long bits, int fraction)
{
    unsigned long exponent = bits >> fraction;
    unsigned long significand = bits & ((1ul << fraction) - 1);
    mpz_set_ui(units, exponent == 0 ? significand : significand | 1ul << fraction);
    mpz_mul_2exp(units, units, exponent == 0 ? 0 : exponent - 1);
}

/* An element of a tensor in U; of an infinity only the sign counts. */
static enum lng_kind read_units(mpz_t units, lng_dtype dtype, const void *tensor,
                                int64_t i)
{
    uint16_t bits16;
    uint32_t bits32;
    unsigned long bits, sign;
    if (dtype == LNG_F16) {
        memcpy(&bits16, (const uint16_t *)tensor + i, sizeof bits16);
        bits = bits16 & 0x7fff;
        sign = bits16 & 0x8000;
    } else {
        memcpy(&bits32, (const uint32_t *)tensor + i, sizeof bits32);
        bits = bits32 & 0x7fffffff;
        sign = bits32 & 0x80000000;
    }
    decode(units, bits, fraction_bits(dtype));
    if (sign) {
        mpz_neg(units, units);
    }
    return bits > infinity_bits(dtype)    ? LNG_NAN
           : bits == infinity_bits(dtype) ? LNG_NONFINITE
                                          : LNG_FINITE;
}

/* The value of q halves of U, and more if not exact: the first k from zero upwards whose
 * midpoint with its successor is beyond it, or is it where k is even. */
static double round_units(lng_dtype dtype, int sign, const mpz_t q, int exact)
{
    unsigned long first = 0, last = infinity_bits(dtype);
    mpz_t midpoint, next;
    mpz_inits(midpoint, next, (mpz_ptr)NULL);
    while (first < last) {
        unsigned long k = (first + last) / 2;
        decode(midpoint, k, fraction_bits(dtype));
        decode(next, k + 1, fraction_bits(dtype));
        mpz_add(midpoint, midpoint, next);
        int order = mpz_cmp(q, midpoint);
        if (order < 0 || (order == 0 && exact && k % 2 == 0)) {
            last = k;
        } else {
            first = k + 1;
        }
    }
    decode(midpoint, first, fraction_bits(dtype));
    double value = first == infinity_bits(dtype) ? (double)INFINITY : mpz_get_d(midpoint);
    for (unsigned long a = 0; a < unit_exponent(dtype); a++) {
        value /= 2;
    }
    mpz_clears(midpoint, next, (mpz_ptr)NULL);
    return sign < 0 ? -value : value;
}

/* ---- Inputs of an element ------------------------------------------------- */
struct inputs {
    mpz_t x, dy, gamma, mean, s; /* in U, and s in w */
    enum lng_kind x_kind, dy_kind, gamma_kind, mean_kind;
    int root;     /* s > 0 */
    int infinite; /* s is +infinity */
};

static void inputs_init(struct inputs *in)
{
    mpz_inits(in->x, in->dy, in->gamma, in->mean, in->s, (mpz_ptr)NULL);
}

static void inputs_clear(struct inputs *in)
{
    mpz_clears(in->x, in->dy, in->gamma, in->mean, in->s, (mpz_ptr)NULL);
}

static void inputs_read(struct inputs *in, const lng_problem *problem, int64_t j)
{
    lng_dtype dtype = problem->dtype;
    int64_t n = j / problem->block_size;
    uint64_t epsilon;
    mpz_t units;
    mpz_init(units);
    in->x_kind = read_units(in->x, dtype, problem->x, j);
    in->dy_kind = read_units(in->dy, dtype, problem->dy, j);
    in->mean_kind = read_units(in->mean, dtype, problem->mean, n);
    in->gamma_kind = LNG_FINITE;
    mpz_setbit(in->gamma, unit_exponent(dtype));
    if (problem->gamma != NULL) {
        in->gamma_kind =
            read_units(in->gamma, dtype, problem->gamma, j % problem->param_num);
    }
    enum lng_kind var_kind = read_units(in->s, dtype, problem->var, n);
    int var_sign = mpz_sgn(in->s);
    memcpy(&epsilon, &problem->epsilon, sizeof epsilon);
    decode(units, epsilon, 52);
    mpz_mul_2exp(in->s, in->s, 1074 - unit_exponent(dtype));
    mpz_add(in->s, in->s, units);
    in->infinite = var_kind == LNG_NONFINITE && var_sign > 0;
    in->root = in->infinite || (var_kind == LNG_FINITE && mpz_sgn(in->s) > 0);
    mpz_clear(units);
}

/* ---- dx ------------------------------------------------------------------- */
/* dx = R/(H^2*s^(3/2)) with R = s*(H^2*g - H*A) - H*d*B + B*C. In whole numbers, R of
 * w*U^2,
 *
 *     (dx/(U/2))^2 = R^2 * 2^(1076 - 2a) / (H^4*s^3). */
static enum lng_kind exact_dx(const lng_problem *problem, int64_t index, double *rounded)
{
    int64_t H = problem->block_size, row = index / H * H;
    int nan = 0, finite = 1;
    struct inputs in;
    mpz_t A, B, C, g, d, R, q, t;
    inputs_init(&in);
    mpz_inits(A, B, C, g, d, R, q, t, (mpz_ptr)NULL);
    for (int64_t i = 0; i <= H; i++) { /* the element itself comes last, and once more */
        inputs_read(&in, problem, i < H ? row + i : index);
        nan |= in.x_kind == LNG_NAN || in.dy_kind == LNG_NAN || in.mean_kind == LNG_NAN;
        finite &= in.x_kind == LNG_FINITE && in.dy_kind == LNG_FINITE;
        finite &= in.mean_kind == LNG_FINITE && in.gamma_kind == LNG_FINITE;
        mpz_mul(g, in.dy, in.gamma);
        mpz_sub(d, in.x, in.mean);
        if (i < H) {
            mpz_add(A, A, g);
            mpz_add(C, C, d);
            mpz_addmul(B, g, d);
        }
    }
    mpz_mul_si(R, g, H);
    mpz_sub(R, R, A);
    mpz_mul_si(R, R, H);
    mpz_mul(R, R, in.s);
    mpz_mul_si(d, d, H);
    mpz_sub(t, C, d);
    mpz_mul(t, t, B);
    mpz_mul_2exp(t, t, 1074 - 2 * unit_exponent(problem->dtype));
    mpz_add(R, R, t);
    int sign = mpz_sgn(R);
    enum lng_kind kind = !in.root || nan ? LNG_NAN : finite ? LNG_FINITE : LNG_NONFINITE;
    if (kind == LNG_FINITE && (in.infinite || H == 1)) {
        *rounded = 0;
    } else if (kind == LNG_FINITE) {
        mpz_mul(R, R, R);
        mpz_mul_2exp(R, R, 1076 - 2 * unit_exponent(problem->dtype));
        mpz_pow_ui(t, in.s, 3);
        for (int k = 0; k < 4; k++) {
            mpz_mul_si(t, t, H);
        }
        mpz_fdiv_qr(q, R, R, t);
        int divides = mpz_sgn(R) == 0;
        mpz_sqrtrem(q, t, q);
        *rounded = round_units(problem->dtype, sign, q, divides && mpz_sgn(t) == 0);
    }
    mpz_clears(A, B, C, g, d, R, q, t, (mpz_ptr)NULL);
    inputs_clear(&in);
    return kind;
}

/* ---- dg ------------------------------------------------------------------- */
/* dg/(U/2) = 2^(538-a) * sum of c/sqrt(s), c = dy*d in U^2 and s in w. */
struct term {
    mpz_t c, s;
};

/* Whether the sum of c/sqrt(s) is i*2^(a-538). Terms of which the product of the s is a
 * square are gathered: each such group is a rational multiple of one root. It has to
 * vanish, but for the one with a rational root. */
static int sum_is(struct term *terms, int64_t count, const mpz_t i, unsigned long a)
{
    int equal = 1;
    int64_t *left = malloc((size_t)count * sizeof *left), n = count;
    mpq_t group, part, rational;
    mpz_t product, root;
    mpq_inits(group, part, rational, (mpq_ptr)NULL);
    mpz_inits(product, root, (mpz_ptr)NULL);
    for (int64_t k = 0; k < n; k++) {
        left[k] = k;
    }
    while (n > 0) {
        struct term *first = &terms[left[0]];
        int64_t others = 0;
        mpq_set_ui(group, 0, 1); /* sqrt(first s) times the sum of its group */
        for (int64_t k = 0; k < n; k++) {
            struct term *term = &terms[left[k]];
            mpz_mul(product, first->s, term->s);
            if (mpz_perfect_square_p(product)) {
                mpz_sqrt(root, product);
                mpz_mul(mpq_numref(part), term->c, root);
                mpz_set(mpq_denref(part), term->s);
                mpq_canonicalize(part);
                mpq_add(group, group, part);
            } else {
                left[others++] = left[k];
            }
        }
        n = others;
        if (mpz_perfect_square_p(first->s)) {
            mpz_sqrt(root, first->s);
            mpq_set_z(part, root);
            mpq_div(group, group, part);
            mpq_add(rational, rational, group);
        } else {
            equal = equal && mpq_sgn(group) == 0;
        }
    }
    mpq_mul_2exp(rational, rational, 538 - a);
    mpq_set_z(part, i);
    equal = equal && mpq_equal(rational, part);
    mpq_clears(group, part, rational, (mpq_ptr)NULL);
    mpz_clears(product, root, (mpz_ptr)NULL);
    free(left);
    return equal;
}

/* The sum is enclosed in 2^-bits, each term to one of these, until no whole number of U/2
 * is enclosed but one that it is. */
static double round_sum(lng_dtype dtype, struct term *terms, int64_t count)
{
    unsigned long a = unit_exponent(dtype);
    int sign = 0, exact = 0;
    mpz_t low, high, t, q;
    mpz_inits(low, high, t, q, (mpz_ptr)NULL);
    for (unsigned long bits = 64; sign == 0; bits *= 4) {
        mpz_set_ui(low, 0);
        mpz_set_ui(high, 0);
        for (int64_t k = 0; k < count; k++) {
            mpz_mul(t, terms[k].c, terms[k].c);
            mpz_mul_2exp(t, t, 2 * (538 - a + bits));
            mpz_fdiv_q(t, t, terms[k].s);
            mpz_sqrt(t, t);
            if (mpz_sgn(terms[k].c) < 0) {
                mpz_sub(high, high, t);
                mpz_add_ui(t, t, 1);
                mpz_sub(low, low, t);
            } else {
                mpz_add(low, low, t);
                mpz_add_ui(t, t, 1);
                mpz_add(high, high, t);
            }
        }
        mpz_cdiv_q_2exp(q, low, bits);
        mpz_fdiv_q_2exp(t, high, bits);
        if (mpz_cmp(q, t) > 0) { /* none enclosed: q - 1 < sum < q */
            sign = mpz_sgn(q) > 0 ? 1 : -1;
            mpz_sub_ui(q, q, sign > 0);
        } else if (mpz_cmp(q, t) == 0 && sum_is(terms, count, q, a)) {
            sign = mpz_sgn(q) < 0 ? -1 : 1;
            exact = 1;
        }
    }
    mpz_abs(q, q);
    double rounded = round_units(dtype, sign, q, exact);
    mpz_clears(low, high, t, q, (mpz_ptr)NULL);
    return rounded;
}

static enum lng_kind exact_dg(const lng_problem *problem, int64_t p, double *rounded)
{
    int nan = 0, finite = 1;
    int64_t count = 0;
    struct inputs in;
    struct term *terms = malloc((size_t)(problem->param_size + 1) * sizeof *terms);
    inputs_init(&in);
    for (int64_t k = 0; k < problem->param_size; k++) {
        inputs_read(&in, problem, k * problem->param_num + p);
        nan |= !in.root;
        finite &= in.x_kind == LNG_FINITE && in.dy_kind == LNG_FINITE;
        finite &= in.mean_kind == LNG_FINITE;
        if (!in.infinite) {
            struct term *term = &terms[count++];
            mpz_inits(term->c, term->s, (mpz_ptr)NULL);
            mpz_sub(term->c, in.x, in.mean);
            mpz_mul(term->c, term->c, in.dy);
            mpz_set(term->s, in.s);
        }
    }
    enum lng_kind kind = nan ? LNG_NAN : finite ? LNG_FINITE : LNG_NONFINITE;
    if (kind == LNG_FINITE) {
        *rounded = round_sum(problem->dtype, terms, count);
    }
    for (int64_t k = 0; k < count; k++) {
        mpz_clears(terms[k].c, terms[k].s, (mpz_ptr)NULL);
    }
    free(terms);
    inputs_clear(&in);
    return kind;
}

/* ---- db ------------------------------------------------------------------- */
static enum lng_kind exact_db(const lng_problem *problem, int64_t p, double *rounded)
{
    enum lng_kind kind = LNG_FINITE;
    mpz_t sum, dy;
    mpz_inits(sum, dy, (mpz_ptr)NULL);
    for (int64_t k = 0; k < problem->param_size; k++) {
        int64_t j = k * problem->param_num + p;
        if (read_units(dy, problem->dtype, problem->dy, j) != LNG_FINITE) {
            kind = LNG_NONFINITE;
        }
        mpz_addmul_ui(sum, dy, 2);
    }
    int sign = mpz_sgn(sum);
    mpz_abs(sum, sum);
    if (kind == LNG_FINITE) {
        *rounded = round_units(problem->dtype, sign, sum, 1);
    }
    mpz_clears(sum, dy, (mpz_ptr)NULL);
    return kind;
}

enum lng_kind lng_exact(const lng_problem *problem, enum lng_output output, int64_t index,
                        double *rounded)
{
    return output == LNG_DX   ? exact_dx(problem, index, rounded)
           : output == LNG_DG ? exact_dg(problem, index, rounded)
                              : exact_db(problem, index, rounded);
}
