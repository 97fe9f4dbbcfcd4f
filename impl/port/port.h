/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_PORT_H
#define LNG_PORT_H
/*
 * What a chip must provide under the kernels of a DSP, beside its vector vocabulary
 * (port/ft78ne.h, port/mt7004.h, one of which a kernel includes). C99, no library but
 * memcpy and memset.
 *
 * Every core of a call runs the same program with the same arguments; it finds its own
 * number, takes its part, and the cores meet at barriers. Three kinds of memory:
 * - tensors and workspace, in DDR, in on-chip memory that the cores share, or in the
 *   core's own: touched by transfers only;
 * - vector scratch, own memory, touched by transfers and by the vector vocabulary only;
 * - scalar scratch, own memory, touched by transfers and by the scalar loads and stores
 *   only.
 * Locals and arguments are registers and stack, and free. impl/model/ runs the kernels on
 * a host and checks all of this.
 *
 * The functions of this file are ordinary ones. Types and functions of a vocabulary are
 * defined in the header that LNG_PORT names, which says what LNG_VOCABULARY is: `static
 * inline`, or `extern` for functions in a file of their own. The declarations in
 * port/<chip>.h then have the compiler complain of one that is missing or different.
 */
#include <stddef.h>
#include <stdint.h>

/* ---- Cores */

/* The number of the core that calls: bit i of a mask is core i.
 * TI: DNUM; hthread: get_core_id(). */
int lng_port_core(void);

/* Returns when all cores of the mask, which is that of the call, are in it. Orders
 * nothing by itself: see lng_port_publish. TI: a barrier over the hardware semaphores or
 * OpenMP's; hthread: group_barrier(). */
void lng_port_barrier(uint32_t mask);

/* ---- Scratch: the core's own memory, contents undefined at first, as much of it on
 * every core of a call. Allocated upwards, aligned to 64 bytes and in multiples of that;
 * all of it is free again when the call ends. NULL: it does not fit. */

/* What the vector unit reads. FT78NE: L2 as SRAM; MT7004: AM, hthread's vector_malloc. */
void *lng_port_vector_scratch(size_t bytes);

/* What the scalar unit reads. FT78NE: the same L2; MT7004: SM, hthread's scalar_malloc.
 */
void *lng_port_scalar_scratch(size_t bytes);

/* The most bytes that a further allocation would get. */
size_t lng_port_vector_free(void);

/* ---- Transfers */

enum { LNG_CHANNELS = 16 };

/* `count` runs of `bytes` bytes, at least one of one, run k from `from + k*from_pitch` to
 * `to + k*to_pitch` (bytes). Between own scratch and a tensor or the workspace, either
 * way, or inside own scratch. Addresses, bytes and pitches are multiples of
 * LNG_DMA_ALIGNMENT. Runs of one transfer do not overlap where they are written. */
struct lng_transfer {
    void *to;
    const void *from;
    size_t bytes, count;
    ptrdiff_t to_pitch, from_pitch; /* of no meaning where count is 1 */
};

/* Between two barriers no core writes bytes of a tensor that another one writes or reads;
 * different bytes of a line are no matter.
 *
 * Starts a transfer on an idle channel, 0 to LNG_CHANNELS - 1, and returns at once. Until
 * lng_port_wait for that channel has returned the source is not written, and the
 * destination neither read nor written, by anybody. `t` itself may be reused at once.
 * TI: an AB-synchronised EDMA3 transfer, ACNT = bytes, BCNT = count, SRCBIDX, DSTBIDX =
 * pitches; hthread: dma_p2p() with row_num = count, row_size = bytes, row_step = pitch -
 * bytes. */
void lng_port_start(int channel, const struct lng_transfer *t);

/* Returns when the transfer that was started on the channel is done. None is in flight
 * when the call ends. TI: poll IPR for the channel's TCC and clear it; hthread:
 * dma_wait(). */
void lng_port_wait(int channel);

/* ---- Workspace that several cores use. Whoever wrote it publishes it (after the wait
 * for the transfer), then the cores meet at a barrier, then who reads it acquires it
 * (before the start of the transfer). Memory is shared by lines of 64 bytes: no two cores
 * write one line between two barriers. */

/* What this core wrote becomes visible. TI: CACHE_wbL1d/wbL2 with wait, and MFENCE;
 * hthread: nothing but the order of its own transfers, the DMA being coherent. */
void lng_port_publish(const void *p, size_t bytes);

/* What others published is seen. TI: CACHE_invL1d/invL2 with wait; hthread: as above. */
void lng_port_acquire(const void *p, size_t bytes);

/* ---- Not needed by the kernels here, but by others perhaps (so too in the chips'
 * headers): a port may do without. */

/* As lng_port_vector_free. */
size_t lng_port_scalar_free(void);

#endif
