/* SPDX-License-Identifier: Apache-2.0 */
#include "model/chip.h"

const char *const lng_operation_names[LNG_OPERATIONS] = {
    [LNG_VECTOR_LOAD] = "vector load",
    [LNG_VECTOR_UNALIGNED] = "unaligned vector access",
    [LNG_VECTOR_STORE] = "vector store",
    [LNG_VECTOR_ADD] = "vector add",
    [LNG_VECTOR_MULTIPLY] = "vector multiply",
    [LNG_VECTOR_FUSED] = "vector multiply-add",
    [LNG_VECTOR_BITS] = "vector bits",
    [LNG_VECTOR_MOVE] = "vector move",
    [LNG_SCALAR_LOAD] = "scalar load",
    [LNG_SCALAR_STORE] = "scalar store",
    [LNG_SCALAR_ADD] = "scalar add",
    [LNG_SCALAR_MULTIPLY] = "scalar multiply",
    [LNG_SCALAR_FUSED] = "scalar multiply-add",
    [LNG_SCALAR_CONVERT] = "scalar conversion",
    [LNG_SCALAR_SEED] = "scalar seed",
};
