/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/suite.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel.h"

/* How many problems a suite has, and how many elements the random ones have at most. */
static const struct budget {
    const char *name;
    int problems;
    int64_t elements;
    int edges; /* take every n-th of the edge shapes */
} budgets[] = {
    {"smoke", 640,    6000,   4},
    {"sweep", 3600,   20000,  1},
    {"full",  200000, 100000, 1}
};

/* Around every lane count (4, 8, 16), the lines of a cache, common widths, primes, and
 * the edges where 32-bit or 16-bit indices and row buffers end. */
static const int row_lengths[] = {
    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   15,
    16,   17,   18,   23,   24,   25,   31,   32,   33,   37,   47,   48,   49,   63,
    64,   65,   96,   100,  101,  127,  128,  129,  251,  255,  256,  257,  383,  384,
    385,  509,  511,  512,  513,  767,  768,  769,  1000, 1021, 1023, 1024, 1025, 1599,
    1600, 1601, 2047, 2048, 2049, 4093, 4095, 4096, 4097, 8191, 8192, 8193};
static const int row_counts[] = {1, 2, 3, 5, 8, 17, 130};

/* N rows of H where one problem of each type is enough; the large ones of the suites. */
static const struct {
    int64_t N, H;
} single_shapes[] = {
    {0,     1     },
    {0,     5     },
    {0,     4097  },
    {1,     65537 },
    {65537, 3     },
    {3,     40009 },
    {65535, 1     },
    {65536, 2     },
    {8192,  33    },
    {130,   1025  },
    {1025,  128   },
    {70001, 4     },
    {257,   768   },
    {20,    8193  },
    {2,     100003}
};

/* What most families have; a fifth of their problems take another one. */
static const double common_epsilon = 1e-5;

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Builds the list. Families take turns, and so do the four factorings and, more slowly,
 * the types, so that every combination occurs. */
struct builder {
    struct lng_suite *suite;
    gsl_rng *rng;
    int failed;
};

int lng_suite_add(struct lng_suite *s, const struct lng_source *source)
{
    if ((s->count & (s->count - 1)) == 0) { /* 0 or a power of two: full */
        const size_t room = s->count ? 2 * (size_t)s->count : 1;
        struct lng_source *more = realloc(s->sources, room * sizeof *more);
        if (!more)
            return -1;
        s->sources = more;
    }
    s->sources[s->count++] = *source;
    return 0;
}

/* A factoring from its parts: T = kappa*a*b*g in rows of a*g and parameters of b*g. With
 * a = b = 1 it is the usual one, with a = 1 the parameters are longer, with b = 1
 * shorter, and with coprime a, b > 1 neither divides the other. */
static void add_as(struct builder *b, size_t f, lng_dtype dtype, int64_t g, int64_t rows,
                   int64_t params, int64_t kappa)
{
    static const double epsilons[] = {0, 1e-12, 1e-3, 1, 0x1p-126, 0x1p127};
    const int i = b->suite->count;
    struct lng_spec spec = {.dtype = dtype,
                            .param_num = params * g,
                            .param_size = kappa * rows,
                            .block_num = kappa * params,
                            .block_size = rows * g,
                            .family = &lng_families[f],
                            .epsilon = lng_families[f].epsilon,
                            .seed = gsl_rng_get(b->rng)};
    const size_t turn = (size_t)i / lng_families_count;
    if (spec.epsilon == common_epsilon && (turn + f) % 5 == 0)
        spec.epsilon = epsilons[turn / 5 % COUNT(epsilons)];
    b->failed |= lng_suite_add(b->suite, &(struct lng_source){.spec = spec}) != 0;
}

static void add(struct builder *b, int64_t g, int64_t rows, int64_t params, int64_t kappa)
{
    const size_t i = (size_t)b->suite->count;
    const lng_dtype dtype = i / (4 * lng_families_count) % 2 ? LNG_F16 : LNG_F32;
    add_as(b, i % lng_families_count, dtype, g, rows, params, kappa);
}

/* Repetitions of a block of rows of H. */
static int64_t block_of(const struct lng_grain *grain, int64_t H)
{
    const int64_t many = 1 << 14;
    return lng_plan_make(grain, H, many, many, H).block_repeats;
}

/* Rows around the edges of the plan's blocks. */
static void add_block_edges(struct builder *b, const struct lng_grain *grain, int64_t H,
                            int64_t limit)
{
    const int64_t block = block_of(grain, H);
    for (int64_t k = 1; k <= 5; k += 2)
        for (int64_t edge = -1; edge <= 1; edge++)
            if (k * block + edge > 0 && (k * block + edge) * H <= limit)
                add(b, H, 1, 1, k * block + edge);
}

/* Several blocks whose sums cancel: another order of the blocks gives another result,
 * though not always, for the difference of two rounded sums is often exact. */
static void add_cancelling_blocks(struct builder *b, const struct lng_grain *grain,
                                  int64_t H, int64_t limit)
{
    const size_t family = (size_t)(lng_family_find("paired-rows") - lng_families);
    const int64_t block = block_of(grain, H);
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++)
        for (int64_t blocks = 3; blocks <= 7; blocks += 2)
            if (blocks * block * H <= limit)
                add_as(b, family, (lng_dtype)dtype, H, 1, 1, blocks * block);
}

