// products.hip - asks ship/llama/tuned.cu for products of q4_0, of experts too, with
// stand-ins for ggml in common.cuh; those that it serves must be right, and others
// untouched.
//
//     products [off]     off: none may be served
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tuned.cu"

static const struct {
    int m, n, k;
    int served;
    const char * but; // what else is unusual
} cases[] = {
    { 33, 4, 4096, 1, "" },           { 20, 40, 4096, 1, "" },
    { 70, 33, 2048, 1, "" },          { 64, 3, 4096, 0, "" },
    { 64, 4, 4096, 0, "type" },       { 64, 4, 4096, 0, "gaps" },
    { 64, 4, 4096, 0, "two" },        { 64, 4, 4096, 0, "place" },
    { 64, 4, 4096, 0, "card" },       { 64, 4, 4096, 0, "split" },
};

static uint32_t state = 1;
static uint32_t draw() {
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

// Number e of a block of q4_0 whose scale is 1 / 64.
static double number(const uint8_t * b, int e) {
    return ((e < 16 ? b[2 + e] & 15 : b[2 + e - 16] >> 4) - 8) / 64.0;
}

// A column of results beside its definition: adds up what is off, squared, and all.
struct error { double off, all; };
static void add(error * e, const uint8_t * w, const float * x, const float * c, int m, int k) {
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int l = 0; l < k; l++)
            sum += number(w + ((size_t) j * k + l) / 32 * 18, l % 32) * x[l];
        double difference = c[j] - sum;
        e->off += difference * difference;
        e->all += sum * sum;
    }
}
static bool right(error e) { return e.off <= 5e-4 * e.all; } // ggml's bound; a NaN is no less

static char * memory(size_t bytes) {
    char * at;
    if (hipMalloc((void **) &at, bytes) != hipSuccess) abort();
    return at;
}

static uint8_t * weights(size_t blocks, int displaced) {
    uint8_t * w = (uint8_t *) memory(blocks * 18 + 16) + displaced;
    for (size_t i = 0; i < blocks * 18; i++)
        w[i] = i % 18 == 0 ? 0 : i % 18 == 1 ? 0x24 : (uint8_t) draw();
    return w;
}

static float * numbers(size_t n) {
    float * x = (float *) memory(4 * n);
    for (size_t i = 0; i < n; i++)
        x[i] = (float) draw() / (1 << 23) - 1;
    return x;
}

// Tokens of which each goes to two of five experts, the last of which nobody wants;
// rows: of each token, one for both experts or two. The ids have gaps.
// Asked while a graph is recorded, as ggml may; the ids come only before it is launched.
static bool experts(int tokens, int rows, int served_then) {
    const int m = 70, k = 256, all = 5, used = 2, stride = 3;
    size_t one = (size_t) m * k / 32 * 18;
    uint8_t * w = weights((size_t) all * m * k / 32, 0);
    float * x = numbers((size_t) tokens * rows * k);
    float * c = (float *) memory(4u * m * used * tokens);
    memset(c, 0xff, 4u * m * used * tokens);
    int * id = (int *) memory(4u * tokens * stride);
    ggml_tensor a = { GGML_TYPE_Q4_0, { k, m, all, 1 }, false, w };
    ggml_tensor b = { GGML_TYPE_F32, { k, rows, tokens, 1 }, false, x };
    ggml_tensor i = { GGML_TYPE_I32, { used, tokens, 1, 1 }, true, id, NULL, { 4, 4 * stride } };
    ggml_tensor d = { GGML_TYPE_F32, { m, used, tokens, 1 }, false, c, NULL, {}, { &a, &b, &i } };
    ggml_backend_cuda_context context = { 0, {}, NULL };
    hipGraph_t graph;
    hipGraphExec_t ready;
    CUDA_CHECK(hipStreamCreate(&context.queue));
    CUDA_CHECK(hipStreamBeginCapture(context.queue, hipStreamCaptureModeRelaxed));
    bool served = ggml_cuda_tuned_mul_mat_id(context, &d);
    CUDA_CHECK(hipStreamEndCapture(context.queue, &graph));
    bool good = *(uint32_t *) c == ~0u; // nothing is done yet
    if (served && good) {
        for (int t = 0; t < tokens; t++) {
            id[t * stride] = t % 3 ? 2 : (int) (draw() % 2);
            id[t * stride + 1] = 3;
            id[t * stride + 2] = 1000;
        }
        CUDA_CHECK(hipGraphInstantiate(&ready, graph, NULL, NULL, 0));
        CUDA_CHECK(hipGraphLaunch(ready, context.queue));
        CUDA_CHECK(hipStreamSynchronize(context.queue));
        error e = {};
        for (int o = 0; o < tokens * used; o++)
            add(&e, w + one * id[o / used * stride + o % used],
                x + (size_t) (o / used * rows + o % used % rows) * k, c + (size_t) o * m, m, k);
        good = right(e);
    }
    if (served != served_then || !good)
        printf("experts, %d tokens, %d rows: served %d, right %d\n", tokens, rows, served, good);
    return served == served_then && good;
}

int main(int argc, char ** argv) {
    int wrong = 0;
    for (const auto & t : cases) {
        auto is = [&](const char * word) { return !strcmp(t.but, word); };
        uint8_t * w = weights((size_t) t.m * t.k / 32, is("place") ? 2 : 0);
        float * x = numbers((size_t) t.n * t.k), * c = (float *) memory(4u * t.m * t.n);
        memset(c, 0xff, 4u * t.m * t.n);
        ggml_tensor a = { is("type") ? GGML_TYPE_Q5_0 : GGML_TYPE_Q4_0,
                          { t.k, t.m, is("two") ? 2 : 1, 1 }, is("gaps"), w,
                          is("split") ? w : NULL };
        ggml_tensor b = { GGML_TYPE_F32, { t.k, t.n, 1, 1 }, false, x, NULL };
        ggml_tensor d = { GGML_TYPE_F32, { t.m, t.n, 1, 1 }, false, c, NULL };
        ggml_cuda_info().devices[0].cc = is("card") ? 0x908 : GGML_CUDA_CC_VEGA20;
        ggml_backend_cuda_context context = { 0, {}, NULL };
        bool served = ggml_cuda_tuned_mul_mat(context, &a, &b, &d);
        CUDA_CHECK(hipDeviceSynchronize());
        error e = {};
        for (int i = 0; served && i < t.n; i++)
            add(&e, w, x + (size_t) i * t.k, c + (size_t) i * t.m, t.m, t.k);
        bool good = served ? right(e) : *(uint32_t *) c == ~0u;
        if (served != (argc < 2 && t.served) || !good) {
            printf("m %d n %d k %d %s: served %d, right %d\n", t.m, t.n, t.k, t.but, served, good);
            wrong++;
        }
    }
    ggml_cuda_info().devices[0].cc = GGML_CUDA_CC_VEGA20;
    wrong += !experts(40, 1, argc < 2);
    wrong += !experts(33, 2, argc < 2);
    wrong += !experts(8, 2, 0);
    // A kernel for experts is none for one matrix.
    wrong += !!mmq_gfx906::find({ 64, 40, 4096, "q4_0", "q8_1", 0, 8, "zipf" });
    puts(wrong ? "wrong" : "all right");
    return wrong > 0;
}
