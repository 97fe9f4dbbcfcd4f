/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
/*
 * More elements than 32 bits count, in memory that is mapped over and over: every page of
 * dy is the same page of zeros but the last, and every page of dx the same page. So dg
 * and db are those of the last rows alone, and what is left in dx is the last page's.
 */
#include "fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A sanitizer shadows every page as if it were memory of its own. */
#if defined(__has_feature)
#define SHADOWED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1
#else
#define SHADOWED 0
#endif

enum { H = 8192, PAGE = 2 << 20, ROWS_OF_A_PAGE = PAGE / (2 * H) };
static const int64_t pages = ((INT64_C(1) << 32) / H + ROWS_OF_A_PAGE) / ROWS_OF_A_PAGE;

/* Address space in which each page but the last is `same`, and the last is `last`. */
static char *map_pages(int same, int last)
{
    char *all = mmap(NULL, (size_t)pages * PAGE, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    for (int64_t i = 0; i < pages; i++)
        if (mmap(all + i * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 i + 1 < pages ? same : last, 0) == MAP_FAILED)
            return NULL;
    return all;
}

static int page_file(void)
{
    const int file = memfd_create("page", 0);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, PAGE), 0);
    return file;
}

static void beyond_32_bits(void **state)
{
    (void)state;
    if (SHADOWED) {
        print_message("skipped: a sanitizer has no room for 2^32 elements\n");
        skip();
    }
    enum { ROWS = ROWS_OF_A_PAGE };
    const int zeros = page_file(), x_page = page_file(), dy_page = page_file(),
              dx_page = page_file();
    char *x = map_pages(x_page, x_page), *dy = map_pages(zeros, dy_page);
    char *dx = map_pages(dx_page, dx_page);
    const int64_t rows = pages * ROWS;
    uint16_t *mean = calloc((size_t)rows, 2), *var = malloc((size_t)rows * 2);
    uint16_t *out = malloc(2 * 2 * H + PAGE), *right = malloc(2 * 2 * H + PAGE);
    if (!x || !dy || !dx || !mean || !var || !out || !right) {
        print_message("skipped: no address space or memory\n");
        skip();
    }
    uint64_t seed = 1;
    for (int64_t j = 0; j < (int64_t)ROWS * H; j++) {
        lng_put(LNG_F16, x, j, (double)(lng_random(&seed) % 64) - 31);
        lng_put(LNG_F16, dy + (pages - 1) * PAGE, j,
                (double)(lng_random(&seed) % 16) - 7);
    }
    for (int64_t n = 0; n < rows; n++)
        lng_put(LNG_F16, var, n, 1 + (double)(n % 7));

    lng_problem p = {.dtype = LNG_F16,
                     .param_num = H,
                     .block_size = H,
                     .param_size = rows,
                     .block_num = rows,
                     .epsilon = 1e-5,
                     .x = x,
                     .dy = dy,
                     .mean = mean,
                     .var = var,
                     .dx = dx,
                     .dg = out,
                     .db = out + H,
                     .core_mask = 1,
                     .workers = 1};
    assert_int_equal(lng_layernormgrad(&p), LNG_OK);
    memcpy(out + 2 * H, dx, PAGE);

    p.param_size = p.block_num = ROWS;
    p.x = x + (pages - 1) * PAGE;
    p.dy = dy + (pages - 1) * PAGE;
    p.var = var + (rows - ROWS);
    p.dx = right + 2 * H;
    p.dg = right;
    p.db = right + H;
    assert_int_equal(lng_layernormgrad(&p), LNG_OK);
    assert_memory_equal(out + 2 * H, right + 2 * H, PAGE);
    /* Sums of dy are whole numbers and exact; those of dy*d*r differ in order, not in
     * half. */
    assert_memory_equal(out + H, right + H, 2 * H);
    for (int q = 0; q < H; q++) {
        const double a = lng_get(LNG_F16, out, q), b = lng_get(LNG_F16, right, q);
        lng_assert(fabs(a - b) <= fabs(b) * 0x1p-10, "dg[%d] is %a, alone %a", q, a, b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_32_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
