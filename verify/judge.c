/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* clock_gettime */
#include "verify/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ref/measure.h"
#include "verify/bits.h"
#include "verify/blind.h"
#include "verify/expected.h"
#include "verify/result.h"

const char *const lng_verdict_name[] = {"unrun", "passed", "failed", "skipped"};

/* CPU time of this thread, which is all that judges here. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int lng_judge_open(struct lng_judge *j, const struct lng_data *data, char *error,
                   size_t size)
{
    *j = (struct lng_judge){.data = data, .tolerance = -1};
    const double start = seconds();
    int failed = 0;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        const size_t n = (size_t)lng_output_length(&data->problem, o);
        j->truth[o] = malloc((n ? n : 1) * sizeof *j->truth[o]);
        failed |= !j->truth[o];
    }
    if (failed || lng_oracle(&data->problem, j->truth[LNG_DX], j->truth[LNG_DG],
                             j->truth[LNG_DB]) != 0) {
        lng_judge_close(j);
        return snprintf(error, size, "no memory for the oracle"), -1;
    }
    if (lng_check_expected(data, j->truth, error, size) != 0) {
        lng_judge_close(j);
        return -1;
    }
    lng_find_blind(&data->problem, j->truth, j->blind, sizeof j->blind);
    j->oracle_seconds = seconds() - start;
    return 0;
}

void lng_judge_close(struct lng_judge *j)
{
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        free(j->truth[o]);
        free(j->first[o]);
    }
    *j = (struct lng_judge){0};
}

/* dx[row][column], dg[p], db[p]. */
static void describe_place(const lng_problem *p, enum lng_output o, int64_t i, char *text,
                           size_t size)
{
    if (o == LNG_DX)
        snprintf(text, size, "dx[%" PRId64 "][%" PRId64 "]", i / p->block_size,
                 i % p->block_size);
    else
        snprintf(text, size, "%s[%" PRId64 "]", lng_output_name[o], i);
}

static void describe_failure(const lng_problem *p, enum lng_output o, int64_t i,
                             double got, const struct lng_truth *t,
                             const struct lng_error *e, char *note, size_t size)
{
    char place[80], exact[40];
    describe_place(p, o, i, place, sizeof place);
    if (t->kind == LNG_FINITE)
        snprintf(exact, sizeof exact, "%a", t->hi);
    else
        strcpy(exact, t->kind == LNG_NAN ? "NaN" : "not finite");
    snprintf(note, size, "%s  got %a  exact %s  err/bound %.3g  (%.3g ulp)", place, got,
             exact, e->ratio, e->ulps);
}

/* Every element of one output, by the bound of the kernel's class. */
static int judge_output(const struct lng_judge *j, const struct lng_kernel *kernel,
                        enum lng_output o, const void *got, struct lng_unit *unit)
{
    const lng_problem *p = &j->data->problem;
    const struct lng_plan plan = lng_plan_make(kernel->grain, p->param_num, p->param_size,
                                               p->block_num, p->block_size);
    const struct lng_depth depth = kernel->depth(&plan);
    const double L = o == LNG_DX ? depth.dx : o == LNG_DG ? depth.dg : depth.db;
    const enum lng_class by =
        j->tolerance < 0 ? kernel->accuracy : (enum lng_class)j->tolerance;
    const double bound = lng_bound(by, o, L);
    const int64_t n = lng_output_length(p, o);
    struct lng_worst worst = {.bound = bound, .ratio = -1, .at = -1};
    int right = 1;
    unit->worst[o] = worst;
    if (isinf(bound)) /* it allows anything: nothing is judged */
        return 1;
    for (int64_t i = 0; i < n; i++) {
        const double value = lng_tensor_get(p->dtype, got, i);
        struct lng_error e = lng_measure(p->dtype, value, &j->truth[o][i], bound);
        if (!e.decided)
            e = lng_measure_exactly(p, o, i, value, bound);
        if (right && !e.right) {
            describe_failure(p, o, i, value, &j->truth[o][i], &e, unit->note,
                             sizeof unit->note);
            right = 0;
        }
        if (!(e.ratio <= worst.ratio)) {
            worst.ratio = e.ratio;
            worst.at = i;
        }
        if (!(e.ulps <= worst.ulps))
            worst.ulps = e.ulps;
        unit->elements++;
    }
    unit->worst[o] = worst;
    return right;
}

