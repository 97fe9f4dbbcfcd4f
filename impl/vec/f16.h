/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of binary16. */
#define LNG_ELEMENT uint16_t
#define LNG_TYPED(word) word##_f16
#include "vec/tensor.h"
