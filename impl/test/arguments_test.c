/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is refused, and that nothing is written then; what is let through. The allocator
 * is wrapped by the linker: it counts, and fails when it is told to.
 */
#include "fixture.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int allocations, refuse_memory;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    allocations++;
    return refuse_memory ? NULL : __real_malloc(size);
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return refuse_memory ? NULL : __real_aligned_alloc(alignment, size);
}

static const int64_t sizes[4] = {12, 10, 15, 8};

#define FIELD(name) offsetof(lng_problem, name), sizeof(((lng_problem *)0)->name)

static void general_fields(void **state)
{
    (void)state;
    static const struct lng_change changes[] = {
        {LNG_BAD_DTYPE,     "dtype",        FIELD(dtype),      2               },
        {LNG_BAD_DTYPE,     "dtype",        FIELD(dtype),      -1              },
        {LNG_BAD_SIZE,      "param_num",    FIELD(param_num),  0               },
        {LNG_BAD_SIZE,      "param_num",    FIELD(param_num),  -12             },
        {LNG_BAD_SIZE,      "param_num",    FIELD(param_num),  INT64_MIN       },
        {LNG_BAD_SIZE,      "param_num",    FIELD(param_num),  INT64_MAX       },
        {LNG_BAD_SIZE,      "param_size",   FIELD(param_size), 0               },
        {LNG_BAD_SIZE,      "param_size",   FIELD(param_size), -10             },
        {LNG_BAD_SIZE,      "block_num",    FIELD(block_num),  0               },
        {LNG_BAD_SIZE,      "block_num",    FIELD(block_num),  -15             },
        {LNG_BAD_SIZE,      "block_size",   FIELD(block_size), 0               },
        {LNG_BAD_SIZE,      "block_size",   FIELD(block_size), -8              },
        {LNG_BAD_SIZE,      "elements",     FIELD(block_size), INT64_C(1) << 46},
        {LNG_SIZE_MISMATCH, "param_num",    FIELD(param_num),  13              },
        {LNG_SIZE_MISMATCH, "param_num",    FIELD(param_size), 9               },
        {LNG_SIZE_MISMATCH, "120",          FIELD(block_num),  14              },
        {LNG_SIZE_MISMATCH, "135",          FIELD(block_size), 9               },
        {LNG_NULL_POINTER,  "x is NULL",    FIELD(x),          0               },
        {LNG_NULL_POINTER,  "dy is NULL",   FIELD(dy),         0               },
        {LNG_NULL_POINTER,  "mean is NULL", FIELD(mean),       0               },
        {LNG_NULL_POINTER,  "var is NULL",  FIELD(var),        0               },
        {LNG_BAD_MASK,      "core_mask",    FIELD(core_mask),  0               },
        {LNG_BAD_MASK,      "core_mask",    FIELD(core_mask),  0x80000000      },
        {LNG_BAD_MASK,      "0x80000001",   FIELD(core_mask),  0x80000001      },
        {LNG_BAD_WORKERS,   "workers",      FIELD(workers),    -1              },
        {LNG_BAD_WORKERS,   "workers",      FIELD(workers),    1025            },
        {LNG_BAD_WORKERS,   "workers",      FIELD(workers),    INT_MAX         },
    };
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        struct lng_fixture f = lng_setup((lng_dtype)dtype, sizes, AT_END);
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            const struct lng_change *c = &changes[i];
            lng_problem p = f.p;
            memcpy((char *)&p + c->offset, &c->value, c->size);
            assert_int_equal(lng_layernormgrad(&p), c->status);
            char what[64];
            snprintf(what, sizeof what, "change %zu (%s)", i, c->word);
            lng_expect_refused(&f, c->status, c->word, what);
        }
        assert_int_equal(lng_layernormgrad(NULL), LNG_NULL_POINTER);
        lng_expect_refused(&f, LNG_NULL_POINTER, "problem", "no problem");
        lng_teardown(&f);
    }
}

