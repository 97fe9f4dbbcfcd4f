/* SPDX-License-Identifier: Apache-2.0 */
/* What the public header has for DSPs, in the library of the host. */
#include "core/status.h"

void *lng_device_alloc(enum lng_memory level, int core, size_t bytes)
{
    (void)level, (void)core, (void)bytes;
    lng_report(LNG_NOT_SUPPORTED, "this library is of a host: any memory will do");
    return NULL;
}

void lng_device_free(void *memory)
{
    (void)memory;
}

lng_status lng_model_flush(int on)
{
    (void)on;
    return lng_report(LNG_NOT_SUPPORTED, "this library is of a host: it has no model");
}
