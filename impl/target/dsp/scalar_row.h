/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row by the scalar unit, in doubles: for the few that do not fit the range of wide
 * values where those are narrow. Columns come to scalar scratch some at a time. Its terms
 * join the tile's partial sums at once, those of the other rows with the window, later.
 * Included by target/dsp/row.h.
 */

/* n columns from c on of x, dy and gamma, each wherever a transfer finds it. */
static void lng_take_chunk(const struct lng_dsp *s, const void *x, const void *dy,
                           const void *gamma, int64_t c, int64_t n)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    const void *const from[] = {x, dy, gamma};
    for (int k = 0; k < 3; k++)
        lng_move(s->chunk[k], (const unsigned char *)from[k] + c * element, n * element);
}

/* The terms of column c of the chunk. */
struct lng_terms {
    double dy, d, g, gamma;
};

static struct lng_terms lng_terms_at(const struct lng_dsp *s, int64_t c, double mean)
{
    struct lng_terms v;
    v.dy = lng_element_at(s->chunk[1], c);
    v.gamma = lng_element_at(s->chunk[2], c);
    v.d = lng_subdp(lng_element_at(s->chunk[0], c), mean);
    v.g = lng_mpydp(v.dy, v.gamma);
    return v;
}

/* A, B, C of `length` columns, one after the other. */
static void lng_scalar_sums(const struct lng_dsp *s, const void *x, const void *dy,
                            const void *gamma, int64_t length, double mean, double *sums)
{
    sums[0] = sums[1] = sums[2] = 0;
    for (int64_t c = 0; c < length; c += LNG_CHUNK) {
        const int64_t n = length - c < LNG_CHUNK ? length - c : LNG_CHUNK;
        lng_take_chunk(s, x, dy, gamma, c, n);
        for (int64_t i = 0; i < n; i++) {
            const struct lng_terms v = lng_terms_at(s, i, mean);
            sums[0] = lng_adddp(sums[0], v.g);
            sums[1] = lng_adddp(sums[1], lng_mpydp(v.g, v.d));
            sums[2] = lng_adddp(sums[2], v.d);
        }
    }
}

/* dx = e*gamma + (ra - d*rb), e = r*dy; the terms of dg are d*e, those of db dy. */
static void lng_scalar_finish(struct lng_partials *partials, const struct lng_tensors *t,
                              const struct lng_batch *b, int64_t q, enum lng_out out)
{
    const struct lng_dsp *s = partials->s;
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    for (int64_t c = 0; c < b->length; c += LNG_CHUNK) {
        const int64_t n = b->length - c < LNG_CHUNK ? b->length - c : LNG_CHUNK;
        lng_take_chunk(s, t->x, t->dy, t->gamma, c, n);
        for (int64_t i = 0; i < n; i++, q = lng_next_parameter(s, q)) {
            const struct lng_terms v = lng_terms_at(s, i, b->mean[0]);
            const double e = lng_mpydp(b->r[0], v.dy);
            lng_add_partial(partials, q, lng_mpydp(v.d, e), v.dy);
            const double dx =
                out == LNG_ONE_COLUMN
                    ? lng_mpydp(0, lng_mpydp(v.d, lng_mpydp(e, v.gamma)))
                    : lng_adddp(lng_mpydp(e, v.gamma),
                                lng_subdp(b->ra[0], lng_mpydp(v.d, b->rb[0])));
            lng_element_set(s->chunk[0], i, dx);
        }
        if (out != LNG_NO_DX)
            lng_move((unsigned char *)t->dx + c * element, s->chunk[0], n * element);
    }
}
