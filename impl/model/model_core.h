/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_MODEL_CORE_H
#define LNG_MODEL_CORE_H
/* A core of the model, as the vocabularies see it: what they count and check. */
#include <stddef.h>
#include <stdint.h>

#include "core/arch.h"
#include "model/chip.h"

/* Scratch of one kind. A line of 64 bytes that is wholly allocated and in no transfer is
 * LNG_LINE_WHOLE; of all others lng_model_access knows more. */
enum { LNG_SCRATCH_LINE = 64, LNG_LINE_WHOLE = 1 };

struct lng_area {
    const char *name;
    unsigned char *base; /* aligned to a line */
    size_t size;         /* bytes from base on, fences included */
    uint16_t *lines;
};

enum lng_area_kind { LNG_VECTOR_AREA, LNG_SCALAR_AREA, LNG_AREAS };

struct lng_core {
    uint64_t operations[LNG_OPERATIONS];
    int checked;
    int flush;   /* subnormal singles in vector arithmetic */
    int gradual; /* conversions of the scalar unit keep them; else they are 0 */
    int seed_bits;
    struct lng_area areas[LNG_AREAS];
};

/* The core that this thread is. */
#if defined(__GNUC__)
extern _Thread_local __attribute__((tls_model("initial-exec"))) struct lng_core *lng_self;
#else
extern _Thread_local struct lng_core *lng_self;
#endif

/* Says what is wrong with an access, if anything is: then it does not return. */
void lng_model_access(enum lng_area_kind kind, const void *p, size_t bytes,
                      size_t alignment, int write);

/* Says that a value is stored as a half and is none; does not return. */
void lng_model_no_half(float value);

LNG_INLINE void lng_count(enum lng_operation_kind kind)
{
    lng_self->operations[kind]++;
}

/* An access of bytes <= 64, aligned to `alignment`, a power of two. */
LNG_INLINE void lng_touch(enum lng_area_kind kind, const void *p, size_t bytes,
                          size_t alignment, int write)
{
    if (!lng_self->checked)
        return;
    const struct lng_area *a = &lng_self->areas[kind];
    const size_t at = (size_t)((uintptr_t)p - (uintptr_t)a->base);
    if ((at & (alignment - 1)) != 0 || at >= a->size ||
        a->lines[at / LNG_SCRATCH_LINE] != LNG_LINE_WHOLE ||
        (alignment < bytes &&
         a->lines[(at + bytes - 1) / LNG_SCRATCH_LINE] != LNG_LINE_WHOLE))
        lng_model_access(kind, p, bytes, alignment, write);
}

#endif
