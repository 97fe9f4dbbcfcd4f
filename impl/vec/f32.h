/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of binary32. */
#define LNG_ELEMENT float
#define LNG_TYPED(word) word##_f32
#include "vec/tensor.h"
