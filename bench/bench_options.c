/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MOST_ELEMENTS (INT64_C(1) << 47) /* the library's own limit */
enum { MOST_REPETITIONS = 10000, DEFAULT_REPETITIONS = 10, MOST_PROCESSES = 1000 };

/* The cost of a call, L1, L2, and twice what lies beyond. */
static const struct lng_bench_sizes quick[] = {
    {8,    8,    8,    8   },
    {256,  64,   64,   256 },
    {64,   1024, 1024, 64  },
    {768,  4096, 4096, 768 },
    {1024, 8192, 8192, 1024}
};

/* Rows long and short, few and many; then the other factorings at the size of the first,
 * to be read beside it: parameters longer than a row, shorter, and neither dividing the
 * other. (8192x1024 is a power of two, of which one factor always divides the other: so
 * that one has a row more, 8193 = 3*2731.) */
static const struct lng_bench_sizes standard[] = {
    {1024,    8192,    8192,    1024   },
    {1024,    32768,   32768,   1024   },
    {128,     65536,   65536,   128    },
    {768,     4096,    4096,    768    },
    {4096,    2048,    2048,    4096   },
    {8192,    512,     512,     8192   },
    {65536,   128,     128,     65536  },
    {256,     64,      64,      256    },
    {64,      1024,    1024,    64     },
    {7,       1000003, 1000003, 7      },
    {1048576, 1,       1,       1048576},
    {8,       8,       8,       8      },
    {1048576, 8,       8192,    1024   },
    {256,     32768,   8192,    1024   },
    {768,     10924,   8193,    1024   }
};

static const struct suite {
    const char *name;
    const struct lng_bench_sizes *sizes;
    size_t count;
    int best_only;
} suites[] = {
    {"quick",    quick,    sizeof quick / sizeof *quick,       0},
    {"standard", standard, sizeof standard / sizeof *standard, 1},
};

