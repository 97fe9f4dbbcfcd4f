/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/arguments.h"

enum { OUTPUTS = 3 };

struct output {
    const char *name;
    void *tensor;
    int64_t elements;
};

static void outputs_of(const lng_problem *p, struct output *outputs)
{
    outputs[0] = (struct output){"dx", p->dx, p->block_num * p->block_size};
    outputs[1] = (struct output){"dg", p->dg, p->param_num};
    outputs[2] = (struct output){"db", p->db, p->param_num};
}

/* All ones: a NaN in every element. */
static void spoil(const lng_problem *p, const struct output *outputs)
{
    for (int k = 0; k < OUTPUTS; k++)
        memset(outputs[k].tensor, 0xff,
               (size_t)outputs[k].elements * lng_element_size(p->dtype));
}

/* A NaN or an infinity has all ones in its exponent. */
static int finite_element(lng_dtype dtype, const void *tensor, int64_t i)
{
    if (dtype == LNG_F16)
        return (((const uint16_t *)tensor)[i] & 0x7c00) != 0x7c00;
    return (((const uint32_t *)tensor)[i] & 0x7f800000) != 0x7f800000;
}

void lng_bench_check(const lng_problem *p, const char *name)
{
    struct output outputs[OUTPUTS];
    outputs_of(p, outputs);
    spoil(p, outputs);
    if (lng_layernormgrad(p) != LNG_OK)
        lng_bench_fail("%s: %s", name, lng_status_text());
    for (int k = 0; k < OUTPUTS; k++)
        for (int64_t i = 0; i < outputs[k].elements; i++)
            if (!finite_element(p->dtype, outputs[k].tensor, i))
                lng_bench_fail("%s: %s[%lld] is not finite: not timed", name,
                               outputs[k].name, (long long)i);
}

/* Where the mean is exact C is 0, the term that a peer lacks. */
static void make_means_exact(const lng_problem *p)
{
    const float *x = p->x;
    float *mean = (float *)p->mean;
    for (int64_t n = 0; n < p->block_num; n++) {
        double sum = 0;
        for (int64_t i = 0; i < p->block_size; i++)
            sum += (double)x[n * p->block_size + i];
        mean[n] = (float)(sum / (double)p->block_size);
    }
}

/* The largest difference as a fraction of the largest element; NaN if one is that. */
static double difference(const float *got, const float *expected, int64_t elements)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < elements; i++) {
        const double d = fabs((double)got[i] - (double)expected[i]);
        if (isnan(d))
            return d;
        most = fmax(most, d);
        largest = fmax(largest, fabs((double)expected[i]));
    }
    return largest > 0 ? most / largest : most;
}

void lng_bench_check_peer(const lng_problem *p, struct lng_dnnl *peer, const char *name)
{
    static const double tolerance = 1e-3; /* sums in single, of up to millions */
    struct output outputs[OUTPUTS];
    void *ours[OUTPUTS];
    outputs_of(p, outputs);
    make_means_exact(p);
    lng_bench_check(p, name);
    for (int k = 0; k < OUTPUTS; k++) {
        const size_t elements = (size_t)outputs[k].elements;
        ours[k] = lng_bench_allocate(elements, sizeof(float));
        memcpy(ours[k], outputs[k].tensor, elements * sizeof(float));
    }
    spoil(p, outputs);
    const int failed = lng_dnnl_run(peer);
    double differences[OUTPUTS];
    for (int k = 0; k < OUTPUTS; k++) {
        differences[k] = difference(outputs[k].tensor, ours[k], outputs[k].elements);
        free(ours[k]);
    }
    if (failed)
        lng_bench_fail("%s: the call failed", name);
    for (int k = 0; k < OUTPUTS; k++)
        if (!(differences[k] <= tolerance))
            lng_bench_fail("%s: %s differs from ours by %.1e of its largest element, "
                           "expected %.0e: not timed",
                           name, outputs[k].name, differences[k], tolerance);
}
