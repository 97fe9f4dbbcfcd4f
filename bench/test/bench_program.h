/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_BENCH_PROGRAM_H
#define LNG_BENCH_PROGRAM_H
/*
 * lng-bench run as a program by a test. LNG_BENCH is its path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <cjson/cJSON.h>

extern char folder[]; /* for what a test writes: made by open_folder */
extern char output[1 << 20];

int open_folder(void); /* 0 where it was made */
void close_folder(void);

/* The exit status; output holds what it wrote to the stream that `redirect` leaves over.
 * environment is put before the command. */
int run_with(const char *environment, const char *options, const char *redirect);
int run(const char *options, const char *redirect);

/* Runs the program; NULL where it ends with another status than 0. The table stays in
 * output. */
cJSON *json_of(const char *options);

/* Of output. */
int lines(void);
int rows(const char *start); /* that begin so */

/* A member that has to be there. */
const cJSON *get(const cJSON *object, const char *key);
double number(const cJSON *object, const char *key);

/* Of `expected` times, by counting. */
double median_by_counting(const cJSON *times, int expected);

#endif
