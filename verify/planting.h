/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_PLANTING_H
#define LNG_VERIFY_PLANTING_H
/* The stages that carry the planted faults: one function of the files mutants_*.c for
 * every row of mutants.def. */
#include "vec/lanes.h"
#include "verify/plain.h"

#define LNG_MUTANT(name, dtype, stage, plants) lng_stage_##stage lng_plant_##name;
#define LNG_OTHER_BITS LNG_MUTANT
#define LNG_DSP_MUTANT(name, kernel, stage, plants) lng_chip_##stage lng_plant_##name;
#define LNG_DSP_OTHER_BITS LNG_DSP_MUTANT
#include "verify/mutants.def"
#undef LNG_DSP_OTHER_BITS
#undef LNG_DSP_MUTANT
#undef LNG_OTHER_BITS
#undef LNG_MUTANT

#endif
