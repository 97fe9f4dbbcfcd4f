/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* popen, mkdtemp */
/* The judge is judged: right kernels pass, wrong ones fail for the right reason, and one
 * that crashes, hangs or ends the process costs one unit. */
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "support.h"
#include "target/host/host.h"
#include "verify/expected.h"
#include "verify/mutants.h"
#include "verify/plain.h"
#include "verify/run.h"

/* A run of one kernel, through the general entry, on the problems of a suite. */
struct fixture {
    struct lng_run run;
    const struct lng_kernel *kernel;
};

static void judge_all(struct fixture *f, const struct lng_kernel *kernel,
                      const struct lng_suite *suite)
{
    char error[400] = "";
    f->kernel = kernel;
    f->run = (struct lng_run){.suite = suite,
                              .kernels = &f->kernel,
                              .kernels_count = 1,
                              .entries = 1u << LNG_GENERAL,
                              .mask = 1,
                              .jobs = 2,
                              .tolerance = -1,
                              .timeout = 1};
    assert_int_equal(lng_run_open(&f->run, error, sizeof error), 0);
    assert_int_equal(lng_run_units(&f->run, error, sizeof error), 0);
}

static void small_suite(struct lng_suite *suite, int problems)
{
    assert_int_equal(lng_suite_make("smoke", 1, suite), 0);
    suite->count = problems;
}

/* The kernels that the faults are planted in pass: what kills a mutant is its fault. */
static void controls_pass(void **state)
{
    (void)state;
    for (int c = 0; c < lng_controls_count; c++) {
        struct fixture f;
        struct lng_suite suite;
        assert_int_equal(lng_suite_make("smoke", 0x5eed, &suite), 0);
        judge_all(&f, lng_control(c), &suite);
        assert_true(f.run.units_count > 250);
        for (int i = 0; i < f.run.units_count; i++) {
            if (f.run.units[i].verdict != LNG_PASSED)
                print_error("%s\n", f.run.units[i].note);
            assert_int_equal(f.run.units[i].verdict, LNG_PASSED);
        }
        lng_run_close(&f.run);
        lng_suite_free(&suite);
    }
}

/* What the model of a chip says of the faults that it finds, on the first problem that
 * fails. */
static void the_model_names_what_it_finds(void **state)
{
    (void)state;
    static const struct {
        const char *id, *words;
    } table[] = {
        {"whole_vectors_fetched", "reads 12 bytes beyond dy"                      },
        {"one_buffer",            "where transfer 5 (channel 0) writes"           },
        {"x_not_awaited",         "where transfer 1 (channel 0) writes"           },
        {"dx_not_awaited",        "returns with transfer 6 (channel 5) in flight" },
        {"results_in_flight",     "returns with transfer 10 (channel 9) in flight"},
        {"scratch_too_small",     "vector load 4 bytes beyond allocation 1"       },
        {"last_core_idle",        "reads a line of workspace that nobody wrote"   },
        {"mask_of_all_below",     "waits at a barrier of the cores 0xf"           },
        {"no_barrier",            "reads a line of workspace that nobody wrote"   },
        {"last_core_passes",      "waits at barrier 1, which core 7 never reaches"},
        {"not_published",         "did not publish"                               },
        {"not_acquired",          "that was not acquired"                         },
    };
    const size_t faults = sizeof table / sizeof *table;
    size_t marked = 0;
    for (int m = 0; m < lng_mutants_count; m++)
        marked += strncmp(lng_mutant_plants(m), "model: ", 7) == 0;
    assert_int_equal(marked, faults);
    for (size_t t = 0; t < faults; t++) {
        struct fixture f;
        struct lng_suite suite;
        char id[80];
        snprintf(id, sizeof id, "mutant_ft78ne_%s", table[t].id);
        assert_int_equal(lng_suite_make("smoke", 0x5eed, &suite), 0);
        suite.count = 100;
        judge_all(&f, lng_mutant_find(id), &suite);
        const struct lng_unit *u = f.run.units;
        while (u->verdict == LNG_PASSED && u + 1 < f.run.units + f.run.units_count)
            u++;
        if (u->verdict != LNG_FAILED || !strstr(u->note, id) ||
            !strstr(u->note, table[t].words))
            fail_msg("%s: %s", id, u->note);
        lng_run_close(&f.run);
        lng_suite_free(&suite);
    }
}

static lng_status run_crash(const struct lng_job *job)
{
    (void)job;
    raise(SIGSEGV);
    return LNG_OK;
}

static lng_status run_exit(const struct lng_job *job)
{
    (void)job;
    exit(0);
}

static lng_status run_hang(const struct lng_job *job)
{
    (void)job;
    for (;;)
        pause();
    return LNG_OK;
}

static lng_status run_refuse(const struct lng_job *job)
{
    (void)job;
    return LNG_NOT_SUPPORTED;
}

static lng_status run_nothing(const struct lng_job *job)
{
    (void)job;
    return LNG_OK;
}

static int always(void)
{
    return 1;
}

