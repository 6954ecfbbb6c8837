// products.hip - asks ship/llama/tuned.cu for products of q4_0, with stand-ins for ggml
// in common.cuh; those that it serves must be right, and others untouched.
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

static bool right(const uint8_t * w, const float * x, const float * c, int m, int n, int k) {
    double off = 0, all = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += number(w + ((size_t) j * k + l) / 32 * 18, l % 32) * x[(size_t) i * k + l];
            double difference = c[(size_t) i * m + j] - sum;
            off += difference * difference;
            all += sum * sum;
        }
    return off <= 5e-4 * all; // ggml's own bound; a NaN is no less
}

static char * memory(size_t bytes) {
    char * at;
    if (hipMalloc((void **) &at, bytes) != hipSuccess) abort();
    return at;
}

int main(int argc, char ** argv) {
    int wrong = 0;
    for (const auto & t : cases) {
        auto is = [&](const char * word) { return !strcmp(t.but, word); };
        size_t blocks = (size_t) t.m * t.k / 32;
        uint8_t * w = (uint8_t *) memory(blocks * 18 + 16) + (is("place") ? 2 : 0);
        float * x = (float *) memory(4u * t.n * t.k), * c = (float *) memory(4u * t.m * t.n);
        for (size_t i = 0; i < blocks * 18; i++)
            w[i] = i % 18 == 0 ? 0 : i % 18 == 1 ? 0x24 : (uint8_t) draw();
        for (int i = 0; i < t.n * t.k; i++)
            x[i] = (float) draw() / (1 << 23) - 1;
        memset(c, 0xff, 4u * t.m * t.n);
        ggml_tensor a = { is("type") ? GGML_TYPE_Q5_0 : GGML_TYPE_Q4_0,
                          { t.k, t.m, is("two") ? 2 : 1, 1 }, is("gaps"), w,
                          is("split") ? w : NULL };
        ggml_tensor b = { GGML_TYPE_F32, { t.k, t.n, 1, 1 }, false, x, NULL };
        ggml_tensor d = { GGML_TYPE_F32, { t.m, t.n, 1, 1 }, false, c, NULL };
        ggml_cuda_info().devices[0].cc = is("card") ? 0x908 : GGML_CUDA_CC_VEGA20;
        ggml_backend_cuda_context context = { 0, {} };
        bool served = ggml_cuda_tuned_mul_mat(context, &a, &b, &d);
        bool good = served ? right(w, x, c, t.m, t.n, t.k) : *(uint32_t *) c == ~0u;
        if (served != (argc < 2 && t.served) || !good) {
            printf("m %d n %d k %d %s: served %d, right %d\n", t.m, t.n, t.k, t.but, served, good);
            wrong++;
        }
    }
    puts(wrong ? "wrong" : "all right");
    return wrong > 0;
}
