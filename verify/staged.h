/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_STAGED_H
#define LNG_VERIFY_STAGED_H
/*
 * The kernels of DSPs with everything between program and chip made of stages, any of
 * which can be exchanged: what their mutants are made from. The program is the kernel's
 * own source, compiled again (staged_<id>.c) with the names of the port, and some of its
 * vocabulary, leading here (staging.h). It runs over the model like the kernel itself;
 * without an exchanged stage it is the kernel.
 */
#include "core/kernel.h"
#include "port/port.h"
#include "target/dsp/layout.h"

enum { LNG_STAGED_SCRATCH = 3 };

/* What a stage knows of the core that runs it, from the beginning of its program. */
struct lng_staged {
    const struct lng_job *job;
    const struct lng_dsp_stages *stages;
    struct lng_dsp_layout at; /* of the workspace */
    uint32_t mask;
    struct lng_transfer last[LNG_CHANNELS]; /* that each channel started */
    const void *acquired;                   /* the last that was */
    int scratches;
    struct {
        unsigned char *start;
        size_t bytes;
    } scratch[LNG_STAGED_SCRATCH]; /* the first of vector scratch: gamma, dg, db */
    const void *kept;              /* the stage's own; NULL at first */
};

/* The stages. Those of port.h, each in place of its function: */
typedef void lng_chip_start(struct lng_staged *s, int channel, struct lng_transfer t);
typedef void lng_chip_wait(const struct lng_staged *s, int channel);
typedef void lng_chip_barrier(const struct lng_staged *s, uint32_t mask);
typedef void lng_chip_publish(const void *p, size_t bytes);
typedef void lng_chip_acquire(const void *p, size_t bytes);
typedef size_t lng_chip_scratch(size_t bytes); /* of vector scratch, to be asked for */

/* the mask that the program gets, and the tiles that it finds in its plan; */
typedef uint32_t lng_chip_mask(const struct lng_staged *s, uint32_t mask);
typedef int64_t lng_chip_tiles(const struct lng_staged *s, int64_t tiles);

/* the value that the scalar unit stores at a double, and the product of two; */
typedef double lng_chip_store(const struct lng_staged *s, const double *at, double v);
typedef double lng_chip_product(double a, double b);

/* and of MT7004 the lanes that a load leaves, whether a row fits the range of pairs, a
 * sum of pairs, and a pair on its way to half. */
struct lng_pair;
typedef unsigned lng_chip_lanes(unsigned mask);
typedef int lng_chip_fits(int fits);
typedef struct lng_pair lng_chip_sum(struct lng_pair p);
typedef struct lng_pair lng_chip_halved(struct lng_pair p);

/* NULL means the right one. */
struct lng_dsp_stages {
    lng_chip_start *start;
    lng_chip_wait *wait;
    lng_chip_barrier *barrier;
    lng_chip_publish *publish;
    lng_chip_acquire *acquire;
    lng_chip_scratch *scratch;
    lng_chip_mask *mask;
    lng_chip_tiles *tiles;
    lng_chip_store *store;
    lng_chip_product *product;
    lng_chip_lanes *lanes;
    lng_chip_fits *fits;
    lng_chip_sum *sum;
    lng_chip_halved *halved;
};

/* The run functions. */
lng_status lng_staged_f32_ft78ne(const struct lng_job *job);
lng_status lng_staged_f32_mt7004(const struct lng_job *job);
lng_status lng_staged_f16_mt7004(const struct lng_job *job);

/* The core that this thread is, and its beginning: the mask that its program gets. */
struct lng_staged *lng_staged_core(void);
uint32_t lng_staged_begin(const struct lng_job *job, uint32_t mask);

/* What the program calls for the functions of port.h, and of core/plan.h. */
void lng_staged_start(int channel, const struct lng_transfer *t);
void lng_staged_wait(int channel);
void lng_staged_barrier(uint32_t mask);
void lng_staged_publish(const void *p, size_t bytes);
void lng_staged_acquire(const void *p, size_t bytes);
void *lng_staged_vector_scratch(size_t bytes);
int64_t lng_staged_tiles(const struct lng_plan *plan);

#endif
