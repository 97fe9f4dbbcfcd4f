/* SPDX-License-Identifier: Apache-2.0 */
#include "target/mt7004/mt7004.h"
#include "target/host/host.h"
const int64_t lng_mt7004_thresholds[] = {0};
const struct lng_grain lng_mt7004_grain = {8, 4096, 1024, 8};
size_t lng_mt7004_workspace(const struct lng_plan *plan)
{
    return lng_host_workspace(plan);
}
