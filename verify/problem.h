/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_PROBLEM_H
#define LNG_VERIFY_PROBLEM_H
/*
 * A problem: inputs and the text that rebuilds them. It comes from a family of inputs and
 * a seed, from a case file or from a bundle, and is the same value ever after.
 */
#include <stddef.h>
#include <stdint.h>

#include "layernormgrad.h"
#include "ref/oracle.h"

struct lng_family;

/* What a generated problem is rebuilt from. */
struct lng_spec {
    lng_dtype dtype;
    int64_t param_num, param_size, block_num, block_size;
    double epsilon;
    const struct lng_family *family;
    uint64_t seed;
};

/* What a case file says an output has to be: one word an element ("inf", "-inf", "nan",
 * "nonfinite", or a number of at least 30 digits), NULL where it says nothing; and
 * whether its rounding is asked for bit for bit. */
struct lng_expected {
    char **words;
    int exact;
};

struct lng_data {
    lng_problem problem; /* dtype, sizes, epsilon, inputs (never NULL, gamma neither, also
                            where they have no elements); outputs NULL, mask 1 */
    const struct lng_family *family; /* NULL: from a file */
    char *name;                      /* of the case or bundle; NULL: generated */
    char *options; /* of lng-verify, that rebuild it: "--shape 4x33 --dtype ...", "--case
                      PATH", quoted where a shell needs it */
    char *warning; /* one line for the caller to print: values of a case file that had to
                      be rounded, or a file whose last line does not end; NULL: none */
    struct lng_expected expected[LNG_OUTPUTS];
    void *results[LNG_OUTPUTS]; /* a bundle's dx.npy, dg.npy, db.npy in dtype, or NULL */
};

/* The options of lng-verify that rebuild the problem of a spec, to be freed; NULL without
 * memory. */
char *lng_spec_options(const struct lng_spec *spec);

/* Builds a problem from its spec; NULL without memory. The same spec gives the same bits.
 * The sizes are those of layernormgrad.h, no rows among them. Turns GSL's error handler
 * off. */
struct lng_data *lng_data_generate(const struct lng_spec *spec);

/* Reads a case file or a bundle. NULL: error holds one line that names the file, the line
 * or key, and what was expected; the same for a file that is missing or cut. */
struct lng_data *lng_data_read(const char *path, char *error, size_t size);

/* Calls found(path, user) for every case file and bundle at or below path. A file is a
 * case whatever its name; a folder with a problem.txt is a bundle; another folder is
 * searched, deeper folders too, sorted by name, for *.case and bundles. Stops at a
 * non-zero answer and returns it. -1, and the reason in error: nothing there, or not
 * readable. */
int lng_data_find(const char *path, int (*found)(const char *path, void *user),
                  void *user, char *error, size_t size);

void lng_data_free(struct lng_data *data);

/* ---- Families of inputs -------------------------------------------------------- */
/* A family fills x, dy, mean, var and gamma of a problem whose sizes, dtype and epsilon
 * are set, as doubles that are rounded to the dtype afterwards; where the rounded x
 * matters to mean and var it rounds itself. All of its randomness comes from rng. epsilon
 * is what its problems have unless the spec says otherwise (some show their fault only at
 * 0); adding a family is one function and one row of families.def. */
struct lng_fill {
    const lng_problem *problem;
    double *x, *dy, *mean, *var, *gamma; /* copies in double, rounded afterwards */
};
struct lng_family {
    const char *name;
    double epsilon;
    void (*fill)(struct lng_fill *fill, void *rng /* a gsl_rng */);
};
extern const struct lng_family lng_families[];
extern const size_t lng_families_count;
const struct lng_family *lng_family_find(const char *name); /* NULL: no such family */

/* The kind of a factoring: "usual", "longer", "shorter" or "mixed" (FORMAT.md). */
const char *lng_factoring(const lng_problem *problem);

#endif