/* Products that are equal modulo 2^64, or would be a small number of bytes. */
static void products_that_overflow(void **state)
{
    (void)state;
    static const int64_t wrong[][4] = {
        {INT64_C(1) << 32, INT64_C(1) << 32, 1,                1                     },
        {INT64_C(1) << 33, INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 32      },
        {12,               10,               15,               (INT64_C(1) << 62) + 8},
        {INT64_C(1) << 47, 2,                INT64_C(1) << 47, 2                     },
        {3,                INT64_MAX,        INT64_MAX,        3                     },
    };
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lng_problem p = f.p;
        p.param_num = wrong[i][0];
        p.param_size = wrong[i][1];
        p.block_num = wrong[i][2];
        p.block_size = wrong[i][3];
        assert_int_equal(lng_layernormgrad(&p), LNG_BAD_SIZE);
        lng_expect_refused(&f, LNG_BAD_SIZE, "", "product");
        assert_int_equal(lng_workspace_size(&p), 0);
        lng_expect_refused(&f, LNG_BAD_SIZE, "", "workspace of a product");
    }
    lng_teardown(&f);
}

static void masks(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    for (int bit = 0; bit < 31; bit++) {
        f.p.core_mask = UINT32_C(1) << bit;
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
    }
    f.p.core_mask = LNG_ALL_CORES;
    assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
    lng_expect_accepted("every core");
    lng_teardown(&f);
}

static uint32_t run_mask;

static lng_status keep_mask(const struct lng_job *job)
{
    run_mask = job->problem->core_mask;
    return LNG_OK;
}

/* The one mask that is legal everywhere reaches a kernel as the cores that there are. */
static void every_core_of_each_target(void **state)
{
    (void)state;
    for (size_t k = 0; k < lng_kernels_count; k++) {
        struct lng_kernel kernel = lng_kernels[k];
        struct lng_fixture f = lng_setup(kernel.dtype, sizes, AT_END);
        char expected[64];
        kernel.run = keep_mask;
        f.p.core_mask = LNG_ALL_CORES;
        lng_assert(lng_call(&kernel, &f.p, 0) == LNG_OK, "%s: %s", kernel.id,
                   lng_status_text());
        assert_int_equal(run_mask, (UINT64_C(1) << kernel.cores) - 1);
        f.p.core_mask = UINT32_C(1) << kernel.cores;
        assert_int_equal(lng_call(&kernel, &f.p, 0), LNG_BAD_MASK);
        snprintf(expected, sizeof expected, "core_mask is 0x%x, expected 0x1 to 0x%x",
                 1u << kernel.cores, (1u << kernel.cores) - 1);
        lng_expect_refused(&f, LNG_BAD_MASK, expected, kernel.id);
        lng_teardown(&f);
    }
}

static void epsilons(void **state)
{
    (void)state;
    const double legal[] = {0, -0.0, 0x1p-126, 1e-12, 1e-5, 1, 0x1p127};
    const double illegal[] = {
        0x1.fffffffffffffp-127, 0x1p-149, 0x1p-1074, -0x1p-126, -1e-5,
        0x1.0000000000001p127,  0x1p128,  INFINITY,  -INFINITY, NAN};
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++) {
        f.p.epsilon = illegal[i];
        assert_int_equal(lng_layernormgrad(&f.p), LNG_BAD_EPSILON);
        lng_expect_refused(&f, LNG_BAD_EPSILON, "epsilon", "general call");
        assert_int_equal(lng_set_epsilon(illegal[i]), LNG_BAD_EPSILON);
        lng_expect_refused(&f, LNG_BAD_EPSILON, "epsilon", "setting");
        assert_true(lng_get_epsilon() == 1e-12);
    }
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        f.p.epsilon = legal[i];
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        assert_int_equal(lng_set_epsilon(legal[i]), LNG_OK);
        assert_true(lng_get_epsilon() == legal[i]);
        lng_expect_accepted("epsilon");
    }
    lng_set_epsilon(1e-12);
    lng_teardown(&f);
}

