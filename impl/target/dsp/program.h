/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that every core of a DSP runs, over port/port.h and a vocabulary: C99, and
 * nothing of a host. Included by target/dsp/dsp_kernel.h.
 *
 * The cores share the tiles of the plan. Where rows are cut, a first pass over them
 * brings the sums of every piece, which become coefficients of every row. The second pass
 * brings dx and the tiles' partial sums. Then the cores share the parameters, and each
 * total is the sum of its partial sums in the order of the plan. Who does what depends on
 * the mask, what is added to what does not.
 */
#include "target/dsp/row.h"

/* Pieces k*period + i for k in [k, k + count), of one tile. */
struct lng_part {
    int64_t tile, i, k;
    int count, set;              /* where its rows are in scratch */
    int opens, closes;           /* first and last of the pieces of its i in the tile */
    int opens_tile, closes_tile; /* and of the tile */
    int64_t n, first, length;    /* row and first element of piece k; columns */
};

/* The core's tiles, part after part: while one is worked at the next one comes. */
struct lng_walk {
    const struct lng_dsp *s;
    int rows; /* whether coefficients come too, from the workspace */
    int64_t task, end;
    struct lng_tile tile;
    int64_t i, k;
    struct lng_part next;
    int more; /* whether next is one */
};

static void lng_open_tile(struct lng_walk *w)
{
    if (w->task < w->end)
        w->tile = lng_plan_tile(w->s->plan, w->task);
    w->i = w->tile.i0;
    w->k = w->tile.k0;
}

static int lng_next_part(struct lng_walk *w, struct lng_part *part)
{
    if (w->task >= w->end)
        return 0;
    const struct lng_plan *plan = w->s->plan;
    const struct lng_piece piece = lng_plan_piece(plan, w->k * plan->period + w->i);
    const int64_t left = w->tile.k1 - w->k;
    const int64_t count = left < w->s->rows ? left : w->s->rows;
    *part = (struct lng_part){.tile = w->task,
                              .i = w->i,
                              .k = w->k,
                              .count = (int)count,
                              .opens = w->k == w->tile.k0,
                              .closes = count == left,
                              .n = piece.n,
                              .first = piece.first,
                              .length = piece.c1 - piece.c0};
    part->opens_tile = part->opens && w->i == w->tile.i0;
    part->closes_tile = part->closes && w->i + 1 == w->tile.i1;
    w->k += count;
    if (part->closes) {
        w->k = w->tile.k0;
        w->i++;
    }
    if (part->closes_tile) {
        w->task++;
        lng_open_tile(w);
    }
    return 1;
}

/* The rows of a part, pitches in elements. */
static void lng_start_rows(const struct lng_part *part, int channel, void *to,
                           int64_t to_pitch, const void *from, int64_t from_pitch)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    const struct lng_transfer t = {to,
                                   from,
                                   (size_t)(part->length * element),
                                   (size_t)part->count,
                                   (ptrdiff_t)(to_pitch * element),
                                   (ptrdiff_t)(from_pitch * element)};
    lng_port_start(channel, &t);
}

/* Rows from one of a part's pieces to the next. */
static int64_t lng_row_step(const struct lng_plan *plan)
{
    return plan->wound ? 1 : plan->period / plan->pieces;
}

/* One value a row, or one line. */
static void lng_start_statistics(const struct lng_part *part, int channel, void *to,
                                 const void *of_rows, int64_t bytes, int64_t step)
{
    const int64_t together = step == 1 ? part->count : 1; /* one run, not one a row */
    const struct lng_transfer t = {to,
                                   (const unsigned char *)of_rows + part->n * bytes,
                                   (size_t)(bytes * together),
                                   (size_t)(part->count / together),
                                   (ptrdiff_t)bytes,
                                   (ptrdiff_t)(step * bytes)};
    lng_port_start(channel, &t);
}

