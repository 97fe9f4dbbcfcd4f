/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_LANES_H
#define LNG_LANES_H
/* Virtual lanes of every vocabulary of the host, whatever the width of its registers: so
 * all of them give the same bits. */
enum { LNG_LANES = 8 };

#endif
