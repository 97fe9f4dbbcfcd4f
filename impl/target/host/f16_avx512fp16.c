/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f16_avx512fp16
#include "vec/avx512.h"
#include "vec/f16.h"
#include "body/rows.h"
#include "target/host/entry.h"
