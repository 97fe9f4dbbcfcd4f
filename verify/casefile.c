/* SPDX-License-Identifier: Apache-2.0 */
/* Case files: one small problem, and what its outputs have to be. */
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/keyfile.h"

/* A few characters of a case may ask for any number of elements: 0*N. */
static const int64_t most_elements = INT64_C(1) << 26;

/* ---- Runs of equal values ------------------------------------------------------ */

/* The values of a key, V and V*N, one run at a time. */
struct run {
    const struct lng_keyfile *file;
    int key;
    int64_t length; /* that the key has to have */
    int64_t word, end;
    const char *value; /* of this run, for elements [first, end) */
    int64_t first;
};

/* 1, 0 after the last run, -1 and the error. The star is cut out of the text: once
 * through. */
static int next_run(struct run *run)
{
    const struct lng_line *line = &run->file->line[run->key];
    run->first = run->end;
    if (run->word == line->count) {
        return run->end == run->length
                   ? 0
                   : lng_key_fail(run->file, run->key,
                                  "%" PRId64 " values, expected %" PRId64, run->end,
                                  run->length);
    }
    char *value = line->words[run->word++];
    char *star = strchr(value, '*');
    int64_t times = 1;
    if (star) {
        const char *digits = star + 1;
        const size_t count = strspn(digits, "0123456789");
        times = strtoll(digits, NULL, 10); /* INT64_MAX for more */
        if (digits[count] != '\0' || times < 1) {
            return lng_key_fail(run->file, run->key, "'%.40s', expected V*N, N times V",
                                value);
        }
        *star = '\0';
    }
    if (times > run->length - run->first) {
        return lng_key_fail(run->file, run->key,
                            "more values than the sizes say, "
                            "expected %" PRId64,
                            run->length);
    }
    run->value = value;
    run->end = run->first + times;
    return 1;
}

/* ---- Inputs -------------------------------------------------------------------- */

/* A decimal that is no double, rounded once to the type: MPFR with the type's precision
 * and range of exponents. */
