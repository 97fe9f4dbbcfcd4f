/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bits depend on the values and the sizes alone. Each shape is computed once, by the
 * scalar kernel and one worker; then everything that must not matter is varied, one thing
 * at a time, and every output compared.
 */
#include "fixture.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arch.h"

/* Usual, longer, shorter, mixed; one tile, many blocks, many strips, with remainders;
 * below and above the size from which on workers are woken. */
static const int64_t shapes[][4] = {
    {9,     40,   40,    9   },
    {1,     1,    1,     1   },
    {67,    1021, 1021,  67  },
    {2100,  12,   120,   210 },
    {21000, 3,    63,    1000},
    {5,     4000, 400,   50  },
    {6,     1500, 900,   10  },
    {1,     5000, 1250,  4   },
    {40,    1000, 40000, 1   },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* What is varied; the zero value is the reference. */
struct variant {
    const char *what;
    enum lng_edge edge;
    const char *kernel; /* NULL: the scalar one */
    int workers;        /* 0: one */
    uint32_t mask;      /* 0: every core */
    int by_mask;        /* workers as the mask says */
    int entry;          /* 0: general, 's', 'p': documented */
    int outputs;        /* bits of dx, dg, db that are NOT computed */
    int in_place;       /* 0, or 1 + X, 1 + DY */
    int own_workspace;
    int rounding; /* of the caller: FE_..., 0 is to nearest */
    int flushes;  /* the caller's subnormals */
};

static void call_documented(struct lng_fixture *f, int entry)
{
    const lng_problem *p = &f->p;
    void **t = f->tensor;
    const int s[4] = {(int)p->param_num, (int)p->param_size, (int)p->block_num,
                      (int)p->block_size};
    lng_set_epsilon(p->epsilon);
    lng_force_kernel(p->kernel);
    if (p->dtype == LNG_F32 && entry == 's')
        fp_layernormgrad_s(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], s[0], s[1], s[2], s[3],
                           p->dx, p->dg, p->db, (int)p->core_mask);
    else if (p->dtype == LNG_F32)
        fp_layernormgrad_p(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], s[0], s[1], s[2], s[3],
                           p->dx, p->dg, p->db);
    else if (entry == 's')
        hp_layernormgrad_s(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], s[0], s[1], s[2], s[3],
                           p->dx, p->dg, p->db, (int)p->core_mask);
    else
        hp_layernormgrad_p(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], s[0], s[1], s[2], s[3],
                           p->dx, p->dg, p->db);
    lng_force_kernel(NULL);
}

static void run(struct lng_fixture *f, const struct variant *v)
{
    lng_problem *p = &f->p;
    const size_t size = lng_workspace_size(p);
    p->kernel = v->kernel ? v->kernel : p->dtype == LNG_F16 ? "f16_scalar" : "f32_scalar";
    p->workers = v->by_mask ? 0 : v->workers ? v->workers : 1;
    p->core_mask = v->mask ? v->mask : LNG_ALL_CORES;
    p->dx = v->outputs & 1 ? NULL : p->dx;
    p->dg = v->outputs & 2 ? NULL : p->dg;
    p->db = v->outputs & 4 ? NULL : p->db;
    if (v->in_place)
        f->tensor[DX] = p->dx = f->tensor[v->in_place - 1];
    if (v->own_workspace) {
        p->workspace = lng_map(size, 64);
        p->workspace_size = size;
        memset(p->workspace, 0xff, size);
    }

    const lng_fp_state ordinary = lng_fp_enter();
    lng_fp_state before = lng_fp_enter(), after;
    if (v->rounding)
        fesetround(v->rounding);
    if (v->flushes) {
        before = lng_fp_enter();
        lng_fp_leave(before | LNG_FP_FLUSH);
    }
    before = lng_fp_enter();
    lng_fp_leave(before);
    if (v->entry)
        call_documented(f, v->entry);
    else
        lng_layernormgrad(p);
    after = lng_fp_enter();
    lng_fp_leave(ordinary);

    lng_assert(lng_last_status() == LNG_OK, "%s: %s", v->what, lng_status_text());
    lng_assert(before == after, "%s: the caller's environment was changed", v->what);
    if (p->workspace)
        lng_unmap(p->workspace, size);
    p->workspace = NULL;
}

static void check(const struct lng_fixture *right, const struct variant *v)
{
    const lng_problem *q = &right->p;
    char what[128];
    struct lng_fixture f = lng_copy(right, v->edge);
    run(&f, v);
    snprintf(what, sizeof what, "%s, %s, %lld x %lld, %lld parameters", v->what,
             f.p.kernel, (long long)q->block_num, (long long)q->block_size,
             (long long)q->param_num);
    for (int out = DX; out < TENSORS; out++)
        if (v->outputs >> (out - DX) & 1)
            lng_assert(lng_untouched(&f, out) == f.length[out],
                       "%s: an output that was not asked for was written", what);
        else
            lng_assert_same(&f, right, out, what);
    lng_teardown(&f);
}

