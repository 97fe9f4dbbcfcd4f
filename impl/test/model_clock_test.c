/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, clock and results of the model: figures by hand, and the same ones always. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "model/model_run.h"
#include "port/mt7004.h"
#include "toy.h"

/* ---- Cycles by hand, on a chip of round numbers: a transfer takes 10 cycles and then 8
 * bytes a cycle, an addition one cycle, all else nothing that matters. */

static struct lng_chip round_chip(void)
{
    struct lng_chip chip = lng_mt7004;
    chip.dma_latency = 10;
    chip.dma_burst = 1;
    chip.ddr_bandwidth = 8;
    chip.private_bandwidth = 800;
    chip.barrier = 5;
    for (int k = 0; k < LNG_OPERATIONS; k++)
        chip.operations[k] = (struct lng_operation){LNG_UNIT_MULTIPLIER, 1e9};
    chip.operations[LNG_VECTOR_ADD] = (struct lng_operation){LNG_UNIT_ALU, 1};
    return chip;
}

static float source[4096], destination[4096];

/* Four tiles of 800 bytes, 100 cycles each; `additions` cycles for each. */
struct pipeline {
    int buffers, additions;
};

static void start(int channel, void *to, const void *from, size_t bytes)
{
    const struct lng_transfer t = {to, from, bytes, 1, 0, 0};
    lng_port_start(channel, &t);
}

static void compute(int additions)
{
    lng_f16 v = lng_vec_svbcast(0);
    for (int i = 0; i < additions; i++)
        v = lng_vec_add(v, v);
}

static void pipeline(void *arg)
{
    const struct pipeline *p = arg;
    float *in[2] = {lng_port_vector_scratch(800), lng_port_vector_scratch(800)};
    for (int k = 0; k < p->buffers - 1; k++)
        start(k, in[k], source + 200 * k, 800);
    for (int k = 0; k < 4; k++) {
        const int next = k + p->buffers - 1;
        if (next < 4)
            start(next % p->buffers, in[next % p->buffers], source + 200 * next, 800);
        lng_port_wait(k % p->buffers);
        compute(p->additions);
    }
}

static struct lng_model_report run(const struct lng_chip *chip, uint32_t mask,
                                   void (*program)(void *), void *arg)
{
    struct lng_model_report report;
    const struct lng_model_call call = {
        .chip = chip,
        .mask = mask,
        .buffers = {{"x", source, sizeof source, LNG_INPUT},
                    {"y", destination, sizeof destination, LNG_OUTPUT}},
        .checked = 1,
        .kernel = "toy",
        .program = program,
        .arg = arg
    };
    const lng_status status = lng_model_run(&call, &report);
    lng_assert(status == LNG_OK, "%s", lng_status_text());
    assert_memory_equal(&report, lng_model_last(), sizeof report);
    return report;
}

static void assert_cycles(double got, double expected)
{
    lng_assert(got >= expected - 1e-3 && got <= expected + 1e-3, "%.6f, not %.6f", got,
               expected);
}

/* One buffer: the sum of transfer and computation, 4*(10 + 100 + c). Two: a tile costs
 * the larger of them: 10 + 4*100 + c while c <= 90, 10 + 100 + 4*c from c = 110 on;
 * between, a part of the latency shows. */
static void overlap(void **state)
{
    (void)state;
    static const struct {
        int additions;
        double one, two;
    } cases[] = {
        {0,    440,  410 },
        {50,   640,  460 },
        {90,   800,  500 },
        {110,  880,  550 },
        {150,  1040, 710 },
        {1000, 4440, 4110}
    };
    const struct lng_chip chip = round_chip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pipeline one = {1, cases[i].additions}, two = {2, cases[i].additions};
        const struct lng_model_report r = run(&chip, 1, pipeline, &one);
        assert_cycles(r.cycles, cases[i].one);
        assert_cycles(r.cores[0].computed, 4 * cases[i].additions);
        assert_cycles(r.cores[0].stalled, 440);
        assert_cycles(run(&chip, 1, pipeline, &two).cycles, cases[i].two);
    }
}

/* What moves the prediction: the bandwidth of DDR, which the cores of the mask share; its
 * bursts, of which a short run takes a whole one; the latency. */
static void short_runs(void *arg)
{
    (void)arg;
    const struct lng_transfer t = {lng_port_vector_scratch(4096), source, 4, 100, 4, 64};
    lng_port_start(0, &t);
    lng_port_wait(0);
}

