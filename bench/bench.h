/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_BENCH_H
#define LNG_BENCH_H
/*
 * lng-bench: kernels x shapes x core counts, each beside the roof of its shape and, where
 * asked for, beside a peer: the same gradient by another library.
 *
 * A plan is made from the options: groups (one shape, type and core count each), in them
 * the kernels and the peer as units. Running it fills in the times; what remains is
 * printing them. Kernels of DSPs are not timed but predicted by the model of their chip,
 * one call for each core count: groups of their own. Whatever goes wrong ends the program
 * by lng_bench_fail.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "gbench.h"
#include "layernormgrad.h"
#include "peer_dnnl.h"
#include "roof.h"

enum { LNG_BENCH_DTYPES = 2, LNG_BENCH_NAME = 128, LNG_BENCH_CORES = 31 };
#define LNG_BENCH_SEED UINT64_C(0x5eed)

struct lng_bench_sizes {
    int64_t param_num, param_size, block_num, block_size;
};

struct lng_bench_options {
    enum { LNG_BENCH_RUN, LNG_BENCH_LIST, LNG_BENCH_HELP } action;
    const char *suite; /* "quick", "standard", or "custom" where shapes were named */
    const char **impls;
    int impl_count;   /* 0: all, or */
    int best_only;    /* the best of each type */
    const char *peer; /* "dnnl", or NULL: none */
    struct lng_bench_sizes *sizes;
    int size_count;
    int *cores; /* none: see lng_bench_plan_make */
    int core_count;
    int dtypes[LNG_BENCH_DTYPES]; /* by lng_dtype: wanted or not */
    int repetitions;
    int processes;    /* 1: this one */
    const char *json; /* NULL: none */
    char **flags;     /* Google Benchmark's, flags[0] the program's name */
    int flag_count;
    int names_only; /* a flag asks for the names of the benchmarks */
    int filtered;   /* or for some of them: what is not timed is not wanted then */
    char **again;   /* the command line without --processes and --json */
    int again_count;
};

/* Seconds a call, one a repetition; those of one process after those of another. */
struct lng_series {
    double *times;
    size_t count;
};

/* What the model of a chip says of a call. */
struct lng_bench_prediction {
    double seconds; /* cycles at the chip's clock */
    double cycles;
    double compute, transfer; /* cycles, of the core that needs most of them */
    double roof_fraction;     /* of what the chip's DDR moves in these seconds */
};

struct lng_bench_unit {
    const char *id; /* of a kernel, or the peer's name */
    enum { LNG_BENCH_KERNEL, LNG_BENCH_PEER, LNG_BENCH_UNSUPPORTED_PEER } kind;
    char name[LNG_BENCH_NAME];
    struct lng_bench_group *group;
    int checked; /* its results were seen to be finite, a peer's to be ours */
    struct lng_gbench clock;
    struct lng_series series;
    struct lng_bench_prediction prediction; /* of a predicted group */
};

struct lng_bench_roof {
    enum lng_roof kind;
    char name[LNG_BENCH_NAME];
    struct lng_bench_group *group;
    struct lng_gbench clock;
    struct lng_series series;
};

struct lng_bench_group {
    lng_dtype dtype;
    struct lng_bench_sizes sizes;
    int cores;
    int predicted;
    struct lng_bench_unit *units;
    size_t unit_count;
    struct lng_bench_roof roofs[LNG_ROOFS];
};

struct lng_bench_plan {
    struct lng_bench_group *groups;
    size_t group_count;
    int processes;
    double memory; /* bytes that the largest group takes */
    int pinned;    /* 1 where the workers could be bound to processors */
};

/* Prints "lng-bench: ..." as one line on standard error and ends with status 2. */
_Noreturn void lng_bench_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Zeroed, never NULL. What is not freed is kept for the life of the program. */
void *lng_bench_allocate(size_t count, size_t size);

