/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_INPUTS_H
#define LNG_VERIFY_INPUTS_H
/*
 * What the generator and the two readers share. An error is one line in a buffer of the
 * caller: (error, size) at the end of a parameter list.
 */
#include "verify/problem.h"

/* Inputs of a problem, in the order x dy mean var gamma. */
enum { LNG_INPUTS = 5 };
struct lng_input {
    const char *name;
    int64_t length;
    const void **tensor; /* its place in the problem */
};
struct lng_input lng_input_at(lng_problem *problem, int i);

/* A problem of dtype, sizes and epsilon of shape, without tensors; and zeros for all five
 * inputs, -1 without memory. */
struct lng_data *lng_data_new(const lng_problem *shape);
int lng_data_allocate(struct lng_data *data);

/* The two readers behind lng_data_read. */
struct lng_data *lng_case_read(const char *path, char *error, size_t size);
struct lng_data *lng_bundle_read(const char *path, char *error, size_t size);

/* The nearest value of the type, ties to even. */
double lng_rounded(lng_dtype dtype, double value);

/* Text as printf makes it, to be freed; NULL without memory. */
char *lng_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the line of an error, with no control characters whatever its arguments held;
 * -1. */
int lng_complain(char *error, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