static void descriptor(void **state)
{
    (void)state;
    struct pipeline p = {1, 0};
    struct lng_chip chip = round_chip();
    assert_cycles(run(&chip, 0x1, short_runs, NULL).cycles, 10 + 100 * 4 / 8.);
    chip.dma_burst = 64;
    assert_cycles(run(&chip, 0x1, short_runs, NULL).cycles, 10 + 100 * 64 / 8.);
    assert_cycles(run(&chip, 0x3, pipeline, &p).cycles, 4 * (10 + 832 / 4.));
    assert_cycles(run(&chip, 0xf, pipeline, &p).cycles, 4 * (10 + 832 / 2.));
    chip.dma_latency = 0;
    assert_cycles(run(&chip, 0xf, pipeline, &p).cycles, 4 * 832 / 2.);
    chip.operations[LNG_VECTOR_ADD].per_cycle = 4;
    p.additions = 100;
    assert_cycles(run(&chip, 0x1, pipeline, &p).cycles, 4 * (832 / 8. + 100 / 4.));
}

/* Units work at the same time: the busiest counts, between one event and the next. */
static void two_units(void *arg)
{
    (void)arg;
    float *s = lng_port_scalar_scratch(64);
    for (int i = 0; i < 30; i++)
        lng_stw(s, 1);
    compute(20);
    lng_port_barrier(0x1);
    compute(20);
    lng_port_barrier(0x1);
}

/* A barrier: 10, 20, 30 and 40 cycles, then all go on at 40 + 5. */
static void meet(void *arg)
{
    (void)arg;
    compute(10 * (lng_port_core() + 1));
    lng_port_barrier(0xf);
    compute(lng_port_core() == 0 ? 7 : 0);
}

static void units_and_barriers(void **state)
{
    (void)state;
    struct lng_chip chip = round_chip();
    chip.operations[LNG_SCALAR_STORE] = (struct lng_operation){LNG_UNIT_SCALAR, 2};
    assert_cycles(run(&chip, 1, two_units, NULL).cycles, 20 + 5 + 20 + 5);
    chip.operations[LNG_SCALAR_STORE].per_cycle = 1;
    assert_cycles(run(&chip, 1, two_units, NULL).cycles, 30 + 5 + 20 + 5);
    chip.operations[LNG_SCALAR_STORE].unit = LNG_UNIT_ALU;
    assert_cycles(run(&chip, 1, two_units, NULL).cycles, 50 + 5 + 20 + 5);

    const struct lng_model_report r = run(&chip, 0xf, meet, NULL);
    assert_cycles(r.cycles, 40 + 5 + 7);
    for (int c = 0; c < 4; c++) {
        assert_cycles(r.cores[c].computed, 10 * (c + 1) + (c == 0 ? 7 : 0));
        assert_cycles(r.cores[c].stalled, 45 - 10 * (c + 1));
        assert_int_equal(r.cores[c].barriers, 1);
    }
}

/* ---- The toy kernel of both chips */

struct target {
    const struct lng_chip *chip;
    void (*program)(void *toy);
};

static const struct target targets[] = {
    {&lng_ft78ne, toy_ft78ne},
    {&lng_mt7004, toy_mt7004}
};

static float total;
static _Alignas(64) unsigned char workspace[8 * 64];

static lng_status run_toy(const struct target *target, const struct toy *t, int checked)
{
    const struct lng_model_call call = {
        .chip = target->chip,
        .mask = t->mask,
        .launch = (1u << (unsigned)target->chip->cores) - 1,
        .buffers = {{"x", t->x, t->n * sizeof(float), LNG_INPUT},
                    {"y", t->y, t->n * sizeof(float), LNG_OUTPUT},
                    {"total", t->total, sizeof(float), LNG_OUTPUT},
                    {"workspace", t->workspace, sizeof workspace, LNG_WORKSPACE}},
        .checked = checked,
        .kernel = "toy",
        .program = target->program,
        .arg = (void *)(uintptr_t)t
    };
    return lng_model_run(&call, NULL);
}

static struct toy random_toy(const struct target *target, uint64_t *seed)
{
    const uint32_t masks = (1u << (unsigned)target->chip->cores) - 1;
    struct toy t = {source, destination, &total, workspace, 0, 0, 0, 0};
    t.n = 1 + lng_random(seed) % 600;
    t.tile = 16 * (1 + lng_random(seed) % 8);
    t.buffers = 1 + (int)(lng_random(seed) % 2);
    t.mask = 1 + (uint32_t)lng_random(seed) % masks;
    for (size_t i = 0; i < t.n; i++)
        source[i] = (float)(lng_random(seed) % 1000);
    return t;
}

