/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of all rows, or one. oracle_row.c has the formula and what it errs by. */
#include <math.h>
#include <stdlib.h>

#include "ref/oracle_row.h"

/* Fewer than 2^36 terms leave 150 bits of the first. MPFR is quickest where every operand
 * has the same number of bits, 63 or 191 above all. */
enum { VALUE_BITS = 191, MAGNITUDE_BITS = 63 };

/* ---- Columns of dg and db ------------------------------------------------- */
struct column {
    struct lng_sum sum;
    enum lng_kind kind;
};

static void column_init(struct column *column, mpfr_prec_t bits)
{
    lng_sum_init(&column->sum, bits);
    column->kind = LNG_FINITE;
}

/* The part of the element that the row has read last. */
static void column_add(struct column *column, enum lng_output output,
                       struct lng_oracle_row *row)
{
    if (output == LNG_DB) {
        column->kind = lng_kind_worse(column->kind, row->db);
        lng_sum_add(&column->sum, row->dy);
    } else {
        column->kind = lng_kind_worse(column->kind, row->dg);
        mpfr_mul(row->t, row->dy, row->d, MPFR_RNDN);
        mpfr_mul(row->t, row->t, row->r, MPFR_RNDN);
        lng_sum_add(&column->sum, row->t);
    }
}

/* ---- All elements --------------------------------------------------------- */
/* hi is v to the nearest double, lo is v - hi to 53 bits. scratch is as precise as v. */
static struct lng_truth truth_of(enum lng_kind kind, const mpfr_t v, double S,
                                 mpfr_t scratch)
{
    double hi = mpfr_get_d(v, MPFR_RNDN);
    mpfr_set_d(scratch, hi, MPFR_RNDN);
    mpfr_sub(scratch, v, scratch, MPFR_RNDN);
    return (struct lng_truth){hi, mpfr_get_d(scratch, MPFR_RNDN), S, (int)kind};
}

static struct column *columns_new(int64_t count)
{
    struct column *columns = malloc((size_t)count * sizeof *columns);
    for (int64_t p = 0; columns != NULL && p < count; p++) {
        column_init(&columns[p], VALUE_BITS);
    }
    return columns;
}

/* Reads the columns, if there are any, and frees them. */
static void columns_close(struct column *columns, int64_t count,
                          struct lng_oracle_row *row, struct lng_truth *truth)
{
    for (int64_t p = 0; columns != NULL && p < count; p++) {
        lng_sum_read(&columns[p].sum, &row->u);
        truth[p] =
            truth_of(columns[p].kind, row->u.v, mpfr_get_d(row->u.S, MPFR_RNDN), row->t);
        lng_sum_clear(&columns[p].sum);
    }
    free(columns);
}

/* The row's dx. S, a sum of positive terms, is well served by doubles here. */
static void row_of_dx(struct lng_oracle_row *row, int64_t n, struct lng_truth *dx)
{
    int64_t H = row->problem->block_size;
    lng_row_close(row);
    double r = mpfr_get_d(row->r, MPFR_RNDN);
    double a = mpfr_get_d(row->a.S, MPFR_RNDN), b = mpfr_get_d(row->b.S, MPFR_RNDN);
    for (int64_t i = 0; i < H; i++) {
        lng_row_read(row, n * H + i);
        lng_row_dx(row, row->u.v);
        double S = r * (fabs(row->g0) + a + fabs(row->d0) * b);
        dx[i] = truth_of(row->kind, row->u.v, S, row->t);
    }
}

int lng_oracle(const lng_problem *problem, struct lng_truth *dx, struct lng_truth *dg,
               struct lng_truth *db)
{
    int64_t H = problem->block_size;
    struct column *dg_columns = dg != NULL ? columns_new(problem->param_num) : NULL;
    struct column *db_columns = db != NULL ? columns_new(problem->param_num) : NULL;
    int memory = (dg == NULL || dg_columns != NULL) && (db == NULL || db_columns != NULL);
    struct lng_oracle_row row;
    lng_row_init(&row, problem, VALUE_BITS, MAGNITUDE_BITS);
    for (int64_t n = 0; memory && n < problem->block_num; n++) {
        lng_row_open(&row, n);
        for (int64_t j = n * H; j < (n + 1) * H; j++) {
            lng_row_read(&row, j);
            if (dx != NULL) {
                lng_row_add(&row);
            }
            if (dg != NULL) {
                column_add(&dg_columns[row.p], LNG_DG, &row);
            }
            if (db != NULL) {
                column_add(&db_columns[row.p], LNG_DB, &row);
            }
        }
        if (dx != NULL) {
            row_of_dx(&row, n, dx + n * H);
        }
    }
    columns_close(dg_columns, problem->param_num, &row, dg);
    columns_close(db_columns, problem->param_num, &row, db);
    lng_row_clear(&row);
    return memory ? 0 : -1;
}

/* ---- One element ---------------------------------------------------------- */
static enum lng_kind element_of_row(struct lng_oracle_row *row, int64_t index, mpfr_t v,
                                    mpfr_t S)
{
    int64_t H = row->problem->block_size;
    int64_t n = index / H;
    lng_row_open(row, n);
    for (int64_t j = n * H; j < (n + 1) * H; j++) {
        lng_row_read(row, j);
        lng_row_add(row);
    }
    lng_row_close(row);
    lng_row_read(row, index);
    lng_row_dx(row, v);
    lng_row_magnitude(row, S);
    return row->kind;
}

static enum lng_kind element_of_column(struct lng_oracle_row *row, enum lng_output output,
                                       int64_t p, mpfr_prec_t bits, mpfr_t v, mpfr_t S)
{
    const lng_problem *problem = row->problem;
    struct column column;
    column_init(&column, bits);
    for (int64_t k = 0; k < problem->param_size; k++) {
        int64_t j = k * problem->param_num + p;
        lng_row_open(row, j / problem->block_size);
        lng_row_read(row, j);
        column_add(&column, output, row);
    }
    lng_sum_read(&column.sum, &row->u);
    mpfr_set(v, row->u.v, MPFR_RNDN);
    mpfr_set(S, row->u.S, MPFR_RNDN);
    lng_sum_clear(&column.sum);
    return column.kind;
}

enum lng_kind lng_oracle_element(const lng_problem *problem, enum lng_output output,
                                 int64_t index, mpfr_t v, mpfr_t S)
{
    mpfr_prec_t v_bits = mpfr_get_prec(v), S_bits = mpfr_get_prec(S);
    mpfr_prec_t bits = (v_bits > S_bits ? v_bits : S_bits) + 64;
    struct lng_oracle_row row;
    lng_row_init(&row, problem, bits, bits);
    enum lng_kind kind = output == LNG_DX
                             ? element_of_row(&row, index, v, S)
                             : element_of_column(&row, output, index, bits, v, S);
    lng_row_clear(&row);
    return kind;
}