static void add_both_types(struct builder *b, int64_t H, int64_t N)
{
    for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++)
        add_as(b, (size_t)b->suite->count % lng_families_count, (lng_dtype)dtype, H, 1, 1,
               N);
}

/* Rows on either side of the length from which the plan cuts them, and longer ones in all
 * four factorings: the last piece short, or all of one length. */
static void add_cut_rows(struct builder *b, int64_t whole, int step)
{
    const struct {
        int64_t g, rows, params, kappa;
    } parts[] = {
        {whole + 1,     1,         1, 3},
        {whole,         1,         1, 3},
        {whole + 2048,  1,         1, 9},
        {whole + 1,     1,         2, 2},
        {whole / 4 + 1, 5,         1, 2},
        {30,            700,       1, 3},
        {2048,          9,         1, 3},
        {whole / 4 + 3, 5,         2, 1},
        {3,             whole / 2, 7, 1},
        {1,             whole + 3, 3, 1}  /* a short last piece, and the next starts where it did */
    };
    for (size_t i = 0; i < COUNT(parts); i += (size_t)step)
        for (int dtype = LNG_F32; dtype <= LNG_F16; dtype++)
            add_as(b, (size_t)b->suite->count % lng_families_count, (lng_dtype)dtype,
                   parts[i].g, parts[i].rows, parts[i].params, parts[i].kappa);
}

/* One element less, as many as it says, and one more than where a kernel's dispatch
 * changes, in one row; and around it in rows of whole vectors, every `step`-th. */
static void add_thresholds(struct builder *b, const int64_t *thresholds, int step)
{
    for (; *thresholds; thresholds++)
        for (int edge = 1; edge >= -1; edge -= step) {
            add_both_types(b, 96, *thresholds / 96 + edge);
            if (step == 1)
                add_both_types(b, *thresholds + edge, 1);
        }
}

static int64_t pick(gsl_rng *rng, const int *from, size_t count)
{
    return from[gsl_rng_uniform_int(rng, count)];
}

static void add_random(struct builder *b, int64_t limit)
{
    static const int small[] = {2, 3, 4, 5, 7, 8, 9, 16};
    static const int repeats[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,
                                  31, 32, 33, 63, 64, 65, 127, 130, 256, 257, 1000};
    for (;;) {
        const int kind = b->suite->count % 4;
        const int64_t g = pick(b->rng, row_lengths, COUNT(row_lengths));
        const int64_t kappa = pick(b->rng, repeats, COUNT(repeats));
        int64_t rows = kind & 1 ? pick(b->rng, small, COUNT(small)) : 1;
        const int64_t params = kind & 2 ? pick(b->rng, small, COUNT(small)) : 1;
        if (kind == 3) /* consecutive numbers are coprime */
            rows = params + 1;
        if (g * rows * params * kappa <= limit) {
            add(b, g, rows, params, kappa);
            return;
        }
    }
}

int lng_suite_make(const char *name, uint64_t seed, struct lng_suite *suite)
{
    const struct budget *budget = NULL;
    for (size_t i = 0; i < COUNT(budgets); i++)
        if (strcmp(name, budgets[i].name) == 0)
            budget = &budgets[i];
    *suite = (struct lng_suite){0};
    if (!budget)
        return -1;
    struct builder b = {.suite = suite, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    if (!b.rng)
        return -1;
    gsl_rng_set(b.rng, (unsigned long)seed);
    size_t edge = 0;
    for (size_t h = 0; h < COUNT(row_lengths); h++)
        for (size_t n = 0; n < COUNT(row_counts); n++)
            if (row_lengths[h] * row_counts[n] <= budget->elements &&
                edge++ % (size_t)budget->edges == 0)
                add(&b, row_lengths[h], 1, 1, row_counts[n]);
    static const int block_lengths[] = {1, 3, 8, 31, 64, 257, 1024};
    for (size_t i = 0; i < COUNT(single_shapes); i += (size_t)budget->edges)
        add_both_types(&b, single_shapes[i].H, single_shapes[i].N);
    for (size_t i = 0; i < lng_kernels_count; i++) {
        const struct lng_kernel *k = &lng_kernels[i], *before = i ? k - 1 : NULL;
        if (before && strcmp(k->target, before->target) == 0)
            continue;
        for (size_t h = 0; h < COUNT(block_lengths); h += (size_t)budget->edges)
            add_block_edges(&b, k->grain, block_lengths[h], 3 * budget->elements);
        for (size_t h = 0; h < COUNT(block_lengths); h++)
            add_cancelling_blocks(&b, k->grain, block_lengths[h], 4 * budget->elements);
        add_cut_rows(&b, k->grain->whole, budget->edges);
        add_thresholds(&b, k->thresholds, budget->edges);
    }
    while (suite->count < budget->problems && !b.failed)
        add_random(&b, budget->elements);
    gsl_rng_free(b.rng);
    if (b.failed)
        lng_suite_free(suite);
    return b.failed ? -1 : 0;
}

void lng_suite_free(struct lng_suite *suite)
{
    for (int i = 0; i < suite->count; i++)
        lng_data_free(suite->sources[i].data);
    free(suite->sources);
    *suite = (struct lng_suite){0};
}