/* Where the outputs of a call differ from those of the plain call: "dx[3][17]", and both
 * values. 0: nowhere. */
static int find_difference(const struct lng_judge *j, const struct lng_caller *caller,
                           char *place, size_t size, double *first, double *now)
{
    const lng_problem *p = &j->data->problem;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        const void *got = caller->output[o].data;
        const int64_t n = lng_output_length(p, o);
        const int64_t i = got ? lng_bits_differ(p->dtype, got, j->first[o], n) : -1;
        if (i >= 0) {
            describe_place(p, o, i, place, size);
            *first = lng_tensor_get(p->dtype, j->first[o], i);
            *now = lng_tensor_get(p->dtype, got, i);
            return 1;
        }
    }
    return 0;
}

/* Of the plain call. */
static int keep_outputs(struct lng_judge *j, const struct lng_caller *caller,
                        struct lng_unit *unit)
{
    const lng_problem *p = &j->data->problem;
    unit->bits = LNG_HASH_BEGIN;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        const struct lng_buffer *output = &caller->output[o];
        char *copy = realloc(j->first[o], output->bytes ? output->bytes : 1);
        if (!copy)
            return -1;
        memcpy(copy, output->data, output->bytes);
        j->first[o] = copy;
        unit->bits = lng_bits_hash(unit->bits, p->dtype, copy, lng_output_length(p, o));
    }
    unit->ways = 1;
    return 0;
}

/* One call: its outputs must be the bits of the first, or, where the chip flushes, which
 * is another one, within the bound too. */
static int judge_call(struct lng_judge *j, struct lng_caller *caller,
                      const struct lng_kernel *kernel, uint32_t mask,
                      const struct lng_way *way, const char *name, struct lng_unit *unit)
{
    char error[256];
    if (lng_do_call(caller, kernel, unit->entry, j->data, mask, way, error,
                    sizeof error)) {
        snprintf(unit->note, sizeof unit->note, "%s: %s", name, error);
        return 0;
    }
    if (way->flushes) {
        struct lng_unit flushed = {.elements = 0};
        for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
            if (!judge_output(j, kernel, o, caller->output[o].data, &flushed)) {
                snprintf(unit->note, sizeof unit->note, "%s: %.300s", name, flushed.note);
                return 0;
            }
        return 1;
    }
    char place[80];
    double first, now;
    if (!find_difference(j, caller, place, sizeof place, &first, &now))
        return 1;
    snprintf(unit->note, sizeof unit->note,
             "%s  got %a  before %a  other bits than the first call: %s", place, now,
             first, name);
    return 0;
}

static int judge_way(struct lng_judge *j, struct lng_caller *caller,
                     const struct lng_kernel *kernel, uint32_t mask,
                     const struct lng_way *way, struct lng_unit *unit)
{
    if (!way->every_mask)
        return judge_call(j, caller, kernel, mask, way, way->name, unit);
    for (uint32_t m = 1; m <= lng_all_cores(kernel); m++) {
        char name[80];
        snprintf(name, sizeof name, "%s, 0x%" PRIx32, way->name, m);
        if (!judge_call(j, caller, kernel, m, way, name, unit))
            return 0;
    }
    return 1;
}

/* Small problems are called in every way, large ones in a few; on DSPs, whose model is
 * slow, all but a few of the small ones in one, and these also with each mask. Which must
 * follow from the text that rebuilds the problem, or that would not reproduce. */
enum {
    SMALL_ELEMENTS = 3000,
    WAYS_OF_A_LARGE_ONE = 3,
    WAYS_OF_A_DSP = 1,
    EVERY_MASK_ELEMENTS = 6000
};
/* So that it is some twenty of a sweep. */
static const unsigned every_mask_one_in[LNG_ENTRIES] = {
    [LNG_GENERAL] = 100, [LNG_S] = 3, [LNG_P] = 3};

