/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ref/measure.h"
#include "verify/mutants.h"
#include "verify/output.h"
#include "verify/result.h"

static const char *family_of(const struct lng_source *source)
{
    return source->data ? "file" : source->spec.family->name;
}

static const char *factoring_of(const struct lng_source *s)
{
    const lng_problem sizes = {.param_num = s->spec.param_num,
                               .block_size = s->spec.block_size};
    return lng_factoring(s->data ? &s->data->problem : &sizes);
}

static cJSON *sizes_of(const struct lng_source *s)
{
    cJSON *sizes = cJSON_CreateArray();
    const lng_problem *p = s->data ? &s->data->problem : NULL;
    const int64_t v[] = {
        p ? p->param_num : s->spec.param_num, p ? p->param_size : s->spec.param_size,
        p ? p->block_num : s->spec.block_num, p ? p->block_size : s->spec.block_size};
    for (int i = 0; i < 4; i++)
        cJSON_AddItemToArray(sizes, lng_result_number((double)v[i]));
    return sizes;
}

/* The hash of the outputs, and the ways of calling that gave it. */
static void add_bits(cJSON *unit, const struct lng_options *o, const struct lng_unit *u)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, u->bits);
    cJSON_AddStringToObject(unit, "bits", text);
    cJSON *ways = cJSON_AddArrayToObject(unit, "ways");
    for (int w = 0; w < lng_ways_count; w++)
        if (u->ways >> w & 1)
            cJSON_AddItemToArray(ways, lng_result_number(w));
    if (u->against < 0)
        return;
    const struct lng_unit *other = lng_unit_against(&o->run, u);
    cJSON *against = cJSON_AddObjectToObject(unit, "against");
    cJSON_AddStringToObject(against, "kernel", o->run.kernels[other->kernel]->id);
    cJSON_AddStringToObject(against, "entry", lng_entry_name[other->entry]);
}

static cJSON *unit_json(const struct lng_options *o, const struct lng_unit *u,
                        const char *options)
{
    const struct lng_source *source = &o->problems.sources[u->problem];
    const struct lng_kernel *kernel = o->run.kernels[u->kernel];
    cJSON *unit = cJSON_CreateObject();
    cJSON_AddStringToObject(unit, "kernel", kernel->id);
    cJSON_AddStringToObject(unit, "entry", lng_entry_name[u->entry]);
    cJSON_AddStringToObject(unit, "problem", options);
    cJSON_AddStringToObject(unit, "dtype", lng_result_dtype(kernel->dtype));
    cJSON_AddStringToObject(unit, "family", family_of(source));
    cJSON_AddStringToObject(unit, "factoring", factoring_of(source));
    cJSON_AddItemToObject(unit, "sizes", sizes_of(source));
    cJSON_AddStringToObject(unit, "verdict", lng_verdict_name[u->verdict]);
    cJSON_AddStringToObject(unit, "note", u->note);
    for (enum lng_output out = LNG_DX; out < LNG_OUTPUTS; out++) {
        const struct lng_worst *w = &u->worst[out];
        if (w->at < 0)
            continue;
        cJSON *worst = cJSON_AddObjectToObject(unit, lng_output_name[out]);
        cJSON_AddItemToObject(worst, "bound", lng_result_number(w->bound));
        cJSON_AddItemToObject(worst, "ratio", lng_result_number(w->ratio));
        cJSON_AddItemToObject(worst, "ulps", lng_result_number(w->ulps));
        cJSON_AddItemToObject(worst, "at", lng_result_number((double)w->at));
    }
    if (u->ways)
        add_bits(unit, o, u);
    cJSON_AddItemToObject(unit, "elements_judged",
                          lng_result_number((double)u->elements));
    cJSON_AddItemToObject(unit, "judge_seconds", lng_result_number(u->seconds));
    return unit;
}

/* One more in a counter of an object. */
static void count(cJSON *object, const char *name)
{
    cJSON *n = cJSON_GetObjectItemCaseSensitive(object, name);
    if (n)
        cJSON_SetNumberValue(n, n->valuedouble + 1);
    else
        cJSON_AddNumberToObject(object, name, 1);
}

static void add_coverage(cJSON *result, const struct lng_options *o)
{
    cJSON *coverage = cJSON_AddObjectToObject(result, "coverage");
    cJSON *families = cJSON_AddObjectToObject(coverage, "families");
    cJSON *factorings = cJSON_AddObjectToObject(coverage, "factorings");
    for (int i = 0; i < o->problems.count; i++) {
        count(families, family_of(&o->problems.sources[i]));
        count(factorings, factoring_of(&o->problems.sources[i]));
    }
}

