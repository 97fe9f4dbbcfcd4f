/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_BITS_H
#define LNG_VERIFY_BITS_H
/*
 * The bits of tensors: of a NaN only that it is one, of a zero also its sign.
 */
#include <stdint.h>

#include "layernormgrad.h"

/* Continues a hash of result.h with n elements: the bytes of each, lowest first; a NaN as
 * 0x7fc00000 or 0x7e00. */
uint64_t lng_bits_hash(uint64_t hash, lng_dtype dtype, const void *tensor, int64_t n);

/* The first of n elements whose bits differ; -1: none. */
int64_t lng_bits_differ(lng_dtype dtype, const void *a, const void *b, int64_t n);

#endif