static double round_once(const char *word, lng_dtype dtype)
{
    const int precision = dtype == LNG_F16 ? 11 : 24;
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t v;
    mpfr_init2(v, precision);
    mpfr_set_emin(dtype == LNG_F16 ? -23
                                   : -148); /* of the smallest subnormal, in [1/2, 1) */
    mpfr_set_emax(dtype == LNG_F16 ? 16 : 128);
    const int inexact = mpfr_strtofr(v, word, NULL, 0, MPFR_RNDN);
    mpfr_subnormalize(v, inexact, MPFR_RNDN);
    const double rounded = mpfr_get_d(v, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(v);
    return rounded;
}

/* Values that were rounded: how many, and the first as text. */
struct roundings {
    int64_t count;
    char first[96];
};

static int read_value(const struct run *run, lng_dtype dtype, double *value,
                      struct roundings *roundings)
{
    const char *word = run->value;
    const char *special = word + (*word == '-' || *word == '+');
    if (strcmp(special, "nan") == 0 || strcmp(special, "inf") == 0) {
        *value = strtod(word, NULL);
        return 0;
    }
    if (!lng_is_number(word)) {
        return lng_key_fail(run->file, run->key,
                            "value %" PRId64 " is '%.40s', expected a number, nan or inf",
                            run->first + 1, word);
    }
    const double wide = strtod(word, NULL);
    *value = lng_rounded(dtype, wide);
    if (*value != wide || isinf(wide)) {
        *value = round_once(word, dtype);
        if (roundings->count++ == 0) {
            snprintf(roundings->first, sizeof(roundings->first),
                     "%s[%" PRId64 "] = %.40s to %a", lng_key_name[run->key], run->first,
                     word, *value);
        }
    }
    return 0;
}

static int read_inputs(const struct lng_keyfile *file, struct lng_data *data)
{
    const lng_dtype dtype = data->problem.dtype;
    struct roundings roundings = {0};
    for (int i = 0; i < LNG_INPUTS; i++) {
        const struct lng_input input = lng_input_at(&data->problem, i);
        void *tensor = (void *)*input.tensor;
        struct run run = {.file = file, .key = LNG_KEY_INPUT + i, .length = input.length};
        if (!file->line[run.key].number && input.length > 0) {
            return lng_key_fail(file, run.key, "missing, expected %" PRId64 " values",
                                input.length);
        }
        double value = 0;
        int more;
        while ((more = next_run(&run)) > 0) {
            if (read_value(&run, dtype, &value, &roundings)) {
                return -1;
            }
            for (int64_t j = run.first; j < run.end; j++) {
                lng_tensor_set(dtype, tensor, j, value);
            }
        }
        if (more < 0) {
            return -1;
        }
    }
    if (roundings.count > 0) {
        data->warning = lng_text(
            "%s: %" PRId64 " value%s rounded to %s: %s%s", file->path, roundings.count,
            roundings.count == 1 ? "" : "s", dtype == LNG_F16 ? "fp16" : "fp32",
            roundings.first, roundings.count == 1 ? "" : ", ...");
    } else {
        data->warning = lng_key_open_end(file);
    }
    return 0;
}

/* ---- What is expected ---------------------------------------------------------- */

/* One block: a pointer an element, then the words that they point to. */
static int read_expected(const struct lng_keyfile *file, int key, int64_t length,
                         struct lng_expected *expected)
{
    const struct lng_line *line = &file->line[key];
    if (!line->number) {
        return 0;
    }
    size_t text = 1;
    for (int64_t w = 0; w < line->count; w++) {
        text += strlen(line->words[w]) + 1;
    }
    expected->words = malloc((size_t)length * sizeof(char *) + text);
    if (!expected->words) {
        return lng_key_fail(file, key, "no memory");
    }
    char *to = (char *)(expected->words + length);
    struct run run = {.file = file, .key = key, .length = length};
    int more;
    while ((more = next_run(&run)) > 0) {
        const char *word = run.value;
        if (strcmp(word, "inf") != 0 && strcmp(word, "-inf") != 0 &&
            strcmp(word, "nan") != 0 && strcmp(word, "nonfinite") != 0 &&
            !lng_is_number(word)) {
            return lng_key_fail(
                file, key,
                "value %" PRId64
                " is '%.40s', expected a number, inf, -inf, nan or nonfinite",
                run.first + 1, word);
        }
        const size_t bytes = strlen(word) + 1;
        memcpy(to, word, bytes);
        for (int64_t j = run.first; j < run.end; j++) {
            expected->words[j] = to;
        }
        to += bytes;
    }
    return more;
}

static int read_exact(const struct lng_keyfile *file, struct lng_data *data)
{
    static const char names[] = "names of outputs that have an expect_ line: dx dg db";
    const struct lng_line *line = &file->line[LNG_KEY_EXACT];
    if (line->number && line->count == 0) {
        return lng_key_fail(file, LNG_KEY_EXACT, "empty, expected %s", names);
    }
    for (int64_t w = 0; w < line->count; w++) {
        int output = 0;
        while (output < LNG_OUTPUTS &&
               strcmp(line->words[w], lng_output_name[output]) != 0) {
            output++;
        }
        if (output == LNG_OUTPUTS || !data->expected[output].words) {
            return lng_key_fail(file, LNG_KEY_EXACT, "'%.40s', expected %s",
                                line->words[w], names);
        }
        data->expected[output].exact = 1;
    }
    return 0;
}

/* ---- The file ------------------------------------------------------------------ */

static int read_case(const struct lng_keyfile *file, struct lng_data **data)
{
    lng_problem problem;
    const char *name = lng_key_word(file, LNG_KEY_NAME, "one word");
    if (!name || lng_key_problem(file, &problem)) {
        return -1;
    }
    if (problem.block_num * problem.block_size > most_elements ||
        problem.param_num > most_elements) {
        return lng_key_fail(file, LNG_KEY_PARAM_NUM,
                            "too large for a case, expected at most %" PRId64
                            " elements (a bundle has no such limit)",
                            most_elements);
    }
    *data = lng_data_new(&problem);
    if (!*data || lng_data_allocate(*data) || !((*data)->name = lng_text("%s", name))) {
        return lng_complain(file->error, file->size, "%s: no memory", file->path);
    }
    if (read_inputs(file, *data)) {
        return -1;
    }
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        if (read_expected(file, LNG_KEY_EXPECT + output,
                          lng_output_length(&problem, (enum lng_output)output),
                          &(*data)->expected[output])) {
            return -1;
        }
    }
    return read_exact(file, *data);
}

struct lng_data *lng_case_read(const char *path, char *error, size_t size)
{
    struct lng_keyfile file;
    struct lng_data *data = NULL;
    if (lng_keyfile_read(&file, path, LNG_CASE_KEYS, error, size) ||
        read_case(&file, &data)) {
        lng_data_free(data);
        data = NULL;
    }
    lng_keyfile_free(&file);
    return data;
}
