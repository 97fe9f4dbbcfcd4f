/* SPDX-License-Identifier: Apache-2.0 */
/* Included last by a kernel of a DSP, after its vocabulary: the program as a kernel, by
 * what the port makes of one. */
#include "target/dsp/program.h"

LNG_PORT_KERNEL(LNG_ID, lng_program)
