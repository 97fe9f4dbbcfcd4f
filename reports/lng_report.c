/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html.h"
#include "page.h"

enum { ERROR_SIZE = 1024, STATUS_ERROR = 2 };

static const char usage[] =
    "usage: lng-report --output FILE.html FILE.json...\n"
    "Writes one self-contained HTML page from the result files of lng-verify (its\n"
    "conformance part) and lng-bench (its performance part), one or more of them.\n"
    "  --output FILE.html  the page; it appears whole or not at all\n"
    "  --help              this\n"
    "Standard output: one line, what was written and the verdict of the files.\n"
    "Status: 0 the page was written, whatever the verdict; 2 it was not.\n"
    "The plots of a performance part need gnuplot.\n";

__attribute__((format(printf, 1, 2))) static int fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("lng-report: ", stderr);
    vfprintf(stderr, format, list);
    putc('\n', stderr);
    va_end(list);
    return STATUS_ERROR;
}

/* Writes all of it into FILE.tmp, which becomes FILE: nobody sees half a page, and what
 * was there stays until then. What is not a regular file (a terminal, a pipe) is written
 * directly. 0, or an errno. */
static int write_file(const char *file, const char *temporary, const char *bytes,
                      size_t size)
{
    struct stat there;
    const int direct = stat(file, &there) == 0 && !S_ISREG(there.st_mode);
    FILE *out = fopen(direct ? file : temporary, "wb");
    if (!out)
        return errno;
    int failure = 0;
    if (fwrite(bytes, 1, size, out) != size || fflush(out) != 0 ||
        (!direct && fsync(fileno(out)) != 0))
        failure = errno;
    if (fclose(out) != 0 && !failure)
        failure = errno;
    if (!direct && !failure && rename(temporary, file) != 0)
        failure = errno;
    if (!direct && failure)
        remove(temporary);
    return failure;
}

/* The page in memory, to be freed; NULL: its error. */
static char *make_page(struct lng_page *page, size_t *size)
{
    char *bytes = NULL;
    page->out = open_memstream(&bytes, size);
    int failed = !page->out;
    if (page->out) {
        lng_page_write(page);
        failed = ferror(page->out);
        failed |= fclose(page->out) != 0;
    }
    if (failed && !page->error[0])
        snprintf(page->error, page->size, "no memory for the page");
    if (!page->error[0])
        return bytes;
    free(bytes);
    return NULL;
}

static void print_summary(const char *output, const struct lng_page *page)
{
    double units[LNG_CHECK_VERDICTS] = {0}, timings = 0, predictions = 0;
    for (size_t i = 0; i < page->count; i++) {
        timings +=
            (double)(page->results[i].timings_count - page->results[i].predictions_count);
        predictions += (double)page->results[i].predictions_count;
        for (size_t v = 0; v < LNG_CHECK_VERDICTS; v++)
            units[v] += page->results[i].totals[v];
    }
    printf("%s: %s, %.0f passed, %.0f failed, %.0f skipped, %.0f timings, %.0f "
           "predictions\n",
           output, lng_outcome_name[lng_page_outcome(page)], units[LNG_CHECK_PASSED],
           units[LNG_CHECK_FAILED], units[LNG_CHECK_SKIPPED], timings, predictions);
}

static int report(const char *output, char **files, size_t count)
{
    char error[ERROR_SIZE] = "";
    char *bytes = NULL, *temporary = malloc(strlen(output) + sizeof ".tmp");
    struct lng_result *results = calloc(count, sizeof *results);
    struct lng_matrix matrix = {0};
    struct lng_page page = {.results = results,
                            .count = count,
                            .matrix = &matrix,
                            .error = error,
                            .size = sizeof error};
    size_t size = 0, read = 0;
    int status = 0;
    if (!temporary || !results)
        snprintf(error, sizeof error, "no memory");
    while (!error[0] && read < count) {
        lng_result_read(&results[read], files[read], error, sizeof error);
        read++;
    }
    if (!error[0] && lng_matrix_make(&matrix, results, count) != 0)
        snprintf(error, sizeof error, "no memory");
    if (!error[0])
        bytes = make_page(&page, &size);
    if (error[0]) {
        status = fail("%s", error);
    } else {
        sprintf(temporary, "%s.tmp", output);
        int failure = write_file(output, temporary, bytes, size);
        if (failure)
            status = fail("%s: cannot be written: %s", output, strerror(failure));
        else
            print_summary(output, &page);
    }
    for (size_t i = 0; i < read; i++)
        lng_result_free(&results[i]);
    lng_matrix_free(&matrix);
    free(results);
    free(temporary);
    free(bytes);
    return status;
}

int main(int argc, char **argv)
{
    const char *output = NULL;
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--output") == 0) {
            if (++i == argc || !*argv[i])
                return fail("--output: expected a file after it");
            output = argv[i];
        } else if (argv[i][0] == '-') {
            return fail("unknown option '%s', expected --output or --help", argv[i]);
        } else {
            argv[1 + count++] = argv[i];
        }
    }
    if (!output)
        return fail("no --output, expected --output FILE.html");
    if (!count)
        return fail("no result file, expected some of lng-verify or lng-bench");
    int status = report(output, argv + 1, count);
    if (fflush(stdout) != 0 && !status)
        status = fail("standard output: %s", strerror(errno));
    return status;
}
