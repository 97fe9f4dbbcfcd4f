/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* gmtime_r, sysconf(_SC_PHYS_PAGES) */
#include "verify/result.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/workers.h"

static const char *tool_name = "layernormgrad";

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        fprintf(stderr, "%s: no memory for its results\n", tool_name);
        exit(2);
    }
    return memory;
}

const char *lng_result_dtype(lng_dtype dtype)
{
    return dtype == LNG_F16 ? "fp16" : "fp32";
}

cJSON *lng_result_number(double v)
{
    if (isnan(v))
        return cJSON_CreateString("nan");
    if (isinf(v))
        return cJSON_CreateString(v > 0 ? "inf" : "-inf");
    /* cJSON's own printing keeps 15 digits where they are within an epsilon. */
    char text[32];
    snprintf(text, sizeof text, "%.17g", v);
    return cJSON_CreateRaw(text);
}

uint64_t lng_result_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t lng_result_hash(uint64_t hash, const char *text)
{
    return lng_result_hash_bytes(hash, text, strlen(text));
}

/* lng_build_info is "commit=... compiler=... flags=...", the values with blanks. */
static void add_build_info(cJSON *object, const char *key, const char *from,
                           const char *to)
{
    const char *info = lng_build_info();
    const char *value = strstr(info, from), *end = NULL;
    value = value ? value + strlen(from) : "unknown";
    if (to)
        end = strstr(value, to);
    const size_t length = end ? (size_t)(end - value) : strlen(value);
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)length, value);
    cJSON_AddStringToObject(object, key, text);
}

/* The processor as /proc/cpuinfo names it (not on every architecture), else its kind. */
static void name_cpu(char *name, size_t size, const char *kind)
{
    snprintf(name, size, "%s", kind);
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512], model[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %255[^\n]", model) == 1) {
            snprintf(name, size, "%s", model);
            break;
        }
    if (file)
        fclose(file);
}

static void add_machine(cJSON *result)
{
    cJSON *machine = cJSON_AddObjectToObject(result, "machine");
    struct utsname os;
    if (uname(&os) != 0)
        memset(&os, 0, sizeof os);
    char text[sizeof os];
    name_cpu(text, sizeof text, os.machine);
    cJSON_AddStringToObject(machine, "cpu", text);
    cJSON_AddItemToObject(machine, "processors", lng_result_number(lng_processors()));
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    cJSON_AddItemToObject(machine, "memory_bytes", lng_result_number(memory));
    snprintf(text, sizeof text, "%s %s %s", os.sysname, os.release, os.machine);
    cJSON_AddStringToObject(machine, "os", text);
    add_build_info(machine, "compiler", " compiler=", " flags=");
    add_build_info(machine, "flags", " flags=", NULL);
    const char *isa = getenv("LNG_ISA");
    cJSON_AddStringToObject(machine, "isa", isa ? isa : "");
}

static void add_kernels(cJSON *result)
{
    cJSON *kernels = cJSON_AddArrayToObject(result, "kernels");
    lng_kernel_info info;
    for (size_t i = 0; i < lng_kernel_count() && lng_kernel_at(i, &info) == LNG_OK; i++) {
        cJSON *kernel = cJSON_CreateObject();
        cJSON_AddItemToArray(kernels, kernel);
        cJSON_AddStringToObject(kernel, "id", info.id);
        cJSON_AddStringToObject(kernel, "target", info.target);
        cJSON_AddStringToObject(kernel, "dtype", lng_result_dtype(info.dtype));
        cJSON_AddItemToObject(kernel, "lanes", lng_result_number(info.lanes));
        cJSON_AddStringToObject(kernel, "class", info.accuracy);
        cJSON_AddBoolToObject(kernel, "available", info.available);
        cJSON_AddBoolToObject(kernel, "best", info.best);
    }
}

cJSON *lng_result_begin(const char *tool, time_t start)
{
    tool_name = tool;
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
    cJSON *result = cJSON_CreateObject();
    cJSON_AddStringToObject(result, "schema", "lng-result/1");
    cJSON_AddStringToObject(result, "tool", tool);
    cJSON_AddStringToObject(result, "version", lng_version());
    add_build_info(result, "commit", "commit=", " compiler=");
    struct tm utc;
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&start, &utc));
    cJSON_AddStringToObject(result, "date", date);
    add_machine(result);
    add_kernels(result);
    return result;
}

void lng_result_suite(cJSON *result, const char *suite, uint64_t hash, uint64_t seed,
                      int i, int n)
{
    char text[32];
    cJSON_AddStringToObject(result, "suite", suite);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(result, "suite_hash", text);
    snprintf(text, sizeof text, "0x%" PRIx64, seed);
    cJSON_AddStringToObject(result, "seed", text);
    cJSON *shard = cJSON_AddObjectToObject(result, "shard");
    cJSON_AddItemToObject(shard, "i", lng_result_number(i));
    cJSON_AddItemToObject(shard, "n", lng_result_number(n));
}

/* Where the bytes go first: beside a regular file, or straight to anything else. */
static char *first_path(const char *path)
{
    struct stat there;
    const int direct = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    const char *end = direct ? "" : ".tmp";
    const size_t size = strlen(path) + strlen(end) + 1;
    char *first = allocate(size);
    snprintf(first, size, "%s%s", path, end);
    return first;
}

/* 0, or the errno of what failed; a full disk may show no sooner than at fclose. */
static int put(const char *path, const char *mode, const char *text)
{
    FILE *file = fopen(path, mode);
    if (!file)
        return errno;
    int reason = fputs(text, file) < 0 ? errno : 0;
    if (fclose(file) != 0 && !reason)
        reason = errno;
    return reason;
}

static int verdict(const char *path, int reason, char *error, size_t size)
{
    if (!reason)
        return 0;
    snprintf(error, size, "%s: cannot be written: %s", path, strerror(reason));
    return -1;
}

int lng_result_probe(const char *path, char *error, size_t size)
{
    char *first = first_path(path);
    const int there = access(first, F_OK) == 0;
    const int reason = put(first, "a", "");
    if (!there && strcmp(first, path) != 0)
        unlink(first);
    free(first);
    return verdict(path, reason, error, size);
}

int lng_result_write(const cJSON *result, const char *path, char *error, size_t size)
{
    char *text = cJSON_PrintUnformatted(result);
    const int outcome = lng_result_write_text(text, path, error, size);
    free(text);
    return outcome;
}

int lng_result_write_text(const char *text, const char *path, char *error, size_t size)
{
    char *first = first_path(path);
    const int direct = strcmp(first, path) == 0;
    int reason = put(first, "w", text);
    if (!reason && !direct && rename(first, path) != 0)
        reason = errno;
    if (reason && !direct)
        unlink(first);
    free(first);
    return verdict(path, reason, error, size);
}
