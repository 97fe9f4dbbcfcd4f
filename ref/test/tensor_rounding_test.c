/* SPDX-License-Identifier: Apache-2.0 */
/* One rounding from double to the type of a tensor: every half, and every midpoint of two
 * of them with its neighbours among the doubles; singles likewise by sample. */
#include "small.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint16_t half_of(double value)
{
    uint16_t bits;
    lng_tensor_set(LNG_F16, &bits, 0, value);
    return bits;
}

static double value_of(uint16_t bits)
{
    return lng_tensor_get(LNG_F16, &bits, 0);
}

static void halves_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint16_t bits;
        double value;
    } known[] = {
        {0x0000, 0           },
        {0x0001, 0x1p-24     },
        {0x03ff, 0x1.ff8p-15 },
        {0x0400, 0x1p-14     },
        {0x3555, 0x1.554p-2  },
        {0x3c00, 1           },
        {0x3c01, 1.0009765625},
        {0x7bff, 65504       },
        {0x7c00, INFINITY    },
        {0xc000, -2          },
        {0xfbff, -65504      },
        {0xfc00, -INFINITY   },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(value_of(known[i].bits) == known[i].value);
        assert_int_equal(half_of(known[i].value), known[i].bits);
    }
    assert_int_equal(half_of(-0.0), 0x8000);
    assert_int_equal(half_of(0x1p-1074), 0);
    assert_true(isnan(value_of(half_of(NAN))));
    assert_int_equal(half_of(1e300), 0x7c00);
    /* through single this would become the tie 1 + 2^-11, and go down */
    assert_int_equal(half_of(1 + 0x1p-11 + 0x1p-40), 0x3c01);
}

static void every_half(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        double value = value_of((uint16_t)bits);
        assert_true(isnan(value) == ((bits & 0x7fff) > 0x7c00));
        assert_true(isnan(value) || half_of(value) == bits);
    }
}

static void every_midpoint(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 0x7c00; k++) {
        double next = k == 0x7bff ? 65536 : value_of((uint16_t)(k + 1));
        double middle = (value_of((uint16_t)k) + next) / 2;
        for (unsigned sign = 0; sign <= 0x8000; sign += 0x8000) {
            double s = sign ? -1 : 1;
            assert_int_equal(half_of(s * nextafter(middle, 0)), k | sign);
            assert_int_equal(half_of(s * middle), (k + k % 2) | sign);
            assert_int_equal(half_of(s * nextafter(middle, INFINITY)), (k + 1) | sign);
        }
    }
}

static uint32_t single_of(double value)
{
    uint32_t bits;
    lng_tensor_set(LNG_F32, &bits, 0, value);
    return bits;
}

static void singles(void **state)
{
    (void)state;
    /* both ends of the subnormals, of a binade and of the range, and a sample */
    for (uint32_t k = 0; k < 0x7f800000;
         k += k % 0x800000 < 4 || k % 0x800000 > 0x7ffffb ? 1 : 0x1fff) {
        uint32_t after = k + 1;
        double value = lng_tensor_get(LNG_F32, &k, 0);
        double next = k == 0x7f7fffff ? 0x1p128 : lng_tensor_get(LNG_F32, &after, 0);
        double middle = (value + next) / 2;
        assert_int_equal(single_of(value), k);
        assert_int_equal(single_of(nextafter(middle, 0)), k);
        assert_int_equal(single_of(middle), k + k % 2);
        assert_int_equal(single_of(-middle), (k + k % 2) | 0x80000000);
        assert_int_equal(single_of(nextafter(middle, INFINITY)), after);
    }
    assert_true(isnan(lng_tensor_get(LNG_F32, &(uint32_t){0x7fc00000}, 0)));
    assert_int_equal(single_of(INFINITY), 0x7f800000);
}

static void layout(void **state)
{
    (void)state;
    lng_problem problem = {
        .param_num = 6, .param_size = 2, .block_num = 3, .block_size = 4};
    assert_int_equal(lng_dtype_size(LNG_F16), 2);
    assert_int_equal(lng_dtype_size(LNG_F32), 4);
    assert_int_equal(lng_output_length(&problem, LNG_DX), 12);
    assert_int_equal(lng_output_length(&problem, LNG_DG), 6);
    assert_int_equal(lng_output_length(&problem, LNG_DB), 6);
    assert_string_equal(lng_output_name[LNG_DX], "dx");
    assert_string_equal(lng_output_name[LNG_DG], "dg");
    assert_string_equal(lng_output_name[LNG_DB], "db");
    uint16_t two[2] = {0, 0};
    lng_tensor_set(LNG_F16, two, 1, 1);
    assert_int_equal(two[0], 0);
    assert_int_equal(two[1], 0x3c00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_by_hand), cmocka_unit_test(every_half),
        cmocka_unit_test(every_midpoint), cmocka_unit_test(singles),
        cmocka_unit_test(layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
