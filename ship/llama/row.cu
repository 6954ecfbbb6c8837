// row.cu - what one row of ggml's table for mul_mat_q is worth: see `rows`.
//
//     row 'M...' 'N...' K
//
// Launches the kernel of ROW_TYPE and ROW_J, which ggml's own header was compiled with
// the row for, as ggml does: m x k weights, n columns. Prints the microseconds it takes,
// the geometric mean of all M and N, and a number that all right kernels share, of a
// small product.
// SPDX-License-Identifier: MIT
#include "mmq.cuh"

#include "row.cuh"

namespace {

struct product {
    mmq_args args;
    size_t   results;
};

product make(int64_t m, int64_t n, int64_t k) {
    const int64_t blocks = k / ggml_cuda_type_traits<ROW_TYPE>::qk;
    const int64_t padded = GGML_PAD(k, MATRIX_ROW_PADDING);
    // Kernels read whole tiles of columns, in steps of a word a thread.
    const size_t columns = n * padded / QK8_1_MMQ + 2 * ROW_J + 16;
    mmq_args a = {};
    a.x           = some_bytes(m * blocks * ROW_BLOCK_BYTES + ROW_BLOCK_BYTES * 8);
    a.type_x      = ROW_TYPE;
    a.y           = (const int *) some_bytes(columns * sizeof(block_q8_1_mmq));
    a.dst         = (float *) some_bytes(m * n * sizeof(float));
    a.ncols_x     = k;
    a.nrows_x     = m;
    a.ncols_dst   = n;
    a.stride_row_x = blocks;
    a.ncols_y     = n;
    a.nrows_dst   = m;
    a.nchannels_x = a.nchannels_y = a.nsamples_x = a.nsamples_y = 1;
    a.stride_channel_x = a.stride_sample_x = m * blocks;
    a.stride_channel_y = a.stride_sample_y = n * padded / QK8_1_MMQ * sizeof(block_q8_1_mmq) / 4;
    a.stride_channel_dst = a.stride_sample_dst = m * n;
    a.ncols_max   = n;
    return { a, size_t(m * n) };
}

void launch(ggml_backend_cuda_context & ctx, const mmq_args & args) {
    launch_mul_mat_q<ROW_TYPE, ROW_J, false>(ctx, args, ctx.stream());
    CUDA_CHECK(hipGetLastError());
}

} // namespace

int main(int argc, char ** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: row 'M...' 'N...' K\n");
        return 2;
    }
    auto & ctx = *new ggml_backend_cuda_context(0);
    const product small = make(256, ROW_J + 3, 1024);
    launch(ctx, small.args);
    const double sum = sum_of(small.args.dst, small.results);
    double logs = 0;
    int    count = 0;
    each(argv[1], [&](long m) {
        each(argv[2], [&](long n) {
            const product p = make(m, n, atol(argv[3]));
            logs += std::log(microseconds(ctx.stream(), [&] { launch(ctx, p.args); }));
            count++;
        });
    });
    printf("%.1f %.8g\n", std::exp(logs / count), sum);
    fflush(stdout);
    _Exit(0); // its destructors are the backend's
}
