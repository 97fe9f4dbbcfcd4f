/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/mutants.h"

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

static const struct lng_mutant controls[] = {
    {.kernel = PLAIN_KERNEL("control_f32", "control", F32), .plants = "nothing"},
    {.kernel = PLAIN_KERNEL("control_f16", "control", F16), .plants = "nothing"},
};
enum { CONTROLS = sizeof controls / sizeof *controls };

/* Only kernels of one target have the same bits, so most mutants are a target of their
 * own. */
#define ROW(name, target, dtype, stage_, plants_)                                        \
    {.kernel = PLAIN_KERNEL("mutant_" #name, target, dtype),                             \
     .stages = {.stage_ = lng_plant_##name},                                             \
     .plants = plants_},
#define LNG_MUTANT(name, dtype, stage, plants)                                           \
    ROW(name, "mutant_" #name, dtype, stage, plants)
#define LNG_OTHER_BITS(name, dtype, stage, plants)                                       \
    ROW(name, "control", dtype, stage, plants)
static const struct lng_mutant mutants[] = {
#include "verify/mutants.def"
};
const int lng_mutants_count = sizeof mutants / sizeof *mutants;

const struct lng_kernel *lng_mutant(int i)
{
    return &mutants[i].kernel;
}

const char *lng_mutant_plants(int i)
{
    return mutants[i].plants;
}

static const struct lng_kernel *find(const struct lng_mutant *in, int count,
                                     const char *id)
{
    for (int i = 0; i < count; i++)
        if (strcmp(in[i].kernel.id, id) == 0)
            return &in[i].kernel;
    return NULL;
}

const struct lng_kernel *lng_mutant_find(const char *id)
{
    const struct lng_kernel *mutant = find(mutants, lng_mutants_count, id);
    return mutant ? mutant : find(controls, CONTROLS, id);
}

const struct lng_kernel *lng_mutant_control(lng_dtype dtype)
{
    return &controls[dtype == LNG_F16].kernel;
}
