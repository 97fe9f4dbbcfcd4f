/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing but the tensors and the workspace is touched, and all of the outputs is
 * written: every small shape, with each buffer against a forbidden page behind it, then
 * before it.
 */
#include "fixture.h"

#include <string.h>

enum { MOST = 18 };

static void check_shape(const struct lng_kernel *kernel, const int64_t sizes[4],
                        enum lng_edge edge)
{
    struct lng_fixture f = lng_setup(kernel->dtype, sizes, edge);
    f.p.kernel = kernel->id;
    const size_t size = lng_workspace_size(&f.p);
    f.p.workspace = lng_map(size, 64);
    f.p.workspace_size = size;
    lng_assert(lng_layernormgrad(&f.p) == LNG_OK, "%s", lng_status_text());
    for (int t = DX; t < TENSORS; t++)
        lng_assert(lng_untouched(&f, t) == 0,
                   "%s, %lld x %lld, %lld parameters: output %d was not written",
                   kernel->id, (long long)sizes[2], (long long)sizes[3],
                   (long long)sizes[0], t - DX);
    lng_unmap(f.p.workspace, size);
    lng_teardown(&f);
}

static void check_kernel(const struct lng_kernel *kernel)
{
    for (int64_t N = 1; N <= MOST; N++)
        for (int64_t H = 1; H <= MOST; H++) {
            const int64_t params[] = {H, N * H, N, 1, H % 2 ? H : H / 2};
            for (size_t i = 0; i < sizeof params / sizeof *params; i++)
                for (int edge = AT_END; edge <= AT_START; edge++) {
                    const int64_t sizes[4] = {params[i], N * H / params[i], N, H};
                    check_shape(kernel, sizes, (enum lng_edge)edge);
                }
        }
}

static void small_shapes(void **state)
{
    (void)state;
    lng_for_all_kernels(check_kernel);
}

/* Many strips and blocks, the last of each shorter, by three workers. */
static void check_large(const struct lng_kernel *kernel)
{
    static const int64_t large[][4] = {
        {10001, 11,   11,   10001},
        {13,    3001, 3001, 13   },
        {17507, 20,   140,  2501 },
        {7,     5000, 3500, 10   }
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        check_shape(kernel, large[i], AT_END);
}

static void large_shapes(void **state)
{
    (void)state;
    lng_for_all_kernels(check_large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_shapes),
        cmocka_unit_test(large_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
