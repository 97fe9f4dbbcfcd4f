/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernel runs: the named, the thread's, the best under LNG_ISA. The library reads
 * the environment once, so every test is a child of its own, forked before the parent
 * makes any call. The scalar kernels are wrapped by the linker and count.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int scalar_runs;

lng_status __real_lng_run_f32_scalar(const struct lng_job *job);
lng_status __wrap_lng_run_f32_scalar(const struct lng_job *job);
lng_status __wrap_lng_run_f32_scalar(const struct lng_job *job)
{
    scalar_runs++;
    return __real_lng_run_f32_scalar(job);
}

/* In a child: no return to the parent's tests. */
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                      \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

static void in_child(const char *isa, void (*body)(const char *isa))
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (isa)
            setenv("LNG_ISA", isa, 1);
        else
            unsetenv("LNG_ISA");
        body(isa);
        exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    lng_assert(status == 0, "LNG_ISA=%s failed", isa ? isa : "(unset)");
}

/* How often the scalar kernel ran in a call: 1 or 0. */
static int runs_scalar(const char *kernel)
{
    static const int64_t sizes[4] = {5, 3, 3, 5};
    static struct lng_fixture f;
    if (!f.map)
        f = lng_setup(LNG_F32, sizes, AT_END);
    f.p.kernel = kernel;
    const int before = scalar_runs;
    CHECK(lng_layernormgrad(&f.p) == LNG_OK);
    return scalar_runs - before;
}

static const char *word_of(const struct lng_kernel *k)
{
    return strchr(k->id, '_') + 1;
}

/* The first available row of a type from the first of this word on, whatever its type
 * (NULL: from the first of all). */
static const struct lng_kernel *first_from(lng_dtype dtype, const char *word)
{
    int reached = word == NULL;
    for (size_t i = 0; i < lng_kernels_count; i++) {
        const struct lng_kernel *k = &lng_kernels[i];
        reached |= word && strcmp(word_of(k), word) == 0;
        if (reached && k->dtype == dtype && k->available())
            return k;
    }
    return NULL;
}

/* The rows tell which is best, and the best is what runs. */
static void check_best(const char *word)
{
    lng_kernel_info info;
    for (size_t i = 0; i < lng_kernel_count(); i++) {
        CHECK(lng_kernel_at(i, &info) == LNG_OK);
        CHECK(info.best == (&lng_kernels[i] == first_from(info.dtype, word)));
    }
    CHECK(runs_scalar(NULL) ==
          (strcmp(first_from(LNG_F32, word)->id, "f32_scalar") == 0));
}

static void known_word(const char *isa)
{
    check_best(isa);
    CHECK(!*lng_status_text());
}

static void no_word(const char *isa)
{
    (void)isa;
    check_best(NULL);
    CHECK(!*lng_status_text());
}

static void unknown_word(const char *isa)
{
    check_best(NULL);
    CHECK(lng_last_status() == LNG_OK);
    CHECK(strstr(lng_status_text(), "LNG_ISA"));
    CHECK(strstr(lng_status_text(), isa) || strlen(isa) > 50);
    CHECK(strlen(lng_status_text()) < 100);
}

static void isa(void **state)
{
    (void)state;
    in_child(NULL, no_word);
    in_child("", no_word);
    for (size_t i = 0; i < lng_kernels_count; i++)
        in_child(word_of(&lng_kernels[i]), known_word);
    char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    const char *const unknown[] = {"AVX2",       "avx",  "scalar ",
                                   "f32_scalar", "%s%n", longest};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        in_child(unknown[i], unknown_word);
}

static void table_body(const char *isa)
{
    (void)isa;
    lng_kernel_info info;
    int best[2] = {0};
    CHECK(lng_kernel_count() >= 2);
    for (size_t i = 0; i < lng_kernel_count(); i++) {
        CHECK(lng_kernel_at(i, &info) == LNG_OK);
        CHECK(strncmp(info.id, info.dtype == LNG_F16 ? "f16_" : "f32_", 4) == 0);
        CHECK(info.cores >= 1 && info.lanes >= 1 && *info.target && *info.accuracy);
        CHECK(!info.best || info.available);
        best[info.dtype] += info.best;
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(info.id, lng_kernels[k].id) != 0);
    }
    CHECK(best[LNG_F32] == 1 && best[LNG_F16] == 1);
    CHECK(lng_kernel_at(lng_kernel_count(), &info) == LNG_UNKNOWN_KERNEL);
    CHECK(lng_kernel_at(SIZE_MAX, &info) == LNG_UNKNOWN_KERNEL);
    CHECK(lng_kernel_at(0, NULL) == LNG_NULL_POINTER);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", LNG_VERSION_MAJOR, LNG_VERSION_MINOR,
             LNG_VERSION_PATCH);
    CHECK(strcmp(lng_version(), version) == 0);
    CHECK(strstr(lng_build_info(), "commit=") && strstr(lng_build_info(), "flags="));
}

static void table(void **state)
{
    (void)state;
    in_child(NULL, table_body);
}

/* Another thread's calls are not forced. */
static void *other_thread(void *scalar)
{
    *(int *)scalar = runs_scalar(NULL);
    return NULL;
}

static void force_body(const char *isa)
{
    (void)isa;
    const char *best = first_from(LNG_F32, NULL)->id;
    const int best_is_scalar = strcmp(best, "f32_scalar") == 0;
    pthread_t thread;
    int scalar = -1;
    CHECK(runs_scalar(NULL) == best_is_scalar && runs_scalar("f32_scalar") == 1);
    CHECK(lng_force_kernel("f32_scalar") == LNG_OK);
    CHECK(runs_scalar(NULL) == 1 && runs_scalar(best) == best_is_scalar);
    CHECK(pthread_create(&thread, NULL, other_thread, &scalar) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && scalar == best_is_scalar);
    CHECK(lng_force_kernel("no such") == LNG_UNKNOWN_KERNEL && runs_scalar(NULL) == 1);
    CHECK(lng_force_kernel("f16_scalar") == LNG_OK); /* leaves single to the best */
    CHECK(runs_scalar(NULL) == best_is_scalar);
    CHECK(lng_force_kernel("f32_scalar") == LNG_OK && lng_force_kernel(NULL) == LNG_OK);
    CHECK(runs_scalar(NULL) == best_is_scalar);
}

static void force(void **state)
{
    (void)state;
    in_child(NULL, force_body);
}

/* What is named or forced is no choice of the best: LNG_ISA does not cap it. */
static void uncapped_body(const char *isa)
{
    (void)isa;
    const char *best = first_from(LNG_F32, NULL)->id;
    CHECK(runs_scalar(NULL) == 1);
    CHECK(runs_scalar(best) == (strcmp(best, "f32_scalar") == 0));
    CHECK(lng_force_kernel(best) == LNG_OK);
    CHECK(runs_scalar(NULL) == (strcmp(best, "f32_scalar") == 0));
}

static void named_under_isa(void **state)
{
    (void)state;
    in_child("scalar", uncapped_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isa),
        cmocka_unit_test(table),
        cmocka_unit_test(force),
        cmocka_unit_test(named_under_isa),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
