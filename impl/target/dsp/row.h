/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One row, or a piece of one, that is in vector scratch: its sums, and then dx and its
 * terms in the window. Included by target/dsp/program.h.
 */
#include "target/dsp/core.h"
#include "target/dsp/partials.h"
#include "target/dsp/scalar_row.h"

/* A, B, C of a piece, and what its vocabulary adds. */
enum { LNG_FACTS = LNG_SUMS + LNG_EXTENT_FACTS };

struct lng_row {
    int set, k;     /* where it is in scratch */
    int64_t length; /* columns */
    int64_t q;      /* its first parameter in the tile */
};

static struct lng_tensors lng_tensors_of(const struct lng_dsp *s,
                                         const struct lng_row *at)
{
    const int64_t row = at->k * s->pitch * (int64_t)sizeof(LNG_ELEMENT);
    return (struct lng_tensors){.x = s->x[at->set] + row,
                                .dy = s->dy[at->set] + row,
                                .dx = s->dx[at->set] + row,
                                .gamma = s->gamma,
                                .dg = s->dg,
                                .db = s->db,
                                .kept = s->kept};
}

/* A row as a batch of one, mean and r set. */
static struct lng_batch lng_batch_of(const struct lng_dsp *s, const struct lng_row *at)
{
    struct lng_batch b = {.count = 1, .length = at->length};
    b.mean[0] = lng_element_at(s->mean[at->set], at->k);
    b.r[0] = lng_root(lng_adddp(lng_element_at(s->var[at->set], at->k), s->p->epsilon));
    return b;
}

/* What the coefficients of a row depend on, of a piece: A, B, C, and what the vocabulary
 * adds. */
static void lng_facts_of(const struct lng_tensors *t, const struct lng_batch *b, int keep,
                         double *facts)
{
    lng_v A, B, C;
    lng_add_up(t, b, 0, 1, keep, &A, &B, &C);
    facts[0] = lng_v_sum(A);
    facts[1] = lng_v_sum(B);
    facts[2] = lng_v_sum(C);
    lng_extent_facts(t->x, t->dy, t->gamma, b->length, b->mean[0], facts + LNG_SUMS);
}

/* Coefficients of a row: -r*a and r*b where b = r^2*(B*h) and a = A*h - b*(C*h),
 * h = 1/H. */
static void lng_coefficients(const struct lng_dsp *s, const double *sums,
                             struct lng_batch *row)
{
    const double h = s->h, r = row->r[0];
    const double b = lng_mpydp(lng_mpydp(r, r), lng_mpydp(sums[1], h));
    const double a =
        lng_subdp(lng_mpydp(sums[0], h), lng_mpydp(b, lng_mpydp(sums[2], h)));
    row->ra[0] = -lng_mpydp(r, a);
    row->rb[0] = lng_mpydp(r, b);
}

/* r and the coefficients times LNG_SCALE. */
static struct lng_batch lng_scaled(struct lng_batch b)
{
    b.r[0] = lng_mpydp(b.r[0], LNG_SCALE);
    b.ra[0] = lng_mpydp(b.ra[0], LNG_SCALE);
    b.rb[0] = lng_mpydp(b.rb[0], LNG_SCALE);
    return b;
}

/* Whether a row of these facts and coefficients fits the range of wide values, with the
 * sums of dg and db that it joins. One column, where dx is 0 whatever the rest, does
 * not. */
static int lng_fits(const struct lng_dsp *s, const double *facts,
                    const struct lng_batch *row)
{
    const struct lng_batch b = lng_scaled(*row);
    const struct lng_plan *plan = s->plan;
    return !LNG_NARROW ||
           (plan->block_size > 1 &&
            lng_extent_fits(facts + LNG_SUMS, b.mean[0], b.r[0], b.ra[0], b.rb[0],
                            (double)plan->block_size, LNG_MOST_TERMS));
}

/* The line of a row that is cut. */
enum { LNG_LINE_RA, LNG_LINE_RB, LNG_LINE_FITS };

/* Sets the coefficients of a row and tells whether it fits. */
static int lng_settle(const struct lng_dsp *s, const struct lng_row *at,
                      const struct lng_tensors *t, int keep, struct lng_batch *b)
{
    if (s->plan->pieces > 1) {
        const double *line = s->lines[at->set] + at->k * LNG_LINE_DOUBLES;
        b->ra[0] = lng_lddw(line + LNG_LINE_RA);
        b->rb[0] = lng_lddw(line + LNG_LINE_RB);
        return lng_lddw(line + LNG_LINE_FITS) != 0;
    }
    double facts[LNG_FACTS];
    lng_facts_of(t, b, keep, facts);
    lng_coefficients(s, facts, b);
    const int fits = lng_fits(s, facts, b);
    if (!fits) {
        lng_scalar_sums(s, t->x, t->dy, t->gamma, b->length, b->mean[0], facts);
        lng_coefficients(s, facts, b);
    }
    return fits;
}

static void lng_do_row(struct lng_partials *partials, const struct lng_row *at)
{
    const struct lng_dsp *s = partials->s;
    const struct lng_tensors t = lng_tensors_of(s, at);
    struct lng_batch b = lng_batch_of(s, at);
    const int keep = LNG_KEEPS_D && s->plan->pieces == 1;
    const enum lng_out out = !s->p->dx                 ? LNG_NO_DX
                             : s->plan->block_size > 1 ? LNG_STORE
                                                       : LNG_ONE_COLUMN;
    if (LNG_NARROW || out == LNG_STORE) {
        if (!lng_settle(s, at, &t, keep, &b)) {
            lng_scalar_finish(partials, &t, &b, at->q, out);
            return;
        }
        if (LNG_NARROW)
            b = lng_scaled(b);
    }
    if (out == LNG_NO_DX)
        lng_finish(&t, &b, 0, 1, 0, at->length, 0, LNG_NO_DX);
    else if (out == LNG_ONE_COLUMN)
        lng_finish(&t, &b, 0, 1, 0, at->length, 0, LNG_ONE_COLUMN);
    else if (keep)
        lng_finish(&t, &b, 0, 1, 0, at->length, 1, LNG_STORE);
    else
        lng_finish(&t, &b, 0, 1, 0, at->length, 0, LNG_STORE);
}
