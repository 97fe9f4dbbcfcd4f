/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_MUTANTS_H
#define LNG_VERIFY_MUTANTS_H
/* The planted faults: kernels that must fail, one row of mutants.def each. */
#include "core/kernel.h"

extern const int lng_mutants_count;
const struct lng_kernel *lng_mutant(int i);
const char *lng_mutant_plants(int i);
const struct lng_kernel *lng_mutant_find(const char *id); /* or control; NULL: none */

/* The kernel without the fault: a control, or of a DSP the table's. A mutant that has its
 * target gives other bits, and no more. */
const struct lng_kernel *lng_mutant_right(int i);

/* What the faults are planted in, without one: they must pass. */
extern const int lng_controls_count;
const struct lng_kernel *lng_control(int i);

#endif
