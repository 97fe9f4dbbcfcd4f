/* SPDX-License-Identifier: Apache-2.0 */
/* A program may close the library while threads of its pool sleep in it. */
#include "fixture.h"

#include <dlfcn.h>
#include <string.h>

typedef void call(float *x, float *dy, float *var, float *mean, float *gamma,
                  int param_num, int param_size, int block_num, int block_size, float *dx,
                  float *dg, float *db, int core_mask);

static void closed_while_threads_sleep(void **state)
{
    (void)state;
    struct lng_fixture f = lng_setup(LNG_F32, (int64_t[]){64, 1024, 1024, 64}, AT_END);
    float *t[TENSORS];
    for (int i = 0; i < TENSORS; i++)
        t[i] = f.tensor[i];
    void *library = dlopen(LNG_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    void *symbol = dlsym(library, "fp_layernormgrad_s");
    call *documented;
    memcpy(&documented, &symbol, sizeof symbol);
    documented(t[X], t[DY], t[VAR], t[MEAN], t[GAMMA], 64, 1024, 1024, 64, t[DX], t[DG],
               t[DB], 0xff);
    assert_int_equal(dlclose(library), 0);
    /* Its code is still there for them. */
    assert_non_null(dlopen(LNG_LIBRARY, RTLD_NOW | RTLD_NOLOAD));
    lng_teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_while_threads_sleep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
