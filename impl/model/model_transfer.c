/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers. One that is in flight has not happened: the destination is filled with NaN,
 * and at the wait, when it must not have been touched, nor the source have changed, the
 * bytes are copied. Lines of scratch with a transfer in flight are marked, so that
 * accesses to all others cost one comparison.
 */
#include "model/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Runs */

/* The same bytes, in ascending order; runs in one place are one run. */
static struct lng_runs ascending(struct lng_runs r)
{
    if (r.count > 1 && r.pitch < 0) {
        r.start = lng_run_at(&r, r.count - 1);
        r.pitch = -r.pitch;
    }
    if (r.pitch == 0)
        r.count = 1;
    return r;
}

static uintptr_t end_of(const struct lng_runs *ascending)
{
    return lng_run_at(ascending, ascending->count - 1) + ascending->bytes;
}

int lng_runs_meet(const struct lng_runs *first, const struct lng_runs *second)
{
    const struct lng_runs a = ascending(*first), b = ascending(*second);
    if (a.start >= end_of(&b) || b.start >= end_of(&a))
        return 0;
    for (size_t k = 0; k < a.count; k++) {
        const uintptr_t lo = lng_run_at(&a, k), hi = lo + a.bytes;
        /* The first run of b that ends above lo. */
        size_t i = 0;
        if (b.count > 1 && lo >= b.start + b.bytes)
            i = (lo - b.start - b.bytes) / (size_t)b.pitch + 1;
        if (i < b.count && lng_run_at(&b, i) < hi && lng_run_at(&b, i) + b.bytes > lo)
            return 1;
    }
    return 0;
}

const char *lng_name_flight(const struct lng_core_inside *core,
                            const struct lng_flight *f, char text[48])
{
    snprintf(text, 48, "transfer %" PRIu64 " (channel %d)", f->number,
             (int)(f - core->flights));
    return text;
}

/* ---- Where a side lies */

/* Of a buffer that holds the first byte, or, adjacent, lies where the runs go on. */
static void find_in_buffer(struct lng_core_inside *core, const struct lng_flight *what,
                           int write, const struct lng_runs *r, int adjacent)
{
    for (int b = 0; b < LNG_MOST_BUFFERS; b++) {
        const struct lng_model_buffer *buffer = &core->machine->call->buffers[b];
        const uintptr_t start = (uintptr_t)buffer->start, end = start + buffer->bytes;
        const int inside = r->start >= start && r->start < end;
        const char *verb = write ? "writes" : "reads";
        if (!buffer->name || (!inside && !adjacent) || end_of(r) <= start ||
            r->start > end)
            continue;
        if (inside && end_of(r) <= end)
            lng_finding(core, "%s %s %s, which is an %s", lng_flight_name(core, what),
                        write ? "writes into" : "reads from", buffer->name,
                        write ? "input" : "output");
        if (r->start < start)
            lng_finding(core, "%s %s %zu bytes before %s", lng_flight_name(core, what),
                        verb, (size_t)(start - r->start), buffer->name);
        lng_finding(core, "%s %s %zu bytes beyond %s", lng_flight_name(core, what), verb,
                    (size_t)(end_of(r) - end), buffer->name);
    }
}

static _Noreturn void find_stray(struct lng_core_inside *core,
                                 const struct lng_flight *what, int write,
                                 const struct lng_runs *r)
{
    const struct lng_machine *m = core->machine;
    char does[64];
    snprintf(does, sizeof does, "%s %s", lng_flight_name(core, what),
             write ? "writes" : "reads");
    for (int kind = 0; kind < LNG_AREAS; kind++) {
        const struct lng_area *area = &core->face.areas[kind];
        const size_t at = r->start - (uintptr_t)area->base;
        if (at < area->size)
            lng_find_outside(core, does, area,
                             lng_pool_of(core, (enum lng_area_kind)kind), at,
                             end_of(r) - r->start);
    }
    find_in_buffer(core, what, write, r, 0);
    find_in_buffer(core, what, write, r, 1);
    for (int i = 0; i < m->starts; i++)
        for (int kind = 0; kind < LNG_AREAS; kind++) {
            const struct lng_area *area = &m->cores[m->started[i]].face.areas[kind];
            if (r->start - (uintptr_t)area->base < area->size)
                lng_finding(core, "%s outside its own scratch, in %s of core %d", does,
                            area->name, m->started[i]);
        }
    lng_finding(core, "%s what is no tensor, workspace or scratch", does);
}

