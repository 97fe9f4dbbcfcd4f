/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_NPY_H
#define LNG_VERIFY_NPY_H
/*
 * NumPy's .npy files of floats: format versions 1.0, 2.0 and 3.0.
 * Source: numpy.lib.format, "NPY format".
 */
#include <stddef.h>
#include <stdint.h>

/* The elements of a file, in C order and in this machine's byte order, to be freed. The
 * file must hold exactly count IEEE floats of width bytes (2, 4 or 8), of either byte
 * order and any shape, and nothing more. NULL: error holds one line that names the file
 * and what was expected. */
void *lng_npy_read(const char *path, int width, int64_t count, char *error, size_t size);

#endif
