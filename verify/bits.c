/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/bits.h"

#include <string.h>

#include "ref/oracle.h"
#include "verify/result.h"

static uint32_t bits_of(lng_dtype dtype, const void *tensor, int64_t i)
{
    if (dtype == LNG_F16) {
        const uint16_t h = ((const uint16_t *)tensor)[i];
        return (h & 0x7fff) > 0x7c00 ? 0x7e00 : h;
    }
    const uint32_t s = ((const uint32_t *)tensor)[i];
    return (s & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : s;
}

uint64_t lng_bits_hash(uint64_t hash, lng_dtype dtype, const void *tensor, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t v = bits_of(dtype, tensor, i);
        const unsigned char bytes[] = {(unsigned char)v, (unsigned char)(v >> 8),
                                       (unsigned char)(v >> 16),
                                       (unsigned char)(v >> 24)};
        hash = lng_result_hash_bytes(hash, bytes, lng_dtype_size(dtype));
    }
    return hash;
}

int64_t lng_bits_differ(lng_dtype dtype, const void *a, const void *b, int64_t n)
{
    if (memcmp(a, b, (size_t)n * lng_dtype_size(dtype)) == 0)
        return -1;
    for (int64_t i = 0; i < n; i++)
        if (bits_of(dtype, a, i) != bits_of(dtype, b, i))
            return i;
    return -1;
}