static void lng_start_part(const struct lng_dsp *s, const struct lng_part *part, int rows)
{
    const int set = part->set;
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT), step = lng_row_step(s->plan);
    const unsigned char *x = (const unsigned char *)s->p->x + part->first * element;
    const unsigned char *dy = (const unsigned char *)s->p->dy + part->first * element;
    lng_start_rows(part, LNG_CH_X, s->x[set], s->pitch, x, s->plan->step);
    lng_start_rows(part, LNG_CH_DY, s->dy[set], s->pitch, dy, s->plan->step);
    lng_start_statistics(part, LNG_CH_MEAN, s->mean[set], s->p->mean, element, step);
    lng_start_statistics(part, LNG_CH_VAR, s->var[set], s->p->var, element, step);
    if (rows)
        lng_start_statistics(part, LNG_CH_ROWS, s->lines[set], s->workspace + s->at.rows,
                             LNG_DSP_LINE, step);
}

static void lng_wait_part(int rows)
{
    for (int channel = LNG_CH_X; channel <= LNG_CH_VAR; channel++)
        lng_port_wait(channel);
    if (rows)
        lng_port_wait(LNG_CH_ROWS);
}

static void lng_start_next(struct lng_walk *w, int set)
{
    w->more = lng_next_part(w, &w->next);
    w->next.set = set;
    if (w->more)
        lng_start_part(w->s, &w->next, w->rows);
}

static struct lng_walk lng_start_walk(const struct lng_dsp *s, int rows)
{
    const int64_t tiles = lng_plan_tiles(s->plan);
    struct lng_walk w = {.s = s,
                         .rows = rows,
                         .task = lng_first_task(s, tiles, s->rank),
                         .end = lng_first_task(s, tiles, s->rank + 1)};
    lng_open_tile(&w);
    lng_start_next(&w, 0);
    return w;
}

/* The next part, come; 0: there is none. */
static int lng_take_part(struct lng_walk *w, struct lng_part *part)
{
    if (!w->more)
        return 0;
    *part = w->next;
    lng_wait_part(w->rows);
    lng_start_next(w, part->set ^ 1);
    return 1;
}

static void lng_clear_window(const struct lng_dsp *s)
{
    const lng_v zero = lng_v_all(0);
    for (int64_t c = 0; c < s->pitch; c += LNG_LANES) {
        lng_v_store(s->dg + c, zero);
        lng_v_store(s->db + c, zero);
    }
}

/* gamma of a part's parameters, or of its row r where rows are wound; and where in the
 * tile they are. */
static int64_t lng_open_window(struct lng_dsp *s, const struct lng_tile *tile,
                               const struct lng_part *part, int r, int with_sums)
{
    const struct lng_plan *plan = s->plan;
    const int64_t start = plan->wound ? (part->first + r * plan->step) % plan->param_num
                                      : lng_plan_piece(plan, part->i).first;
    lng_take_gamma(s, start, part->length);
    if (with_sums)
        lng_clear_window(s);
    return plan->wound ? start : start - tile->p0;
}

/* First pass: A, B, C of every piece of the core's tiles, a line each. */
static void lng_pass_sums(struct lng_dsp *s)
{
    struct lng_walk w = lng_start_walk(s, 0);
    struct lng_part part;
    while (lng_take_part(&w, &part)) {
        const int set = part.set;
        const struct lng_tile tile = lng_plan_tile(s->plan, part.tile);
        if (!s->plan->wound)
            lng_open_window(s, &tile, &part, 0, 0);
        for (int k = 0; k < part.count; k++) {
            if (s->plan->wound)
                lng_open_window(s, &tile, &part, k, 0);
            const struct lng_row at = {.set = set, .k = k, .length = part.length};
            const struct lng_tensors t = lng_tensors_of(s, &at);
            const struct lng_batch b = lng_batch_of(s, &at);
            double facts[LNG_FACTS];
            lng_facts_of(&t, &b, 0, facts);
            for (int l = 0; l < LNG_FACTS; l++)
                lng_stdw(s->lines[set] + k * LNG_LINE_DOUBLES + l, facts[l]);
        }
        const int64_t period = s->plan->period * LNG_DSP_LINE;
        lng_move_runs(s->workspace + part.k * period + part.i * LNG_DSP_LINE, period,
                      s->lines[set], LNG_DSP_LINE, LNG_DSP_LINE, part.count);
    }
    lng_port_publish(s->workspace, (size_t)s->at.rows);
}

