/* SPDX-License-Identifier: Apache-2.0 */
#define LNG_ID f32_mt7004
#include "vec/scalar.h"
#include "vec/f32.h"
#include "body/rows.h"
#include "body/tiles.h"
#include "target/dsp/standin.h"
lng_status lng_run_f32_mt7004(const struct lng_job *job);
lng_status lng_run_f32_mt7004(const struct lng_job *job)
{
    return standin_run(job, &lng_mt7004);
}
