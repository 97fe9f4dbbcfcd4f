/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arch.h"

int lng_has_scalar(void)
{
    return 1;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

int lng_has_avx2(void)
{
    /* clang 14 does not know the word f16c; and in a virtual machine the instruction that
     * tells can take 20 us, which is why it is asked once. */
    static atomic_int f16c = -1;
    if (f16c < 0) {
        unsigned eax, ebx, ecx, edx;
        f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
    }
    return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
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
