/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* readlink */
#include "verify/call.h"

#include <assert.h>
#include <dlfcn.h>
#include <fenv.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/arch.h"
#include "verify/jobs.h"

const char *const lng_entry_name[LNG_ENTRIES] = {"general", "s", "p"};

enum {
    GENERAL = 1 << LNG_GENERAL,
    S = 1 << LNG_S,
    P = 1 << LNG_P,
    ALL = GENERAL | S | P
};
enum { DX = 1 << LNG_DX, DG = 1 << LNG_DG, DB = 1 << LNG_DB };

/* Masks and workers beyond the processors are legal and must not matter. The caller that
 * rounds in its own way asks for more workers than any before it, so that new threads
 * inherit that. */
/* clang-format off */
const struct lng_way lng_ways[] = {
    {.name = "plain", .fill = 0xff, .entries = ALL},
    {.name = "2 workers", .workers = 2, .fill = 0x55, .entries = GENERAL},
    {.name = "3 workers", .workers = 3, .place = LNG_AT_START, .entries = GENERAL},
    {.name = "7 workers", .workers = 7, .fill = 0xff, .place = LNG_SHIFTED, .entries = GENERAL},
    {.name = "core mask 0x1", .mask = 0x1, .fill = 0x3c, .allocates = 1, .entries = GENERAL | S},
    {.name = "core mask 0x2", .mask = 0x2, .place = LNG_AT_START, .entries = S},
    {.name = "the first eight cores", .mask = 0xff, .fill = 0x3c, .entries = GENERAL | S},
    {.name = "every core", .mask = LNG_ALL_CORES, .fill = 0xff, .entries = S},
    {.name = "only dx", .outputs = DX, .fill = 0x3c, .entries = ALL},
    {.name = "only dg", .outputs = DG, .workers = 2, .fill = 0x3c, .entries = GENERAL},
    {.name = "only db", .outputs = DB, .fill = 0xff, .entries = GENERAL | P},
    {.name = "no dx", .outputs = DG | DB, .fill = 0xff, .entries = GENERAL | S},
    {.name = "no dg", .outputs = DX | DB, .workers = 3, .entries = GENERAL},
    {.name = "no db", .outputs = DX | DG, .fill = 0x3c, .entries = GENERAL | P},
    {.name = "dx is x", .in_place = 1, .fill = 0x3c, .entries = ALL},
    {.name = "dx is dy, 2 workers", .in_place = 2, .workers = 2, .entries = GENERAL},
    {.name = "dx is dy", .in_place = 2, .entries = S | P},
    {.name = "start-aligned", .place = LNG_AT_START, .fill = 0x55, .entries = S | P},
    {.name = "one element off", .place = LNG_SHIFTED, .fill = 0xff, .entries = S | P},
    {.name = "11 workers, caller rounds upward and flushes", .rough = 1, .workers = 11,
     .fill = 0x55, .entries = GENERAL},
    {.name = "caller rounds upward and flushes", .rough = 1, .fill = 0x55, .entries = S | P},
    {.name = "core mask 0xa", .mask = 0xa, .fill = 0x55, .entries = GENERAL | S},
    {.name = "every core mask", .every_mask = 1, .fill = 0xff, .entries = GENERAL | S},
    {.name = "chip flushes subnormals", .flushes = 1, .fill = 0xff, .entries = GENERAL},
};
/* clang-format on */
const int lng_ways_count = sizeof lng_ways / sizeof *lng_ways;

int lng_is_dsp(const struct lng_kernel *kernel)
{
    return kernel->cores <= 8;
}

int lng_way_suits(const struct lng_way *way, const struct lng_kernel *kernel,
                  enum lng_entry entry)
{
    return (way->entries >> entry & 1) &&
           !((way->every_mask || way->flushes) && !lng_is_dsp(kernel));
}

int lng_has_cores(const struct lng_kernel *kernel, uint32_t mask)
{
    return mask == LNG_ALL_CORES || !(mask & ~lng_all_cores(kernel));
}

/* Beside the program first, as in the build and under any prefix: the run path that says
 * so too is lost where a sanitizer opens it in the program's stead. */
