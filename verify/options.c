/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* isatty */
#include "verify/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/arguments.h"
#include "core/workers.h"
#include "verify/given.h"
#include "verify/mutants.h"

static const uint64_t suite_seed = 0x5eed;

static int whole(const char *text, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    errno = 0;
    const long long v = strtoll(text, &end, 0);
    *value = v;
    return !errno && end != text && !*end && !isspace((unsigned char)*text) &&
           v >= least && v <= most;
}

static int number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && !isspace((unsigned char)*text);
}

/* The four sizes of --shape or --sizes. */
static int read_sizes(const struct lng_given *g, struct lng_spec *s, char *error,
                      size_t size)
{
    int64_t v[4];
    char tail;
    if (g->shape &&
        sscanf(g->shape, "%" SCNd64 "x%" SCNd64 "%c", &v[0], &v[1], &tail) == 2) {
        s->param_num = s->block_size = v[1];
        s->param_size = s->block_num = v[0];
    } else if (g->sizes &&
               sscanf(g->sizes, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 "%c",
                      &v[0], &v[1], &v[2], &v[3], &tail) == 4) {
        s->param_num = v[0];
        s->param_size = v[1];
        s->block_num = v[2];
        s->block_size = v[3];
    } else if (g->shape) {
        return snprintf(error, size, "--shape %s: expected NxH, for example 64x256",
                        g->shape),
               -1;
    } else {
        return snprintf(error, size,
                        "--sizes %s: expected PN,PS,BN,BS, for example 256,64,64,256",
                        g->sizes),
               -1;
    }
    /* More elements than this do not fit beside the oracle's answer. */
    const int64_t limit = INT64_C(1) << 28;
    const lng_problem p = {.param_num = s->param_num,
                           .param_size = s->param_size,
                           .block_num = s->block_num,
                           .block_size = s->block_size};
    if (lng_check_sizes(&p) != LNG_OK)
        return snprintf(error, size, "%s %s: %s", g->shape ? "--shape" : "--sizes",
                        g->shape ? g->shape : g->sizes, lng_status_text()),
               -1;
    if (p.block_num * p.block_size > limit || p.param_num > limit)
        return snprintf(error, size, "%s %s: more than %" PRId64 " elements",
                        g->shape ? "--shape" : "--sizes", g->shape ? g->shape : g->sizes,
                        limit),
               -1;
    return 0;
}

static int dtype_of(const char *text, lng_dtype *dtype)
{
    *dtype = strcmp(text, "fp16") == 0 ? LNG_F16 : LNG_F32;
    return strcmp(text, "fp16") == 0 || strcmp(text, "fp32") == 0;
}

/* The one problem of --shape or --sizes. */
static int read_problem(const struct lng_given *g, const struct lng_options *o,
                        struct lng_spec *s, char *error, size_t size)
{
    *s = (struct lng_spec){.seed = suite_seed};
    if (read_sizes(g, s, error, size) != 0)
        return -1;
    s->dtype = o->run.kernels_count == 1 ? o->run.kernels[0]->dtype : LNG_F32;
    if (g->dtype)
        dtype_of(g->dtype, &s->dtype);
    const char *family = g->input ? g->input : "normal";
    s->family = lng_family_find(family);
    if (!s->family) {
        size_t n = (size_t)snprintf(error, size, "--input %s: expected", family);
        for (size_t i = 0; i < lng_families_count && n < size; i++)
            n += (size_t)snprintf(error + n, size - n, " %s", lng_families[i].name);
        return -1;
    }
    s->epsilon = s->family->epsilon;
    if (g->epsilon &&
        (!number(g->epsilon, &s->epsilon) || !lng_epsilon_is_legal(s->epsilon)))
        return snprintf(error, size, "--epsilon %s: expected 0 or 2^-126 to 2^127",
                        g->epsilon),
               -1;
    char *end;
    errno = 0;
    if (g->seed) {
        s->seed = strtoull(g->seed, &end, 0);
        if (errno || end == g->seed || *end || !isdigit((unsigned char)*g->seed))
            return snprintf(error, size, "--seed %s: expected a whole number of 64 bits",
                            g->seed),
                   -1;
    }
    return 0;
}

