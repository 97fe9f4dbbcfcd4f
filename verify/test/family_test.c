/* SPDX-License-Identifier: Apache-2.0 */
/* Every family is what its comment claims, for both types and for every factoring, and
 * stays the same. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "family_view.h"

static const struct {
    const char *family;
    void (*claim)(void);
    uint64_t hash; /* of one problem */
} claims[] = {
    {"normal",             claim_normal,             UINT64_C(0xefff074ad2803e3c)},
    {"coherent",           claim_coherent,           UINT64_C(0xd934cba10661f64a)},
    {"large-mean",         claim_large_mean,         UINT64_C(0xee6b6f4e1156ac74)},
    {"alternating-mean",   claim_alternating_mean,   UINT64_C(0x341392138148a8a1)},
    {"constant-row",       claim_constant_row,       UINT64_C(0x883a1b8b9a5a23cc)},
    {"below-epsilon",      claim_below_epsilon,      UINT64_C(0x67e4a389babc10ad)},
    {"outlier",            claim_outlier,            UINT64_C(0x0f01df967a6259a7)},
    {"wide-exponents",     claim_wide_exponents,     UINT64_C(0x9f6df40ead2fe61b)},
    {"inconsistent",       claim_inconsistent,       UINT64_C(0x6db34874542a826d)},
    {"near-cancelling",    claim_near_cancelling,    UINT64_C(0x0985788904192d2d)},
    {"paired-rows",        claim_paired_rows,        UINT64_C(0x4119c5fa26960b85)},
    {"c-term",             claim_c_term,             UINT64_C(0x12c938021e118121)},
    {"one-hot",            claim_one_hot,            UINT64_C(0xdf63b5273e219d07)},
    {"index-ramp",         claim_index_ramp,         UINT64_C(0x194171acfd55b9f9)},
    {"counting",           claim_counting,           UINT64_C(0x262209ff50a4b99b)},
    {"dyadic",             claim_dyadic,             UINT64_C(0x9300a867aa1d8455)},
    {"halfway",            claim_halfway,            UINT64_C(0xb9227b9aa9fcbcdb)},
    {"halfway-sums",       claim_halfway_sums,       UINT64_C(0x9d3e96b4beca2d72)},
    {"subnormal",          claim_subnormal,          UINT64_C(0x786dd79d698dd34c)},
    {"tiny-variance",      claim_tiny_variance,      UINT64_C(0xbae3ecfba0fc15bc)},
    {"near-overflow",      claim_near_overflow,      UINT64_C(0xd5f40075c6fb82e3)},
    {"edge-variance",      claim_edge_variance,      UINT64_C(0x8353aeaaf72eaa36)},
    {"special",            claim_special,            UINT64_C(0xfad979a7c85571d3)},
    {"special-statistics", claim_special_statistics, UINT64_C(0x492c1f19829bc44d)},
    {"special-gamma",      claim_special_gamma,      UINT64_C(0x5abf375e28a093af)},
};

static void every_family_is_what_it_claims(void **state)
{
    (void)state;
    assert_int_equal(sizeof(claims) / sizeof(claims[0]), lng_families_count);
    for (size_t c = 0; c < lng_families_count; c++) {
        for (int shape = 0; shape < SHAPES; shape++) {
            for (uint64_t seed = 0; seed < 8; seed++) {
                load(claims[c].family, shape, LNG_F32, seed);
                claims[c].claim();
                load(claims[c].family, shape, LNG_F16, seed);
                claims[c].claim();
            }
        }
    }
}

/* ---- All families -------------------------------------------------------------- */

static int is(const char *family, const char *word)
{
    return strncmp(family, word, strlen(word)) == 0;
}

/* Nothing hides behind values that are all the same, and only special values are not
 * finite. */
