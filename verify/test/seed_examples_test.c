/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two example programs of the operator lists of FT78NE and MT7004, by the shared
 * library of each: param_num 256, param_size 64, operands in DDR for `_s` on all cores,
 * in one core's own memory for `_p`. Every element is judged by the bound of the kernel's
 * class.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/kernel.h"
#include "ref/measure.h"
#include "verify/problem.h"

enum { PARAM_NUM = 256, PARAM_SIZE = 64, TENSORS = 8 };

/* By pointers to anything: half and float pass alike. */
typedef void call_s(void *x, void *dy, void *var, void *mean, void *gamma, int param_num,
                    int param_size, int block_num, int block_size, void *dx, void *dg,
                    void *db, int core_mask);
typedef void call_p(void *x, void *dy, void *var, void *mean, void *gamma, int param_num,
                    int param_size, int block_num, int block_size, void *dx, void *dg,
                    void *db);

struct library {
    void *handle;
    void *(*alloc)(enum lng_memory level, int core, size_t bytes);
    void (*release)(void *memory);
    lng_status (*last)(void);
    const char *(*text)(void);
};

static void find(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    if (!symbol)
        fail_msg("there is no %s", name);
    memcpy(function, &symbol, sizeof symbol);
}

static struct library open_library(const char *target)
{
    char path[4096];
    struct library l;
    snprintf(path, sizeof path, "%s/liblayernormgrad_%s.so", LNG_LIBRARIES, target);
    l.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l.handle)
        fail_msg("%s", dlerror());
    find(l.handle, "lng_device_alloc", &l.alloc);
    find(l.handle, "lng_device_free", &l.release);
    find(l.handle, "lng_last_status", &l.last);
    find(l.handle, "lng_status_text", &l.text);
    return l;
}

/* x dy mean var gamma dx dg db of the problem, in memory of the device. */
static void lay_out(const struct library *l, enum lng_memory level, lng_problem *p,
                    void *tensor[TENSORS])
{
    const void *const inputs[] = {p->x, p->dy, p->mean, p->var, p->gamma};
    const size_t rows = PARAM_NUM * PARAM_SIZE;
    const size_t values[TENSORS] = {rows,      rows, PARAM_SIZE, PARAM_SIZE,
                                    PARAM_NUM, rows, PARAM_NUM,  PARAM_NUM};
    for (int t = 0; t < TENSORS; t++) {
        const size_t bytes = values[t] * lng_dtype_size(p->dtype);
        tensor[t] = l->alloc(level, 0, bytes);
        if (!tensor[t])
            fail_msg("%s", l->text());
        if (t < 5)
            memcpy(tensor[t], inputs[t], bytes);
        else
            memset(tensor[t], 0xff, bytes);
    }
}

static void judge(const lng_problem *p, const char *id, void *const outputs[LNG_OUTPUTS])
{
    static struct lng_truth truth[LNG_OUTPUTS][PARAM_NUM * PARAM_SIZE];
    const struct lng_kernel *kernel = lng_kernel_find(id);
    const struct lng_plan plan =
        lng_plan_make(kernel->grain, PARAM_NUM, PARAM_SIZE, PARAM_SIZE, PARAM_NUM);
    const struct lng_depth depth = kernel->depth(&plan);
    const double L[LNG_OUTPUTS] = {depth.dx, depth.dg, depth.db};
    assert_int_equal(lng_oracle(p, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]), 0);
    for (enum lng_output o = LNG_DX; o < LNG_OUTPUTS; o++) {
        const double bound = lng_bound(kernel->accuracy, o, L[o]);
        for (int64_t i = 0; i < lng_output_length(p, o); i++) {
            const double got = lng_tensor_get(p->dtype, outputs[o], i);
            struct lng_error e = lng_measure(p->dtype, got, &truth[o][i], bound);
            if (!e.decided)
                e = lng_measure_exactly(p, o, i, got, bound);
            if (!e.right)
                fail_msg("%s %s[%lld] got %a exact %a", id, lng_output_name[o],
                         (long long)i, got, truth[o][i].hi);
        }
    }
}

