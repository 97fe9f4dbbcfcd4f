/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PEER_DNNL_H
#define LNG_PEER_DNNL_H
/*
 * oneDNN's gradient of layer normalisation, to be timed beside our kernels: the library
 * as Debian has it (libdnnl.so.2, package libdnnl2, threads by OpenMP), found at run
 * time. What it computes is dx without the term C of the formula, dg and db.
 */
#include "layernormgrad.h"

/* Loads it and tells its OpenMP where its threads belong. To be called before the first
 * thread of the process is bound to a processor. NULL, or one line that says what is
 * wrong. */
const char *lng_dnnl_load(void);

const char *lng_dnnl_version(void); /* "2.6.3" */

/* What it has no call for: halves (2.6.3 refuses them, with AVX-512 FP16 as without), and
 * parameters that are not one for each element of a row. */
int lng_dnnl_supports(const lng_problem *problem);

/* The problem made ready to be run, NULL where the library refuses it. It keeps the
 * pointers. */
struct lng_dnnl *lng_dnnl_make(const lng_problem *problem, int cores);
void lng_dnnl_free(struct lng_dnnl *made); /* NULL is allowed */

/* One call, waited for; 0 where it succeeded. */
int lng_dnnl_run(struct lng_dnnl *made);

/* Ends its threads, so that they take no processor from others; the next call starts
 * them again. */
void lng_dnnl_rest(void);

#endif
