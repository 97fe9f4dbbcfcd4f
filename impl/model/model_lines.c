/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that cores share: who wrote a line of workspace, and who may read it; and who
 * transfers what of a tensor. */
#include "model/machine.h"

#include <stdlib.h>

/* The lines of [p, p + bytes) in a workspace. */
struct span {
    struct lng_line *first;
    size_t count;
};

static struct span lines_of(struct lng_machine *m, int b, uintptr_t p, size_t bytes)
{
    const uintptr_t line = LNG_SCRATCH_LINE;
    const uintptr_t start = (uintptr_t)m->call->buffers[b].start / line;
    return (struct span){m->lines + m->first_line[b] + (p / line - start),
                         (p + bytes - 1) / line - p / line + 1};
}

static int is_workspace(const struct lng_machine *m, int b)
{
    return b >= 0 && m->call->buffers[b].use == LNG_WORKSPACE;
}

/* ---- Transfers */

static void check_read(struct lng_core_inside *core, const struct lng_flight *what,
                       const char *name, const struct lng_line *line)
{
    const uint32_t epoch = core->machine->epoch;
    if (!line->written)
        lng_finding(core, "%s reads a line of %s that nobody wrote",
                    lng_flight_name(core, what), name);
    if (line->writer == core->number || line->acquired >> core->number & 1)
        return;
    if (!line->published)
        lng_finding(core, "%s reads a line of %s that core %d did not publish",
                    lng_flight_name(core, what), name, line->writer);
    if (line->published == epoch)
        lng_finding(core, "%s reads a line of %s that core %d wrote: no barrier between",
                    lng_flight_name(core, what), name, line->writer);
    lng_finding(core, "%s reads a line of %s by core %d that was not acquired",
                lng_flight_name(core, what), name, line->writer);
}

void lng_lines_read(struct lng_core_inside *core, const struct lng_flight *what,
                    const struct lng_flight *f)
{
    struct lng_machine *m = core->machine;
    if (!is_workspace(m, f->from.buffer))
        return;
    for (size_t k = 0; k < f->from.runs.count; k++) {
        const struct span s =
            lines_of(m, f->from.buffer, lng_run_at(&f->from.runs, k), f->from.runs.bytes);
        for (struct lng_line *line = s.first; line < s.first + s.count; line++) {
            check_read(core, what, m->call->buffers[f->from.buffer].name, line);
            if (line->read != m->epoch)
                line->readers = 0;
            line->read = m->epoch;
            line->readers = (uint8_t)(line->readers | 1u << core->number);
        }
    }
}

static void check_write(struct lng_core_inside *core, const struct lng_flight *what,
                        const char *name, const struct lng_line *line)
{
    const uint32_t epoch = core->machine->epoch;
    const unsigned others = line->readers & ~(1u << core->number);
    if (line->read == epoch && others)
        lng_finding(core,
                    "%s writes a line of %s that other cores (%#x) read: no barrier "
                    "between",
                    lng_flight_name(core, what), name, others);
    if (!line->written || line->writer == core->number)
        return;
    if (line->written == epoch)
        lng_finding(core, "%s writes a line of %s that core %d wrote: no barrier between",
                    lng_flight_name(core, what), name, line->writer);
    if (!line->published)
        lng_finding(core, "%s writes a line of %s that core %d wrote and did not publish",
                    lng_flight_name(core, what), name, line->writer);
}

void lng_lines_write(struct lng_core_inside *core, const struct lng_flight *what,
                     const struct lng_flight *f, int done)
{
    struct lng_machine *m = core->machine;
    if (!is_workspace(m, f->to.buffer))
        return;
    for (size_t k = 0; k < f->to.runs.count; k++) {
        const struct span s =
            lines_of(m, f->to.buffer, lng_run_at(&f->to.runs, k), f->to.runs.bytes);
        for (struct lng_line *line = s.first; line < s.first + s.count; line++) {
            check_write(core, what, m->call->buffers[f->to.buffer].name, line);
            if (done)
                *line = (struct lng_line){.written = m->epoch,
                                          .read = line->read,
                                          .readers = line->readers,
                                          .writer = (uint8_t)core->number};
        }
    }
}

