/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_CHIP_H
#define LNG_CHIP_H
/*
 * A DSP as the model knows it: numbers, each with its source. ft78ne.def and mt7004.def
 * are the tables: whoever has the data sheet corrects a row there.
 *
 * LNG_FIELD(name, value, unit, mark, source)
 * LNG_OPERATION(kind, unit, per_cycle, mark, source)
 */
#include <stddef.h>

/* How well a value is known. */
enum lng_mark {
    LNG_MARK_doc,    /* a public source says so of this chip */
    LNG_MARK_near,   /* of its nearest documented relative */
    LNG_MARK_assumed /* nobody says so */
};

/* What is counted, and what the counts are divided by: the parts of a core that work at
 * the same time. */
enum lng_operation_kind {
    LNG_VECTOR_LOAD,
    LNG_VECTOR_UNALIGNED, /* loads and stores */
    LNG_VECTOR_STORE,
    LNG_VECTOR_ADD, /* and subtract, negate */
    LNG_VECTOR_MULTIPLY,
    LNG_VECTOR_FUSED,
    LNG_VECTOR_BITS,
    LNG_VECTOR_MOVE, /* between the units, and the lane mask */
    LNG_SCALAR_LOAD,
    LNG_SCALAR_STORE,
    LNG_SCALAR_ADD,
    LNG_SCALAR_MULTIPLY,
    LNG_SCALAR_FUSED,
    LNG_SCALAR_CONVERT,
    LNG_SCALAR_SEED,
    LNG_OPERATIONS
};

enum lng_unit {
    LNG_UNIT_MEMORY,
    LNG_UNIT_ALU,
    LNG_UNIT_MULTIPLIER,
    LNG_UNIT_SCALAR_MEMORY,
    LNG_UNIT_SCALAR,
    LNG_UNITS
};

struct lng_operation {
    enum lng_unit unit;
    double per_cycle; /* 0: this chip has no such operation */
};

struct lng_chip {
    const char *name;
    double cores;
    double clock;
    double vector_scratch, scalar_scratch; /* scalar 0: it is the vector's */
    double private_memory, shared_memory;
    double ddr_bandwidth, shared_bandwidth, private_bandwidth;
    double dma_latency, dma_burst, dma_alignment;
    double barrier;
    double flushes, gradual_underflow;
    double seed_bits;
    struct lng_operation operations[LNG_OPERATIONS];
};

extern const struct lng_chip lng_ft78ne, lng_mt7004;

/* The rows as they stand in the table, to be printed. */
struct lng_chip_row {
    const char *name;
    double value;
    const char *unit;
    enum lng_mark mark;
    const char *source;
};
extern const struct lng_chip_row lng_ft78ne_rows[],
    lng_mt7004_rows[]; /* name NULL ends */

extern const char *const lng_operation_names[LNG_OPERATIONS];

#endif
