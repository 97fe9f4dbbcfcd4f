/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault between cores that the model claims to find, planted, with the report that
 * names it. */
#include "faults.h"
#include "fixture.h"

/* ---- Each by itself */

static void left_in_flight(void *arg)
{
    (void)arg;
    float *v = vector(256);
    transfer(v, memory.x, 64);
    start(5, v, memory.x, 64);
}

static void beyond_a_tensor(void *arg)
{
    (void)arg;
    start(1, vector(2048), memory.dy, sizeof memory.dy + 64);
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

/* ---- Tensors that cores share. They go by transfers: two cores may write different
 * bytes of a line. z, an input, is the second half of y, as x may be dx. */

static void bytes_of_one_line(void *arg)
{
    (void)arg;
    float *v = vector(64);
    lng_vec_st(v, lng_vec_svbcast(1));
    const struct lng_transfer t = {memory.y + lng_port_core(), v, 4, 16, 8, 4};
    lng_port_start(0, &t);
    lng_port_wait(0);
    transfer(v, memory.x, 64); /* inputs may be read by all */
    lng_port_barrier(0x3);
    transfer(memory.y + 64 * (1 - lng_port_core()), v, 64);
}

static void one_byte_twice(void *arg)
{
    (void)arg;
    float *v = vector(256);
    transfer((unsigned char *)memory.y + 62 * lng_port_core(), v, 64);
}

static void reads_what_is_written(void *arg)
{
    (void)arg;
    float *v = vector(64);
    if (lng_port_core() == 0)
        transfer(memory.y + 144, v, 64);
    else
        transfer(v, memory.y + 159, 4);
}

static void writes_what_is_read(void *arg)
{
    (void)arg;
    float *v = vector(64);
    lng_port_barrier(0x3);
    if (lng_port_core() == 1)
        transfer(v, memory.y + 144, 64);
    else
        transfer(memory.y + 159, v, 4);
}

static void after_a_barrier(void *arg)
{
    (void)arg;
    float *v = vector(64);
    if (lng_port_core() == 0)
        transfer(memory.y + 128, v, 64);
    lng_port_barrier(0x3);
    if (lng_port_core() == 1)
        transfer(v, memory.y + 128, 64);
    lng_port_barrier(0x3);
    if (lng_port_core() == 0)
        transfer(memory.y + 128, v, 64);
}

/* ---- */

#define T1 "transfer 1 (channel 0)"
#define READS T1 " reads a line of workspace "
#define A_LINE " writes a line of workspace "
#define WRITES T1 A_LINE

static const struct lng_fault faults[] = {
    {left_in_flight,        2, 0,  1, "returns with transfer 2 (channel 5) in flight"              },
    {beyond_a_tensor,       8, 0,  3, "transfer 1 (channel 1) reads 64 bytes beyond dy"            },
    {another_cores_scratch, 3, 0,  1,
     T1 " reads outside its own scratch, in vector scratch of core 0"                              },
    {one_returns,           3, 0,  1, "waits at barrier 2, which core 0 never reaches: it returned"},
    {one_not_started,       3, 2,  1,
     "waits at barrier 1, which core 0 never reaches: it was not started"                          },
    {another_mask,          3, 0,  1, "waits at a barrier of the cores 0x1, the call is of 0x3"    },
    {outsider_computes,     3, 15, 2, "computes and is not in the mask 0x3"                        },
    {outsider_transfers,    3, 15, 2, T1 " by a core that is not in the mask 0x3"                  },
    {outsider_waits,        3, 15, 2, "waits at a barrier and is not in the mask 0x3"              },
    {no_publish,            3, 0,  1, READS "that core 0 did not publish"                          },
    {early_publish,         3, 0,  1, READS "that core 0 did not publish"                          },
    {no_barrier,            3, 0,  1, READS "that core 0 wrote: no barrier between"                },
    {no_acquire,            3, 0,  1, READS "by core 0 that was not acquired"                      },
    {early_acquire,         3, 0,  1, READS "by core 0 that was not acquired"                      },
    {right,                 3, 0,  1, NULL                                                         },
    {one_line_of_two,       3, 0,  1, WRITES "that core 0 wrote: no barrier between"               },
    {written_while_read,    3, 0,  1,
     "transfer 2 (channel 0)" A_LINE "that other cores (0x1) read: no barrier between"             },
    {over_unpublished,      3, 0,  1, WRITES "that core 0 wrote and did not publish"               },
    {bytes_of_one_line,     3, 0,  0, NULL                                                         },
    {one_byte_twice,        3, 0,  1,
     T1 " writes bytes of y that core 0 wrote: no barrier between"                                 },
    {reads_what_is_written, 3, 0,  1,
     T1 " reads bytes of z that core 0 wrote: no barrier between"                                  },
    {writes_what_is_read,   3, 0,  0,
     T1 " writes bytes of y that core 1 read: no barrier between"                                  },
    {after_a_barrier,       3, 0,  0, NULL                                                         },
};

static void every_fault_is_named(void **state)
{
    (void)state;
    lng_expect_faults(faults, sizeof faults / sizeof *faults);
}

/* Cores that the chip has not: nothing was done, whatever a call before did. */
static void masks(void **state)
{
    (void)state;
    static const struct lng_fault wrong[] = {
        {right, 0,    0,    0, NULL},
        {right, 0x13, 0,    0, NULL},
        {right, 0x3,  0x13, 0, NULL}
    };
    lng_set_error_handler(NULL, NULL);
    for (size_t i = 0; i < 3; i++) {
        const struct lng_model_call call = lng_fault_call(&wrong[i]);
        struct lng_model_report report,
            nothing = {.chip = &lng_mt7004, .mask = wrong[i].mask};
        assert_int_equal(lng_model_run(&call, &report), LNG_BAD_MASK);
        assert_int_equal(lng_last_status(), LNG_BAD_MASK);
        assert_memory_equal(&report, &nothing, sizeof report);
        assert_memory_equal(lng_model_last(), &nothing, sizeof nothing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fault_is_named),
                                       cmocka_unit_test(masks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
