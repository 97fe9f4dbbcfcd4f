/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_MATRIX_H
#define LNG_REPORTS_MATRIX_H
/*
 * The matrix of hashes: on one target the outputs of a problem have the same bits for
 * every kernel, way of calling and machine. So all files are held against each other, and
 * what differs is a failure although each file may have passed.
 */
#include "model.h"

/* The outputs of one problem by one kernel and entry point of one file. */
struct lng_cell {
    size_t number; /* in the order of the files */
    const struct lng_result *result;
    const struct lng_check *check;
};

/* A problem on a target. */
struct lng_line {
    const struct lng_cell *cells;
    size_t count;
    size_t values;     /* distinct ones */
    const char *usual; /* the value that most cells have, the first of such */
};

/* A kernel of a file. */
struct lng_column {
    const struct lng_result *result;
    const struct lng_row *row;
};

struct lng_matrix {
    struct lng_cell *cells;
    /* By target and type; of each those with several values first, then in the order of
     * the files. */
    struct lng_line *lines;
    size_t count, unequal;
    struct lng_column *columns; /* that have cells, as the files list them */
    size_t columns_count;
    size_t files, ways; /* that took part; a way through two entry points is two */
};

/* Kernels without a target (peers, foreign libraries) promise nothing and are left out.
 * 0, or -1: no memory. Free it in both cases. */
int lng_matrix_make(struct lng_matrix *matrix, const struct lng_result *results,
                    size_t count);
void lng_matrix_free(struct lng_matrix *matrix);

/* The kernel of a cell. */
const struct lng_row *lng_cell_row(const struct lng_cell *cell);

#endif