static int judge_ways(struct lng_judge *j, struct lng_caller *caller,
                      const struct lng_kernel *kernel, uint32_t mask, int thorough,
                      struct lng_unit *unit)
{
    const lng_problem *p = &j->data->problem;
    const int64_t elements = p->block_num * p->block_size;
    const uint64_t hash = lng_result_hash(LNG_HASH_BEGIN, j->data->options);
    const int dsp = lng_is_dsp(kernel);
    const int masks = dsp && elements <= EVERY_MASK_ELEMENTS &&
                      (thorough || (hash >> 32) % every_mask_one_in[unit->entry] == 0);
    const int all = thorough || masks || (!dsp && elements <= SMALL_ELEMENTS);
    const int few = dsp ? WAYS_OF_A_DSP : WAYS_OF_A_LARGE_ONE;
    const uint32_t first = (uint32_t)(hash % (uint64_t)lng_ways_count);
    for (int k = 0, done = 0; k < lng_ways_count; k++) {
        const int w = (int)((first + (uint32_t)k) % (uint32_t)lng_ways_count);
        const struct lng_way *way = &lng_ways[w];
        if (w == 0 || !lng_way_suits(way, kernel, unit->entry) ||
            !(way->every_mask ? masks : all || done++ < few))
            continue;
        if (!judge_way(j, caller, kernel, mask, way, unit))
            return 0;
        if (!way->flushes)
            unit->ways |= 1u << w;
    }
    return 1;
}

static int judge_all(struct lng_judge *j, struct lng_caller *caller,
                     const struct lng_kernel *kernel, uint32_t mask, int thorough,
                     struct lng_unit *unit)
{
    char error[256];
    if (lng_do_call(caller, kernel, unit->entry, j->data, mask, &lng_ways[0], error,
                    sizeof error)) {
        snprintf(unit->note, sizeof unit->note, "%s", error);
        return 0;
    }
    if (keep_outputs(j, caller, unit) != 0) {
        snprintf(unit->note, sizeof unit->note, "no memory for the outputs");
        return 0;
    }
    const double start = seconds();
    int right = 1;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS && right; o++)
        right = judge_output(j, kernel, o, caller->output[o].data, unit) &&
                lng_judge_expected(j->data, o, caller->output[o].data, j->truth[o],
                                   kernel, unit->note, sizeof unit->note);
    unit->seconds += seconds() - start;
    return right && judge_ways(j, caller, kernel, mask, thorough, unit);
}

void lng_judge_unit(struct lng_judge *j, struct lng_caller *caller,
                    const struct lng_kernel *kernel, uint32_t mask, int thorough,
                    struct lng_unit *unit)
{
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        unit->worst[o] = (struct lng_worst){.at = -1};
    unit->elements = 0;
    unit->ways = 0;
    unit->against = -1;
    unit->note[0] = 0;
    unit->seconds = j->oracle_seconds;
    j->oracle_seconds = 0;
    if (!judge_all(j, caller, kernel, mask, thorough, unit)) {
        unit->verdict = LNG_FAILED;
        return;
    }
    unit->verdict = unit->elements ? LNG_PASSED : LNG_SKIPPED;
    size_t used = 0;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        if (isinf(unit->worst[o].bound))
            used += (size_t)snprintf(unit->note + used, sizeof unit->note - used,
                                     "VACUOUS: the bound of %s allows anything  ",
                                     lng_output_name[o]);
    snprintf(unit->note + used, sizeof unit->note - used, "%s", j->blind);
}

/* A failure is the fault of the unit itself, and its bits say nothing of others. The call
 * that finds the place is another one, so it may find none. */
void lng_judge_bits(struct lng_judge *j, struct lng_caller *caller,
                    const struct lng_kernel *const *kernels, uint32_t mask,
                    struct lng_unit *units, int count)
{
    struct lng_unit *unit = &units[count - 1];
    const char *target = kernels[unit->kernel]->target;
    if (unit->verdict == LNG_FAILED)
        return;
    int first = 0;
    while (!units[first].ways || units[first].verdict == LNG_FAILED ||
           strcmp(kernels[units[first].kernel]->target, target) != 0)
        first++;
    const struct lng_unit *other = &units[first];
    if (unit->bits == other->bits)
        return;
    const struct lng_kernel *kernel = kernels[other->kernel];
    char place[80], error[256];
    double got, theirs;
    size_t used = 0;
    if (lng_do_call(caller, kernel, other->entry, j->data, mask, &lng_ways[0], error,
                    sizeof error) == 0 &&
        find_difference(j, caller, place, sizeof place, &got, &theirs))
        used = (size_t)snprintf(unit->note, sizeof unit->note, "%s  got %a  %s %a  ",
                                place, got, kernel->id, theirs);
    snprintf(unit->note + used, sizeof unit->note - used,
             "other bits than %s by the entry %s", kernel->id,
             lng_entry_name[other->entry]);
    unit->verdict = LNG_FAILED;
    unit->against = first;
}
