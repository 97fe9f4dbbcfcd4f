/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_ORACLE_ROW_H
#define LNG_ORACLE_ROW_H
/*
 * One row of a problem in MPFR: what the oracle and its rounding share.
 *
 *     open(n)   r, and sums that are 0         read(j)   x, dy, d and g of an element
 *     add()     the element to the sums        close()   a and b
 *     dx(), magnitude()   of the element read last
 */
#include "ref/oracle.h"

/* A value, and the sum of the magnitudes that enter it. */
struct lng_pair {
    mpfr_t v, S;
};

/* The sum of the positive terms, and that of the negative ones without their sign: the
 * difference is the value and the sum the magnitude. */
struct lng_sum {
    mpfr_t plus, minus;
};

void lng_pair_init(struct lng_pair *pair, mpfr_prec_t v_bits, mpfr_prec_t S_bits);
void lng_pair_clear(struct lng_pair *pair);

void lng_sum_init(struct lng_sum *sum, mpfr_prec_t bits);
void lng_sum_clear(struct lng_sum *sum);
void lng_sum_add(struct lng_sum *sum, const mpfr_t term);
void lng_sum_read(const struct lng_sum *sum, struct lng_pair *total);

/* Of two kinds the one that prevails: NaN over not finite, and that over finite. */
enum lng_kind lng_kind_worse(enum lng_kind a, enum lng_kind b);

/* Kinds are settled apart from the numbers, and what MPFR makes of infinities and NaN is
 * never looked at. Only var = +infinity is left to the arithmetic: r is 0, and so are dx,
 * the part in dg, and S. */
struct lng_oracle_row {
    const lng_problem *problem;
    /* The row. */
    enum lng_kind kind;      /* of all its dx, as far as it has been read */
    enum lng_kind r_kind;    /* of its part in dg: NaN unless s > 0 */
    enum lng_kind mean_kind; /* likewise */
    double mean0;
    mpfr_t mean, s, r;      /* s = var + epsilon */
    struct lng_sum A, B, C; /* of g, g*d and d */
    struct lng_pair a, b;   /* after close */
    /* The element read last. */
    int64_t p;     /* its parameter */
    double g0, d0; /* g and d to the nearest double */
    mpfr_t x, dy, g, d;
    enum lng_kind dg, db; /* of its part in them */
    /* Scratch. */
    mpfr_t t;
    struct lng_pair u;
};

void lng_row_init(struct lng_oracle_row *row, const lng_problem *problem,
                  mpfr_prec_t v_bits, mpfr_prec_t S_bits);
void lng_row_clear(struct lng_oracle_row *row);
void lng_row_open(struct lng_oracle_row *row, int64_t n);
void lng_row_read(struct lng_oracle_row *row, int64_t j);
void lng_row_add(struct lng_oracle_row *row);
void lng_row_close(struct lng_oracle_row *row);
void lng_row_dx(struct lng_oracle_row *row, mpfr_t v);
void lng_row_magnitude(struct lng_oracle_row *row, mpfr_t S);

#endif
