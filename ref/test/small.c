/* SPDX-License-Identifier: Apache-2.0 */
#include "small.h"

#include <stdlib.h>

void *small_input(const lng_problem *problem, int which)
{
    const void *inputs[SMALL_INPUTS] = {problem->x, problem->dy, problem->mean,
                                        problem->var, problem->gamma};
    return (void *)(uintptr_t)inputs[which];
}

int64_t small_length(const lng_problem *problem, int which)
{
    int64_t elements = problem->block_num * problem->block_size;
    const int64_t lengths[SMALL_INPUTS] = {elements, elements, problem->block_num,
                                           problem->block_num, problem->param_num};
    return lengths[which];
}

lng_problem small_new(lng_dtype dtype, int64_t param_num, int64_t param_size,
                      int64_t block_num, int64_t block_size, double epsilon)
{
    lng_problem problem = {.dtype = dtype,
                           .param_num = param_num,
                           .param_size = param_size,
                           .block_num = block_num,
                           .block_size = block_size,
                           .epsilon = epsilon};
    void *inputs[SMALL_INPUTS];
    for (int which = 0; which < SMALL_INPUTS; which++) {
        inputs[which] =
            calloc((size_t)small_length(&problem, which) + 1, lng_dtype_size(dtype));
        assert_non_null(inputs[which]);
    }
    problem.x = inputs[0];
    problem.dy = inputs[1];
    problem.mean = inputs[2];
    problem.var = inputs[3];
    problem.gamma = inputs[4];
    for (int which = 3; which < SMALL_INPUTS; which++) {
        for (int64_t i = 0; i < small_length(&problem, which); i++) {
            small_set(&problem, which, i, 1);
        }
    }
    return problem;
}

void small_free(lng_problem *problem)
{
    for (int which = 0; which < SMALL_INPUTS; which++) {
        free(small_input(problem, which));
    }
}

void small_set(lng_problem *problem, int which, int64_t i, double value)
{
    lng_tensor_set(problem->dtype, small_input(problem, which), i, value);
}

void small_fill(lng_problem *problem, int which, const double *values)
{
    for (int64_t i = 0; i < small_length(problem, which); i++) {
        small_set(problem, which, i, values[i]);
    }
}

double small_uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545f4914f6cdd1d) >> 11) * 0x1p-53;
}

int64_t small_below(uint64_t *state, int64_t n)
{
    return (int64_t)(small_uniform(state) * (double)n);
}

int small_factoring(int64_t count, int step, int64_t *param_num, int64_t *block_num)
{
    for (int64_t p = 1; p <= count; p++) {
        for (int64_t n = 1; n <= count; n++) {
            if (count % p == 0 && count % n == 0 && step-- == 0) {
                *param_num = p;
                *block_num = n;
                return 1;
            }
        }
    }
    return 0;
}
