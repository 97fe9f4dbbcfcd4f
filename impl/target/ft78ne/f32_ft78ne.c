/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f32_ft78ne
#include "vec/vec_ft78ne.h"
#include "target/dsp/dsp_kernel.h"