static const struct suite *find_suite(const char *name)
{
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

/* Reads `count` whole numbers from 1 to most with `separator`, no more, between them. */
static int numbers(const char *text, int count, char separator, int64_t most,
                   int64_t *out)
{
    for (int i = 0; i < count; i++) {
        const char *begin = text;
        int64_t v = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            v = v > most ? v : v * 10 + (*text - '0');
        if (text == begin || v < 1 || v > most)
            return 0;
        if (*text != (i + 1 < count ? separator : 0))
            return 0;
        text++;
        out[i] = v;
    }
    return 1;
}

static void take_impl(struct lng_bench_options *o, const char *value)
{
    lng_kernel_info kernel;
    char known[256] = "";
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK;
         i++) {
        if (strcmp(kernel.id, value) == 0) {
            o->impls[o->impl_count++] = value;
            return;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", kernel.id);
    }
    lng_bench_fail("unknown kernel '%s', expected one of%s", value, known);
}

static void take_peer(struct lng_bench_options *o, const char *value)
{
    if (strcmp(value, "dnnl") != 0)
        lng_bench_fail("unknown peer '%s', expected dnnl", value);
    o->peer = value;
}

static void take_suite(struct lng_bench_options *o, const char *value)
{
    if (!find_suite(value))
        lng_bench_fail("unknown suite '%s', expected quick or standard", value);
    o->suite = value;
}

/* Twice the same shape or core count is once. */
static void add_sizes(struct lng_bench_options *o, struct lng_bench_sizes sizes)
{
    for (int i = 0; i < o->size_count; i++)
        if (memcmp(&o->sizes[i], &sizes, sizeof sizes) == 0)
            return;
    o->sizes[o->size_count++] = sizes;
}

static void take_shape(struct lng_bench_options *o, const char *value)
{
    int64_t n[2];
    if (!numbers(value, 2, 'x', MOST_ELEMENTS, n))
        lng_bench_fail("--shape '%s': expected ROWSxH, as 64x256", value);
    add_sizes(o, (struct lng_bench_sizes){n[1], n[0], n[0], n[1]});
}

static void take_sizes(struct lng_bench_options *o, const char *value)
{
    int64_t n[4];
    if (!numbers(value, 4, ',', MOST_ELEMENTS, n))
        lng_bench_fail("--sizes '%s': expected param_num,param_size,block_num,block_size",
                       value);
    add_sizes(o, (struct lng_bench_sizes){n[0], n[1], n[2], n[3]});
}

static void take_dtype(struct lng_bench_options *o, const char *value)
{
    if (strcmp(value, "fp32") == 0)
        o->dtypes[LNG_F32] = 1;
    else if (strcmp(value, "fp16") == 0)
        o->dtypes[LNG_F16] = 1;
    else
        lng_bench_fail("unknown dtype '%s', expected fp32 or fp16", value);
}

static void add_cores(struct lng_bench_options *o, int cores)
{
    for (int i = 0; i < o->core_count; i++)
        if (o->cores[i] == cores)
            return;
    o->cores[o->core_count++] = cores;
}

static void take_cores(struct lng_bench_options *o, const char *value)
{
    int64_t cores;
    if (!numbers(value, 1, 0, LNG_BENCH_CORES, &cores))
        lng_bench_fail("--cores '%s': expected a number of cores, 1 to %d", value,
                       LNG_BENCH_CORES);
    add_cores(o, (int)cores);
}

static void take_repetitions(struct lng_bench_options *o, const char *value)
{
    int64_t repetitions;
    if (!numbers(value, 1, 0, MOST_REPETITIONS, &repetitions))
        lng_bench_fail("--repetitions '%s': expected 1 to %d", value, MOST_REPETITIONS);
    o->repetitions = (int)repetitions;
}

static void take_processes(struct lng_bench_options *o, const char *value)
{
    int64_t processes;
    if (!numbers(value, 1, 0, MOST_PROCESSES, &processes))
        lng_bench_fail("--processes '%s': expected 1 to %d", value, MOST_PROCESSES);
    o->processes = (int)processes;
}

static void take_json(struct lng_bench_options *o, const char *value)
{
    o->json = value;
}

static const struct {
    const char *name, *value; /* value NULL: takes none */
    void (*take)(struct lng_bench_options *o, const char *value);
    const char *help;
    int not_again; /* not for the processes that this one starts */
} table[] = {
    {"--suite",       "quick|standard", take_suite,
     "default quick; standard: the best of each type",                                                          0},
    {"--shape",       "NxH",            take_shape,       "N rows of H; repeatable",                            0},
    {"--sizes",       "PN,PS,BN,BS",    take_sizes,       "the four sizes; repeatable",                         0},
    {"--impl",        "ID",             take_impl,        "default all; repeatable",                            0},
    {"--peer",        "dnnl",           take_peer,        "oneDNN in turn with them",                           0},
    {"--dtype",       "fp32|fp16",      take_dtype,       "one type only",                                      0},
    {"--cores",       "C",              take_cores,       "default 1, 2, 4 ... all, of a DSP each; repeatable", 0},
    {"--repetitions", "N",              take_repetitions, "default 10",                                         0},
    {"--processes",   "N",              take_processes,   "medians of N fresh processes; default 1",            1},
    {"--json",        "FILE",           take_json,        "results as lng-result/1",                            1},
    {"--list",        NULL,             NULL,             "what would be run",                                  0},
    {"--help",        NULL,             NULL,             "this",                                               0},
};

void lng_bench_usage(void)
{
    printf("usage: lng-bench [options]\n"
           "Times every kernel beside the roof of its shape; kernels of DSPs are\n"
           "predicted by the model of the chip.\n");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        printf("  %-13s %-14s %s\n", table[i].name, table[i].value ? table[i].value : "",
               table[i].help);
    printf("  --benchmark_...              Google Benchmark's own flags, as\n"
           "                               --benchmark_filter=REGEX, "
           "--benchmark_min_time=S\n");
}

static const char out[] = "--benchmark_out=";

static int is_out(const char *flag)
{
    return strncmp(flag, out, sizeof out - 1) == 0;
}

/* Google Benchmark's own, checked here where it would fail late or say nothing. */
static void take_flag(struct lng_bench_options *o, char *flag)
{
    static const char repetitions[] = "--benchmark_repetitions";
    if (strncmp(flag, repetitions, sizeof repetitions - 1) == 0)
        lng_bench_fail("%s: expected --repetitions N", flag);
    if (is_out(flag)) {
        FILE *file = fopen(flag + sizeof out - 1, "a");
        if (!file)
            lng_bench_fail("%s: cannot be written", flag);
        fclose(file);
    }
    o->flags[o->flag_count++] = flag;
}

static const char filter[] = "--benchmark_filter=";

static void take_defaults(struct lng_bench_options *o)
{
    if (o->suite && o->size_count)
        lng_bench_fail("--suite: expected no --shape or --sizes beside it");
    if (o->size_count) {
        o->suite = "custom";
    } else {
        const struct suite *suite = find_suite(o->suite ? o->suite : "quick");
        o->suite = suite->name;
        o->best_only = suite->best_only;
        for (size_t i = 0; i < suite->count; i++)
            add_sizes(o, suite->sizes[i]);
    }
    if (!o->dtypes[LNG_F32] && !o->dtypes[LNG_F16])
        o->dtypes[LNG_F32] = o->dtypes[LNG_F16] = 1;
    for (int i = 0; i < o->flag_count; i++) {
        if (o->processes > 1 && is_out(o->flags[i]))
            lng_bench_fail("%s: expected --json FILE beside --processes", o->flags[i]);
        if (strcmp(o->flags[i], "--benchmark_list_tests") == 0 ||
            strcmp(o->flags[i], "--benchmark_list_tests=true") == 0) {
            o->names_only = 1;
            o->repetitions = o->processes = 1; /* each name is to be listed once */
        }
        o->filtered |=
            o->names_only || strncmp(o->flags[i], filter, sizeof filter - 1) == 0;
    }
}

struct lng_bench_options lng_bench_parse(int argc, char **argv)
{
    const size_t most =
        (size_t)argc + sizeof standard / sizeof *standard + LNG_BENCH_CORES;
    static char short_enough[] = "--benchmark_min_time=0.02";
    struct lng_bench_options o = {
        .repetitions = DEFAULT_REPETITIONS,
        .processes = 1,
        .impls = lng_bench_allocate(most, sizeof *o.impls),
        .sizes = lng_bench_allocate(most, sizeof *o.sizes),
        .cores = lng_bench_allocate(most, sizeof *o.cores),
        .flags = lng_bench_allocate(most, sizeof *o.flags),
        .again = lng_bench_allocate(most, sizeof *o.again),
    };
    o.flags[o.flag_count++] = o.again[o.again_count++] = argv[0];
    o.flags[o.flag_count++] = short_enough;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--benchmark_", 12) == 0) {
            take_flag(&o, argv[i]);
            o.again[o.again_count++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--help") == 0) {
            o.action = LNG_BENCH_HELP;
            return o;
        }
        if (strcmp(argv[i], "--list") == 0) {
            o.action = LNG_BENCH_LIST;
            continue;
        }
        size_t k = 0;
        while (k < sizeof table / sizeof *table && strcmp(argv[i], table[k].name) != 0)
            k++;
        if (k == sizeof table / sizeof *table)
            lng_bench_fail("unknown option '%s', expected one of lng-bench --help",
                           argv[i]);
        if (++i == argc || !*argv[i])
            lng_bench_fail("%s: expected %s after it", table[k].name, table[k].value);
        table[k].take(&o, argv[i]);
        if (!table[k].not_again) {
            o.again[o.again_count++] = argv[i - 1];
            o.again[o.again_count++] = argv[i];
        }
    }
    take_defaults(&o);
    return o;
}
