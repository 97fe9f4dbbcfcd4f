/* SPDX-License-Identifier: Apache-2.0 */
/* The plan, against what is counted element by element. */
#include "fixture.h"
#include "target/host/host.h"
#include "vec/lanes.h"

#include <stdlib.h>

#define SIZES "%lld*%lld = %lld*%lld"
#define OF(p)                                                                            \
    (long long)(p)->param_num, (long long)(p)->param_size, (long long)(p)->block_num,    \
        (long long)(p)->block_size

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Every element in exactly one tile, whose parameters hold its own; rows ascending. */
static void check_cover(const struct lng_plan *p)
{
    unsigned char *seen = calloc((size_t)(p->block_num * p->block_size), 1);
    for (int64_t i = 0; i < lng_plan_tiles(p); i++) {
        const struct lng_tile t = lng_plan_tile(p, i);
        int64_t last = -1;
        for (int64_t k = t.k0; k < t.k1; k++)
            for (int64_t local = t.i0; local < t.i1; local++) {
                const int64_t n = k * p->period + local;
                const struct lng_piece c = lng_plan_piece(p, n);
                lng_assert(n > last && c.n < p->block_num && c.c0 < c.c1 &&
                               c.c1 <= p->block_size,
                           SIZES ": tile %lld, piece %lld", OF(p), (long long)i,
                           (long long)n);
                last = n;
                for (int64_t j = c.n * p->block_size + c.c0;
                     j < c.n * p->block_size + c.c1; j++) {
                    const int64_t param = j % p->param_num;
                    lng_assert(param >= t.p0 && param < t.p1 && !seen[j]++,
                               SIZES ": element %lld in tile %lld", OF(p), (long long)j,
                               (long long)i);
                }
            }
    }
    for (int64_t j = 0; j < p->block_num * p->block_size; j++)
        lng_assert(seen[j], SIZES ": element %lld in no tile", OF(p), (long long)j);
    free(seen);
}

/* Every parameter in exactly one strip, the same in every block, with room for it. */
static void check_strips(const struct lng_plan *p)
{
    int64_t next = 0;
    for (int64_t strip = 0; strip < p->strips; strip++) {
        const struct lng_tile first = lng_plan_tile(p, strip);
        lng_assert(first.p0 == next && first.p1 > first.p0, SIZES ": strip %lld", OF(p),
                   (long long)strip);
        next = first.p1;
        /* Partial sums are read in whole vectors, from wherever a row starts. */
        lng_assert(first.p1 - first.p0 <= p->span &&
                       p->span + LNG_LANES - 1 <= p->partial_stride,
                   SIZES ": stride", OF(p));
        for (int64_t block = 0; block < p->blocks; block++) {
            const struct lng_tile t = lng_plan_tile(p, block * p->strips + strip);
            lng_assert(t.strip == strip && t.block == block && t.p0 == first.p0 &&
                           t.p1 == first.p1,
                       SIZES ": strip %lld of block %lld", OF(p), (long long)strip,
                       (long long)block);
        }
    }
    lng_assert(next == p->param_num, SIZES ": parameters", OF(p));
}

/* Partial sums cost little: where there is more than one block, all but the last have
 * enough elements, and repeat their parameters often enough. And blocks are few. */
static void check_blocks(const struct lng_plan *p)
{
    const int64_t elements = p->block_repeats * p->strip_pieces * p->columns;
    lng_assert(p->blocks <= 64 &&
                   (p->blocks <= 1 || (elements >= 4096 && elements / 16 >= p->span)),
               SIZES ": %lld blocks of %lld elements", OF(p), (long long)p->blocks,
               (long long)elements);
}

/* One more addition behind the longer of two chains, as element i gains element j. */
static void join(int64_t *chain, int64_t i, int64_t j)
{
    chain[i] = max(chain[i], chain[j]) + 1;
}

/* The longest chain of additions that ends in a parameter: a tile's rows meet its unwound
 * sums, these are folded, and the blocks follow one another. */
