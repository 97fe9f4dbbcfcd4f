/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arch.h"

int lng_has_scalar(void)
{
    return 1;
}

#if defined(__x86_64__)
#include <cpuid.h>

int lng_has_avx2(void)
{
    unsigned eax, ebx, ecx, edx; /* clang 14 does not know the word f16c */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
}

int lng_has_avx512(void)
{
    return lng_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq");
}
#elif defined(__aarch64__)
int lng_has_neon(void)
{
    return 1; /* part of the architecture */
}
#endif
