/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_MUTANTS_H
#define LNG_VERIFY_MUTANTS_H
/* The planted faults: kernels that must fail, one row of mutants.def each. */
#include "core/kernel.h"

extern const int lng_mutants_count;
const struct lng_kernel *lng_mutant(int i);
const char *lng_mutant_plants(int i);
const struct lng_kernel *lng_mutant_find(const char *id); /* or control; NULL: none */

/* The plain kernel of a type that the faults are planted in, control_f32 or control_f16:
 * it must pass. */
const struct lng_kernel *lng_mutant_control(lng_dtype dtype);

#endif
