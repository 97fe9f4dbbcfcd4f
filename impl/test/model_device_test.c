/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of lng_device_alloc: where they lie, whether they fit, how fast they are. */
#include "fixture.h"

#include <string.h>

#include "model/model_run.h"
#include "port/ft78ne.h"

static float host[4096];

/* 1600 bytes from x to y, by way of scratch. */
struct copy {
    const float *x;
    float *y;
    size_t left; /* of scratch, found by the program */
};

static void copy(void *arg)
{
    struct copy *c = arg;
    c->left = lng_port_vector_free();
    float *v = lng_port_vector_scratch(1600);
    const struct lng_transfer in = {v, c->x, 1600, 1, 0, 0},
                              out = {c->y, v, 1600, 1, 0, 0};
    lng_port_start(0, &in);
    lng_port_wait(0);
    lng_port_start(0, &out);
    lng_port_wait(0);
}

static lng_status run(struct copy *c, uint32_t mask, int private_call,
                      struct lng_model_report *report)
{
    const struct lng_model_call call = {
        .chip = &lng_ft78ne,
        .mask = mask,
        .buffers = {{"x", c->x, 1600, LNG_INPUT}, {"y", c->y, 1600, LNG_OUTPUT}},
        .private_call = private_call,
        .checked = 1,
        .kernel = "toy",
        .program = copy,
        .arg = c
    };
    return lng_model_run(&call, report);
}

static void expect_fault(struct copy c, uint32_t mask, int private_call, const char *text)
{
    assert_int_equal(run(&c, mask, private_call, NULL), LNG_MODEL_FAULT);
    assert_string_equal(lng_status_text(), text);
}

/* Two transfers; a level is as fast as the descriptor says. */
static void levels(void **state)
{
    (void)state;
    const struct lng_chip *chip = &lng_ft78ne;
    static const struct {
        enum lng_memory level;
        int private_call;
    } cases[] = {
        {LNG_DDR,     0},
        {LNG_SHARED,  0},
        {LNG_PRIVATE, 1}
    };
    const double bandwidth[] = {chip->ddr_bandwidth, chip->shared_bandwidth,
                                chip->private_bandwidth};
    for (size_t i = 0; i < 3; i++) {
        struct lng_model_report report;
        struct copy c = {lng_device_alloc(cases[i].level, 0, 1600),
                         lng_device_alloc(cases[i].level, 0, 1600), 0};
        assert_true(c.x && c.y && (uintptr_t)c.x % 64 == 0);
        memset(c.y, 0, 1600);
        memset((float *)(uintptr_t)c.x, 0x11, 1600);
        assert_int_equal(run(&c, 1, cases[i].private_call, &report), LNG_OK);
        assert_memory_equal(c.x, c.y, 1600);
        const double expected = 2 * (chip->dma_latency + 1600 / bandwidth[i]);
        lng_assert(report.cycles > expected - 1e-6 && report.cycles < expected + 1e-6,
                   "level %zu: %f, not %f", i, report.cycles, expected);
        /* What private operands take is no scratch. */
        assert_int_equal(c.left, LNG_VECTOR_SCRATCH - (cases[i].private_call ? 3200 : 0));
        lng_device_free((float *)(uintptr_t)c.x);
        lng_device_free(c.y);
    }
}

/* Memory of the host is DDR, or in a private call the core's own, however large. */
static void host_memory(void **state)
{
    (void)state;
    struct copy c = {host, host + 2048, 0};
    struct lng_model_report shared, own;
    assert_int_equal(run(&c, 1, 0, &shared), LNG_OK);
    assert_int_equal(run(&c, 1, 1, &own), LNG_OK);
    assert_int_equal(c.left, LNG_VECTOR_SCRATCH);
    assert_true(own.cycles < shared.cycles);
}

static void wrong_levels(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    float *own = lng_device_alloc(LNG_PRIVATE, 1, 1600),
          *ddr = lng_device_alloc(LNG_DDR, 0, 1600);
    expect_fault((struct copy){own, host, 0}, 1, 0,
                 "toy: x lies in private memory, the call is of shared operands");
    expect_fault((struct copy){host, ddr, 0}, 1, 1,
                 "toy: y lies in DDR, the call is of private operands");
    expect_fault((struct copy){own, host, 0}, 1, 1,
                 "toy: x lies in core 1's private memory, the call is of cores 0x1");
    expect_fault((struct copy){ddr + 1, host, 0}, 1, 0,
                 "toy: x ends beyond its buffer of 1600 bytes");
    struct copy c = {own, host, 0};
    assert_int_equal(run(&c, 2, 1, NULL), LNG_OK);
    lng_device_free(own);
    lng_device_free(ddr);
    lng_device_free(NULL);
    lng_device_free(host);
    assert_int_equal(run(&(struct copy){host, host + 2048, 0}, 1, 1, NULL), LNG_OK);
}

