/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The partial sums of a tile: from the window, where a row adds to wide values, to the
 * workspace, where the tile's parameters are doubles in order; and at the end their
 * totals. Included by target/dsp/program.h.
 *
 * A segment of LNG_SEGMENT parameters is in scratch at a time.
 */
struct lng_partials {
    struct lng_dsp *s;
    unsigned char *base; /* of the tile, in the workspace */
    int64_t at;          /* the segment in scratch; -1: none */
    int64_t stored;      /* segments that the workspace has, from the first on */
};

static unsigned char *lng_partials_of(const struct lng_dsp *s, int64_t tile)
{
    return s->workspace + s->at.partials +
           tile * 2 * s->at.stride * (int64_t)sizeof(double);
}

static int64_t lng_segment_bytes(const struct lng_dsp *s, int64_t segment)
{
    const int64_t left = s->at.stride - segment * LNG_SEGMENT;
    return (left < LNG_SEGMENT ? left : LNG_SEGMENT) * (int64_t)sizeof(double);
}

static void lng_put_segment(const struct lng_partials *t)
{
    const int64_t size = (int64_t)sizeof(double);
    if (t->at >= 0)
        lng_move_runs(t->base + t->at * LNG_SEGMENT * size, t->s->at.stride * size,
                      t->s->segment, LNG_SEGMENT * size, lng_segment_bytes(t->s, t->at),
                      2);
}

static void lng_take_segment(struct lng_partials *t, int64_t segment)
{
    const int64_t size = (int64_t)sizeof(double);
    if (segment == t->at)
        return;
    lng_put_segment(t);
    t->at = segment;
    if (segment < t->stored) {
        lng_move_runs(t->s->segment, LNG_SEGMENT * size,
                      t->base + segment * LNG_SEGMENT * size, t->s->at.stride * size,
                      lng_segment_bytes(t->s, segment), 2);
        return;
    }
    t->stored = segment + 1;
    for (int i = 0; i < 2 * LNG_SEGMENT; i++)
        lng_stdw(t->s->segment + i, 0);
}

/* Where rows are wound, they reach the segments in any order. */
static void lng_open_partials(struct lng_partials *t, struct lng_dsp *s, int64_t tile)
{
    t->s = s;
    t->base = lng_partials_of(s, tile);
    t->at = -1;
    t->stored = 0;
    for (int64_t i = 0; s->plan->wound && i * LNG_SEGMENT < s->plan->param_num; i++)
        lng_take_segment(t, i);
}

static void lng_close_partials(const struct lng_partials *t)
{
    lng_put_segment(t);
    lng_port_publish(t->base, 2 * (size_t)t->s->at.stride * sizeof(double));
}

/* Adds to dg and db of the tile's parameter q. */
static void lng_add_partial(struct lng_partials *t, int64_t q, double dg, double db)
{
    lng_take_segment(t, q / LNG_SEGMENT);
    double *at = t->s->segment + q % LNG_SEGMENT;
    lng_stdw(at, lng_adddp(lng_lddw(at), dg));
    lng_stdw(at + LNG_SEGMENT, lng_adddp(lng_lddw(at + LNG_SEGMENT), db));
}

/* The parameter after q. */
static int64_t lng_next_parameter(const struct lng_dsp *s, int64_t q)
{
    return s->plan->wound && q + 1 == s->plan->param_num ? 0 : q + 1;
}

/* Adds the window's sums of columns [0, length) to parameters q and on. */
static void lng_add_window(struct lng_partials *t, int64_t q, int64_t length)
{
    struct lng_dsp *s = t->s;
    for (int64_t c = 0; c < length; c += LNG_SEGMENT) {
        const int64_t n = length - c < LNG_SEGMENT ? length - c : LNG_SEGMENT;
        const int64_t bytes =
            (n + LNG_LANES - 1) / LNG_LANES * LNG_LANES * (int64_t)sizeof(double);
        lng_move(s->staged, s->dg + c, bytes);
        lng_move(s->staged + LNG_SEGMENT, s->db + c, bytes);
        for (int64_t i = 0; i < n; i++) {
            lng_add_partial(t, q, lng_wide_at(s->staged, i),
                            lng_wide_at(s->staged + LNG_SEGMENT, i));
            q = lng_next_parameter(s, q);
        }
    }
}

/* Starts the transfer of a segment of one block's partial sums of a strip. */
static void lng_start_block(const struct lng_dsp *s, int64_t strip, int64_t block,
                            int64_t segment, double *to)
{
    const int64_t size = (int64_t)sizeof(double);
    const struct lng_transfer t = {to,
                                   lng_partials_of(s, block * s->plan->strips + strip) +
                                       segment * LNG_SEGMENT * size,
                                   (size_t)lng_segment_bytes(s, segment),
                                   2,
                                   (ptrdiff_t)(LNG_SEGMENT * size),
                                   (ptrdiff_t)(s->at.stride * size)};
    lng_port_start(LNG_CH_OTHER, &t);
}

/* The totals of one segment of a strip, over the blocks in ascending order, rounded once
 * and stored. Blocks come to two places by turns. */
static void lng_total(struct lng_dsp *s, int64_t strip, int64_t segment, double *place[2])
{
    const struct lng_tile tile = lng_plan_tile(s->plan, strip);
    const int64_t p0 = tile.p0 + segment * LNG_SEGMENT, blocks = s->plan->blocks;
    const int64_t n = tile.p1 - p0 < LNG_SEGMENT ? tile.p1 - p0 : LNG_SEGMENT;
    if (n <= 0)
        return;
    if (blocks)
        lng_start_block(s, strip, 0, segment, place[0]);
    for (int i = 0; i < 2 * LNG_SEGMENT; i++)
        lng_stdw(s->segment + i, 0);
    for (int64_t block = 0; block < blocks; block++) {
        const double *from = place[block % 2];
        lng_port_wait(LNG_CH_OTHER);
        if (block + 1 < blocks)
            lng_start_block(s, strip, block + 1, segment, place[(block + 1) % 2]);
        for (int out = 0; out < 2; out++)
            for (int64_t i = out * LNG_SEGMENT; i < out * LNG_SEGMENT + n; i++)
                lng_stdw(s->segment + i,
                         lng_adddp(lng_lddw(s->segment + i), lng_lddw(from + i)));
    }
    void *const outputs[2] = {s->p->dg, s->p->db};
    for (int out = 0; out < 2; out++) {
        if (!outputs[out])
            continue;
        for (int64_t i = 0; i < n; i++)
            lng_element_set(s->staged, i, lng_lddw(s->segment + out * LNG_SEGMENT + i));
        lng_move((unsigned char *)outputs[out] + p0 * (int64_t)sizeof(LNG_ELEMENT),
                 s->staged, n * (int64_t)sizeof(LNG_ELEMENT));
    }
}
