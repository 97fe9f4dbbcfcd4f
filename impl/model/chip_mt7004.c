/* SPDX-License-Identifier: Apache-2.0 */
#include "model/chip.h"
#include "port/mt7004.h"

#define LNG_FIELD(name, value, unit, mark, source) .name = value,
#define LNG_OPERATION(kind, unit, per_cycle, mark, source)                               \
    .operations[LNG_##kind] = {LNG_UNIT_##unit, per_cycle},
const struct lng_chip lng_mt7004 = {
    .name = "mt7004",
#include "model/mt7004.def"
};
#undef LNG_FIELD
#undef LNG_OPERATION

#define LNG_FIELD(name, value, unit, mark, source)                                       \
    {#name, value, unit, LNG_MARK_##mark, source},
#define LNG_OPERATION(kind, unit, per_cycle, mark, source)                               \
    {#kind, per_cycle, "a cycle on " #unit, LNG_MARK_##mark, source},
const struct lng_chip_row lng_mt7004_rows[] = {
#include "model/mt7004.def"
    {0}};
