/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_READER_H
#define LNG_REPORTS_READER_H
/*
 * Values of a JSON file by their keys. The first error stays, and after it every read
 * gives an empty value: readers need not look after each key, only in loops and at the
 * end.
 */
#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct lng_reader {
    const char *file;
    char where[64]; /* prefix of the keys that are read now: "units[3].dx." */
    char *error;    /* one line; empty: none so far */
    size_t size;
};

/* The whole file as a tree whose root is an object; NULL after an error. */
cJSON *lng_read_json(struct lng_reader *r);

/* Records an error, unless there is one. */
__attribute__((format(printf, 2, 3))) void lng_read_error(struct lng_reader *r,
                                                          const char *format, ...);

/* The keys that follow are those of object i of an array, or below a key. */
void lng_read_enter(struct lng_reader *r, const char *array, size_t i, const cJSON *item);
void lng_read_below(struct lng_reader *r, const char *prefix);

const cJSON *lng_read_object(struct lng_reader *r, const cJSON *object, const char *key);
const cJSON *lng_read_array(struct lng_reader *r, const cJSON *object, const char *key);
int lng_read_truth(struct lng_reader *r, const cJSON *object, const char *key);

/* A text, made valid UTF-8 without control characters. */
const char *lng_read_text(struct lng_reader *r, const cJSON *object, const char *key);
const char *lng_read_clean(char *text);

/* A text that is one of count words: its index. */
size_t lng_read_choice(struct lng_reader *r, const cJSON *object, const char *key,
                       const char *const *words, size_t count, const char *expected);

/* Numbers: any ("inf", "-inf", "nan" too); finite and above 0; whole from 0 to 2^53. */
double lng_read_real(struct lng_reader *r, const cJSON *object, const char *key);
double lng_read_positive(struct lng_reader *r, const cJSON *object, const char *key);
double lng_read_whole(struct lng_reader *r, const cJSON *object, const char *key);
cJSON_bool lng_is_positive(const cJSON *item);
cJSON_bool lng_is_whole(const cJSON *item);

#endif
