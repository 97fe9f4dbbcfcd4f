/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault that the model claims to find, planted, with the report that names it. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "model/model_run.h"
#include "port/mt7004.h"

/* Memory of the programs: of each tensor only the middle is declared. */
static struct {
    float before[16], x[256], dy[256], y[256], after[16];
    _Alignas(64) float workspace[256];
} memory;

static void start(int channel, void *to, const void *from, size_t bytes)
{
    const struct lng_transfer t = {to, from, bytes, 1, 0, 0};
    lng_port_start(channel, &t);
}

static void transfer(void *to, const void *from, size_t bytes)
{
    start(0, to, from, bytes);
    lng_port_wait(0);
}

static float *vector(size_t bytes)
{
    return lng_port_vector_scratch(bytes);
}

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

static void left_in_flight(void *arg)
{
    (void)arg;
    float *v = vector(256);
    transfer(v, memory.x, 64);
    start(5, v, memory.x, 64);
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
    start(8, vector(64), memory.x, 64);
}

static void of_nothing(void *arg)
{
    (void)arg;
    start(0, vector(64), memory.x, 0);
}

/* ---- Where transfers go */

static void beyond_a_tensor(void *arg)
{
    (void)arg;
    start(1, vector(2048), memory.dy, sizeof memory.dy + 64);
}

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
    start(0, vector(64), memory.before, 4);
}

static float *of_core_0;

