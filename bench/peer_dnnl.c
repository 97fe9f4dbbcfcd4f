/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "peer_dnnl.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libdnnl.so.2"

/* The part of the library's interface that is used, as its version 2 fixes it: the name
 * of the shared object changes with the interface, so no header is needed. Descriptors
 * are structures (of 696 and 3496 bytes in 2.6.3) that the library alone fills in and
 * reads; here they are room. */
enum {
    CPU = 1,
    SINGLE = 3,
    TAG_A = 2, /* row-major, one and two dimensions */
    TAG_AB = 3,
    BACKWARD = 128, /* dx, dg and db */
    USE_SCALE_AND_SHIFT = 0x8 | 0x10,
    IN_ORDER = 1,
};
enum {
    SRC = 1,
    MEAN = 49,
    VARIANCE = 50,
    SCALE = 51,
    SHIFT = 52,
    DIFF_SRC = 129,
    DIFF_DST = 145,
    DIFF_SCALE = 255,
    DIFF_SHIFT = 256
};

typedef void *handle;
struct memory_desc {
    alignas(max_align_t) unsigned char room[2048];
};
struct operation_desc {
    alignas(max_align_t) unsigned char room[16384];
};
struct argument {
    int which;
    handle memory;
};
struct version {
    int major, minor, patch;
};

static struct {
    const struct version *(*version)(void);
    int (*engine_create)(handle *engine, int kind, size_t index);
    int (*stream_create)(handle *stream, handle engine, unsigned flags);
    int (*stream_wait)(handle stream);
    int (*memory_desc_init)(struct memory_desc *desc, int ndims, const int64_t *dims,
                            int type, int tag);
    int (*memory_create)(handle *memory, const struct memory_desc *desc, handle engine,
                         void *data);
    int (*memory_destroy)(handle memory);
    int (*layernorm_init)(struct operation_desc *desc, int kind,
                          const struct memory_desc *diff, const struct memory_desc *data,
                          const struct memory_desc *statistics, float epsilon,
                          unsigned flags);
    int (*primitive_desc_create)(handle *desc, const struct operation_desc *operation,
                                 handle attributes, handle engine, handle hint);
    int (*primitive_desc_destroy)(handle desc);
    int (*primitive_create)(handle *primitive, handle desc);
    int (*primitive_execute)(handle primitive, handle stream, int count,
                             const struct argument *arguments);
    int (*primitive_destroy)(handle primitive);
    void (*set_num_threads)(int threads);
    int (*pause)(int kind);
    handle engine, stream;
} dnnl;

static const struct {
    const char *name;
    void *function;
} symbols[] = {
    {"dnnl_version",                                &dnnl.version               },
    {"dnnl_engine_create",                          &dnnl.engine_create         },
    {"dnnl_stream_create",                          &dnnl.stream_create         },
    {"dnnl_stream_wait",                            &dnnl.stream_wait           },
    {"dnnl_memory_desc_init_by_tag",                &dnnl.memory_desc_init      },
    {"dnnl_memory_create",                          &dnnl.memory_create         },
    {"dnnl_memory_destroy",                         &dnnl.memory_destroy        },
    {"dnnl_layer_normalization_backward_desc_init", &dnnl.layernorm_init        },
    {"dnnl_primitive_desc_create",                  &dnnl.primitive_desc_create },
    {"dnnl_primitive_desc_destroy",                 &dnnl.primitive_desc_destroy},
    {"dnnl_primitive_create",                       &dnnl.primitive_create      },
    {"dnnl_primitive_execute",                      &dnnl.primitive_execute     },
    {"dnnl_primitive_destroy",                      &dnnl.primitive_destroy     },
    {"omp_set_num_threads",                         &dnnl.set_num_threads       },
    {"omp_pause_resource_all",                      &dnnl.pause                 },
};

/* Thread w of a team belongs on the w-th processor of the process, as our own workers
 * do, and waits awake for the next call. OpenMP's runtime reads this when it is loaded.
 *
 * Awake gives oneDNN its best times, and that they end with its turn (lng_dnnl_rest)
 * gives us ours. On two processors of a Sapphire Rapids (virtual), medians of five
 * processes, oneDNN and our kernel in turns of 20 ms, at 8x8, 64x256 and
 * 4096x768: 6.1, 12.5 and 1467 us awake; 227, 219 and 1778 us asleep (passive); 5.8
 * to 6.0, 12.6 to 12.7 and 1467 to 1501 us awake for a while (the runtime's default,
 * GOMP_SPINCOUNT=10000). A thread left awake made our 1838 us 2613 at the last of the
 * shapes. */
