/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pool of threads. pthread_create is wrapped by the linker: it counts, and fails from
 * the n-th on when it is told to.
 */
#define _GNU_SOURCE /* sched_setaffinity, barriers */
#include "fixture.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/arch.h"
#include "core/workers.h"

static atomic_int created;
static atomic_int allowed = 1 << 30; /* creations before they fail */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg)
{
    if (atomic_fetch_sub(&allowed, 1) <= 0)
        return 11; /* EAGAIN */
    atomic_fetch_add(&created, 1);
    return __real_pthread_create(thread, attributes, start, arg);
}

/* Work that ends only when all are in it, and counts who was. */
struct meeting {
    pthread_barrier_t barrier;
    pthread_t caller;
    atomic_int came[64];
    atomic_int first_elsewhere;
};

static void meet(void *arg, int w)
{
    struct meeting *m = arg;
    atomic_fetch_add(&m->came[w], 1);
    if ((w == 0) != (pthread_equal(pthread_self(), m->caller) != 0))
        atomic_store(&m->first_elsewhere, 1);
    pthread_barrier_wait(&m->barrier);
}

static int meeting_of(int n)
{
    struct meeting m = {.caller = pthread_self()};
    pthread_barrier_init(&m.barrier, NULL, (unsigned)n);
    int right = lng_workers_run(n, meet, &m) == 0;
    for (int w = 0; w < 64; w++)
        right &= atomic_load(&m.came[w]) == (w < n);
    pthread_barrier_destroy(&m.barrier);
    return right && !atomic_load(&m.first_elsewhere);
}

static void exact_counts(void **state)
{
    (void)state;
    for (int n = 1; n <= 64; n++)
        lng_assert(meeting_of(n), "%d workers", n);
}

static void threads_are_kept(void **state)
{
    (void)state;
    meeting_of(8);
    const int before = atomic_load(&created);
    for (int i = 0; i < 3000; i++)
        assert_true(meeting_of(1 + i % 8));
    assert_int_equal(atomic_load(&created), before);
}

/* Work that the caller alone could do. */
struct help {
    atomic_int over, late, came[64];
};

static void help(void *arg, int w)
{
    struct help *h = arg;
    atomic_fetch_add(&h->came[w], 1);
    if (atomic_load(&h->over))
        atomic_fetch_add(&h->late, 1);
}

/* Nobody begins after the call, none twice; and of 63 threads, most of which sleep, some
 * have not begun when the caller is through. */
static void late_helpers(void **state)
{
    (void)state;
    static struct help calls[300];
    int absent = 0;
    for (int i = 0; i < 300; i++) {
        const int n = 1 + i % 64;
        assert_int_equal(lng_workers_help(n, help, &calls[i]), 0);
        atomic_store(&calls[i].over, 1);
        assert_int_equal(atomic_load(&calls[i].came[0]), 1);
    }
    meeting_of(64); /* whoever was late has been here by now */
    for (int i = 0; i < 300; i++) {
        assert_int_equal(atomic_load(&calls[i].late), 0);
        for (int w = 0; w < 64; w++) {
            const int came = atomic_load(&calls[i].came[w]);
            assert_in_range(came, 0, w <= i % 64);
            absent += w <= i % 64 && !came;
        }
    }
    assert_true(absent > 0);
}

/* The floating-point environment */

static atomic_int strange; /* workers that did not round to nearest, or flushed */

static void compute(void *arg, int w)
{
    (void)arg;
    (void)w;
    volatile double least = 0x1p-1074, one = 1, half_ulp = 0x1p-53;
    volatile float single = 0x1p-149f, single_one = 1;
    if (one + half_ulp != 1 || one - half_ulp / 2 != 1 || least * one == 0 ||
        single * single_one == 0)
        atomic_fetch_add(&strange, 1);
}

static void environment(void **state)
{
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < 4; i++) {
        fesetround(modes[i]);
        lng_fp_state before = lng_fp_enter();
        lng_fp_leave(before);
        const int failed = lng_workers_run(4, compute, NULL);
        const lng_fp_state after = lng_fp_enter();
        const int mode = (lng_fp_leave(after), fegetround());
        fesetround(FE_TONEAREST);
        assert_int_equal(failed, 0);
        assert_int_equal(mode, modes[i]);
        assert_true(before == after);
    }
    assert_int_equal(atomic_load(&strange), 0);
}

/* Several callers */

static void add(void *arg, int w)
{
    atomic_fetch_add((atomic_int *)arg, w + 1);
}

