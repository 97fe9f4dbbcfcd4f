/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_ARGUMENTS_H
#define LNG_ARGUMENTS_H
#include "layernormgrad.h"

/* The checks of a problem, in this order, each reported by lng_report: type, sizes,
 * epsilon; LNG_OK only if what lng_plan_make needs is sound. */
lng_status lng_check_sizes(const lng_problem *problem);

/* The rest: mask, workers, pointers, alignment, overlap, and the caller's workspace, of
 * which the kernel needs `workspace` bytes. */
lng_status lng_check_buffers(const lng_problem *problem, uint32_t cores,
                             size_t workspace);

int lng_epsilon_is_legal(double epsilon);
size_t lng_element_size(lng_dtype dtype);

#endif
