/* SPDX-License-Identifier: Apache-2.0 */
/* Problems: what holds them, the generator, and the way to cases and bundles. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/inputs.h"

struct lng_input lng_input_at(lng_problem *problem, int i)
{
    const int64_t elements = problem->block_num * problem->block_size;
    switch (i) {
    case 0:
        return (struct lng_input){"x", elements, &problem->x};
    case 1:
        return (struct lng_input){"dy", elements, &problem->dy};
    case 2:
        return (struct lng_input){"mean", problem->block_num, &problem->mean};
    case 3:
        return (struct lng_input){"var", problem->block_num, &problem->var};
    default:
        return (struct lng_input){"gamma", problem->param_num, &problem->gamma};
    }
}

const char *lng_factoring(const lng_problem *problem)
{
    if (problem->param_num == problem->block_size) {
        return "usual";
    }
    if (problem->param_num % problem->block_size == 0) {
        return "longer";
    }
    return problem->block_size % problem->param_num == 0 ? "shorter" : "mixed";
}

double lng_rounded(lng_dtype dtype, double value)
{
    float place; /* large and aligned enough for either type */
    lng_tensor_set(dtype, &place, 0, value);
    return lng_tensor_get(dtype, &place, 0);
}

char *lng_text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, list);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(list);
    return text;
}

int lng_complain(char *error, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error, size, format, list);
    va_end(list);
    for (char *c = error; size > 0 && *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
    return -1;
}

struct lng_data *lng_data_new(const lng_problem *shape)
{
    struct lng_data *data = calloc(1, sizeof(*data));
    if (data) {
        data->problem = (lng_problem){.dtype = shape->dtype,
                                      .param_num = shape->param_num,
                                      .param_size = shape->param_size,
                                      .block_num = shape->block_num,
                                      .block_size = shape->block_size,
                                      .epsilon = shape->epsilon,
                                      .core_mask = 1};
    }
    return data;
}

int lng_data_allocate(struct lng_data *data)
{
    for (int i = 0; i < LNG_INPUTS; i++) {
        const struct lng_input input = lng_input_at(&data->problem, i);
        const size_t length = input.length > 0 ? (size_t)input.length : 1;
        *input.tensor = calloc(length, lng_dtype_size(data->problem.dtype));
        if (!*input.tensor) {
            return -1;
        }
    }
    return 0;
}

void lng_data_free(struct lng_data *data)
{
    if (!data) {
        return;
    }
    for (int i = 0; i < LNG_INPUTS; i++) {
        free((void *)*lng_input_at(&data->problem, i).tensor);
    }
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        free(data->expected[output].words);
        free(data->results[output]);
    }
    free(data->name);
    free(data->options);
    free(data->warning);
    free(data);
}

/* ---- The generator ------------------------------------------------------------- */

char *lng_spec_options(const struct lng_spec *spec)
{
    char sizes[96], epsilon[48] = "";
    if (spec->param_num == spec->block_size) {
        snprintf(sizes, sizeof(sizes), "--shape %" PRId64 "x%" PRId64, spec->block_num,
                 spec->block_size);
    } else {
        snprintf(sizes, sizeof(sizes),
                 "--sizes %" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, spec->param_num,
                 spec->param_size, spec->block_num, spec->block_size);
    }
    if (spec->epsilon != spec->family->epsilon) {
        snprintf(epsilon, sizeof(epsilon), " --epsilon %.17g", spec->epsilon);
    }
    return lng_text("%s --dtype %s --input %s --seed 0x%" PRIx64 "%s", sizes,
                    spec->dtype == LNG_F16 ? "fp16" : "fp32", spec->family->name,
                    spec->seed, epsilon);
}

/* GSL's Mersenne twister takes 32 bits of its seed. All 64 of ours reach them through
 * the finaliser of splitmix64: seeds that differ in one bit have nothing in common. */
static unsigned long mixed(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
    return (seed ^ (seed >> 31)) & 0xffffffffu;
}

/* The family fills copies in double, which are then rounded to the type. */
static int fill_inputs(struct lng_data *data, uint64_t seed)
{
    double *copies[LNG_INPUTS] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int complete = rng != NULL;
    for (int i = 0; i < LNG_INPUTS; i++) {
        const int64_t length = lng_input_at(&data->problem, i).length;
        copies[i] = calloc(length > 0 ? (size_t)length : 1, sizeof(double));
        complete = complete && copies[i];
    }
    if (complete) {
        struct lng_fill fill = {&data->problem, copies[0], copies[1],
                                copies[2],      copies[3], copies[4]};
        gsl_rng_set(rng, mixed(seed));
        data->family->fill(&fill, rng);
        for (int i = 0; i < LNG_INPUTS; i++) {
            const struct lng_input input = lng_input_at(&data->problem, i);
            void *tensor = (void *)*input.tensor;
            for (int64_t j = 0; j < input.length; j++) {
                lng_tensor_set(data->problem.dtype, tensor, j, copies[i][j]);
            }
        }
    }
    for (int i = 0; i < LNG_INPUTS; i++) {
        free(copies[i]);
    }
    gsl_rng_free(rng);
    return complete ? 0 : -1;
}

