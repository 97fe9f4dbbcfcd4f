/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* popen, mkdtemp */
#include "bench_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char folder[] = "/tmp/lng_bench_XXXXXX";
char output[1 << 20];

int open_folder(void)
{
    return mkdtemp(folder) ? 0 : -1;
}

void close_folder(void)
{
    rmdir(folder);
}

int run_with(const char *environment, const char *options, const char *redirect)
{
    char command[1024];
    snprintf(command, sizeof command, "%s %s %s %s", environment, LNG_BENCH, options,
             redirect);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int run(const char *options, const char *redirect)
{
    return run_with("", options, redirect);
}

cJSON *json_of(const char *options)
{
    static char text[sizeof output];
    char all[512], path[128];
    snprintf(path, sizeof path, "%s/out.json", folder);
    snprintf(all, sizeof all, "%s --benchmark_min_time=0.001 --json %s", options, path);
    if (run(all, "") != 0)
        return NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    remove(path);
    cJSON *result = cJSON_Parse(text);
    assert_non_null(result);
    return result;
}

int lines(void)
{
    int count = 0;
    for (const char *p = output; (p = strchr(p, '\n')); p++)
        count++;
    return count;
}

int rows(const char *start)
{
    int count = 0;
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, start, strlen(start)) == 0;
    }
    return count;
}

const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item)
        fail_msg("no key %s", key);
    return item;
}

double number(const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* By counting: as many at or below it as at or above it, and it is the middle of its two
 * neighbours where the count is even. */
double median_by_counting(const cJSON *times, int expected)
{
    const int n = cJSON_GetArraySize(times);
    assert_int_equal(n, expected);
    double low = INFINITY, high = INFINITY;
    const cJSON *a, *b;
    cJSON_ArrayForEach(a, times)
    {
        int upto = 0;
        assert_true(a->valuedouble > 0 && a->valuedouble < 10);
        cJSON_ArrayForEach(b, times) upto += b->valuedouble <= a->valuedouble;
        if (2 * upto >= n && a->valuedouble < low)
            low = a->valuedouble;
        if (2 * upto > n && a->valuedouble < high)
            high = a->valuedouble;
    }
    return (low + high) / 2;
}
