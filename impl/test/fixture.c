/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mmap's MAP_ANONYMOUS */
#include "fixture.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATTERN = 0xa5 };

uint64_t lng_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t lng_size(lng_dtype dtype)
{
    return dtype == LNG_F16 ? 2 : 4;
}

double lng_half(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const int significand = (int)(bits & 1023) + (exponent ? 1024 : 0);
    if (exponent == 31)
        return bits & 1023 ? (double)NAN : (double)INFINITY;
    return ldexp(significand, (exponent ? exponent - 1 : 0) - 24);
}

/* The half of the largest magnitude that is not above the value's; sign aside. */
static unsigned half_below(double value)
{
    int exponent;
    frexp(value, &exponent);
    exponent = fabs(value) < 0x1p-14 ? -13 : exponent; /* |value| < 2^exponent */
    const double significand = ldexp(fabs(value), 11 - exponent);
    return exponent > 16 ? 0x7bff
                         : (unsigned)(exponent + 13) * 1024 + (unsigned)significand;
}

double lng_round(lng_dtype dtype, double value)
{
    if (dtype == LNG_F32)
        return (double)(float)value;
    const unsigned low = half_below(value);
    const double below = lng_half(low), above = low == 0x7bff ? 65536 : lng_half(low + 1);
    const double up = fabs(value) - below, down = above - fabs(value);
    const double nearest = up > down || (up == down && low & 1) ? above : below;
    return copysign(nearest == 65536 ? (double)INFINITY : nearest, value);
}

static unsigned half_bits(double value) /* sign aside; value is a half */
{
    if (!isfinite(value))
        return isnan(value) ? 0x7e00 : 0x7c00;
    const unsigned bits = half_below(value);
    assert_true(lng_half(bits) == fabs(value));
    return bits;
}

double lng_get(lng_dtype dtype, const void *tensor, int64_t i)
{
    if (dtype == LNG_F32)
        return (double)((const float *)tensor)[i];
    const unsigned bits = ((const uint16_t *)tensor)[i];
    return bits & 0x8000 ? -lng_half(bits & 0x7fff) : lng_half(bits);
}

void lng_put(lng_dtype dtype, void *tensor, int64_t i, double value)
{
    if (dtype == LNG_F32) {
        ((float *)tensor)[i] = (float)value;
        assert_true(isnan(value) || (double)(float)value == value);
    } else {
        ((uint16_t *)tensor)[i] =
            (uint16_t)((signbit(value) ? 0x8000u : 0u) | half_bits(value));
    }
}

int lng_same(lng_dtype dtype, const void *a, int64_t i, const void *b, int64_t k)
{
    const size_t size = lng_size(dtype);
    return memcmp((const char *)a + (size_t)i * size, (const char *)b + (size_t)k * size,
                  size) == 0 ||
           (isnan(lng_get(dtype, a, i)) && isnan(lng_get(dtype, b, k)));
}

void lng_assert_same(const struct lng_fixture *f, const struct lng_fixture *g, int output,
                     const char *what)
{
    static const char *const name[TENSORS] = {"x",     "dy", "mean", "var",
                                              "gamma", "dx", "dg",   "db"};
    for (int64_t i = 0; i < f->length[output]; i++)
        lng_assert(lng_same(f->p.dtype, f->tensor[output], i, g->tensor[output], i),
                   "%s: %s[%lld] is %a, expected %a", what, name[output], (long long)i,
                   lng_get(f->p.dtype, f->tensor[output], i),
                   lng_get(f->p.dtype, g->tensor[output], i));
}

static size_t page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t whole_pages(size_t size)
{
    return (size + page() - 1) / page() * page();
}

static char *map_forbidden(size_t size)
{
    char *map = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(map != MAP_FAILED);
    return map;
}

/* Of nothing too, which mprotect in an emulator refuses. */
static void allow(char *pages, size_t size)
{
    if (size)
        assert_int_equal(mprotect(pages, size, PROT_READ | PROT_WRITE), 0);
}

