/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LAYERNORMGRAD_H
#define LAYERNORMGRAD_H
/*
 * layernormgrad: the gradient of layer normalisation.
 *
 * With T = block_num * block_size = param_num * param_size elements, flat index j,
 * row n = j / block_size, parameter p = j mod param_num, H = block_size:
 *
 *     r_n  = 1 / sqrt(var_n + epsilon)      d_j = x_j - mean_n      g_j = dy_j * gamma_p
 *     A_n  = sum_row g      B_n = sum_row g*d      C_n = sum_row d
 *     dx_j = r * (g_j - a - d_j*b),   b = r^2*B/H,   a = A/H - r^2*B*C/H^2
 *     dg_p = sum over j with p(j) = p of dy_j*d_j*r          db_p = sum of dy_j
 *
 * param_num is the length of gamma, dg and db, param_size how often they repeat;
 * block_num is the number of normalised rows (the length of mean and var), block_size
 * the length of a row. Usually param_num = block_size and param_size = block_num; every
 * other factoring of T is legal too, and this rule is its exact gradient.
 *
 * mean and var are taken as given; var is the biased variance without epsilon. Outputs
 * are overwritten, never accumulated.
 *
 * Aliasing: dx may be exactly x or exactly dy. Any other overlap of an output with an
 *     input or with another output is an error. Inputs may overlap each other.
 *
 * Alignment: that of the element type; no more is needed.
 *
 * Special values, the first that applies:
 *     var + epsilon <= 0 or NaN        that row of dx is NaN, and dg in the columns it
 *                                      reaches
 *     NaN or infinity in x, dy, mean   that row of dx is not finite, dg and db where the
 *                                      formula carries it
 *     NaN or infinity in gamma         dx is not finite in every row that uses it
 *     var = +infinity                  that row of dx is 0
 *     block_size = 1                   dx is 0
 *     Overflow gives infinities, underflow is gradual.
 *
 * Errors: arguments are checked before anything is written. On an error no output is
 *     touched, the reason is kept for the thread (lng_last_status, lng_status_text), and
 *     the handler of lng_set_error_handler is called.
 *
 * Accuracy: one rounding to the tensor's type after sums, r and dx in wide values:
 *     |got - exact| <= E + ulp(|exact| + E)/2 with E = (k + c*L) * u * S, where S is the
 *     sum of the magnitudes that enter the element, L the longest chain of additions, and
 *
 *     class   u       k + c*L in dx   dg      db
 *     wide    2^-53   23 + 2L         7 + L   L    doubles: every kernel but
 *     pair    2^-46   11 + 2L         5 + L   L    pairs of singles: those of MT7004
 *
 * Reproducibility: the bits depend on the values and the four sizes alone, not on the
 *     mask, the number of workers, the instruction set, alignment or the outputs asked
 *     for.
 *
 * Threads: every function may be called from several threads at once.
 *
 * Source: the operator list of the FT78NE and MT7004 DSPs (layernormgrad); epsilon as in
 *     MindSpore's nnacl LayerNormGrad.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LNG_API __attribute__((visibility("default")))
#else
#define LNG_API
#endif

#define LNG_VERSION_MAJOR 0
#define LNG_VERSION_MINOR 1
#define LNG_VERSION_PATCH 0

/* IEEE binary16. Where the compiler lacks the type: 16 bits of the same layout. */
#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 half;
#else
typedef struct {
    uint16_t bits;
} half;
#endif

/* ---- The documented calls
 *
 * hp_ is binary16, fp_ is binary32; _s: operands in shared storage, the cores of
 * core_mask share the work; _p: operands in one core's private storage, one core works.
 *
 * Shapes: x, dy, dx: block_num*block_size; mean, var: block_num; gamma, dg, db:
 *     param_num.
 * core_mask: bit i is core i, and LNG_ALL_CORES every core. An empty mask, and a core that
 *     the target does not have, are errors. The host has 31: bit i stands for the
 *     (i mod n)-th of the n processors the process might use when the library was loaded,
 *     and the mask is an upper limit of workers.
 * NULL: an output that is NULL is not computed, the others keep their bits; all three
 *     NULL is checked and does nothing. A NULL input is an error.
 * epsilon: the process-wide setting of lng_set_epsilon.
 * Errors: LNG_NULL_POINTER, LNG_BAD_SIZE, LNG_SIZE_MISMATCH, LNG_BAD_MASK, LNG_OVERLAP,
 *     LNG_BAD_ALIGNMENT, LNG_NO_MEMORY, LNG_NOT_SUPPORTED; of a DSP's library also
 *     LNG_MODEL_FAULT.
 */
