/* SPDX-License-Identifier: Apache-2.0 */
#include "core/workspace.h"

#include <pthread.h>
#include <stdlib.h>

/* taken: an error handler may call the library in the middle of a call. */
static _Thread_local struct {
    void *memory;
    size_t size;
    int taken;
} kept;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

/* Cleared as well, for a later destructor of the program's may call the library. */
static void end_of_thread(void *memory)
{
    free(memory);
    kept.memory = NULL;
    kept.size = 0;
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, end_of_thread) == 0;
}

void *lng_take_workspace(size_t size)
{
    pthread_once(&key_once, make_key);
    if (kept.taken || size > LNG_KEPT_WORKSPACE || !has_key)
        return aligned_alloc(LNG_WORKSPACE_ALIGNMENT, size);
    if (size > kept.size) {
        free(kept.memory);
        kept.memory = aligned_alloc(LNG_WORKSPACE_ALIGNMENT, size);
        kept.size = kept.memory ? size : 0;
        if (pthread_setspecific(key, kept.memory) != 0) { /* nobody would free it */
            void *memory = kept.memory;
            kept.memory = NULL;
            kept.size = 0;
            return memory;
        }
    }
    kept.taken = kept.memory != NULL;
    return kept.memory;
}

void lng_give_workspace(void *workspace)
{
    if (workspace == kept.memory)
        kept.taken = 0;
    else
        free(workspace);
}
