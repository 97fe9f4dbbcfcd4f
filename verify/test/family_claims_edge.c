/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of families_exact.c and families_edge.c. Where ties and exact results are
 * claimed, no operation here is rounded. */
#include <float.h>
#include <math.h>

#include "family_view.h"

/* ---- Exact results ------------------------------------------------------------- */

void claim_index_ramp(void)
{
    claim_normal();
    for (int64_t j = 0; j < v.T; j++) {
        for (int64_t k = j + 1; k < v.T; k++) {
            assert_true(v.x[j] != v.x[k]);
            assert_true(v.dy[j] != v.dy[k] || k - j == 1021);
        }
    }
}

void claim_counting(void)
{
    for (int64_t j = 0; j < v.T; j++) {
        assert_true(v.dy[j] == 1 && fabs(d_of(j) * r_of(j / v.H)) == 1);
    }
    for (int64_t p = 0; p < v.P; p++) {
        assert_true(db_of(p) == (double)v.K);
    }
}

/* All intermediates are so small and dyadic that single precision gives the same as
 * double. */
void claim_dyadic(void)
{
    double most = 0;
    for (int64_t n = 0; n < v.N; n++) {
        const float H = (float)v.H, r = 1 / sqrtf((float)v.var[n]);
        float A = 0, B = 0, C = 0;
        for (int64_t j = n * v.H + v.H - 1; j >= n * v.H; j--) {
            A += (float)g_of(j);
            B += (float)g_of(j) * (float)d_of(j);
            C += (float)d_of(j);
        }
        assert_true(C == 0);
        assert_true(v.H == 1 || (A != 0 && B != 0));
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            const float b = r * r * B / H;
            const float dx = r * ((float)g_of(j) - A / H - (float)d_of(j) * b);
            assert_true((double)dx == dx_of(j));
            assert_true(lng_rounded(v.dtype, (double)dx) == (double)dx);
            most = fmax(most, fabs((double)dx));
        }
    }
    assert_true(most > 0 || v.H < 3 || v.T < 60);
}

static int64_t ties_up, ties_down, beside;

static void count_tie(double value)
{
    const double off = beside_half(value), to = lng_rounded(v.dtype, value);
    assert_true(fabs(off) < 0x1p-6);
    beside += off != 0;
    ties_up += off == 0 && fabs(to) > fabs(value);
    ties_down += off == 0 && fabs(to) < fabs(value);
}

void claim_halfway(void)
{
    ties_up = ties_down = beside = 0;
    int64_t pairs = 0;
    for (int64_t n = 0; n < v.N; n++) {
        const int off = n % 2 == 1 && v.H > 2;
        const struct sums s = sums_of(n);
        assert_true(off ? s.A != 0 || s.B != 0 || v.H % 2 == 0 : s.A == 0 && s.B == 0);
        for (int64_t i = 0; i < (off ? v.H - 1 : v.H) / 2 * 2; i++) {
            count_tie(dx_of(n * v.H + i));
            pairs += !off;
            assert_true(off || beside_half(dx_of(n * v.H + i)) == 0);
        }
    }
    assert_int_equal(ties_up + ties_down >= pairs, 1);
    assert_true(pairs < 40 || (ties_up > 0 && ties_down > 0 && beside > 0));
}

void claim_halfway_sums(void)
{
    ties_up = ties_down = beside = 0;
    for (int64_t p = 0; p < v.P && v.K >= 2; p++) {
        count_tie(db_of(p));
        count_tie(dg_of(p));
        const int exact = v.K == 2 || v.dy[2 * v.P + p] == 0;
        assert_true((beside_half(db_of(p)) == 0) == exact);
        assert_true((beside_half(dg_of(p)) == 0) == exact);
    }
    assert_true(v.P < 16 || v.K < 3 || (ties_up > 0 && ties_down > 0 && beside > 0));
}

/* ---- The ends of the range ----------------------------------------------------- */