/* What the classes allow. */
static void add_classes(cJSON *result)
{
    cJSON *classes = cJSON_AddObjectToObject(result, "classes");
    for (enum lng_class by = LNG_WIDE; by <= LNG_HALF; by++) {
        cJSON *class = cJSON_AddObjectToObject(classes, lng_class_name(by));
        for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
            const struct lng_terms t = lng_bound_terms(by, o);
            cJSON *terms = cJSON_AddObjectToObject(class, lng_output_name[o]);
            cJSON_AddItemToObject(terms, "k", lng_result_number(t.k));
            cJSON_AddItemToObject(terms, "c", lng_result_number(t.c));
            cJSON_AddItemToObject(terms, "u", lng_result_number(t.u));
        }
    }
}

static void add_mutants(cJSON *result, const struct lng_options *o,
                        const struct lng_planted *planted)
{
    cJSON *mutants = cJSON_AddArrayToObject(result, "mutants");
    for (int m = 0; planted && m < lng_mutants_count; m++) {
        cJSON *mutant = cJSON_CreateObject();
        char *by = planted[m].killed
                       ? lng_source_options(&o->planted_on.sources[planted[m].by])
                       : NULL;
        cJSON_AddItemToArray(mutants, mutant);
        cJSON_AddStringToObject(mutant, "id", planted[m].kernel->id);
        cJSON_AddStringToObject(mutant, "plants", planted[m].plants);
        cJSON_AddBoolToObject(mutant, "killed", planted[m].killed);
        cJSON_AddStringToObject(mutant, "by", by ? by : "");
        cJSON_AddItemToObject(mutant, "margin", lng_result_number(planted[m].margin));
        free(by);
    }
}

int lng_write_json(const struct lng_options *o, const struct lng_totals *t,
                   const struct lng_planted *planted, time_t start, char *error,
                   size_t size)
{
    cJSON *result = lng_result_begin("lng-verify", start);
    lng_result_suite(result, o->suite, t->hash, o->seed, 1, 1);
    cJSON_AddStringToObject(result, "tolerance", lng_tolerance_name(&o->run));
    cJSON *totals = cJSON_AddObjectToObject(result, "totals");
    cJSON_AddNumberToObject(totals, "passed", t->passed);
    cJSON_AddNumberToObject(totals, "failed", t->failed);
    cJSON_AddNumberToObject(totals, "skipped", t->skipped);
    cJSON_AddNumberToObject(totals, "problems", t->problems);
    cJSON_AddItemToObject(totals, "elements_judged",
                          lng_result_number((double)t->elements));
    add_classes(result);
    cJSON *ways = cJSON_AddArrayToObject(result, "ways");
    for (int w = 0; w < lng_ways_count; w++)
        cJSON_AddItemToArray(ways, cJSON_CreateString(lng_ways[w].name));
    add_coverage(result, o);
    add_mutants(result, o, planted);
    cJSON *units = cJSON_AddArrayToObject(result, "units");
    for (int i = 0; i < o->problems.count; i++) {
        char *options = lng_source_options(&o->problems.sources[i]);
        for (int u = o->run.first_unit[i]; u < o->run.first_unit[i + 1]; u++)
            cJSON_AddItemToArray(units,
                                 unit_json(o, &o->run.units[u], options ? options : ""));
        free(options);
    }
    cJSON_AddTrueToObject(result, "complete");
    const int failed = lng_result_write(result, o->json, error, size);
    cJSON_Delete(result);
    return failed;
}

/* XML text: the five characters that mean something, and no control characters. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&apos;"
                                             : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static void put_case(FILE *out, const struct lng_options *o, const struct lng_unit *u)
{
    char *options = lng_source_options(&o->problems.sources[u->problem]);
    fprintf(out, "  <testcase classname=\"%s.%s\" name=\"", o->run.kernels[u->kernel]->id,
            lng_entry_name[u->entry]);
    put_text(out, options ? options : "");
    fprintf(out, "\" time=\"%.6f\">", u->seconds);
    if (u->verdict != LNG_PASSED) {
        fputs(u->verdict == LNG_SKIPPED ? "<skipped message=\"" : "<failure message=\"",
              out);
        put_text(out, u->note);
        fputs("\"/>", out);
    } else if (u->note[0]) {
        fputs("<system-out>", out);
        put_text(out, u->note);
        fputs("</system-out>", out);
    }
    fputs("</testcase>\n", out);
    free(options);
}

int lng_write_junit(const struct lng_options *o, const struct lng_totals *t, char *error,
                    size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return snprintf(error, size, "no memory"), -1;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"lng-verify %s\" tests=\"%d\" failures=\"%d\" "
            "skipped=\"%d\">\n",
            o->suite, o->run.units_count, t->failed - (t->planted - t->found),
            t->skipped);
    for (int i = 0; i < o->run.units_count; i++)
        put_case(out, o, &o->run.units[i]);
    fputs("</testsuite>\n", out);
    int failed = fclose(out) != 0;
    if (failed)
        snprintf(error, size, "no memory");
    else
        failed = lng_result_write_text(text, o->junit, error, size);
    free(text);
    return failed ? -1 : 0;
}