static int64_t longest_param_chain(const struct lng_plan *p)
{
    int64_t *chain = malloc((size_t)p->span * sizeof *chain);
    int64_t *total = calloc((size_t)p->param_num, sizeof *total), longest = 0;
    for (int64_t i = 0; i < lng_plan_tiles(p); i++) {
        const struct lng_tile t = lng_plan_tile(p, i);
        for (int64_t q = 0; q < p->span; q++)
            chain[q] = 0;
        for (int64_t k = t.k0; k < t.k1; k++)
            for (int64_t i2 = t.i0; i2 < t.i1; i2++) {
                const struct lng_piece c = lng_plan_piece(p, k * p->period + i2);
                const int64_t start = c.first % p->param_num;
                for (int64_t j = 0; j < c.c1 - c.c0; j++)
                    chain[start - t.p0 + j]++;
            }
        const int wound = p->param_num % p->block_size != 0;
        const int64_t lengths[] = {p->span, wound ? p->fold : p->span,
                                   wound ? p->param_num : p->span};
        for (int f = 0; f < 2; f++)
            for (int64_t from = lengths[f + 1]; from < lengths[f]; from += lengths[f + 1])
                for (int64_t q = from; q < from + lengths[f + 1] && q < lengths[f]; q++)
                    join(chain, q - from, q);
        for (int64_t q = 0; q < t.p1 - t.p0; q++) {
            total[t.p0 + q] = max(total[t.p0 + q], chain[q]) + 1;
            longest = max(longest, total[t.p0 + q]);
        }
    }
    free(chain);
    free(total);
    return longest;
}

static int64_t longest_row_chain(const struct lng_plan *p)
{
    int64_t lane[LNG_LANES] = {0}, longest = 0;
    for (int64_t i = 0; i < p->columns; i++)
        longest = max(longest, ++lane[i % LNG_LANES]);
    /* Four apart, two apart, neighbours; and the other pieces. */
    return longest + 3 + (p->block_size - 1) / p->columns;
}

static void check(int64_t param_num, int64_t param_size, int64_t block_num,
                  int64_t block_size)
{
    const struct lng_plan p =
        lng_plan_make(&lng_host_grain, param_num, param_size, block_num, block_size);
    check_cover(&p);
    check_strips(&p);
    check_blocks(&p);
    const struct lng_depth depth = lng_plan_depth(&p);
    const double params = (double)longest_param_chain(&p);
    lng_assert(depth.dg >= params && depth.db >= params, SIZES ": depth %g, counted %g",
               OF(&p), depth.dg, params);
    lng_assert(depth.dx == (double)longest_row_chain(&p), SIZES ": depth of dx", OF(&p));
    /* Not so deep that the bound allows anything. */
    lng_assert(depth.dg <= params + 2 && depth.db <= params + 2,
               SIZES ": depth %g, counted %g", OF(&p), depth.dg, params);
}

/* All factorings of small numbers: one tile, every remainder. */
static void small_sizes(void **state)
{
    (void)state;
    for (int64_t elements = 1; elements <= 240; elements++)
        for (int64_t param_num = 1; param_num <= elements; param_num++)
            for (int64_t block_size = 1; block_size <= elements; block_size++)
                if (elements % param_num == 0 && elements % block_size == 0)
                    check(param_num, elements / param_num, elements / block_size,
                          block_size);
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Pairs on either side of the sizes at which tiles, strips and blocks begin, repeated. */
static void large_sizes(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1,    3,     8,     12,    63,   64,   65,
                                      100,  512,   1023,  1365,  4095, 4096, 4097,
                                      6000, 12288, 16384, 16385, 20000};
    static const int64_t repeats[] = {1, 2, 15, 16, 17, 63, 64, 65, 129, 1030, 4099};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, MOST = 400000 };
    for (size_t a = 0; a < LENGTHS; a++)
        for (size_t b = 0; b < LENGTHS; b++)
            for (size_t c = 0; c < sizeof repeats / sizeof *repeats; c++) {
                const int64_t once =
                    lengths[a] / gcd(lengths[a], lengths[b]) * lengths[b];
                const int64_t elements = once * repeats[c];
                if (elements <= MOST)
                    check(lengths[a], elements / lengths[a], elements / lengths[b],
                          lengths[b]);
            }
}

/* Nothing overflows at the largest sizes that are let in, and the strips still fit. */
static void largest_sizes(void **state)
{
    (void)state;
    const int64_t most = INT64_C(1) << 47;
    for (int a = 0; a <= 47; a++)
        for (int b = 0; b <= 47; b++) {
            const struct lng_plan p = lng_plan_make(
                &lng_host_grain, INT64_C(1) << a, most >> a, most >> b, INT64_C(1) << b);
            const struct lng_tile last = lng_plan_tile(&p, lng_plan_tiles(&p) - 1);
            lng_assert(last.k1 * p.period == p.block_num * p.pieces &&
                           last.i1 == p.period && last.p1 == p.param_num &&
                           last.k0 < last.k1 && last.i0 < last.i1,
                       SIZES ": last tile", OF(&p));
            check_blocks(&p);
            for (size_t i = 0; i < lng_kernels_count; i++)
                lng_assert(lng_kernels[i].workspace(&p) < SIZE_MAX / 4,
                           SIZES ": workspace", OF(&p));
        }
}

