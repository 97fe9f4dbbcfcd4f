/* SPDX-License-Identifier: Apache-2.0 */
#include "pair_kernel.h"

#include <math.h>

#include "acc/range.h"
#include "ref/oracle.h"

enum { LANES = 16, MOST_VECTORS = MOST_COLUMNS / LANES };

struct columns {
    float lane[MOST_COLUMNS];
};

/* n elements from i on as singles, then zeros. */
static struct columns read(lng_dtype dtype, const void *tensor, int64_t i, int64_t n)
{
    struct columns c = {{0}};
    for (int64_t k = 0; k < n; k++)
        c.lane[k] = (float)lng_tensor_get(dtype, tensor, i + k);
    return c;
}

static lng_f16 first_lanes(lng_f16 v, int64_t n)
{
    return lng_vec_sel(n < LANES ? (1u << n) - 1 : 0xffff, v, lng_vec_svbcast(0));
}

static double lanes(struct lng_pair p)
{
    double sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += lng_pair_lane(p, l);
    return sum;
}

struct row {
    struct columns x, dy;
    double mean, r, ra, rb; /* without scale */
    int fits;
};

static void first_sweep(const lng_problem *p, int64_t n, const struct columns *gamma,
                        struct row *row)
{
    const int64_t H = p->block_size;
    struct lng_pair A = lng_pair_all(0), B = A, C = A;
    row->x = read(p->dtype, p->x, n * H, H);
    row->dy = read(p->dtype, p->dy, n * H, H);
    row->mean = lng_tensor_get(p->dtype, p->mean, n);
    struct lng_spread spread = lng_spread_start((float)row->mean);
    for (int64_t i = 0; i < H; i += LANES) {
        const lng_f16 dy = lng_vec_ld(row->dy.lane + i), x = lng_vec_ld(row->x.lane + i);
        struct lng_pair d = lng_pair_difference(x, lng_vec_svbcast((float)row->mean));
        d.hi = first_lanes(d.hi, H - i);
        d.lo = first_lanes(d.lo, H - i);
        const struct lng_pair g = lng_pair_product(dy, lng_vec_ld(gamma->lane + i));
        A = lng_pair_add(A, g);
        B = lng_pair_add(B, lng_pair_mul(g, d));
        C = lng_pair_add(C, d);
        lng_spread_add(&spread, dy, x, d.hi, g.hi);
    }
    const double h = 1 / (double)H, v = lng_tensor_get(p->dtype, p->var, n) + p->epsilon;
    const double r = v > 0 ? 1 / sqrt(v) : (double)NAN;
    const double b = r * r * (lanes(B) * h), a = lanes(A) * h - b * (lanes(C) * h);
    row->r = r;
    row->ra = -(r * a);
    row->rb = r * b;
    const double scaled = r * LNG_PAIR_SCALE, ra = row->ra * LNG_PAIR_SCALE;
    const double rb = row->rb * LNG_PAIR_SCALE, terms = (double)p->block_num;
    row->fits = p->dtype == LNG_F16
                    ? lng_pair_range_f16(scaled, ra, rb, (double)H, terms)
                    : lng_pair_range_f32(lng_extent_of(&spread), row->mean, scaled, ra,
                                         rb, (double)H, terms);
}