static struct lng_side place(struct lng_core_inside *core, const struct lng_flight *what,
                             int write, struct lng_runs runs)
{
    struct lng_side side = {.runs = runs, .buffer = -1};
    const struct lng_runs r = ascending(runs);
    const size_t extent = end_of(&r) - r.start;
    for (int kind = 0; kind < LNG_AREAS; kind++) {
        struct lng_area *area = &core->face.areas[kind];
        const size_t at = r.start - (uintptr_t)area->base;
        if (at < area->size &&
            lng_block_of(lng_pool_of(core, (enum lng_area_kind)kind), at, extent) >= 0) {
            side.area = area;
            return side;
        }
    }
    for (int b = 0; b < LNG_MOST_BUFFERS; b++) {
        const struct lng_model_buffer *buffer = &core->machine->call->buffers[b];
        const size_t at = r.start - (uintptr_t)buffer->start;
        if (buffer->name &&
            buffer->use & (LNG_WORKSPACE | (write ? LNG_OUTPUT : LNG_INPUT)) &&
            at < buffer->bytes && extent <= buffer->bytes - at) {
            side.buffer = b;
            return side;
        }
    }
    find_stray(core, what, write, &r);
}

/* ---- What is checked of a transfer at its start */

static void check_form(struct lng_core_inside *core, const struct lng_flight *what,
                       const struct lng_transfer *t)
{
    const size_t alignment = (size_t)core->machine->call->chip->dma_alignment;
    size_t together = (uintptr_t)t->to | (uintptr_t)t->from | t->bytes;
    if (!core->member)
        lng_finding(core, "%s by a core that is not in the mask %#x",
                    lng_flight_name(core, what), core->machine->call->mask);
    if (t->bytes == 0 || t->count == 0)
        lng_finding(core, "%s is of no bytes", lng_flight_name(core, what));
    if (t->count > 1)
        together |= (size_t)t->to_pitch | (size_t)t->from_pitch;
    if (together % alignment != 0)
        lng_finding(core, "%s is not aligned to %zu bytes", lng_flight_name(core, what),
                    alignment);
    if (t->count > 1 && (size_t)(t->to_pitch < 0 ? -t->to_pitch : t->to_pitch) < t->bytes)
        lng_finding(core, "%s writes its runs over each other",
                    lng_flight_name(core, what));
}

static void check_others(struct lng_core_inside *core, const struct lng_flight *what,
                         const struct lng_flight *f)
{
    if (lng_runs_meet(&f->to.runs, &f->from.runs))
        lng_finding(core, "%s writes over what it reads", lng_flight_name(core, what));
    for (int c = 0; c < LNG_CHANNELS; c++) {
        const struct lng_flight *g = &core->flights[c];
        if (!g->active)
            continue;
        if (lng_runs_meet(&f->to.runs, &g->to.runs))
            lng_finding(core, "%s writes where %s does", lng_flight_name(core, what),
                        lng_flight_name(core, g));
        if (lng_runs_meet(&f->to.runs, &g->from.runs))
            lng_finding(core, "%s writes what %s reads", lng_flight_name(core, what),
                        lng_flight_name(core, g));
        if (lng_runs_meet(&f->from.runs, &g->to.runs))
            lng_finding(core, "%s reads what %s writes", lng_flight_name(core, what),
                        lng_flight_name(core, g));
    }
}

/* Marks the lines of scratch of a side in flight, or takes the marks off. */
static void mark(const struct lng_side *side, int on)
{
    if (!side->area)
        return;
    for (size_t k = 0; k < side->runs.count; k++) {
        const size_t at = lng_run_at(&side->runs, k) - (uintptr_t)side->area->base;
        const size_t last = (at + side->runs.bytes - 1) / LNG_SCRATCH_LINE;
        for (size_t line = at / LNG_SCRATCH_LINE; line <= last; line++)
            side->area->lines[line] =
                (uint16_t)(side->area->lines[line] + (on ? 2 : -2) * LNG_LINE_WHOLE);
    }
}

