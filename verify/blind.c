/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a problem cannot show, told by its inputs alone: one function and one row each. A
 * kernel that leaves out, or gets wrong, what is named here would pass on this problem.
 */
#include "verify/blind.h"

#include <stdio.h>
#include <string.h>

static double at(const lng_problem *p, const void *tensor, int64_t i)
{
    return lng_tensor_get(p->dtype, tensor, i);
}

static int all(const lng_problem *p, const void *tensor, int64_t n, double value)
{
    for (int64_t i = 0; i < n; i++)
        if (!(at(p, tensor, i) == value))
            return 0;
    return 1;
}

/* Products with gamma are those without it. */
static int gamma_is_one(const lng_problem *p)
{
    return all(p, p->gamma, p->param_num, 1);
}

/* Permuted parameters are the same. */
static int gamma_is_constant(const lng_problem *p)
{
    return !gamma_is_one(p) && p->param_num > 1 &&
           all(p, p->gamma, p->param_num, at(p, p->gamma, 0));
}

/* Permuted or strided elements of dy are the same. */
static int dy_is_constant(const lng_problem *p)
{
    const int64_t n = p->block_num * p->block_size;
    return n > 1 && all(p, p->dy, n, at(p, p->dy, 0));
}

/* var, 1/std and r are the same. */
static int root_is_one(const lng_problem *p)
{
    return p->epsilon == 0 && all(p, p->var, p->block_num, 1);
}

/* A sum of every row, of g*d or of d, is 0; a sum that doubles do not hold is not. */
static int rows_are_zero(const lng_problem *p, int with_g)
{
    for (int64_t n = 0; n < p->block_num; n++) {
        double sum = 0;
        for (int64_t j = n * p->block_size; j < (n + 1) * p->block_size; j++) {
            const double g = at(p, p->dy, j) * at(p, p->gamma, j % p->param_num);
            sum += (with_g ? g : 1) * (at(p, p->x, j) - at(p, p->mean, n));
        }
        if (!(sum == 0))
            return 0;
    }
    return 1;
}

static int B_is_zero(const lng_problem *p)
{
    return p->block_size > 1 && rows_are_zero(p, 1);
}

static int C_is_zero(const lng_problem *p)
{
    return p->block_size > 1 && rows_are_zero(p, 0);
}

static const struct {
    const char *what;
    int (*blind)(const lng_problem *p);
} terms[] = {
    {"gamma (all ones)",              gamma_is_one     },
    {"the order of gamma (constant)", gamma_is_constant},
    {"the order of dy (constant)",    dy_is_constant   },
    {"the root (var + epsilon is 1)", root_is_one      },
    {"B (0 in every row)",            B_is_zero        },
    {"C (0 in every row)",            C_is_zero        },
};

void lng_find_blind(const lng_problem *p, struct lng_truth *const truth[LNG_OUTPUTS],
                    char *text, size_t size)
{
    const char *before = "BLIND: ";
    size_t used = 0;
    text[0] = 0;
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS && used < size; o++) {
        const int64_t n = lng_output_length(p, o);
        int seen = n == 0;
        for (int64_t i = 0; i < n && !seen; i++)
            seen = truth[o][i].kind != LNG_FINITE || truth[o][i].hi != 0;
        if (!seen) {
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%s (every exact value is 0)", before,
                                     lng_output_name[o]);
            before = ", ";
        }
    }
    for (size_t i = 0; i < sizeof terms / sizeof *terms && used < size; i++)
        if (p->block_num > 0 && terms[i].blind(p)) {
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", before, terms[i].what);
            before = ", ";
        }
}