static struct lng_kernel kernel_of(lng_status (*run)(const struct lng_job *))
{
    return (struct lng_kernel){.id = "test",
                               .target = "test",
                               .dtype = LNG_F32,
                               .lanes = 1,
                               .cores = lng_host_cores,
                               .accuracy = LNG_WIDE,
                               .available = always,
                               .grain = &lng_host_grain,
                               .depth = lng_plan_depth,
                               .workspace = lng_host_workspace,
                               .run = run};
}

/* limit: how many units it may cost before the kernel is not run any more. */
static void expect_death(lng_status (*run)(const struct lng_job *), const char *note,
                         int limit)
{
    struct fixture f;
    struct lng_suite suite;
    small_suite(&suite, 8);
    const struct lng_kernel kernel = kernel_of(run);
    judge_all(&f, &kernel, &suite);
    int deaths = 0;
    for (int i = 0; i < f.run.units_count; i++) {
        const struct lng_unit *u = &f.run.units[i];
        assert_int_equal(u->verdict, LNG_FAILED);
        if (strstr(u->note, note))
            deaths++;
        else
            assert_string_equal(u->note, "not run: the kernel hung or crashed before");
    }
    assert_in_range(deaths, 1, limit + 1); /* two processes may be at it */
    assert_true(f.run.units_count > limit + 1);
    lng_run_close(&f.run);
    lng_suite_free(&suite);
}

static void a_crash_costs_one_unit(void **state)
{
    (void)state;
    expect_death(run_crash, "crashed: Segmentation fault", 2);
    expect_death(run_exit, "ended the process", 2);
}

static void a_hang_costs_one_unit(void **state)
{
    (void)state;
    expect_death(run_hang, "no answer within", 1);
}

static void expect_failures(lng_status (*run)(const struct lng_job *), const char *note)
{
    struct fixture f;
    struct lng_suite suite;
    small_suite(&suite, 40);
    const struct lng_kernel kernel = kernel_of(run);
    judge_all(&f, &kernel, &suite);
    for (int i = 0; i < f.run.units_count; i++) {
        assert_int_equal(f.run.units[i].verdict, LNG_FAILED);
        if (!strstr(f.run.units[i].note, note))
            fail_msg("%s", f.run.units[i].note);
    }
    lng_run_close(&f.run);
    lng_suite_free(&suite);
}

static void a_status_is_a_failure(void **state)
{
    (void)state;
    expect_failures(run_refuse, "status");
}

/* Outputs begin as NaN of every bit set, so that one not written is seen at once. */
static void what_is_not_written_is_seen(void **state)
{
    (void)state;
    expect_failures(run_nothing, "got");
}

/* The scalar kernel, but for two ulps in one element of one output. */
static int wrong_output;
static int64_t wrong_element;

static lng_status run_one_off(const struct lng_job *job)
{
    void *const out[LNG_OUTPUTS] = {job->problem->dx, job->problem->dg, job->problem->db};
    const lng_status status = lng_kernel_find("f32_scalar")->run(job);
    if (out[wrong_output])
        ((uint32_t *)out[wrong_output])[wrong_element] ^= 2;
    return status;
}

/* Half an ulp and a little is allowed, so a neighbour of a right value is wrong:
 * wherever. */
static void one_wrong_element_is_found(void **state)
{
    (void)state;
    const struct lng_spec spec = {.param_num = 7,
                                  .param_size = 3,
                                  .block_num = 3,
                                  .block_size = 7,
                                  .family = lng_family_find("normal"),
                                  .epsilon = 1e-5,
                                  .seed = 1};
    const struct lng_kernel kernel = kernel_of(run_one_off);
    struct lng_data *data = lng_data_generate(&spec);
    struct lng_judge judge;
    struct lng_caller caller = {0};
    char error[400];
    assert_int_equal(lng_judge_open(&judge, data, error, sizeof error), 0);
    for (wrong_output = 0; wrong_output < LNG_OUTPUTS; wrong_output++)
        for (wrong_element = 0; wrong_element < (wrong_output ? 7 : 21);
             wrong_element++) {
            struct lng_unit unit = {.entry = LNG_GENERAL};
            lng_judge_unit(&judge, &caller, &kernel, 1, 1, &unit);
            assert_int_equal(unit.verdict, LNG_FAILED);
            assert_int_equal(unit.worst[wrong_output].at, wrong_element);
        }
    lng_judge_close(&judge);
    lng_caller_free(&caller);
    lng_data_free(data);
}

/* dy = 1, gamma = 1 and an exact mean: dx is 0 whatever a kernel forgets. */
static void blindness_is_reported(void **state)
{
    (void)state;
    const float x[] = {-1, 1, -1, 1}, ones[] = {1, 1, 1, 1}, mean = 0, var = 1;
    struct lng_data data = {
        .problem = {.param_num = 4,
                    .param_size = 1,
                    .block_num = 1,
                    .block_size = 4,
                    .x = x,
                    .dy = ones,
                    .mean = &mean,
                    .var = &var,
                    .gamma = ones}
    };
    struct lng_judge judge;
    char error[400];
    assert_int_equal(lng_judge_open(&judge, &data, error, sizeof error), 0);
    assert_string_equal(
        judge.blind,
        "BLIND: dx (every exact value is 0), gamma (all ones), the order of dy "
        "(constant), the root (var + epsilon is 1), B (0 in every row), C (0 in "
        "every row)");
    lng_judge_close(&judge);
}

