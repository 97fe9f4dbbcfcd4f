/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The oracle against results that others published: the worked example of the Ascend
 * document, public fault reports, and gradients of trained models by PyTorch.
 */
#include "small.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X, DY, MEAN, VAR, GAMMA };

/* |exact - decimal| <= tolerance*S + absolute, for a decimal number. */
static void assert_near(const lng_problem *problem, enum lng_output output, int64_t i,
                        const char *decimal, double tolerance, double absolute)
{
    mpfr_t v, S, published;
    mpfr_inits2(200, v, S, published, (mpfr_ptr)NULL);
    assert_int_equal(lng_oracle_element(problem, output, i, v, S), LNG_FINITE);
    assert_int_equal(mpfr_set_str(published, decimal, 10, MPFR_RNDN), 0);
    mpfr_mul_d(S, S, tolerance, MPFR_RNDN);
    mpfr_add_d(S, S, absolute, MPFR_RNDN);
    mpfr_sub(v, v, published, MPFR_RNDN);
    if (mpfr_cmpabs(v, S) > 0) {
        fail_msg("%s[%d] is off %s by %g", lng_output_name[output], (int)i, decimal,
                 mpfr_get_d(v, MPFR_RNDN));
    }
    mpfr_clears(v, S, published, (mpfr_ptr)NULL);
}

/* ---- The worked example of the Ascend document ---------------------------- */
/* LayerNormGrad, CANN 9.0.0 (atlasascendc_api_07_0798): x = dy = 0..63 in rows of eight,
 * gamma = 0..7, mean and var of x. Its printed results fit epsilon = 1e-4, though the
 * prose says 1e-5, and are themselves in single precision, off by up to 1.4e-5. */
static const char *const ascend_printed[64] = {
    "3.0548172",  "0.4362857",  "-1.3093826", "-2.182187",  "-2.1821284", "-1.309207",
    "0.4365778",  "3.0552254",  "3.0545845",  "0.4361186",  "-1.3094826", "-2.1822214",
    "-2.1820965", "-1.3091087", "0.4367447",  "3.055458",   "3.0543518",  "0.4359522",
    "-1.3095818", "-2.1822548", "-2.182064",  "-1.3090096", "0.43690872", "3.055687",
    "3.054119",   "0.43578815", "-1.309679",  "-2.1822853", "-2.182026",  "-1.3089066",
    "0.437088",   "3.0559235",  "3.0538864",  "0.43562222", "-1.3097801", "-2.1823158",
    "-2.1819916", "-1.3088074", "0.43724823", "3.05616",    "3.0536423",  "0.4354477",
    "-1.3098869", "-2.1823578", "-2.181961",  "-1.3087158", "0.43740845", "3.0563965",
    "3.0534134",  "0.43528175", "-1.3099861", "-2.1823883", "-2.1819305", "-1.308609",
    "0.43756104", "3.0566254",  "3.0531921",  "0.43511963", "-1.3100777", "-2.1824188",
    "-2.1818848", "-1.3085022", "0.43774414", "3.0568542",
};

/* resForGamma: (x - mean)*r, the same in every row. */
static const char *const ascend_res_for_gamma[8] = {
    "-1.5275106", "-1.091079", "-0.6546474", "-0.21821581",
    "0.21821581", "0.6546474", "1.091079",   "1.5275106",
};

/* The first and last elements in exact arithmetic with epsilon = the double 0.0001. */
static const struct {
    enum lng_output output;
    int64_t i;
    const char *value;
} ascend_exact[] = {
    {LNG_DX, 0,  "3.054817703788959997538436896746E+0" },
    {LNG_DX, 1,  "4.362861495630618656092710943365E-1" },
    {LNG_DX, 20, "-2.182062522513391443442161410108E+0"},
    {LNG_DX, 63, "3.056854345907777343222284987722E+0" },
    {LNG_DG, 0,  "-3.421623932160942739959640310545E+2"},
    {LNG_DG, 4,  "5.586324787201539167281045404971E+1" },
    {LNG_DG, 7,  "4.277029915201178424949550388181E+2" },
    {LNG_DB, 0,  "224"                                 },
    {LNG_DB, 7,  "280"                                 },
};

