/* SPDX-License-Identifier: Apache-2.0 */
/* For the examples on a DSP: a problem in memory of the device, whose results can be told
 * by hand. */
#include <layernormgrad.h>
#include <stdio.h>

enum { PARAM_NUM = 256, PARAM_SIZE = 64 };

struct device_data {
    float *x, *dy, *dx;     /* PARAM_SIZE rows of PARAM_NUM */
    float *var, *mean;      /* PARAM_SIZE */
    float *gamma, *dg, *db; /* PARAM_NUM */
};

static void device_free(struct device_data *d)
{
    float *const all[] = {d->x, d->dy, d->dx, d->var, d->mean, d->gamma, d->dg, d->db};
    for (int i = 0; i < 8; i++)
        lng_device_free(all[i]);
}

/* x is -1, 1, -1, ... in every row, dy is 1 in its first half and 0 in the second. -1:
 * the library has no such memory, or too little. */
static int device_fill(struct device_data *d, enum lng_memory level)
{
    float **const all[] = {&d->x,    &d->dy,    &d->dx, &d->var,
                           &d->mean, &d->gamma, &d->dg, &d->db};
    for (int i = 0; i < 8; i++) {
        const size_t values = i < 3   ? PARAM_NUM * PARAM_SIZE
                              : i < 5 ? PARAM_SIZE
                                      : PARAM_NUM;
        *all[i] = lng_device_alloc(level, 0, values * sizeof(float));
        if (!*all[i])
            return -1;
    }
    for (int j = 0; j < PARAM_NUM * PARAM_SIZE; j++) {
        d->x[j] = j % 2 ? 1 : -1;
        d->dy[j] = j % PARAM_NUM < PARAM_NUM / 2;
    }
    for (int n = 0; n < PARAM_SIZE; n++) {
        d->mean[n] = 0;
        d->var[n] = 1;
    }
    for (int p = 0; p < PARAM_NUM; p++)
        d->gamma[p] = 1;
    return 0;
}

/* A = 128 and B = C = 0: dx is 1/2 in the first half and -1/2 in the second; dg is -64,
 * 64, ... and db 64 in the first, both 0 in the second. Returns the status of main. */
static int device_print(const struct device_data *d)
{
    if (lng_last_status() != LNG_OK) {
        fprintf(stderr, "%s\n", lng_status_text());
        return 1;
    }
    const int last = PARAM_NUM - 1;
    printf("dx %g ... %g  dg %g %g ... %g  db %g ... %g\n", (double)d->dx[0],
           (double)d->dx[last], (double)d->dg[0], (double)d->dg[1], (double)d->dg[last],
           (double)d->db[0], (double)d->db[last]);
    return 0;
}
