/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* isatty */
#include <sys/mman.h>
#include <unistd.h>

#include "verify/jobs.h"
#include "verify/mutants.h"
#include "verify/output.h"
#include "verify/result.h"

static int complain(const char *error)
{
    fprintf(stderr, "lng-verify: %s\n", error);
    return LNG_EXIT_USAGE;
}

/* The planted faults meet the smoke suite, whatever the kernels meet: its problems are
 * small, and every family and factoring comes early. */
static int run_mutants(struct lng_options *o, struct lng_planted *planted, char *error,
                       size_t size)
{
    struct lng_run run = o->run;
    if (lng_suite_make("smoke", o->seed, &o->planted_on) != 0)
        return snprintf(error, size, "no memory"), -1;
    run.suite = &o->planted_on;
    return lng_run_mutants(&run, planted, error, size);
}

static const char *nothing_selected(const struct lng_run *run)
{
    for (int k = 0; k < run->kernels_count; k++)
        if (!(run->entries >> LNG_GENERAL & 1) &&
            lng_kernel_find(run->kernels[k]->id) != run->kernels[k])
            return "nothing is selected: planted faults have the entry general alone";
    return "nothing is selected: no kernel takes a problem of the selection";
}

static int verify(struct lng_options *o, char *error, size_t size)
{
    const time_t start = time(NULL);
    struct lng_planted *planted = NULL;
    const size_t planted_size = (size_t)lng_mutants_count * sizeof *planted;
    if ((o->json && lng_result_probe(o->json, error, size) != 0) ||
        (o->junit && lng_result_probe(o->junit, error, size) != 0) ||
        lng_run_open(&o->run, error, size) != 0)
        return complain(error);
    if (o->run.units_count == 0)
        return complain(nothing_selected(&o->run));
    o->run.progress = isatty(STDERR_FILENO) && !o->quiet;
    if (o->mutants && !(planted = lng_shared_memory(planted_size)))
        return complain("no memory");
    if (lng_run_units(&o->run, error, size) != 0 ||
        (planted && run_mutants(o, planted, error, size) != 0))
        return complain(error);

    const struct lng_totals t = lng_count(o, planted);
    if ((o->json && lng_write_json(o, &t, planted, start, error, size) != 0) ||
        (o->junit && lng_write_junit(o, &t, error, size) != 0))
        return complain(error);
    lng_print_results(o, &t, planted);
    if (planted)
        munmap(planted, planted_size);
    if (t.failed)
        return LNG_EXIT_NOT_CONFORMANT;
    return t.passed ? LNG_EXIT_OK : LNG_EXIT_NOTHING_RAN;
}

int main(int argc, char **argv)
{
    struct lng_options options;
    char error[512] = "";
    int status = LNG_EXIT_OK;
    if (lng_options_read(&options, argc, argv, error, sizeof error) != 0)
        status = complain(error);
    else if (options.help)
        lng_options_help(stdout);
    else if (options.list)
        lng_print_list();
    else
        status = verify(&options, error, sizeof error);
    if (fflush(stdout) != 0 || ferror(stdout))
        status = complain("standard output: cannot be written");
    lng_run_close(&options.run);
    lng_options_free(&options);
    return status;
}
