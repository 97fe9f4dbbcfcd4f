/* SPDX-License-Identifier: Apache-2.0 */
#include "target/dsp/dsp.h"
#include "target/host/host.h"
const int64_t lng_dsp_thresholds[] = {0};
const struct lng_grain lng_ft78ne_grain = {8, 4096, 1024, 8};
const struct lng_grain lng_mt7004_grain = {8, 4096, 1024, 8};
size_t lng_dsp_workspace(const struct lng_plan *plan)
{
    return lng_host_workspace(plan);
}
