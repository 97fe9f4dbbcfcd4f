/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The general call from C++: the same gradient by every kernel of the library that can
 * run here, on every core of its target.
 */
#include <layernormgrad.h>

#include <cstdio>
#include <vector>

int main()
{
    const int rows = 3, H = 5;
    std::vector<float> x(rows * H), dy(rows * H), mean(rows, 7), var(rows, 10),
        dx(rows * H), dg(H), db(H);
    for (int j = 0; j < rows * H; j++) {
        x[j] = static_cast<float>(j);
        dy[j] = static_cast<float>(j % 4);
    }

    lng_problem p = {};
    p.dtype = LNG_F32;
    p.param_num = p.block_size = H;
    p.param_size = p.block_num = rows;
    p.epsilon = 1e-5;
    p.x = x.data();
    p.dy = dy.data();
    p.mean = mean.data();
    p.var = var.data();
    p.dx = dx.data();
    p.dg = dg.data();
    p.db = db.data();

    lng_kernel_info kernel;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &kernel) == LNG_OK;
         i++) {
        if (kernel.dtype != p.dtype || !kernel.available)
            continue;
        p.kernel = kernel.id;
        p.core_mask = (UINT32_C(1) << kernel.cores) - 1;
        if (lng_layernormgrad(&p) != LNG_OK) {
            std::fprintf(stderr, "%s\n", lng_status_text());
            return 1;
        }
        std::printf("%-12s dx[0] %a  dg[0] %a  db[0] %a\n", kernel.id, double(dx[0]),
                    double(dg[0]), double(db[0]));
    }
    return 0;
}