void *lng_map(size_t size, size_t alignment)
{
    char *map = map_forbidden(whole_pages(size) + 2 * page());
    allow(map + page(), whole_pages(size));
    return map + page() + (whole_pages(size) - size) / alignment * alignment;
}

void lng_unmap(void *buffer, size_t size)
{
    char *first = (char *)buffer - (uintptr_t)buffer % page() - page();
    munmap(first, whole_pages(size) + 2 * page());
}

/* (1 + k/2^bits)*2^exponent; half keeps eight bits of significand down to 2^-17. */
static double random_value(lng_dtype dtype, uint64_t seed, int exponent)
{
    const int bits = dtype == LNG_F16 ? 7 : 23;
    const uint64_t k = lng_random(&seed) & ((UINT64_C(1) << bits) - 1);
    return ldexp(1 + ldexp((double)k, -bits), exponent);
}

/* Terms that cancel in pairs, in a row's A and B (neighbours) and in a parameter's sums
 * (repetitions), beside few small ones: what remains is of the size of the rounding
 * errors, which any other order of the sums changes. Powers of two in gamma keep the
 * pairs exact. */
static void fill(struct lng_fixture *f)
{
    const lng_dtype dtype = f->p.dtype;
    const int64_t params = f->p.param_num, repeats = f->p.param_size, H = f->p.block_size;
    for (int64_t p = 0; p < params; p++) {
        const int small = p / 2 % 5 == 3 || (p ^ 1) >= params;
        const double gamma = ldexp(1, (small ? -8 : 14) - (int)(p % 3));
        lng_put(dtype, f->tensor[GAMMA], p, p % 5 < 2 ? -gamma : gamma);
    }
    for (int64_t j = 0; j < f->length[X]; j++) {
        const int64_t q = j / params, p = j % params;
        const double gamma = lng_get(dtype, f->tensor[GAMMA], p);
        const int small = fabs(gamma) < 1 || q / 2 % 4 == 0 || (q ^ 1) >= repeats;
        const int low = fabs(gamma) < 1 ? -21 : dtype == LNG_F16 ? -1 : -25;
        const uint64_t pair = (uint64_t)(q / 2) << 32 | (uint64_t)(p / 2);
        const double g =
            small ? random_value(dtype, (uint64_t)j, low) : random_value(dtype, pair, 27);
        const double x = random_value(dtype, pair / 2 * 2 + 1, small ? -14 : 8);
        lng_put(dtype, f->tensor[DY], j,
                (small ? p % 3 : p ^ q) & 1 ? -g / gamma : g / gamma);
        lng_put(dtype, f->tensor[X], j, p & 2 ? -x : x);
    }
    for (int64_t n = 0; n < f->p.block_num; n++) {
        const uint64_t pair = (uint64_t)(n * H / (2 * params));
        lng_put(dtype, f->tensor[MEAN], n, random_value(dtype, pair, -15));
        lng_put(dtype, f->tensor[VAR], n, ldexp((double)(pair % 7 + 1), -24));
    }
}

static struct lng_fixture allocate(lng_dtype dtype, const int64_t sizes[4],
                                   enum lng_edge edge)
{
    const int64_t elements = sizes[2] * sizes[3], params = sizes[0], rows = sizes[2];
    struct lng_fixture f = {
        .p = {.dtype = dtype,
              .param_num = sizes[0],
              .param_size = sizes[1],
              .block_num = sizes[2],
              .block_size = sizes[3],
              .epsilon = 1e-12,
              .core_mask = 0xf                                             },
        .length = { elements,      elements,  rows, rows, params, elements, params, params}
    };
    for (int t = 0; t < TENSORS; t++)
        f.map_size += whole_pages((size_t)(f.length[t] + 1) * lng_size(dtype)) + page();
    f.map_size += page();
    f.map = map_forbidden(f.map_size);
    char *next = f.map + page();
    for (int t = 0; t < TENSORS; t++) {
        const size_t size = (size_t)f.length[t] * lng_size(dtype);
        const size_t extra = edge == AFTER_START ? lng_size(dtype) : 0;
        const size_t room = whole_pages(size + extra);
        allow(next, room);
        f.tensor[t] = next + (edge == AT_END ? room - size : extra);
        next += room + page();
    }
    f.p.x = f.tensor[X];
    f.p.dy = f.tensor[DY];
    f.p.mean = f.tensor[MEAN];
    f.p.var = f.tensor[VAR];
    f.p.gamma = f.tensor[GAMMA];
    f.p.dx = f.tensor[DX];
    f.p.dg = f.tensor[DG];
    f.p.db = f.tensor[DB];
    lng_forget(&f);
    return f;
}

