/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_TEST_SCRATCH_H
#define LNG_TEST_SCRATCH_H
/* Files that a test writes, in a folder of its own. Include cmocka.h first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64]; /* the folder */

static int scratch_make(void **state)
{
    (void)state;
    snprintf(scratch, sizeof(scratch), "/tmp/lng-test-XXXXXX");
    return mkdtemp(scratch) == NULL;
}

static int scratch_remove(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
    return system(command);
}

/* The path of a name in the folder, in one of a few buffers. */
static const char *scratch_path(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
    return path;
}

static const char *scratch_write(const char *name, const void *bytes, size_t length)
{
    const char *path = scratch_path(name);
    unlink(path); /* a new file is faster than one that is cut and written again */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_text(const char *name, const char *text)
{
    return scratch_write(name, text, strlen(text));
}

#endif
