/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_CALL_H
#define LNG_VERIFY_CALL_H
/*
 * Calling a kernel: through which entry point, and in which of the many ways that must
 * not matter. Every call runs in guarded buffers and is checked for what it left behind.
 */
#include <stdint.h>

#include "core/kernel.h"
#include "verify/arena.h"
#include "verify/problem.h"

enum lng_entry { LNG_GENERAL, LNG_S, LNG_P, LNG_ENTRIES };
extern const char *const lng_entry_name[LNG_ENTRIES];

/* A way to call; every one of them but that of another chip must give the bits of the
 * first. */
struct lng_way {
    const char *name;
    uint32_t mask;  /* of it the target's cores; 0: the mask of the run */
    int every_mask; /* one call for each mask that the target has */
    int workers;    /* exactly, or all cores; general only; 0: as the mask says */
    int outputs;    /* bit o: output o is asked for; 0: all */
    int in_place;   /* dx is 1: x, 2: dy */
    int allocates;  /* no workspace is given; general only */
    int rough;      /* the caller rounds upward and flushes subnormals */
    int flushes;    /* so does the chip that is modelled: within the bound as well */
    enum lng_place place;
    unsigned char fill; /* outputs and margins before the call */
    unsigned entries;   /* bit e: makes sense for entry e */
};
extern const struct lng_way lng_ways[]; /* the first is the plain one */
extern const int lng_ways_count;

/* Of a DSP, a target of few cores: it runs on a model, which takes its time. */
int lng_is_dsp(const struct lng_kernel *kernel);

/* Whether the kernel can be called so: masks one by one, and what its chip does, are for
 * DSPs. */
int lng_way_suits(const struct lng_way *way, const struct lng_kernel *kernel,
                  enum lng_entry entry);

/* Whether the target has the cores of a mask, of which LNG_ALL_CORES is every target's. */
int lng_has_cores(const struct lng_kernel *kernel, uint32_t mask);

/* The buffers of one caller, kept from call to call. */
enum { LNG_MOST_TARGETS = 8 };
struct lng_caller {
    struct lng_buffer input[5], output[LNG_OUTPUTS], workspace;
    struct {
        const char *target;
        void *library; /* of its documented calls */
    } targets[LNG_MOST_TARGETS];
    int targets_count;
    _Atomic int64_t
        *clock; /* monotonic ns while the kernel runs, else 0; NULL: not wanted */
};

/* Opens the shared library behind the documented calls of each target in the table. -1:
 * error says why. */
int lng_caller_open(struct lng_caller *caller, char *error, size_t size);
void lng_caller_free(struct lng_caller *caller);

/* Whether the problem can be put to the entry point, and the kernel has it: the
 * documented calls know the rows of the table, ints, and neither empty problems nor a
 * missing gamma. */
int lng_can_call(const struct lng_kernel *kernel, enum lng_entry entry,
                 const lng_problem *problem);

/* Calls, and leaves the outputs in caller->output (data NULL where not asked for; dx in
 * place is copied there). 0, or -1 with one line in error: a status, damage around a
 * buffer, a changed input. */
int lng_do_call(struct lng_caller *caller, const struct lng_kernel *kernel,
                enum lng_entry entry, const struct lng_data *data, uint32_t mask,
                const struct lng_way *way, char *error, size_t size);

#endif
