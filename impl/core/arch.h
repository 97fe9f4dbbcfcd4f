/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_ARCH_H
#define LNG_ARCH_H
/*
 * The one file, with arch.c, that asks for compiler and architecture: which rows of
 * variants.def exist here, and the floating-point environment that every worker computes
 * in.
 */
#include <stdint.h>

#define LNG_ON_any(...) __VA_ARGS__
#if defined(__x86_64__)
#define LNG_ON_x86(...) __VA_ARGS__
#define LNG_ON_arm(...)
#elif defined(__aarch64__)
#define LNG_ON_x86(...)
#define LNG_ON_arm(...) __VA_ARGS__
#else
#define LNG_ON_x86(...)
#define LNG_ON_arm(...)
#endif

#if defined(__GNUC__)
#define LNG_INLINE static inline __attribute__((always_inline))
#else
#define LNG_INLINE static inline
#endif

/* A double is a double: no wider evaluation, no reordering. */
#include <float.h>
#if FLT_EVAL_METHOD != 0
#error "layernormgrad needs FLT_EVAL_METHOD 0 (on x86: -msse2 -mfpmath=sse)"
#endif
#if defined(__FAST_MATH__)
#error "layernormgrad must not be compiled with -ffast-math"
#endif

/* Round to nearest even, gradual underflow, no traps; lng_fp_leave restores what was
 * found. In such a state, bits LNG_FP_FLUSH flush subnormals, in and out, and
 * LNG_FP_RAISED are the exceptions raised so far. */
#if defined(__x86_64__)
#include <xmmintrin.h>
typedef unsigned lng_fp_state;
enum { LNG_FP_FLUSH = 0x8040, LNG_FP_RAISED = 0x3f };
static inline lng_fp_state lng_fp_enter(void)
{
    unsigned found = _mm_getcsr();
    _mm_setcsr(0x1f80);
    return found;
}
static inline void lng_fp_leave(lng_fp_state found)
{
    _mm_setcsr(found);
}
#elif defined(__aarch64__)
typedef uint64_t lng_fp_state;
enum { LNG_FP_FLUSH = 1 << 24, LNG_FP_RAISED = 0 }; /* those are in FPSR */
static inline lng_fp_state lng_fp_enter(void)
{
    uint64_t found;
    __asm__ volatile("mrs %0, fpcr" : "=r"(found));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return found;
}
static inline void lng_fp_leave(lng_fp_state found)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(found));
}
#else
#include <fenv.h>
typedef int lng_fp_state;
enum { LNG_FP_FLUSH = 0, LNG_FP_RAISED = 0 };
static inline lng_fp_state lng_fp_enter(void)
{
    int found = fegetround();
    fesetround(FE_TONEAREST);
    return found;
}
static inline void lng_fp_leave(lng_fp_state found)
{
    fesetround(found);
}
#endif

/* Brings the line of an address into the second cache. No address is wrong. */
LNG_INLINE void lng_prefetch(uintptr_t address)
{
#if defined(__GNUC__)
    __builtin_prefetch((const void *)address, 0, 2);
#else
    (void)address;
#endif
}

/* Inside a loop that waits for another processor. */
LNG_INLINE void lng_relax(void)
{
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Availability of the rows: what this processor and its operating system offer. Each is
 * defined where its rows are built. */
int lng_has_scalar(void);
int lng_has_avx2(void);
int lng_has_avx512(void);
int lng_has_avx512fp16(void);
int lng_has_neon(void);

#endif
