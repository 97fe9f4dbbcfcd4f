/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/mutants.h"

#include <pthread.h>
#include <string.h>

#include "core/arch.h"
#include "verify/planting.h"

/* The sums of the plain kernel are one chain each. */
static struct lng_depth depth(const struct lng_plan *plan)
{
    const double params = (double)(plan->param_size + plan->blocks);
    return (struct lng_depth){.dx = (double)plan->block_size, .dg = params, .db = params};
}

#define PLAIN_KERNEL(id_, target_, dtype_)                                               \
    {                                                                                    \
        .id = id_, .target = target_, .dtype = LNG_##dtype_, .lanes = 1,                 \
        .cores = lng_host_cores, .accuracy = LNG_WIDE, .available = lng_has_scalar,      \
        .grain = &lng_host_grain, .depth = depth, .thresholds = lng_host_thresholds,     \
        .workspace = lng_host_workspace, .run = lng_plain_run                            \
    }

/* What the table says of the kernel, it says of its mutant (take_rows), but for its id,
 * its target, and what it runs. */
#define STAGED(id_, target_, of_)                                                        \
    .kernel = {.id = id_, .target = target_, .run = lng_staged_##of_}, .of = #of_

static struct lng_mutant controls[] = {
    {.kernel = PLAIN_KERNEL("control_f32", "control", F32),        .plants = "nothing"},
    {.kernel = PLAIN_KERNEL("control_f16", "control", F16),        .plants = "nothing"},
    {STAGED("control_f32_ft78ne",          NULL,      f32_ft78ne), .plants = "nothing"},
    {STAGED("control_f32_mt7004",          NULL,      f32_mt7004), .plants = "nothing"},
    {STAGED("control_f16_mt7004",          NULL,      f16_mt7004), .plants = "nothing"},
};
const int lng_controls_count = sizeof controls / sizeof *controls;

/* Only kernels of one target have the same bits, so most mutants are a target of their
 * own. */
#define ROW(name, target, dtype, stage_, plants_)                                        \
    {.kernel = PLAIN_KERNEL("mutant_" #name, target, dtype),                             \
     .stages = {.stage_ = lng_plant_##name},                                             \
     .plants = plants_},
#define DSP_ROW(name, target, of, stage_, plants_)                                       \
    {STAGED("mutant_" #name, target, of), .chip = {.stage_ = lng_plant_##name},          \
     .plants = plants_},
#define LNG_MUTANT(name, dtype, stage, plants)                                           \
    ROW(name, "mutant_" #name, dtype, stage, plants)
#define LNG_OTHER_BITS(name, dtype, stage, plants)                                       \
    ROW(name, "control", dtype, stage, plants)
#define LNG_DSP_MUTANT(name, of, stage, plants)                                          \
    DSP_ROW(name, "mutant_" #name, of, stage, plants)
#define LNG_DSP_OTHER_BITS(name, of, stage, plants) DSP_ROW(name, NULL, of, stage, plants)
static struct lng_mutant mutants[] = {
#include "verify/mutants.def"
};
const int lng_mutants_count = sizeof mutants / sizeof *mutants;

static void take_rows_of(struct lng_mutant *m, int count)
{
    for (; count-- > 0; m++) {
        if (!m->of)
            continue;
        const struct lng_kernel own = m->kernel, *row = lng_kernel_find(m->of);
        m->kernel = *row;
        m->kernel.id = own.id;
        m->kernel.target = own.target ? own.target : row->target;
        m->kernel.run = own.run;
    }
}

static void take_rows(void)
{
    take_rows_of(mutants, lng_mutants_count);
    take_rows_of(controls, lng_controls_count);
}

static void need_rows(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, take_rows);
}

const struct lng_kernel *lng_mutant(int i)
{
    need_rows();
    return &mutants[i].kernel;
}

const struct lng_kernel *lng_control(int i)
{
    need_rows();
    return &controls[i].kernel;
}

const char *lng_mutant_plants(int i)
{
    return mutants[i].plants;
}

const struct lng_kernel *lng_mutant_right(int i)
{
    const struct lng_mutant *m = &mutants[i];
    return m->of ? lng_kernel_find(m->of) : &controls[m->kernel.dtype].kernel;
}

const struct lng_kernel *lng_mutant_find(const char *id)
{
    for (int i = 0; i < lng_mutants_count; i++)
        if (strcmp(lng_mutant(i)->id, id) == 0)
            return lng_mutant(i);
    for (int i = 0; i < lng_controls_count; i++)
        if (strcmp(lng_control(i)->id, id) == 0)
            return lng_control(i);
    return NULL;
}
