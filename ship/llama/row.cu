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

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// What the header wants of the backend, for one card.

static int attribute(hipDeviceAttribute_t what) {
    int value = 0;
    CUDA_CHECK(hipDeviceGetAttribute(&value, what, 0));
    return value;
}

const ggml_cuda_device_info & ggml_cuda_info() {
    static ggml_cuda_device_info info = [] {
        ggml_cuda_device_info i = {};
        i.device_count         = 1;
        i.devices[0].cc        = GGML_CUDA_CC_VEGA20;
        i.devices[0].nsm       = attribute(hipDeviceAttributeMultiprocessorCount);
        i.devices[0].smpbo     = attribute(hipDeviceAttributeMaxSharedMemoryPerBlock);
        i.devices[0].warp_size = attribute(hipDeviceAttributeWarpSize);
        return i;
    }();
    return info;
}

int ggml_cuda_get_device() {
    return 0;
}

void ggml_cuda_set_device(int) {
}

void ggml_cuda_error(const char * what, const char *, const char *, int, const char * msg) {
    fprintf(stderr, "row: %s: %s\n", what, msg);
    exit(1);
}

extern "C" void ggml_abort(const char * file, int line, const char *, ...) {
    fprintf(stderr, "row: %s:%d: given up\n", file, line);
    exit(1);
}

namespace {

struct plain_pool : ggml_cuda_pool {
    void * alloc(size_t size, size_t * actual) override {
        void * at = nullptr;
        CUDA_CHECK(hipMalloc(&at, size));
        *actual = size;
        return at;
    }
    void free(void * at, size_t) override {
        CUDA_CHECK(hipFree(at));
    }
};

} // namespace

std::unique_ptr<ggml_cuda_pool> ggml_backend_cuda_context::new_pool_for_device(int, int) {
    return std::unique_ptr<ggml_cuda_pool>(new plain_pool);
}

namespace {

// Bytes that are small finite numbers as f16, as f32, and as integers.
char * some_bytes(size_t size) {
    std::vector<unsigned char> bytes(size);
    unsigned seed = 1;
    for (auto & byte : bytes) {
        seed = seed * 1664525 + 1013904223;
        byte = seed >> 24 & 0x3f;
    }
    char * at = nullptr;
    CUDA_CHECK(hipMalloc(&at, size));
    CUDA_CHECK(hipMemcpy(at, bytes.data(), size, hipMemcpyHostToDevice));
    return at;
}

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

double sum_of(ggml_backend_cuda_context & ctx, const product & p) {
    launch(ctx, p.args);
    CUDA_CHECK(hipDeviceSynchronize());
    std::vector<float> c(p.results);
    CUDA_CHECK(hipMemcpy(c.data(), p.args.dst, c.size() * sizeof(float), hipMemcpyDeviceToHost));
    double sum = 0;
    for (size_t i = 0; i < c.size(); i++) {
        sum += c[i] * (1 + i % 7); // an element elsewhere is another sum
    }
    return sum;
}

double microseconds(ggml_backend_cuda_context & ctx, const product & p, int times) {
    hipEvent_t begin, end;
    CUDA_CHECK(hipEventCreate(&begin));
    CUDA_CHECK(hipEventCreate(&end));
    double best = INFINITY;
    for (int i = 0; i < times; i++) {
        float ms = 0;
        CUDA_CHECK(hipEventRecord(begin, ctx.stream()));
        launch(ctx, p.args);
        CUDA_CHECK(hipEventRecord(end, ctx.stream()));
        CUDA_CHECK(hipEventSynchronize(end));
        CUDA_CHECK(hipEventElapsedTime(&ms, begin, end));
        best = std::fmin(best, 1e3 * ms);
    }
    return best;
}

} // namespace

// The numbers of a list, to each of which something is done.
template <class Body> void each(const char * list, Body body) {
    char * end;
    for (long x = strtol(list, &end, 10); end != list; x = strtol(list, &end, 10)) {
        body(x);
        list = end;
    }
}

int main(int argc, char ** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: row 'M...' 'N...' K\n");
        return 2;
    }
    auto & ctx = *new ggml_backend_cuda_context(0);
    const double sum = sum_of(ctx, make(256, ROW_J + 3, 1024));
    // The simulated card executes only what it needs for a time, and once is enough.
    auto set_mode = (int (*)(int)) dlsym(RTLD_DEFAULT, "hipsimSetMode");
    if (set_mode) {
        set_mode(1);
    }
    double logs = 0;
    int    count = 0;
    each(argv[1], [&](long m) {
        each(argv[2], [&](long n) {
            const product p = make(m, n, atol(argv[3]));
            logs += std::log(microseconds(ctx, p, set_mode ? 1 : 20));
            count++;
        });
    });
    printf("%.1f %.8g\n", std::exp(logs / count), sum);
    fflush(stdout);
    _Exit(0); // its destructors are the backend's
}