/* The pointer of a tensor in a problem. */
static void set_pointer(lng_problem *p, int tensor, const void *value)
{
    static const size_t offset[TENSORS] = {
        offsetof(lng_problem, x),     offsetof(lng_problem, dy),
        offsetof(lng_problem, mean),  offsetof(lng_problem, var),
        offsetof(lng_problem, gamma), offsetof(lng_problem, dx),
        offsetof(lng_problem, dg),    offsetof(lng_problem, db)};
    memcpy((char *)p + offset[tensor], &value, sizeof value);
}

static void alignment(void **state)
{
    (void)state;
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        struct lng_fixture f = lng_setup((lng_dtype)dtype, sizes, AT_START);
        for (int t = 0; t < TENSORS; t++)
            for (size_t off = 1; off < lng_size((lng_dtype)dtype); off++) {
                lng_problem p = f.p;
                set_pointer(&p, t, (char *)f.tensor[t] + off);
                assert_int_equal(lng_layernormgrad(&p), LNG_BAD_ALIGNMENT);
                lng_expect_refused(&f, LNG_BAD_ALIGNMENT, "aligned", "one byte on");
            }
        lng_teardown(&f);
    }
}

/* Each output over each input and each other output: the same start, the last element of
 * one on the first of the other, either way, are refused, and touching is not; dx exactly
 * on x or dy is legal. */
static void overlap(void **state)
{
    (void)state;
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        struct lng_fixture f = lng_setup((lng_dtype)dtype, sizes, AT_END);
        const int64_t size = (int64_t)lng_size((lng_dtype)dtype);
        char *room = lng_map((size_t)(2 * f.length[X] * size), 64);
        for (int out = DX; out < TENSORS; out++)
            for (int other = 0; other < out; other++) {
                /* The output starts so many elements after the other. */
                const int64_t legal[] = {f.length[other], -f.length[out]};
                const int64_t illegal[] = {f.length[other] - 1, 1 - f.length[out], 0, 1};
                char what[64];
                snprintf(what, sizeof what, "tensor %d over %d", out, other);
                for (size_t i = 0; i < 4; i++) {
                    const int in_place = out == DX && other <= DY && illegal[i] == 0;
                    char *base = room + (illegal[i] < 0 ? -illegal[i] * size : 0);
                    lng_problem p = f.p;
                    set_pointer(&p, other, base);
                    set_pointer(&p, out, base + illegal[i] * size);
                    if (other < DX)
                        memcpy(base, f.tensor[other], (size_t)(f.length[other] * size));
                    const lng_status status = lng_layernormgrad(&p);
                    if (in_place) {
                        lng_expect_accepted(what);
                        lng_forget(&f);
                    } else {
                        assert_int_equal(status, LNG_OVERLAP);
                        lng_expect_refused(&f, LNG_OVERLAP, "overlaps", what);
                    }
                }
                for (size_t i = 0; i < 2; i++) {
                    char *base = room + (legal[i] < 0 ? -legal[i] * size : 0);
                    lng_problem p = f.p;
                    set_pointer(&p, other, base);
                    set_pointer(&p, out, base + legal[i] * size);
                    if (other < DX)
                        memcpy(base, f.tensor[other], (size_t)(f.length[other] * size));
                    lng_layernormgrad(&p);
                    lng_expect_accepted(what);
                    lng_forget(&f);
                }
            }
        /* Inputs may share. */
        lng_problem p = f.p;
        p.dy = p.x;
        p.mean = p.x;
        p.gamma = p.x;
        lng_layernormgrad(&p);
        lng_expect_accepted("inputs that share");
        lng_unmap(room, (size_t)(2 * f.length[X] * size));
        lng_teardown(&f);
    }
}

static void all_outputs_null(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    lng_problem p = f.p;
    p.dx = p.dg = p.db = NULL;
    allocations = 0;
    assert_int_equal(lng_layernormgrad(&p), LNG_OK);
    lng_expect_accepted("no outputs");
    assert_int_equal(allocations, 0);
    p.core_mask = 0; /* still checked */
    assert_int_equal(lng_layernormgrad(&p), LNG_BAD_MASK);
    lng_expect_refused(&f, LNG_BAD_MASK, "core_mask", "no outputs and no core");
    lng_teardown(&f);
}

