/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call of the DSPs' operator list on two rows of four:
 *
 *     cc documented_call.c $(pkg-config --cflags --libs layernormgrad)
 *
 * or layernormgrad_ft78ne, or layernormgrad_mt7004.
 */
#include <layernormgrad.h>
#include <stdio.h>

static void print(const char *name, const float *values, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %g", (double)values[i]);
    printf("\n");
}

int main(void)
{
    enum { ROWS = 2, H = 4, FOUR_CORES = 0xf };
    float x[ROWS * H] = {-1, 1, -1, 1, 3, 7, 3, 7};
    float dy[ROWS * H] = {1, 1, 1, 1, 8, 4, 2, 1};
    float mean[ROWS] = {0, 5}, var[ROWS] = {1, 4}, gamma[H] = {1, 2, 4, 8};
    float dx[ROWS * H], dg[H], db[H];

    lng_set_epsilon(0); /* so that the statistics are exact here; 1e-12 otherwise */
    fp_layernormgrad_s(x, dy, var, mean, gamma, H, ROWS, ROWS, H, dx, dg, db, FOUR_CORES);
    if (lng_last_status() != LNG_OK) {
        fprintf(stderr, "%s\n", lng_status_text());
        return 1;
    }
    print("dx", dx, ROWS * H);
    print("dg", dg, H);
    print("db", db, H);
    return 0;
}
