/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_MODEL_H
#define LNG_REPORTS_MODEL_H
/*
 * A result file as the page needs it: lng-result/1 of verify/FORMAT.md, checked. Texts
 * point into the JSON tree that the result keeps; they are valid UTF-8 without control
 * characters, so whoever prints them has only the markup's own characters to escape.
 */
#include <stddef.h>
#include <stdint.h>

enum lng_tool { LNG_VERIFY, LNG_BENCH };

/* A row of the kernels' table: an id and a type. What units name and the file's own table
 * does not list (a peer, a foreign library) comes after those it lists, with class and
 * target "". */
struct lng_row {
    const char *id, *dtype, *target, *accuracy;
    int available, best;
};

/* The worst of one output in one unit. at is the flat index of the worst ratio. */
enum { LNG_SCORES = 3 };
extern const char *const lng_score_name[LNG_SCORES]; /* "dx", "dg", "db" */
struct lng_score {
    int judged; /* 0: the output was not computed, the rest is not set */
    double bound, ratio, ulps;
    int64_t at;
};

/* A class of accuracy: (k + c*L)*u bounds the error of an output. */
struct lng_profile {
    const char *name;
    struct {
        double k, c, u;
    } terms[LNG_SCORES];
};

struct lng_sizes {
    int64_t param_num, param_size, block_num, block_size;
};

enum lng_check_verdict {
    LNG_CHECK_PASSED,
    LNG_CHECK_FAILED,
    LNG_CHECK_SKIPPED,
    LNG_CHECK_VERDICTS
};

/* lng-verify: one kernel, one entry point, one problem. */
struct lng_check {
    size_t row;
    enum lng_check_verdict verdict;
    const char *entry, *problem, *family, *factoring, *note;
    struct lng_sizes sizes;
    const char *bits; /* hash of the outputs; NULL: there are none */
    uint64_t ways;    /* bit w: way w of the result gave them */
    const char *against_kernel,
        *against_entry; /* whose bits were others; NULL: nobody's */
    struct lng_score scores[LNG_SCORES];
    double elements_judged;
};

/* lng-bench: one kernel, one entry point, one shape, one core count. */
struct lng_timing {
    size_t row;
    const char *dtype, *entry;
    struct lng_sizes sizes;
    size_t repetitions;
    double median, least, most; /* seconds a call */
    double cores, bytes, elements;
    double roof_fraction; /* NaN where a prediction has none */
    /* By the model of a chip: then there are no repetitions, but cycles, of the call, and
     * of its busiest core in computing and in moving bytes. */
    int predicted;
    double cycles, compute, transfer;
};

struct lng_fault {
    const char *id, *plants, *by;
    int killed;
    double margin;
};

struct lng_count {
    const char *name;
    double problems;
};

struct lng_machine {
    const char *cpu, *os, *compiler, *flags, *isa;
    double processors, memory_bytes;
};

struct lng_result {
    const char *file; /* as the command line named it */
    enum lng_tool tool;
    const char *version, *commit, *date, *suite, *suite_hash, *seed;
    const char *tolerance; /* lng-verify: "class", or the class that all were judged by */
    double shard_i, shard_n;
    int complete;
    struct lng_machine machine;
    struct lng_row *rows;
    size_t rows_count;

    /* lng-verify */
    struct lng_profile *profiles;
    size_t profiles_count;
    const char **ways; /* of calling; at most 64 */
    size_t ways_count;
    struct lng_check *units;
    size_t units_count;
    double totals[LNG_CHECK_VERDICTS]; /* units, and under LNG_CHECK_FAILED also mutants
                                          that live */
    double problems, elements_judged, judge_seconds;
    struct lng_count *families, *factorings;
    size_t families_count, factorings_count;
    struct lng_fault *mutants;
    size_t mutants_count, mutants_killed;

    /* lng-bench */
    const char *pinning;
    struct lng_timing *timings;
    size_t timings_count, predictions_count; /* these are among those */

    void *json; /* the tree that holds the texts */
};

/* Reads and checks one file. 0, or -1: error holds one line that names the file, the key,
 * and what was expected there. Free the result in both cases. */
int lng_result_read(struct lng_result *result, const char *file, char *error,
                    size_t size);
void lng_result_free(struct lng_result *result);

/* What a run says on the whole; a verify run that was cut short failed, whatever it
 * found. Several runs: the first of FAIL, NOTHING RUN, PASS that one of them has. */
enum lng_outcome { LNG_FAIL, LNG_NOTHING_RUN, LNG_PASS, LNG_NOT_JUDGED };
enum lng_outcome lng_result_outcome(const struct lng_result *result);
enum lng_outcome lng_results_outcome(const struct lng_result *results, size_t count);
extern const char *const lng_outcome_name[]; /* "FAIL", … */

#endif
