/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f32_avx512
#include "vec/avx512.h"
#include "vec/f32.h"
#include "body/rows.h"
#include "target/host/entry.h"