/* Filled by lng_data_find, one file after the other. */
struct reading {
    struct lng_options *options;
    const struct lng_given *given;
    char *error;
    size_t size;
};

static int read_file(const char *path, void *user)
{
    struct reading *r = user;
    struct lng_data *data = lng_data_read(path, r->error, r->size);
    lng_dtype dtype;
    if (!data)
        return 1;
    if (data->warning)
        fprintf(stderr, "lng-verify: %s\n", data->warning);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        if (data->results[o])
            fprintf(stderr,
                    "lng-verify: %s: --case judges kernels, not the results in %s.npy\n",
                    path, lng_output_name[o]);
    if (r->given->dtype && dtype_of(r->given->dtype, &dtype) &&
        dtype != data->problem.dtype) {
        lng_data_free(data);
        return 0;
    }
    if (lng_suite_add(&r->options->problems, &(struct lng_source){.data = data}) != 0) {
        lng_data_free(data);
        return snprintf(r->error, r->size, "no memory"), 1;
    }
    return 0;
}

static int read_kernels(const struct lng_given *g, struct lng_options *o, char *error,
                        size_t size)
{
    const int all = g->impl_count == 0;
    const int n = all ? (int)lng_kernels_count : g->impl_count;
    o->run.kernels = calloc((size_t)n, sizeof *o->run.kernels);
    if (!o->run.kernels)
        return snprintf(error, size, "no memory"), -1;
    for (int i = 0; i < n; i++) {
        const char *id = all ? lng_kernels[i].id : g->impl[i];
        const struct lng_kernel *k = lng_kernel_find(id);
        if (!k)
            k = lng_mutant_find(id);
        if (!k)
            return snprintf(error, size, "--impl %s: no such kernel (--list shows them)",
                            id),
                   -1;
        if (!all && !lng_has_cores(k, o->run.mask))
            return snprintf(error, size,
                            "--cores 0x%" PRIx32 ": %s has %d cores, expected 0x1 to "
                            "0x%" PRIx32,
                            o->run.mask, id, k->cores, lng_all_cores(k)),
                   -1;
        for (int before = 0; before < o->run.kernels_count; before++)
            if (o->run.kernels[before] == k)
                return snprintf(error, size, "--impl %s: named twice", id), -1;
        o->run.kernels[o->run.kernels_count++] = k;
    }
    return 0;
}

static int keep_dtype(struct lng_suite *suite, lng_dtype dtype)
{
    int kept = 0;
    for (int i = 0; i < suite->count; i++)
        if (suite->sources[i].spec.dtype == dtype)
            suite->sources[kept++] = suite->sources[i];
    suite->count = kept;
    return 0;
}