static void nest(void *arg, int w)
{
    atomic_int sum = 0;
    if (lng_workers_run(w + 1, add, &sum) == 0 &&
        atomic_load(&sum) == (w + 1) * (w + 2) / 2)
        atomic_fetch_add((atomic_int *)arg, 1);
}

static void nested(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        atomic_int right = 0;
        assert_int_equal(lng_workers_run(5, nest, &right), 0);
        assert_int_equal(atomic_load(&right), 5);
    }
}

static void *call_often(void *wrong)
{
    for (int i = 0; i < 400; i++) {
        const int n = 1 + i % 5;
        atomic_int sum = 0;
        if (lng_workers_run(n, add, &sum) != 0 || atomic_load(&sum) != n * (n + 1) / 2)
            atomic_fetch_add((atomic_int *)wrong, 1);
    }
    return NULL;
}

enum { CALLERS = 8 };

static void run_callers(void *(*call)(void *), void *arg)
{
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call, arg), 0);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void concurrent_callers(void **state)
{
    (void)state;
    atomic_int wrong = 0;
    const int before = atomic_load(&created);
    run_callers(call_often, &wrong);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(atomic_load(&created) - before <= CALLERS + CALLERS * 4);
}

/* The same problem from many threads at once, each with outputs of its own, while
 * settings change: the bits of one call alone. */
static struct lng_fixture right;

static void *compute_often(void *wrong)
{
    struct lng_fixture f = lng_copy(&right, AT_END);
    for (int i = 0; i < 20; i++) {
        f.p.workers = i % 4;
        f.p.epsilon = right.p.epsilon;
        if (lng_layernormgrad(&f.p) != LNG_OK || lng_set_epsilon(1e-12) != LNG_OK ||
            lng_get_epsilon() != 1e-12 ||
            lng_force_kernel(i % 2 ? "f32_scalar" : NULL) != LNG_OK)
            atomic_fetch_add((atomic_int *)wrong, 1);
        for (int t = DX; t < TENSORS; t++)
            if (memcmp(f.tensor[t], right.tensor[t],
                       (size_t)f.length[t] * sizeof(float)) != 0)
                atomic_fetch_add((atomic_int *)wrong, 1);
        lng_forget(&f);
        lng_set_error_handler(NULL, NULL);
        f.p.epsilon = -1;
        if (lng_layernormgrad(&f.p) != LNG_BAD_EPSILON ||
            lng_last_status() != LNG_BAD_EPSILON)
            atomic_fetch_add((atomic_int *)wrong, 1);
    }
    lng_teardown(&f);
    return NULL;
}

static void concurrent_problems(void **state)
{
    (void)state;
    static const int64_t sizes[4] = {96, 400, 400, 96};
    right = lng_setup(LNG_F32, sizes, AT_END);
    assert_int_equal(lng_layernormgrad(&right.p), LNG_OK);
    atomic_int wrong = 0;
    run_callers(compute_often, &wrong);
    assert_int_equal(atomic_load(&wrong), 0);
    lng_teardown(&right);
}

/* fork */