/* The variants of one kernel. */
static void check_all(const struct lng_fixture *right, const char *kernel)
{
    static const uint32_t masks[] = {1, 2, 3, 5, 0xff, 0x40000000, 0x55555555};
    static const int rounding[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct variant v = {.what = "plain", .kernel = kernel};
    check(right, &v);
    for (v.workers = 2, v.what = "workers"; v.workers <= 9; v.workers++)
        check(right, &v);
    v = (struct variant){.what = "mask", .kernel = kernel, .by_mask = 1};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        v.mask = masks[i];
        check(right, &v);
    }
    v = (struct variant){.what = "alignment", .kernel = kernel, .edge = AT_START};
    check(right, &v);
    v.edge = AFTER_START;
    check(right, &v);
    v = (struct variant){.what = "_s", .kernel = kernel, .entry = 's', .by_mask = 1};
    check(right, &v);
    v = (struct variant){.what = "_p", .kernel = kernel, .entry = 'p'};
    check(right, &v);
    v = (struct variant){.what = "outputs", .kernel = kernel, .workers = 2};
    for (v.outputs = 1; v.outputs < 8; v.outputs++)
        check(right, &v);
    v = (struct variant){
        .what = "dx = x", .kernel = kernel, .workers = 2, .in_place = 1 + X};
    check(right, &v);
    v.what = "dx = dy";
    v.in_place = 1 + DY;
    check(right, &v);
    v = (struct variant){.what = "workspace", .kernel = kernel, .own_workspace = 1};
    check(right, &v);
    v = (struct variant){.what = "rounding mode", .kernel = kernel, .workers = 2};
    for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++) {
        v.rounding = rounding[i];
        check(right, &v);
    }
    v = (struct variant){
        .what = "flush to zero", .kernel = kernel, .workers = 2, .flushes = 1};
    check(right, &v);
}

/* Of the host, whose bits the right ones are. */
static void check_kernels(const struct lng_fixture *right)
{
    for (size_t i = 0; i < lng_kernels_count; i++)
        if (lng_on_host(lng_kernels[i].target) &&
            lng_kernels[i].dtype == right->p.dtype && lng_kernels[i].available())
            check_all(right, lng_kernels[i].id);
}

static void check_shapes(lng_dtype dtype)
{
    for (size_t s = 0; s < SHAPES; s++) {
        struct lng_fixture right = lng_setup(dtype, shapes[s], AT_END);
        run(&right, &(struct variant){.what = "reference"});
        check_kernels(&right);
        lng_teardown(&right);
    }
}

static void single_precision(void **state)
{
    (void)state;
    check_shapes(LNG_F32);
}

static void half_precision(void **state)
{
    (void)state;
    check_shapes(LNG_F16);
}

/* So many elements that dx bypasses the cache of a host, where its alignment allows. */
static void check_streamed(const struct lng_kernel *kernel)
{
    static const int64_t large[][4] = {
        {800, 500,   500,   800},
        {8,   50000, 25000, 16 }
    };
    for (size_t s = 0; s < sizeof large / sizeof *large && lng_on_host(kernel->target);
         s++) {
        struct lng_fixture right = lng_setup(kernel->dtype, large[s], AFTER_START);
        run(&right, &(struct variant){.what = "reference"});
        struct variant v = {.what = "large", .kernel = kernel->id, .edge = AT_START};
        for (v.workers = 1; v.workers <= 3; v.workers++)
            check(&right, &v);
        v.edge = AFTER_START;
        check(&right, &v);
        v.edge = AT_START;
        v.in_place = 1 + DY;
        check(&right, &v);
        lng_teardown(&right);
    }
}

static void streamed(void **state)
{
    (void)state;
    lng_for_all_kernels(check_streamed);
}

/* The inputs do show the order: rows, and columns, in reverse order are the same sums in
 * exact arithmetic, and other bits here. (Half holds db exactly.) */
