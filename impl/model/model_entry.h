/* SPDX-License-Identifier: Apache-2.0 */
/* LNG_PORT_KERNEL over the model: the run function of the table's row. */
#include "target/dsp/dsp.h"

#define LNG_PORT_KERNEL(id, program) LNG_MODEL_KERNEL(id, LNG_CHIP, program)
#define LNG_MODEL_KERNEL(id, chip, program)                                              \
    lng_status lng_run_##id(const struct lng_job *job);                                  \
    lng_status lng_run_##id(const struct lng_job *job)                                   \
    {                                                                                    \
        return lng_dsp_run(job, &chip, program);                                         \
    }
