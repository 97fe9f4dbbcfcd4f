/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included by staged_<id>.c between the header of its chip and the kernel's own source,
 * which is then made of the stages of staged.h.
 */
#include "target/dsp/dsp.h"
#include "verify/staged.h"

#define lng_port_start lng_staged_start
#define lng_port_wait lng_staged_wait
#define lng_port_barrier lng_staged_barrier
#define lng_port_publish lng_staged_publish
#define lng_port_acquire lng_staged_acquire
#define lng_port_vector_scratch lng_staged_vector_scratch
#define lng_plan_tiles lng_staged_tiles

static inline double lng_staged_store(const double *at, double v)
{
    const struct lng_staged *s = lng_staged_core();
    return s->stages->store ? s->stages->store(s, at, v) : v;
}

static inline double lng_staged_product(double a, double b)
{
    lng_chip_product *product = lng_staged_core()->stages->product;
    return product ? product(a, b) : lng_mpydp(a, b);
}

#define lng_stdw(p, v) lng_stdw(p, lng_staged_store(p, v))
#define lng_mpydp lng_staged_product

#undef LNG_PORT_KERNEL
#define LNG_PORT_KERNEL(id, program) LNG_STAGED_KERNEL(id, LNG_CHIP, program)
#define LNG_STAGED_KERNEL(id, chip, program)                                             \
    static int lng_staged_program(const struct lng_job *job, uint32_t mask)              \
    {                                                                                    \
        return program(job, lng_staged_begin(job, mask));                                \
    }                                                                                    \
    lng_status lng_staged_##id(const struct lng_job *job)                                \
    {                                                                                    \
        return lng_dsp_run(job, &chip, lng_staged_program);                              \
    }