void claim_subnormal(void)
{
    const double normal = v.dtype == LNG_F16 ? 0x1p-14 : 0x1p-126;
    for (int64_t j = 0; j < v.T; j++) {
        assert_true(v.dy[j] != 0 && fabs(v.dy[j]) < normal);
    }
    for (int64_t p = 0; p < v.P && v.K < 4; p++) {
        assert_true(fabs(db_of(p)) < normal);
    }
}

void claim_tiny_variance(void)
{
    for (int64_t n = 0; n < v.N; n++) {
        assert_true(v.var[n] > 0 && v.var[n] < (v.dtype == LNG_F16 ? 0x1p-14 : 0x1p-126));
    }
    assert_true(v.epsilon == 0);
}

void claim_near_overflow(void)
{
    int64_t d = 0, g = 0, over = 0, back = 0, partial = 0;
    for (int64_t j = 0; j < v.T; j++) {
        const double dx = dx_of(j);
        d += fabs(d_of(j)) > v.max;
        g += fabs(g_of(j)) > v.max;
        over += fabs(dx) > v.max;
        back += fabs(g_of(j)) > v.max && fabs(dx) < v.max;
        assert_true(j / v.H % 3 == 1 || fabs(dx) < v.max);
    }
    for (int64_t p = 0; p < v.P; p++) {
        double sum = 0;
        int beyond = 0;
        for (int64_t j = p; j < v.T; j += v.P) {
            sum += v.dy[j];
            beyond = beyond || fabs(sum) > v.max;
        }
        partial += beyond && fabs(sum) < v.max;
    }
    assert_true(v.N == 0 || d > 0);
    assert_true(v.N < 3 || v.P < 16 || (g > 0 && back > 0));
    assert_true(v.T < 250 || over > 0);
    assert_true(v.K < 12 || v.T < 60 || partial > 0);
}

void claim_edge_variance(void)
{
    for (int64_t n = 0; n < v.N; n++) {
        switch (n % 6) {
        case 0:
            assert_true(v.var[n] == (double)INFINITY);
            break;
        case 3:
            assert_true(v.var[n] < 0 && v.var[n] + v.epsilon > 0 &&
                        v.var[n] + v.epsilon < v.epsilon / 16);
            break;
        case 4:
            assert_true(v.var[n] == (v.dtype == LNG_F16 ? 0x1p-24 : 0x1p-149));
            break;
        case 5:
            assert_true(v.var[n] == (v.dtype == LNG_F16 ? 65504 : (double)FLT_MAX));
            break;
        default:
            assert_true(n % 6 == 2 || v.var[n] == 0);
        }
    }
}

void claim_special(void)
{
    int64_t special = 0;
    for (int64_t n = 0; n < v.N; n++) {
        int64_t here = 0, zero = 0;
        for (int64_t j = n * v.H; j < n * v.H + v.H; j++) {
            const int odd = !isfinite(v.x[j]) || !isfinite(v.dy[j]);
            assert_true(!odd || j % v.P < (v.P + 1) / 2);
            here += odd;
            zero += v.dy[j] == 0;
        }
        assert_true(n % 3 == 0 ? here <= 1 : here == 0);
        assert_true(zero == (n % 21 == 18 ? v.H : 0));
        assert_true(isfinite(v.mean[n]) && isfinite(v.var[n]));
        special += here;
    }
    assert_true(special > 0 || v.N == 0 || v.P > v.H);
}

void claim_special_statistics(void)
{
    int64_t nan = 0, infinite = 0, zero = 0;
    for (int64_t n = 0; n < v.N; n++) {
        const double s = v.var[n] + v.epsilon;
        assert_true((n % 3 == 0) == (!(s > 0) || !isfinite(v.mean[n])));
        nan += isnan(s) || isnan(v.mean[n]);
        infinite += isinf(s) || isinf(v.mean[n]);
        zero += s == 0;
    }
    assert_true(v.N < 24 || (nan > 0 && infinite > 0 && zero > 0));
}

void claim_special_gamma(void)
{
    int64_t special = 0, zero = 0;
    for (int64_t p = 0; p < v.P; p++) {
        special += !isfinite(v.gamma[p]);
        zero += v.gamma[p] == 0;
    }
    assert_int_equal(special, 1);
    assert_true(v.P < 6 || zero > 0);
}
