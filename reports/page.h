/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_PAGE_H
#define LNG_REPORTS_PAGE_H
/*
 * The page: one HTML file that needs nothing else.
 */
#include <stdio.h>

#include "matrix.h"

struct lng_page {
    FILE *out;
    const struct lng_result *results;
    size_t count;
    const struct lng_matrix *matrix; /* of the results */
    int plots;                       /* so far */
    char *error;                     /* one line, empty so far; no memory or no gnuplot */
    size_t size;
};

/* Writes the page; page->error tells what went wrong, ferror(page->out) in writing. */
void lng_page_write(struct lng_page *page);

/* What the results say together: also their bits. */
enum lng_outcome lng_page_outcome(const struct lng_page *page);

/* The section of all results whose bits are compared. */
void lng_page_matrix(struct lng_page *page);

/* The sections of one result; page.c has their order and titles. */
void lng_page_kernels(struct lng_page *page, const struct lng_result *result);
void lng_page_failures(struct lng_page *page, const struct lng_result *result);
void lng_page_notes(struct lng_page *page, const struct lng_result *result);
void lng_page_coverage(struct lng_page *page, const struct lng_result *result);
void lng_page_mutants(struct lng_page *page, const struct lng_result *result);
void lng_page_performance(struct lng_page *page, const struct lng_result *result);
void lng_page_predictions(struct lng_page *page, const struct lng_result *result);

/* An array of count elements, or NULL and the error set. */
void *lng_page_array(struct lng_page *page, size_t count, size_t size);

#endif
