/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sched_yield */
#include "model/machine.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/workers.h"

_Thread_local struct lng_core *lng_self;

struct lng_core_inside *lng_core_inside(void)
{
    return (struct lng_core_inside *)lng_self;
}

void lng_leave(struct lng_core_inside *core, lng_status status, const char *format, ...)
{
    struct lng_machine *m = core->machine;
    if (!m->failed) {
        const int n = snprintf(m->finding, sizeof m->finding,
                               "%s core %d: ", m->call->kernel, core->number);
        va_list values;
        va_start(values, format);
        vsnprintf(m->finding + n, sizeof m->finding - (size_t)n, format, values);
        va_end(values);
        m->failed = status;
    }
    longjmp(core->out, 1);
}

/* ---- Turns */

/* The turn goes to the next core that can go on, in the order of numbers from this one
 * on; where none can, those that wait at a barrier wait for ever. */
static void pass_turn(struct lng_core_inside *core)
{
    struct lng_machine *m = core->machine;
    int next = -1;
    for (int i = 1; i <= LNG_MOST_CORES && next < 0; i++) {
        const int c = (core->number + i) % LNG_MOST_CORES;
        if (m->cores[c].state == LNG_READY)
            next = c;
    }
    pthread_mutex_lock(&m->lock);
    atomic_store(&m->turn, next);
    if (next >= 0)
        pthread_cond_signal(&m->cores[next].turn);
    pthread_mutex_unlock(&m->lock);
}

/* Waking a thread takes longer than most turns, so one that waits offers its processor to
 * the others for a while before it sleeps: a call of 8 cores with 2 barriers takes 120 us
 * on 2 processors of a virtual machine, and 510 us where they sleep at once. */
enum { YIELDS = 100 };

