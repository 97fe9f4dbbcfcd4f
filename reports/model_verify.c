/* SPDX-License-Identifier: Apache-2.0 */
/* What only the files of lng-verify have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

const char *const lng_score_name[LNG_SCORES] = {"dx", "dg", "db"};

static void read_scores(struct lng_reader *r, struct lng_check *unit, const cJSON *item,
                        size_t i)
{
    for (size_t k = 0; k < LNG_SCORES; k++) {
        const char *name = lng_score_name[k];
        if (r->error[0] || !cJSON_GetObjectItemCaseSensitive(item, name))
            continue;
        lng_read_enter(r, "units", i, item);
        const cJSON *score = lng_read_object(r, item, name);
        char prefix[sizeof r->where];
        snprintf(prefix, sizeof prefix, "units[%zu].%s.", i, name);
        lng_read_below(r, prefix);
        unit->scores[k] =
            (struct lng_score){.judged = 1,
                               .bound = lng_read_real(r, score, "bound"),
                               .ratio = lng_read_real(r, score, "ratio"),
                               .ulps = lng_read_real(r, score, "ulps"),
                               .at = (int64_t)lng_read_whole(r, score, "at")};
    }
}

/* The hash of the outputs, the ways that gave it, and whose it should have been. */
static void read_bits(struct lng_reader *r, const struct lng_result *result,
                      struct lng_check *unit, const cJSON *item)
{
    if (cJSON_GetObjectItemCaseSensitive(item, "bits")) {
        unit->bits = lng_read_text(r, item, "bits");
        if (strlen(unit->bits) != 16 ||
            unit->bits[strspn(unit->bits, "0123456789abcdef")])
            lng_read_error(r, "%sbits: expected 16 hex digits", r->where);
        const cJSON *ways = lng_read_array(r, item, "ways"), *way;
        cJSON_ArrayForEach(way, ways)
        {
            if (lng_is_whole(way) && way->valuedouble < (double)result->ways_count)
                unit->ways |= UINT64_C(1) << (int)way->valuedouble;
            else
                lng_read_error(r, "%sways: expected whole numbers below %zu", r->where,
                               result->ways_count);
        }
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "against")) {
        const cJSON *against = lng_read_object(r, item, "against");
        unit->against_kernel = lng_read_text(r, against, "kernel");
        unit->against_entry = lng_read_text(r, against, "entry");
    }
}

static void read_ways(struct lng_reader *r, struct lng_result *result, const cJSON *root)
{
    const cJSON *ways = lng_read_array(r, root, "ways"), *item;
    result->ways = lng_model_room(r, ways, sizeof *result->ways);
    cJSON_ArrayForEach(item, ways)
    {
        if (!cJSON_IsString(item) || result->ways_count == 64)
            lng_read_error(r, "ways: expected up to 64 texts");
        if (r->error[0])
            return;
        result->ways[result->ways_count++] = lng_read_clean(item->valuestring);
    }
}

static void read_profiles(struct lng_reader *r, struct lng_result *result,
                          const cJSON *root)
{
    const cJSON *classes = lng_read_object(r, root, "classes"), *item;
    result->profiles = lng_model_room(r, classes, sizeof *result->profiles);
    cJSON_ArrayForEach(item, classes)
    {
        struct lng_profile profile = {.name = lng_read_clean(item->string)};
        for (size_t k = 0; k < LNG_SCORES; k++) {
            char prefix[sizeof r->where];
            lng_read_below(r, "classes.");
            const cJSON *terms = lng_read_object(r, item, lng_score_name[k]);
            snprintf(prefix, sizeof prefix, "classes.%.20s.%s.", profile.name,
                     lng_score_name[k]);
            lng_read_below(r, prefix);
            profile.terms[k].k = lng_read_real(r, terms, "k");
            profile.terms[k].c = lng_read_real(r, terms, "c");
            profile.terms[k].u = lng_read_positive(r, terms, "u");
        }
        if (r->error[0])
            return;
        result->profiles[result->profiles_count++] = profile;
    }
    lng_read_below(r, "");
}

static const char *const verdict_words[] = {"passed", "failed", "skipped"};

