/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strsignal */
#include "verify/run.h"

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "verify/jobs.h"
#include "verify/mutants.h"

/* A kernel that hung once or crashed twice is not run again. */
enum { TROUBLE_OF_A_HANG = 2, TROUBLE_LIMIT = 2 };

/* What the jobs share: the run in the parent's memory, the judge and caller in each
 * child's. */
struct context {
    const struct lng_run *run;
    struct lng_planted *planted;
    _Atomic int *trouble; /* of each kernel; shared */
    struct lng_caller caller;
};

static lng_problem sizes_of(const struct lng_source *source)
{
    if (source->data)
        return source->data->problem;
    const struct lng_spec *s = &source->spec;
    static const char gamma; /* generated problems have one */
    return (lng_problem){.dtype = s->dtype,
                         .param_num = s->param_num,
                         .param_size = s->param_size,
                         .block_num = s->block_num,
                         .block_size = s->block_size,
                         .gamma = &gamma};
}

/* The problem itself; NULL, and error: no memory. A generated one is given back by
 * unload. */
static struct lng_data *load(const struct lng_source *source, char *error, size_t size)
{
    struct lng_data *data =
        source->data ? source->data : lng_data_generate(&source->spec);
    if (!data)
        snprintf(error, size, "no memory for the inputs");
    return data;
}

static void unload(const struct lng_source *source, struct lng_data *data)
{
    if (data != source->data)
        lng_data_free(data);
}

/* A suite puts a problem to a DSP's kernel unless it is very large, as a few are for the
 * host's sake, and some to its documented calls, which lead to the same model. */
static int is_taken(const struct lng_run *run, const struct lng_source *source,
                    const struct lng_kernel *kernel, enum lng_entry entry)
{
    enum { ONE_IN = 16, MOST_ELEMENTS = 300000 };
    const struct lng_spec *s = &source->spec;
    return !lng_is_dsp(kernel) || run->thorough ||
           (s->block_num * s->block_size <= MOST_ELEMENTS &&
            (entry == LNG_GENERAL || s->seed % ONE_IN == (uint64_t)entry));
}

/* Lists the units of a problem, those of simple bodies first; with units NULL it only
 * counts them. */
static int list_units(const struct lng_run *run, int problem, struct lng_unit *units)
{
    const lng_problem sizes = sizes_of(&run->suite->sources[problem]);
    int n = 0;
    for (int simple = 1; simple >= 0; simple--)
        for (int k = 0; k < run->kernels_count; k++) {
            const struct lng_kernel *kernel = run->kernels[k];
            if (kernel->dtype != sizes.dtype || (kernel->lanes == 1) != simple)
                continue;
            for (enum lng_entry e = LNG_GENERAL; e < LNG_ENTRIES; e++) {
                if (!(run->entries >> e & 1) || !lng_can_call(kernel, e, &sizes) ||
                    !is_taken(run, &run->suite->sources[problem], kernel, e))
                    continue;
                if (units)
                    units[n] =
                        (struct lng_unit){.problem = problem, .kernel = k, .entry = e};
                n++;
            }
        }
    return n;
}

int lng_run_open(struct lng_run *run, char *error, size_t size)
{
    run->first_unit = calloc((size_t)run->suite->count + 1, sizeof *run->first_unit);
    if (!run->first_unit)
        return snprintf(error, size, "no memory for the units"), -1;
    for (int i = 0; i < run->suite->count; i++)
        run->first_unit[i + 1] = run->first_unit[i] + list_units(run, i, NULL);
    run->units_count = run->first_unit[run->suite->count];
    run->units = lng_shared_memory((size_t)run->units_count * sizeof *run->units);
    if (!run->units)
        return snprintf(error, size, "no memory for the units"), -1;
    for (int i = 0; i < run->suite->count; i++)
        list_units(run, i, run->units + run->first_unit[i]);
    return 0;
}

void lng_run_close(struct lng_run *run)
{
    free(run->first_unit);
    if (run->units)
        munmap(run->units, (size_t)run->units_count * sizeof *run->units);
}

const struct lng_unit *lng_unit_against(const struct lng_run *run,
                                        const struct lng_unit *unit)
{
    return unit->against < 0
               ? unit
               : &run->units[run->first_unit[unit->problem] + unit->against];
}

