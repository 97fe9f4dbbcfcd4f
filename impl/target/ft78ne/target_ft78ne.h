/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_FT78NE_TARGET_H
#define LNG_FT78NE_TARGET_H
#include "target/dsp/dsp.h"

enum { lng_ft78ne_cores = 8 };
extern const struct lng_grain lng_ft78ne_grain;
#define lng_ft78ne_workspace lng_dsp_workspace
#define lng_ft78ne_depth lng_dsp_depth

#endif
