/* SPDX-License-Identifier: Apache-2.0 */
#include "faults.h"

#include <stdio.h>
#include <string.h>

#include "fixture.h"

struct lng_fault_memory memory;

void start(int channel, void *to, const void *from, size_t bytes)
{
    const struct lng_transfer t = {to, from, bytes, 1, 0, 0};
    lng_port_start(channel, &t);
}

void transfer(void *to, const void *from, size_t bytes)
{
    start(0, to, from, bytes);
    lng_port_wait(0);
}

float *vector(size_t bytes)
{
    return lng_port_vector_scratch(bytes);
}

struct lng_model_call lng_fault_call(const struct lng_fault *f)
{
    return (struct lng_model_call){
        .chip = &lng_mt7004,
        .mask = f->mask,
        .launch = f->launch,
        .buffers = {{"x", memory.x, sizeof memory.x, LNG_INPUT},
                    {"dy", memory.dy, sizeof memory.dy, LNG_INPUT},
                    {"y", memory.y, sizeof memory.y, LNG_OUTPUT},
                    {"z", memory.y + 128, sizeof memory.y / 2, LNG_INPUT},
                    {"workspace", memory.workspace, sizeof memory.workspace,
                     LNG_WORKSPACE}},
        .checked = 1,
        .kernel = "toy",
        .program = f->program,
    };
}

void lng_expect_faults(const struct lng_fault *faults, size_t count)
{
    lng_set_error_handler(NULL, NULL);
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < count; k++) {
            const char *text = faults[k].text;
            const struct lng_model_call call = lng_fault_call(&faults[k]);
            const lng_status status = lng_model_run(&call, NULL);
            char expected[300];
            snprintf(expected, sizeof expected, "toy core %d: %s", faults[k].core,
                     text ? text : "");
            lng_assert(status == (text ? LNG_MODEL_FAULT : LNG_OK), "no finding: %s",
                       expected);
            lng_assert(!text || strcmp(lng_status_text(), expected) == 0,
                       "\n  %s\n  expected: %s", lng_status_text(), expected);
            lng_assert(lng_last_status() == status, "%s", expected);
        }
}
