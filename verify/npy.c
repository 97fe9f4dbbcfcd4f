/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of .npy files. Nothing in the file is believed before it was checked: sizes
 * come from the caller, and the length of the file has to fit them before memory is asked
 * for. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "verify/inputs.h"
#include "verify/npy.h"

/* Far more than the header of a float array needs. */
enum { LONGEST_HEADER = 1 << 16 };

/* What the header says: a literal of Python, {'descr': '<f4', 'fortran_order': False,
 * 'shape': (4, 33), } and blanks up to a line end. */
struct header {
    char descr[16];
    int fortran;
    int64_t count; /* the product of the shape */
    int extents;   /* dimensions longer than 1 */
};

/* ---- The literal --------------------------------------------------------------- */

/* Skips blanks and then the word, if it is next. */
static int token(const char **at, const char *word)
{
    *at += strspn(*at, " \t\r\n");
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0) {
        return 0;
    }
    *at += length;
    return 1;
}

/* A string between quotes, without escapes, that fits. */
static int string(const char **at, char *text, size_t size)
{
    const char *quote = token(at, "'") ? "'" : token(at, "\"") ? "\"" : NULL;
    const size_t length = quote ? strcspn(*at, quote) : size;
    if (length >= size || (*at)[length] == '\0') {
        return 0;
    }
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length + 1;
    return 1;
}

static int shape(const char **at, struct header *header)
{
    header->count = 1;
    if (!token(at, "(")) {
        return 0;
    }
    while (!token(at, ")")) {
        const size_t digits = strspn(*at, "0123456789");
        const int64_t extent = digits >= 1 && digits <= 18 ? strtoll(*at, NULL, 10) : -1;
        if (extent < 0 || (extent > 0 && header->count > INT64_MAX / extent)) {
            return 0;
        }
        header->count *= extent;
        header->extents += extent > 1;
        *at += digits;
        if (!token(at, ",")) {
            return token(at, ")");
        }
    }
    return 1;
}

static int entry(const char **at, struct header *header, int *seen)
{
    char key[16];
    if (!string(at, key, sizeof(key)) || !token(at, ":")) {
        return 0;
    }
    int which, good;
    if (strcmp(key, "descr") == 0) {
        which = 1;
        good = string(at, header->descr, sizeof(header->descr));
    } else if (strcmp(key, "fortran_order") == 0) {
        which = 2;
        header->fortran = token(at, "True");
        good = header->fortran || token(at, "False");
    } else if (strcmp(key, "shape") == 0) {
        which = 4;
        good = shape(at, header);
    } else {
        return 0;
    }
    good = good && !(*seen & which);
    *seen |= which;
    return good;
}

static int literal(const char *text, struct header *header)
{
    int seen = 0;
    *header = (struct header){0};
    if (!token(&text, "{")) {
        return 0;
    }
    while (!token(&text, "}")) {
        if (!entry(&text, header, &seen)) {
            return 0;
        }
        if (!token(&text, ",")) {
            if (!token(&text, "}")) {
                return 0;
            }
            break;
        }
    }
    token(&text, "");
    return seen == 7 && *text == '\0';
}

/* ---- The file ------------------------------------------------------------------ */

/* Magic, version, the length of the literal (2 or 4 bytes, low first), the literal. */
static int read_header(FILE *file, const char *path, struct header *header, char *error,
                       size_t size)
{
    static const char magic[] = "\x93NUMPY";
    unsigned char start[12];
    if (fread(start, 1, 10, file) != 10 || memcmp(start, magic, 6) != 0) {
        return lng_complain(error, size,
                            "%s: no .npy file, expected \\x93NUMPY at its start", path);
    }
    if (start[6] < 1 || start[6] > 3 || start[7] != 0) {
        return lng_complain(error, size, "%s: version %d.%d, expected 1.0, 2.0 or 3.0",
                            path, start[6], start[7]);
    }
    size_t length = start[8] + 256u * start[9];
    if (start[6] > 1) {
        if (fread(start + 10, 1, 2, file) != 2) {
            return lng_complain(error, size, "%s: cut in the header", path);
        }
        length += ((size_t)start[10] << 16) + ((size_t)start[11] << 24);
    }
    char *text = length <= LONGEST_HEADER ? malloc(length + 1) : NULL;
    if (!text) {
        return lng_complain(error, size, "%s: a header of %zu bytes, expected at most %d",
                            path, length, LONGEST_HEADER);
    }
    const int whole = fread(text, 1, length, file) == length;
    text[length] = '\0';
    const int good = whole && strlen(text) == length && literal(text, header);
    free(text);
    if (!whole) {
        return lng_complain(error, size, "%s: cut in the header", path);
    }
    return good ? 0
                : lng_complain(error, size,
                               "%s: its header is no literal, expected {'descr': '<f4', "
                               "'fortran_order': False, 'shape': (4, 33), }",
                               path);
}

/* From the file's byte order to this machine's. */
static void order_bytes(unsigned char *bytes, int width, int64_t count, int big)
{
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    if (big == !low) {
        return;
    }
    for (int64_t i = 0; i < count; i++, bytes += width) {
        for (int a = 0, b = width - 1; a < b; a++, b--) {
            const unsigned char byte = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = byte;
        }
    }
}

static void *read_array(FILE *file, const char *path, int width, int64_t count,
                        char *error, size_t size)
{
    struct header header;
    if (read_header(file, path, &header, error, size)) {
        return NULL;
    }
    char little[16], big[16];
    snprintf(little, sizeof(little), "<f%d", width);
    snprintf(big, sizeof(big), ">f%d", width);
    if (strcmp(header.descr, little) != 0 && strcmp(header.descr, big) != 0) {
        lng_complain(error, size, "%s: descr '%s', expected '%s' or '%s'", path,
                     header.descr, little, big);
        return NULL;
    }
    if (header.count != count) {
        lng_complain(error, size,
                     "%s: a shape of %" PRId64 " elements, expected %" PRId64, path,
                     header.count, count);
        return NULL;
    }
    if (header.fortran && header.extents > 1) {
        lng_complain(error, size, "%s: fortran_order True, expected C order", path);
        return NULL;
    }
    struct stat about;
    const long start = ftell(file);
    const int64_t bytes = count <= INT64_MAX / 16 ? count * width : INT64_MAX;
    if (start < 0 || fstat(fileno(file), &about) || about.st_size - start != bytes) {
        lng_complain(error, size, "%s: %s, expected %" PRId64 " bytes after the header",
                     path, about.st_size - start < bytes ? "cut" : "too long", bytes);
        return NULL;
    }
    unsigned char *elements = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (!elements || fread(elements, 1, (size_t)bytes, file) != (size_t)bytes) {
        lng_complain(error, size, "%s: %s", path,
                     elements ? "not readable" : "no memory");
        free(elements);
        return NULL;
    }
    order_bytes(elements, width, count, header.descr[0] == '>');
    return elements;
}

void *lng_npy_read(const char *path, int width, int64_t count, char *error, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        lng_complain(error, size, "%s: %s, expected a .npy file", path, strerror(errno));
        return NULL;
    }
    void *elements = read_array(file, path, width, count, error, size);
    fclose(file);
    return elements;
}
