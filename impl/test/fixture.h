/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_FIXTURE_H
#define LNG_FIXTURE_H
/*
 * What the library's tests share: problems whose buffers lie between pages that may not
 * be touched, values of either type by integer arithmetic, and comparison of bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/kernel.h"

enum lng_tensor { X, DY, MEAN, VAR, GAMMA, DX, DG, DB, TENSORS };

/* Where a buffer lies between its two forbidden pages: against the last, so that its
 * alignment is that of its length; or against the first; or one element further. */
enum lng_edge { AT_END, AT_START, AFTER_START };

/* A problem with every tensor there, epsilon 1e-12 and four cores, which every target
 * has. The inputs are such that another order of a sum gives other bits; outputs hold a
 * pattern that no result is. */
struct lng_fixture {
    lng_problem p;
    void *tensor[TENSORS]; /* those of p */
    int64_t length[TENSORS];
    char *map;
    size_t map_size;
};

struct lng_fixture lng_setup(lng_dtype dtype, const int64_t sizes[4], enum lng_edge edge);
void lng_teardown(struct lng_fixture *f);

/* A fixture of the same type, sizes and inputs; and the inputs alone, between two of the
 * same sizes. */
struct lng_fixture lng_copy(const struct lng_fixture *from, enum lng_edge edge);
void lng_copy_inputs(struct lng_fixture *to, const struct lng_fixture *from);

/* Fills the outputs with the pattern; how many elements of an output still hold it. */
void lng_forget(struct lng_fixture *f);
int64_t lng_untouched(const struct lng_fixture *f, int output);

/* Bytes between two forbidden pages, for a workspace; free with lng_unmap. */
void *lng_map(size_t size, size_t alignment);
void lng_unmap(void *buffer, size_t size);

uint64_t lng_random(uint64_t *state);
size_t lng_size(lng_dtype dtype);

/* Element i as a double; and a double, a value of the type, as element i. */
double lng_get(lng_dtype dtype, const void *tensor, int64_t i);
void lng_put(lng_dtype dtype, void *tensor, int64_t i, double value);

/* Rounded to nearest, ties to even; finite. */
double lng_round(lng_dtype dtype, double value);

/* The value of a half with these bits, sign aside: an integer times 2^-24. */
double lng_half(unsigned bits);

/* The same bits, or both NaN. */
int lng_same(lng_dtype dtype, const void *a, int64_t i, const void *b, int64_t k);
void lng_assert_same(const struct lng_fixture *f, const struct lng_fixture *g, int output,
                     const char *what);

/* Every row of the table that can run here. */
void lng_for_all_kernels(void (*check)(const struct lng_kernel *kernel));

/* A change of one field of a struct, by its bytes, and how it has to be refused. */
struct lng_change {
    lng_status status;
    const char *word; /* in the text */
    size_t offset, size;
    int64_t value;
};

/* Installs a handler, as the setup of a group of tests. Then: the last call was refused
 * with this status and a text that has the word, the handler was called once with the
 * same, and no output was touched; or nothing of the kind. */
int lng_watch_errors(void **state);
void lng_expect_refused(const struct lng_fixture *f, lng_status status, const char *word,
                        const char *what);
void lng_expect_accepted(const char *what);

/* cmocka's own message has no room for what was run. */
#define lng_assert(condition, ...)                                                       \
    do {                                                                                 \
        if (!(condition))                                                                \
            fail_msg(__VA_ARGS__);                                                       \
    } while (0)

#endif
