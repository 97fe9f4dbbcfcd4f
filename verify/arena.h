/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_ARENA_H
#define LNG_VERIFY_ARENA_H
/*
 * Guarded buffers. Each lies between two pages that cannot be touched, flush against one
 * of them; the rest of its pages holds a pattern that must be there after the call.
 */
#include <stddef.h>

enum lng_place {
    LNG_AT_END,   /* one element too far faults */
    LNG_AT_START, /* one element too early faults */
    LNG_SHIFTED   /* at the end, less one element: aligned to the element alone */
};

struct lng_buffer {
    char *pages; /* the first usable page; NULL: nothing mapped yet */
    size_t capacity;
    char *data;
    size_t bytes;
    unsigned char pattern;
};

/* Lays bytes out at the given place, with the pattern all over the pages. NULL: no
 * memory. */
void *lng_buffer_lay(struct lng_buffer *buffer, size_t bytes, size_t element,
                     enum lng_place place, unsigned char pattern);

/* Offset from data of the first byte outside it that lost the pattern; 0: none did. (A
 * byte at offset 0 is inside, or there are no data and it is the one after them.) */
ptrdiff_t lng_buffer_damage(const struct lng_buffer *buffer);

void lng_buffer_free(struct lng_buffer *buffer);

#endif
