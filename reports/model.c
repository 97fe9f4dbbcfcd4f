/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

const char *const lng_outcome_name[] = {"FAIL", "NOTHING RUN", "PASS", "no verdict"};

void *lng_model_room(struct lng_reader *r, const cJSON *array, size_t size)
{
    size_t count = (size_t)cJSON_GetArraySize(array);
    void *elements = calloc(count ? count : 1, size);
    if (!elements)
        lng_read_error(r, "no memory for %zu entries", count);
    return elements;
}

const char *lng_model_dtype(struct lng_reader *r, const cJSON *object)
{
    static const char *const words[] = {"fp32", "fp16"};
    return words[lng_read_choice(r, object, "dtype", words, 2, "fp32 or fp16")];
}

struct lng_sizes lng_model_sizes(struct lng_reader *r, const cJSON *object)
{
    int64_t n[4] = {1, 1, 1, 1};
    const cJSON *sizes = lng_read_array(r, object, "sizes"), *item;
    int count = 0;
    cJSON_ArrayForEach(item, sizes)
    {
        if (count == 4 || !lng_is_whole(item))
            break;
        n[count++] = (int64_t)item->valuedouble;
    }
    if (sizes && (item || count != 4))
        lng_read_error(r, "%ssizes: expected four whole numbers", r->where);
    return (struct lng_sizes){n[0], n[1], n[2], n[3]};
}

/* ---- Kernels ----------------------------------------------------------------------- */

static void read_kernels(struct lng_reader *r, struct lng_result *result,
                         const cJSON *root)
{
    const cJSON *kernels = lng_read_array(r, root, "kernels"), *item;
    result->rows = lng_model_room(r, kernels, sizeof *result->rows);
    cJSON_ArrayForEach(item, kernels)
    {
        lng_read_enter(r, "kernels", result->rows_count, item);
        struct lng_row row = {.id = lng_read_text(r, item, "id"),
                              .dtype = lng_model_dtype(r, item),
                              .target = lng_read_text(r, item, "target"),
                              .accuracy = lng_read_text(r, item, "class"),
                              .available = lng_read_truth(r, item, "available"),
                              .best = lng_read_truth(r, item, "best")};
        if (r->error[0])
            return;
        result->rows[result->rows_count++] = row;
    }
    lng_read_below(r, "");
}

size_t lng_model_row(struct lng_reader *r, struct lng_result *result, const cJSON *unit)
{
    const char *id = lng_read_text(r, unit, "kernel"), *dtype = lng_model_dtype(r, unit);
    if (r->error[0])
        return 0;
    for (size_t i = 0; i < result->rows_count; i++)
        if (strcmp(result->rows[i].id, id) == 0 &&
            strcmp(result->rows[i].dtype, dtype) == 0)
            return i;
    struct lng_row *rows =
        realloc(result->rows, (result->rows_count + 1) * sizeof *result->rows);
    if (!rows) {
        lng_read_error(r, "no memory for the kernels");
        return 0;
    }
    result->rows = rows;
    rows[result->rows_count] = (struct lng_row){
        .id = id, .dtype = dtype, .target = "", .accuracy = "", .available = 1};
    return result->rows_count++;
}

/* ---- lng-bench --------------------------------------------------------------------- */

static void read_times(struct lng_reader *r, struct lng_timing *timing, const cJSON *unit)
{
    const cJSON *times = lng_read_array(r, unit, "times"), *item;
    timing->least = INFINITY;
    cJSON_ArrayForEach(item, times)
    {
        if (!lng_is_positive(item)) {
            lng_read_error(r, "%stimes[%zu]: expected a finite number above 0", r->where,
                           timing->repetitions);
            return;
        }
        timing->least = fmin(timing->least, item->valuedouble);
        timing->most = fmax(timing->most, item->valuedouble);
        timing->repetitions++;
    }
    if (!timing->predicted && !timing->repetitions)
        lng_read_error(r, "%stimes: is empty", r->where);
    if (timing->predicted && timing->repetitions)
        lng_read_error(r, "%stimes: expected none, for it is predicted", r->where);
}

/* A kernel is measured or predicted, in one file never both. */
static void refuse_mixture(struct lng_reader *r, const struct lng_result *result,
                           const struct lng_timing *timing)
{
    for (size_t i = 0; i < result->timings_count; i++)
        if (result->timings[i].row == timing->row &&
            result->timings[i].predicted != timing->predicted)
            lng_read_error(r, "%spredicted: expected %s, as for %s before", r->where,
                           timing->predicted ? "false" : "true",
                           result->rows[timing->row].id);
}

