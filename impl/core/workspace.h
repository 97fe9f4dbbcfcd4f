/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_WORKSPACE_H
#define LNG_WORKSPACE_H
/*
 * The workspace of calls that bring none. Up to LNG_KEPT_WORKSPACE bytes the thread keeps
 * it for its next call, and frees it when it ends.
 */
#include <stddef.h>

/* Vectors of partial sums do not straddle cache lines. */
enum { LNG_WORKSPACE_ALIGNMENT = 64 };

enum { LNG_KEPT_WORKSPACE = 16 << 20 };

/* size: a multiple of the alignment. NULL: there is no memory. */
void *lng_take_workspace(size_t size);
void lng_give_workspace(void *workspace);

#endif
