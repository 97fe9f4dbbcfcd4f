/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The four documented calls: their arguments as a problem. They differ in the type, in
 * who works (_p: the caller alone), where that one's operands are, and in nothing else.
 */
#include <stdatomic.h>
#include <string.h>

#include "core/arguments.h"
#include "core/kernel.h"
#include "core/status.h"

static _Atomic double documented_epsilon = LNG_DOCUMENTED_EPSILON;

lng_status lng_set_epsilon(double epsilon)
{
    if (!lng_epsilon_is_legal(epsilon))
        return lng_report(LNG_BAD_EPSILON, "epsilon is %g, expected 0 or 2^-126 to 2^127",
                          epsilon);
    atomic_store(&documented_epsilon, epsilon);
    return lng_report(LNG_OK, NULL);
}

double lng_get_epsilon(void)
{
    return atomic_load(&documented_epsilon);
}

/* Unlike the general call, these need rows and gamma. A private call has one worker, the
 * others as many as the mask says. */
static void call(lng_dtype dtype, const void *x, const void *dy, const void *var,
                 const void *mean, const void *gamma, int param_num, int param_size,
                 int block_num, int block_size, void *dx, void *dg, void *db,
                 int core_mask, int private_call)
{
    const lng_problem p = {.dtype = dtype,
                           .param_num = param_num,
                           .param_size = param_size,
                           .block_num = block_num,
                           .block_size = block_size,
                           .epsilon = lng_get_epsilon(),
                           .x = x,
                           .dy = dy,
                           .mean = mean,
                           .var = var,
                           .gamma = gamma,
                           .dx = dx,
                           .dg = dg,
                           .db = db,
                           .core_mask = (uint32_t)core_mask,
                           .workers = private_call};
    if (block_num < 1)
        lng_report(LNG_BAD_SIZE, "block_num is %d, expected 1 or more", block_num);
    else if (!gamma)
        lng_report(LNG_NULL_POINTER, "gamma is NULL");
    else
        lng_call(NULL, &p, private_call);
}

void fp_layernormgrad_s(float *x, float *dy, float *var, float *mean, float *gamma,
                        int param_num, int param_size, int block_num, int block_size,
                        float *dx, float *dg, float *db, int core_mask)
{
    call(LNG_F32, x, dy, var, mean, gamma, param_num, param_size, block_num, block_size,
         dx, dg, db, core_mask, 0);
}

void fp_layernormgrad_p(float *x, float *dy, float *var, float *mean, float *gamma,
                        int param_num, int param_size, int block_num, int block_size,
                        float *dx, float *dg, float *db)
{
    call(LNG_F32, x, dy, var, mean, gamma, param_num, param_size, block_num, block_size,
         dx, dg, db, 1, 1);
}

void hp_layernormgrad_s(half *x, half *dy, half *var, half *mean, half *gamma,
                        int param_num, int param_size, int block_num, int block_size,
                        half *dx, half *dg, half *db, int core_mask)
{
    call(LNG_F16, x, dy, var, mean, gamma, param_num, param_size, block_num, block_size,
         dx, dg, db, core_mask, 0);
}

void hp_layernormgrad_p(half *x, half *dy, half *var, half *mean, half *gamma,
                        int param_num, int param_size, int block_num, int block_size,
                        half *dx, half *dg, half *db)
{
    call(LNG_F16, x, dy, var, mean, gamma, param_num, param_size, block_num, block_size,
         dx, dg, db, 1, 1);
}
