/* SPDX-License-Identifier: Apache-2.0 */
/* The four documented calls: what they refuse, and that they are the general call. */
#include "fixture.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const int64_t sizes[4] = {12, 10, 15, 8};

/* ---- The documented calls */

struct arguments {
    void *x, *dy, *var, *mean, *gamma;
    int param_num, param_size, block_num, block_size;
    void *dx, *dg, *db;
    int core_mask;
};

static void fp_s(const struct arguments *a)
{
    fp_layernormgrad_s(a->x, a->dy, a->var, a->mean, a->gamma, a->param_num,
                       a->param_size, a->block_num, a->block_size, a->dx, a->dg, a->db,
                       a->core_mask);
}

static void fp_p(const struct arguments *a)
{
    fp_layernormgrad_p(a->x, a->dy, a->var, a->mean, a->gamma, a->param_num,
                       a->param_size, a->block_num, a->block_size, a->dx, a->dg, a->db);
}

static void hp_s(const struct arguments *a)
{
    hp_layernormgrad_s(a->x, a->dy, a->var, a->mean, a->gamma, a->param_num,
                       a->param_size, a->block_num, a->block_size, a->dx, a->dg, a->db,
                       a->core_mask);
}

static void hp_p(const struct arguments *a)
{
    hp_layernormgrad_p(a->x, a->dy, a->var, a->mean, a->gamma, a->param_num,
                       a->param_size, a->block_num, a->block_size, a->dx, a->dg, a->db);
}

static const struct {
    void (*call)(const struct arguments *a);
    lng_dtype dtype;
    int has_mask;
} documented[] = {
    {fp_s, LNG_F32, 1},
    {fp_p, LNG_F32, 0},
    {hp_s, LNG_F16, 1},
    {hp_p, LNG_F16, 0}
};
enum { DOCUMENTED = sizeof documented / sizeof *documented };

static struct arguments arguments_of(const struct lng_fixture *f)
{
    return (struct arguments){.x = f->tensor[X],
                              .dy = f->tensor[DY],
                              .var = f->tensor[VAR],
                              .mean = f->tensor[MEAN],
                              .gamma = f->tensor[GAMMA],
                              .param_num = (int)f->p.param_num,
                              .param_size = (int)f->p.param_size,
                              .block_num = (int)f->p.block_num,
                              .block_size = (int)f->p.block_size,
                              .dx = f->tensor[DX],
                              .dg = f->tensor[DG],
                              .db = f->tensor[DB],
                              .core_mask = 0xff};
}

#define ARGUMENT(name)                                                                   \
    offsetof(struct arguments, name), sizeof(((struct arguments *)0)->name)

