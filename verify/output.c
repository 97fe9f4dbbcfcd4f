/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strdup */
#include "verify/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/mutants.h"
#include "verify/result.h"

enum { FAILURES_SHOWN = 30 };

char *lng_source_options(const struct lng_source *source)
{
    return source->data ? strdup(source->data->options) : lng_spec_options(&source->spec);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct lng_totals lng_count(const struct lng_options *o,
                            const struct lng_planted *planted)
{
    struct lng_totals t = {.hash = LNG_HASH_BEGIN};
    for (int i = 0; i < o->run.units_count; i++) {
        const struct lng_unit *u = &o->run.units[i];
        t.passed += u->verdict == LNG_PASSED;
        t.failed += u->verdict == LNG_FAILED || u->verdict == LNG_UNRUN;
        t.skipped += u->verdict == LNG_SKIPPED;
        t.elements += u->elements;
    }
    t.planted = planted ? lng_mutants_count : 0;
    for (int m = 0; m < t.planted; m++)
        t.found += planted[m].killed;
    t.failed += t.planted - t.found;

    const int n = o->problems.count;
    char **texts = calloc((size_t)n + 1, sizeof *texts);
    for (int i = 0; texts && i < n; i++) {
        texts[i] = lng_source_options(&o->problems.sources[i]);
        t.hash = lng_result_hash(t.hash, texts[i] ? texts[i] : "");
    }
    if (texts) {
        qsort(texts, (size_t)n, sizeof *texts, by_text);
        for (int i = 0; i < n; i++)
            t.problems += i == 0 || strcmp(texts[i], texts[i - 1]) != 0;
        for (int i = 0; i < n; i++)
            free(texts[i]);
    }
    free(texts);
    return t;
}

void lng_print_list(void)
{
    printf("kernels (* is the best choice for its type)\n");
    for (size_t i = 0; i < lng_kernel_count(); i++) {
        lng_kernel_info k;
        lng_kernel_at(i, &k);
        printf("%c %-14s %-8s %s  %2d lanes  %2d cores  class %-6s  entries general s "
               "p%s\n",
               k.best ? '*' : ' ', k.id, k.target, lng_result_dtype(k.dtype), k.lanes,
               k.cores, k.accuracy,
               k.available ? "" : "  (this processor cannot run it)");
    }
    printf("planted faults, for --impl alone: entry general\n");
    for (int m = 0; m < lng_mutants_count; m++)
        printf("  %-34s %s  %s\n", lng_mutant(m)->id,
               lng_result_dtype(lng_mutant(m)->dtype), lng_mutant_plants(m));
    for (int i = 0; i < lng_controls_count; i++)
        printf("  %-34s %s  no fault: what they are planted in\n", lng_control(i)->id,
               lng_result_dtype(lng_control(i)->dtype));
    const char *note = lng_isa_note();
    if (note)
        printf("%s\n", note);
}

const char *lng_tolerance_name(const struct lng_run *run)
{
    return run->tolerance < 0 ? "class" : lng_class_name((enum lng_class)run->tolerance);
}

/* One line a kernel: its units, and the worst of each output. */
static void print_kernel(const struct lng_options *o, int k)
{
    const struct lng_kernel *kernel = o->run.kernels[k];
    struct lng_worst worst[LNG_OUTPUTS] = {{0}};
    int count[4] = {0};
    const char *skipped = "";
    for (int i = 0; i < o->run.units_count; i++) {
        const struct lng_unit *u = &o->run.units[i];
        if (u->kernel != k)
            continue;
        count[u->verdict]++;
        if (u->verdict == LNG_SKIPPED)
            skipped = u->note;
        for (enum lng_output out = LNG_DX; out < LNG_OUTPUTS; out++) {
            if (u->worst[out].at < 0)
                continue;
            worst[out].ratio = fmax(worst[out].ratio, u->worst[out].ratio);
            worst[out].ulps = fmax(worst[out].ulps, u->worst[out].ulps);
        }
    }
    printf("%-12s class %-6s %5d passed %3d failed %3d skipped", kernel->id,
           lng_class_name(kernel->accuracy), count[LNG_PASSED],
           count[LNG_FAILED] + count[LNG_UNRUN], count[LNG_SKIPPED]);
    for (enum lng_output out = LNG_DX;
         out < LNG_OUTPUTS && count[LNG_PASSED] + count[LNG_FAILED]; out++)
        printf("  %s %.6f of bound, %.6g ulp", lng_output_name[out], worst[out].ratio,
               worst[out].ulps);
    printf("%s%s\n", *skipped ? "  skipped: " : "", skipped);
}

/* Where the bits are those of no other unit, both have to run again. */
static void print_failure(const struct lng_options *o, const struct lng_unit *u)
{
    const struct lng_unit *other = lng_unit_against(&o->run, u);
    const char *id = o->run.kernels[u->kernel]->id;
    const char *other_id = o->run.kernels[other->kernel]->id;
    char *options = lng_source_options(&o->problems.sources[u->problem]);
    printf("%sFAIL%s %s %s\n  repro: lng-verify", o->color ? "\033[31m" : "",
           o->color ? "\033[0m" : "", id, u->note);
    if (other->kernel != u->kernel)
        printf(" --impl %s", other_id);
    printf(" --impl %s %s", id, options ? options : "?");
    if (other->entry != u->entry)
        printf(" --entry %s", lng_entry_name[other->entry]);
    printf(" --entry %s", lng_entry_name[u->entry]);
    if (u->entry != LNG_P || other->entry != LNG_P)
        printf(" --cores 0x%" PRIx32, o->run.mask);
    printf("\n");
    free(options);
}

static void print_failures(const struct lng_options *o)
{
    int shown = 0, more = 0;
    for (int i = 0; i < o->run.units_count; i++) {
        const struct lng_unit *u = &o->run.units[i];
        if (u->verdict != LNG_FAILED && u->verdict != LNG_UNRUN)
            continue;
        if (shown == FAILURES_SHOWN) {
            more++;
            continue;
        }
        print_failure(o, u);
        shown++;
    }
    if (more)
        printf("... and %d more failures (--json has them all)\n", more);
}

void lng_print_results(const struct lng_options *o, const struct lng_totals *t,
                       const struct lng_planted *planted)
{
    if (o->run.tolerance >= 0 && !o->quiet)
        printf("judged by the bound of class %s\n", lng_tolerance_name(&o->run));
    for (int k = 0; k < o->run.kernels_count && !o->quiet; k++)
        print_kernel(o, k);
    print_failures(o);
    for (int m = 0; m < t->planted; m++)
        if (!planted[m].killed)
            printf("FAIL %s survived %d problems: %s\n", planted[m].kernel->id,
                   planted[m].problems, planted[m].plants);
    if (!o->quiet) {
        int blind = 0;
        for (int i = 0; i < o->run.units_count; i++) {
            const struct lng_unit *u = &o->run.units[i];
            const int is_blind = u->verdict == LNG_PASSED && u->note[0];
            if (is_blind && blind == 0 && o->problems.count == 1)
                printf("%s\n", u->note);
            blind += is_blind;
        }
        if (t->planted)
            printf("%d of %d planted faults found\n", t->found, t->planted);
        printf("%d distinct problems, %" PRId64
               " elements judged, %d units with a note\n",
               t->problems, t->elements, blind);
    }
    printf("%d passed, %d failed, %d skipped\n", t->passed, t->failed, t->skipped);
}
