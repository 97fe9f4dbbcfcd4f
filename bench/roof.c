/* SPDX-License-Identifier: Apache-2.0 */
#include "roof.h"

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "core/workers.h"

const char *const lng_roof_name[LNG_ROOFS] = {"stream", "stream_nt"};

enum { CACHE_LINE = 64, PAGE = 4096 };
static const float s = 0.5f;

/* dx[i] = x[i] + s*dy[i] for i in [i0, n). */
static void stream_from(float *restrict dx, const float *restrict x,
                        const float *restrict dy, size_t i0, size_t n)
{
    for (size_t i = i0; i < n; i++)
        dx[i] = x[i] + s * dy[i];
}

#if defined(__x86_64__)
#include <immintrin.h>
#define WITH_AVX __attribute__((target("avx")))

enum { WIDTH = 8, STEP = 4 * WIDTH };

WITH_AVX static inline __m256 sum8(const float *x, const float *dy)
{
    return _mm256_add_ps(_mm256_loadu_ps(x),
                         _mm256_mul_ps(_mm256_set1_ps(s), _mm256_loadu_ps(dy)));
}

WITH_AVX static void stream(float *restrict dx, const float *restrict x,
                            const float *restrict dy, size_t n)
{
    size_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (size_t k = i; k < i + STEP; k += WIDTH)
            _mm256_store_ps(dx + k, sum8(x + k, dy + k));
    stream_from(dx, x, dy, i, n);
}

/* The fence makes the stores visible, and their time part of the pass. */
WITH_AVX static void stream_nt(float *restrict dx, const float *restrict x,
                               const float *restrict dy, size_t n)
{
    size_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (size_t k = i; k < i + STEP; k += WIDTH)
            _mm256_stream_ps(dx + k, sum8(x + k, dy + k));
    _mm_sfence();
    stream_from(dx, x, dy, i, n);
}

static int has_avx(void)
{
    return __builtin_cpu_supports("avx");
}

static void any_stream(enum lng_roof roof, float *dx, const float *x, const float *dy,
                       size_t n)
{
    if (has_avx())
        (roof == LNG_STREAM_NT ? stream_nt : stream)(dx, x, dy, n);
    else
        stream_from(dx, x, dy, 0, n);
}

static void spin(void)
{
    _mm_pause();
}
#else
/* C has no non-temporal stores, and no pause. */
static int has_avx(void)
{
    return 0;
}

static void any_stream(enum lng_roof roof, float *dx, const float *x, const float *dy,
                       size_t n)
{
    (void)roof;
    stream_from(dx, x, dy, 0, n);
}

static void spin(void)
{
}
#endif

int lng_roof_available(enum lng_roof roof)
{
    return roof == LNG_STREAM || has_avx();
}

void lng_roof_loop(enum lng_roof roof, void *dx, const void *x, const void *dy,
                   size_t bytes)
{
    assert((uintptr_t)dx % 32 == 0);
    const size_t n = bytes / sizeof(float), left = bytes % sizeof(float);
    any_stream(roof, dx, x, dy, n);
    memcpy((char *)dx + (bytes - left), (const char *)x + (bytes - left), left);
}

struct lng_roof_team {
    enum lng_roof roof;
    struct lng_roof_streams streams;
    size_t share; /* bytes of every worker but the last */
    int workers;
    void (*body)(struct lng_roof_team *team, void *user);
    void *user;
    int ended;                            /* read after `pass` only, which orders it */
    alignas(CACHE_LINE) atomic_uint pass; /* passes begun, and one more at the end */
    alignas(CACHE_LINE)
        atomic_int through; /* helpers that are through the present pass */
};

static void do_share(const struct lng_roof_team *team, int w)
{
    const size_t begin = (size_t)w * team->share;
    const size_t left = team->streams.bytes - begin;
    lng_roof_loop(team->roof, (char *)team->streams.dx + begin,
                  (const char *)team->streams.x + begin,
                  (const char *)team->streams.dy + begin,
                  left < team->share ? left : team->share);
}

static void begin_pass(struct lng_roof_team *team)
{
    atomic_store_explicit(&team->through, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&team->pass, 1, memory_order_release);
}

void lng_roof_pass(struct lng_roof_team *team)
{
    begin_pass(team);
    do_share(team, 0);
    while (atomic_load_explicit(&team->through, memory_order_acquire) < team->workers - 1)
        spin();
}

static void work(void *arg, int w)
{
    struct lng_roof_team *team = arg;
    if (w == 0) {
        team->body(team, team->user);
        team->ended = 1;
        begin_pass(team);
        return;
    }
    for (unsigned seen = 0;; seen++) {
        while (atomic_load_explicit(&team->pass, memory_order_acquire) == seen)
            spin();
        if (team->ended)
            return;
        do_share(team, w);
        atomic_fetch_add_explicit(&team->through, 1, memory_order_release);
    }
}

int lng_roof_run(enum lng_roof roof, const struct lng_roof_streams *streams, int cores,
                 void (*body)(struct lng_roof_team *team, void *user), void *user)
{
    const size_t pages = (streams->bytes + PAGE - 1) / PAGE;
    const size_t share_pages = (pages + (size_t)cores - 1) / (size_t)cores;
    struct lng_roof_team team = {.roof = roof,
                                 .streams = *streams,
                                 .share = share_pages * PAGE,
                                 .workers =
                                     (int)((pages + share_pages - 1) / share_pages),
                                 .body = body,
                                 .user = user};
    return lng_workers_run(team.workers, work, &team);
}
