/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* setenv */
/*
 * The shared libraries, one for each target: what each has in its table, what it refuses,
 * and that they are strangers to each other in one process.
 */
#include "fixture.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of each; the symbols are found by their names. */
static struct library {
    const char *target, *path;
    int cores, has_half; /* from the operator lists of the chips, and design */
    void *handle;
    size_t (*count)(void);
    lng_status (*at)(size_t i, lng_kernel_info *info);
    lng_status (*call)(const lng_problem *problem);
    lng_status (*set_epsilon)(double epsilon);
    double (*get_epsilon)(void);
    lng_status (*force)(const char *id);
    lng_status (*last)(void);
    const char *(*text)(void);
    lng_status (*flush)(int on);
    void *(*device_alloc)(enum lng_memory level, int core, size_t bytes);
    void (*device_free)(void *memory);
    void (*fp_s)(float *x, float *dy, float *var, float *mean, float *gamma,
                 int param_num, int param_size, int block_num, int block_size, float *dx,
                 float *dg, float *db, int core_mask);
    void (*hp_p)(half *x, half *dy, half *var, half *mean, half *gamma, int param_num,
                 int param_size, int block_num, int block_size, half *dx, half *dg,
                 half *db);
} libraries[] = {
    {.target = "host",
     .path = LNG_FOLDER "/liblayernormgrad.so",
     .cores = 31,
     .has_half = 1                                                                                                   },
    {.target = "ft78ne",                               .path = LNG_FOLDER "/liblayernormgrad_ft78ne.so", .cores = 8},
    {.target = "mt7004",
     .path = LNG_FOLDER "/liblayernormgrad_mt7004.so",
     .cores = 4,
     .has_half = 1},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static void find(const struct library *l, const char *name, void *function)
{
    void *symbol = dlsym(l->handle, name);
    lng_assert(symbol, "%s has no %s", l->path, name);
    memcpy(function, &symbol, sizeof symbol);
}

static int open_libraries(void **state)
{
    (void)state;
    setenv("LNG_ISA", "scalar", 1);
    for (struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        l->handle = dlopen(l->path, RTLD_NOW | RTLD_LOCAL);
        if (!l->handle) {
            fprintf(stderr, "%s\n", dlerror());
            return -1;
        }
        find(l, "lng_kernel_count", &l->count);
        find(l, "lng_kernel_at", &l->at);
        find(l, "lng_layernormgrad", &l->call);
        find(l, "lng_set_epsilon", &l->set_epsilon);
        find(l, "lng_get_epsilon", &l->get_epsilon);
        find(l, "lng_force_kernel", &l->force);
        find(l, "lng_last_status", &l->last);
        find(l, "lng_status_text", &l->text);
        find(l, "lng_model_flush", &l->flush);
        find(l, "lng_device_alloc", &l->device_alloc);
        find(l, "lng_device_free", &l->device_free);
        find(l, "fp_layernormgrad_s", &l->fp_s);
        find(l, "hp_layernormgrad_p", &l->hp_p);
    }
    return 0;
}

/* Every row of the whole table is in one library, in the same order. */
static void each_has_its_own_rows(void **state)
{
    (void)state;
    lng_kernel_info info;
    size_t rows = 0;
    for (const struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        size_t i = 0;
        for (size_t k = 0; k < lng_kernels_count; k++)
            if (strcmp(lng_kernels[k].target, l->target) == 0) {
                assert_int_equal(l->at(i++, &info), LNG_OK);
                assert_string_equal(info.id, lng_kernels[k].id);
                assert_int_equal(info.cores, l->cores);
            }
        assert_int_equal(l->count(), i);
        assert_int_equal(l->at(i, &info), LNG_UNKNOWN_KERNEL);
        assert_true(i > 0);
        rows += i;
    }
    assert_int_equal(rows, lng_kernels_count);
}

/* A best row for each type that it has; LNG_ISA is of the host, and noted elsewhere. */
static void each_has_its_own_best(void **state)
{
    (void)state;
    lng_kernel_info info;
    for (const struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        int best[2] = {0};
        for (size_t i = 0; i < l->count(); i++) {
            assert_int_equal(l->at(i, &info), LNG_OK);
            best[info.dtype] += info.best;
            if (info.best && lng_on_host(l->target))
                assert_non_null(strstr(info.id, "_scalar"));
        }
        assert_int_equal(best[LNG_F32], 1);
        assert_int_equal(best[LNG_F16], l->has_half);
        assert_int_equal(strstr(l->text(), "LNG_ISA") == NULL, lng_on_host(l->target));
        assert_int_equal(l->force("f16_avx2") == LNG_UNKNOWN_KERNEL,
                         !lng_on_host(l->target) || !lng_kernel_find("f16_avx2"));
        l->force(NULL);
    }
}

static void each_has_its_own_cores(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, (int64_t[]){5, 3, 3, 5}, AT_END);
    void *const *t = f.tensor;
    for (const struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        f.p.core_mask = UINT32_C(1) << (l->cores - 1);
        lng_assert(l->call(&f.p) == LNG_OK, "%s: %s", l->target, l->text());
        lng_forget(&f);
        f.p.core_mask = LNG_ALL_CORES;
        lng_assert(l->call(&f.p) == LNG_OK, "%s: %s", l->target, l->text());
        lng_forget(&f);
        l->fp_s(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], 5, 3, 3, 5, t[DX], t[DG], t[DB],
                INT_MAX);
        lng_assert(l->last() == LNG_OK, "%s: %s", l->target, l->text());
        lng_forget(&f);
        f.p.core_mask = UINT32_C(1) << l->cores;
        assert_int_equal(l->call(&f.p), LNG_BAD_MASK);
        for (int o = DX; o < TENSORS; o++)
            assert_int_equal(lng_untouched(&f, o), f.length[o]);
    }
    lng_teardown(&f);
}

