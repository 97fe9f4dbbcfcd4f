/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of keys and values, and the keys that cases and bundles have in common. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/keyfile.h"

const char *const lng_key_name[LNG_CASE_KEYS] = {
    "dtype",     "param_num", "param_size", "block_num", "block_size", "epsilon",
    "name",      "x",         "dy",         "mean",      "var",        "gamma",
    "expect_dx", "expect_dg", "expect_db",  "exact"};

/* Case files are small; what is larger than this is none. */
enum { LARGEST_FILE = 1 << 26 };
enum { LARGEST_SIZE = 0x7fffffff };

int lng_key_fail(const struct lng_keyfile *file, int key, const char *format, ...)
{
    char what[512];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof(what), format, list);
    va_end(list);
    const int64_t line = file->line[key].number;
    return lng_complain(file->error, file->size, "%s:%" PRId64 ": %s: %s", file->path,
                        line ? line : file->lines, lng_key_name[key], what);
}

/* ---- Lines --------------------------------------------------------------------- */

static int read_text(struct lng_keyfile *file, size_t *length)
{
    FILE *stream = fopen(file->path, "rb");
    size_t room = 4096, used = 0;
    int bad = stream == NULL;
    while (!bad) {
        char *larger = realloc(file->text, room + 1);
        bad = larger == NULL;
        if (!bad) {
            file->text = larger;
            used += fread(file->text + used, 1, room - used, stream);
            bad = ferror(stream);
        }
        if (bad || used < room || room >= LARGEST_FILE) {
            break;
        }
        room *= 2;
    }
    const int reason = errno;
    if (stream) {
        fclose(stream);
    }
    if (bad) {
        return lng_complain(file->error, file->size, "%s: %s, expected a readable file",
                            file->path, strerror(reason));
    }
    if (used == room || memchr(file->text, '\0', used)) {
        return lng_complain(file->error, file->size,
                            "%s: not text, or more than %d bytes, expected lines of keys "
                            "and values",
                            file->path, LARGEST_FILE);
    }
    file->text[used] = '\0';
    *length = used;
    return 0;
}

/* Cuts one line into words, which begin at *word, and files it under its key. */
static int read_line(struct lng_keyfile *file, int keys, char *text, char ***word)
{
    static const char blanks[] = " \t\r\v\f";
    char *rest;
    const char *key = strtok_r(text, blanks, &rest);
    if (!key || strncmp(key, "x-", 2) == 0) {
        return 0;
    }
    int k = 0;
    while (k < keys && strcmp(key, lng_key_name[k]) != 0) {
        k++;
    }
    if (k == keys) {
        return lng_complain(
            file->error, file->size, "%s:%" PRId64 ": %.40s: unknown key, expected %s",
            file->path, file->lines, key,
            keys == LNG_PROBLEM_KEYS ? "dtype, a size or epsilon"
                                     : "one of the keys of a case, or x-NOTE");
    }
    struct lng_line *line = &file->line[k];
    if (line->number) {
        const int64_t first = line->number;
        line->number = file->lines;
        return lng_key_fail(file, k, "again, expected only line %" PRId64, first);
    }
    line->number = file->lines;
    line->words = *word;
    for (char *next; (next = strtok_r(NULL, blanks, &rest)) != NULL; line->count++) {
        *(*word)++ = next;
    }
    return 0;
}

int lng_keyfile_read(struct lng_keyfile *file, const char *path, int keys, char *error,
                     size_t size)
{
    *file = (struct lng_keyfile){.path = path, .error = error, .size = size};
    size_t length = 0;
    if (read_text(file, &length)) {
        return -1;
    }
    file->words =
        malloc((length / 2 + 1) * sizeof(*file->words)); /* a word and a blank */
    if (!file->words) {
        return lng_complain(error, size, "%s: no memory", path);
    }
    char **word = file->words;
    for (char *line = file->text; *line;) {
        char *end = line + strcspn(line, "\n");
        file->lines++;
        file->open_end = *end == '\0';
        *end = '\0';
        if (*line != '#' && read_line(file, keys, line, &word)) {
            return -1;
        }
        line = end + !file->open_end;
    }
    return 0;
}

