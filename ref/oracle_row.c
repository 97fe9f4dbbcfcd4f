/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything is kept to p bits, so each operation errs by 2^-p of its result; and each
 * result is, but for signs, a part of S. So what comes out is right relative to S,
 * however much cancels. For rows of n elements, in units of 2^-p:
 *
 *     r       less than 2, and r^2 less than 5
 *     sums    n + 3 for B, n + 2 for C, n + 1 for A
 *     b       n + 10
 *     a       2n + 15 for r^2*B*C, n + 3 for A
 *     dx      less than 2n + 20
 *
 * and dg and db, as sums of n terms, less than n + 6. No input is rounded: x, dy, mean,
 * var and gamma are singles, epsilon and dy*gamma are doubles.
 */
#include "ref/oracle_row.h"

#include <math.h>

/* ---- Pairs and sums ------------------------------------------------------- */
void lng_pair_init(struct lng_pair *pair, mpfr_prec_t v_bits, mpfr_prec_t S_bits)
{
    mpfr_init2(pair->v, v_bits);
    mpfr_init2(pair->S, S_bits);
}

void lng_pair_clear(struct lng_pair *pair)
{
    mpfr_clears(pair->v, pair->S, (mpfr_ptr)NULL);
}

static void sum_reset(struct lng_sum *sum)
{
    mpfr_set_zero(sum->plus, 1);
    mpfr_set_zero(sum->minus, 1);
}

void lng_sum_init(struct lng_sum *sum, mpfr_prec_t bits)
{
    mpfr_inits2(bits, sum->plus, sum->minus, (mpfr_ptr)NULL);
    sum_reset(sum);
}

void lng_sum_clear(struct lng_sum *sum)
{
    mpfr_clears(sum->plus, sum->minus, (mpfr_ptr)NULL);
}

void lng_sum_add(struct lng_sum *sum, const mpfr_t term)
{
    if (mpfr_signbit(term)) {
        mpfr_sub(sum->minus, sum->minus, term, MPFR_RNDN);
    } else {
        mpfr_add(sum->plus, sum->plus, term, MPFR_RNDN);
    }
}

void lng_sum_read(const struct lng_sum *sum, struct lng_pair *total)
{
    mpfr_sub(total->v, sum->plus, sum->minus, MPFR_RNDN);
    mpfr_add(total->S, sum->plus, sum->minus, MPFR_RNDN);
}

/* ---- Kinds ---------------------------------------------------------------- */
static enum lng_kind kind_of(double value)
{
    return isnan(value) ? LNG_NAN : isinf(value) ? LNG_NONFINITE : LNG_FINITE;
}

static enum lng_kind finite_or_not(double value)
{
    return isfinite(value) ? LNG_FINITE : LNG_NONFINITE;
}

enum lng_kind lng_kind_worse(enum lng_kind a, enum lng_kind b)
{
    return a == LNG_NAN || b == LNG_FINITE ? a : b == LNG_NAN || a == LNG_FINITE ? b : a;
}

/* ---- Rows ----------------------------------------------------------------- */
void lng_row_init(struct lng_oracle_row *row, const lng_problem *problem,
                  mpfr_prec_t v_bits, mpfr_prec_t S_bits)
{
    row->problem = problem;
    mpfr_inits2(v_bits, row->mean, row->s, row->r, row->x, row->dy, row->g, row->d,
                row->t, (mpfr_ptr)NULL);
    lng_sum_init(&row->A, v_bits);
    lng_sum_init(&row->B, v_bits);
    lng_sum_init(&row->C, v_bits);
    lng_pair_init(&row->a, v_bits, S_bits);
    lng_pair_init(&row->b, v_bits, S_bits);
    lng_pair_init(&row->u, v_bits, S_bits);
}

void lng_row_clear(struct lng_oracle_row *row)
{
    mpfr_clears(row->mean, row->s, row->r, row->x, row->dy, row->g, row->d, row->t,
                (mpfr_ptr)NULL);
    lng_sum_clear(&row->A);
    lng_sum_clear(&row->B);
    lng_sum_clear(&row->C);
    lng_pair_clear(&row->a);
    lng_pair_clear(&row->b);
    lng_pair_clear(&row->u);
}

