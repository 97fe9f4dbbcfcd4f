/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

void lng_read_error(struct lng_reader *r, const char *format, ...)
{
    if (r->error[0])
        return;
    int used = snprintf(r->error, r->size, "%s: ", r->file);
    if (used < 0 || (size_t)used >= r->size)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(r->error + used, r->size - (size_t)used, format, list);
    va_end(list);
}

/* ---- The file ---------------------------------------------------------------------- */

static char *slurp(struct lng_reader *r, size_t *length)
{
    FILE *file = fopen(r->file, "rb");
    if (!file) {
        lng_read_error(r, "%s", strerror(errno));
        return NULL;
    }
    size_t room = 1 << 16;
    char *bytes = malloc(room);
    *length = 0;
    while (bytes && !feof(file) && !ferror(file)) {
        if (*length == room) {
            char *larger = realloc(bytes, room *= 2);
            if (!larger)
                free(bytes);
            bytes = larger;
            continue;
        }
        *length += fread(bytes + *length, 1, room - *length, file);
    }
    if (!bytes)
        lng_read_error(r, "no memory for the file");
    else if (ferror(file))
        lng_read_error(r, "%s", strerror(errno));
    fclose(file);
    return bytes;
}

cJSON *lng_read_json(struct lng_reader *r)
{
    size_t length = 0;
    char *bytes = slurp(r, &length);
    cJSON *root = NULL;
    if (!r->error[0] && !length)
        lng_read_error(r, "is empty, expected a JSON object");
    if (!r->error[0]) {
        const char *end = bytes;
        root = cJSON_ParseWithLengthOpts(bytes, length, &end, 0);
        while (root && end < bytes + length && memchr(" \t\r\n", *end, 4))
            end++;
        if (!root || end < bytes + length)
            lng_read_error(r, "the JSON is cut or wrong at byte %zu of %zu",
                           (size_t)(end - bytes) + 1, length);
        else if (!cJSON_IsObject(root))
            lng_read_error(r, "expected a JSON object");
    }
    free(bytes);
    if (r->error[0]) {
        cJSON_Delete(root);
        root = NULL;
    }
    return root;
}

/* ---- Values by key ----------------------------------------------------------------- */

void lng_read_below(struct lng_reader *r, const char *prefix)
{
    snprintf(r->where, sizeof r->where, "%s", prefix);
}

void lng_read_enter(struct lng_reader *r, const char *array, size_t i, const cJSON *item)
{
    snprintf(r->where, sizeof r->where, "%s[%zu].", array, i);
    if (!cJSON_IsObject(item))
        lng_read_error(r, "%s[%zu]: expected an object", array, i);
}

static const cJSON *member(struct lng_reader *r, const cJSON *object, const char *key,
                           cJSON_bool (*is)(const cJSON *), const char *expected)
{
    if (r->error[0])
        return NULL;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item)
        lng_read_error(r, "%s%s: missing, expected %s", r->where, key, expected);
    else if (!is(item))
        lng_read_error(r, "%s%s: expected %s", r->where, key, expected);
    return r->error[0] ? NULL : item;
}

const cJSON *lng_read_object(struct lng_reader *r, const cJSON *object, const char *key)
{
    return member(r, object, key, cJSON_IsObject, "an object");
}

const cJSON *lng_read_array(struct lng_reader *r, const cJSON *object, const char *key)
{
    return member(r, object, key, cJSON_IsArray, "an array");
}

int lng_read_truth(struct lng_reader *r, const cJSON *object, const char *key)
{
    return cJSON_IsTrue(member(r, object, key, cJSON_IsBool, "true or false"));
}

/* ---- Texts ------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s; 0 if there is none, or none that XML may contain. */
static size_t character(const unsigned char *s)
{
    if (s[0] >= 0x20 && s[0] < 0x7f)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    int wrong = (s[0] == 0xc2 && s[1] < 0xa0) ||                  /* control characters */
                (s[0] == 0xe0 && s[1] < 0xa0) ||                  /* longer than needed */
                (s[0] == 0xf0 && s[1] < 0x90) ||                  /* longer than needed */
                (s[0] == 0xed && s[1] >= 0xa0) ||                 /* halves of pairs */
                (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe) || /* not characters */
                (s[0] == 0xf4 && s[1] >= 0x90);                   /* beyond the last */
    return wrong ? 0 : n;
}

const char *lng_read_clean(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        size_t n = character(s);
        if (!n)
            *s = *s < 0x20 ? ' ' : '?';
        s += n ? n : 1;
    }
    return text;
}

const char *lng_read_text(struct lng_reader *r, const cJSON *object, const char *key)
{
    const cJSON *item = member(r, object, key, cJSON_IsString, "a text");
    return item ? lng_read_clean(item->valuestring) : "";
}

size_t lng_read_choice(struct lng_reader *r, const cJSON *object, const char *key,
                       const char *const *words, size_t count, const char *expected)
{
    const char *word = lng_read_text(r, object, key);
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    lng_read_error(r, "%s%s: is \"%.40s\", expected %s", r->where, key, word, expected);
    return 0;
}

/* ---- Numbers ----------------------------------------------------------------------- */

static int number(const cJSON *item, double *value)
{
    static const struct {
        const char *name;
        double value;
    } words[] = {
        {"inf",  INFINITY },
        {"-inf", -INFINITY},
        {"nan",  NAN      }
    };
    *value = item->valuedouble;
    for (size_t i = 0; cJSON_IsString(item) && i < sizeof words / sizeof *words; i++)
        if (strcmp(item->valuestring, words[i].name) == 0) {
            *value = words[i].value;
            return 1;
        }
    return cJSON_IsNumber(item);
}

static cJSON_bool is_real(const cJSON *item)
{
    double value;
    return number(item, &value);
}

cJSON_bool lng_is_positive(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble > 0 && isfinite(item->valuedouble);
}

cJSON_bool lng_is_whole(const cJSON *item)
{
    double v = item->valuedouble;
    return cJSON_IsNumber(item) && v >= 0 && v <= 0x1p53 && v == floor(v);
}

double lng_read_real(struct lng_reader *r, const cJSON *object, const char *key)
{
    double value = 0;
    const cJSON *item =
        member(r, object, key, is_real, "a number, \"inf\", \"-inf\" or \"nan\"");
    if (item)
        number(item, &value);
    return value;
}

double lng_read_positive(struct lng_reader *r, const cJSON *object, const char *key)
{
    const cJSON *item =
        member(r, object, key, lng_is_positive, "a finite number above 0");
    return item ? item->valuedouble : 1;
}

double lng_read_whole(struct lng_reader *r, const cJSON *object, const char *key)
{
    const cJSON *item =
        member(r, object, key, lng_is_whole, "a whole number from 0 to 2^53");
    return item ? item->valuedouble : 0;
}
