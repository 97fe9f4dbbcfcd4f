/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/staging_mt7004.h"

#include "target/mt7004/f32_mt7004.c"
