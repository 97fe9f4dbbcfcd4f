/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles: a folder with problem.txt, a .npy file an input and, where a kernel has run, a
 * .npy file an output. All tensors are of the problem's type. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verify/keyfile.h"
#include "verify/npy.h"

/* NAME.npy of the folder. */
static void *read_tensor(const char *folder, const char *name, lng_dtype dtype,
                         int64_t length, char *error, size_t size)
{
    char *path = lng_text("%s/%s.npy", folder, name);
    if (!path) {
        lng_complain(error, size, "%s: no memory", folder);
        return NULL;
    }
    void *tensor = lng_npy_read(path, (int)lng_dtype_size(dtype), length, error, size);
    free(path);
    return tensor;
}

static int has_tensor(const char *folder, const char *name)
{
    char *path = lng_text("%s/%s.npy", folder, name);
    const int found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* The last component, whatever slashes follow it. */
static char *name_of(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return lng_text("%.*s", (int)(end - start), path + start);
}

static struct lng_data *read_tensors(const char *folder, const lng_problem *shape,
                                     char *error, size_t size)
{
    struct lng_data *data = lng_data_new(shape);
    int bad = !data || !(data->name = name_of(folder));
    if (bad) {
        lng_complain(error, size, "%s: no memory", folder);
    }
    for (int i = 0; i < LNG_INPUTS && !bad; i++) {
        const struct lng_input input = lng_input_at(&data->problem, i);
        *input.tensor =
            read_tensor(folder, input.name, shape->dtype, input.length, error, size);
        bad = !*input.tensor;
    }
    for (int output = 0; output < LNG_OUTPUTS && !bad; output++) {
        const char *name = lng_output_name[output];
        if (has_tensor(folder, name)) {
            data->results[output] = read_tensor(
                folder, name, shape->dtype,
                lng_output_length(shape, (enum lng_output)output), error, size);
            bad = !data->results[output];
        }
    }
    if (bad) {
        lng_data_free(data);
        return NULL;
    }
    return data;
}

struct lng_data *lng_bundle_read(const char *path, char *error, size_t size)
{
    struct lng_keyfile file;
    lng_problem problem;
    struct lng_data *data = NULL;
    char *text = lng_text("%s/problem.txt", path);
    if (!text) {
        lng_complain(error, size, "%s: no memory", path);
        return NULL;
    }
    if (!lng_keyfile_read(&file, text, LNG_PROBLEM_KEYS, error, size) &&
        !lng_key_problem(&file, &problem)) {
        data = read_tensors(path, &problem, error, size);
    }
    if (data) {
        data->warning = lng_key_open_end(&file);
    }
    lng_keyfile_free(&file);
    free(text);
    return data;
}
