/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_STATUS_H
#define LNG_STATUS_H
#include "layernormgrad.h"

/* Keeps a status and its text (as by printf; NULL: none) for this thread, calls the
 * handler if it is an error, and returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
lng_status
lng_report(lng_status status, const char *format, ...);

#endif
