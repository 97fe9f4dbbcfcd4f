/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device: where buffers lie, and whether they fit. */
#include "model/machine.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel.h"
#include "core/status.h"

static atomic_int flush;

lng_status lng_model_flush(int on)
{
    atomic_store(&flush, on != 0);
    return lng_report(LNG_OK, NULL);
}

int lng_model_flushes(void)
{
    return atomic_load(&flush);
}

/* ---- Buffers of lng_device_alloc */

struct device_buffer {
    struct device_buffer *next;
    unsigned char *start;
    size_t bytes;
    enum lng_memory level;
    int core;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device_buffer *buffers;

/* Bytes that live in a level; in the cores' own memory, in that of one. */
static size_t live(enum lng_memory level, int core)
{
    size_t bytes = 0;
    for (const struct device_buffer *b = buffers; b; b = b->next)
        if (b->level == level && (level != LNG_PRIVATE || b->core == core))
            bytes += b->bytes;
    return bytes;
}

/* Bytes that a chip has of a level; of the cores' own memory, this core's. */
static double capacity(const struct lng_chip *chip, enum lng_memory level, int core)
{
    return level == LNG_SHARED  ? chip->shared_memory
           : level == LNG_DDR   ? (double)SIZE_MAX
           : core < chip->cores ? chip->private_memory
                                : 0;
}

/* The most that a chip of this library has: the library of one DSP has one. */
static double most(enum lng_memory level, int core)
{
    static const struct lng_chip *const chips[] = {&lng_ft78ne, &lng_mt7004};
    double bytes = 0;
    for (size_t i = 0; i < lng_kernels_count; i++)
        for (size_t c = 0; c < sizeof chips / sizeof *chips; c++)
            if (strcmp(lng_kernels[i].target, chips[c]->name) == 0 &&
                capacity(chips[c], level, core) > bytes)
                bytes = capacity(chips[c], level, core);
    return bytes;
}

static const char *const level_names[] = {
    [LNG_DDR] = "DDR", [LNG_SHARED] = "shared memory", [LNG_PRIVATE] = "private memory"};

void *lng_device_alloc(enum lng_memory level, int core, size_t bytes)
{
    if (level != LNG_DDR && level != LNG_SHARED && level != LNG_PRIVATE) {
        lng_report(LNG_NOT_SUPPORTED, "there is no level %d of memory", (int)level);
        return NULL;
    }
    if (core < 0 || core >= LNG_MOST_CORES) {
        lng_report(LNG_BAD_MASK, "core is %d: 0 to %d was expected", core,
                   LNG_MOST_CORES - 1);
        return NULL;
    }
    if (bytes == 0 || bytes > SIZE_MAX / 2) {
        lng_report(LNG_BAD_SIZE,
                   "bytes is %zu: at least 1, and what can be addressed, was expected",
                   bytes);
        return NULL;
    }
    struct device_buffer *b = malloc(sizeof *b);
    void *memory =
        aligned_alloc(LNG_SCRATCH_LINE, (bytes + LNG_SCRATCH_LINE - 1) /
                                            LNG_SCRATCH_LINE * LNG_SCRATCH_LINE);
    if (!b || !memory) {
        free(b);
        free(memory);
        lng_report(LNG_NO_MEMORY, "no %zu bytes of memory", bytes);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    const size_t taken = live(level, core);
    const int fits = (double)taken + (double)bytes <= most(level, core);
    if (fits) {
        *b = (struct device_buffer){buffers, memory, bytes, level, core};
        buffers = b;
    }
    pthread_mutex_unlock(&lock);
    if (!fits) {
        free(b);
        free(memory);
        lng_report(LNG_NO_MEMORY, "%zu bytes in %s (core %d): of its %.0f %zu are taken",
                   bytes, level_names[level], core, most(level, core), taken);
        return NULL;
    }
    lng_report(LNG_OK, NULL);
    return memory;
}

void lng_device_free(void *start)
{
    pthread_mutex_lock(&lock);
    struct device_buffer **at = &buffers;
    while (*at && (*at)->start != start)
        at = &(*at)->next;
    struct device_buffer *b = *at;
    if (b)
        *at = b->next;
    pthread_mutex_unlock(&lock);
    if (b)
        free(b->start);
    free(b);
}

size_t lng_device_private(int core)
{
    pthread_mutex_lock(&lock);
    const size_t bytes = live(LNG_PRIVATE, core);
    pthread_mutex_unlock(&lock);
    return bytes;
}

/* ---- Checks of a call */

/* The buffer that holds the beginning of one of the call's; NULL: it is of the host. */
static const struct device_buffer *find_place(const struct lng_model_buffer *b)
{
    const struct device_buffer *in = buffers;
    while (in && (uintptr_t)b->start - (uintptr_t)in->start >= in->bytes)
        in = in->next;
    return b->name ? in : NULL;
}

int lng_model_owner(const struct lng_model_call *call)
{
    int owner = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < LNG_MOST_BUFFERS && owner < 0; i++) {
        const struct device_buffer *in = find_place(&call->buffers[i]);
        if (in && in->level == LNG_PRIVATE)
            owner = in->core;
    }
    pthread_mutex_unlock(&lock);
    return owner < 0 ? 0 : owner;
}

static const char *place(struct lng_machine *m, int i, const struct device_buffer *in,
                         char text[200])
{
    const struct lng_model_buffer *b = &m->call->buffers[i];
    m->levels[i] = in ? in->level : m->call->private_call ? LNG_PRIVATE : LNG_DDR;
    if (!in)
        return NULL;
    if ((const unsigned char *)b->start + b->bytes > in->start + in->bytes)
        snprintf(text, 200, "%s ends beyond its buffer of %zu bytes", b->name, in->bytes);
    else if ((in->level == LNG_PRIVATE) != (m->call->private_call != 0))
        snprintf(text, 200, "%s lies in %s, the call is of %s operands", b->name,
                 level_names[in->level], m->call->private_call ? "private" : "shared");
    else if (in->level == LNG_PRIVATE && m->call->mask != 1u << in->core)
        snprintf(text, 200,
                 "%s lies in core %d's private memory, the call is of cores %#x", b->name,
                 in->core, m->call->mask);
    else
        return NULL;
    return text;
}

/* Where the library has another chip with more. */
static const char *check_capacity(const struct lng_machine *m, char text[200])
{
    const struct lng_chip *chip = m->call->chip;
    for (int c = 0; c < LNG_MOST_CORES; c++)
        for (enum lng_memory level = LNG_SHARED; level <= LNG_PRIVATE; level++)
            if ((double)live(level, c) > capacity(chip, level, c)) {
                snprintf(text, 200,
                         "%zu bytes are allocated in %s (core %d), of which %s has %.0f",
                         live(level, c), level_names[level], c, chip->name,
                         capacity(chip, level, c));
                return text;
            }
    return NULL;
}

const char *lng_place_buffers(struct lng_machine *m, char text[200])
{
    pthread_mutex_lock(&lock);
    const char *wrong = check_capacity(m, text);
    for (int i = 0; i < LNG_MOST_BUFFERS && !wrong; i++) {
        if (m->call->buffers[i].name)
            wrong = place(m, i, find_place(&m->call->buffers[i]), text);
    }
    pthread_mutex_unlock(&lock);
    return wrong;
}
