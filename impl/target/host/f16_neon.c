/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f16_neon
#include "vec/neon.h"
#include "vec/f16.h"
#include "body/rows.h"
#include "target/host/entry.h"
