/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "build_info.h"
#include "core/arguments.h"
#include "core/kernel.h"
#include "core/status.h"

enum { CACHE_LINE = 64 };

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

/* The kernel that the problem names, that the thread forces, or the best; NULL: reported.
 */
static const struct lng_kernel *choose(const lng_problem *p)
{
    const struct lng_kernel *kernel = NULL;
    if (p->kernel) {
        if (find_runnable(p->kernel, &kernel) != LNG_OK)
            return NULL;
    } else if (forced && forced->dtype == p->dtype) {
        return forced;
    } else {
        kernel = lng_kernel_best(p->dtype);
        if (!kernel)
            lng_report(LNG_NOT_SUPPORTED, "no kernel of this type runs here");
    }
    return kernel;
}

static lng_status check_type(const struct lng_kernel *kernel, const lng_problem *p)
{
    if (kernel->dtype != p->dtype)
        return lng_report(LNG_UNKNOWN_KERNEL, "kernel %s is of another type", kernel->id);
    return LNG_OK;
}

lng_status lng_call(const struct lng_kernel *kernel, const lng_problem *p)
{
    if (!p)
        return lng_report(LNG_NULL_POINTER, "problem is NULL");
    if (lng_check_sizes(p) != LNG_OK)
        return lng_last_status();
    if (!kernel && !(kernel = choose(p)))
        return lng_last_status();
    if (check_type(kernel, p) != LNG_OK || lng_check_buffers(p, kernel->cores) != LNG_OK)
        return lng_last_status();

    struct lng_job job = {
        .kernel = kernel,
        .problem = p,
        .plan = lng_plan_make(p->param_num, p->param_size, p->block_num, p->block_size)};
    const size_t size = kernel->workspace(&job.plan);
    if (p->workspace &&
        (p->workspace_size < size || (uintptr_t)p->workspace % CACHE_LINE))
        return lng_report(LNG_BAD_WORKSPACE,
                          "workspace of %zu bytes, expected %zu aligned to %d",
                          p->workspace_size, size, CACHE_LINE);
    if (p->dx || p->dg || p->db) {
        job.workspace = p->workspace ? p->workspace : aligned_alloc(CACHE_LINE, size);
        if (!job.workspace)
            return lng_report(LNG_NO_MEMORY, "no %zu bytes of workspace", size);
        const lng_status status = kernel->run(&job);
        if (!p->workspace)
            free(job.workspace);
        if (status != LNG_OK)
            return status;
    }
    return lng_report(LNG_OK, lng_isa_note() ? "%s" : NULL, lng_isa_note());
}

lng_status lng_layernormgrad(const lng_problem *problem)
{
    return lng_call(NULL, problem);
}

size_t lng_workspace_size(const lng_problem *p)
{
    if (!p) {
        lng_report(LNG_NULL_POINTER, "problem is NULL");
        return 0;
    }
    if (lng_check_sizes(p) != LNG_OK)
        return 0;
    const struct lng_kernel *kernel = choose(p);
    if (!kernel || check_type(kernel, p) != LNG_OK)
        return 0;
    lng_report(LNG_OK, NULL);
    const struct lng_plan plan =
        lng_plan_make(p->param_num, p->param_size, p->block_num, p->block_size);
    return kernel->workspace(&plan);
}

lng_status lng_force_kernel(const char *id)
{
    const struct lng_kernel *kernel = NULL;
    if (id && find_runnable(id, &kernel) != LNG_OK)
        return lng_last_status();
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
