/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f32_neon
#include "vec/neon.h"
#include "vec/f32.h"
#include "body/rows.h"
#include "target/host/entry.h"