void lng_keyfile_free(struct lng_keyfile *file)
{
    free(file->text);
    free(file->words);
}

char *lng_key_open_end(const struct lng_keyfile *file)
{
    return file->open_end ? lng_text("%s:%" PRId64 ": the last line does not end, is the "
                                     "file cut?",
                                     file->path, file->lines)
                          : NULL;
}

/* ---- Values -------------------------------------------------------------------- */

const char *lng_key_word(const struct lng_keyfile *file, int key, const char *expected)
{
    const struct lng_line *line = &file->line[key];
    if (line->count == 1) {
        return line->words[0];
    }
    if (!line->number) {
        lng_key_fail(file, key, "missing, expected %s", expected);
    } else {
        lng_key_fail(file, key, "%" PRId64 " values, expected %s", line->count, expected);
    }
    return NULL;
}

int lng_is_number(const char *word)
{
    const char *first = word + (*word == '-' || *word == '+');
    if (!isdigit((unsigned char)*first) && *first != '.') {
        return 0;
    }
    char *end;
    strtod(word, &end);
    return *end == '\0';
}

/* A size. 0 is the number of rows of a problem without any, and how often its parameters
 * repeat. */
static int read_size(const struct lng_keyfile *file, int key, int64_t *size)
{
    const int64_t least = key == LNG_KEY_PARAM_SIZE || key == LNG_KEY_BLOCK_NUM ? 0 : 1;
    char expected[64];
    snprintf(expected, sizeof(expected), "a whole number from %d to %d", (int)least,
             LARGEST_SIZE);
    const char *word = lng_key_word(file, key, expected);
    if (!word) {
        return -1;
    }
    const size_t digits = strspn(word, "0123456789");
    *size = strtoll(word, NULL, 10); /* INT64_MAX for more */
    if (digits == 0 || word[digits] != '\0' || *size < least || *size > LARGEST_SIZE) {
        return lng_key_fail(file, key, "'%.40s', expected %s", word, expected);
    }
    return 0;
}

int lng_key_problem(const struct lng_keyfile *file, lng_problem *problem)
{
    static const char types[] = "fp32 or fp16";
    static const char range[] = "0 or a number from 2^-126 to 2^127";
    *problem = (lng_problem){0};
    const char *dtype = lng_key_word(file, LNG_KEY_DTYPE, types);
    if (!dtype) {
        return -1;
    }
    problem->dtype = strcmp(dtype, "fp16") == 0 ? LNG_F16 : LNG_F32;
    if (problem->dtype == LNG_F32 && strcmp(dtype, "fp32") != 0) {
        return lng_key_fail(file, LNG_KEY_DTYPE, "'%.40s', expected %s", dtype, types);
    }
    if (read_size(file, LNG_KEY_PARAM_NUM, &problem->param_num) ||
        read_size(file, LNG_KEY_PARAM_SIZE, &problem->param_size) ||
        read_size(file, LNG_KEY_BLOCK_NUM, &problem->block_num) ||
        read_size(file, LNG_KEY_BLOCK_SIZE, &problem->block_size)) {
        return -1;
    }
    const int64_t elements = problem->block_num * problem->block_size;
    if (problem->param_num * problem->param_size != elements) {
        return lng_key_fail(file, LNG_KEY_BLOCK_SIZE,
                            "block_num*block_size is %" PRId64
                            ", expected param_num*param_size, which is %" PRId64,
                            elements, problem->param_num * problem->param_size);
    }
    const char *epsilon = lng_key_word(file, LNG_KEY_EPSILON, range);
    if (!epsilon) {
        return -1;
    }
    problem->epsilon = lng_is_number(epsilon) ? strtod(epsilon, NULL) : -1;
    if (!(problem->epsilon == 0 ||
          (problem->epsilon >= 0x1p-126 && problem->epsilon <= 0x1p127))) {
        return lng_key_fail(file, LNG_KEY_EPSILON, "'%.40s', expected %s", epsilon,
                            range);
    }
    return 0;
}
