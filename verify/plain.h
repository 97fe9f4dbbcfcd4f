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

struct lng_plain_row {
    const struct lng_job *job;
    int64_t n;         /* the row */
    int64_t c0, c1;    /* the columns that are summed or done now */
    int64_t local;     /* its place in the tile */
    double mean, v, r; /* v = var + epsilon */
    double A, B, C, a, b;
};

/* Each does its own part; NULL means the right one. */
struct lng_plain_stages {
    struct lng_plan (*plan)(const struct lng_problem *p, struct lng_plan plan);
    lng_status (*drive)(const struct lng_job *job, const struct lng_host_body *body);
    void (*tile)(const struct lng_job *job, const struct lng_tile *t, double *dg,
                 double *db, const double *rows);
    void (*row)(struct lng_plain_row *row, const struct lng_tile *t, double *dg,
                double *db);
    int64_t (*parameter)(const struct lng_problem *p, int64_t n, int64_t i);
    void (*statistics)(struct lng_plain_row *row); /* mean, v, r */
    double (*g)(const struct lng_problem *p, double dy, double gamma);
    double (*d)(const struct lng_plain_row *row, double x);
    void (*sums)(struct lng_plain_row *row);         /* A, B, C of columns [c0, c1) */
    void (*coefficients)(struct lng_plain_row *row); /* a, b */
    int64_t (*pieces)(const struct lng_plan *plan);  /* of a cut row that are added up */
    double (*dx)(const struct lng_plain_row *row, double dy, double g, double d);
    double (*term)(const struct lng_plain_row *row, double x, double dy,
                   double d);               /* of dg */
    double (*add)(double sum, double term); /* to a partial sum */
    void (*combine)(const struct lng_job *job, int64_t p0, int64_t p1, int64_t blocks,
                    const double *partial, int64_t stride);
    void (*store)(lng_dtype dtype, void *tensor, int64_t i, double value);
};

/* A mutant: the kernel is what the job leads to, so it comes first. */
struct lng_mutant {
    struct lng_kernel kernel;
    struct lng_plain_stages stages;
    const char *plants;
};

/* The run function of every mutant. */
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

#endif