static void workspace(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {
        {12,    10,   15,   8    },
        {1,     1,    1,    1    },
        {64,    4096, 4096, 64   },
        {10000, 20,   20,   10000},
        {7,     3000, 1500, 14   },
        {100,   0,    0,    10   }
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct lng_fixture f = lng_setup(LNG_F32, shapes[i], AT_END);
        const size_t size = lng_workspace_size(&f.p);
        assert_true(size > 0);
        char *exact = lng_map(size, 64);
        assert_int_equal((uintptr_t)exact % 64, 0);
        f.p.workspace = exact;
        f.p.workspace_size = size - 1;
        assert_int_equal(lng_layernormgrad(&f.p), LNG_BAD_WORKSPACE);
        lng_expect_refused(&f, LNG_BAD_WORKSPACE, "workspace", "one byte short");
        f.p.workspace_size = size + 64;
        for (int off = 1; off < 64; off += off) {
            f.p.workspace = exact - off;
            assert_int_equal(lng_layernormgrad(&f.p), LNG_BAD_WORKSPACE);
            lng_expect_refused(&f, LNG_BAD_WORKSPACE, "64", "not aligned");
        }
        f.p.workspace = exact;
        f.p.workspace_size = size;
        f.p.workers = 1;
        allocations = 0;
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        assert_int_equal(allocations, 0);
        f.p.workers = 3;
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        lng_expect_accepted("exact workspace");
        lng_unmap(exact, size);
        lng_teardown(&f);
    }
}

/* A thread that has made no call yet has no workspace of its own. */
static void in_new_thread(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void *call_without_memory(void *arg)
{
    const struct lng_fixture *f = arg;
    refuse_memory = 1;
    lng_layernormgrad(&f->p);
    refuse_memory = 0;
    lng_expect_refused(f, LNG_NO_MEMORY, "bytes", "no memory");
    return NULL;
}

static void no_memory(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F16, sizes, AT_END);
    in_new_thread(call_without_memory, &f);
    lng_teardown(&f);
}

enum { CALLS = 6 };

struct counted {
    const struct lng_fixture *small, *large;
    int allocations[CALLS];
};

static int count_call(const struct lng_fixture *f, int documented)
{
    const lng_problem *p = &f->p;
    allocations = 0;
    if (documented)
        fp_layernormgrad_p(f->tensor[X], f->tensor[DY], f->tensor[VAR], f->tensor[MEAN],
                           f->tensor[GAMMA], (int)p->param_num, (int)p->param_size,
                           (int)p->block_num, (int)p->block_size, f->tensor[DX],
                           f->tensor[DG], f->tensor[DB]);
    else
        lng_layernormgrad(p);
    return lng_last_status() == LNG_OK ? allocations : -1;
}

static void *count_allocations(void *arg)
{
    struct counted *c = arg;
    c->allocations[0] = count_call(c->small, 0);
    c->allocations[1] = count_call(c->small, 1);
    c->allocations[2] = count_call(c->small, 0);
    c->allocations[3] = count_call(c->large, 1);
    c->allocations[4] = count_call(c->large, 0);
    c->allocations[5] = count_call(c->small, 1);
    return NULL;
}

/* What one call needed the next has. */
static void kept_workspace(void **state)
{
    (void)state;
    static const int64_t more[] = {3000, 40, 40, 3000};
    struct lng_fixture small = lng_setup(LNG_F32, sizes, AT_END);
    struct lng_fixture large = lng_setup(LNG_F32, more, AT_END);
    small.p.workers = large.p.workers = 1;
    assert_true(lng_workspace_size(&small.p) < lng_workspace_size(&large.p));
    struct counted c = {.small = &small, .large = &large};
    in_new_thread(count_allocations, &c);
    static const int right[CALLS] = {1, 0, 0, 1, 0, 0};
    for (int i = 0; i < CALLS; i++)
        lng_assert(c.allocations[i] == right[i], "call %d: %d allocations, expected %d",
                   i, c.allocations[i], right[i]);
    lng_teardown(&small);
    lng_teardown(&large);
}

