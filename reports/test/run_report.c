/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_report.h"

int scratch_begin(void **state)
{
    char folder[] = "/tmp/lng-report-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return *state ? 0 : -1;
}

int scratch_end(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", (char *)*state);
    free(*state);
    return chdir("/") != 0 || system(command) != 0;
}

char *read_text(const char *file)
{
    FILE *in = fopen(file, "rb");
    if (!in)
        return NULL;
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    for (size_t n; (n = fread(text + length, 1, room - length - 1, in)) > 0;) {
        length += n;
        text = realloc(text, room *= 2);
        assert_non_null(text);
    }
    fclose(in);
    text[length] = 0;
    return text;
}

void write_text(const char *file, const char *text)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
}

char *fixture(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, LNG_FIXTURES "/%s", name);
    char *text = read_text(path);
    assert_non_null(text);
    return text;
}

int there_is(const char *file)
{
    return access(file, F_OK) == 0;
}

char *replaced(char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the fixture has no %s", from);
    size_t before = (size_t)(at - text);
    char *result = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(result);
    sprintf(result, "%.*s%s%s", (int)before, text, to, at + strlen(from));
    free(text);
    return result;
}

char *replaced_everywhere(char *text, const char *from, const char *to)
{
    assert_null(strstr(to, from));
    do
        text = replaced(text, from, to);
    while (strstr(text, from));
    return text;
}

char *failing(void)
{
    char *json =
        replaced(fixture("verify.json"), "\"verdict\": \"passed\", \"note\": \"\"",
                 "\"verdict\": \"failed\", \"note\": \"dx[3][17]  got 0x1.8p-4\"");
    json = replaced(json, "\"passed\": 9, \"failed\": 0", "\"passed\": 8, \"failed\": 1");
    return replaced(json, "\"ratio\": 0.9991", "\"ratio\": 5.31");
}

char *without_tags(const char *page)
{
    char *text = malloc(strlen(page) + 1), *to = text;
    assert_non_null(text);
    for (int inside = 0; *page; page++) {
        if (*page == '<')
            inside = 1;
        if (!inside)
            *to++ = *page;
        if (*page == '>')
            inside = 0;
    }
    *to = 0;
    return text;
}

struct outcome run_report(const char *const *arguments)
{
    char *list[16] = {"lng-report"};
    for (size_t i = 0; arguments[i]; i++)
        list[i + 1] = (char *)(uintptr_t)arguments[i];
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("stdout", "w", stdout) && freopen("stderr", "w", stderr))
            execv(LNG_REPORT, list);
        _exit(126);
    }
    int status;
    struct rusage usage;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status));
    return (struct outcome){
        .status = WEXITSTATUS(status),
        .out = read_text("stdout"),
        .err = read_text("stderr"),
        .seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)};
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
}

char *page_of(const char *const *files)
{
    const char *arguments[16] = {"--output", "page.html"};
    for (size_t i = 0; files[i]; i++)
        arguments[i + 2] = files[i];
    struct outcome outcome = run_report(arguments);
    assert_string_equal(outcome.err, "");
    assert_int_equal(outcome.status, 0);
    outcome_free(&outcome);
    assert_false(there_is("page.html.tmp"));
    char *page = read_text("page.html");
    assert_non_null(page);
    return page;
}

char *page_of_text(char *json)
{
    write_text("result.json", json);
    free(json);
    return page_of(ARGUMENTS("result.json"));
}

char *page_of_both(void)
{
    char *verify = fixture("verify.json"), *bench = fixture("bench.json");
    write_text("verify.json", verify);
    write_text("bench.json", bench);
    free(verify);
    free(bench);
    return page_of(ARGUMENTS("verify.json", "bench.json"));
}

void expect_refused(const char *const *arguments, const char *expected)
{
    struct outcome outcome = run_report(arguments);
    if (outcome.status != 2 || !strstr(outcome.err, expected))
        fail_msg("status %d, expected 2 and \"%s\" in: %s", outcome.status, expected,
                 outcome.err);
    assert_string_equal(outcome.out, "");
    assert_int_equal(strncmp(outcome.err, "lng-report: ", 12), 0);
    const char *end = strchr(outcome.err, '\n');
    assert_true(end && !end[1]);
    assert_false(there_is("page.html"));
    assert_false(there_is("page.html.tmp"));
    outcome_free(&outcome);
}

void expect_text(const char *page, const char *text)
{
    if (!strstr(page, text))
        fail_msg("the page has no: %s", text);
}

void expect_no_text(const char *page, const char *text)
{
    if (strstr(page, text))
        fail_msg("the page has: %s", text);
}
