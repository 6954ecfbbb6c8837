// vec.cu - what the two numbers of ggml's mul_mat_vec_q for a card are worth: see
// `vec-rows`.
//
//     vec
//
// Launches the kernel of ROW_TYPE with VEC_WARPS waves and VEC_ROWS rows a workgroup, as
// ggml does, or with its own numbers where these are 0, for 1 to 8 columns. Prints for
// each the microseconds it takes, the geometric mean of three sizes, and a number that
// all right kernels share, of a small product.
// SPDX-License-Identifier: MIT
#include "mmvq-part.cu"

#include "row.cuh"

namespace {

struct product {
    const void * w, * x;
    float *      c;
    int          m, n, k, padded;
};

product make(int64_t m, int64_t n, int64_t k) {
    const int64_t blocks = m * k / ggml_cuda_type_traits<ROW_TYPE>::qk;
    const int64_t padded = GGML_PAD(k, MATRIX_ROW_PADDING);
    return { some_bytes((blocks + 8) * ROW_BLOCK_BYTES),
             some_bytes(n * padded / QK8_1 * sizeof(block_q8_1)),
             (float *) some_bytes(m * n * sizeof(float)), (int) m, (int) n, (int) k,
             (int) padded };
}

void launch(ggml_backend_cuda_context & ctx, const product & p) {
    const int blocks = p.k / ggml_cuda_type_traits<ROW_TYPE>::qk;
    mul_mat_vec_q_switch_ncols_dst<ROW_TYPE>(p.w, p.x, nullptr, {}, p.c, p.k, p.m, p.n,
        blocks, p.padded / QK8_1, p.m, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ctx.stream());
    CUDA_CHECK(hipGetLastError());
}

} // namespace

int main() {
    static const int sizes[][2] = { { 4096, 4096 }, { 14336, 4096 }, { 4096, 14336 } };
    auto & ctx = *new ggml_backend_cuda_context(0);
    double sums[9];
    for (int n = 1; n <= 8; n++) {
        const product small = make(64, n, 1024);
        launch(ctx, small);
        sums[n] = sum_of(small.c, 64 * n);
    }
    double logs[9] = {};
    for (const auto & size : sizes) {
        product p = make(size[0], 8, size[1]);
        for (p.n = 1; p.n <= 8; p.n++) {
            logs[p.n] += std::log(microseconds(ctx.stream(), [&] { launch(ctx, p); })) / 3;
        }
    }
    for (int n = 1; n <= 8; n++) {
        printf("%d %.1f %.8g\n", n, std::exp(logs[n]), sums[n]);
    }
    fflush(stdout);
    _Exit(0); // its destructors are the backend's
}
