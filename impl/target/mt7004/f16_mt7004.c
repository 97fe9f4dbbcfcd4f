/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f16_mt7004
#include <stdint.h>
#define LNG_ELEMENT uint16_t
#include "vec/vec_mt7004.h"
#include "target/dsp/dsp_kernel.h"
