/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel of a DSP on chips that there are not, compiled once for every row of such a
 * target: LNG_TEST_SOURCE is the kernel's own file and LNG_TEST_ID its id. What the chip
 * is like changes how long the kernel takes, by the model, and never a bit.
 */
#include LNG_TEST_SOURCE

#include "fixture.h"
#include "model/model_run.h"

#include <stdlib.h>

/* A few tiles and a rest; rows that are cut; wound ones, short and cut. */
static const int64_t sizes[][4] = {
    {300,  130, 130, 300 },
    {9001, 5,   5,   9001},
    {12,   700, 300, 28  },
    {3000, 6,   2,   9000}
};
enum { SHAPES = sizeof sizes / sizeof *sizes };

static struct lng_chip usual(void)
{
    return LNG_CHIP;
}

/* Predicted cycles of a call; 0: the chip's scratch is too small. */
static double run_on(const struct lng_chip *chip, struct lng_fixture *f, uint32_t mask)
{
    const struct lng_kernel *kernel = lng_kernel_find(LNG_TEST_ID);
    assert_int_equal(kernel->cores, LNG_CORES);
    assert_int_equal(kernel->grain->lanes, LNG_LANES);
    f->p.core_mask = mask;
    struct lng_job job = {.kernel = kernel,
                          .problem = &f->p,
                          .plan = lng_plan_make(kernel->grain, f->p.param_num,
                                                f->p.param_size, f->p.block_num,
                                                f->p.block_size)};
    job.workspace = aligned_alloc(64, (kernel->workspace(&job.plan) + 63) / 64 * 64);
    assert_non_null(job.workspace);
    lng_forget(f);
    const lng_status status = lng_dsp_run(&job, chip, lng_program);
    free(job.workspace);
    if (status == LNG_NO_MEMORY)
        return 0;
    lng_assert(status == LNG_OK, "%s", lng_status_text());
    return lng_model_last()->cycles;
}

static uint32_t all_cores(void)
{
    return (1u << LNG_CORES) - 1;
}

static struct lng_fixture shape(int i)
{
    return lng_setup(lng_kernel_find(LNG_TEST_ID)->dtype, sizes[i], AT_END);
}

static void assert_same_outputs(const struct lng_fixture *f, const struct lng_fixture *g,
                                const char *what)
{
    for (int output = DX; output <= DB; output++)
        lng_assert_same(f, g, output, what);
}

static void tile_size(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        struct lng_fixture f = shape(i), g = lng_copy(&f, AT_END);
        struct lng_chip chip = usual();
        double before = run_on(&chip, &f, all_cores());
        int others = 0, too_small = 0;
        for (double kib = 4; kib <= 128; kib *= 1.25) {
            chip.vector_scratch = 1024 * (double)(int)kib;
            const double cycles = run_on(&chip, &g, all_cores());
            if (cycles > 0)
                assert_same_outputs(&f, &g, "less scratch");
            others += cycles > 0 && cycles != before;
            too_small += cycles == 0;
            if (cycles > 0)
                before = cycles;
        }
        lng_assert(i > 0 || (too_small > 0 && others > 0),
                   "%d scratches too small, %d with smaller tiles", too_small, others);
        lng_teardown(&f);
        lng_teardown(&g);
    }
}

static void every_mask(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        struct lng_fixture f = shape(i), g = lng_copy(&f, AT_END);
        const struct lng_chip chip = usual();
        run_on(&chip, &f, 1);
        for (uint32_t mask = 2; mask <= all_cores(); mask++) {
            run_on(&chip, &g, mask);
            assert_same_outputs(&f, &g, "another mask");
        }
        lng_teardown(&f);
        lng_teardown(&g);
    }
}

/* The prediction moves with all that it is made of, and by itself does not. */
static void prediction(void **state)
{
    (void)state;
    struct lng_fixture f = shape(0);
    const int64_t twice[4] = {300, 260, 260, 300};
    struct lng_fixture larger = lng_setup(f.p.dtype, twice, AT_END);
    struct lng_chip chip = usual();
    const double cycles = run_on(&chip, &f, all_cores());
    assert_true(run_on(&chip, &f, all_cores()) == cycles);
    assert_true(run_on(&chip, &f, 1) > 1.5 * cycles);
    assert_true(run_on(&chip, &larger, all_cores()) > 1.2 * cycles);
    chip.ddr_bandwidth /= 4;
    assert_true(run_on(&chip, &f, all_cores()) > 1.5 * cycles);
    chip = usual();
    chip.dma_latency *= 10;
    assert_true(run_on(&chip, &f, all_cores()) > 1.2 * cycles);
    chip = usual();
    chip.barrier += 12345;
    assert_true(run_on(&chip, &f, all_cores()) == cycles + 2 * 12345);
    chip = usual();
    for (int k = 0; k < LNG_OPERATIONS; k++)
        chip.operations[k].per_cycle /= 8;
    assert_true(run_on(&chip, &f, 1) > 4 * cycles);
    lng_teardown(&f);
    lng_teardown(&larger);
}

/* Inside the caches of rows of 64 and more, all cores compute for less time than their
 * transfers take; or for little more. */
static void compute_against_transfers(void **state)
{
    (void)state;
    const int64_t lengths[] = {64, 128, 256, 1024, 4096};
    const struct lng_chip chip = usual();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t H = lengths[i], N = (1 << 20) / H;
        struct lng_fixture f = lng_setup(lng_kernel_find(LNG_TEST_ID)->dtype,
                                         (int64_t[4]){H, N, N, H}, AT_END);
        run_on(&chip, &f, all_cores());
        const struct lng_model_report *r = lng_model_last();
        double computed = 0, bytes = 0;
        for (int c = 0; c < LNG_CORES; c++) {
            computed = r->cores[c].computed > computed ? r->cores[c].computed : computed;
            bytes += (double)(r->cores[c].bytes_in + r->cores[c].bytes_out);
        }
        const double ratio = computed * chip.ddr_bandwidth / bytes;
        print_message("%s H %5lld: %.2f of the time of its transfers\n", LNG_TEST_ID,
                      (long long)H, ratio);
        assert_true(ratio < (f.p.dtype == LNG_F16 ? 1.8 : 1.05));
        lng_teardown(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tile_size),
        cmocka_unit_test(every_mask),
        cmocka_unit_test(prediction),
        cmocka_unit_test(compute_against_transfers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