/* ---- Publish and acquire */

/* The lines of a range of workspace; a finding if it is none. */
static struct span shared(struct lng_core_inside *core, const char *verb, const void *p,
                          size_t bytes)
{
    struct lng_machine *m = core->machine;
    for (int b = 0; b < LNG_MOST_BUFFERS; b++) {
        const size_t at = (size_t)((uintptr_t)p - (uintptr_t)m->call->buffers[b].start);
        if (m->call->buffers[b].name && is_workspace(m, b) && bytes > 0 &&
            at < m->call->buffers[b].bytes && bytes <= m->call->buffers[b].bytes - at)
            return lines_of(m, b, (uintptr_t)p, bytes);
    }
    lng_finding(core, "%s what is not workspace", verb);
}

void lng_port_publish(const void *p, size_t bytes)
{
    struct lng_core_inside *core = lng_core_inside();
    if (!core->face.checked)
        return;
    const struct span s = shared(core, "publishes", p, bytes);
    for (struct lng_line *line = s.first; line < s.first + s.count; line++)
        if (line->written && line->writer == core->number && !line->published)
            line->published = core->machine->epoch;
}

void lng_port_acquire(const void *p, size_t bytes)
{
    struct lng_core_inside *core = lng_core_inside();
    if (!core->face.checked)
        return;
    const struct span s = shared(core, "acquires", p, bytes);
    for (struct lng_line *line = s.first; line < s.first + s.count; line++)
        if (line->published && line->published < core->machine->epoch)
            line->acquired = (uint8_t)(line->acquired | 1u << core->number);
}

/* ---- Tensors */

void lng_find_written(struct lng_machine *m)
{
    const struct lng_model_buffer *buffers = m->call->buffers;
    m->accesses_count = 0;
    for (int b = 0; b < LNG_MOST_BUFFERS; b++) {
        m->written[b] = 0;
        for (int o = 0; o < LNG_MOST_BUFFERS && buffers[b].name; o++) {
            const uintptr_t start = (uintptr_t)buffers[b].start;
            const uintptr_t output = (uintptr_t)buffers[o].start;
            if (buffers[o].name && buffers[o].use == LNG_OUTPUT &&
                start < output + buffers[o].bytes && output < start + buffers[b].bytes)
                m->written[b] = 1;
        }
    }
}

static struct lng_access *new_access(struct lng_core_inside *core)
{
    struct lng_machine *m = core->machine;
    if (m->accesses_count == m->accesses_most) {
        const size_t most = m->accesses_most ? 2 * m->accesses_most : 64;
        struct lng_access *more = realloc(m->accesses, most * sizeof *more);
        if (!more)
            lng_leave(core, LNG_NO_MEMORY, "no memory for the model of %s",
                      m->call->chip->name);
        m->accesses = more;
        m->accesses_most = most;
    }
    return &m->accesses[m->accesses_count++];
}

void lng_access_tensor(struct lng_core_inside *core, const struct lng_flight *what,
                       const struct lng_side *side, int write)
{
    const struct lng_machine *m = core->machine;
    if (side->buffer < 0 || !m->written[side->buffer])
        return;
    for (size_t i = 0; i < m->accesses_count; i++) {
        const struct lng_access *a = &m->accesses[i];
        if (a->core != core->number && (write || a->write) &&
            lng_runs_meet(&side->runs, &a->runs))
            lng_finding(core, "%s %s bytes of %s that core %d %s: no barrier between",
                        lng_flight_name(core, what), write ? "writes" : "reads",
                        m->call->buffers[side->buffer].name, a->core,
                        a->write ? "wrote" : "read");
    }
    *new_access(core) = (struct lng_access){side->runs, core->number, write};
}
