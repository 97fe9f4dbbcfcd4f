/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TEST_FAMILY_VIEW_H
#define LNG_TEST_FAMILY_VIEW_H
/* A generated problem as doubles, and its gradients in double: what claims are checked
 * with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "verify/families.h"
#include "verify/inputs.h"

/* ---- The view ------------------------------------------------------------------ */

enum { MOST = 130 * 9 };

struct view {
    struct lng_data *data;
    lng_dtype dtype;
    int64_t N, H, P, K, T;
    double epsilon;
    double x[MOST], dy[MOST], mean[MOST], var[MOST], gamma[MOST];
    double max, ulp_of_one; /* of the type */
};
extern struct view v;

/* Every kind of factoring: param_num, param_size, block_num, block_size. */
enum { SHAPES = 17 };
extern const int64_t shapes[SHAPES][4];

void load(const char *family, int shape, lng_dtype dtype, uint64_t seed);
void unload(void);

double r_of(int64_t n);
double d_of(int64_t j);
double g_of(int64_t j);
struct sums {
    double A, B, C;
};
struct sums sums_of(int64_t n);
double dx_of(int64_t j);
double dg_of(int64_t p);
double db_of(int64_t p);

/* How far a value lies beside the middle of two neighbours of the type, in their
 * distance: from -1/2 to 1/2. */
double beside_half(double value);

int differ(const double *values, int64_t count); /* whether not all are the same */

/* ---- What families claim ------------------------------------------------------- */

void claim_normal(void);
void claim_coherent(void);
void claim_large_mean(void);
void claim_alternating_mean(void);
void claim_constant_row(void);
void claim_below_epsilon(void);
void claim_outlier(void);
void claim_wide_exponents(void);
void claim_inconsistent(void);
void claim_near_cancelling(void);
void claim_paired_rows(void);
void claim_c_term(void);
void claim_one_hot(void);
void claim_index_ramp(void);
void claim_counting(void);
void claim_dyadic(void);
void claim_halfway(void);
void claim_halfway_sums(void);
void claim_subnormal(void);
void claim_tiny_variance(void);
void claim_near_overflow(void);
void claim_edge_variance(void);
void claim_special(void);
void claim_special_statistics(void);
void claim_special_gamma(void);

#endif
