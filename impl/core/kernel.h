/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_KERNEL_H
#define LNG_KERNEL_H
/*
 * A kernel is a row of variants.def. Everything that the suite knows of it stands there:
 * the choice of the best, the documented calls, lng-verify, lng-bench, the report and the
 * build read this one type.
 */
#include <stdint.h>

#include "core/plan.h"
#include "layernormgrad.h"

/* epsilon of the documented calls until it is set: MindSpore's nnacl LayerNormGrad, whose
 * signature they have, fixes it so. */
#define LNG_DOCUMENTED_EPSILON 1e-12

/* What the accuracy of a kernel is judged by: ref/measure.h has the bounds. */
enum lng_class { LNG_WIDE, LNG_PAIR, LNG_SINGLE, LNG_HALF };

struct lng_kernel;

/* What a run function gets: arguments that were checked, and everything decided. */
struct lng_job {
    const struct lng_kernel *kernel;
    const lng_problem *problem;
    struct lng_plan plan;
    void *workspace;  /* of kernel->workspace(&plan) bytes, aligned to 64 */
    int private_call; /* `_p`: operands in a core's own memory, on targets that have it */
};

struct lng_kernel {
    const char *id;
    const char *target;
    lng_dtype dtype;
    int lanes;
    int cores; /* of the target: bits of the mask */
    enum lng_class accuracy;
    int (*available)(void);
    const struct lng_grain *grain;
    struct lng_depth (*depth)(const struct lng_plan *plan);
    const int64_t
        *thresholds; /* element counts at which the dispatch changes; 0 ends them */
    size_t (*workspace)(const struct lng_plan *plan);
    lng_status (*run)(const struct lng_job *job);
};

/* The table, best first for each type. */
extern const struct lng_kernel lng_kernels[];
extern const size_t lng_kernels_count;

const struct lng_kernel *lng_kernel_find(const char *id); /* NULL: no such row */
const struct lng_kernel *lng_kernel_best(lng_dtype dtype);
int lng_on_host(const char *target);                     /* or on the model of a DSP */
uint32_t lng_all_cores(const struct lng_kernel *kernel); /* of its target, as a mask */
const char *lng_class_name(enum lng_class accuracy);
const char *lng_isa_note(void); /* NULL, or that LNG_ISA was ignored */

/* What lng_layernormgrad does, with a row that need not be in the table; NULL: the
 * problem's own choice. private_call: as the job's. */
lng_status lng_call(const struct lng_kernel *kernel, const lng_problem *problem,
                    int private_call);

#endif