/* bench_options.c */
struct lng_bench_options lng_bench_parse(int argc, char **argv);
void lng_bench_usage(void);

/* bench_plan.c */
struct lng_bench_plan lng_bench_plan_make(const struct lng_bench_options *options);
/* Whether the options ask for it, available or not. */
int lng_bench_wanted(const struct lng_bench_options *options,
                     const lng_kernel_info *kernel);

/* Cores that a kernel can be run with here, or on the model. */
int lng_bench_cores(const lng_kernel_info *kernel);
int64_t lng_bench_elements(const struct lng_bench_group *group);
double lng_bench_bytes(const struct lng_bench_group *group);      /* moved by one call */
double lng_bench_roof_bytes(const struct lng_bench_group *group); /* by one pass */
double lng_bench_memory_available(void);
/* Whether there is a group that is predicted, or one that is measured. */
int lng_bench_has(const struct lng_bench_plan *plan, int predicted);
/* "64x256", or "param_num,param_size,block_num,block_size" */
void lng_bench_shape(const struct lng_bench_sizes *sizes, char *text, size_t size);
/* The problem with its sizes, mask and kernel set, pointers not. For a peer the kernel is
 * the best of ours. */
lng_problem lng_bench_problem(const struct lng_bench_unit *unit);

/* bench_data.c: the buffers of the group that is being run. */
struct lng_bench_data {
    lng_dtype dtype;
    struct lng_bench_sizes sizes;
    void *x, *dy, *dx, *mean, *var, *gamma, *dg, *db, *workspace;
    size_t workspace_size;
};
/* Bytes that they take. */
size_t lng_bench_memory(const struct lng_bench_group *group);
struct lng_bench_data *lng_bench_data_make(const struct lng_bench_group *group);
/* What was made for another group, NULL at first, if it serves this one too; else new. */
struct lng_bench_data *lng_bench_data_for(struct lng_bench_data *data,
                                          const struct lng_bench_group *group);
void lng_bench_data_free(struct lng_bench_data *data);
lng_problem lng_bench_bind(const struct lng_bench_unit *unit,
                           const struct lng_bench_data *data);

/* bench_check.c, before anything is timed */
/* Ends the program unless the kernel succeeds and all it computes is finite. */
void lng_bench_check(const lng_problem *problem, const char *name);
/* Ends it unless the peer computes what our kernel does, on the problem with its means
 * made exact. */
void lng_bench_check_peer(const lng_problem *problem, struct lng_dnnl *peer,
                          const char *name);

/* bench_predict.c: fills in the predictions */
void lng_bench_predict(struct lng_bench_plan *plan);

/* bench_run.c: fills in the times; 0 where the benchmarks were listed instead */
int lng_bench_run(struct lng_bench_plan *plan, const struct lng_bench_options *options);

/* bench_processes.c: the same by fresh processes of this program, one after the other */
void lng_bench_run_processes(struct lng_bench_plan *plan,
                             const struct lng_bench_options *options);

/* bench_statistics.c */
double lng_bench_median(const struct lng_series *series); /* NaN of none */
/* Seconds a pass of the better loop; NaN where none was timed. */
double lng_bench_roof_median(const struct lng_bench_group *group);
/* Of a ratio of medians in each process; NaN where one of them was not timed. */
struct lng_bench_spread {
    double median, least, most;
};
/* The unit's speed as a fraction of the roof's. */
struct lng_bench_spread lng_bench_of_roof(const struct lng_bench_unit *unit,
                                          int processes);
/* And as a multiple of the peer's. */
struct lng_bench_spread lng_bench_of_peer(const struct lng_bench_unit *unit,
                                          int processes);

/* bench_output.c */
void lng_bench_table(const struct lng_bench_plan *plan,
                     const struct lng_bench_options *options);
void lng_bench_json(const struct lng_bench_plan *plan,
                    const struct lng_bench_options *options, time_t start);

#endif