/* What the words mean on their own. */
static int read_words(const struct lng_given *g, struct lng_options *o, char *error,
                      size_t size)
{
    struct lng_run *run = &o->run;
    int64_t value;
    lng_dtype dtype;
    if (g->dtype && !dtype_of(g->dtype, &dtype))
        return snprintf(error, size, "--dtype %s: expected fp32 or fp16", g->dtype), -1;
    for (int i = 0; i < g->entry_count; i++) {
        const unsigned before = run->entries;
        for (enum lng_entry e = LNG_GENERAL; e < LNG_ENTRIES; e++)
            if (strcmp(g->entries[i], lng_entry_name[e]) == 0)
                run->entries |= 1u << e;
        if (run->entries == before)
            return snprintf(error, size,
                            "--entry %s: expected s, p or general, each once",
                            g->entries[i]),
                   -1;
    }
    if (!g->entry_count)
        run->entries = (1u << LNG_ENTRIES) - 1;
    run->mask = 1;
    if (g->cores) {
        if (!whole(g->cores, 1, LNG_ALL_CORES, &value))
            return snprintf(error, size, "--cores %s: expected a mask, 0x1 to 0x7fffffff",
                            g->cores),
                   -1;
        if (run->entries == 1u << LNG_P)
            return snprintf(error, size, "--cores %s: the entry p has no mask", g->cores),
                   -1;
        run->mask = (uint32_t)value;
    }
    run->timeout = 2;
    if (g->timeout && (!number(g->timeout, &run->timeout) ||
                       !(run->timeout > 0 && run->timeout <= 86400)))
        return snprintf(error, size, "--timeout %s: expected seconds above 0",
                        g->timeout),
               -1;
    run->jobs = lng_processors();
    if (g->jobs) {
        if (!whole(g->jobs, 1, 1024, &value))
            return snprintf(error, size, "--jobs %s: expected 1 to 1024", g->jobs), -1;
        run->jobs = (int)value;
    }
    run->tolerance = -1;
    if (g->tolerance && strcmp(g->tolerance, "class") != 0) {
        run->tolerance = strcmp(g->tolerance, "half") == 0 ? LNG_HALF : LNG_SINGLE;
        if (run->tolerance == LNG_SINGLE && strcmp(g->tolerance, "single") != 0)
            return snprintf(error, size, "--tolerance %s: expected class, single or half",
                            g->tolerance),
                   -1;
    }
    o->color = isatty(STDOUT_FILENO);
    if (g->color) {
        o->color = strcmp(g->color, "always") == 0 ||
                   (o->color && strcmp(g->color, "auto") == 0);
        if (!o->color && strcmp(g->color, "never") != 0 && strcmp(g->color, "auto") != 0)
            return snprintf(error, size, "--color %s: expected never, always or auto",
                            g->color),
                   -1;
    }
    return 0;
}

/* Which problems are judged, and whether the words fit together. */
static int read_problems(const struct lng_given *g, struct lng_options *o, char *error,
                         size_t size)
{
    const int one = g->shape || g->sizes;
    if ((g->shape && g->sizes) || (one && g->suite) || (one && g->case_count) ||
        (g->suite && g->case_count))
        return snprintf(error, size,
                        "expected one of --shape, --sizes, --suite and --case"),
               -1;
    if (!one && (g->input || g->seed || g->epsilon))
        return snprintf(error, size, "%s goes with --shape or --sizes",
                        g->input  ? "--input"
                        : g->seed ? "--seed"
                                  : "--epsilon"),
               -1;
    o->seed = suite_seed;
    o->run.suite = &o->problems;
    if (one) {
        struct lng_spec spec;
        o->suite = "custom";
        o->run.thorough = 1;
        if (!g->entry_count)
            o->run.entries = 1u << LNG_GENERAL;
        if (read_problem(g, o, &spec, error, size) != 0)
            return -1;
        o->seed = spec.seed;
        return lng_suite_add(&o->problems, &(struct lng_source){.spec = spec});
    }
    if (g->case_count) {
        struct reading r = {o, g, error, size};
        o->suite = "custom";
        o->run.thorough = 1;
        for (int i = 0; i < g->case_count; i++)
            if (lng_data_find(g->cases[i], read_file, &r, error, size) != 0)
                return -1;
        return 0;
    }
    o->suite = g->suite ? g->suite : "sweep";
    lng_dtype dtype;
    if (lng_suite_make(o->suite, suite_seed, &o->problems) != 0)
        return snprintf(error, size, "--suite %s: expected smoke, sweep or full",
                        o->suite),
               -1;
    if (g->dtype && dtype_of(g->dtype, &dtype))
        keep_dtype(&o->problems, dtype);
    o->mutants = !g->impl_count && !g->dtype && !g->entry_count && o->run.tolerance < 0;
    return 0;
}

int lng_options_read(struct lng_options *o, int argc, char **argv, char *error,
                     size_t size)
{
    *o = (struct lng_options){0};
    struct lng_given g;
    int failed = lng_given_read(&g, o, argc, argv, error, size) != 0;
    if (!failed && !o->help && !o->list)
        failed = read_words(&g, o, error, size) != 0 ||
                 read_kernels(&g, o, error, size) != 0 ||
                 read_problems(&g, o, error, size) != 0;
    lng_given_free(&g);
    return failed ? -1 : 0;
}

void lng_options_free(struct lng_options *o)
{
    lng_suite_free(&o->problems);
    lng_suite_free(&o->planted_on);
    free(o->run.kernels);
}
