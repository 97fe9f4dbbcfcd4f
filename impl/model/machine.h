/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MACHINE_H
#define LNG_MACHINE_H
/*
 * The inside of the model. A machine is what one call runs on; its state is that of the
 * one core whose turn it is, so nothing in it is shared but the turn.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

#include "model/model_core.h"
#include "model/model_run.h"
#include "port/port.h"

/* ---- Scratch */

enum { LNG_MOST_BLOCKS = 64 };

/* Allocations of one area, each with a fence of a line before and behind it, which do not
 * count. */
struct lng_pool {
    size_t capacity, used; /* bytes, multiples of a line */
    int count;
    struct lng_block {
        size_t at, bytes; /* from the area's base */
    } blocks[LNG_MOST_BLOCKS];
};

/* What scratch, and the destination of a transfer in flight, are filled with: ones, a NaN
 * as half, single and double. */
void lng_fill(void *p, size_t bytes);
int lng_is_filled(const void *p, size_t bytes);

/* ---- Runs of bytes: one side of a transfer. */

struct lng_runs {
    uintptr_t start;
    size_t bytes, count;
    ptrdiff_t pitch;
};

static inline uintptr_t lng_run_at(const struct lng_runs *r, size_t k)
{
    return r->start + k * (uintptr_t)r->pitch;
}

/* Whether any byte is in both. */
int lng_runs_meet(const struct lng_runs *a, const struct lng_runs *b);

/* Where one side of a transfer lies. */
struct lng_side {
    struct lng_runs runs;
    struct lng_area *area; /* own scratch, */
    int buffer;            /* or a buffer of the call, else -1 */
};

struct lng_flight {
    int active;
    uint64_t number; /* of the transfer, among the core's, from 1 */
    struct lng_side to, from;
    uint64_t sum; /* of the source when it started */
    double end;   /* cycles */
};

/* ---- Lines of workspace. A core may read what another wrote if it acquired the line
 * after a barrier after its publication. Epochs are numbers of barriers passed, from 1.
 */
struct lng_line {
    uint32_t written, published, read; /* epoch of the last; 0: never */
    uint8_t writer;
    uint8_t acquired, readers; /* masks: since written, in epoch `read` */
};

/* ---- Tensors that cores share. No barrier orders the transfers of two cores in one
 * epoch, whose runs in memory that is written must not meet then. */
struct lng_access {
    struct lng_runs runs;
    int core, write;
};

/* ---- Cores and their machine */

enum lng_core_state { LNG_READY, LNG_WAITING, LNG_RETURNED };

struct lng_machine;

struct lng_core_inside {
    struct lng_core face; /* first: lng_self points to it */
    struct lng_machine *machine;
    int number;
    int member; /* of the call's mask */
    enum lng_core_state state;
    pthread_cond_t turn;
    jmp_buf out;
    struct lng_pool pools[LNG_AREAS];
    struct lng_flight flights[LNG_CHANNELS];
    double clock, engine; /* cycles: now, and when the last transfer ends */
    uint64_t settled[LNG_OPERATIONS];
};

struct lng_machine {
    const struct lng_model_call *call;
    struct lng_core_inside cores[LNG_MOST_CORES];
    int started[LNG_MOST_CORES], starts; /* numbers of the launched cores */
    pthread_mutex_t lock;
    atomic_int turn; /* whose it is, -1: all have returned; under the lock */
    uint32_t epoch;
    lng_status failed; /* LNG_OK: not yet */
    char finding[200];
    double ddr_share; /* bytes a cycle for one core */
    enum lng_memory levels[LNG_MOST_BUFFERS];
    struct lng_line *lines; /* of the workspaces, one after the other */
    size_t first_line[LNG_MOST_BUFFERS];
    size_t lines_room;
    int written[LNG_MOST_BUFFERS]; /* whether memory of it is an output's, */
    struct lng_access *accesses;   /* to which there were these in this epoch */
    size_t accesses_count, accesses_most;
    unsigned char *scratch;
    size_t scratch_room;
    struct lng_model_report report;
};

struct lng_core_inside *lng_core_inside(void); /* of this thread */

/* Keeps the finding, if it is the first, and leaves the program. */
#define lng_finding(core, ...) lng_leave(core, LNG_MODEL_FAULT, __VA_ARGS__)
_Noreturn void lng_leave(struct lng_core_inside *core, lng_status status,
                         const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The clock takes in what was computed since the last event. */
void lng_settle(struct lng_core_inside *core);

struct lng_pool *lng_pool_of(struct lng_core_inside *core, enum lng_area_kind kind);

/* Index of the block of an area that holds [at, at + bytes), or -1. */
int lng_block_of(const struct lng_pool *pool, size_t at, size_t bytes);

/* Says how [at, at + bytes) leaves the allocations of an area. */
_Noreturn void lng_find_outside(struct lng_core_inside *core, const char *what,
                                const struct lng_area *area, const struct lng_pool *pool,
                                size_t at, size_t bytes);

/* At the end of a core's program: nothing is in flight, and the fences stand. */
void lng_end_transfers(struct lng_core_inside *core);
void lng_end_scratch(struct lng_core_inside *core);

/* "transfer 12 (channel 1)" of a flight of the core. */
const char *lng_name_flight(const struct lng_core_inside *core,
                            const struct lng_flight *f, char text[48]);
#define lng_flight_name(core, f) lng_name_flight(core, f, (char[48]){0})

/* A transfer, `what`, reads or writes a workspace: whether it may, and, `done`, that it
 * did. */
void lng_lines_read(struct lng_core_inside *core, const struct lng_flight *what,
                    const struct lng_flight *f);
void lng_lines_write(struct lng_core_inside *core, const struct lng_flight *what,
                     const struct lng_flight *f, int done);

/* At the beginning of a call: which tensors share memory with an output. */
void lng_find_written(struct lng_machine *m);

/* A transfer, `what`, reads or writes a tensor, on this side: no other core does, or all
 * read. */
void lng_access_tensor(struct lng_core_inside *core, const struct lng_flight *what,
                       const struct lng_side *side, int write);

/* ---- Memory of lng_device_alloc */

/* What is wrong with where the buffers lie, or NULL; levels and the scratch that private
 * buffers leave are set. Formatted into text. */
const char *lng_place_buffers(struct lng_machine *m, char text[200]);

/* Bytes of lng_device_alloc that live in a core's own memory. */
size_t lng_device_private(int core);

/* Whether vector arithmetic flushes where the chip can. */
int lng_model_flushes(void);

#endif