static void in_pairs(const lng_problem *p, int64_t n, const struct columns *gamma,
                     const struct row *row, struct lng_pair *dg, struct lng_pair *db,
                     struct results *out)
{
    const int64_t H = p->block_size;
    const struct lng_pair r = lng_pair_all(row->r * LNG_PAIR_SCALE);
    const struct lng_pair ra = lng_pair_all(row->ra * LNG_PAIR_SCALE);
    const struct lng_pair rb = lng_pair_all(row->rb * LNG_PAIR_SCALE);
    const lng_f16 back = lng_vec_svbcast((float)(1 / LNG_PAIR_SCALE));
    for (int64_t i = 0; i < H; i += LANES) {
        const lng_f16 dy = lng_vec_ld(row->dy.lane + i);
        const struct lng_pair d = lng_pair_difference(lng_vec_ld(row->x.lane + i),
                                                      lng_vec_svbcast((float)row->mean));
        const struct lng_pair e = lng_pair_times(r, dy);
        const struct lng_pair dx = lng_pair_dx(e, lng_vec_ld(gamma->lane + i), d, rb, ra);
        dg[i / LANES] = lng_pair_add(dg[i / LANES], lng_pair_mul(d, e));
        db[i / LANES] = lng_pair_add_single(db[i / LANES], dy);
        const lng_f16 stored = p->dtype == LNG_F16 ? lng_pair_to_half(dx, back)
                                                   : lng_pair_to_single(dx, back);
        for (int l = 0; l < LANES && i + l < H; l++) {
            out->dx[n * H + i + l] = lng_pair_lane(dx, l) / LNG_PAIR_SCALE;
            out->stored[n * H + i + l] = lng_vec_lane(stored, l);
        }
    }
}

static void in_double(const lng_problem *p, int64_t n, const struct columns *gamma,
                      const struct row *row, double *dg, double *db, struct results *out)
{
    const int64_t H = p->block_size;
    double A = 0, B = 0, C = 0;
    for (int64_t i = 0; i < H; i++) {
        const double g = (double)row->dy.lane[i] * (double)gamma->lane[i];
        const double d = (double)row->x.lane[i] - row->mean;
        A += g;
        B += g * d;
        C += d;
    }
    const double h = 1 / (double)H, r = row->r, b = r * r * (B * h);
    const double ra = -(r * (A * h - b * (C * h))), rb = r * b;
    for (int64_t i = 0; i < H; i++) {
        const double d = (double)row->x.lane[i] - row->mean;
        const double e = (double)row->dy.lane[i] * r;
        out->dx[n * H + i] = e * (double)gamma->lane[i] + (ra - d * rb);
        out->stored[n * H + i] = (float)out->dx[n * H + i];
        dg[i] += d * e;
        db[i] += (double)row->dy.lane[i];
    }
}

static struct lng_core core;

void pair_kernel(const lng_problem *p, enum which_rows which, int flush,
                 struct results *out)
{
    const int64_t H = p->block_size;
    const struct columns gamma = read(p->dtype, p->gamma, 0, H);
    struct lng_pair dg[MOST_VECTORS], db[MOST_VECTORS];
    double other_dg[MOST_COLUMNS] = {0}, other_db[MOST_COLUMNS] = {0};
    core.flush = flush;
    lng_self = &core;
    out->pairs = 0;
    for (int i = 0; i < MOST_VECTORS; i++)
        dg[i] = db[i] = lng_pair_all(0);
    for (int64_t n = 0; n < p->block_num; n++) {
        struct row row;
        first_sweep(p, n, &gamma, &row);
        out->in_range[n] = row.fits;
        out->pairs += row.fits;
        if (row.fits || which == ALL_ROWS)
            in_pairs(p, n, &gamma, &row, dg, db, out);
        else
            in_double(p, n, &gamma, &row, other_dg, other_db, out);
    }
    for (int64_t i = 0; i < H; i++) {
        const int l = (int)(i % LANES);
        out->dg[i] = lng_pair_lane(dg[i / LANES], l) / LNG_PAIR_SCALE + other_dg[i];
        out->db[i] = lng_pair_lane(db[i / LANES], l) + other_db[i];
    }
}

/* Vectors of a row, then 15 additions of lanes; the rows, and what was done in double. */
double pair_kernel_depth_dx(const lng_problem *p)
{
    return ceil((double)p->block_size / LANES) + LANES - 1;
}

double pair_kernel_depth_params(const lng_problem *p)
{
    return (double)p->block_num + 1;
}
