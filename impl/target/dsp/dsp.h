/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DSP_H
#define LNG_DSP_H
#include "core/kernel.h"
extern const int64_t lng_dsp_thresholds[];
size_t lng_dsp_workspace(const struct lng_plan *plan);
#endif
