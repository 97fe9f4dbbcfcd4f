/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "verify/arena.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void lng_buffer_free(struct lng_buffer *b)
{
    if (b->pages)
        munmap(b->pages - page_size(), b->capacity + 2 * page_size());
    *b = (struct lng_buffer){0};
}

/* At least one usable page, so that there is always a margin to watch. */
static int map(struct lng_buffer *b, size_t bytes)
{
    const size_t page = page_size(), capacity = (bytes / page + 1) * page;
    if (b->capacity >= capacity && b->capacity <= 4 * capacity)
        return 0;
    lng_buffer_free(b);
    char *all =
        mmap(NULL, capacity + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return -1;
    if (mprotect(all + page, capacity, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, capacity + 2 * page);
        return -1;
    }
    b->pages = all + page;
    b->capacity = capacity;
    return 0;
}

void *lng_buffer_lay(struct lng_buffer *b, size_t bytes, size_t element,
                     enum lng_place place, unsigned char pattern)
{
    if (map(b, bytes + element) != 0)
        return NULL;
    memset(b->pages, pattern, b->capacity);
    const size_t behind = place == LNG_AT_START  ? b->capacity - bytes
                          : place == LNG_SHIFTED ? element
                                                 : 0;
    b->data = b->pages + b->capacity - bytes - behind;
    b->bytes = bytes;
    b->pattern = pattern;
    return b->data;
}

/* A run of one byte is equal to itself shifted by one. */
static const char *first_other(const char *from, const char *end, unsigned char pattern)
{
    const size_t n = (size_t)(end - from);
    if (n == 0 || ((unsigned char)*from == pattern && memcmp(from, from + 1, n - 1) == 0))
        return NULL;
    while ((unsigned char)*from == pattern)
        from++;
    return from;
}

ptrdiff_t lng_buffer_damage(const struct lng_buffer *b)
{
    const char *end = b->data + b->bytes;
    const char *at = first_other(b->pages, b->data, b->pattern);
    if (!at)
        at = first_other(end, b->pages + b->capacity, b->pattern);
    return at ? at - b->data : 0;
}