static void set_up_openmp(const cpu_set_t *allowed)
{
    char places[16 * CPU_SETSIZE] = "";
    size_t used = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed))
            used += (size_t)snprintf(places + used, sizeof places - used, "%s{%zu}",
                                     used ? "," : "", cpu);
    setenv("OMP_PLACES", places, 1);
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_DYNAMIC", "false", 1);
    setenv("OMP_WAIT_POLICY", "active", 1);
    unsetenv("GOMP_SPINCOUNT"); /* would overrule it */
}

/* That binds the calling thread as well, which is undone here. */
static void *load(void)
{
    cpu_set_t allowed;
    const int known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    if (known)
        set_up_openmp(&allowed);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (known)
        sched_setaffinity(0, sizeof allowed, &allowed);
    return library;
}

const char *lng_dnnl_load(void)
{
    if (dnnl.stream)
        return NULL;
    void *library = load();
    if (!library)
        return LIBRARY " cannot be loaded, expected the package libdnnl2";
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return LIBRARY " lacks a function, expected those of oneDNN 2.6 with OpenMP";
        memcpy(symbols[i].function, &symbol, sizeof symbol);
    }
    if (dnnl.engine_create(&dnnl.engine, CPU, 0) != 0 ||
        dnnl.stream_create(&dnnl.stream, dnnl.engine, IN_ORDER) != 0)
        return LIBRARY " finds no processor that it can use";
    return NULL;
}

const char *lng_dnnl_version(void)
{
    static char text[64];
    const struct version *v = dnnl.version();
    snprintf(text, sizeof text, "%d.%d.%d", v->major, v->minor, v->patch);
    return text;
}

int lng_dnnl_supports(const lng_problem *p)
{
    return p->dtype == LNG_F32 && p->param_num == p->block_size;
}

enum { ARGUMENTS = 9 };

struct lng_dnnl {
    int cores;
    handle primitive;
    struct argument arguments[ARGUMENTS];
};

static int make_primitive(handle *primitive, const struct memory_desc *data,
                          const struct memory_desc *statistics, double epsilon)
{
    struct operation_desc operation;
    handle desc = NULL;
    const int status =
        dnnl.layernorm_init(&operation, BACKWARD, data, data, statistics, (float)epsilon,
                            USE_SCALE_AND_SHIFT) ||
        dnnl.primitive_desc_create(&desc, &operation, NULL, dnnl.engine, NULL) ||
        dnnl.primitive_create(primitive, desc);
    dnnl.primitive_desc_destroy(desc);
    return status;
}

struct lng_dnnl *lng_dnnl_make(const lng_problem *p, int cores)
{
    struct memory_desc data, statistics, parameters;
    const int64_t sizes[] = {p->block_num, p->block_size};
    const struct {
        int which;
        const struct memory_desc *desc;
        void *values;
    } operands[ARGUMENTS] = {
        {SRC,        &data,       (void *)p->x    },
        {DIFF_DST,   &data,       (void *)p->dy   },
        {MEAN,       &statistics, (void *)p->mean },
        {VARIANCE,   &statistics, (void *)p->var  },
        {SCALE,      &parameters, (void *)p->gamma},
        {SHIFT,      &parameters, (void *)p->gamma},
        {DIFF_SRC,   &data,       p->dx           },
        {DIFF_SCALE, &parameters, p->dg           },
        {DIFF_SHIFT, &parameters, p->db           },
    };
    struct lng_dnnl *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->cores = cores;
    dnnl.set_num_threads(cores); /* the primitive is made for so many */
    int failed = dnnl.memory_desc_init(&data, 2, sizes, SINGLE, TAG_AB) ||
                 dnnl.memory_desc_init(&statistics, 1, sizes, SINGLE, TAG_A) ||
                 dnnl.memory_desc_init(&parameters, 1, sizes + 1, SINGLE, TAG_A) ||
                 make_primitive(&made->primitive, &data, &statistics, p->epsilon);
    for (int i = 0; i < ARGUMENTS && !failed; i++) {
        made->arguments[i].which = operands[i].which;
        failed = dnnl.memory_create(&made->arguments[i].memory, operands[i].desc,
                                    dnnl.engine, operands[i].values);
    }
    if (!failed)
        return made;
    lng_dnnl_free(made);
    return NULL;
}

void lng_dnnl_free(struct lng_dnnl *made)
{
    if (!made)
        return;
    for (int i = 0; i < ARGUMENTS; i++)
        dnnl.memory_destroy(made->arguments[i].memory);
    dnnl.primitive_destroy(made->primitive);
    free(made);
}

int lng_dnnl_run(struct lng_dnnl *made)
{
    return dnnl.primitive_execute(made->primitive, dnnl.stream, ARGUMENTS,
                                  made->arguments) ||
           dnnl.stream_wait(dnnl.stream);
}

void lng_dnnl_rest(void)
{
    enum { HARD = 2 };
    dnnl.pause(HARD);
}
