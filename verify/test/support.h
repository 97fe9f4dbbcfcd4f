/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_TEST_SUPPORT_H
#define LNG_VERIFY_TEST_SUPPORT_H
/* What the tests of the judge share: cmocka, and running the tool as a user does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Output (both streams, cut to the size) and exit status of a shell command in which $V
 * is lng-verify. */
static inline int run_tool(const char *command, char *output, size_t size)
{
    char line[8192];
    snprintf(line, sizeof line, "V='%s'; { %s; } 2>&1", LNG_VERIFY, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t n = 0;
    for (size_t got;
         n + 1 < size && (got = fread(output + n, 1, size - 1 - n, pipe)) > 0;)
        n += got;
    output[n] = 0;
    while (fgetc(pipe) != EOF)
        continue;
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#endif