struct lng_fixture lng_setup(lng_dtype dtype, const int64_t sizes[4], enum lng_edge edge)
{
    struct lng_fixture f = allocate(dtype, sizes, edge);
    fill(&f);
    return f;
}

struct lng_fixture lng_copy(const struct lng_fixture *from, enum lng_edge edge)
{
    const lng_problem *p = &from->p;
    const int64_t sizes[4] = {p->param_num, p->param_size, p->block_num, p->block_size};
    struct lng_fixture f = allocate(p->dtype, sizes, edge);
    lng_copy_inputs(&f, from);
    return f;
}

void lng_teardown(struct lng_fixture *f)
{
    munmap(f->map, f->map_size);
}

void lng_copy_inputs(struct lng_fixture *to, const struct lng_fixture *from)
{
    for (int t = X; t <= GAMMA; t++)
        memcpy(to->tensor[t], from->tensor[t],
               (size_t)from->length[t] * lng_size(from->p.dtype));
}

void lng_forget(struct lng_fixture *f)
{
    for (int t = DX; t < TENSORS; t++)
        memset(f->tensor[t], PATTERN, (size_t)f->length[t] * lng_size(f->p.dtype));
}

int64_t lng_untouched(const struct lng_fixture *f, int output)
{
    static const unsigned char pattern[4] = {PATTERN, PATTERN, PATTERN, PATTERN};
    const size_t size = lng_size(f->p.dtype);
    int64_t count = 0;
    for (int64_t i = 0; i < f->length[output]; i++)
        count += memcmp((const char *)f->tensor[output] + (size_t)i * size, pattern,
                        size) == 0;
    return count;
}

void lng_for_all_kernels(void (*check)(const struct lng_kernel *kernel))
{
    for (size_t i = 0; i < lng_kernels_count; i++)
        if (lng_kernels[i].available())
            check(&lng_kernels[i]);
}

/* What the handler saw. */
static struct {
    int calls;
    lng_status status;
    char text[256];
    void *user;
} seen;

static void on_error(lng_status status, const char *text, void *user)
{
    seen.calls++;
    seen.status = status;
    strncpy(seen.text, text, sizeof seen.text - 1);
    seen.user = user;
}

int lng_watch_errors(void **state)
{
    (void)state;
    lng_set_error_handler(on_error, &seen);
    return 0;
}

void lng_expect_refused(const struct lng_fixture *f, lng_status status, const char *word,
                        const char *what)
{
    lng_assert(lng_last_status() == status, "%s: status %d, expected %d (%s)", what,
               lng_last_status(), status, lng_status_text());
    lng_assert(strstr(lng_status_text(), word), "%s: \"%s\" does not say %s", what,
               lng_status_text(), word);
    lng_assert(seen.calls == 1 && seen.status == status && seen.user == &seen &&
                   strcmp(seen.text, lng_status_text()) == 0,
               "%s: handler called %d times with %d, \"%s\"", what, seen.calls,
               seen.status, seen.text);
    for (int t = DX; t < TENSORS; t++)
        lng_assert(lng_untouched(f, t) == f->length[t], "%s: an output was written",
                   what);
    seen.calls = 0;
}

void lng_expect_accepted(const char *what)
{
    lng_assert(lng_last_status() == LNG_OK && seen.calls == 0 && !*lng_status_text(),
               "%s: refused with %d (%s)", what, lng_last_status(), lng_status_text());
}
