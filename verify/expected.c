/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/expected.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* 30 digits are right to 2^-96 of the value, hence of S. */
enum { PRECISION = 512, AGREE_BITS = 90 };

static int word_agrees(const lng_problem *p, enum lng_output o, int64_t i,
                       const char *word)
{
    double rounded = 0;
    mpfr_t v, S, expected;
    mpfr_inits2(PRECISION, v, S, expected, (mpfr_ptr)NULL);
    const enum lng_kind kind = lng_oracle_element(p, o, i, v, S);
    int agrees = 0;
    if (strcmp(word, "nan") == 0) {
        agrees = kind != LNG_FINITE;
    } else if (strcmp(word, "nonfinite") == 0) {
        agrees = kind != LNG_FINITE;
    } else if (strcmp(word, "inf") == 0 || strcmp(word, "-inf") == 0) {
        /* As a rounding, or as the infinity that an infinite input makes. */
        agrees =
            kind == LNG_NONFINITE ||
            (kind == LNG_FINITE && lng_oracle_round(p, o, i, &rounded) == LNG_ROUNDED &&
             rounded == (word[0] == '-' ? -(double)INFINITY : (double)INFINITY));
    } else if (kind == LNG_FINITE) {
        mpfr_set_str(expected, word, 0, MPFR_RNDN);
        mpfr_sub(expected, expected, v, MPFR_RNDN);
        mpfr_mul_2si(S, S, -AGREE_BITS, MPFR_RNDN);
        agrees = mpfr_cmpabs(expected, S) <= 0;
    }
    mpfr_clears(v, S, expected, (mpfr_ptr)NULL);
    return agrees;
}

int lng_check_expected(const struct lng_data *data,
                       struct lng_truth *const truth[LNG_OUTPUTS], char *error,
                       size_t size)
{
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        char **words = data->expected[o].words;
        const int64_t n = words ? lng_output_length(&data->problem, o) : 0;
        for (int64_t i = 0; i < n; i++)
            if (!word_agrees(&data->problem, o, i, words[i]))
                return snprintf(error, size,
                                "expect_%s[%" PRId64
                                "] is %s, the oracle finds %.17g (kind %d)",
                                lng_output_name[o], i, words[i], truth[o][i].hi,
                                truth[o][i].kind),
                       -1;
    }
    return 0;
}

static int is_kind(double got, const char *word)
{
    if (strcmp(word, "nan") == 0)
        return isnan(got);
    if (strcmp(word, "nonfinite") == 0)
        return !isfinite(got);
    if (strcmp(word, "inf") == 0)
        return got == (double)INFINITY;
    return strcmp(word, "-inf") != 0 || got == -(double)INFINITY;
}

int lng_judge_expected(const struct lng_data *data, enum lng_output o, const void *got,
                       const struct lng_truth *truth, const struct lng_kernel *kernel,
                       char *note, size_t size)
{
    const lng_problem *p = &data->problem;
    char **words = data->expected[o].words;
    const int exact = data->expected[o].exact && kernel->accuracy == LNG_WIDE;
    const int64_t n = words || exact ? lng_output_length(p, o) : 0;
    for (int64_t i = 0; i < n; i++) {
        const double value = lng_tensor_get(p->dtype, got, i);
        double rounded;
        if (words && !is_kind(value, words[i])) {
            snprintf(note, size, "%s[%" PRId64 "]  got %a  the case expects %s",
                     lng_output_name[o], i, value, words[i]);
            return 0;
        }
        if (!exact || truth[i].kind != LNG_FINITE)
            continue;
        if (lng_oracle_round(p, o, i, &rounded) != LNG_ROUNDED) {
            snprintf(note, size, "%s[%" PRId64 "]  the oracle could not round it exactly",
                     lng_output_name[o], i);
            return 0;
        }
        if (!(value == rounded)) {
            snprintf(note, size, "%s[%" PRId64 "]  got %a  rounded exactly %a",
                     lng_output_name[o], i, value, rounded);
            return 0;
        }
    }
    return 1;
}
