/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_JUDGE_H
#define LNG_VERIFY_JUDGE_H
/*
 * The judge of one problem: the oracle's answer, found once, and what every kernel and
 * entry point makes of it.
 */
#include "verify/call.h"

enum lng_verdict { LNG_UNRUN, LNG_PASSED, LNG_FAILED, LNG_SKIPPED };
extern const char *const lng_verdict_name[];

/* Over the elements of one output; err/bound and ulp are infinite where a NaN, an
 * infinity or its absence is wrong. */
struct lng_worst {
    double bound; /* (k + c*L)*u: the bound is this times S, and half an ulp */
    double ratio; /* worst err/bound, */
    double ulps;  /* worst error in ulp, */
    int64_t
        at; /* and where the ratio is worst: flat index; -1: the output was not judged */
};

/* One kernel, one entry point, one problem. Fixed in size: it lives in shared memory. */
struct lng_unit {
    int problem, kernel; /* indices in the run's lists */
    enum lng_entry entry;
    enum lng_verdict verdict;
    struct lng_worst worst[LNG_OUTPUTS];
    int64_t elements; /* that were given a verdict */
    double seconds;   /* that this took: the oracle and the comparisons, not the kernel */
    uint64_t bits;    /* hash of dx, dg and db of the plain call: FORMAT.md */
    uint32_t ways;    /* bit w: called in way w it gave these bits; 0: no outputs */
    int against; /* the unit of the same problem, counted from its first, whose bits were
                    others, which is the failure; -1: none */
    char note[400]; /* of a failure: its line after the kernel's id; else why, or BLIND */
};

struct lng_judge {
    const struct lng_data *data;
    struct lng_truth *truth[LNG_OUTPUTS];
    int tolerance;            /* enum lng_class to judge by; -1: the kernel's own */
    char blind[160];          /* what the problem cannot show; empty: nothing is known */
    double oracle_seconds;    /* not yet charged to a unit */
    char *first[LNG_OUTPUTS]; /* outputs of the plain call of the last unit judged */
};

/* Asks the oracle; tolerance is -1. -1, and error: without memory, or where a case file
 * contradicts it. */
int lng_judge_open(struct lng_judge *judge, const struct lng_data *data, char *error,
                   size_t size);
void lng_judge_close(struct lng_judge *judge);

/* Judges the plain call element by element and the other ways by its bits: all of them,
 * or, where the problem is large and thorough is 0, a few that follow from the problem's
 * text. Fills all of the unit but problem, kernel and entry. */
void lng_judge_unit(struct lng_judge *judge, struct lng_caller *caller,
                    const struct lng_kernel *kernel, uint32_t mask, int thorough,
                    struct lng_unit *unit);

/* Holds the last of count units of the problem, which was just judged, against those
 * before it: it fails where its bits are not those of the first that has the target of
 * its kernel and did not fail itself. */
void lng_judge_bits(struct lng_judge *judge, struct lng_caller *caller,
                    const struct lng_kernel *const *kernels, uint32_t mask,
                    struct lng_unit *units, int count);

#endif