void lng_row_open(struct lng_oracle_row *row, int64_t n)
{
    const lng_problem *problem = row->problem;
    row->mean0 = lng_tensor_get(problem->dtype, problem->mean, n);
    double var = lng_tensor_get(problem->dtype, problem->var, n);
    mpfr_set_d(row->mean, row->mean0, MPFR_RNDN);
    mpfr_set_d(row->s, var, MPFR_RNDN);
    mpfr_add_d(row->s, row->s, problem->epsilon, MPFR_RNDN);
    mpfr_rec_sqrt(row->r, row->s, MPFR_RNDN);
    row->r_kind = mpfr_nan_p(row->s) || mpfr_sgn(row->s) <= 0 ? LNG_NAN : LNG_FINITE;
    row->mean_kind = finite_or_not(row->mean0);
    row->kind = lng_kind_worse(row->r_kind, kind_of(row->mean0));
    sum_reset(&row->A);
    sum_reset(&row->B);
    sum_reset(&row->C);
}

void lng_row_read(struct lng_oracle_row *row, int64_t j)
{
    const lng_problem *problem = row->problem;
    row->p = j % problem->param_num;
    double x = lng_tensor_get(problem->dtype, problem->x, j);
    double dy = lng_tensor_get(problem->dtype, problem->dy, j);
    double gamma = problem->gamma != NULL
                       ? lng_tensor_get(problem->dtype, problem->gamma, row->p)
                       : 1;
    row->g0 = dy * gamma;
    row->d0 = x - row->mean0;
    mpfr_set_d(row->x, x, MPFR_RNDN);
    mpfr_set_d(row->dy, dy, MPFR_RNDN);
    mpfr_set_d(row->g, row->g0, MPFR_RNDN);
    mpfr_sub(row->d, row->x, row->mean, MPFR_RNDN);
    row->db = finite_or_not(dy);
    row->dg = lng_kind_worse(lng_kind_worse(row->r_kind, row->mean_kind),
                             lng_kind_worse(finite_or_not(x), row->db));
    row->kind = lng_kind_worse(lng_kind_worse(row->kind, finite_or_not(gamma)),
                               lng_kind_worse(kind_of(x), kind_of(dy)));
}

void lng_row_add(struct lng_oracle_row *row)
{
    lng_sum_add(&row->A, row->g);
    lng_sum_add(&row->C, row->d);
    mpfr_mul(row->t, row->g, row->d, MPFR_RNDN);
    lng_sum_add(&row->B, row->t);
}

/* b = r^2*B/H and a = A/H - b*C/H, and the same of the magnitudes with +. In a row of one
 * element g = a + d*b, which rounding would spoil: there r is made 0, as dx and S have to
 * be. */
void lng_row_close(struct lng_oracle_row *row)
{
    int64_t H = row->problem->block_size;
    struct lng_pair *a = &row->a, *b = &row->b, *u = &row->u;
    lng_sum_read(&row->B, b);
    mpfr_sqr(row->t, row->r, MPFR_RNDN);
    mpfr_mul(b->v, b->v, row->t, MPFR_RNDN);
    mpfr_mul(b->S, b->S, row->t, MPFR_RNDN);
    mpfr_div_si(b->v, b->v, H, MPFR_RNDN);
    mpfr_div_si(b->S, b->S, H, MPFR_RNDN);
    lng_sum_read(&row->C, u);
    mpfr_mul(u->v, u->v, b->v, MPFR_RNDN);
    mpfr_mul(u->S, u->S, b->S, MPFR_RNDN);
    lng_sum_read(&row->A, a);
    mpfr_sub(a->v, a->v, u->v, MPFR_RNDN);
    mpfr_add(a->S, a->S, u->S, MPFR_RNDN);
    mpfr_div_si(a->v, a->v, H, MPFR_RNDN);
    mpfr_div_si(a->S, a->S, H, MPFR_RNDN);
    if (H == 1) {
        mpfr_set_zero(row->r, 1);
    }
}

/* dx = r*(g - a - d*b) */
void lng_row_dx(struct lng_oracle_row *row, mpfr_t v)
{
    mpfr_mul(row->t, row->d, row->b.v, MPFR_RNDN);
    mpfr_sub(row->t, row->g, row->t, MPFR_RNDN);
    mpfr_sub(row->t, row->t, row->a.v, MPFR_RNDN);
    mpfr_mul(v, row->t, row->r, MPFR_RNDN);
}

/* S = r*(|g| + a + |d|*b) of the magnitudes */
void lng_row_magnitude(struct lng_oracle_row *row, mpfr_t S)
{
    mpfr_abs(row->t, row->d, MPFR_RNDN);
    mpfr_mul(row->t, row->t, row->b.S, MPFR_RNDN);
    mpfr_add(row->t, row->t, row->a.S, MPFR_RNDN);
    mpfr_abs(row->u.v, row->g, MPFR_RNDN);
    mpfr_add(row->t, row->t, row->u.v, MPFR_RNDN);
    mpfr_mul(S, row->t, row->r, MPFR_RNDN);
}