static void another_cores_scratch(void *arg)
{
    (void)arg;
    float *own = vector(64);
    if (lng_port_core() == 0)
        of_core_0 = own;
    else
        start(0, own, of_core_0, 64);
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

/* ---- Barriers and masks */

static void one_returns(void *arg)
{
    (void)arg;
    lng_port_barrier(0x3);
    if (lng_port_core() == 1)
        lng_port_barrier(0x3);
}

static void one_not_started(void *arg)
{
    (void)arg;
    lng_port_barrier(0x3);
}

static void another_mask(void *arg)
{
    (void)arg;
    lng_port_barrier(lng_port_core() == 1 ? 0x1 : 0x3);
}

static void outsider_computes(void *arg)
{
    (void)arg;
    if (lng_port_core() == 2)
        lng_vec_svbcast(1);
}

static void outsider_transfers(void *arg)
{
    (void)arg;
    if (lng_port_core() == 2)
        transfer(vector(64), memory.x, 64);
}

static void outsider_waits(void *arg)
{
    (void)arg;
    lng_port_barrier(0x3);
}

/* ---- Workspace that cores share. Core 0 writes a line, core 1 reads it, with all or all
 * but one of what that needs. */

enum { PUBLISH = 1, BARRIER = 2, ACQUIRE = 4, EARLY_PUBLISH = 8, EARLY_ACQUIRE = 16 };

static void hand_over(int what)
{
    float *v = vector(64);
    if (lng_port_core() == 0) {
        lng_vec_st(v, lng_vec_svbcast(1));
        start(0, memory.workspace, v, 64);
        if (what & EARLY_PUBLISH)
            lng_port_publish(memory.workspace, 64);
        lng_port_wait(0);
        if (what & PUBLISH)
            lng_port_publish(memory.workspace, 64);
    } else if (what & EARLY_ACQUIRE) {
        lng_port_acquire(memory.workspace, 64);
    }
    if (what & BARRIER)
        lng_port_barrier(0x3);
    if (lng_port_core() == 1) {
        if (what & ACQUIRE)
            lng_port_acquire(memory.workspace, 64);
        transfer(v, memory.workspace, 64);
    }
}

static void no_publish(void *arg)
{
    (void)arg;
    hand_over(BARRIER | ACQUIRE);
}

static void early_publish(void *arg)
{
    (void)arg;
    hand_over(EARLY_PUBLISH | BARRIER | ACQUIRE);
}

static void no_barrier(void *arg)
{
    (void)arg;
    hand_over(PUBLISH | ACQUIRE);
}

static void no_acquire(void *arg)
{
    (void)arg;
    hand_over(PUBLISH | BARRIER);
}

static void early_acquire(void *arg)
{
    (void)arg;
    hand_over(PUBLISH | EARLY_ACQUIRE | BARRIER);
}

static void right(void *arg)
{
    (void)arg;
    hand_over(PUBLISH | BARRIER | ACQUIRE);
}

static void nobody_wrote(void *arg)
{
    (void)arg;
    transfer(vector(64), memory.workspace + 16, 64);
}

static void one_line_of_two(void *arg)
{
    (void)arg;
    float *v = vector(64);
    lng_vec_st(v, lng_vec_svbcast(1));
    transfer(memory.workspace + lng_port_core(), v, 4);
}

static void written_while_read(void *arg)
{
    (void)arg;
    float *v = vector(64);
    hand_over(PUBLISH | BARRIER | ACQUIRE);
    lng_port_barrier(0x3);
    if (lng_port_core() == 0)
        transfer(v, memory.workspace, 64);
    else
        transfer(memory.workspace, v, 64);
}

static void over_unpublished(void *arg)
{
    (void)arg;
    float *v = vector(64);
    if (lng_port_core() == 0)
        transfer(memory.workspace, v, 64);
    lng_port_barrier(0x3);
    if (lng_port_core() == 1)
        transfer(memory.workspace, v, 64);
}

static void publishes_a_tensor(void *arg)
{
    (void)arg;
    lng_port_publish(memory.y, 64);
}

/* ---- */

struct fault {
    const char *name;
    void (*program)(void *arg);
    uint32_t mask, launch;
    const char *text; /* NULL: none */
};

#define T1 "transfer 1 (channel 0)"
#define AT0 " at byte 0 of allocation 1 of vector scratch"

static const struct fault faults[] = {
    {"early load",             early_load,            1, 0,
     "core 0: vector load at byte 64 of allocation 1 of vector scratch, where " T1
     " writes"                                                                                                      },
    {"early store",            early_store,           1, 0,
     "core 0: vector store" AT0 ", where transfer 1 (channel 3) writes"                                             },
    {"source overwritten",     source_overwritten,    1, 0,
     "core 0: vector store" AT0 ", which " T1 " reads"                                                              },
    {"source changed",         source_changed,        1, 0,
     "core 0: the source of " T1 " was changed meanwhile"                                                           },
    {"destination changed",    destination_changed,   1, 0,
     "core 0: the destination of " T1 " was written meanwhile"                                                      },
    {"two into one",           two_into_one,          1, 0,
     "core 0: transfer 3 (channel 2) writes where " T1 " does"                                                      },
    {"into a source",          into_a_source,         1, 0,
     "core 0: transfer 2 (channel 1) writes what " T1 " reads"                                                      },
    {"from a destination",     from_a_destination,    1, 0,
     "core 0: transfer 2 (channel 1) reads what " T1 " writes"                                                      },
    {"interleaved",            interleaved,           1, 0,
     "core 0: transfer 3 (channel 1) writes where " T1 " does"                                                      },
    {"over itself",            over_itself,           1, 0,  "core 0: " T1 " writes its runs over each other"       },
    {"over its source",        over_its_source,       1, 0,
     "core 0: " T1 " writes over what it reads"                                                                     },
    {"left in flight",         left_in_flight,        2, 0,
     "core 1: returns with transfer 2 (channel 5) in flight"                                                        },
    {"started twice",          started_twice,         1, 0,
     "core 0: starts channel 0, where " T1 " is in flight"                                                          },
    {"waits for nothing",      waits_for_nothing,     1, 0,
     "core 0: waits for channel 7, where nothing is in flight"                                                      },
    {"no channel",             no_channel,            1, 0,  "core 0: there is no channel 8"                        },
    {"of nothing",             of_nothing,            1, 0,  "core 0: " T1 " is of no bytes"                        },
    {"beyond a tensor",        beyond_a_tensor,       8, 0,
     "core 3: transfer 1 (channel 1) reads 64 bytes beyond dy"                                                      },
    {"runs beyond a tensor",   runs_beyond_a_tensor,  1, 0,
     "core 0: " T1 " reads 64 bytes beyond dy"                                                                      },
    {"before a tensor",        before_a_tensor,       1, 0,  "core 0: " T1 " reads 4 bytes before x"                },
    {"into an input",          into_an_input,         1, 0,
     "core 0: " T1 " writes into x, which is an input"                                                              },
    {"from an output",         from_an_output,        1, 0,
     "core 0: " T1 " reads from y, which is an output"                                                              },
    {"from a stranger",        from_a_stranger,       1, 0,
     "core 0: " T1 " reads what is no tensor, workspace or scratch"                                                 },
    {"another core's scratch", another_cores_scratch, 3, 0,
     "core 1: " T1 " reads outside its own scratch, in vector scratch of core 0"                                    },
    {"tensor to tensor",       tensor_to_tensor,      1, 0,  "core 0: " T1 " has no side in scratch"                },
    {"beyond scratch",         beyond_scratch,        1, 0,
     "core 0: " T1 " writes 4 bytes beyond allocation 1 of vector scratch"                                          },
    {"one element beyond",     one_element_beyond,    1, 0,
     "core 0: vector store 4 bytes beyond allocation 1 of vector scratch"                                           },
    {"one scalar beyond",      one_scalar_beyond,     1, 0,
     "core 0: scalar load 4 bytes beyond allocation 1 of scalar scratch"                                            },
    {"one scalar before",      one_scalar_before,     1, 0,
     "core 0: scalar store 4 bytes before allocation 2 of scalar scratch"                                           },
    {"beyond all",             beyond_all,            1, 0,  "core 0: vector load outside vector scratch"           },
    {"vector in scalar",       vector_in_scalar,      1, 0,
     "core 0: vector load outside vector scratch"                                                                   },
    {"scalar in vector",       scalar_in_vector,      1, 0,
     "core 0: scalar load outside scalar scratch"                                                                   },
    {"tensor by vector",       tensor_by_vector,      1, 0,
     "core 0: vector load outside vector scratch"                                                                   },
    {"misaligned vector",      misaligned_vector,     1, 0,
     "core 0: vector load at byte 32 of allocation 1 of vector scratch is not aligned to "
     "64"                                                                                                           },
    {"misaligned lanes",       misaligned_lanes,      1, 0,
     "core 0: vector load at byte 32 of allocation 1 of vector scratch is not aligned to "
     "64"                                                                                                           },
    {"misaligned halves",      misaligned_halves,     1, 0,
     "core 0: vector load at byte 16 of allocation 1 of vector scratch is not aligned to "
     "32"                                                                                                           },
    {"misaligned scalar",      misaligned_scalar,     1, 0,
     "core 0: scalar load at byte 4 of allocation 1 of scalar scratch is not aligned to "
     "8"                                                                                                            },
    {"misaligned transfer",    misaligned_transfer,   1, 0,
     "core 0: " T1 " is not aligned to 2 bytes"                                                                     },
    {"misaligned pitch",       misaligned_pitch,      1, 0,
     "core 0: " T1 " is not aligned to 2 bytes"                                                                     },
    {"beside an allocation",   beside_an_allocation,  1, 0,
     "core 0: wrote beside allocation 1 of vector scratch, not by the port"                                         },
    {"no half",                no_half,               1, 0,  "core 0: stores 0x1.ffep+15 as a half, which it is not"},
    {"many allocations",       many_allocations,      1, 0,
     "core 0: allocates vector scratch more than 64 times"                                                          },
    {"one returns",            one_returns,           3, 0,
     "core 1: waits at barrier 2, which core 0 never reaches: it returned"                                          },
    {"one not started",        one_not_started,       3, 2,
     "core 1: waits at barrier 1, which core 0 never reaches: it was not started"                                   },
    {"another mask",           another_mask,          3, 0,
     "core 1: waits at a barrier of the cores 0x1, the call is of 0x3"                                              },
    {"outsider computes",      outsider_computes,     3, 15,
     "core 2: computes and is not in the mask 0x3"                                                                  },
    {"outsider transfers",     outsider_transfers,    3, 15,
     "core 2: " T1 " by a core that is not in the mask 0x3"                                                         },
    {"outsider waits",         outsider_waits,        3, 15,
     "core 2: waits at a barrier and is not in the mask 0x3"                                                        },
    {"no publish",             no_publish,            3, 0,
     "core 1: " T1 " reads a line of workspace that core 0 did not publish"                                         },
    {"early publish",          early_publish,         3, 0,
     "core 1: " T1 " reads a line of workspace that core 0 did not publish"                                         },
    {"no barrier",             no_barrier,            3, 0,
     "core 1: " T1 " reads a line of workspace that core 0 wrote: no barrier between"                               },
    {"no acquire",             no_acquire,            3, 0,
     "core 1: " T1 " reads a line of workspace by core 0 that was not acquired"                                     },
    {"early acquire",          early_acquire,         3, 0,
     "core 1: " T1 " reads a line of workspace by core 0 that was not acquired"                                     },
    {"right",                  right,                 3, 0,  NULL                                                   },
    {"nobody wrote",           nobody_wrote,          1, 0,
     "core 0: " T1 " reads a line of workspace that nobody wrote"                                                   },
    {"one line of two",        one_line_of_two,       3, 0,
     "core 1: " T1 " writes a line of workspace that core 0 wrote: no barrier between"                              },
    {"written while read",     written_while_read,    3, 0,
     "core 1: transfer 2 (channel 0) writes a line of workspace that other cores (0x1) "
     "read: "
     "no barrier between"                                                                                           },
    {"over unpublished",       over_unpublished,      3, 0,
     "core 1: " T1 " writes a line of workspace that core 0 wrote and did not publish"                              },
    {"publishes a tensor",     publishes_a_tensor,    1, 0,
     "core 0: publishes what is not workspace"                                                                      },
};

static struct lng_model_call call_of(const struct fault *f)
{
    return (struct lng_model_call){
        .chip = &lng_mt7004,
        .mask = f->mask,
        .launch = f->launch,
        .buffers = {{"x", memory.x, sizeof memory.x, LNG_INPUT},
                    {"dy", memory.dy, sizeof memory.dy, LNG_INPUT},
                    {"y", memory.y, sizeof memory.y, LNG_OUTPUT},
                    {"workspace", memory.workspace, sizeof memory.workspace,
                     LNG_WORKSPACE}},
        .checked = 1,
        .kernel = "toy",
        .program = f->program,
    };
}

/* Three times each: what a finding leaves behind does not disturb the next call. */
static void every_fault_is_named(void **state)
{
    (void)state;
    lng_set_error_handler(NULL, NULL);
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
            const struct fault *f = &faults[k];
            const struct lng_model_call call = call_of(f);
            char expected[300];
            const lng_status status = lng_model_run(&call, NULL);
            snprintf(expected, sizeof expected, "toy %s", f->text ? f->text : "");
            lng_assert(status == (f->text ? LNG_MODEL_FAULT : LNG_OK), "%s", f->name);
            lng_assert(!f->text || strcmp(lng_status_text(), expected) == 0,
                       "%s:\n  %s\n  %s", f->name, lng_status_text(), expected);
            lng_assert(!f->text || lng_last_status() == LNG_MODEL_FAULT, "%s", f->name);
        }
}

/* Unchecked, a program is not stopped by what it does beside a transfer. */
static void unchecked(void **state)
{
    (void)state;
    struct lng_model_call call = call_of(&faults[0]);
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
    const struct fault f = {"", fills_scratch, 1, 0, NULL};
    struct lng_model_call call = call_of(&f);
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
