/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_DSP_H
#define LNG_DSP_H
/* What the table says of the kernels of a DSP. */
#include "core/kernel.h"

size_t lng_dsp_workspace(const struct lng_plan *plan);
struct lng_depth lng_dsp_depth(const struct lng_plan *plan);

/* A program on every core of the job's mask, over the model of a chip. Beyond
 * LNG_DSP_CHECKED elements without its checks. */
enum { LNG_DSP_CHECKED = 1 << 22 };
struct lng_chip;
lng_status lng_dsp_run(const struct lng_job *job, const struct lng_chip *chip,
                       int (*program)(const struct lng_job *job, uint32_t mask));

extern const int64_t lng_dsp_thresholds[];

#endif
