/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault of one core that the model claims to find, planted, with the report that
 * names it. */
#include "faults.h"
#include "fixture.h"

/* ---- Transfers and what happens beside them */

static void early_load(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, v + 16, memory.x, 64);
    lng_vec_ld(v); /* beside it */
    lng_vec_ld(v + 16);
}

static void early_store(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(3, v, memory.x, 64);
    lng_vec_st(v, lng_vec_svbcast(1));
}

static void source_overwritten(void *arg)
{
    (void)arg;
    float *v = vector(256);
    lng_vec_st(v, lng_vec_svbcast(1));
    start(0, memory.y, v, 64);
    lng_vec_ld(v); /* reading it is right */
    lng_vec_st(v, lng_vec_svbcast(2));
}

static void source_changed(void *arg)
{
    (void)arg;
    float *v = vector(64);
    lng_vec_st(v, lng_vec_svbcast(1));
    start(0, memory.y, v, 64);
    v[15] = 2; /* past the port */
    lng_port_wait(0);
}

static void destination_changed(void *arg)
{
    (void)arg;
    float *v = vector(64);
    start(0, v, memory.x, 64);
    v[15] = 2;
    lng_port_wait(0);
}

static void two_into_one(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, v, memory.x, 128);
    start(1, v + 32, memory.x, 64);
    start(2, v + 31, memory.dy, 64);
}

static void into_a_source(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, memory.y, v, 64);
    start(1, v, memory.x, 64);
}

static void from_a_destination(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, v, memory.x, 64);
    start(1, memory.y, v + 15, 64);
}

/* Runs that interleave do not meet; shifted by one element they do. */
static void interleaved(void *arg)
{
    (void)arg;
    float *v = vector(1024);
    const struct lng_transfer even = {v, memory.x, 64, 8, 128, 64};
    const struct lng_transfer odd = {v + 16 + 7 * 32, memory.x, 64, 8, -128, 64};
    const struct lng_transfer shifted = {v + 17, memory.x, 64, 4, 128, 64};
    lng_port_start(0, &even);
    lng_port_start(1, &odd);
    lng_port_wait(1);
    lng_port_start(1, &shifted);
}

static void over_itself(void *arg)
{
    (void)arg;
    const struct lng_transfer t = {vector(256), memory.x, 64, 2, 60, 64};
    lng_port_start(0, &t);
}

static void over_its_source(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, v + 15, v, 64);
}

static void started_twice(void *arg)
{
    (void)arg;
    float *v = vector(256);
    start(0, v, memory.x, 64);
    start(0, v + 16, memory.x, 64);
}

static void waits_for_nothing(void *arg)
{
    (void)arg;
    lng_port_wait(7);
}

static void no_channel(void *arg)
{
    (void)arg;
    start(99, vector(64), memory.x, 64);
}

static void of_nothing(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.x, 0);
}

/* ---- Where transfers go */

static void runs_beyond_a_tensor(void *arg)
{
    (void)arg;
    const struct lng_transfer t = {vector(2048), memory.dy + 192, 64, 5, 64, 64};
    lng_port_start(0, &t);
}

static void before_a_tensor(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.x - 1, 64);
}

static void into_an_input(void *arg)
{
    (void)arg;
    start(0, memory.x, vector(64), 64);
}

static void from_an_output(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.y, 64);
}

static void from_a_stranger(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.stranger, 4);
}

static void tensor_to_tensor(void *arg)
{
    (void)arg;
    start(0, memory.y, memory.x, 64);
}

static void beyond_scratch(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.x, 68);
}

/* ---- Accesses */

static void one_element_beyond(void *arg)
{
    (void)arg;
    float *v = vector(40);
    lng_vec_stm(v, lng_vec_svbcast(1), 0x3ff);
    lng_vec_stm(v, lng_vec_svbcast(1), 0x7ff);
}

static void one_scalar_beyond(void *arg)
{
    (void)arg;
    float *s = lng_port_scalar_scratch(64);
    lng_stw(s + 15, 1);
    lng_ldw(s + 16);
}

static void one_scalar_before(void *arg)
{
    (void)arg;
    lng_port_scalar_scratch(64);
    float *s = lng_port_scalar_scratch(64);
    lng_stw(s - 1, 1);
}