static void families_are_finite_and_vary(void **state)
{
    (void)state;
    for (size_t f = 0; f < lng_families_count; f++) {
        const char *name = lng_families[f].name;
        for (int shape = 0; shape < SHAPES; shape++) {
            for (int dtype = 0; dtype < 2; dtype++) {
                load(name, shape, dtype ? LNG_F16 : LNG_F32, 5);
                double *const tensors[] = {v.x, v.dy, v.mean, v.var, v.gamma};
                for (int i = 0; i < LNG_INPUTS && !is(name, "special"); i++) {
                    const int64_t length = lng_input_at(&v.data->problem, i).length;
                    for (int64_t j = 0; j < length; j++) {
                        assert_true(isfinite(tensors[i][j]) ||
                                    (i == 3 && is(name, "edge-variance")));
                    }
                }
                for (int64_t n = 0; n < v.N; n++) {
                    assert_true(v.var[n] + v.epsilon > 0 ||
                                is(name, "special-statistics"));
                }
                assert_true(v.P < 8 || differ(v.gamma, v.P));
                assert_true(v.T < 24 || differ(v.x, v.T));
                assert_true(v.T < 24 || differ(v.dy, v.T) != is(name, "counting"));
            }
        }
    }
}

static int same_inputs(struct lng_data *a, struct lng_data *b)
{
    int same = 1;
    for (int i = 0; i < LNG_INPUTS; i++) {
        const struct lng_input of_a = lng_input_at(&a->problem, i);
        same =
            same && memcmp(*of_a.tensor, *lng_input_at(&b->problem, i).tensor,
                           (size_t)of_a.length * lng_dtype_size(a->problem.dtype)) == 0;
    }
    return same;
}

static void a_spec_is_one_problem(void **state)
{
    (void)state;
    static const uint64_t others[] = {0, 2, UINT64_C(1) << 32 | 1, UINT64_C(1) << 63 | 1};
    for (size_t f = 0; f < lng_families_count; f++) {
        struct lng_spec spec = {LNG_F16, 33, 24, 24, 33, 1e-5, &lng_families[f], 1};
        struct lng_data *first = lng_data_generate(&spec),
                        *again = lng_data_generate(&spec);
        assert_true(same_inputs(first, again));
        lng_data_free(again);
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
            spec.seed = others[i];
            struct lng_data *other = lng_data_generate(&spec);
            assert_false(same_inputs(first, other));
            lng_data_free(other);
        }
        lng_data_free(first);
    }
}

/* The same bits from every compiler, and next year. Where a hash changes, old seeds
 * rebuild something else: then it was meant, and the new hash belongs into the table. */
static void seeds_keep_their_meaning(void **state)
{
    (void)state;
    int changed = 0;
    for (size_t c = 0; c < lng_families_count; c++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a-64 */
        load(claims[c].family, 5, LNG_F16, 0x5eed);
        for (int i = 0; i < LNG_INPUTS; i++) {
            const struct lng_input input = lng_input_at(&v.data->problem, i);
            for (int64_t j = 0; j < input.length; j++) {
                uint16_t bits;
                memcpy(&bits, (const char *)*input.tensor + 2 * j, 2);
                hash = (hash ^ (bits & 255)) * UINT64_C(0x100000001b3);
                hash = (hash ^ (bits >> 8)) * UINT64_C(0x100000001b3);
            }
        }
        if (hash != claims[c].hash) {
            print_error("%s is now 0x%016" PRIx64 "\n", claims[c].family, hash);
            changed++;
        }
    }
    assert_int_equal(changed, 0);
}

static void one_hot_is_of_both_kinds(void **state)
{
    (void)state;
    int rows = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        load("one-hot", 5, LNG_F32, seed);
        int64_t used = 0;
        for (int64_t j = 0; j < v.T; j++) {
            used += v.dy[j] != 0;
        }
        rows += used == v.H;
    }
    assert_in_range(rows, 4, 28);
}

static int release(void **state)
{
    (void)state;
    unload();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_what_it_claims),
        cmocka_unit_test(families_are_finite_and_vary),
        cmocka_unit_test(a_spec_is_one_problem),
        cmocka_unit_test(seeds_keep_their_meaning),
        cmocka_unit_test(one_hot_is_of_both_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
