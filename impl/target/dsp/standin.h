/* SPDX-License-Identifier: Apache-2.0 */
/* STAND-IN, dropped with the real kernels: the host's arithmetic, and a program on the
 * model that moves x and counts. Included after the body. */
#include "target/host/host.h"
#include "model/model_run.h"
#include "model/model_core.h"
#include "port/port.h"

struct standin {
    const struct lng_job *job;
};

static void standin_program(void *arg)
{
    const struct lng_problem *p = ((struct standin *)arg)->job->problem;
    const int me = lng_port_core();
    int cores = 0, mine = 0;
    for (int c = 0; c < 8; c++)
        if (p->core_mask >> c & 1) {
            mine += c < me;
            cores++;
        }
    const size_t size = p->dtype == LNG_F16 ? 2 : 4;
    const int64_t T = p->block_num * p->block_size;
    const int64_t j0 = T * mine / cores, j1 = T * (mine + 1) / cores;
    char *scratch = lng_port_vector_scratch(16384);
    for (int64_t j = j0; j < j1; j += 4096) {
        const int64_t n = j + 4096 < j1 ? 4096 : j1 - j;
        const struct lng_transfer t = {scratch, (const char *)p->x + (size_t)j * size,
                                       (size_t)n * size, 1, 0, 0};
        lng_port_start(0, &t);
        lng_port_wait(0);
        for (int64_t i = 0; i < n; i++)
            lng_count(LNG_VECTOR_ADD);
    }
    lng_port_barrier(p->core_mask);
}

static lng_status standin_run(const struct lng_job *job, const struct lng_chip *chip)
{
    static const struct lng_host_body body = {
        lng_do_gamma, lng_do_sums, lng_do_coefficients, lng_do_tile, lng_do_combine};
    struct lng_problem p = *job->problem;
    struct standin s = {job};
    const lng_status status = lng_host_run(job, &body);
    if (status != LNG_OK || p.block_num == 0)
        return status;
    const struct lng_model_call call = {
        .chip = chip,
        .mask = p.core_mask,
        .buffers = {{"x", p.x, (size_t)(p.block_num * p.block_size) * (p.dtype == LNG_F16 ? 2 : 4), LNG_INPUT}},
        .private_call = p.workers == 1,
        .checked = 1,
        .kernel = job->kernel->id,
        .program = standin_program,
        .arg = &s};
    return lng_model_run(&call, NULL);
}