static void beyond_all(void *arg)
{
    (void)arg;
    lng_vec_ld(vector(64) + 1600);
}

static void vector_in_scalar(void *arg)
{
    (void)arg;
    lng_vec_ld(lng_port_scalar_scratch(64));
}

static void scalar_in_vector(void *arg)
{
    (void)arg;
    lng_ldw(vector(64));
}

static void tensor_by_vector(void *arg)
{
    (void)arg;
    lng_vec_ld(memory.workspace);
}

static void misaligned_vector(void *arg)
{
    (void)arg;
    lng_vec_ld(vector(256) + 8);
}

static void misaligned_lanes(void *arg)
{
    (void)arg;
    lng_vec_ldm(vector(256) + 8, 0xff);
}

static void misaligned_halves(void *arg)
{
    (void)arg;
    uint16_t *h = lng_port_vector_scratch(256);
    lng_vec_st_half(h + 16, lng_vec_svbcast(1));
    lng_vec_ld_half(h + 8);
}

static void misaligned_scalar(void *arg)
{
    (void)arg;
    float *s = lng_port_scalar_scratch(64);
    lng_lddw((double *)(void *)(s + 1));
}

static void misaligned_transfer(void *arg)
{
    (void)arg;
    start(0, (char *)vector(256) + 1, memory.x, 64);
}

static void misaligned_pitch(void *arg)
{
    (void)arg;
    const struct lng_transfer t = {vector(256), memory.x, 64, 2, 65, 64};
    lng_port_start(0, &t);
}

static void beside_an_allocation(void *arg)
{
    (void)arg;
    vector(64)[16] = 1; /* past the port */
}

static void no_half(void *arg)
{
    (void)arg;
    uint16_t *h = lng_port_vector_scratch(64);
    lng_vec_st_half(h, lng_vec_svbcast(65504));
    lng_vec_st_half(h, lng_vec_svbcast(65520));
}

static void many_allocations(void *arg)
{
    (void)arg;
    for (int i = 0; i < 65; i++)
        vector(64);
}

static void nobody_wrote(void *arg)
{
    (void)arg;
    transfer(vector(64), memory.workspace + 16, 64);
}

static void publishes_a_tensor(void *arg)
{
    (void)arg;
    lng_port_publish(memory.y, 64);
}

/* ---- */

#define T1 "transfer 1 (channel 0)"
#define ALLOCATION_1 " allocation 1 of vector scratch"
#define OF_1 " of" ALLOCATION_1

