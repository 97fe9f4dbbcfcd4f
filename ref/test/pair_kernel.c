/* SPDX-License-Identifier: Apache-2.0 */
#include "pair_kernel.h"

#include <math.h>

#include "acc/range.h"

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

/* A double rounded once to the type. */
static float stored(lng_dtype dtype, double value)
{
    float element;
    lng_tensor_set(dtype, &element, 0, value);
    return (float)lng_tensor_get(dtype, &element, 0);
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

/* What the sweeps leave: dx as a double and as the type has it, and the sums. */
struct outputs {
    double dx[MOST_ELEMENTS], dg[MOST_COLUMNS], db[MOST_COLUMNS];
    float stored[MOST_ELEMENTS];
};

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
                    ? lng_pair_range_f16(scaled, ra, rb, terms)
                    : lng_pair_range_f32(lng_extent_of(&spread), row->mean, scaled, ra,
                                         rb, (double)H, terms);
}

static void in_pairs(const lng_problem *p, int64_t n, const struct columns *gamma,
                     const struct row *row, struct lng_pair *dg, struct lng_pair *db,
                     struct outputs *out)
{
    const int64_t H = p->block_size;
    const struct lng_pair r = lng_pair_all(row->r * LNG_PAIR_SCALE);
    const struct lng_pair ra = lng_pair_all(row->ra * LNG_PAIR_SCALE);
    const struct lng_pair rb = lng_pair_all(row->rb * LNG_PAIR_SCALE);
    const struct lng_halving rounding = lng_halving_start((float)(1 / LNG_PAIR_SCALE));
    for (int64_t i = 0; i < H; i += LANES) {
        const lng_f16 dy = lng_vec_ld(row->dy.lane + i);
        const struct lng_pair d = lng_pair_difference(lng_vec_ld(row->x.lane + i),
                                                      lng_vec_svbcast((float)row->mean));
        const struct lng_pair e = lng_pair_times(r, dy);
        const struct lng_pair dx = lng_pair_dx(e, lng_vec_ld(gamma->lane + i), d, rb, ra);
        dg[i / LANES] = lng_pair_add(dg[i / LANES], lng_pair_mul(d, e));
        db[i / LANES] = lng_pair_add_single(db[i / LANES], dy);
        const lng_f16 rounded = p->dtype == LNG_F16
                                    ? lng_pair_to_half(dx, &rounding)
                                    : lng_pair_to_single(dx, rounding.scale);
        for (int l = 0; l < LANES && i + l < H; l++) {
            out->dx[n * H + i + l] = lng_pair_lane(dx, l) / LNG_PAIR_SCALE;
            out->stored[n * H + i + l] = lng_vec_lane(rounded, l);
        }
    }
}

static void in_double(const lng_problem *p, int64_t n, const struct columns *gamma,
                      const struct row *row, double *dg, double *db, struct outputs *out)
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
        out->stored[n * H + i] = stored(p->dtype, out->dx[n * H + i]);
        dg[i] += d * e;
        db[i] += (double)row->dy.lane[i];
    }
}

/* The vocabulary of the chip without the rest of its model. */
static struct lng_core core = {.gradual = 1};

static int sweep_all(const lng_problem *p, enum which_rows which, struct outputs *out)
{
    const int64_t H = p->block_size;
    const struct columns gamma = read(p->dtype, p->gamma, 0, H);
    struct lng_pair dg[MOST_VECTORS], db[MOST_VECTORS];
    double other_dg[MOST_COLUMNS] = {0}, other_db[MOST_COLUMNS] = {0};
    int pairs = 0;
    for (int i = 0; i < MOST_VECTORS; i++)
        dg[i] = db[i] = lng_pair_all(0);
    for (int64_t n = 0; n < p->block_num; n++) {
        struct row row;
        first_sweep(p, n, &gamma, &row);
        pairs += row.fits;
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
    return pairs;
}

int pair_length(const struct pair_problem *q, enum input t)
{
    return t == GAMMA ? q->H : t == MEAN || t == VAR ? q->N : q->N * q->H;
}

struct pair_results pair_kernel(const struct pair_problem *q, enum which_rows which,
                                int flush)
{
    static float tensor[INPUTS][MOST_ELEMENTS]; /* of either type */
    static struct outputs out;
    static struct lng_truth truth[LNG_OUTPUTS][MOST_ELEMENTS];
    const lng_problem p = {.dtype = q->dtype,
                           .param_num = q->H,
                           .param_size = q->N,
                           .block_num = q->N,
                           .block_size = q->H,
                           .epsilon = q->epsilon,
                           .x = tensor[X],
                           .dy = tensor[DY],
                           .mean = tensor[MEAN],
                           .var = tensor[VAR],
                           .gamma = tensor[GAMMA]};
    for (enum input t = X; t < INPUTS; t++)
        for (int i = 0; i < pair_length(q, t); i++)
            lng_tensor_set(q->dtype, tensor[t], i, q->input[t][i]);
    core.flush = flush;
    lng_self = &core;
    struct pair_results results = {.pairs = sweep_all(&p, which, &out), .right = 1};
    lng_oracle(&p, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]);

    /* Additions to the initial zero are exact. */
    const double L[] = {
        [LNG_DX] = ceil((double)q->H / LANES) - 1,
        [LNG_DG] = q->N - 1,
        [LNG_DB] = q->N - 1,
    };
    const double *const value[] = {out.dx, out.dg, out.db};
    for (enum lng_output o = q->H == 1 ? LNG_DG : LNG_DX; o < LNG_OUTPUTS; o++) {
        const double bound = lng_bound(LNG_PAIR, o, L[o]);
        for (int64_t i = 0; i < lng_output_length(&p, o); i++) {
            const struct lng_truth *t = &truth[o][i];
            if (t->kind != LNG_FINITE)
                continue;
            const double err = fabs((value[o][i] - t->hi) - t->lo);
            results.judged++;
            if (!(err <= results.worst[o] * (bound * t->S)))
                results.worst[o] = isnan(err) ? (double)INFINITY : err / (bound * t->S);
            const float got = o == LNG_DX ? out.stored[i] : stored(q->dtype, value[o][i]);
            results.right &= lng_measure(q->dtype, (double)got, t, bound).right;
        }
    }
    return results;
}