LNG_API void fp_layernormgrad_s(float *x, float *dy, float *var, float *mean,
                                float *gamma, int param_num, int param_size,
                                int block_num, int block_size, float *dx, float *dg,
                                float *db, int core_mask);
LNG_API void fp_layernormgrad_p(float *x, float *dy, float *var, float *mean,
                                float *gamma, int param_num, int param_size,
                                int block_num, int block_size, float *dx, float *dg,
                                float *db);
LNG_API void hp_layernormgrad_s(half *x, half *dy, half *var, half *mean, half *gamma,
                                int param_num, int param_size, int block_num,
                                int block_size, half *dx, half *dg, half *db,
                                int core_mask);
LNG_API void hp_layernormgrad_p(half *x, half *dy, half *var, half *mean, half *gamma,
                                int param_num, int param_size, int block_num,
                                int block_size, half *dx, half *dg, half *db);

/* ---- Status */
typedef enum lng_status {
    LNG_OK = 0,
    LNG_NULL_POINTER,   /* an input that is needed is NULL */
    LNG_BAD_DTYPE,      /* neither LNG_F32 nor LNG_F16 */
    LNG_BAD_SIZE,       /* a size below 1, or more bytes than can be addressed */
    LNG_SIZE_MISMATCH,  /* param_num*param_size is not block_num*block_size */
    LNG_BAD_MASK,       /* no core, or one that the target does not have */
    LNG_BAD_EPSILON,    /* neither 0 nor in [2^-126, 2^127] */
    LNG_BAD_ALIGNMENT,  /* a pointer is not aligned to its element type */
    LNG_OVERLAP,        /* an output or the workspace overlaps another tensor */
    LNG_BAD_WORKERS,    /* workers not in 0 to 1024, or so many could not be started */
    LNG_BAD_WORKSPACE,  /* workspace too small or not aligned to 64 bytes */
    LNG_NO_MEMORY,      /* no workspace could be allocated, or no buffer of a device */
    LNG_UNKNOWN_KERNEL, /* no such id, or the kernel is of another type */
    LNG_NOT_SUPPORTED,  /* this processor or this library cannot run it */
    LNG_MODEL_FAULT     /* the model of a DSP found the kernel, or the place of a buffer,
                           wrong: the text names kernel, core and transfer */
} lng_status;

/* Status of this thread's last call into the library that can fail. */
LNG_API lng_status lng_last_status(void);

/* One line in English for lng_last_status, naming the argument and what was expected.
 * After LNG_OK it is empty, or a note (an LNG_ISA that was ignored). Valid until the
 * thread's next call. */
LNG_API const char *lng_status_text(void);

/* Called on every error, in the thread that made it, before the failing call returns.
 * NULL (the default): nothing is called. Process-wide. */
typedef void (*lng_error_handler)(lng_status status, const char *text, void *user);
LNG_API void lng_set_error_handler(lng_error_handler handler, void *user);

/* ---- The general call */
typedef enum lng_dtype { LNG_F32 = 0, LNG_F16 = 1 } lng_dtype;

/* As a core_mask, in the documented calls too: every core of the target, however few. */
#define LNG_ALL_CORES 0x7fffffffu

/* A problem. Zero-initialise it and set what is needed; zero is the default of the rest,
 * but core_mask, where no core is an error. */
typedef struct lng_problem {
    lng_dtype dtype;                                      /* of every tensor */
    int64_t param_num, param_size, block_num, block_size; /* as above; see no rows */
    double epsilon;                                       /* 0 or in [2^-126, 2^127] */
    const void *x, *dy, *mean, *var;
    const void *gamma;  /* NULL: all ones */
    void *dx, *dg, *db; /* NULL: not computed */
    uint32_t core_mask; /* as in the documented calls */
    const char *kernel; /* an id of lng_kernel_at; NULL: lng_force_kernel's, else best */
    int workers;        /* exactly so many, whatever the mask; 0: as the mask says */
    void *workspace;    /* aligned to 64 bytes; NULL: the thread's own, see below */
    size_t workspace_size; /* bytes; at least lng_workspace_size */
} lng_problem;