static const struct lng_fault faults[] = {
    {early_load,           1, 0, 0, "vector load at byte 64" OF_1 ", where " T1 " writes"},
    {early_store,          1, 0, 0,
     "vector store at byte 0" OF_1 ", where transfer 1 (channel 3) writes"               },
    {source_overwritten,   1, 0, 0, "vector store at byte 0" OF_1 ", which " T1 " reads" },
    {source_changed,       1, 0, 0, "the source of " T1 " was changed meanwhile"         },
    {destination_changed,  1, 0, 0, "the destination of " T1 " was written meanwhile"    },
    {two_into_one,         1, 0, 0, "transfer 3 (channel 2) writes where " T1 " does"    },
    {into_a_source,        1, 0, 0, "transfer 2 (channel 1) writes what " T1 " reads"    },
    {from_a_destination,   1, 0, 0, "transfer 2 (channel 1) reads what " T1 " writes"    },
    {interleaved,          1, 0, 0, "transfer 3 (channel 1) writes where " T1 " does"    },
    {over_itself,          1, 0, 0, T1 " writes its runs over each other"                },
    {over_its_source,      1, 0, 0, T1 " writes over what it reads"                      },
    {started_twice,        1, 0, 0, "starts channel 0, where " T1 " is in flight"        },
    {waits_for_nothing,    1, 0, 0, "waits for channel 7, where nothing is in flight"    },
    {no_channel,           1, 0, 0, "there is no channel 99"                             },
    {of_nothing,           1, 0, 0, T1 " is of no bytes"                                 },
    {runs_beyond_a_tensor, 1, 0, 0, T1 " reads 64 bytes beyond dy"                       },
    {before_a_tensor,      1, 0, 0, T1 " reads 4 bytes before x"                         },
    {into_an_input,        1, 0, 0, T1 " writes into x, which is an input"               },
    {from_an_output,       1, 0, 0, T1 " reads from y, which is an output"               },
    {from_a_stranger,      1, 0, 0, T1 " reads what is no tensor, workspace or scratch"  },
    {tensor_to_tensor,     1, 0, 0, T1 " has no side in scratch"                         },
    {beyond_scratch,       1, 0, 0, T1 " writes 4 bytes beyond" ALLOCATION_1             },
    {one_element_beyond,   1, 0, 0, "vector store 4 bytes beyond" ALLOCATION_1           },
    {one_scalar_beyond,    1, 0, 0,
     "scalar load 4 bytes beyond allocation 1 of scalar scratch"                         },
    {one_scalar_before,    1, 0, 0,
     "scalar store 4 bytes before allocation 2 of scalar scratch"                        },
    {beyond_all,           1, 0, 0, "vector load outside vector scratch"                 },
    {vector_in_scalar,     1, 0, 0, "vector load outside vector scratch"                 },
    {scalar_in_vector,     1, 0, 0, "scalar load outside scalar scratch"                 },
    {tensor_by_vector,     1, 0, 0, "vector load outside vector scratch"                 },
    {misaligned_vector,    1, 0, 0, "vector load at byte 32" OF_1 " is not aligned to 64"},
    {misaligned_lanes,     1, 0, 0, "vector load at byte 32" OF_1 " is not aligned to 64"},
    {misaligned_halves,    1, 0, 0, "vector load at byte 16" OF_1 " is not aligned to 32"},
    {misaligned_scalar,    1, 0, 0,
     "scalar load at byte 4 of allocation 1 of scalar scratch is not aligned to 8"       },
    {misaligned_transfer,  1, 0, 0, T1 " is not aligned to 2 bytes"                      },
    {misaligned_pitch,     1, 0, 0, T1 " is not aligned to 2 bytes"                      },
    {beside_an_allocation, 1, 0, 0, "wrote beside" ALLOCATION_1 ", not by the port"      },
    {no_half,              1, 0, 0, "stores 0x1.ffep+15 as a half, which it is not"      },
    {many_allocations,     1, 0, 0, "allocates vector scratch more than 64 times"        },
    {nobody_wrote,         1, 0, 0, T1 " reads a line of workspace that nobody wrote"    },
    {publishes_a_tensor,   1, 0, 0, "publishes what is not workspace"                    },
};

static void every_fault_is_named(void **state)
{
    (void)state;
    lng_expect_faults(faults, sizeof faults / sizeof *faults);
}

/* Unchecked, a program is not stopped by what it does beside a transfer. */
static void unchecked(void **state)
{
    (void)state;
    struct lng_model_call call = lng_fault_call(&faults[0]);
    call.checked = 0;
    assert_int_equal(lng_model_run(&call, NULL), LNG_OK);
}

/* More scratch than there is: NULL, and no finding. */
static void fills_scratch(void *arg)
{
    size_t *left = arg;
    left[0] = lng_port_vector_free();
    left[1] = lng_port_scalar_free();
    left[2] = lng_port_vector_scratch(left[0] + 1) == NULL &&
              lng_port_scalar_scratch(left[1] + 1) == NULL;
    left[3] = lng_port_vector_scratch(65) != NULL;
    left[4] = lng_port_vector_free();
    left[5] = lng_port_vector_scratch(left[4]) != NULL &&
              lng_port_scalar_scratch(left[1]) != NULL;
}

static void capacity(void **state)
{
    (void)state;
    size_t left[6];
    const struct lng_fault f = {fills_scratch, 1, 0, 0, NULL};
    struct lng_model_call call = lng_fault_call(&f);
    call.arg = left;
    for (int i = 0; i < 2; i++) { /* all of it is free again */
        lng_assert(lng_model_run(&call, NULL) == LNG_OK, "%s", lng_status_text());
        assert_int_equal(left[0], LNG_VECTOR_SCRATCH);
        assert_int_equal(left[1], LNG_SCALAR_SCRATCH);
        assert_int_equal(left[2], 1);
        assert_int_equal(left[3], 1);
        assert_int_equal(left[4], LNG_VECTOR_SCRATCH - 128);
        assert_int_equal(left[5], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_named),
        cmocka_unit_test(unchecked),
        cmocka_unit_test(capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
