/* SPDX-License-Identifier: Apache-2.0 */
#include "build_info.h"
#include "core/arguments.h"
#include "core/kernel.h"
#include "core/status.h"
#include "core/workspace.h"

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

static _Thread_local const struct lng_kernel *forced;

static lng_status find_runnable(const char *id, const struct lng_kernel **kernel)
{
    *kernel = lng_kernel_find(id);
    if (!*kernel)
        return lng_report(LNG_UNKNOWN_KERNEL, "kernel %s is not in the table", id);
    if (!(*kernel)->available())
        return lng_report(LNG_NOT_SUPPORTED, "this processor cannot run kernel %s", id);
    return LNG_OK;
}

/* The kernel that the problem names, that the thread forces, or the best. */
static lng_status choose(const lng_problem *p, const struct lng_kernel **kernel)
{
    if (p->kernel) {
        const lng_status status = find_runnable(p->kernel, kernel);
        if (status != LNG_OK)
            return status;
    } else if (forced && forced->dtype == p->dtype) {
        *kernel = forced;
    } else {
        *kernel = lng_kernel_best(p->dtype);
        if (!*kernel)
            return lng_report(LNG_NOT_SUPPORTED, "%s computes in %s precision only",
                              lng_kernels[0].target,
                              p->dtype == LNG_F16 ? "single" : "half");
    }
    return LNG_OK;
}

/* Kernel and plan of a problem; kernel NULL: choose one. */
static lng_status prepare(const struct lng_kernel *kernel, const lng_problem *p,
                          struct lng_job *job)
{
    if (!p)
        return lng_report(LNG_NULL_POINTER, "problem is NULL");
    lng_status status = lng_check_sizes(p);
    if (status == LNG_OK && !kernel)
        status = choose(p, &kernel);
    if (status == LNG_OK && kernel->dtype != p->dtype)
        status =
            lng_report(LNG_UNKNOWN_KERNEL, "kernel %s is of another type", kernel->id);
    if (status == LNG_OK)
        *job = (struct lng_job){.kernel = kernel,
                                .problem = p,
                                .plan = lng_plan_make(kernel->grain, p->param_num,
                                                      p->param_size, p->block_num,
                                                      p->block_size)};
    return status;
}

lng_status lng_call(const struct lng_kernel *kernel, const lng_problem *p,
                    int private_call)
{
    struct lng_job job;
    lng_status status = prepare(kernel, p, &job);
    if (status != LNG_OK)
        return status;
    const uint32_t cores = lng_all_cores(job.kernel);
    lng_problem on_every_core; /* whichever these are */
    if (p->core_mask == LNG_ALL_CORES) {
        on_every_core = *p;
        on_every_core.core_mask = cores;
        job.problem = p = &on_every_core;
    }
    const size_t size = job.kernel->workspace(&job.plan);
    status = lng_check_buffers(p, cores, size);
    if (status != LNG_OK)
        return status;
    job.private_call = private_call;
    if (p->dx || p->dg || p->db) {
        job.workspace = p->workspace ? p->workspace : lng_take_workspace(size);
        if (!job.workspace)
            return lng_report(LNG_NO_MEMORY, "no %zu bytes of workspace", size);
        status = job.kernel->run(&job);
        if (!p->workspace)
            lng_give_workspace(job.workspace);
        if (status != LNG_OK)
            return status;
    }
    return lng_report(LNG_OK, lng_isa_note() ? "%s" : NULL, lng_isa_note());
}

lng_status lng_layernormgrad(const lng_problem *problem)
{
    return lng_call(NULL, problem, 0);
}

size_t lng_workspace_size(const lng_problem *p)
{
    struct lng_job job;
    if (prepare(NULL, p, &job) != LNG_OK)
        return 0;
    lng_report(LNG_OK, NULL);
    return job.kernel->workspace(&job.plan);
}

lng_status lng_force_kernel(const char *id)
{
    const struct lng_kernel *kernel = NULL;
    const lng_status status = id ? find_runnable(id, &kernel) : LNG_OK;
    if (status != LNG_OK)
        return status;
    forced = kernel;
    return lng_report(LNG_OK, NULL);
}

const char *lng_version(void)
{
    return VERSION(LNG_VERSION_MAJOR, LNG_VERSION_MINOR, LNG_VERSION_PATCH);
}

const char *lng_build_info(void)
{
    return "commit=" LNG_BUILD_COMMIT " compiler=" LNG_BUILD_COMPILER
           " flags=" LNG_BUILD_FLAGS;
}