static void end_unit(struct lng_unit *unit, enum lng_verdict verdict, const char *note)
{
    unit->verdict = verdict;
    unit->ways = 0;
    unit->against = -1;
    snprintf(unit->note, sizeof unit->note, "%s", note);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        unit->worst[o].at = -1;
}

/* Why a unit cannot be judged; NULL: it can. */
static const char *unfit(const struct lng_run *run, const struct lng_unit *unit)
{
    const struct lng_kernel *kernel = run->kernels[unit->kernel];
    if (!kernel->available())
        return "this processor cannot run the kernel";
    if (unit->entry != LNG_P && !lng_has_cores(kernel, run->mask))
        return "--cores names cores that the target does not have";
    return NULL;
}

static void judge_problem(int item, int step, struct lng_slot *slot, void *user)
{
    struct context *c = user;
    const struct lng_run *run = c->run;
    const struct lng_source *source = &run->suite->sources[item];
    struct lng_unit *units = run->units + run->first_unit[item];
    const int n = run->first_unit[item + 1] - run->first_unit[item];
    char error[400] = "";
    struct lng_data *data = NULL;
    struct lng_judge judge = {0};
    int opened = 0;
    c->caller.clock = &slot->clock;
    for (int u = step; u < n; u++) {
        const struct lng_kernel *kernel = run->kernels[units[u].kernel];
        const char *why = unfit(run, &units[u]);
        if (why) {
            end_unit(&units[u], LNG_SKIPPED, why);
            continue;
        }
        if (atomic_load(&c->trouble[units[u].kernel]) >= TROUBLE_LIMIT) {
            end_unit(&units[u], LNG_FAILED, "not run: the kernel hung or crashed before");
            continue;
        }
        if (!opened && !error[0]) {
            data = load(source, error, sizeof error);
            opened = data && lng_judge_open(&judge, data, error, sizeof error) == 0;
            judge.tolerance = run->tolerance;
        }
        if (!opened) {
            end_unit(&units[u], LNG_FAILED, error);
            continue;
        }
        atomic_store(&slot->step, u);
        lng_judge_unit(&judge, &c->caller, kernel, run->mask, run->thorough, &units[u]);
        lng_judge_bits(&judge, &c->caller, run->kernels, run->mask, units, u + 1);
    }
    lng_judge_close(&judge);
    unload(source, data);
}

/* How a kernel ended its process. */
static void describe_death(int signal, int hung, double limit, char *text, size_t size)
{
    if (hung)
        snprintf(text, size, "no answer within %.3g s", limit);
    else if (signal)
        snprintf(text, size, "crashed: %s%s", strsignal(signal),
                 signal == SIGSEGV || signal == SIGBUS ? " (outside its buffers?)" : "");
    else
        snprintf(text, size, "ended the process");
}

/* A slow machine under a sanitizer still does a million elements a second in a call. */
static double limit_of(const struct lng_run *run, int problem)
{
    const lng_problem p = sizes_of(&run->suite->sources[problem]);
    return run->timeout + 1e-6 * (double)(p.block_num * p.block_size);
}

static double problem_limit(int item, void *user)
{
    const struct context *c = user;
    return limit_of(c->run, item);
}

static void problem_died(int item, int step, int signal, int hung, void *user)
{
    struct context *c = user;
    struct lng_unit *unit = &c->run->units[c->run->first_unit[item] + step];
    char text[100];
    describe_death(signal, hung, limit_of(c->run, item), text, sizeof text);
    end_unit(unit, LNG_FAILED, text);
    atomic_fetch_add(&c->trouble[unit->kernel], hung ? TROUBLE_OF_A_HANG : 1);
}

static void show_progress(int begun, void *user)
{
    const struct context *c = user;
    static int shown = -1;
    if (!c->run->progress || begun == shown)
        return;
    shown = begun;
    const int count = c->run->suite->count;
    fprintf(stderr, "\r%d of %d problems ", begun < count ? begun : count, count);
    if (begun >= count)
        fputs("\r\033[K", stderr);
}

static int run_jobs(struct context *c, struct lng_jobs jobs, int troubles, char *error,
                    size_t size)
{
    c->trouble = lng_shared_memory((size_t)troubles * sizeof *c->trouble);
    if (!c->trouble)
        return snprintf(error, size, "no memory"), -1;
    if (lng_caller_open(&c->caller, error, size) != 0)
        return -1;
    jobs.processes = c->run->jobs < jobs.items ? c->run->jobs : jobs.items;
    jobs.user = c;
    const int failed = lng_jobs_run(&jobs);
    if (failed)
        snprintf(error, size, "internal error: a judging process could not run or died");
    lng_caller_free(&c->caller);
    munmap(c->trouble, (size_t)troubles * sizeof *c->trouble);
    return failed;
}

