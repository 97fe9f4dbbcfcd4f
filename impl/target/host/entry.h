/* SPDX-License-Identifier: Apache-2.0 */
/* Included last by a kernel of the host: its body as the function lng_run_<LNG_ID>. */
#include "body/tiles.h"
#include "target/host/host.h"

#define LNG_RUN_OF(id) LNG_RUN_(id)
#define LNG_RUN_(id) lng_run_##id
lng_status LNG_RUN_OF(LNG_ID)(const struct lng_job *job);
lng_status LNG_RUN_OF(LNG_ID)(const struct lng_job *job)
{
    static const struct lng_host_body body = {
        lng_do_gamma, lng_do_sums, lng_do_coefficients, lng_do_tile, lng_do_combine};
    return lng_host_run(job, &body);
}