static void ascend_example(void **state)
{
    (void)state;
    lng_problem problem = small_new(LNG_F32, 8, 8, 8, 8, 0.0001);
    for (int64_t i = 0; i < 64; i++) {
        small_set(&problem, X, i, (double)i);
        small_set(&problem, DY, i, (double)i);
    }
    for (int64_t i = 0; i < 8; i++) {
        small_set(&problem, GAMMA, i, (double)i);
        small_set(&problem, MEAN, i, 8 * (double)i + 3.5);
        small_set(&problem, VAR, i, 5.25);
    }
    for (int64_t i = 0; i < 64; i++) {
        assert_near(&problem, LNG_DX, i, ascend_printed[i], 0, 2e-5);
    }
    for (size_t k = 0; k < sizeof ascend_exact / sizeof *ascend_exact; k++) {
        assert_near(&problem, ascend_exact[k].output, ascend_exact[k].i,
                    ascend_exact[k].value, 1e-30, 0);
    }
    /* one row and dy = 1 make dg what the document calls resForGamma */
    problem.block_num = problem.param_size = 1;
    for (int64_t i = 0; i < 8; i++) {
        small_set(&problem, DY, i, 1);
    }
    for (int64_t i = 0; i < 8; i++) {
        assert_near(&problem, LNG_DG, i, ascend_res_for_gamma[i], 0, 2e-7);
    }
    small_free(&problem);
}

/* ---- Public fault reports ------------------------------------------------- */
/* clang-format off */
/* One row of four, or two; results without a tolerance are exact in the type. */
static const struct {
    const char *where;
    int64_t H;
    double x[4], dy[4], gamma[4], mean, var, epsilon;
    const char *dx[4], *dg[4];
    double tolerance;
} reports[] = {
    {"tenstorrent/tt-metal 53204: the mean of dy*gamma subtracted twice",
     4, {-1, 1, -1, 1}, {1, 0, 0, 0}, {1, 1, 1, 1}, 0, 1, 0,
     {"0.5", "0", "-0.5", "0"}, {"-1", "0", "0", "0"}, 0},
    {"karpathy/llm.c 763: gamma left out",
     4, {-1, 1, -1, 1}, {1, 1, 1, 1}, {1, 2, 4, 8}, 0, 1, 0,
     {"-1.5", "-3", "1.5", "3"}, {"-1", "1", "-1", "1"}, 0},
    {"FlagGems 5771: variance read where its reciprocal root was meant",
     4, {-2, 2, -2, 2}, {1, 0, 0, 0}, {1, 1, 1, 1}, 0, 4, 0,
     {"0.25", "0", "-0.25", "0"}, {"-1", "0", "0", "0"}, 0},
    {"onnxruntime 28463: mean 1e4 times the spread",
     4, {40000, 40001, 40002, 40003}, {1, 0, 0, 0}, {1, 1, 1, 1},
     40001.5, 1.25, 9.999999747378752e-06,
     {"0.26833030", "-0.35776837", "-0.08944343", "0.17888150"},
     {"-1.341635419969062551726510312465", "0", "0", "0"}, 1e-8},
    {"onnxruntime 21935: a constant row",
     4, {1234, 1234, 1234, 1234}, {1, 0, 0, 0}, {1, 1, 1, 1},
     1234, 0, 9.999999747378752e-06,
     {"237.170828", "-79.0569425", "-79.0569425", "-79.0569425"},
     {"0", "0", "0", "0"}, 1e-8},
    {"the same with a variance below zero",
     4, {1234, 1234, 1234, 1234}, {1, 0, 0, 0}, {1, 1, 1, 1}, 1234, -5e-6, 1e-5,
     {"335.410205", "-111.803401", "-111.803401", "-111.803401"},
     {"0", "0", "0", "0"}, 1e-7},
    {"pyg-team/pytorch_geometric 2917: epsilon outside the root",
     4, {0, 0, 0, 0}, {1, -1, 0, 0}, {1, 1, 1, 1}, 0, 1e-10, 9.999999747378752e-06,
     {"316.226185", "-316.226185", "0", "0"}, {"0", "0", "0", "0"}, 1e-8},
    {"PaddlePaddle/Paddle 35498: the mean is the given one, and so is C",
     2, {-1.839656949043274, -1.8296456336975098}, {1, 1}, {1, 1},
     -1.834651231765747, 2.505660813767463e-05, 9.999999747378752e-06,
     {"-1.437429035930714582979460180521E-3", "1.437429035930714582979460180521E-3"},
     {"-0.8454372356094321854954956742963", "0.8454171018370616910517935596605"}, 1e-30},
};
/* clang-format on */

static void fault_reports(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++) {
        int64_t H = reports[k].H;
        lng_problem problem = small_new(LNG_F32, H, 1, 1, H, reports[k].epsilon);
        small_fill(&problem, X, reports[k].x);
        small_fill(&problem, DY, reports[k].dy);
        small_fill(&problem, GAMMA, reports[k].gamma);
        small_set(&problem, MEAN, 0, reports[k].mean);
        small_set(&problem, VAR, 0, reports[k].var);
        for (int64_t i = 0; i < H; i++) {
            assert_near(&problem, LNG_DX, i, reports[k].dx[i], reports[k].tolerance, 0);
            assert_near(&problem, LNG_DG, i, reports[k].dg[i], reports[k].tolerance, 0);
        }
        small_free(&problem);
    }
}

