/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arch.h"

int lng_has_scalar(void)
{
    return 1;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* Two words that clang 14 does not know. In a virtual machine the instruction that tells
 * can take 20 us, which is why it is asked once. */
enum { F16C = 1, AVX512FP16 = 2 };

static int asked(void)
{
    static atomic_int known = -1;
    if (known < 0) {
        unsigned eax, ebx, ecx, edx;
        const int f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
        const int fp16 =
            __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx >> 23 & 1);
        known = f16c * F16C + fp16 * AVX512FP16;
    }
    return known;
}

int lng_has_avx2(void)
{
    return (asked() & F16C) && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("fma");
}

int lng_has_avx512(void)
{
    return lng_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq");
}

int lng_has_avx512fp16(void)
{
    return lng_has_avx512() && (asked() & AVX512FP16);
}
#elif defined(__aarch64__)
int lng_has_neon(void)
{
    return 1; /* part of the architecture */
}
#endif