static void documented_arguments(void **state)
{
    (void)state;
    static const struct lng_change changes[] = {
        {LNG_NULL_POINTER,  "x is NULL",     ARGUMENT(x),          0      },
        {LNG_NULL_POINTER,  "dy is NULL",    ARGUMENT(dy),         0      },
        {LNG_NULL_POINTER,  "var is NULL",   ARGUMENT(var),        0      },
        {LNG_NULL_POINTER,  "mean is NULL",  ARGUMENT(mean),       0      },
        {LNG_NULL_POINTER,  "gamma is NULL", ARGUMENT(gamma),      0      },
        {LNG_BAD_SIZE,      "param_num",     ARGUMENT(param_num),  0      },
        {LNG_BAD_SIZE,      "param_num",     ARGUMENT(param_num),  -12    },
        {LNG_BAD_SIZE,      "param_size",    ARGUMENT(param_size), 0      },
        {LNG_BAD_SIZE,      "param_size",    ARGUMENT(param_size), INT_MIN},
        {LNG_BAD_SIZE,      "block_num",     ARGUMENT(block_num),  0      },
        {LNG_BAD_SIZE,      "block_num",     ARGUMENT(block_num),  -1     },
        {LNG_BAD_SIZE,      "block_size",    ARGUMENT(block_size), 0      },
        {LNG_BAD_SIZE,      "block_size",    ARGUMENT(block_size), -8     },
        {LNG_SIZE_MISMATCH, "param_num",     ARGUMENT(param_num),  13     },
        {LNG_SIZE_MISMATCH, "param_num",     ARGUMENT(param_size), INT_MAX},
        {LNG_SIZE_MISMATCH, "block_num",     ARGUMENT(block_num),  14     },
        {LNG_SIZE_MISMATCH, "block_num",     ARGUMENT(block_size), INT_MAX},
        {LNG_BAD_MASK,      "core_mask",     ARGUMENT(core_mask),  0      },
        {LNG_BAD_MASK,      "core_mask",     ARGUMENT(core_mask),  INT_MIN},
        {LNG_BAD_MASK,      "core_mask",     ARGUMENT(core_mask),  -1     },
    };
    for (size_t e = 0; e < DOCUMENTED; e++) {
        struct lng_fixture f = lng_setup(documented[e].dtype, sizes, AT_END);
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            const struct lng_change *c = &changes[i];
            if (c->status == LNG_BAD_MASK && !documented[e].has_mask)
                continue;
            struct arguments a = arguments_of(&f);
            memcpy((char *)&a + c->offset, &c->value, c->size);
            documented[e].call(&a);
            char what[64];
            snprintf(what, sizeof what, "call %zu, change %zu (%s)", e, i, c->word);
            lng_expect_refused(&f, c->status, c->word, what);
        }
        /* Products beyond 32 bits that agree modulo 2^32: formed in 64. */
        struct arguments a = arguments_of(&f);
        a.param_num = a.param_size = 0x10000;
        a.block_num = 0x20000;
        a.block_size = 0x10000;
        documented[e].call(&a);
        lng_expect_refused(&f, LNG_SIZE_MISMATCH, "param_num", "2^32 and 2^33");
        a = arguments_of(&f);
        a.param_size = a.block_num = 0; /* legal in the general call alone */
        documented[e].call(&a);
        lng_expect_refused(&f, LNG_BAD_SIZE, "block_num", "no rows");
        a = arguments_of(&f);
        a.dx = (char *)a.x + lng_size(documented[e].dtype);
        documented[e].call(&a);
        lng_expect_refused(&f, LNG_OVERLAP, "dx overlaps x", "overlap");
        a = arguments_of(&f);
        a.db = (char *)a.db + 1;
        documented[e].call(&a);
        lng_expect_refused(&f, LNG_BAD_ALIGNMENT, "db", "alignment");
        lng_teardown(&f);
    }
}

/* Each gives what the general call gives, mean and var not exchanged, with the epsilon
 * that was set. */
static void documented_results(void **state)
{
    (void)state;
    for (size_t e = 0; e < DOCUMENTED; e++) {
        struct lng_fixture f = lng_setup(documented[e].dtype, sizes, AT_END);
        struct lng_fixture g = lng_setup(documented[e].dtype, sizes, AT_END);
        const double epsilons_set[] = {1e-12, 0.25, 0};
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(lng_set_epsilon(epsilons_set[i]), LNG_OK);
            g.p.epsilon = epsilons_set[i];
            assert_int_equal(lng_layernormgrad(&g.p), LNG_OK);
            const struct arguments a = arguments_of(&f);
            documented[e].call(&a);
            lng_expect_accepted("documented call");
            for (int t = DX; t < TENSORS; t++)
                lng_assert_same(&f, &g, t, "documented call");
        }
        lng_set_epsilon(1e-12);
        lng_forget(&f);
        struct arguments a = arguments_of(&f);
        a.dx = a.dg = a.db = NULL;
        documented[e].call(&a);
        lng_expect_accepted("no outputs");
        lng_teardown(&f);
        lng_teardown(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_arguments),
        cmocka_unit_test(documented_results),
    };
    return cmocka_run_group_tests(tests, lng_watch_errors, NULL);
}
