/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one core of a DSP has in its hands during a call: its place among the cores, its
 * scratch, and the transfers that fill and empty it. Included by target/dsp/program.h.
 */
#include "body/rows.h"
#include "core/kernel.h"
#include "port/port.h"
#include "target/dsp/layout.h"

enum {
    LNG_SEGMENT = 512, /* parameters of which a place in scratch has the partial sums */
    /* Of x in a batch: enough for the latency of a transfer to be little beside it, and
     * no more, for transfers are served in turn. */
    LNG_DSP_BATCH_BYTES = 8192,
    /* Rows after which the window joins the partial sums, so that whether a row fits, and
     * with it dx, does not depend on how many rows there are. */
    LNG_MOST_TERMS = 1 << 20,
    LNG_CHUNK = 256, /* columns at a time of a row that is done by the scalar unit */
    LNG_LINE_DOUBLES = LNG_DSP_LINE / 8,
    LNG_MOST_ROWS = 2 * LNG_SEGMENT / LNG_LINE_DOUBLES /* of a batch */
};

/* One use each. */
enum lng_channel {
    LNG_CH_X,
    LNG_CH_DY,
    LNG_CH_MEAN,
    LNG_CH_VAR,
    LNG_CH_ROWS,
    LNG_CH_DX,                      /* and the next, by turns */
    LNG_CH_SEGMENT = LNG_CH_DX + 2, /* and the next */
    LNG_CH_OTHER = LNG_CH_SEGMENT + 2
};

struct lng_dsp {
    const struct lng_problem *p;
    const struct lng_plan *plan;
    struct lng_dsp_layout at;
    unsigned char *workspace;
    uint32_t mask;
    int rank, cores; /* this core is the rank-th of the mask's */
    double h;        /* 1/H */

    /* Vector scratch: rows of two batches, one being worked at while the other comes or
     * goes, `pitch` elements from row to row; and the window, the parameters that the
     * rows at hand meet: gamma, and the wide partial sums. */
    int64_t rows, pitch;
    unsigned char *x[2], *dy[2], *dx[2];
    void *elements, *room; /* gamma as it comes, and where it is kept otherwise */
    const void *gamma;
    int64_t gamma_at; /* the parameter that gamma starts at; -1: none */
    double *dg, *db, *kept;

    /* Scalar scratch: mean, var and a line for each of those rows; partial sums, dg and
     * db of LNG_SEGMENT parameters, for which the lines serve as well. */
    unsigned char *mean[2], *var[2];
    double *lines[2];
    double *segment[2], *staged;
    unsigned char *chunk[3]; /* x, dy, gamma of a row that is done by the scalar unit */
};

static void lng_move(void *to, const void *from, int64_t bytes)
{
    const struct lng_transfer t = {to, from, (size_t)bytes, 1, 0, 0};
    lng_port_start(LNG_CH_OTHER, &t);
    lng_port_wait(LNG_CH_OTHER);
}

static void lng_move_runs(void *to, int64_t to_pitch, const void *from,
                          int64_t from_pitch, int64_t bytes, int64_t count)
{
    const struct lng_transfer t = {to,
                                   from,
                                   (size_t)bytes,
                                   (size_t)count,
                                   (ptrdiff_t)to_pitch,
                                   (ptrdiff_t)from_pitch};
    lng_port_start(LNG_CH_OTHER, &t);
    lng_port_wait(LNG_CH_OTHER);
}

/* Tasks [first, end) of `tasks` are this core's. */
static int64_t lng_first_task(const struct lng_dsp *s, int64_t tasks, int rank)
{
    return tasks * rank / s->cores;
}

static void lng_take_rank(struct lng_dsp *s)
{
    const int core = lng_port_core();
    s->rank = s->cores = 0;
    for (int i = 0; i < 32; i++)
        if (s->mask >> i & 1) {
            s->rank += i < core;
            s->cores++;
        }
}

/* 0: too little scratch is free. How much is needed depends on block_size, up to
 * grain.whole, and is the same on every core. */
