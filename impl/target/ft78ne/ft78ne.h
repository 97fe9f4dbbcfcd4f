/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TARGET_FT78NE
#define LNG_TARGET_FT78NE
#include "core/kernel.h"
enum { lng_ft78ne_cores = 8 };
extern const int64_t lng_ft78ne_thresholds[];
extern const struct lng_grain lng_ft78ne_grain;
size_t lng_ft78ne_workspace(const struct lng_plan *plan);
#endif