static int child_calls(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(meeting_of(1) && meeting_of(4) && meeting_of(9) ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void after_fork(void **state)
{
    (void)state;
    assert_true(meeting_of(6));
    for (int i = 0; i < 20; i++)
        assert_int_equal(child_calls(), 0);
    assert_true(meeting_of(6)); /* the parent's pool is as it was */
}

/* While others borrow and give back. */
static void fork_among_callers(void **state)
{
    (void)state;
    atomic_int wrong = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &wrong), 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(child_calls(), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
}

/* Threads that cannot be started */

/* In a child, whose pool is empty; n creations succeed. */
static void start_failure_body(int n)
{
    static const int64_t sizes[4] = {64, 4096, 4096, 64};
    atomic_int sum = 0;
    atomic_store(&allowed, n);
    if (lng_workers_run(6, add, &sum) != -1 || atomic_load(&sum) != 0)
        exit(1); /* nothing may have run */
    if (lng_workers_run(n + 1, add, &sum) != 0 ||
        atomic_load(&sum) != (n + 1) * (n + 2) / 2)
        exit(2); /* those that did start were given back */
    atomic_store(&sum, 0);
    struct lng_fixture f = lng_setup(LNG_F32, sizes, AT_END);
    struct lng_fixture g = lng_setup(LNG_F32, sizes, AT_END);
    f.p.workers = 6;
    if (lng_layernormgrad(&f.p) != LNG_BAD_WORKERS || !strstr(lng_status_text(), "6") ||
        lng_untouched(&f, DX) != f.length[DX])
        exit(3);
    f.p.workers = 0; /* a mask is an upper limit: one worker then */
    if (lng_layernormgrad(&f.p) != LNG_OK)
        exit(4);
    atomic_store(&allowed, 1 << 30);
    if (lng_workers_run(6, add, &sum) != 0 || atomic_load(&sum) != 21)
        exit(5);
    g.p.workers = 6;
    if (lng_layernormgrad(&g.p) != LNG_OK ||
        memcmp(f.tensor[DX], g.tensor[DX], (size_t)f.length[DX] * sizeof(float)) != 0)
        exit(6);
    exit(0);
}

static void start_failure(void **state)
{
    (void)state;
    for (int n = 0; n < 5; n++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            start_failure_body(n);
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        lng_assert(status == 0, "%d threads start: status 0x%x", n, (unsigned)status);
    }
}

/* Masks and processors */

static void masks(void **state)
{
    (void)state;
    const int n = lng_processors();
    uint64_t seed = 3;
    for (int i = 0; i < 2000; i++) {
        const uint32_t mask =
            i < 31 ? UINT32_C(1) << i : (uint32_t)lng_random(&seed) >> 1;
        uint32_t distinct = 0;
        int count = 0;
        for (int bit = 0; bit < 31; bit++)
            if (mask >> bit & 1 && !(distinct >> bit % n & 1)) {
                distinct |= UINT32_C(1) << bit % n;
                count++;
            }
        lng_assert(lng_mask_workers(mask) == count,
                   "mask 0x%x of %d processors: %d, not %d", mask, n,
                   lng_mask_workers(mask), count);
    }
}

/* Threads that a call starts, in a process that has none yet. */
static int threads_of_a_call(int64_t rows, uint32_t mask, int is_private)
{
    const pid_t child = fork();
    if (child == 0) {
        struct lng_fixture f =
            lng_setup(LNG_F32, (int64_t[]){64, rows, rows, 64}, AT_END);
        f.p.core_mask = mask;
        float *t[TENSORS];
        for (int i = 0; i < TENSORS; i++)
            t[i] = f.tensor[i];
        atomic_store(&created, 0);
        if (is_private)
            fp_layernormgrad_p(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], 64, (int)rows,
                               (int)rows, 64, t[DX], t[DG], t[DB]);
        else
            lng_layernormgrad(&f.p);
        _exit(lng_last_status() == LNG_OK ? atomic_load(&created) : 255);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The mask is an upper limit, nobody is woken for little, and _p works alone. */
static void mask_limits_the_threads(void **state)
{
    (void)state;
    const int others = lng_mask_workers(LNG_ALL_CORES) - 1;
    assert_int_equal(threads_of_a_call(8192, 1, 0), 0);
    assert_int_equal(threads_of_a_call(8192, LNG_ALL_CORES, 0),
                     others < 31 ? others : 30);
    assert_int_equal(threads_of_a_call(64, LNG_ALL_CORES, 0), 0);
    assert_int_equal(threads_of_a_call(8192, LNG_ALL_CORES, 1),
                     0); /* _p: one core works */
}

/* The processors are those that the process might use when the library was loaded; its
 * own affinity is not touched. */
static const char *self;

static void processors_at_load(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        cpu_set_t one;
        sched_getaffinity(0, sizeof one, &one);
        for (size_t i = 0, kept = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &one) && kept++)
                CPU_CLR(i, &one);
        sched_setaffinity(0, sizeof one, &one);
        execl(self, self, "one", (char *)NULL);
        _exit(errno == ENOEXEC ? 77 : 9);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("skipped: in an emulator that starts no other program\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static void affinity_is_left(void **state)
{
    (void)state;
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    assert_int_equal(lng_processors(), CPU_COUNT(&before));
    assert_true(meeting_of(3));
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return lng_processors() == 1 && lng_mask_workers(0x7fffffff) == 1 ? 0 : 1;
    self = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),
        cmocka_unit_test(mask_limits_the_threads),
        cmocka_unit_test(processors_at_load),
        cmocka_unit_test(start_failure),
        cmocka_unit_test(exact_counts),
        cmocka_unit_test(threads_are_kept),
        cmocka_unit_test(late_helpers),
        cmocka_unit_test(environment),
        cmocka_unit_test(nested),
        cmocka_unit_test(concurrent_callers),
        cmocka_unit_test(concurrent_problems),
        cmocka_unit_test(after_fork),
        cmocka_unit_test(fork_among_callers),
        cmocka_unit_test(affinity_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
