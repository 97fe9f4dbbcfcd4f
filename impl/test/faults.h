/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_FAULTS_H
#define LNG_FAULTS_H
/* Planted faults: programs for the model of MT7004, and the report that names each. */
#include "model/model_run.h"
#include "port/mt7004.h"

/* Memory of the programs, which is declared but for its first tensor. */
struct lng_fault_memory {
    float stranger[16], x[256], dy[256], y[256];
    _Alignas(64) float workspace[256];
};
extern struct lng_fault_memory memory;

struct lng_fault {
    void (*program)(void *arg);
    uint32_t mask, launch; /* as lng_model_call's */
    int core;              /* of the finding */
    const char *text;      /* NULL: none */
};

struct lng_model_call lng_fault_call(const struct lng_fault *f);

/* Runs them all, three times: what a finding leaves behind does not disturb the next. */
void lng_expect_faults(const struct lng_fault *faults, size_t count);

/* A run of bytes, on a channel, started; on channel 0, done. */
void start(int channel, void *to, const void *from, size_t bytes);
void transfer(void *to, const void *from, size_t bytes);

/* Vector scratch. */
float *vector(size_t bytes);

#endif
