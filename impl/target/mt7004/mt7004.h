/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TARGET_MT7004
#define LNG_TARGET_MT7004
#include "core/kernel.h"
enum { lng_mt7004_cores = 4 };
extern const int64_t lng_mt7004_thresholds[];
extern const struct lng_grain lng_mt7004_grain;
size_t lng_mt7004_workspace(const struct lng_plan *plan);
#endif