static void inputs_show_the_order(void **state)
{
    (void)state;
    static const int64_t sizes[4] = {64, 128, 128, 64};
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        const size_t size = lng_size((lng_dtype)dtype);
        struct lng_fixture f = lng_setup((lng_dtype)dtype, sizes, AT_END);
        struct lng_fixture rows = lng_setup((lng_dtype)dtype, sizes, AT_END);
        struct lng_fixture columns = lng_setup((lng_dtype)dtype, sizes, AT_END);
        for (int64_t n = 0; n < sizes[2]; n++)
            for (int t = X; t <= VAR; t++) {
                const size_t row = (size_t)(f.length[t] / sizes[2]) * size;
                memcpy((char *)rows.tensor[t] + (size_t)n * row,
                       (char *)f.tensor[t] + (size_t)(sizes[2] - 1 - n) * row, row);
            }
        for (int64_t j = 0; j < f.length[X]; j++)
            for (int t = X; t <= GAMMA; t += t == DY ? GAMMA - DY : 1)
                if (j < f.length[t])
                    memcpy((char *)columns.tensor[t] + (size_t)j * size,
                           (char *)f.tensor[t] +
                               (size_t)(j / 64 * 64 + 63 - j % 64) * size,
                           size);
        run(&f, &(struct variant){.what = "as they are"});
        run(&rows, &(struct variant){.what = "rows reversed"});
        run(&columns, &(struct variant){.what = "columns reversed"});
        int64_t dx = 0, dg = 0, db = 0;
        for (int64_t j = 0; j < f.length[DX]; j++)
            dx += !lng_same(f.p.dtype, f.tensor[DX], j, columns.tensor[DX],
                            j / 64 * 64 + 63 - j % 64);
        for (int64_t q = 0; q < f.length[DG]; q++) {
            dg += !lng_same(f.p.dtype, f.tensor[DG], q, rows.tensor[DG], q);
            db += !lng_same(f.p.dtype, f.tensor[DB], q, rows.tensor[DB], q);
        }
        lng_assert(dx > f.length[DX] / 64 && dg > f.length[DG] / 4 &&
                       (db > f.length[DB] / 4 || dtype == LNG_F16),
                   "only %lld dx, %lld dg and %lld db differ", (long long)dx,
                   (long long)dg, (long long)db);
        lng_teardown(&f);
        lng_teardown(&rows);
        lng_teardown(&columns);
    }
}

/* Subnormal inputs and results, with the caller's subnormals flushed and not. */
static void subnormals(void **state)
{
    (void)state;
    static const int64_t sizes[4] = {20, 30, 30, 20};
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        struct lng_fixture right = lng_setup((lng_dtype)dtype, sizes, AT_END);
        const double least = dtype == LNG_F16 ? 0x1p-24 : 0x1p-149;
        for (int64_t j = 0; j < right.length[DY]; j++) {
            lng_put((lng_dtype)dtype, right.tensor[DY], j, (double)(j % 17) * least);
            lng_put((lng_dtype)dtype, right.tensor[X], j, (double)(j % 3) - 1);
        }
        for (int64_t n = 0; n < 30; n++)
            lng_put((lng_dtype)dtype, right.tensor[VAR], n, 1 + (double)n);
        run(&right, &(struct variant){.what = "reference"});
        for (int64_t q = 0; q < 20; q++) {
            double sum = 0;
            for (int64_t n = 0; n < 30; n++)
                sum += (double)((n * 20 + q) % 17) * least;
            assert_true(lng_get((lng_dtype)dtype, right.tensor[DB], q) == sum);
        }
        check_kernels(&right);
        lng_teardown(&right);
    }
}

/* A row's dx is the same with other rows beside it. */
static void rows_alone(void **state)
{
    (void)state;
    static const int64_t all[4] = {77, 50, 50, 77}, one[4] = {77, 1, 1, 77};
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++) {
        const size_t size = lng_size((lng_dtype)dtype);
        struct lng_fixture f = lng_setup((lng_dtype)dtype, all, AT_END);
        run(&f, &(struct variant){.what = "all rows"});
        for (int64_t n = 0; n < 50; n++) {
            struct lng_fixture g = lng_setup((lng_dtype)dtype, one, AT_END);
            for (int t = X; t <= GAMMA; t++)
                memcpy(g.tensor[t],
                       (char *)f.tensor[t] +
                           (t == GAMMA ? 0 : (size_t)(n * g.length[t]) * size),
                       (size_t)g.length[t] * size);
            run(&g, &(struct variant){.what = "one row"});
            for (int64_t j = 0; j < 77; j++)
                assert_true(lng_same((lng_dtype)dtype, g.tensor[DX], j, f.tensor[DX],
                                     n * 77 + j));
            lng_teardown(&g);
        }
        lng_teardown(&f);
    }
}

/* Runs that follow one another, from one buffer to the same outputs: overwritten. */
static void repeats(void **state)
{
    (void)state;
    struct lng_fixture right = lng_setup(LNG_F32, shapes[2], AT_END);
    struct lng_fixture f = lng_setup(LNG_F32, shapes[2], AT_END);
    run(&right, &(struct variant){.what = "reference"});
    for (int i = 0; i < 50; i++) {
        f.p.kernel = NULL;
        f.p.workers = i % 5;
        f.p.core_mask = LNG_ALL_CORES;
        assert_int_equal(lng_layernormgrad(&f.p), LNG_OK);
        for (int out = DX; out < TENSORS; out++)
            lng_assert_same(&f, &right, out, "repeat");
    }
    lng_teardown(&f);
    lng_teardown(&right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_show_the_order),
        cmocka_unit_test(single_precision),
        cmocka_unit_test(half_precision),
        cmocka_unit_test(streamed),
        cmocka_unit_test(subnormals),
        cmocka_unit_test(rows_alone),
        cmocka_unit_test(repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
