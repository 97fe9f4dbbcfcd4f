/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_KEYFILE_H
#define LNG_VERIFY_KEYFILE_H
/*
 * A file of lines "key value ...": a case file, or the problem.txt of a bundle. A line
 * that begins with # is a comment, a key that begins with x- a note; blank lines mean
 * nothing. Any other key that is not in the table, and a key that comes twice, is an
 * error.
 */
#include "verify/inputs.h"

/* The keys of a problem.txt, and after them those that a case file has too. */
enum lng_key {
    LNG_KEY_DTYPE,
    LNG_KEY_PARAM_NUM, /* the four sizes, in the order of every interface */
    LNG_KEY_PARAM_SIZE,
    LNG_KEY_BLOCK_NUM,
    LNG_KEY_BLOCK_SIZE,
    LNG_KEY_EPSILON,
    LNG_PROBLEM_KEYS,
    LNG_KEY_NAME = LNG_PROBLEM_KEYS,
    LNG_KEY_INPUT,                               /* five, in the order of lng_input_at */
    LNG_KEY_EXPECT = LNG_KEY_INPUT + LNG_INPUTS, /* three, in the order of the outputs */
    LNG_KEY_EXACT = LNG_KEY_EXPECT + LNG_OUTPUTS,
    LNG_CASE_KEYS
};
extern const char *const lng_key_name[LNG_CASE_KEYS];

/* The line of a key: its number (0: the key is missing) and the words after the key. */
struct lng_line {
    int64_t number, count;
    char **words;
};

struct lng_keyfile {
    const char *path;
    char *error; /* where lng_key_fail writes */
    size_t size;
    char *text, **words;
    int64_t lines;
    int open_end; /* the last line does not end */
    struct lng_line line[LNG_CASE_KEYS];
};

/* Reads a file that may have the first `keys` keys. 0, or -1 and the error;
 * lng_keyfile_free in both cases. */
int lng_keyfile_read(struct lng_keyfile *file, const char *path, int keys, char *error,
                     size_t size);
void lng_keyfile_free(struct lng_keyfile *file);

/* "FILE:LINE: key: ...", with the last line where the key is missing; -1. The message
 * says what is wrong and what was expected. */
int lng_key_fail(const struct lng_keyfile *file, int key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The only word of a key; NULL, and the error, where there is none or more. */
const char *lng_key_word(const struct lng_keyfile *file, int key, const char *expected);

/* The warning of a file whose last line does not end, to be freed; else NULL. */
char *lng_key_open_end(const struct lng_keyfile *file);

/* dtype, sizes and epsilon, checked. -1 and the error. */
int lng_key_problem(const struct lng_keyfile *file, lng_problem *problem);

/* Whether a word is a decimal or hexadecimal float, whole; not nan and inf. */
int lng_is_number(const char *word);

#endif