/* In the documented call and in the general one, before anything is written. */
static void half_is_refused_where_there_is_none(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F16, (int64_t[]){5, 3, 3, 5}, AT_END);
    void *const *t = f.tensor;
    f.p.core_mask = 1;
    for (const struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        const lng_status expected = l->has_half ? LNG_OK : LNG_NOT_SUPPORTED;
        for (int general = 0; general <= 1; general++) {
            lng_forget(&f);
            if (general)
                l->call(&f.p);
            else
                l->hp_p(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], 5, 3, 3, 5, t[DX], t[DG],
                        t[DB]);
            assert_int_equal(l->last(), expected);
            if (expected == LNG_OK)
                continue;
            assert_string_equal(l->text(), "ft78ne computes in single precision only");
            for (int o = DX; o < TENSORS; o++)
                assert_int_equal(lng_untouched(&f, o), f.length[o]);
        }
    }
    lng_teardown(&f);
}

static void settings_are_of_one_library(void **state)
{
    (void)state;
    for (int i = 0; i < LIBRARIES; i++)
        assert_int_equal(libraries[i].set_epsilon(i + 1), LNG_OK);
    for (int i = 0; i < LIBRARIES; i++)
        assert_true(libraries[i].get_epsilon() == i + 1);
    assert_true(lng_get_epsilon() == 1e-12);
}

static void the_memory_of_a_device_is_a_devices(void **state)
{
    (void)state;
    for (const struct library *l = libraries; l < libraries + LIBRARIES; l++) {
        void *memory = l->device_alloc(LNG_DDR, 0, 64);
        assert_int_equal(memory == NULL, lng_on_host(l->target));
        assert_int_equal(l->flush(0) == LNG_OK, !lng_on_host(l->target));
        l->device_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_own_rows),
        cmocka_unit_test(each_has_its_own_best),
        cmocka_unit_test(each_has_its_own_cores),
        cmocka_unit_test(half_is_refused_where_there_is_none),
        cmocka_unit_test(settings_are_of_one_library),
        cmocka_unit_test(the_memory_of_a_device_is_a_devices),
    };
    return cmocka_run_group_tests(tests, open_libraries, NULL);
}