/* Computes the gradients of a problem.
 *
 * No rows: block_num = param_size = 0 is legal here: dg and db become 0, and x, dy, mean,
 *     var and dx may be NULL.
 * Workspace: with one the call allocates nothing, but for threads the first time it wants
 *     them; it must not overlap any tensor. Without one, and in the documented calls, the
 *     thread keeps up to 16 MiB of it from call to call, and frees it when it ends.
 *
 * Shapes, aliasing, special values, accuracy: at the head of this file. Returns LNG_OK or
 * the reason, which lng_last_status keeps. */
LNG_API lng_status lng_layernormgrad(const lng_problem *problem);

/* Bytes of workspace that the problem needs; pointers, mask and workers do not matter. 0
 * if the sizes, type or kernel are wrong: lng_last_status tells. */
LNG_API size_t lng_workspace_size(const lng_problem *problem);

/* ---- Settings */
/* epsilon of the documented calls, process-wide, 1e-12 until set; LNG_BAD_EPSILON leaves
 * it as it was. */
LNG_API lng_status lng_set_epsilon(double epsilon);
LNG_API double lng_get_epsilon(void);

/* The kernel that this thread's calls use where they name none, for problems of the
 * kernel's own type; NULL: the best again. LNG_UNKNOWN_KERNEL and LNG_NOT_SUPPORTED leave
 * it as it was. */
LNG_API lng_status lng_force_kernel(const char *id);

/* ---- Memory and model of a DSP
 *
 * In the libraries of FT78NE and MT7004, which run their kernels on a functional model of
 * the chip. The library of the host answers LNG_NOT_SUPPORTED, and has none of these
 * buffers to free. */

/* A DSP's memory: outside the chip; on it, for all cores; one core's own. */
enum lng_memory { LNG_DDR, LNG_SHARED, LNG_PRIVATE };

/* Memory of a level; core: whose own, else 0. Aligned to 64 bytes, contents undefined.
 * NULL: lng_last_status tells why; LNG_NO_MEMORY if the chip has not as much of it beside
 * the buffers that live.
 *
 * A call finds out by itself where its tensors lie. A `_p` call is of the core whose own
 * memory has some of them, or of core 0; it fails with LNG_MODEL_FAULT if others lie
 * elsewhere, and so does another call if one is in a core's own memory. What the core's
 * own memory holds of buffers its kernel cannot use as scratch. Memory from elsewhere is
 * taken for DDR, in a `_p` call for the core's own, and never is too much. */
LNG_API void *lng_device_alloc(enum lng_memory level, int core, size_t bytes);

/* NULL, and what is none of those buffers, is left alone. */
LNG_API void lng_device_free(void *memory);

/* Whether operands and results of single-precision vector arithmetic below 2^-126 are 0,
 * on chips of which that is known or suspected (MT7004). Process-wide, 0 until set. */
LNG_API lng_status lng_model_flush(int on);

/* ---- The table of kernels, name and version */
typedef struct lng_kernel_info {
    const char *id;     /* f32_avx2, ... */
    const char *target; /* host, ... */
    lng_dtype dtype;
    int lanes;            /* elements that one of its vector instructions handles */
    int cores;            /* highest number of cores: bits of the mask */
    const char *accuracy; /* class: wide or pair */
    int available;        /* this processor can run it */
    int best; /* the best choice for its type takes it (LNG_ISA caps the choice) */
} lng_kernel_info;

/* Row i of the table, best first for each type; beyond the last LNG_UNKNOWN_KERNEL, which
 * is an error like any other: count to lng_kernel_count. */
LNG_API size_t lng_kernel_count(void);
LNG_API lng_status lng_kernel_at(size_t i, lng_kernel_info *info);

LNG_API const char *lng_version(void);    /* "0.1.0" */
LNG_API const char *lng_build_info(void); /* compiler, flags and commit, one line */

#ifdef __cplusplus
}
#endif
#endif