static uint64_t sum_of(const struct lng_runs *r)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < r->count; k++) {
        const unsigned char *p = (const unsigned char *)lng_run_at(r, k);
        size_t i = 0;
        for (uint64_t word; i + sizeof word <= r->bytes; i += sizeof word) {
            memcpy(&word, p + i, sizeof word);
            sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        }
        for (; i < r->bytes; i++)
            sum = (sum ^ p[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/* ---- Time */

void lng_settle(struct lng_core_inside *core)
{
    const struct lng_machine *m = core->machine;
    double busy[LNG_UNITS] = {0}, longest = 0;
    for (int k = 0; k < LNG_OPERATIONS; k++) {
        const struct lng_operation *o = &m->call->chip->operations[k];
        if (core->face.operations[k] != core->settled[k])
            busy[o->unit] +=
                (double)(core->face.operations[k] - core->settled[k]) / o->per_cycle;
        core->settled[k] = core->face.operations[k];
    }
    for (int u = 0; u < LNG_UNITS; u++)
        longest = busy[u] > longest ? busy[u] : longest;
    core->clock += longest;
    core->machine->report.cores[core->number].computed += longest;
}

static double bandwidth(const struct lng_machine *m, const struct lng_side *side)
{
    const struct lng_chip *chip = m->call->chip;
    const enum lng_memory level =
        side->buffer < 0 ? LNG_PRIVATE : m->levels[side->buffer];
    return level == LNG_DDR      ? m->ddr_share
           : level == LNG_SHARED ? chip->shared_bandwidth
                                 : chip->private_bandwidth;
}

static int in_ddr(const struct lng_machine *m, const struct lng_side *side)
{
    return side->buffer >= 0 && m->levels[side->buffer] == LNG_DDR;
}

static void schedule(struct lng_core_inside *core, struct lng_flight *f)
{
    const struct lng_machine *m = core->machine;
    const struct lng_chip *chip = m->call->chip;
    struct lng_model_core_report *report = &core->machine->report.cores[core->number];
    const double to = bandwidth(m, &f->to), from = bandwidth(m, &f->from);
    const size_t bytes = f->to.runs.bytes, burst = (size_t)chip->dma_burst;
    const size_t a_run = in_ddr(m, &f->to) || in_ddr(m, &f->from)
                             ? (bytes + burst - 1) / burst * burst
                             : bytes;
    const double first = core->clock + chip->dma_latency;
    const double moving = (double)(a_run * f->to.runs.count) / (to < from ? to : from);
    f->end = (first > core->engine ? first : core->engine) + moving;
    core->engine = f->end;
    report->transferred += moving;
    report->transfers++;
    if (f->from.buffer >= 0)
        report->bytes_in += bytes * f->to.runs.count;
    if (f->to.buffer >= 0)
        report->bytes_out += bytes * f->to.runs.count;
}

/* ---- The port */

static struct lng_flight *flight_of(struct lng_core_inside *core, int channel, int active)
{
    if (channel < 0 || channel >= LNG_CHANNELS)
        lng_finding(core, "there is no channel %d", channel);
    struct lng_flight *f = &core->flights[channel];
    if (!active && f->active)
        lng_finding(core, "starts channel %d, where %s is in flight", channel,
                    lng_flight_name(core, f));
    if (active && !f->active)
        lng_finding(core, "waits for channel %d, where nothing is in flight", channel);
    return f;
}

void lng_port_start(int channel, const struct lng_transfer *t)
{
    struct lng_core_inside *core = lng_core_inside();
    struct lng_flight *f = flight_of(core, channel, 0), new = {0};
    lng_settle(core);
    f->number = new.number = core->machine->report.cores[core->number].transfers + 1;
    check_form(core, f, t);
    const struct lng_runs to = {(uintptr_t)t->to, t->bytes, t->count, t->to_pitch};
    const struct lng_runs from = {(uintptr_t)t->from, t->bytes, t->count, t->from_pitch};
    new.to = place(core, f, 1, to);
    new.from = place(core, f, 0, from);
    if (core->face.checked) {
        if (new.to.buffer >= 0 && new.from.buffer >= 0)
            lng_finding(core, "%s has no side in scratch", lng_flight_name(core, f));
        check_others(core, f, &new);
        lng_lines_read(core, f, &new);
        lng_lines_write(core, f, &new, 0);
        lng_access_tensor(core, f, &new.from, 0);
        lng_access_tensor(core, f, &new.to, 1);
        new.sum = sum_of(&new.from.runs);
        mark(&new.to, 1);
        mark(&new.from, 1);
        for (size_t k = 0; k < t->count; k++)
            lng_fill((void *)lng_run_at(&new.to.runs, k), t->bytes);
    }
    schedule(core, &new);
    new.active = 1;
    *f = new;
}

void lng_port_wait(int channel)
{
    struct lng_core_inside *core = lng_core_inside();
    struct lng_flight *f = flight_of(core, channel, 1);
    const struct lng_runs *to = &f->to.runs, *from = &f->from.runs;
    lng_settle(core);
    if (f->end > core->clock) {
        core->machine->report.cores[core->number].stalled += f->end - core->clock;
        core->clock = f->end;
    }
    if (core->face.checked) {
        for (size_t k = 0; k < to->count; k++)
            if (!lng_is_filled((const void *)lng_run_at(to, k), to->bytes))
                lng_finding(core, "the destination of %s was written meanwhile",
                            lng_flight_name(core, f));
        if (sum_of(from) != f->sum)
            lng_finding(core, "the source of %s was changed meanwhile",
                        lng_flight_name(core, f));
        lng_lines_read(core, f, f);
        lng_lines_write(core, f, f, 1);
        mark(&f->to, 0);
        mark(&f->from, 0);
    }
    for (size_t k = 0; k < to->count; k++)
        memcpy((void *)lng_run_at(to, k), (const void *)lng_run_at(from, k), to->bytes);
    f->active = 0;
}

void lng_end_transfers(struct lng_core_inside *core)
{
    for (int c = 0; c < LNG_CHANNELS; c++) {
        if (core->flights[c].active)
            lng_finding(core, "returns with %s in flight",
                        lng_flight_name(core, &core->flights[c]));
    }
}
