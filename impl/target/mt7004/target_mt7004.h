/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MT7004_TARGET_H
#define LNG_MT7004_TARGET_H
#include "target/dsp/dsp.h"

enum { lng_mt7004_cores = 4 };
extern const struct lng_grain lng_mt7004_grain;
#define lng_mt7004_workspace lng_dsp_workspace
#define lng_mt7004_depth lng_dsp_depth

#endif
