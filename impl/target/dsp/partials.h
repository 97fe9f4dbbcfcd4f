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
    int64_t at;          /* the segment at hand; -1: none */
    int64_t stored;      /* segments that the workspace has, from the first on */
    int place;           /* of the two that serve by turns, the one at hand */
    int leaving[2];      /* whether a place is on its way to the workspace */
};

static unsigned char *lng_partials_of(const struct lng_dsp *s, int64_t tile)
{
    return s->workspace + s->at.partials +
           tile * 2 * s->at.stride * (int64_t)sizeof(double);
}

/* Between a place and a tile's partial sums of parameters [q, q + run), or to the
 * end of them: dg and db. */
static void lng_start_run(const struct lng_dsp *s, int channel, double *place,
                          unsigned char *base, int64_t q, int64_t run, int put)
{
    const int64_t size = (int64_t)sizeof(double);
    const int64_t left = s->at.stride - q;
    const ptrdiff_t here = (ptrdiff_t)(LNG_SEGMENT * size),
                    there = (ptrdiff_t)(s->at.stride * size);
    unsigned char *of = base + q * size;
    struct lng_transfer t = {place, of,   (size_t)((left < run ? left : run) * size),
                             2,     here, there};
    if (put) {
        t.to = of;
        t.from = place;
        t.to_pitch = there;
        t.from_pitch = here;
    }
    lng_port_start(channel, &t);
}

static void lng_put_segment(struct lng_partials *t)
{
    if (t->at < 0)
        return;
    lng_start_run(t->s, LNG_CH_SEGMENT + t->place, t->s->segment[t->place], t->base,
                  t->at * LNG_SEGMENT, LNG_SEGMENT, 1);
    t->leaving[t->place] = 1;
    t->at = -1;
    t->place ^= 1;
}

static void lng_wait_segment(struct lng_partials *t, int place)
{
    if (t->leaving[place])
        lng_port_wait(LNG_CH_SEGMENT + place);
    t->leaving[place] = 0;
}

static void lng_take_segment(struct lng_partials *t, int64_t segment)
{
    if (segment == t->at)
        return;
    lng_put_segment(t);
    lng_wait_segment(t, t->place);
    double *place = t->s->segment[t->place];
    t->at = segment;
    if (segment < t->stored) {
        lng_start_run(t->s, LNG_CH_OTHER, place, t->base, segment * LNG_SEGMENT,
                      LNG_SEGMENT, 0);
        lng_port_wait(LNG_CH_OTHER);
        return;
    }
    t->stored = segment + 1;
    for (int i = 0; i < 2 * LNG_SEGMENT; i++)
        lng_stdw(place + i, 0);
}

/* Where rows are wound, they reach the segments in any order. */
static void lng_open_partials(struct lng_partials *t, struct lng_dsp *s, int64_t tile)
{
    t->base = lng_partials_of(s, tile);
    t->stored = 0;
    for (int64_t i = 0; s->plan->wound && i * LNG_SEGMENT < s->plan->param_num; i++)
        lng_take_segment(t, i);
}

static void lng_close_partials(struct lng_partials *t)
{
    lng_put_segment(t);
}

/* Adds to dg and db of the tile's parameter q. */
static void lng_add_partial(struct lng_partials *t, int64_t q, double dg, double db)
{
    lng_take_segment(t, q / LNG_SEGMENT);
    double *at = t->s->segment[t->place] + q % LNG_SEGMENT;
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
        const double *dg = s->dg + c, *db = s->db + c;
        if (LNG_SCALAR_SCRATCH) { /* the scalar unit does not reach the window */
            const int64_t bytes =
                (n + LNG_LANES - 1) / LNG_LANES * LNG_LANES * (int64_t)sizeof(double);
            lng_move(s->staged, dg, bytes);
            lng_move(s->staged + LNG_SEGMENT, db, bytes);
            dg = s->staged;
            db = s->staged + LNG_SEGMENT;
        }
        for (int64_t i = 0; i < n; i++) {
            const double wide = lng_wide_at(dg, i);
            lng_add_partial(t, q, LNG_NARROW ? lng_mpydp(wide, 1 / LNG_SCALE) : wide,
                            lng_wide_at(db, i));
            q = lng_next_parameter(s, q);
        }
    }
}

/* The totals of parameters [q, q + run) of a strip, over the blocks in ascending order,
 * rounded once and stored. Blocks come to two places by turns. */
static void lng_total(struct lng_dsp *s, int64_t strip, int64_t q, int64_t run)
{
    double *total = s->segment[0], *const place[2] = {s->lines[0], s->lines[1]};
    const struct lng_tile tile = lng_plan_tile(s->plan, strip);
    const int64_t p0 = tile.p0 + q, blocks = s->plan->blocks;
    const int64_t n = tile.p1 - p0 < run ? tile.p1 - p0 : run;
    if (n <= 0)
        return;
    if (blocks)
        lng_start_run(s, LNG_CH_SEGMENT, place[0], lng_partials_of(s, strip), q, run, 0);
    for (int out = 0; out < 2; out++)
        for (int64_t i = 0; i < n; i++)
            lng_stdw(total + out * LNG_SEGMENT + i, 0);
    for (int64_t block = 0; block < blocks; block++) {
        const double *from = place[block % 2];
        const int64_t next = (block + 1) * s->plan->strips + strip;
        lng_port_wait(LNG_CH_SEGMENT + (int)(block % 2));
        if (block + 1 < blocks)
            lng_start_run(s, LNG_CH_SEGMENT + (int)((block + 1) % 2),
                          place[(block + 1) % 2], lng_partials_of(s, next), q, run, 0);
        for (int out = 0; out < 2; out++)
            for (int64_t i = out * LNG_SEGMENT; i < out * LNG_SEGMENT + n; i++)
                lng_stdw(total + i, lng_adddp(lng_lddw(total + i), lng_lddw(from + i)));
    }
    void *const outputs[2] = {s->p->dg, s->p->db};
    for (int out = 0; out < 2; out++) {
        if (!outputs[out])
            continue;
        for (int64_t i = 0; i < n; i++)
            lng_element_set(s->staged, i, lng_lddw(total + out * LNG_SEGMENT + i));
        lng_move((unsigned char *)outputs[out] + p0 * (int64_t)sizeof(LNG_ELEMENT),
                 s->staged, n * (int64_t)sizeof(LNG_ELEMENT));
    }
}