struct lng_data *lng_data_generate(const struct lng_spec *spec)
{
    gsl_set_error_handler_off();
    struct lng_data *data = lng_data_new(&(lng_problem){.dtype = spec->dtype,
                                                        .param_num = spec->param_num,
                                                        .param_size = spec->param_size,
                                                        .block_num = spec->block_num,
                                                        .block_size = spec->block_size,
                                                        .epsilon = spec->epsilon});
    if (!data) {
        return NULL;
    }
    data->family = spec->family;
    data->options = lng_spec_options(spec);
    if (!data->options || lng_data_allocate(data) || fill_inputs(data, spec->seed)) {
        lng_data_free(data);
        return NULL;
    }
    return data;
}

/* ---- Cases and bundles --------------------------------------------------------- */

/* The path as a word of a shell: as it is where nothing in it means anything there, else
 * between quotes. */
static char *options_of_file(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./+-,:=@%";
    if (*path && path[strspn(path, plain)] == '\0') {
        return lng_text("--case %s", path);
    }
    char *quoted = malloc(4 * strlen(path) + 1);
    if (!quoted) {
        return NULL;
    }
    char *to = quoted;
    for (const char *from = path; *from; from++) {
        if (*from == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    char *text = lng_text("--case '%s'", quoted);
    free(quoted);
    return text;
}

struct lng_data *lng_data_read(const char *path, char *error, size_t size)
{
    struct stat about;
    if (stat(path, &about)) {
        lng_complain(error, size, "%s: %s, expected a case file or a bundle", path,
                     strerror(errno));
        return NULL;
    }
    struct lng_data *data = S_ISDIR(about.st_mode) ? lng_bundle_read(path, error, size)
                                                   : lng_case_read(path, error, size);
    if (data && !(data->options = options_of_file(path))) {
        lng_complain(error, size, "%s: no memory", path);
        lng_data_free(data);
        return NULL;
    }
    return data;
}

struct search {
    int (*found)(const char *path, void *user);
    void *user;
    int64_t count;
    char *error;
    size_t size;
};

/* Bytes, not the order of some locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_bundle(const char *folder)
{
    char *problem = lng_text("%s/problem.txt", folder);
    const int found = problem && access(problem, F_OK) == 0;
    free(problem);
    return found;
}

static int is_case(const char *path)
{
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".case") == 0;
}

static int find_below(struct search *search, const char *folder);

/* An entry of a folder. A link to a folder may lead back up: it is taken where it is a
 * bundle, and not searched. */
static int find_at(struct search *search, const char *path)
{
    struct stat about, link;
    if (lstat(path, &link) || stat(path, &about)) {
        return 0; /* a link to nowhere, or gone since the folder was read */
    }
    const int folder = S_ISDIR(about.st_mode);
    if (folder ? is_bundle(path) : is_case(path)) {
        search->count++;
        return search->found(path, search->user);
    }
    return folder && !S_ISLNK(link.st_mode) ? find_below(search, path) : 0;
}

static int find_below(struct search *search, const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, not_hidden, by_name);
    if (count < 0) {
        return lng_complain(search->error, search->size, "%s: %s, expected a folder",
                            folder, strerror(errno));
    }
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    int answer = 0;
    for (int i = 0; i < count; i++) {
        if (answer == 0) {
            char *path = lng_text("%s%s%s", folder, slash, entries[i]->d_name);
            answer =
                path ? find_at(search, path)
                     : lng_complain(search->error, search->size, "%s: no memory", folder);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return answer;
}

int lng_data_find(const char *path, int (*found)(const char *path, void *user),
                  void *user, char *error, size_t size)
{
    struct search search = {found, user, 0, error, size};
    struct stat about;
    if (stat(path, &about)) {
        return lng_complain(error, size,
                            "%s: %s, expected a case file, a bundle or a folder", path,
                            strerror(errno));
    }
    if (!S_ISDIR(about.st_mode) || is_bundle(path)) {
        return found(path, user);
    }
    const int answer = find_below(&search, path);
    if (answer == 0 && search.count == 0) {
        return lng_complain(error, size,
                            "%s: nothing in it, expected *.case files or bundles", path);
    }
    return answer;
}