static void *open_library(const char *target)
{
    const int host = lng_on_host(target);
    char program[PATH_MAX], name[64], path[PATH_MAX + 8 + sizeof name];
    void *library = NULL;
    snprintf(name, sizeof name, "liblayernormgrad%s%s.so." SOVERSION, host ? "" : "_",
             host ? "" : target);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        *strrchr(program, '/') = 0;
        snprintf(path, sizeof path, "%s/../lib/%s", program, name);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library ? library : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

int lng_caller_open(struct lng_caller *c, char *error, size_t size)
{
    for (size_t i = 0; i < lng_kernels_count; i++) {
        const char *target = lng_kernels[i].target;
        if (i > 0 && strcmp(target, lng_kernels[i - 1].target) == 0)
            continue;
        assert(c->targets_count < LNG_MOST_TARGETS);
        c->targets[c->targets_count].library = open_library(target);
        if (!c->targets[c->targets_count].library)
            return snprintf(error, size, "%s", dlerror()), -1;
        c->targets[c->targets_count++].target = target;
    }
    return 0;
}

static void *library_of(const struct lng_caller *c, const struct lng_kernel *kernel)
{
    int i = 0;
    while (strcmp(c->targets[i].target, kernel->target) != 0)
        i++;
    return c->targets[i].library;
}

void lng_caller_free(struct lng_caller *caller)
{
    for (int i = 0; i < 5; i++)
        lng_buffer_free(&caller->input[i]);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        lng_buffer_free(&caller->output[o]);
    lng_buffer_free(&caller->workspace);
    while (caller->targets_count > 0)
        dlclose(caller->targets[--caller->targets_count].library);
}

int lng_can_call(const struct lng_kernel *kernel, enum lng_entry entry,
                 const lng_problem *p)
{
    return entry == LNG_GENERAL ||
           (lng_kernel_find(kernel->id) == kernel && p->block_num > 0 && p->gamma &&
            p->block_num * p->block_size <= INT_MAX);
}

/* A function of the library, through the object representation that POSIX asks for. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

/* The documented calls by any tensor type: half and float pointers pass alike. */
typedef void documented_s(const void *x, const void *dy, const void *var,
                          const void *mean, const void *gamma, int param_num,
                          int param_size, int block_num, int block_size, void *dx,
                          void *dg, void *db, int core_mask);
typedef void documented_p(const void *x, const void *dy, const void *var,
                          const void *mean, const void *gamma, int param_num,
                          int param_size, int block_num, int block_size, void *dx,
                          void *dg, void *db);

static lng_status call_documented(void *library, const char *id, enum lng_entry entry,
                                  const lng_problem *p, const char **text)
{
    lng_status (*set_epsilon)(double);
    lng_status (*force)(const char *);
    lng_status (*last)(void);
    const char *(*status_text)(void);
    find(library, "lng_set_epsilon", &set_epsilon);
    find(library, "lng_force_kernel", &force);
    find(library, "lng_last_status", &last);
    find(library, "lng_status_text", &status_text);
    if (set_epsilon(p->epsilon) == LNG_OK && force(id) == LNG_OK) {
        const int sizes[] = {(int)p->param_num, (int)p->param_size, (int)p->block_num,
                             (int)p->block_size};
        if (entry == LNG_S) {
            documented_s *call;
            find(library,
                 p->dtype == LNG_F16 ? "hp_layernormgrad_s" : "fp_layernormgrad_s",
                 &call);
            call(p->x, p->dy, p->var, p->mean, p->gamma, sizes[0], sizes[1], sizes[2],
                 sizes[3], p->dx, p->dg, p->db, (int)p->core_mask);
        } else {
            documented_p *call;
            find(library,
                 p->dtype == LNG_F16 ? "hp_layernormgrad_p" : "fp_layernormgrad_p",
                 &call);
            call(p->x, p->dy, p->var, p->mean, p->gamma, sizes[0], sizes[1], sizes[2],
                 sizes[3], p->dx, p->dg, p->db);
        }
    }
    *text = status_text();
    return last();
}

/* The environment of a caller with habits of its own; the kernel must neither suffer from
 * it nor lose it. */
struct habits {
    fenv_t found;
    lng_fp_state taken;
};

static void take_habits(struct habits *h)
{
    fegetenv(&h->found);
    fesetround(FE_UPWARD);
    h->taken = (lng_fp_enter() | LNG_FP_FLUSH) & ~(lng_fp_state)LNG_FP_RAISED;
    lng_fp_leave(h->taken);
}

static int drop_habits(const struct habits *h)
{
    const int rounds_upward = fegetround() == FE_UPWARD;
    const lng_fp_state kept = lng_fp_enter() & ~(lng_fp_state)LNG_FP_RAISED;
    fesetenv(&h->found);
    return rounds_upward && kept == h->taken;
}

static int run(struct lng_caller *c, const struct lng_kernel *kernel,
               enum lng_entry entry, const lng_problem *p, const struct lng_way *way,
               char *error, size_t size)
{
    struct habits habits = {0};
    const char *text = "";
    lng_status status;
    int kept = 1;
    if (c->clock)
        atomic_store(c->clock, lng_monotonic_ns());
    if (way->rough)
        take_habits(&habits);
    if (entry == LNG_GENERAL) {
        status = lng_call(kernel, p, 0);
        text = lng_status_text();
    } else {
        status = call_documented(library_of(c, kernel), kernel->id, entry, p, &text);
    }
    if (way->rough)
        kept = drop_habits(&habits);
    if (c->clock)
        atomic_store(c->clock, 0);
    if (status != LNG_OK)
        return snprintf(error, size, "status %d: %s", (int)status, text), -1;
    if (!kept)
        return snprintf(error, size, "the caller's rounding or flush mode was changed"),
               -1;
    return 0;
}

static int damaged(const struct lng_buffer *b, const char *name, char *error, size_t size)
{
    const ptrdiff_t at = lng_buffer_damage(b);
    return at ? snprintf(error, size, "wrote outside %s, at byte %td of its %zu", name,
                         at, b->bytes),
           -1 : 0;
}

static const char *const input_name[] = {"x", "dy", "mean", "var", "gamma"};

static int check_after(const struct lng_caller *c, const void *const original[5],
                       const struct lng_way *way, char *error, size_t size)
{
    for (int i = 0; i < 5; i++) {
        const struct lng_buffer *b = &c->input[i];
        if (!original[i])
            continue;
        if (damaged(b, input_name[i], error, size))
            return -1;
        if (i != way->in_place - 1 && memcmp(b->data, original[i], b->bytes) != 0)
            return snprintf(error, size, "changed its input %s", input_name[i]), -1;
    }
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++)
        if (c->output[o].data && damaged(&c->output[o], lng_output_name[o], error, size))
            return -1;
    if (c->workspace.data)
        return damaged(&c->workspace, "its workspace", error, size);
    return 0;
}

