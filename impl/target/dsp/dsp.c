/* SPDX-License-Identifier: Apache-2.0 */
#include "target/dsp/dsp.h"

#include "core/arguments.h"
#include "core/status.h"
#include "model/model_run.h"

const int64_t lng_dsp_thresholds[] = {0};

struct call {
    const struct lng_job *job;
    uint32_t mask;
    int (*program)(const struct lng_job *job, uint32_t mask);
    int short_of_scratch;
};

static void run(void *arg)
{
    struct call *call = arg;
    if (!call->program(call->job, call->mask))
        call->short_of_scratch = 1;
}

lng_status lng_dsp_run(const struct lng_job *job, const struct lng_chip *chip,
                       int (*program)(const struct lng_job *job, uint32_t mask))
{
    const lng_problem *p = job->problem;
    const int cores = job->kernel->cores;
    if (p->workers > cores)
        return lng_report(LNG_BAD_WORKERS, "workers is %d, %s has %d cores", p->workers,
                          job->kernel->target, cores);
    struct call call = {.job = job, .program = program};
    const size_t element = lng_element_size(p->dtype);
    const size_t elements = (size_t)(p->block_num * p->block_size) * element;
    const size_t rows = (size_t)p->block_num * element;
    const size_t params = (size_t)p->param_num * element;
    struct lng_model_call model = {
        .chip = chip,
        .buffers = {{"x", p->x, elements, LNG_INPUT},
                    {"dy", p->dy, elements, LNG_INPUT},
                    {"mean", p->mean, rows, LNG_INPUT},
                    {"var", p->var, rows, LNG_INPUT},
                    {p->gamma ? "gamma" : NULL, p->gamma, params, LNG_INPUT},
                    {p->dx ? "dx" : NULL, p->dx, elements, LNG_OUTPUT},
                    {p->dg ? "dg" : NULL, p->dg, params, LNG_OUTPUT},
                    {p->db ? "db" : NULL, p->db, params, LNG_OUTPUT},
                    {"workspace", job->workspace, job->kernel->workspace(&job->plan),
                     LNG_WORKSPACE}},
        .private_call = job->private_call,
        .checked = p->block_num * p->block_size <= LNG_DSP_CHECKED,
        .kernel = job->kernel->id,
        .program = run,
        .arg = &call
    };
    model.mask = job->private_call ? UINT32_C(1) << lng_model_owner(&model)
                 : p->workers      ? (UINT32_C(1) << p->workers) - 1
                                   : p->core_mask;
    call.mask = model.mask;
    const lng_status status = lng_model_run(&model, NULL);
    if (status == LNG_OK && call.short_of_scratch)
        return lng_report(LNG_NO_MEMORY, "%s: the scratch of a core is too small",
                          job->kernel->id);
    return status;
}
