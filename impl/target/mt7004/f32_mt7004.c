/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f32_mt7004
#include <stdint.h>
#define LNG_ELEMENT float
#include "vec/vec_mt7004.h"
#include "target/dsp/dsp_kernel.h"
