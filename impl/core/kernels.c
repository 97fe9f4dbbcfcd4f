/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/arch.h"
#include "core/kernel.h"
#include "core/status.h"
#include "target/ft78ne/target_ft78ne.h"
#include "target/host/host.h"
#include "target/mt7004/target_mt7004.h"

/* The library's rows are those whose LNG_HAS_<target> the build sets to 1. */
#define LNG_IF(has, ...) LNG_IF_(has, __VA_ARGS__)
#define LNG_IF_(has, ...) LNG_IF_##has(__VA_ARGS__)
#define LNG_IF_1(...) __VA_ARGS__
#define LNG_IF_0(...)

/* Prototypes and rows, both from the table. */
#define LNG_KERNEL(arch, target, id, ...)                                                \
    LNG_ON_##arch(lng_status lng_run_##id(const struct lng_job *job);)
#include "variants.def"
#undef LNG_KERNEL

#define LNG_KERNEL(arch, target_, id_, dtype_, lanes_, class_, available_, thresholds_,  \
                   flags)                                                                \
    LNG_ON_##arch(LNG_IF(LNG_HAS_##target_,                                              \
                         {.id = #id_,                                                    \
                          .target = #target_,                                            \
                          .dtype = dtype_,                                               \
                          .lanes = lanes_,                                               \
                          .cores = lng_##target_##_cores,                                \
                          .accuracy = class_,                                            \
                          .available = available_,                                       \
                          .grain = &lng_##target_##_grain,                               \
                          .depth = lng_##target_##_depth,                                \
                          .thresholds = thresholds_,                                     \
                          .workspace = lng_##target_##_workspace,                        \
                          .run = lng_run_##id_}, ))
const struct lng_kernel lng_kernels[] = {
#include "variants.def"
};
#undef LNG_KERNEL
const size_t lng_kernels_count = sizeof lng_kernels / sizeof *lng_kernels;

const struct lng_kernel *lng_kernel_find(const char *id)
{
    for (size_t i = 0; i < lng_kernels_count; i++)
        if (strcmp(lng_kernels[i].id, id) == 0)
            return &lng_kernels[i];
    return NULL;
}

/* LNG_ISA, read once, and what follows from it. The words it may be are the ends of the
 * ids; a word that ends no id is noted and ignored. */
static pthread_once_t isa_once = PTHREAD_ONCE_INIT;
static char isa_note[96];
static const struct lng_kernel *best[2]; /* by lng_dtype */

static const char *word_of(const struct lng_kernel *kernel)
{
    return strchr(kernel->id, '_') + 1;
}

/* The first row of the type that can run here, at or below the first row of LNG_ISA. */
static const struct lng_kernel *best_of(lng_dtype dtype, const char *isa)
{
    int reached = !isa;
    for (size_t i = 0; i < lng_kernels_count; i++) {
        const struct lng_kernel *k = &lng_kernels[i];
        reached |= isa && strcmp(word_of(k), isa) == 0; /* perhaps of another type */
        if (reached && k->dtype == dtype && k->available())
            return k;
    }
    return NULL;
}

static void read_isa(void)
{
    const char *isa = getenv("LNG_ISA");
    int known = 0;
    for (size_t i = 0; isa && i < lng_kernels_count; i++)
        known |= strcmp(word_of(&lng_kernels[i]), isa) == 0;
    if (isa && *isa && !known) {
        const char text[] = "LNG_ISA is unknown here and ignored: ";
        strcpy(isa_note, text);
        strncat(isa_note, isa, sizeof isa_note - sizeof text);
    }
    for (lng_dtype dtype = LNG_F32; dtype <= LNG_F16; dtype++)
        best[dtype] = best_of(dtype, known ? isa : NULL);
}

const char *lng_isa_note(void)
{
    pthread_once(&isa_once, read_isa);
    return isa_note[0] ? isa_note : NULL;
}

const struct lng_kernel *lng_kernel_best(lng_dtype dtype)
{
    pthread_once(&isa_once, read_isa);
    return best[dtype];
}

size_t lng_kernel_count(void)
{
    return lng_kernels_count;
}

int lng_on_host(const char *target)
{
    return strcmp(target, "host") == 0;
}

uint32_t lng_all_cores(const struct lng_kernel *kernel)
{
    return (UINT32_C(1) << kernel->cores) - 1;
}

const char *lng_class_name(enum lng_class accuracy)
{
    static const char *const names[] = {"wide", "pair", "single", "half"};
    return names[accuracy];
}

lng_status lng_kernel_at(size_t i, lng_kernel_info *info)
{
    if (!info)
        return lng_report(LNG_NULL_POINTER, "info is NULL");
    if (i >= lng_kernels_count)
        return lng_report(LNG_UNKNOWN_KERNEL, "row %zu of %zu", i, lng_kernels_count);
    const struct lng_kernel *k = &lng_kernels[i];
    *info = (lng_kernel_info){.id = k->id,
                              .target = k->target,
                              .dtype = k->dtype,
                              .lanes = k->lanes,
                              .cores = k->cores,
                              .accuracy = lng_class_name(k->accuracy),
                              .available = k->available(),
                              .best = k == lng_kernel_best(k->dtype)};
    return lng_report(LNG_OK, "%s", lng_isa_note() ? lng_isa_note() : "");
}
