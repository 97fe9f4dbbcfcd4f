/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers: ordinary numbers in either type, also where the roof reads pairs of halves
 * as singles; the memory they are said to take; and neither a kernel that computes no
 * finite result is timed nor a peer that computes something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench.h"

/* Stand-ins for the program's own, which would end the test. */
static jmp_buf failed;
static char reason[256];

_Noreturn void lng_bench_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    longjmp(failed, 1);
}

void *lng_bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

/* What the linker puts before the library's: a kernel may play dead. */
static int dead;
lng_status __real_lng_layernormgrad(const lng_problem *problem);
lng_status __wrap_lng_layernormgrad(const lng_problem *problem);

lng_status __wrap_lng_layernormgrad(const lng_problem *problem)
{
    return dead ? LNG_OK : __real_lng_layernormgrad(problem);
}

/* A peer that computes what ours does, but for one element; and that may play dead, or
 * fail. */
enum { RIGHT, WRONG_DX, WRONG_DG, WRONG_DB, NAN_DX, DEAD, FAILS };
static struct {
    int fault;
    lng_problem problem;
} peer;
int __wrap_lng_dnnl_run(struct lng_dnnl *made);

int __wrap_lng_dnnl_run(struct lng_dnnl *made)
{
    float *const outputs[] = {peer.problem.dx, peer.problem.dg, peer.problem.db};
    assert_null(made);
    if (peer.fault == DEAD || peer.fault == FAILS)
        return peer.fault == FAILS;
    assert_int_equal(__real_lng_layernormgrad(&peer.problem), LNG_OK);
    for (int k = 0; k < 3; k++)
        outputs[k][256] += peer.fault == WRONG_DX + k ? 1 : 0;
    if (peer.fault == NAN_DX)
        outputs[0][8480] = NAN; /* the last */
    return 0;
}

static struct lng_bench_unit unit = {.id = "f32_scalar", .name = "scalar"};
static struct lng_bench_group group = {
    .sizes = {.param_num = 257, .param_size = 33, .block_num = 33, .block_size = 257},
    .cores = 1,
    .units = &unit,
    .unit_count = 1
};

static struct lng_bench_data *make(lng_dtype dtype)
{
    group.dtype = dtype;
    unit.id = dtype == LNG_F16 ? "f16_scalar" : "f32_scalar";
    unit.group = &group;
    return lng_bench_data_make(&group);
}

/* The value of a half by its definition; no infinities or NaN here. */
static double half_value(uint16_t h)
{
    const int exponent = h >> 10 & 31;
    assert_true(exponent != 31);
    const double magnitude =
        exponent ? ldexp(1024 + (h & 1023), exponent - 25) : ldexp(h & 1023, -24);
    return h >> 15 ? -magnitude : magnitude;
}

static void check_values(lng_dtype dtype, const void *tensor, int64_t n, double least)
{
    int negative = 0;
    for (int64_t i = 0; i < n; i++) {
        const double v = dtype == LNG_F16 ? half_value(((const uint16_t *)tensor)[i])
                                          : (double)((const float *)tensor)[i];
        assert_true(fabs(v) >= 0.125 && fabs(v) < 2 && v >= least);
        negative += v < 0;
    }
    if (least < 0)
        assert_true(negative > n / 4 && negative < n - n / 4);
}

static void test_values(void **unused)
{
    (void)unused;
    for (int dtype = 0; dtype < LNG_BENCH_DTYPES; dtype++) {
        struct lng_bench_data *d = make((lng_dtype)dtype);
        const int64_t elements = 33 * 257;
        check_values(d->dtype, d->x, elements, -2);
        check_values(d->dtype, d->dy, elements, -2);
        check_values(d->dtype, d->mean, 33, -2);
        check_values(d->dtype, d->var, 33, 0);
        check_values(d->dtype, d->gamma, 257, -2);
        assert_memory_not_equal(d->x, d->dy, 512);
        const float *x = d->x, *dy = d->dy;
        for (int64_t i = 0; i < elements / 2; i++) {
            const float sum = x[i] + 0.5f * dy[i];
            assert_true(isnormal(x[i]) && isnormal(dy[i]) && (isnormal(sum) || sum == 0));
        }
        lng_bench_data_free(d);
    }
}

/* 33*257 halves are 16962 bytes, 5 pages of 4096; everything else fits one page each. */
static void test_memory(void **unused)
{
    (void)unused;
    struct lng_bench_data *d = make(LNG_F16);
    assert_int_equal(lng_bench_memory(&group) - d->workspace_size,
                     (3 * 5 + 2 + 3) * 4096);
    lng_bench_data_free(d);
    /* of singles 9 pages, and the copies that a peer is compared with */
    d = make(LNG_F32);
    unit.kind = LNG_BENCH_PEER;
    assert_int_equal(lng_bench_memory(&group) - d->workspace_size,
                     (3 * 9 + 2 + 3 + 9 + 2) * 4096);
    unit.kind = LNG_BENCH_KERNEL;
    lng_bench_data_free(d);
}

/* What lng_bench_check says against a problem; empty where it lets it be timed. */
static const char *refusal(const lng_problem *problem)
{
    reason[0] = 0;
    if (!setjmp(failed))
        lng_bench_check(problem, "scalar");
    return reason;
}

static void test_dead_kernel(void **unused)
{
    (void)unused;
    for (int dtype = 0; dtype < LNG_BENCH_DTYPES; dtype++) {
        struct lng_bench_data *d = make((lng_dtype)dtype);
        lng_problem problem = lng_bench_bind(&unit, d);
        assert_string_equal(refusal(&problem), "");

        /* finite results of the call before do not count */
        dead = 1;
        assert_string_equal(refusal(&problem), "scalar: dx[0] is not finite: not timed");
        dead = 0;

        /* a negative variance in the last row: the contract asks for NaN there */
        if (dtype == LNG_F16)
            ((uint16_t *)d->var)[32] = 0xc000;
        else
            ((float *)d->var)[32] = -2;
        assert_string_equal(refusal(&problem),
                            "scalar: dx[8224] is not finite: not timed");

        problem.workspace_size = 1;
        assert_non_null(strstr(refusal(&problem), "workspace"));
        lng_bench_data_free(d);
    }
}

static void test_wrong_peer(void **unused)
{
    (void)unused;
    static const char *const says[] = {"",
                                       "peer: dx differs",
                                       "peer: dg differs",
                                       "peer: db differs",
                                       "peer: dx differs",
                                       "peer: dx differs",
                                       "peer: the call failed"};
    struct lng_bench_data *d = make(LNG_F32);
    peer.problem = lng_bench_bind(&unit, d);
    for (int fault = RIGHT; fault <= FAILS; fault++) {
        peer.fault = fault;
        reason[0] = 0;
        if (!setjmp(failed))
            lng_bench_check_peer(&peer.problem, NULL, "peer");
        if (says[fault][0])
            assert_non_null(strstr(reason, says[fault]));
        else
            assert_string_equal(reason, "");
    }
    /* the mean that it was given is that of the row: sum and mean are exact here */
    const float *x = d->x, *mean = d->mean;
    double sum = 0;
    for (int i = 0; i < 257; i++)
        sum += (double)x[32 * 257 + i];
    assert_true(mean[32] == (float)(sum / 257));
    lng_bench_data_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_dead_kernel), cmocka_unit_test(test_wrong_peer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