/* A case whose expected value is off in the 27th digit is itself wrong. */
static void a_wrong_case_is_told(void **state)
{
    (void)state;
    const float x[] = {-2, 2, -2, 2}, dy[] = {1, 0, 0, 0}, mean = 0, var = 3;
    const float gamma[] = {1, 1, 1, 1};
    /* 1/sqrt(3) is 5.77350269189625764509148780501957455647601751270126876018602e-1. */
    char right[] = "-1.15470053837925152901829756100391491129520350254E+0";
    char wrong[] = "-1.15470053837925152901829756200391491129520350254E+0";
    char zero[] = "0";
    char *words[] = {right, zero, zero, zero};
    struct lng_data data = {
        .problem = {.param_num = 4,
                    .param_size = 1,
                    .block_num = 1,
                    .block_size = 4,
                    .x = x,
                    .dy = dy,
                    .mean = &mean,
                    .var = &var,
                    .gamma = gamma},
        .expected = {[LNG_DG] = {.words = words}}
    };
    struct lng_judge judge;
    char error[400] = "";
    assert_int_equal(lng_judge_open(&judge, &data, error, sizeof error), 0);
    lng_judge_close(&judge);
    words[0] = wrong;
    assert_int_equal(lng_judge_open(&judge, &data, error, sizeof error), -1);
    assert_non_null(strstr(error, "expect_dg[0]"));
}

/* An output listed under `exact` must be the exact value rounded once: the bound allows
 * the neighbour of 0.5 that is 0.6 ulp off, `exact` does not. */
static void exact_is_exact(void **state)
{
    (void)state;
    const float x[] = {-1, 1, -1, 1}, dy[] = {1, 0, 0, 0}, mean = 0, var = 1;
    const float gamma[] = {1, 1, 1, 1}, right[] = {0.5f, -0.0f, -0.5f, 0};
    const float wrong[] = {0.5f, 0, nextafterf(-0.5f, 0), 0};
    const struct lng_data data = {
        .problem = {.param_num = 4,
                    .param_size = 1,
                    .block_num = 1,
                    .block_size = 4,
                    .x = x,
                    .dy = dy,
                    .mean = &mean,
                    .var = &var,
                    .gamma = gamma},
        .expected = {[LNG_DX] = {.exact = 1}}
    };
    const struct lng_kernel kernel = kernel_of(run_nothing);
    struct lng_truth truth[4];
    char note[200] = "";
    assert_int_equal(lng_oracle(&data.problem, truth, NULL, NULL), 0);
    assert_int_equal(
        lng_judge_expected(&data, LNG_DX, right, truth, &kernel, note, sizeof note), 1);
    assert_int_equal(
        lng_judge_expected(&data, LNG_DX, wrong, truth, &kernel, note, sizeof note), 0);
    assert_non_null(strstr(note, "dx[2]"));
}

/* A byte changed before, behind, or next to the data is found, wherever they lie. */
static void damage_is_found(void **state)
{
    (void)state;
    static const enum lng_place places[] = {LNG_AT_END, LNG_AT_START, LNG_SHIFTED};
    for (int p = 0; p < 3; p++)
        for (size_t bytes = 0; bytes <= 5000; bytes += 1250) {
            struct lng_buffer b = {0};
            char *data = lng_buffer_lay(&b, bytes, 4, places[p], 0x5a);
            assert_non_null(data);
            memset(data, 1, bytes);
            assert_int_equal(lng_buffer_damage(&b), 0);
            char *const ends[] = {b.pages, data - 1, data + bytes,
                                  b.pages + b.capacity - 1};
            for (int e = 0; e < 4; e++) {
                if (ends[e] < b.pages || ends[e] >= b.pages + b.capacity ||
                    (ends[e] >= data && ends[e] < data + bytes) || ends[e] == data)
                    continue;
                *ends[e] ^= 1;
                assert_int_equal(lng_buffer_damage(&b), ends[e] - data);
                *ends[e] ^= 1;
            }
            lng_buffer_free(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(controls_pass),
                                       cmocka_unit_test(the_model_names_what_it_finds),
                                       cmocka_unit_test(a_crash_costs_one_unit),
                                       cmocka_unit_test(a_hang_costs_one_unit),
                                       cmocka_unit_test(a_status_is_a_failure),
                                       cmocka_unit_test(what_is_not_written_is_seen),
                                       cmocka_unit_test(one_wrong_element_is_found),
                                       cmocka_unit_test(blindness_is_reported),
                                       cmocka_unit_test(a_wrong_case_is_told),
                                       cmocka_unit_test(exact_is_exact),
                                       cmocka_unit_test(damage_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