/* Joins the facts of a row's pieces, in ascending order. */
static void lng_join_pieces(const struct lng_dsp *s, int64_t n, double *facts)
{
    const int64_t pieces = s->plan->pieces;
    for (int64_t piece = 0; piece < pieces; piece += LNG_MOST_ROWS) {
        const int64_t left = pieces - piece;
        const int64_t count = left < LNG_MOST_ROWS ? left : LNG_MOST_ROWS;
        lng_move(s->lines[0], s->workspace + (n * pieces + piece) * LNG_DSP_LINE,
                 count * LNG_DSP_LINE);
        for (int64_t k = 0; k < count; k++) {
            const double *line = s->lines[0] + k * LNG_LINE_DOUBLES;
            double more[LNG_FACTS];
            for (int l = 0; l < LNG_FACTS; l++)
                more[l] = lng_lddw(line + l);
            for (int l = 0; l < LNG_SUMS; l++)
                facts[l] = piece + k ? lng_adddp(facts[l], more[l]) : more[l];
            lng_join_extents(facts + LNG_SUMS, more + LNG_SUMS, piece + k == 0);
        }
    }
}

/* A, B, C of a row that does not fit, from its tensors. */
static void lng_sums_again(struct lng_dsp *s, int64_t n, double mean, double *sums)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    for (int64_t piece = 0; piece < s->plan->pieces; piece++) {
        const struct lng_piece p = lng_plan_piece(s->plan, n * s->plan->pieces + piece);
        double more[LNG_SUMS];
        lng_take_gamma(s, p.first % s->plan->param_num, p.c1 - p.c0);
        lng_scalar_sums(s, (const unsigned char *)s->p->x + p.first * element,
                        (const unsigned char *)s->p->dy + p.first * element, s->gamma,
                        p.c1 - p.c0, mean, more);
        for (int l = 0; l < LNG_SUMS; l++)
            sums[l] = piece ? lng_adddp(sums[l], more[l]) : more[l];
    }
}

/* From the facts of the pieces, the coefficients of the core's rows, a line each. */
static void lng_pass_coefficients(struct lng_dsp *s)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT), rows = s->plan->block_num;
    const int64_t end = lng_first_task(s, rows, s->rank + 1);
    const struct lng_row at = {0};
    lng_port_acquire(s->workspace, (size_t)s->at.rows);
    for (int64_t n = lng_first_task(s, rows, s->rank); n < end; n++) {
        double facts[LNG_FACTS] = {0};
        lng_move(s->mean[0], (const unsigned char *)s->p->mean + n * element, element);
        lng_move(s->var[0], (const unsigned char *)s->p->var + n * element, element);
        struct lng_batch b = lng_batch_of(s, &at);
        lng_join_pieces(s, n, facts);
        lng_coefficients(s, facts, &b);
        const int fits = lng_fits(s, facts, &b);
        if (!fits) {
            lng_sums_again(s, n, b.mean[0], facts);
            lng_coefficients(s, facts, &b);
        }
        lng_stdw(s->lines[0] + LNG_LINE_RA, b.ra[0]);
        lng_stdw(s->lines[0] + LNG_LINE_RB, b.rb[0]);
        lng_stdw(s->lines[0] + LNG_LINE_FITS, fits);
        lng_move(s->workspace + s->at.rows + n * LNG_DSP_LINE, s->lines[0], LNG_DSP_LINE);
    }
    lng_port_publish(s->workspace + s->at.rows, (size_t)(s->at.partials - s->at.rows));
}

/* Whether rows are cut and their coefficients are needed: for dx, or to know whether they
 * fit, which the sums of dg and db must not find otherwise without dx. */
static int lng_two_passes(const struct lng_dsp *s)
{
    return s->plan->pieces > 1 && (s->p->dx || LNG_NARROW);
}

/* Second pass: dx and the partial sums of the core's tiles. dx of a part leaves while the
 * next one is worked at. */