int lng_run_units(struct lng_run *run, char *error, size_t size)
{
    struct context c = {.run = run};
    return run_jobs(&c,
                    (struct lng_jobs){.items = run->suite->count,
                                      .work = judge_problem,
                                      .died = problem_died,
                                      .limit = problem_limit,
                                      .progress = show_progress},
                    run->kernels_count, error, size);
}

/* What a failed unit says of the fault in its kernel. */
static void note_death(struct lng_planted *m, int problem, const struct lng_unit *unit)
{
    m->killed = 1;
    m->by = problem;
    m->margin = 0;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        if (unit->worst[o].at >= 0 && unit->worst[o].ratio > m->margin)
            m->margin = unit->worst[o].ratio;
    if (m->margin <= 1) /* within the bound: other bits, or memory */
        m->margin = (double)INFINITY;
    snprintf(m->note, sizeof m->note, "%.199s", unit->note);
}

/* The k-th problem that a mutant meets: a golden section of the suite further each time,
 * so that what comes late in the suite, rows that are cut or cancelling blocks, comes
 * early too. A prime reaches them all. */
static int problem_of_turn(const struct lng_suite *suite, int k)
{
    enum { STEP = 397 };
    assert(suite->count % STEP != 0);
    return (int)((int64_t)k * STEP % suite->count);
}

/* Beside the kernel without the fault, where the mutant has its target. */
static void judge_mutant(int item, int step, struct lng_slot *slot, void *user)
{
    struct context *c = user;
    struct lng_planted *m = &c->planted[item];
    const struct lng_kernel *const kernels[] = {lng_mutant_right(item), m->kernel};
    const int beside = strcmp(kernels[0]->target, kernels[1]->target) == 0;
    c->caller.clock = &slot->clock;
    for (int k = step; k < c->run->suite->count && !m->killed; k++) {
        const int i = problem_of_turn(c->run->suite, k);
        const struct lng_source *source = &c->run->suite->sources[i];
        char error[400];
        struct lng_judge judge;
        if (sizes_of(source).dtype != m->kernel->dtype)
            continue;
        struct lng_data *data = load(source, error, sizeof error);
        if (data && lng_judge_open(&judge, data, error, sizeof error) == 0) {
            struct lng_unit units[2] = {[1].kernel = 1}; /* LNG_GENERAL is 0 */
            m->problems++;
            if (beside)
                lng_judge_unit(&judge, &c->caller, kernels[0], 1, 0, &units[0]);
            atomic_store(&slot->step, k);
            lng_judge_unit(&judge, &c->caller, kernels[1], 1, 0, &units[1]);
            /* What the next problem does is not its doing. */
            atomic_store(&slot->step, -1);
            lng_judge_bits(&judge, &c->caller, kernels, 1, units, 2);
            if (units[1].verdict == LNG_FAILED)
                note_death(m, i, &units[1]);
            lng_judge_close(&judge);
        }
        unload(source, data);
    }
}

static void mutant_died(int item, int step, int signal, int hung, void *user)
{
    struct context *c = user;
    struct lng_planted *m = &c->planted[item];
    m->killed = 1;
    m->by = problem_of_turn(c->run->suite, step);
    m->margin = (double)INFINITY;
    describe_death(signal, hung, limit_of(c->run, m->by), m->note, sizeof m->note);
}

static double mutant_limit(int item, void *user)
{
    (void)item;
    const struct context *c = user;
    double longest = 0;
    for (int i = 0; i < c->run->suite->count; i++)
        longest = fmax(longest, limit_of(c->run, i));
    return longest;
}

int lng_run_mutants(const struct lng_run *run, struct lng_planted *planted, char *error,
                    size_t size)
{
    struct context c = {.run = run, .planted = planted};
    for (int m = 0; m < lng_mutants_count; m++) {
        planted[m].kernel = lng_mutant(m);
        planted[m].plants = lng_mutant_plants(m);
    }
    return run_jobs(&c,
                    (struct lng_jobs){.items = lng_mutants_count,
                                      .work = judge_mutant,
                                      .died = mutant_died,
                                      .limit = mutant_limit},
                    lng_mutants_count, error, size);
}
