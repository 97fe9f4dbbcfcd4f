/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of families.c: what the data are like. */
#include <math.h>

#include "family_view.h"

void claim_normal(void)
{
    for (int64_t n = 0; n < v.N; n++) {
        double sum = 0, squares = 0;
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            sum += v.x[j];
        }
        const double mean = sum / (double)v.H;
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            squares += (v.x[j] - mean) * (v.x[j] - mean);
        }
        assert_true(v.mean[n] == lng_rounded(v.dtype, mean));
        assert_true(v.var[n] == lng_rounded(v.dtype, squares / (double)v.H));
    }
}

void claim_coherent(void)
{
    for (int64_t j = 0; j < v.T; j++) {
        assert_true(v.dy[j] > 0 && d_of(j) > 0 && g_of(j) > 0);
    }
    for (int64_t p = 0; p < v.P; p++) {
        assert_true(v.gamma[p] > 0);
    }
}

void claim_large_mean(void)
{
    claim_normal();
    for (int64_t n = 0; n < v.N && v.H >= 8; n++) {
        assert_true(fabs(v.mean[n]) >= (v.dtype == LNG_F16 ? 40 : 1400) * sqrt(v.var[n]));
    }
}

void claim_alternating_mean(void)
{
    claim_normal();
    for (int64_t n = 0; n < v.N; n++) {
        assert_true(n % 2 ? v.mean[n] > 900 : fabs(v.mean[n]) < 80);
        assert_true(v.var[n] <= 16 * exp2(2 * (double)(n % 5)));
    }
}

void claim_constant_row(void)
{
    for (int64_t j = 0; j < v.T; j++) {
        assert_true(d_of(j) == 0);
    }
    for (int64_t n = 0; n < v.N; n++) {
        assert_true(n % 3 == 0   ? v.var[n] == 0
                    : n % 3 == 1 ? v.var[n] < 0
                                 : v.var[n] > 0);
    }
}

void claim_below_epsilon(void)
{
    claim_normal();
    for (int64_t n = 0; n < v.N; n++) {
        assert_true(v.var[n] < v.epsilon / 16);
    }
}

void claim_outlier(void)
{
    claim_normal();
    for (int64_t n = 0; n < v.N; n++) {
        int far = 0;
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            far += fabs(v.x[j]) >= 200;
        }
        assert_int_equal(far, 1);
    }
}

void claim_wide_exponents(void)
{
    double least = INFINITY, most = 0;
    for (int64_t j = 0; j < v.T; j++) {
        least = fmin(least, fabs(v.x[j]));
        most = fmax(most, fabs(v.x[j]));
    }
    assert_true(v.T < 60 || most / least > exp2(v.dtype == LNG_F16 ? 13 : 45));
}

void claim_inconsistent(void)
{
    int64_t off = 0;
    for (int64_t n = 0; n < v.N; n++) {
        off += fabs(sums_of(n).C) > 0.2 * (double)v.H;
    }
    assert_true(2 * off >= v.N);
}

void claim_near_cancelling(void)
{
    for (int64_t n = 0; n < v.N; n++) {
        double S = 0; /* at least |A|/H + |B|*r/H */
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            S += fabs(g_of(j)) * (1 + fabs(d_of(j)) * r_of(n)) / (double)v.H;
        }
        for (int64_t j = n * v.H; j < n * v.H + v.H && v.var[n] > 0.05; j++) {
            assert_true(fabs(dx_of(j)) <= 8 * v.ulp_of_one * r_of(n) * S);
        }
    }
    for (int64_t p = 0; p < v.P && v.K >= 24 && v.P == v.H; p++) {
        double S = 0;
        for (int64_t j = p; j < v.T; j += v.P) {
            S += fabs(v.dy[j]);
        }
        assert_true(fabs(db_of(p)) < S / 2);
    }
}

void claim_paired_rows(void)
{
    const int64_t half_of_K = v.K / 2;
    for (int64_t j = 0; j < v.T; j++) {
        const int64_t k = j / v.P, second = j + half_of_K * v.P;
        assert_true(fabs(v.mean[j / v.H]) >=
                    (v.dtype == LNG_F16 ? 0x1p7 : 0x1p20) * fabs(d_of(j)));
        assert_true(v.var[j / v.H] == v.var[0]);
        if (k < half_of_K) {
            assert_true(d_of(second) == d_of(j) && v.dy[second] == -v.dy[j]);
        }
        assert_true(k < 2 * half_of_K || v.K == 1 || v.dy[j] == 0);
    }
    assert_true(v.N < 2 || differ(v.mean, v.N));
}

void claim_c_term(void)
{
    for (int64_t n = 0; n < v.N && v.H > 1; n++) {
        const struct sums s = sums_of(n);
        const double H = (double)v.H, r = r_of(n);
        assert_true(fabs(s.C) / H * r > 40);
        /* where g itself does not nearly cancel */
        assert_true(fabs(s.A) < 0.3 * H || fabs(r * r * s.B * s.C / H) > 100 * fabs(s.A));
    }
}

void claim_one_hot(void)
{
    int64_t row = -1, parameter = -1;
    int one_row = 1, one_parameter = 1;
    for (int64_t j = 0; j < v.T; j++) {
        if (v.dy[j] != 0) {
            one_row = one_row && (row < 0 || row == j / v.H);
            one_parameter = one_parameter && (parameter < 0 || parameter == j % v.P);
            row = j / v.H;
            parameter = j % v.P;
        }
    }
    assert_true(v.T == 0 || row >= 0);
    assert_true(one_row || one_parameter);
}