/* Workspace of more than 16 MiB is not. */
static void *count_huge(void *arg)
{
    struct counted *c = arg;
    c->allocations[0] = count_call(c->large, 0);
    c->allocations[1] = count_call(c->large, 0);
    return NULL;
}

static void huge_workspace(void **state)
{
    (void)state;
    static const int64_t many[] = {16000, 1024, 1024, 16000};
    struct lng_fixture huge = lng_setup(LNG_F16, many, AT_END);
    huge.p.workers = 1;
    assert_true(lng_workspace_size(&huge.p) > 16 << 20);
    struct counted c = {.large = &huge};
    in_new_thread(count_huge, &c);
    assert_int_equal(c.allocations[0], 1);
    assert_int_equal(c.allocations[1], 1);
    lng_teardown(&huge);
}

static void kernels(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    static const struct {
        lng_status status;
        const char *id;
    } wrong[] = {
        {LNG_UNKNOWN_KERNEL, "f32_scala"  },
        {LNG_UNKNOWN_KERNEL, "f32_scalars"},
        {LNG_UNKNOWN_KERNEL, ""           },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        f.p.kernel = wrong[i].id;
        assert_int_equal(lng_layernormgrad(&f.p), wrong[i].status);
        lng_expect_refused(&f, wrong[i].status, "not in the table", "general call");
        assert_int_equal(lng_workspace_size(&f.p), 0);
        lng_expect_refused(&f, wrong[i].status, "not in the table", "workspace");
        assert_int_equal(lng_force_kernel(wrong[i].id), wrong[i].status);
        lng_expect_refused(&f, wrong[i].status, wrong[i].id, "force");
    }
    f.p.kernel = "f16_scalar";
    assert_int_equal(lng_layernormgrad(&f.p), LNG_UNKNOWN_KERNEL);
    lng_expect_refused(&f, LNG_UNKNOWN_KERNEL, "another type", "type");
    for (size_t i = 0; i < lng_kernels_count; i++)
        if (!lng_kernels[i].available()) {
            f.p.kernel = lng_kernels[i].id;
            assert_int_equal(lng_layernormgrad(&f.p), LNG_NOT_SUPPORTED);
            lng_expect_refused(&f, LNG_NOT_SUPPORTED, "processor", "not here");
            assert_int_equal(lng_force_kernel(f.p.kernel), LNG_NOT_SUPPORTED);
            lng_expect_refused(&f, LNG_NOT_SUPPORTED, "processor", "force");
        }
    lng_teardown(&f);
}

static void workspace_of_nothing(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    assert_int_equal(lng_workspace_size(NULL), 0);
    lng_expect_refused(&f, LNG_NULL_POINTER, "problem", "workspace");
    lng_problem p = f.p;
    p.x = p.dy = p.mean = p.var = p.dx = NULL; /* pointers and mask do not matter */
    p.core_mask = 0;
    assert_true(lng_workspace_size(&p) == lng_workspace_size(&f.p));
    lng_expect_accepted("sizes alone");
    lng_teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_fields), cmocka_unit_test(products_that_overflow),
        cmocka_unit_test(masks),          cmocka_unit_test(every_core_of_each_target),
        cmocka_unit_test(epsilons),       cmocka_unit_test(alignment),
        cmocka_unit_test(overlap),        cmocka_unit_test(all_outputs_null),
        cmocka_unit_test(workspace),      cmocka_unit_test(no_memory),
        cmocka_unit_test(kept_workspace), cmocka_unit_test(huge_workspace),
        cmocka_unit_test(kernels),        cmocka_unit_test(workspace_of_nothing),
    };
    return cmocka_run_group_tests(tests, lng_watch_errors, NULL);
}
