/* SPDX-License-Identifier: Apache-2.0 */
/* The toy kernel, after the arithmetic of its chip: toy_tile reads n elements of vector
 * scratch, writes n, and returns their sum. */
#include "toy.h"

struct toy_share {
    const struct toy *t;
    size_t rank, cores; /* among those of the mask */
    float *in[2], *out[2];
};

static struct lng_transfer toy_run(void *to, const void *from, size_t bytes)
{
    const struct lng_transfer t = {to, from, bytes, 1, 0, 0};
    return t;
}

static size_t toy_length(const struct toy_share *s, size_t k)
{
    const size_t left = s->t->n - k * s->t->tile;
    return left < s->t->tile ? left : s->t->tile;
}

static void toy_fetch(const struct toy_share *s, size_t k, int b)
{
    const struct lng_transfer t =
        toy_run(s->in[b], s->t->x + k * s->t->tile, toy_length(s, k) * sizeof(float));
    lng_port_start(b, &t);
}

static double toy_tiles(const struct toy_share *s)
{
    const size_t tiles = (s->t->n + s->t->tile - 1) / s->t->tile;
    const int two = s->t->buffers == 2;
    int stores[2] = {0, 0}, b = 0;
    double sum = 0;
    if (two && s->rank < tiles)
        toy_fetch(s, s->rank, 0);
    for (size_t k = s->rank; k < tiles; k += s->cores) {
        if (!two)
            toy_fetch(s, k, b);
        else if (k + s->cores < tiles)
            toy_fetch(s, k + s->cores, 1 - b);
        lng_port_wait(b);
        if (stores[b])
            lng_port_wait(2 + b);
        sum = lng_adddp(sum, toy_tile(s->in[b], s->out[b], toy_length(s, k)));
        const struct lng_transfer store = toy_run(s->t->y + k * s->t->tile, s->out[b],
                                                  toy_length(s, k) * sizeof(float));
        lng_port_start(2 + b, &store);
        stores[b] = 1;
        if (two)
            b = 1 - b;
    }
    for (b = 0; b < 2; b++)
        if (stores[b])
            lng_port_wait(2 + b);
    return sum;
}

static void toy_program(const struct toy *t)
{
    struct toy_share s = {
        t, 0, 0, {NULL, NULL},
           {NULL, NULL}
    };
    const int self = lng_port_core();
    if (!(t->mask >> self & 1))
        return;
    for (int c = 0; c < 32; c++) {
        s.cores += t->mask >> c & 1;
        s.rank += c < self ? t->mask >> c & 1 : 0;
    }
    for (int b = 0; b < t->buffers; b++) {
        s.in[b] = lng_port_vector_scratch(t->tile * sizeof(float));
        s.out[b] = lng_port_vector_scratch(t->tile * sizeof(float));
    }
    char *shared = t->workspace;
    double *partial = lng_port_scalar_scratch(s.cores * 64);
    float *total = lng_port_scalar_scratch(sizeof *total);
    lng_stdw(partial, toy_tiles(&s));
    struct lng_transfer m = toy_run(shared + 64 * s.rank, partial, sizeof *partial);
    lng_port_start(0, &m);
    lng_port_wait(0);
    lng_port_publish(m.to, m.bytes);
    lng_port_barrier(t->mask);
    if (s.rank != 0)
        return;
    lng_port_acquire(shared, s.cores * 64);
    m = toy_run(partial, shared, sizeof *partial);
    m.count = s.cores;
    m.to_pitch = m.from_pitch = 64;
    lng_port_start(0, &m);
    lng_port_wait(0);
    double sum = 0;
    for (size_t c = 0; c < s.cores; c++)
        sum = lng_adddp(sum, lng_lddw(partial + 8 * c));
    lng_stw(total, lng_dpsp(sum));
    m = toy_run(t->total, total, sizeof *total);
    lng_port_start(0, &m);
    lng_port_wait(0);
}