static void lng_pass_tiles(struct lng_dsp *s)
{
    const int64_t element = (int64_t)sizeof(LNG_ELEMENT);
    struct lng_walk w = lng_start_walk(s, lng_two_passes(s));
    struct lng_part part;
    struct lng_partials partials = {.s = s, .at = -1};
    struct lng_tile tile = {0};
    int64_t q = 0;
    int leaving[2] = {0, 0};
    while (lng_take_part(&w, &part)) {
        const int set = part.set;
        if (leaving[set])
            lng_port_wait(LNG_CH_DX + set);
        if (part.opens_tile) {
            tile = lng_plan_tile(s->plan, part.tile);
            lng_open_partials(&partials, s, part.tile);
        }
        if (part.opens && !s->plan->wound)
            q = lng_open_window(s, &tile, &part, 0, 1);
        for (int k = 0; k < part.count; k++) {
            if (s->plan->wound)
                q = lng_open_window(s, &tile, &part, k, 1);
            const struct lng_row at = {set, k, part.length, q};
            lng_do_row(&partials, &at);
            if (s->plan->wound) {
                lng_add_window(&partials, q, part.length);
            } else if ((part.k + k + 1 - tile.k0) % LNG_MOST_TERMS == 0) {
                lng_add_window(&partials, q, part.length);
                lng_clear_window(s);
            }
        }
        leaving[set] = s->p->dx != NULL;
        if (leaving[set])
            lng_start_rows(&part, LNG_CH_DX + set,
                           (unsigned char *)s->p->dx + part.first * element,
                           s->plan->step, s->dx[set], s->pitch);
        if (part.closes && !s->plan->wound)
            lng_add_window(&partials, q, part.length);
        if (part.closes_tile)
            lng_close_partials(&partials);
    }
    for (int set = 0; set < 2; set++) {
        if (leaving[set])
            lng_port_wait(LNG_CH_DX + set);
        lng_wait_segment(&partials, set);
    }
    lng_port_publish(s->workspace + s->at.partials, (size_t)(s->at.end - s->at.partials));
}

/* The core's parameters: dg and db from all tiles. */
static void lng_pass_totals(struct lng_dsp *s)
{
    const int64_t strips = s->plan->strips, stride = s->at.stride;
    int64_t run =
        LNG_SEGMENT; /* parameters of a task, so that there is one for each core */
    while (run > LNG_LINE_DOUBLES && strips * ((stride + run - 1) / run) < s->cores)
        run /= 2;
    const int64_t runs = (stride + run - 1) / run; /* of a strip */
    const int64_t tasks = strips * runs;
    const int64_t end = lng_first_task(s, tasks, s->rank + 1);
    if (!s->p->dg && !s->p->db)
        return;
    if (s->plan->blocks)
        lng_port_acquire(s->workspace + s->at.partials,
                         (size_t)(s->at.end - s->at.partials));
    for (int64_t task = lng_first_task(s, tasks, s->rank); task < end; task++)
        lng_total(s, task / runs, task % runs * run, run);
}

/* 0: scratch is too small, on every core alike. */
static int lng_program(const struct lng_job *job, uint32_t mask)
{
    struct lng_dsp s = {.p = job->problem,
                        .plan = &job->plan,
                        .at = lng_dsp_lay_out(&job->plan),
                        .workspace = (unsigned char *)job->workspace,
                        .mask = mask,
                        .h = 1 / (double)job->plan.block_size};
    lng_take_rank(&s);
    if (!lng_take_scratch(&s))
        return 0;
    if (s.plan->blocks && lng_two_passes(&s)) {
        lng_pass_sums(&s);
        lng_port_barrier(mask);
        lng_pass_coefficients(&s);
        lng_port_barrier(mask);
        lng_port_acquire(s.workspace + s.at.rows, (size_t)(s.at.partials - s.at.rows));
    }
    if (s.plan->blocks)
        lng_pass_tiles(&s);
    lng_port_barrier(mask);
    lng_pass_totals(&s);
    lng_port_barrier(mask); /* the next call may have the same workspace, or read dx */
    return 1;
}