static int lng_take_scratch(struct lng_dsp *s)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    s->pitch = (s->plan->columns + LNG_LANES - 1) / LNG_LANES * LNG_LANES;
    const size_t wide = (size_t)s->pitch * sizeof(double);
    const size_t segment = 2 * LNG_SEGMENT * sizeof(double);
    s->elements = lng_port_vector_scratch((size_t)(s->pitch * element));
    s->dg = (double *)lng_port_vector_scratch(wide);
    s->db = (double *)lng_port_vector_scratch(wide);
    s->staged = (double *)lng_port_scalar_scratch(segment);
    int taken = s->elements && s->dg && s->db && s->staged;
    if (LNG_GAMMA_ROOM) {
        s->room = lng_port_vector_scratch((size_t)s->pitch * LNG_GAMMA_ROOM);
        taken = taken && s->room;
    }
    if (LNG_KEEPS_D) {
        s->kept = (double *)lng_port_vector_scratch(wide);
        taken = taken && s->kept;
    }
    for (int k = 0; k < 3 && LNG_NARROW; k++) {
        s->chunk[k] =
            (unsigned char *)lng_port_scalar_scratch(LNG_CHUNK * sizeof(LNG_ELEMENT));
        taken = taken && s->chunk[k];
    }
    for (int k = 0; k < 2; k++) {
        const size_t values = LNG_MOST_ROWS * sizeof(LNG_ELEMENT);
        s->segment[k] = (double *)lng_port_scalar_scratch(segment);
        s->mean[k] = (unsigned char *)lng_port_scalar_scratch(values);
        s->var[k] = (unsigned char *)lng_port_scalar_scratch(values);
        s->lines[k] = (double *)lng_port_scalar_scratch(LNG_MOST_ROWS * LNG_DSP_LINE);
        taken = taken && s->segment[k] && s->mean[k] && s->var[k] && s->lines[k];
    }
    /* Six areas of whole lines each. */
    const int64_t row = s->pitch * element;
    const int64_t fit =
        (int64_t)lng_port_vector_free() / 6 / LNG_DSP_LINE * LNG_DSP_LINE / row;
    const int64_t enough = LNG_DSP_BATCH_BYTES < row ? 1 : LNG_DSP_BATCH_BYTES / row;
    s->rows = fit < enough ? fit : enough;
    if (s->rows > LNG_MOST_ROWS)
        s->rows = LNG_MOST_ROWS;
    if (s->plan->wound && s->plan->pieces > 1 && fit > 0)
        s->rows = 1; /* its pieces differ in length */
    for (int k = 0; k < 2 && s->rows > 0; k++) {
        const size_t bytes = (size_t)(s->rows * row);
        s->x[k] = (unsigned char *)lng_port_vector_scratch(bytes);
        s->dy[k] = (unsigned char *)lng_port_vector_scratch(bytes);
        s->dx[k] = (unsigned char *)lng_port_vector_scratch(bytes);
        taken = taken && s->x[k] && s->dy[k] && s->dx[k];
    }
    s->gamma_at = -1;
    return taken && s->rows > 0;
}

/* Parameters start + c of gamma at c, for c < length, from the parameters' beginning
 * again where they end: the rest of this round, whole rounds, and a beginning. */
static void lng_take_gamma(struct lng_dsp *s, int64_t start, int64_t length)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT), P = s->plan->param_num;
    const unsigned char *gamma = (const unsigned char *)s->p->gamma;
    unsigned char *to = (unsigned char *)s->elements;
    if (start == s->gamma_at)
        return;
    s->gamma_at = s->plan->wound ? -1 : start; /* pieces of one start have one length */
    if (!gamma) {
        for (int64_t i = 0; i < s->pitch; i += LNG_LANES)
            lng_store(to, i, LNG_LANES, lng_v_all(LNG_SCALE)); /* ones */
        s->gamma = lng_keep_gamma(s->room, to, s->pitch);
        return;
    }
    const int64_t head = length < P - start ? length : P - start;
    const int64_t rounds = (length - head) / P, tail = (length - head) % P;
    lng_move(to, gamma + start * element, head * element);
    if (rounds)
        lng_move_runs(to + head * element, P * element, gamma, 0, P * element, rounds);
    if (tail)
        lng_move(to + (length - tail) * element, gamma, tail * element);
    s->gamma = lng_keep_gamma(s->room, to, s->pitch);
}

/* 1/sqrt(v) by Newton's steps, the last one without loss: the error is 2 units of
 * rounding, from 1 - v*r^2 and from the last addition; NaN unless v > 0. */
static double lng_root(double v)
{
    if (!(v > 0))
        return lng_mpydp(0, lng_rsqrdp(0)); /* of infinity */
    double r = lng_rsqrdp(v);
    for (int step = 0; step < 4 && r > 0; step++) {
        const double rest = lng_subdp(1, lng_mpydp(lng_mpydp(v, r), r));
        r = lng_adddp(r, lng_mpydp(r, lng_mpydp(0.5, rest)));
    }
    return r;
}