/* ---- PyTorch -------------------------------------------------------------- */
/* The data of an npy file of version 1, whose type has to be descr. */
static void *read_npy(const char *folder, const char *name, const char *descr,
                      int64_t bytes)
{
    char path[512], header[512];
    unsigned char start[10];
    snprintf(path, sizeof path, "%s/verify/data/%s/%s.npy", LNG_SOURCE_DIR, folder, name);
    FILE *file = fopen(path, "rb");
    void *data = malloc((size_t)bytes + 1);
    assert_non_null(file);
    assert_non_null(data);
    assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
    assert_memory_equal(start, "\x93NUMPY\x01\x00", 8);
    size_t length = start[8] + 256u * start[9];
    assert_true(length < sizeof header);
    assert_int_equal(fread(header, 1, length, file), length);
    header[length] = '\0';
    assert_non_null(strstr(header, descr));
    assert_non_null(strstr(header, "'fortran_order': False"));
    assert_int_equal(fread(data, 1, (size_t)bytes + 1, file), bytes);
    fclose(file);
    return data;
}

/* PyTorch's own gradients in double leave out the C term; that is what the tolerance of
 * dx allows for, a multiple of S. */
static void bundle(const char *folder, lng_dtype dtype, int64_t rows, int64_t H,
                   double epsilon, double dx_tolerance)
{
    const char *descr = dtype == LNG_F32 ? "'<f4'" : "'<f2'";
    static const char *const names[SMALL_INPUTS] = {"x", "dy", "mean", "var", "gamma"};
    static const char *const results[LNG_OUTPUTS] = {"torch_dx", "torch_dg", "torch_db"};
    lng_problem problem = {.dtype = dtype,
                           .param_num = H,
                           .param_size = rows,
                           .block_num = rows,
                           .block_size = H,
                           .epsilon = epsilon};
    void *inputs[SMALL_INPUTS];
    struct lng_truth *truth[LNG_OUTPUTS];
    for (int which = 0; which < SMALL_INPUTS; which++) {
        inputs[which] =
            read_npy(folder, names[which], descr,
                     small_length(&problem, which) * (int64_t)lng_dtype_size(dtype));
    }
    problem.x = inputs[X];
    problem.dy = inputs[DY];
    problem.mean = inputs[MEAN];
    problem.var = inputs[VAR];
    problem.gamma = inputs[GAMMA];
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        truth[output] =
            malloc((size_t)lng_output_length(&problem, (enum lng_output)output) *
                   sizeof *truth[output]);
        assert_non_null(truth[output]);
    }
    assert_int_equal(lng_oracle(&problem, truth[LNG_DX], truth[LNG_DG], truth[LNG_DB]),
                     0);
    for (int output = 0; output < LNG_OUTPUTS; output++) {
        int64_t length = lng_output_length(&problem, (enum lng_output)output);
        double *torch =
            read_npy(folder, results[output], "'<f8'", length * (int64_t)sizeof *torch);
        double worst = 0, tolerance = output == LNG_DX ? dx_tolerance : 1e-15;
        for (int64_t i = 0; i < length; i++) {
            const struct lng_truth *t = &truth[output][i];
            assert_int_equal(t->kind, LNG_FINITE);
            double error = fabs(torch[i] - t->hi - t->lo) / t->S;
            if (!(error <= tolerance)) {
                fail_msg("%s %s[%d]: %a, PyTorch has %a", folder, lng_output_name[output],
                         (int)i, t->hi, torch[i]);
            }
            worst = fmax(worst, error);
        }
        printf("%s %s: %.1e of S\n", folder, lng_output_name[output], worst);
        free(torch);
        free(truth[output]);
    }
    for (int which = 0; which < SMALL_INPUTS; which++) {
        free(inputs[which]);
    }
}

static void bundles(void **state)
{
    (void)state;
    bundle("gpt192-b1l2", LNG_F32, 128, 192, 1e-5, 1e-8);
    bundle("gpt96-b0l1", LNG_F32, 256, 96, 1e-5, 1e-8);
    bundle("gpt77-b2l1-fp16", LNG_F16, 250, 77, 1e-6, 5e-5);
    bundle("gpt96-final-fp16", LNG_F16, 256, 96, 1e-5, 5e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascend_example),
        cmocka_unit_test(fault_reports),
        cmocka_unit_test(bundles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