/* Calls of the library, whose x is of the host: a `_p` call is of the core that has the
 * others, and a general one of one worker is of shared operands. */
static void private_operands(void **state)
{
    (void)state;
    enum { N = 2, H = 3, LINE = 16 };
    lng_set_error_handler(NULL, NULL);
    assert_int_equal(lng_force_kernel("f32_mt7004"), LNG_OK);
    float *x = host, *gamma = host + LINE;
    for (int i = 0; i < 2 * LINE; i++)
        host[i] = (float)i;
    for (int core = -1; core < 4; core++) { /* -1: all are of the host */
        float *own = core < 0
                         ? host + 2 * LINE
                         : lng_device_alloc(LNG_PRIVATE, core, 7 * LINE * sizeof *own);
        float *dy = own, *mean = own + LINE, *var = own + 2 * LINE, *dx = own + 3 * LINE;
        float *dg = own + 4 * LINE, *db = own + 5 * LINE;
        for (int i = 0; i < 3 * LINE; i++)
            own[i] = 1;
        fp_layernormgrad_p(x, dy, var, mean, gamma, H, N, N, H, dx, dg, db);
        lng_assert(lng_last_status() == LNG_OK, "%s", lng_status_text());
        assert_int_equal(lng_model_last()->mask, core < 0 ? 1 : 1 << core);
        assert_true(db[0] == 2 && dg[1] == 3); /* (x - 1) of 1 and of 4 */
        const double cycles = lng_model_last()->cycles;
        const lng_problem p = {.param_num = H,
                               .param_size = N,
                               .block_num = N,
                               .block_size = H,
                               .epsilon = 1e-12,
                               .x = x,
                               .dy = dy,
                               .mean = mean,
                               .var = var,
                               .gamma = gamma,
                               .dx = dx,
                               .dg = dg,
                               .db = db,
                               .core_mask = 1,
                               .workers = 1};
        if (core < 0) {
            assert_int_equal(lng_layernormgrad(&p), LNG_OK);
            assert_true(lng_model_last()->cycles > cycles);
        } else {
            assert_int_equal(lng_layernormgrad(&p), LNG_MODEL_FAULT);
            assert_string_equal(
                lng_status_text(),
                "f32_mt7004: dy lies in private memory, the call is of shared operands");
            lng_device_free(own);
        }
    }
    lng_force_kernel(NULL);
}

/* More than the chip of a call has, where another one of the library has as much. */
static void capacity(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    const struct copy c = {host, host + 2048, 0};
    void *all = lng_device_alloc(LNG_SHARED, 0, 4 << 20);
    assert_int_equal(run(&(struct copy){host, host + 2048, 0}, 1, 0, NULL), LNG_OK);
    void *more = lng_device_alloc(LNG_SHARED, 0, 64);
    expect_fault(
        c, 1, 0,
        "toy: 4194368 bytes are allocated in shared memory (core 0), of which ft78ne "
        "has 4194304");
    lng_device_free(more);
    lng_device_free(all);
    void *own = lng_device_alloc(LNG_PRIVATE, 3, LNG_VECTOR_SCRATCH + 1);
    expect_fault(
        c, 1, 0,
        "toy: 524289 bytes are allocated in private memory (core 3), of which ft78ne "
        "has 524288");
    lng_device_free(own);
}

/* What no chip of the library has is refused at once; here are both, and MT7004 has more
 * of both. Memory that is freed is there again. */
static void more_than_any_chip_has(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    void *all = lng_device_alloc(LNG_PRIVATE, 3, 768 << 10);
    assert_non_null(all);
    assert_null(lng_device_alloc(LNG_PRIVATE, 3, 1));
    assert_int_equal(lng_last_status(), LNG_NO_MEMORY);
    assert_string_equal(
        lng_status_text(),
        "1 bytes in private memory (core 3): of its 786432 786432 are taken");
    lng_device_free(all);
    all = lng_device_alloc(LNG_PRIVATE, 3, 768 << 10);
    assert_non_null(all);
    lng_device_free(all);
    assert_null(lng_device_alloc(LNG_PRIVATE, 4, (512 << 10) + 1));
    assert_null(lng_device_alloc(LNG_SHARED, 0, (6 << 20) + 1));
}

static void arguments(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    assert_null(lng_device_alloc((enum lng_memory)3, 0, 64));
    assert_int_equal(lng_last_status(), LNG_NOT_SUPPORTED);
    assert_null(lng_device_alloc(LNG_PRIVATE, 8, 64));
    assert_int_equal(lng_last_status(), LNG_BAD_MASK);
    assert_null(lng_device_alloc(LNG_DDR, 0, 0));
    assert_int_equal(lng_last_status(), LNG_BAD_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),       cmocka_unit_test(host_memory),
        cmocka_unit_test(wrong_levels), cmocka_unit_test(private_operands),
        cmocka_unit_test(capacity),     cmocka_unit_test(more_than_any_chip_has),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
