/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_STUB_PORT_H
#define LNG_STUB_PORT_H
/* A port of either chip that only declares: what a kernel needs beyond it is what the
 * object file does not define (ci/test/freestanding.sh). */
#include <stdint.h>

#include "port/calls.h"

#define LNG_VOCABULARY extern

typedef struct {
    float element[2];
} lng_f2;

typedef struct {
    float lane[16];
} lng_f16;

typedef struct {
    uint32_t lane[16];
} lng_i16;

#endif
