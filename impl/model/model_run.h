/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MODEL_RUN_H
#define LNG_MODEL_RUN_H
/*
 * The functional model of a DSP: runs a program that is written over impl/port/ on a
 * host, a thread a core, is strict where the chip would be silently wrong, and predicts
 * cycles.
 *
 * One core runs at a time, in the order of their numbers, from barrier to barrier: the
 * same call gives the same results, findings and cycles always.
 *
 * The prediction. Between two events (start or wait of a transfer, barrier, end) a core
 * computes for as long as its busiest unit needs: the units work at the same time and
 * pipelines are full (assumed). A transfer takes its latency and then its bytes over the
 * slower memory's bandwidth, one transfer of a core after the other; what overlaps
 * follows from the kernel's own order of starts and waits. A barrier lasts to its latest
 * core.
 */
#include <stdint.h>

#include "layernormgrad.h"
#include "model/chip.h"

enum { LNG_MOST_CORES = 8, LNG_MOST_BUFFERS = 16 };

/* What transfers may do in a buffer. */
enum lng_buffer_use {
    LNG_INPUT = 1,
    LNG_OUTPUT = 2,
    LNG_WORKSPACE = 4 /* both, with publish and acquire between cores */
};

/* Memory of the call: a tensor or the workspace. Where it lies: lng_device_alloc's level,
 * else the one core's private memory in a private call, and DDR in others. */
struct lng_model_buffer {
    const char *name; /* NULL: not there */
    const void *start;
    size_t bytes;
    enum lng_buffer_use use;
};

struct lng_model_call {
    const struct lng_chip *chip;
    uint32_t mask;   /* the cores of the call */
    uint32_t launch; /* those that start the program; 0: the mask's */
    struct lng_model_buffer buffers[LNG_MOST_BUFFERS];
    int private_call;   /* `_p`: one core, operands in its own memory */
    int checked;        /* 0: counters and clock only, for large problems */
    const char *kernel; /* its id, for findings */
    void (*program)(void *arg);
    void *arg;
};

struct lng_model_core_report {
    uint64_t bytes_in, bytes_out; /* by transfers from and to tensors and workspace */
    uint64_t transfers, barriers;
    uint64_t operations[LNG_OPERATIONS];
    double computed, stalled; /* cycles; stalled: for transfers and other cores */
    double transferred; /* cycles that its transfers' bytes take, latencies left out */
};

struct lng_model_report {
    const struct lng_chip *chip;
    uint32_t mask;
    struct lng_model_core_report cores[LNG_MOST_CORES];
    double cycles; /* of the call: its latest core's */
};

/* The core in whose private memory a buffer of the call lies; 0: there is none. */
int lng_model_owner(const struct lng_model_call *call);

/* Runs the program on every launched core. LNG_OK, LNG_MODEL_FAULT with the first
 * finding, or what kept it from running, kept in lng_last_status; report (may be NULL)
 * tells in any case what was done: nothing, or up to the finding. */
lng_status lng_model_run(const struct lng_model_call *call,
                         struct lng_model_report *report);

/* The report of this thread's last lng_model_run; NULL: there was none. */
const struct lng_model_report *lng_model_last(void);

#endif
