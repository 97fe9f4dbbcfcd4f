/* SPDX-License-Identifier: Apache-2.0 */
#include "core/kernel.h"

extern double lng_port_epsilon; /* port/calls.h */
double lng_port_epsilon = LNG_DOCUMENTED_EPSILON;