static void await_turn(struct lng_core_inside *core)
{
    struct lng_machine *m = core->machine;
    for (int i = 0; i < YIELDS && atomic_load(&m->turn) != core->number; i++)
        sched_yield();
    if (atomic_load(&m->turn) == core->number)
        return;
    pthread_mutex_lock(&m->lock);
    while (atomic_load(&m->turn) != core->number)
        pthread_cond_wait(&core->turn, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

/* Nobody can go on, and these wait: for one of the mask that never comes. */
static void find_lost_barrier(struct lng_machine *m)
{
    const struct lng_core_inside *waiting = NULL, *missing = NULL;
    for (int c = 0; c < LNG_MOST_CORES; c++) {
        const struct lng_core_inside *core = &m->cores[c];
        if (core->state == LNG_READY)
            return;
        if (core->state == LNG_WAITING && !waiting)
            waiting = core;
        if (core->state == LNG_RETURNED && core->member && !missing)
            missing = core;
    }
    if (!waiting)
        return;
    if (!m->failed)
        snprintf(m->finding, sizeof m->finding,
                 "%s core %d: waits at barrier %llu, which core %d never reaches: it %s",
                 m->call->kernel, waiting->number,
                 (unsigned long long)m->report.cores[waiting->number].barriers,
                 missing->number,
                 missing->face.checked < 0 ? "was not started" : "returned");
    m->failed = LNG_MODEL_FAULT;
    for (int c = 0; c < LNG_MOST_CORES; c++)
        if (m->cores[c].state == LNG_WAITING)
            m->cores[c].state = LNG_READY;
}

void lng_port_barrier(uint32_t mask)
{
    struct lng_core_inside *core = lng_core_inside();
    struct lng_machine *m = core->machine;
    if (!core->member)
        lng_finding(core, "waits at a barrier and is not in the mask %#x", m->call->mask);
    if (mask != m->call->mask)
        lng_finding(core, "waits at a barrier of the cores %#x, the call is of %#x", mask,
                    m->call->mask);
    lng_settle(core);
    m->report.cores[core->number].barriers++;
    core->state = LNG_WAITING;
    double latest = 0;
    int all = 1;
    for (int c = 0; c < LNG_MOST_CORES; c++)
        if (m->cores[c].member) {
            all &= m->cores[c].state == LNG_WAITING;
            latest = m->cores[c].clock > latest ? m->cores[c].clock : latest;
        }
    if (all) {
        m->epoch++;
        m->accesses_count = 0;
        latest += m->call->chip->barrier;
        for (int c = 0; c < LNG_MOST_CORES; c++)
            if (m->cores[c].member) {
                m->report.cores[c].stalled += latest - m->cores[c].clock;
                m->cores[c].clock = latest;
                m->cores[c].state = LNG_READY;
            }
        return;
    }
    find_lost_barrier(m);
    if (core->state == LNG_WAITING) {
        pass_turn(core);
        await_turn(core);
    }
    if (m->failed)
        longjmp(core->out, 1);
}

/* ---- The program of one core */

static void run_program(struct lng_core_inside *core)
{
    const struct lng_model_call *call = core->machine->call;
    call->program(call->arg);
    lng_settle(core);
    if (!call->checked)
        return;
    if (!core->member && core->clock > 0)
        lng_finding(core, "computes and is not in the mask %#x", call->mask);
    lng_end_transfers(core);
    lng_end_scratch(core);
}

static void run_core(void *arg, int w)
{
    struct lng_machine *m = arg;
    struct lng_core_inside *core = &m->cores[m->started[w]];
    await_turn(core);
    lng_self = &core->face;
    if (!m->failed)
        if (setjmp(core->out) == 0)
            run_program(core);
    lng_self = NULL;
    core->state = LNG_RETURNED;
    find_lost_barrier(m);
    pass_turn(core);
}

int lng_port_core(void)
{
    return lng_core_inside()->number;
}

/* ---- Machines. The thread keeps its own for the next call, and frees it when it ends.
 */

static _Thread_local struct lng_machine *kept;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void free_machine(void *machine)
{
    struct lng_machine *m = machine;
    for (int c = 0; c < LNG_MOST_CORES; c++)
        pthread_cond_destroy(&m->cores[c].turn);
    pthread_mutex_destroy(&m->lock);
    free(m->lines);
    free(m->accesses);
    free(m->scratch);
    free(m);
    kept = NULL;
}

static void make_key(void)
{
    pthread_key_create(&key, free_machine);
}

static struct lng_machine *take_machine(void)
{
    pthread_once(&key_once, make_key);
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        if (!kept)
            return NULL;
        pthread_mutex_init(&kept->lock, NULL);
        for (int c = 0; c < LNG_MOST_CORES; c++)
            pthread_cond_init(&kept->cores[c].turn, NULL);
        pthread_setspecific(key, kept);
    }
    return kept;
}

/* The memory, or other with room for so many bytes, in which is nothing of the first;
 * NULL: there is none. */
static void *make_room(void *memory, size_t *room, size_t bytes)
{
    if (bytes <= *room)
        return memory;
    free(memory);
    memory = aligned_alloc(LNG_SCRATCH_LINE, (bytes + LNG_SCRATCH_LINE - 1) /
                                                 LNG_SCRATCH_LINE * LNG_SCRATCH_LINE);
    *room = memory ? bytes : 0;
    return memory;
}

/* An area: lines first, then the memory with its fences. */
static size_t area_lines(size_t capacity)
{
    return capacity / LNG_SCRATCH_LINE + LNG_MOST_BLOCKS + 1;
}

static size_t area_room(size_t capacity)
{
    const size_t lines = area_lines(capacity);
    return (lines * sizeof(uint16_t) + LNG_SCRATCH_LINE - 1) / LNG_SCRATCH_LINE *
               LNG_SCRATCH_LINE +
           lines * LNG_SCRATCH_LINE;
}

static unsigned char *lay_out_area(struct lng_area *a, const char *name, size_t capacity,
                                   unsigned char *p)
{
    const size_t lines = area_lines(capacity);
    a->name = name;
    a->lines = (void *)p;
    a->size = lines * LNG_SCRATCH_LINE;
    a->base = p + area_room(capacity) - a->size;
    memset(a->lines, 0, lines * sizeof *a->lines);
    return a->base + a->size;
}

static int lay_out_scratch(struct lng_machine *m)
{
    const struct lng_chip *chip = m->call->chip;
    const size_t vector = (size_t)chip->vector_scratch;
    const size_t scalar = (size_t)chip->scalar_scratch;
    const size_t a_core = area_room(vector) + (scalar ? area_room(scalar) : 0);
    m->scratch = make_room(m->scratch, &m->scratch_room, a_core * (size_t)m->starts);
    if (!m->scratch)
        return 0;
    unsigned char *p = m->scratch;
    for (int i = 0; i < m->starts; i++) {
        struct lng_core_inside *core = &m->cores[m->started[i]];
        const size_t taken = lng_device_private(core->number);
        struct lng_area *areas = core->face.areas;
        core->pools[LNG_VECTOR_AREA] = (struct lng_pool){
            .capacity = (vector - taken) / LNG_SCRATCH_LINE * LNG_SCRATCH_LINE};
        core->pools[LNG_SCALAR_AREA] = (struct lng_pool){.capacity = scalar};
        p = lay_out_area(&areas[LNG_VECTOR_AREA], scalar ? "vector scratch" : "scratch",
                         vector, p);
        areas[LNG_SCALAR_AREA] = areas[LNG_VECTOR_AREA];
        if (scalar)
            p = lay_out_area(&areas[LNG_SCALAR_AREA], "scalar scratch", scalar, p);
    }
    return 1;
}

/* Nobody has written a workspace yet: what is in it is as good as nothing. */
static int lay_out_workspaces(struct lng_machine *m)
{
    size_t lines = 0;
    for (int b = 0; b < LNG_MOST_BUFFERS; b++) {
        const struct lng_model_buffer *buffer = &m->call->buffers[b];
        m->first_line[b] = lines;
        if (!buffer->name || buffer->use != LNG_WORKSPACE)
            continue;
        lines += buffer->bytes / LNG_SCRATCH_LINE + 2;
        if (m->call->checked)
            lng_fill((void *)(uintptr_t)buffer->start, buffer->bytes);
    }
    m->lines = make_room(m->lines, &m->lines_room, lines * sizeof *m->lines);
    if (m->lines)
        memset(m->lines, 0, lines * sizeof *m->lines);
    return !lines || m->lines;
}

static void begin_cores(struct lng_machine *m)
{
    const struct lng_model_call *call = m->call;
    const uint32_t launch = call->launch ? call->launch : call->mask;
    m->starts = 0;
    for (int c = 0; c < LNG_MOST_CORES; c++) {
        struct lng_core_inside *core = &m->cores[c];
        const int starts = (int)(launch >> c & 1);
        core->machine = m;
        core->number = c;
        core->member = (int)(call->mask >> c & 1);
        core->state = starts ? LNG_READY : LNG_RETURNED;
        core->face.checked = starts ? call->checked != 0 : -1;
        core->face.flush = call->chip->flushes > 0 && lng_model_flushes();
        core->face.gradual = call->chip->gradual_underflow > 0;
        core->face.seed_bits = (int)call->chip->seed_bits;
        memset(core->face.operations, 0, sizeof core->face.operations);
        memset(core->settled, 0, sizeof core->settled);
        memset(core->flights, 0, sizeof core->flights);
        core->clock = core->engine = 0;
        if (starts)
            m->started[m->starts++] = c;
    }
}

static int cores_in(uint32_t mask)
{
    int n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

static void end_report(struct lng_machine *m)
{
    for (int c = 0; c < LNG_MOST_CORES; c++) {
        memcpy(m->report.cores[c].operations, m->cores[c].face.operations,
               sizeof m->report.cores[c].operations);
        if (m->cores[c].clock > m->report.cycles)
            m->report.cycles = m->cores[c].clock;
    }
}

static lng_status no_memory(const struct lng_chip *chip)
{
    return lng_report(LNG_NO_MEMORY, "no memory for the model of %s", chip->name);
}

static lng_status run(struct lng_machine *m)
{
    const struct lng_model_call *call = m->call;
    const uint32_t cores = (1u << (unsigned)call->chip->cores) - 1;
    char wrong[200];
    if (!call->mask || (call->mask | call->launch) & ~cores)
        return lng_report(LNG_BAD_MASK,
                          "mask %#x, launched %#x: cores of %#x were expected",
                          call->mask, call->launch, cores);
    m->epoch = 1;
    m->failed = LNG_OK;
    m->ddr_share = call->chip->ddr_bandwidth / cores_in(call->mask);
    begin_cores(m);
    lng_find_written(m);
    if (lng_place_buffers(m, wrong))
        return lng_report(LNG_MODEL_FAULT, "%s: %s", call->kernel, wrong);
    if (!lay_out_scratch(m) || !lay_out_workspaces(m))
        return no_memory(call->chip);
    atomic_store(&m->turn, m->started[0]);
    if (lng_workers_run(m->starts, run_core, m) != 0)
        return lng_report(LNG_BAD_WORKERS, "%d cores could not be started", m->starts);
    end_report(m);
    return lng_report(m->failed, m->failed ? "%s" : NULL, m->finding);
}

lng_status lng_model_run(const struct lng_model_call *call,
                         struct lng_model_report *report)
{
    const struct lng_model_report nothing = {.chip = call->chip, .mask = call->mask};
    struct lng_machine *m = take_machine();
    if (report)
        *report = nothing;
    if (!m)
        return no_memory(call->chip);
    m->call = call;
    m->report = nothing;
    const lng_status status = run(m);
    if (report)
        *report = m->report;
    return status;
}

const struct lng_model_report *lng_model_last(void)
{
    return kept ? &kept->report : NULL;
}