static void run_example(const struct library *l, const char *id, lng_dtype dtype,
                        enum lng_memory level, int core_mask)
{
    static const char *const families[] = {"normal", "large-mean", "c-term",
                                           "wide-exponents"};
    const char prefix = dtype == LNG_F16 ? 'h' : 'f';
    char name[32];
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        struct lng_data *data = lng_data_generate(
            &(struct lng_spec){.dtype = dtype,
                               .param_num = PARAM_NUM,
                               .param_size = PARAM_SIZE,
                               .block_num = PARAM_SIZE,
                               .block_size = PARAM_NUM,
                               .epsilon = 1e-12, /* of the documented calls */
                               .family = lng_family_find(families[f]),
                               .seed = 1});
        assert_non_null(data);
        void *t[TENSORS];
        lay_out(l, level, &data->problem, t);
        snprintf(name, sizeof name, "%cp_layernormgrad_%c", prefix,
                 level == LNG_PRIVATE ? 'p' : 's');
        if (level == LNG_PRIVATE) {
            call_p *call;
            find(l->handle, name, &call);
            call(t[0], t[1], t[3], t[2], t[4], PARAM_NUM, PARAM_SIZE, PARAM_SIZE,
                 PARAM_NUM, t[5], t[6], t[7]);
        } else {
            call_s *call;
            find(l->handle, name, &call);
            call(t[0], t[1], t[3], t[2], t[4], PARAM_NUM, PARAM_SIZE, PARAM_SIZE,
                 PARAM_NUM, t[5], t[6], t[7], core_mask);
        }
        if (l->last() != LNG_OK)
            fail_msg("%s %s: %s", id, name, l->text());
        judge(&data->problem, id, t + 5);
        for (int i = 0; i < TENSORS; i++)
            l->release(t[i]);
        lng_data_free(data);
    }
}

static const struct {
    const char *target, *id;
    lng_dtype dtype;
    int core_mask;
    size_t own; /* bytes of a core */
} examples[] = {
    {"ft78ne", "f32_ft78ne", LNG_F32, 0xff, 512 << 10},
    {"mt7004", "f32_mt7004", LNG_F32, 0xf,  768 << 10},
    {"mt7004", "f16_mt7004", LNG_F16, 0xf,  768 << 10},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static void operands_in_ddr(void **state)
{
    (void)state;
    for (int e = 0; e < EXAMPLES; e++) {
        const struct library l = open_library(examples[e].target);
        run_example(&l, examples[e].id, examples[e].dtype, LNG_DDR,
                    examples[e].core_mask);
        dlclose(l.handle);
    }
}

static void operands_of_one_core(void **state)
{
    (void)state;
    for (int e = 0; e < EXAMPLES; e++) {
        const struct library l = open_library(examples[e].target);
        run_example(&l, examples[e].id, examples[e].dtype, LNG_PRIVATE, 0);
        dlclose(l.handle);
    }
}

/* Tensors of the example's size in a core's own memory, of which 8 (12) are all of it;
 * what is too much is refused before any call, and there is room again when one goes. */
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const size_t bytes = PARAM_NUM * PARAM_SIZE * sizeof(float);
    for (int e = 0; e < EXAMPLES; e++) {
        const struct library l = open_library(examples[e].target);
        void *tensor[16];
        const size_t fit = examples[e].own / bytes;
        char expected[200];
        for (size_t i = 0; i < fit; i++) {
            tensor[i] = l.alloc(LNG_PRIVATE, 0, bytes);
            assert_non_null(tensor[i]);
        }
        assert_null(l.alloc(LNG_PRIVATE, 0, 1));
        assert_int_equal(l.last(), LNG_NO_MEMORY);
        snprintf(expected, sizeof expected,
                 "1 bytes in private memory (core 0): of its %zu %zu are taken",
                 examples[e].own, examples[e].own);
        assert_string_equal(l.text(), expected);
        l.release(tensor[0]);
        tensor[0] = l.alloc(LNG_PRIVATE, 0, bytes);
        assert_non_null(tensor[0]);
        for (size_t i = 0; i < fit; i++)
            l.release(tensor[i]);
        dlclose(l.handle);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_in_ddr),
        cmocka_unit_test(operands_of_one_core),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
