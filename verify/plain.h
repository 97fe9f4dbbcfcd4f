/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_PLAIN_H
#define LNG_VERIFY_PLAIN_H
/*
 * A plain kernel made of stages, any of which can be exchanged: what the mutants are made
 * from. It runs through the library's own call, plan, driver and workers; without an
 * exchanged stage it is right.
 */
#include "target/host/host.h"
#include "verify/problem.h"
#include "verify/staged.h"

struct lng_plain_row {
    const struct lng_job *job;
    int64_t n;         /* the row */
    int64_t c0, c1;    /* the columns that are summed or done now */
    int64_t local;     /* its place in the tile */
    double mean, v, r; /* v = var + epsilon */
    double A, B, C, a, b;
};

/* The stages; each does its own part. */
typedef struct lng_plan lng_stage_plan(const struct lng_problem *p, struct lng_plan plan);
typedef lng_status lng_stage_drive(const struct lng_job *job,
                                   const struct lng_host_body *body);
typedef void lng_stage_tile(const struct lng_job *job, const struct lng_tile *t,
                            double *dg, double *db, const double *rows);
typedef void lng_stage_row(struct lng_plain_row *row, const struct lng_tile *t,
                           double *dg, double *db);
typedef int64_t lng_stage_parameter(const struct lng_problem *p, int64_t n, int64_t i);
typedef void lng_stage_statistics(struct lng_plain_row *row); /* mean, v, r */
typedef double lng_stage_g(const struct lng_problem *p, double dy, double gamma);
typedef double lng_stage_d(const struct lng_plain_row *row, double x);
typedef void lng_stage_sums(struct lng_plain_row *row); /* A, B, C of columns [c0, c1) */
typedef void lng_stage_coefficients(struct lng_plain_row *row); /* a, b */
typedef int64_t lng_stage_pieces(const struct lng_plan *plan);  /* of a row, to add up */
typedef double lng_stage_dx(const struct lng_plain_row *row, double dy, double g,
                            double d);
typedef double lng_stage_term(const struct lng_plain_row *row, double x, double dy,
                              double d);               /* of dg */
typedef double lng_stage_add(double sum, double term); /* to a partial sum */
typedef void lng_stage_combine(const struct lng_job *job, int64_t p0, int64_t p1,
                               int64_t blocks, const double *partial, int64_t stride);
typedef void lng_stage_store(lng_dtype dtype, void *tensor, int64_t i, double value);

/* NULL means the right one. */
struct lng_plain_stages {
    lng_stage_plan *plan;
    lng_stage_drive *drive;
    lng_stage_tile *tile;
    lng_stage_row *row;
    lng_stage_parameter *parameter;
    lng_stage_statistics *statistics;
    lng_stage_g *g;
    lng_stage_d *d;
    lng_stage_sums *sums;
    lng_stage_coefficients *coefficients;
    lng_stage_pieces *pieces;
    lng_stage_dx *dx;
    lng_stage_term *term;
    lng_stage_add *add;
    lng_stage_combine *combine;
    lng_stage_store *store;
};

/* A mutant: the kernel is what the job leads to, so it comes first. */
struct lng_mutant {
    struct lng_kernel kernel;
    struct lng_plain_stages stages; /* of the plain kernel, or */
    struct lng_dsp_stages chip;     /* of the table's kernel */
    const char *of;                 /* with this id; NULL: plain */
    const char *plants;
};

/* The run function of every mutant of the plain kernel. */
lng_status lng_plain_run(const struct lng_job *job);

/* The right stages, to build wrong ones from, and the job's own with the right ones
 * filled in. */
extern const struct lng_plain_stages lng_plain;
struct lng_plain_stages lng_plain_stages_of(const struct lng_job *job);

/* Makes a piece of the plan the row's columns; rows: the sums of rows that are cut. */
void lng_plain_take(struct lng_plain_row *row, int64_t piece, const double *rows);

/* Element i of row n of x and dy, and gamma of parameter p. */
double lng_plain_x(const struct lng_problem *p, int64_t n, int64_t i);
double lng_plain_dy(const struct lng_problem *p, int64_t n, int64_t i);
double lng_plain_gamma(const struct lng_problem *p, int64_t parameter);

/* Adds every step-th column of [from, to) to the sums A, B and C. */
void lng_plain_sum(struct lng_plain_row *row, int64_t from, int64_t to, int64_t step);

/* The right totals, but for the order of the blocks: first + i*step modulo their number,
 * never negative. */
void lng_plain_combine_from(const struct lng_job *job, int64_t p0, int64_t p1,
                            int64_t blocks, const double *partial, int64_t stride,
                            int64_t first, int64_t step);

/* Adds a value to what an output holds already; out is NULL where it is not asked for. */
void lng_plain_add_to(const struct lng_problem *p, void *out, int64_t i, double value);

#endif
