/* SPDX-License-Identifier: Apache-2.0 */
#include "port/ft78ne.h"
#include "verify/staging.h"

#include "target/ft78ne/f32_ft78ne.c"