static void no_rows(void **state)
{
    (void)state;
    const struct lng_plan p = lng_plan_make(&lng_host_grain, 10000, 0, 0, 10);
    assert_int_equal(lng_plan_tiles(&p), 0);
    assert_int_equal(lng_plan_tile(&p, p.strips - 1).p1, 10000);
}

/* Long rows whose parameters are as long: few tiles, and room for them alone. */
static void workspace_follows_the_tensors(void **state)
{
    (void)state;
    const int64_t sizes[][4] = {
        {1500000, 2,       3,       1000000},
        {1000000, 3,       3,       1000000},
        {3000000, 1,       3,       1000000},
        {16384,   64,      64,      16384  },
        {65536,   128,     128,     65536  },
        {7,       1000003, 1000003, 7      }
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t *z = sizes[i];
        const struct lng_plan p = lng_plan_make(&lng_host_grain, z[0], z[1], z[2], z[3]);
        const size_t tensors =
            (size_t)(3 * p.block_num * p.block_size + 3 * p.param_num + 2 * p.block_num) *
            sizeof(float);
        for (size_t k = 0; k < lng_kernels_count; k++)
            lng_assert(lng_kernels[k].workspace(&p) <= 4 * tensors + 65536,
                       SIZES ": %s: %zu bytes of workspace, %zu of tensors", OF(&p),
                       lng_kernels[k].id, lng_kernels[k].workspace(&p), tensors);
    }
}

static void workspace_does_not_grow_with_workers(void **state)
{
    (void)state;
    lng_problem p = {.param_num = 64,
                     .param_size = 4096,
                     .block_num = 4096,
                     .block_size = 64,
                     .core_mask = 1,
                     .workers = 1};
    const size_t size = lng_workspace_size(&p);
    assert_true(size > 0);
    p.core_mask = LNG_ALL_CORES;
    for (p.workers = 0; p.workers <= 1024; p.workers += 64)
        assert_int_equal(lng_workspace_size(&p), size);
}

/* Plans by hand. Another plan is another order of sums, so other bits for everybody:
 * whoever changes one of these means to. */
static void plans_are_kept(void **state)
{
    (void)state;
    static const struct {
        int64_t sizes[4], block_repeats, blocks, strips, span, fold;
    } kept[] = {
        {{8, 8, 8, 8},             512,   1,  1,   8,     8    },
        {{256, 64, 64, 256},       16,    4,  1,   256,   256  },
        {{1024, 8192, 8192, 1024}, 128,   64, 1,   1024,  1024 },
        {{7, 1000003, 1000003, 7}, 15626, 64, 1,   7,     7    },
        {{63, 64, 448, 9},         66,    1,  1,   63,    63   }, /* longer */
        {{9000, 20, 20000, 9},     16,    2,  3,   4104,  4104 }, /* longer, in strips of 456 rows */
        {{8, 4096, 8, 4096},       16,    1,  1,   4096,  64   }, /* shorter: folded to 64, then to 8 */
        {{6, 500, 300, 10},        410,   1,  1,   14,    14   }, /* mixed: rows start at 0, 2 or 4 */
        {{16384, 64, 64, 16384},   16,    4,  1,   16384, 16384}, /* the longest row that is not
  cut */
        {{65536, 128, 128, 65536}, 16,    8,  16,  4096,  4096 }, /* in 32 pieces, two a strip */
        {{1048576, 1, 1, 1048576}, 16,    1,  256, 4096,  4096 },
        {{32768, 3, 2, 49152},     256,   1,  1,   32768, 32768}, /* mixed, cut: pieces start at
  multiples of 2048 */
    };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const int64_t *z = kept[i].sizes;
        const struct lng_plan p = lng_plan_make(&lng_host_grain, z[0], z[1], z[2], z[3]);
        lng_assert(p.block_repeats == kept[i].block_repeats &&
                       p.blocks == kept[i].blocks && p.strips == kept[i].strips &&
                       p.span == kept[i].span && p.fold == kept[i].fold,
                   SIZES ": %lld repeats, %lld blocks, %lld strips, span %lld, fold %lld",
                   OF(&p), (long long)p.block_repeats, (long long)p.blocks,
                   (long long)p.strips, (long long)p.span, (long long)p.fold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_kept),
        cmocka_unit_test(small_sizes),
        cmocka_unit_test(large_sizes),
        cmocka_unit_test(largest_sizes),
        cmocka_unit_test(no_rows),
        cmocka_unit_test(workspace_does_not_grow_with_workers),
        cmocka_unit_test(workspace_follows_the_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