static void read_timings(struct lng_reader *r, struct lng_result *result,
                         const cJSON *root)
{
    const cJSON *units = lng_read_array(r, root, "units"), *item;
    result->timings = lng_model_room(r, units, sizeof *result->timings);
    cJSON_ArrayForEach(item, units)
    {
        lng_read_enter(r, "units", result->timings_count, item);
        struct lng_timing timing = {.row = lng_model_row(r, result, item),
                                    .dtype = lng_model_dtype(r, item),
                                    .entry = lng_read_text(r, item, "entry"),
                                    .sizes = lng_model_sizes(r, item),
                                    .cores = lng_read_positive(r, item, "cores"),
                                    .median = lng_read_positive(r, item, "median"),
                                    .bytes = lng_read_positive(r, item, "bytes"),
                                    .elements = lng_read_positive(r, item, "elements"),
                                    .predicted = lng_read_truth(r, item, "predicted"),
                                    .roof_fraction = NAN};
        /* A model has no loop to run beside it: a prediction may come without a roof. */
        if (!timing.predicted || cJSON_GetObjectItemCaseSensitive(item, "roof_fraction"))
            timing.roof_fraction = lng_read_real(r, item, "roof_fraction");
        if (timing.predicted) {
            timing.cycles = lng_read_positive(r, item, "cycles");
            timing.compute = lng_read_real(r, item, "compute_cycles");
            timing.transfer = lng_read_real(r, item, "transfer_cycles");
        }
        read_times(r, &timing, item);
        if (!r->error[0])
            refuse_mixture(r, result, &timing);
        if (r->error[0])
            return;
        result->timings[result->timings_count++] = timing;
        result->predictions_count += (size_t)timing.predicted;
    }
    lng_read_below(r, "");
}

/* ---- The file ---------------------------------------------------------------------- */

static void read_head(struct lng_reader *r, struct lng_result *result, const cJSON *root)
{
    static const char *const schemas[] = {"lng-result/1"};
    static const char *const tools[] = {"lng-verify", "lng-bench"};
    lng_read_choice(r, root, "schema", schemas, 1, "lng-result/1");
    result->tool = (enum lng_tool)lng_read_choice(r, root, "tool", tools, 2,
                                                  "lng-verify or lng-bench");
    result->version = lng_read_text(r, root, "version");
    result->commit = lng_read_text(r, root, "commit");
    result->date = lng_read_text(r, root, "date");
    result->suite = lng_read_text(r, root, "suite");
    result->suite_hash = lng_read_text(r, root, "suite_hash");
    result->seed = lng_read_text(r, root, "seed");
    result->complete = lng_read_truth(r, root, "complete");

    const cJSON *shard = lng_read_object(r, root, "shard");
    const cJSON *machine = lng_read_object(r, root, "machine");
    lng_read_below(r, "shard.");
    result->shard_i = lng_read_whole(r, shard, "i");
    result->shard_n = lng_read_whole(r, shard, "n");
    lng_read_below(r, "machine.");
    result->machine =
        (struct lng_machine){.cpu = lng_read_text(r, machine, "cpu"),
                             .os = lng_read_text(r, machine, "os"),
                             .compiler = lng_read_text(r, machine, "compiler"),
                             .flags = lng_read_text(r, machine, "flags"),
                             .isa = lng_read_text(r, machine, "isa"),
                             .processors = lng_read_whole(r, machine, "processors"),
                             .memory_bytes = lng_read_whole(r, machine, "memory_bytes")};
    lng_read_below(r, "");
}

int lng_result_read(struct lng_result *result, const char *file, char *error, size_t size)
{
    struct lng_reader r = {.file = file, .error = error, .size = size};
    error[0] = 0;
    *result = (struct lng_result){.file = file};
    cJSON *root = result->json = lng_read_json(&r);
    read_head(&r, result, root);
    read_kernels(&r, result, root);
    if (result->tool == LNG_BENCH) {
        result->pinning = lng_read_text(&r, root, "pinning");
        read_timings(&r, result, root);
    } else {
        lng_model_verify(&r, result, root);
    }
    return error[0] ? -1 : 0;
}

void lng_result_free(struct lng_result *result)
{
    free(result->rows);
    free(result->profiles);
    free(result->ways);
    free(result->units);
    free(result->timings);
    free(result->families);
    free(result->factorings);
    free(result->mutants);
    cJSON_Delete(result->json);
}

enum lng_outcome lng_result_outcome(const struct lng_result *result)
{
    if (result->tool != LNG_VERIFY)
        return LNG_NOT_JUDGED;
    if (result->totals[LNG_CHECK_FAILED] > 0 || !result->complete)
        return LNG_FAIL;
    return result->totals[LNG_CHECK_PASSED] > 0 ? LNG_PASS : LNG_NOTHING_RUN;
}

enum lng_outcome lng_results_outcome(const struct lng_result *results, size_t count)
{
    enum lng_outcome worst = LNG_NOT_JUDGED;
    for (size_t i = 0; i < count; i++) {
        enum lng_outcome outcome = lng_result_outcome(&results[i]);
        worst = outcome < worst ? outcome : worst;
    }
    return worst;
}
