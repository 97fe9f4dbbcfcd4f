/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getopt_long */
#include "verify/given.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum key {
    LIST = 256,
    IMPL,
    SUITE,
    SHAPE,
    SIZES,
    DTYPE,
    INPUT,
    SEED,
    CORES,
    ENTRY,
    EPSILON,
    CASE,
    TOLERANCE,
    TIMEOUT,
    JSON,
    JUNIT,
    JOBS,
    QUIET,
    COLOR,
    HELP
};

static const struct {
    struct words {
        const char *name, *argument, *help;
    } text;
    enum key key;
} table[] = {
    {{"list", NULL, "kernels, entry points and classes; * marks the best choice"},       LIST   },
    {{"impl", "ID", "this kernel only; repeatable"},                                     IMPL   },
    {{"suite", "NAME", "smoke (20 s), sweep (120 s, the default) or full (hours)"},
     SUITE                                                                                      },
    {{"shape", "NxH", "one problem of N rows of H"},                                     SHAPE  },
    {{"sizes", "PN,PS,BN,BS", "one problem of any factoring"},                           SIZES  },
    {{"dtype", "TYPE", "fp32 or fp16"},                                                  DTYPE  },
    {{"input", "FAMILY", "family of inputs of the one problem (normal)"},                INPUT  },
    {{"seed", "S", "seed of the one problem (0x5eed)"},                                  SEED   },
    {{"cores", "MASK", "core mask of the entries s and general (0x1)"},                  CORES  },
    {{"entry", "NAME", "s, p or general; repeatable (one problem: general; else all)"},
     ENTRY                                                                                      },
    {{"epsilon", "E", "epsilon of the one problem (its family's)"},                      EPSILON},
    {{"case", "PATH", "a case file, a bundle, or a folder of them; repeatable"},         CASE   },
    {{"tolerance", "PROFILE", "class (each kernel's own, the default), single or half"},
     TOLERANCE                                                                                  },
    {{"timeout", "S", "seconds a call may take, growing with size (2)"},                 TIMEOUT},
    {{"json", "FILE", "write the results as lng-result/1"},                              JSON   },
    {{"junit", "FILE", "write the results as JUnit XML"},                                JUNIT  },
    {{"jobs", "N", "processes that judge (one a processor)"},                            JOBS   },
    {{"quiet", NULL, "failures and the closing line only"},                              QUIET  },
    {{"color", "WHEN", "never, always or auto"},                                         COLOR  },
    {{"help", NULL, "this text"},                                                        HELP   },
};
enum { OPTIONS = sizeof table / sizeof *table };

void lng_options_help(FILE *out)
{
    fputs("lng-verify [options]: judges kernels against the exact gradient\n\n", out);
    for (int i = 0; i < OPTIONS; i++) {
        const struct words *t = &table[i].text;
        fprintf(out, "  --%s%s%-*s %s\n", t->name, t->argument ? " " : "",
                (int)(24 - strlen(t->name) - (t->argument != NULL)),
                t->argument ? t->argument : "", t->help);
    }
    fputs("\nExit status: 0 conformant, 1 not, 2 wrong usage or unreadable input, "
          "77 nothing could be run.\n",
          out);
}

static int collect(struct lng_given *g, struct lng_options *o, int argc, char **argv,
                   char *error, size_t size)
{
    struct option options[OPTIONS + 1] = {{0}};
    for (int i = 0; i < OPTIONS; i++)
        options[i] = (struct option){
            table[i].text.name, table[i].text.argument ? required_argument : no_argument,
            NULL, (int)table[i].key};
    opterr = 0;
    for (int c, at = 1; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;
         at = optind) {
        const char **const once[] = {
            [SUITE - LIST] = &g->suite,         [SHAPE - LIST] = &g->shape,
            [SIZES - LIST] = &g->sizes,         [DTYPE - LIST] = &g->dtype,
            [INPUT - LIST] = &g->input,         [SEED - LIST] = &g->seed,
            [CORES - LIST] = &g->cores,         [EPSILON - LIST] = &g->epsilon,
            [TOLERANCE - LIST] = &g->tolerance, [TIMEOUT - LIST] = &g->timeout,
            [JSON - LIST] = &o->json,           [JUNIT - LIST] = &o->junit,
            [JOBS - LIST] = &g->jobs,           [COLOR - LIST] = &g->color};
        if (c == ':')
            return snprintf(error, size, "%s needs a value", argv[optind - 1]), -1;
        if (c == '?')
            return snprintf(error, size, "unknown option %s (--help lists them)",
                            argv[at]),
                   -1;
        if (c == LIST)
            o->list = 1;
        else if (c == HELP)
            o->help = 1;
        else if (c == QUIET)
            o->quiet = 1;
        else if (c == IMPL)
            g->impl[g->impl_count++] = optarg;
        else if (c == CASE)
            g->cases[g->case_count++] = optarg;
        else if (c == ENTRY)
            g->entries[g->entry_count++] = optarg;
        else if (*once[c - LIST])
            return snprintf(error, size, "--%s is given twice",
                            table[c - LIST].text.name),
                   -1;
        else
            *once[c - LIST] = optarg;
    }
    if (optind < argc)
        return snprintf(error, size, "unexpected word %s (--help lists the options)",
                        argv[optind]),
               -1;
    return 0;
}

int lng_given_read(struct lng_given *g, struct lng_options *o, int argc, char **argv,
                   char *error, size_t size)
{
    *g = (struct lng_given){.impl = calloc((size_t)argc, sizeof *g->impl),
                            .cases = calloc((size_t)argc, sizeof *g->cases),
                            .entries = calloc((size_t)argc, sizeof *g->entries)};
    if (!g->impl || !g->cases || !g->entries)
        return snprintf(error, size, "no memory"), -1;
    return collect(g, o, argc, argv, error, size);
}

void lng_given_free(struct lng_given *g)
{
    free(g->impl);
    free(g->cases);
    free(g->entries);
}