/* Ten thousand problems, of integers: no finding, and the results of integers. */
static void no_false_findings(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 10000; i++) {
        const struct target *target = &targets[i % 2];
        const struct toy t = random_toy(target, &seed);
        double sum = 0;
        const lng_status status = run_toy(target, &t, 1);
        lng_assert(status == LNG_OK, "%d: %s", i, lng_status_text());
        for (size_t k = 0; k < t.n; k++) {
            lng_assert(destination[k] == 3 * source[k] + 1, "%d: y[%zu]", i, k);
            sum += (double)destination[k];
        }
        lng_assert(total == (float)sum, "%d: total", i);
    }
}

/* Checked and unchecked runs give the same bits, counts and cycles, and so does every
 * repetition. */
static void the_same_always(void **state)
{
    (void)state;
    uint64_t seed = 2;
    static float y[4096];
    for (int i = 0; i < 200; i++) {
        const struct target *target = &targets[i % 2];
        struct toy t = random_toy(target, &seed);
        t.mask = (1u << (unsigned)target->chip->cores) - 1;
        assert_int_equal(run_toy(target, &t, 1), LNG_OK);
        const struct lng_model_report first = *lng_model_last();
        const float first_total = total;
        memcpy(y, destination, t.n * sizeof *y);
        for (int k = 0; k < 3; k++) {
            memset(destination, 0, sizeof destination);
            assert_int_equal(run_toy(target, &t, k == 0), LNG_OK);
            assert_memory_equal(&first, lng_model_last(), sizeof first);
            assert_memory_equal(y, destination, t.n * sizeof *y);
            assert_memory_equal(&first_total, &total, sizeof total);
        }
    }
}

/* Counts by hand: 100 elements in tiles of 64 on cores 0 and 2 of FT78NE. */
static void counts(void **state)
{
    (void)state;
    const struct toy t = {source, destination, &total, workspace, 100, 64, 1, 0x5};
    assert_int_equal(run_toy(&targets[0], &t, 1), LNG_OK);
    const struct lng_model_core_report *c = lng_model_last()->cores;
    assert_int_equal(c[0].bytes_in, 64 * 4 + 2 * 8);
    assert_int_equal(c[0].bytes_out, 64 * 4 + 8 + 4);
    assert_int_equal(c[0].transfers, 5);
    assert_int_equal(c[0].operations[LNG_VECTOR_LOAD], 32);
    assert_int_equal(c[0].operations[LNG_VECTOR_MULTIPLY], 32);
    assert_int_equal(c[0].operations[LNG_SCALAR_ADD], 64 + 1 + 2);
    assert_int_equal(c[2].bytes_in, 36 * 4);
    assert_int_equal(c[2].bytes_out, 36 * 4 + 8);
    assert_int_equal(c[2].transfers, 3);
    assert_int_equal(c[2].operations[LNG_VECTOR_STORE], 18);
    assert_int_equal(c[2].barriers, 1);
    assert_int_equal(c[1].transfers, 0);
    assert_int_equal(lng_model_last()->mask, 0x5);
}

/* A larger tile has fewer latencies to wait for, two buffers hide them, more cores share
 * the work until DDR is the limit. */
static void predictions_move(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct target *target = &targets[i];
        double cycles[4];
        const struct toy toys[] = {
            {source, destination, &total, workspace, 4096, 128, 1, 0x1},
            {source, destination, &total, workspace, 4096, 256, 1, 0x1},
            {source, destination, &total, workspace, 4096, 256, 2, 0x1},
            {source, destination, &total, workspace, 4096, 256, 2, 0x3}
        };
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(run_toy(target, &toys[k], 0), LNG_OK);
            cycles[k] = lng_model_last()->cycles;
            if (k > 0)
                lng_assert(cycles[k] < cycles[k - 1], "%s %zu: %f, before %f",
                           target->chip->name, k, cycles[k], cycles[k - 1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap),
        cmocka_unit_test(descriptor),
        cmocka_unit_test(units_and_barriers),
        cmocka_unit_test(no_false_findings),
        cmocka_unit_test(the_same_always),
        cmocka_unit_test(counts),
        cmocka_unit_test(predictions_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