int lng_do_call(struct lng_caller *c, const struct lng_kernel *kernel,
                enum lng_entry entry, const struct lng_data *data, uint32_t mask,
                const struct lng_way *way, char *error, size_t size)
{
    static const char no_memory[] = "no memory for the buffers";
    lng_problem p = data->problem;
    const size_t element = lng_dtype_size(p.dtype);
    const size_t elements = (size_t)(p.block_num * p.block_size);
    const void *const original[] = {p.x, p.dy, p.mean, p.var, p.gamma};
    const size_t lengths[] = {elements, elements, (size_t)p.block_num,
                              (size_t)p.block_num, (size_t)p.param_num};
    const void *laid[5] = {NULL};
    for (int i = 0; i < 5; i++) {
        if (!original[i])
            continue;
        char *to =
            lng_buffer_lay(&c->input[i], lengths[i] * element, element, way->place, 0xa5);
        if (!to)
            return snprintf(error, size, no_memory), -1;
        memcpy(to, original[i], lengths[i] * element);
        laid[i] = to;
    }
    void *out[LNG_OUTPUTS] = {NULL};
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        c->output[o].data = NULL;
        if (way->outputs && !(way->outputs >> o & 1))
            continue;
        const size_t bytes = (size_t)lng_output_length(&p, o) * element;
        out[o] = lng_buffer_lay(&c->output[o], bytes, element, way->place, way->fill);
        if (!out[o])
            return snprintf(error, size, no_memory), -1;
    }
    p.x = laid[0];
    p.dy = laid[1];
    p.mean = laid[2];
    p.var = laid[3];
    p.gamma = laid[4];
    p.dx = way->in_place ? c->input[way->in_place - 1].data : out[LNG_DX];
    p.dg = out[LNG_DG];
    p.db = out[LNG_DB];
    p.core_mask = way->mask ? way->mask & lng_all_cores(kernel) : mask;
    p.workers = way->workers < kernel->cores ? way->workers : kernel->cores;
    c->workspace.data = NULL;
    if (entry == LNG_GENERAL && !way->allocates) {
        const struct lng_plan plan = lng_plan_make(
            kernel->grain, p.param_num, p.param_size, p.block_num, p.block_size);
        p.workspace_size = kernel->workspace(&plan);
        /* Flush against the fence where its size is a multiple of its alignment. */
        p.workspace = lng_buffer_lay(&c->workspace, (p.workspace_size + 63) / 64 * 64, 64,
                                     LNG_AT_END, way->fill);
        if (!p.workspace)
            return snprintf(error, size, no_memory), -1;
    }
    if (way->flushes)
        lng_model_flush(1);
    const int failed = run(c, kernel, entry, &p, way, error, size);
    if (way->flushes)
        lng_model_flush(0);
    if (failed || check_after(c, original, way, error, size) != 0)
        return -1;
    if (way->in_place)
        memcpy(out[LNG_DX], p.dx, elements * element);
    return 0;
}
