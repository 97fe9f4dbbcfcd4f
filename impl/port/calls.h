/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PORT_CALLS_H
#define LNG_PORT_CALLS_H
/*
 * The documented calls on the chip itself: what LNG_PORT_KERNEL makes of a kernel there.
 * The header that LNG_PORT names includes this one.
 *
 * Every core of the mask makes the call with the same arguments; one that is not in the
 * mask returns at once, and none returns before all are through. Nobody is told of an
 * error on the chip: an input that is NULL, a size below 1, sizes whose products differ,
 * a mask that is empty or has a core that the chip has not, no workspace or too little
 * scratch leave the outputs as they were. Overlap and alignment are not looked at.
 *
 * A chip also provides lng_port_workspace: `bytes` bytes, aligned to 64, that the cores
 * of the mask, and they alone, get at one address, or NULL for all of them; a region of
 * the linker's for the mask of all cores, say, and one for each core alone.
 */
#include "core/kernel.h"

/* Of the kernels, target/dsp/grains.c. */
extern const struct lng_grain lng_ft78ne_grain, lng_mt7004_grain;
size_t lng_dsp_workspace(const struct lng_plan *plan);

void *lng_port_workspace(size_t bytes, uint32_t mask);

/* epsilon of the documented calls, 1e-12 until the chip's program sets it. */
extern double lng_port_epsilon;

static inline int lng_port_call_is_sound(const struct lng_problem *p)
{
    return p->x && p->dy && p->var && p->mean && p->gamma && p->param_num > 0 &&
           p->param_size > 0 && p->block_num > 0 && p->block_size > 0 &&
           p->param_num * p->param_size == p->block_num * p->block_size &&
           p->core_mask >> LNG_CORES == 0;
}

static inline void lng_port_call(const struct lng_problem *p,
                                 const struct lng_grain *grain,
                                 size_t (*workspace)(const struct lng_plan *plan),
                                 int (*program)(const struct lng_job *job, uint32_t mask))
{
    if (!(p->core_mask >> lng_port_core() & 1) || !lng_port_call_is_sound(p))
        return;
    struct lng_job job = {.problem = p,
                          .plan = lng_plan_make(grain, p->param_num, p->param_size,
                                                p->block_num, p->block_size)};
    job.workspace = lng_port_workspace(workspace(&job.plan), p->core_mask);
    if (job.workspace)
        program(&job, p->core_mask);
}

/* _s and _p of one type; the private call works on the core that makes it. */
#define LNG_PORT_CALLS(prefix, element, type, chip, program)                             \
    void prefix##_layernormgrad_s(element *x, element *dy, element *var, element *mean,  \
                                  element *gamma, int param_num, int param_size,         \
                                  int block_num, int block_size, element *dx,            \
                                  element *dg, element *db, int core_mask)               \
    {                                                                                    \
        const struct lng_problem p = {.dtype = type,                                     \
                                      .param_num = param_num,                            \
                                      .param_size = param_size,                          \
                                      .block_num = block_num,                            \
                                      .block_size = block_size,                          \
                                      .epsilon = lng_port_epsilon,                       \
                                      .x = x,                                            \
                                      .dy = dy,                                          \
                                      .mean = mean,                                      \
                                      .var = var,                                        \
                                      .gamma = gamma,                                    \
                                      .dx = dx,                                          \
                                      .dg = dg,                                          \
                                      .db = db,                                          \
                                      .core_mask = (uint32_t)core_mask};                 \
        lng_port_call(&p, &lng_##chip##_grain, lng_dsp_workspace, program);              \
    }                                                                                    \
    void prefix##_layernormgrad_p(element *x, element *dy, element *var, element *mean,  \
                                  element *gamma, int param_num, int param_size,         \
                                  int block_num, int block_size, element *dx,            \
                                  element *dg, element *db)                              \
    {                                                                                    \
        prefix##_layernormgrad_s(x, dy, var, mean, gamma, param_num, param_size,         \
                                 block_num, block_size, dx, dg, db,                      \
                                 1 << lng_port_core());                                  \
    }

/* Two steps, for `id` is a macro. */
#define LNG_PORT_KERNEL(id, program) LNG_PORT_KERNEL_(id, program)
#define LNG_PORT_KERNEL_(id, program) LNG_PORT_CALL_##id(program)
#define LNG_PORT_CALL_f32_ft78ne(program)                                                \
    LNG_PORT_CALLS(fp, float, LNG_F32, ft78ne, program)
#define LNG_PORT_CALL_f32_mt7004(program)                                                \
    LNG_PORT_CALLS(fp, float, LNG_F32, mt7004, program)
#define LNG_PORT_CALL_f16_mt7004(program)                                                \
    LNG_PORT_CALLS(hp, half, LNG_F16, mt7004, program)

#endif
