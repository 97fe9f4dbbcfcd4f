/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_RUN_REPORT_H
#define LNG_REPORTS_RUN_REPORT_H
/*
 * A folder of its own for each test, and lng-report run in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int scratch_begin(void **state); /* makes the folder and enters it */
int scratch_end(void **state);   /* leaves and removes it */

char *read_text(const char *file); /* NULL: there is none */
void write_text(const char *file, const char *text);
char *fixture(const char *name); /* of this folder */
int there_is(const char *file);

/* The text with the first (every) occurrence of from replaced; frees the text. There is
 * one. */
char *replaced(char *text, const char *from, const char *to);
char *replaced_everywhere(char *text, const char *from, const char *to);

/* The fixture of lng-verify with a unit that failed. */
char *failing(void);

/* What stands between the tags, entities as they are. */
char *without_tags(const char *page);

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct outcome {
    int status;
    char *out, *err;
    double seconds; /* of processors, children included */
};

/* Runs lng-report with the arguments, NULL after the last. */
struct outcome run_report(const char *const *arguments);
void outcome_free(struct outcome *outcome);

/* Runs it on files that make a page, and returns that: on any, on one with this text
 * (freed), on the two fixtures. */
char *page_of(const char *const *files);
char *page_of_text(char *json);
char *page_of_both(void);

/* It has to end with status 2, print nothing but one line that begins with "lng-report: "
 * and contains what is expected, and leave no page. */
void expect_refused(const char *const *arguments, const char *expected);

/* Fails unless the page has the text, and prints which one it misses. */
void expect_text(const char *page, const char *text);
void expect_no_text(const char *page, const char *text);

#endif