static void read_units(struct lng_reader *r, struct lng_result *result, const cJSON *root)
{
    const cJSON *units = lng_read_array(r, root, "units"), *item;
    result->units = lng_model_room(r, units, sizeof *result->units);
    cJSON_ArrayForEach(item, units)
    {
        size_t i = result->units_count;
        lng_read_enter(r, "units", i, item);
        struct lng_check unit = {.row = lng_model_row(r, result, item),
                                 .entry = lng_read_text(r, item, "entry"),
                                 .problem = lng_read_text(r, item, "problem"),
                                 .family = lng_read_text(r, item, "family"),
                                 .factoring = lng_read_text(r, item, "factoring"),
                                 .note = lng_read_text(r, item, "note"),
                                 .sizes = lng_model_sizes(r, item),
                                 .elements_judged =
                                     lng_read_whole(r, item, "elements_judged")};
        unit.verdict = (enum lng_check_verdict)lng_read_choice(
            r, item, "verdict", verdict_words, LNG_CHECK_VERDICTS,
            "passed, failed or skipped");
        const double judge_seconds = lng_read_real(r, item, "judge_seconds");
        read_bits(r, result, &unit, item);
        read_scores(r, &unit, item, i);
        if (r->error[0])
            return;
        result->judge_seconds += judge_seconds;
        result->totals[unit.verdict]++;
        result->elements_judged += unit.elements_judged;
        result->units[result->units_count++] = unit;
    }
    lng_read_below(r, "");
}

/* The file's own totals have to be those of its units and mutants. A mutant that lives is
 * a failure, and counts as one. */
static void read_totals(struct lng_reader *r, struct lng_result *result,
                        const cJSON *root)
{
    result->totals[LNG_CHECK_FAILED] +=
        (double)(result->mutants_count - result->mutants_killed);
    const cJSON *totals = lng_read_object(r, root, "totals");
    lng_read_below(r, "totals.");
    for (size_t v = 0; v < LNG_CHECK_VERDICTS; v++) {
        const double told = lng_read_whole(r, totals, verdict_words[v]);
        if (told != result->totals[v])
            lng_read_error(r, "totals.%s: is %.0f, but units and mutants make %.0f",
                           verdict_words[v], told, result->totals[v]);
    }
    const double told = lng_read_whole(r, totals, "elements_judged");
    if (told != result->elements_judged)
        lng_read_error(r, "totals.elements_judged: is %.0f, but the units make %.0f",
                       told, result->elements_judged);
    result->problems = lng_read_whole(r, totals, "problems");
    lng_read_below(r, "");
}

static size_t read_counts(struct lng_reader *r, struct lng_count **counts,
                          const cJSON *coverage, const char *key)
{
    lng_read_below(r, "coverage.");
    const cJSON *object = lng_read_object(r, coverage, key), *item;
    size_t count = 0;
    *counts = lng_model_room(r, object, sizeof **counts);
    cJSON_ArrayForEach(item, object)
    {
        const char *name = lng_read_clean(item->string);
        if (!lng_is_whole(item))
            lng_read_error(r, "coverage.%s.%s: expected a whole number", key, name);
        if (r->error[0])
            break;
        (*counts)[count++] = (struct lng_count){name, item->valuedouble};
    }
    lng_read_below(r, "");
    return count;
}

static void read_mutants(struct lng_reader *r, struct lng_result *result,
                         const cJSON *root)
{
    const cJSON *mutants = lng_read_array(r, root, "mutants"), *item;
    result->mutants = lng_model_room(r, mutants, sizeof *result->mutants);
    cJSON_ArrayForEach(item, mutants)
    {
        lng_read_enter(r, "mutants", result->mutants_count, item);
        struct lng_fault mutant = {.id = lng_read_text(r, item, "id"),
                                   .plants = lng_read_text(r, item, "plants"),
                                   .killed = lng_read_truth(r, item, "killed")};
        if (mutant.killed) {
            mutant.by = lng_read_text(r, item, "by");
            mutant.margin = lng_read_real(r, item, "margin");
        }
        if (r->error[0])
            return;
        result->mutants_killed += mutant.killed != 0;
        result->mutants[result->mutants_count++] = mutant;
    }
    lng_read_below(r, "");
}

void lng_model_verify(struct lng_reader *r, struct lng_result *result, const cJSON *root)
{
    result->tolerance = lng_read_text(r, root, "tolerance");
    read_profiles(r, result, root);
    read_ways(r, result, root);
    read_units(r, result, root);
    const cJSON *coverage = lng_read_object(r, root, "coverage");
    result->families_count = read_counts(r, &result->families, coverage, "families");
    result->factorings_count =
        read_counts(r, &result->factorings, coverage, "factorings");
    read_mutants(r, result, root);
    read_totals(r, result, root);
}
