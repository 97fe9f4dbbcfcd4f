/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_RESULT_H
#define LNG_RESULT_H
/*
 * What every lng-result/1 file has in common (FORMAT.md), and how it gets to disk.
 *
 * These are parts of programs, not of the library: without memory they print one line
 * that begins with the tool's name and end with status 2, so that no result is silently
 * short of a member; once lng_result_begin was called that holds for all of cJSON.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "layernormgrad.h"

/* A new result: schema, tool, version, commit, date, machine, kernels. */
cJSON *lng_result_begin(const char *tool, time_t start);

/* suite, suite_hash, seed, shard i of n. */
void lng_result_suite(cJSON *result, const char *suite, uint64_t hash, uint64_t seed,
                      int i, int n);

/* FNV-1a-64: continues a hash with bytes, or with a text; begin with LNG_HASH_BEGIN. */
#define LNG_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t lng_result_hash_bytes(uint64_t hash, const void *bytes, size_t count);
uint64_t lng_result_hash(uint64_t hash, const char *text);

/* A number with 17 significant digits; an infinity or a NaN as its string. */
cJSON *lng_result_number(double v);

const char *lng_result_dtype(lng_dtype dtype); /* "fp32" or "fp16" */

/* Whether lng_result_write could begin to write there: 0, or -1 and one line of error. */
int lng_result_probe(const char *path, char *error, size_t size);

/* Writes all or nothing: to PATH.tmp, which is renamed when it is complete. What is not
 * a regular file (a terminal, a pipe) is written directly. 0, or -1 and an error line. */
int lng_result_write(const cJSON *result, const char *path, char *error, size_t size);
int lng_result_write_text(const char *text, const char *path, char *error, size_t size);

#endif
