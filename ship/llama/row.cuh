// row.cuh - what row.cu and vec.cu share: stand-ins for the rest of ggml's backend, data,
// and times. The kernel of ROW_TYPE comes before it.
// SPDX-License-Identifier: MIT
#pragma once

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

extern "C" bool ggml_is_quantized(ggml_type) {
    return true;
}

extern "C" int64_t ggml_blck_size(ggml_type) {
    return ggml_cuda_type_traits<ROW_TYPE>::qk;
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

// A sum of results that no other order of them has.
double sum_of(const float * results, size_t n) {
    CUDA_CHECK(hipDeviceSynchronize());
    std::vector<float> c(n);
    CUDA_CHECK(hipMemcpy(c.data(), results, n * sizeof(float), hipMemcpyDeviceToHost));
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += c[i] * (1 + i % 7);
    }
    return sum;
}

// Is this the simulated card? From now on it executes only what it needs for a time.
bool simulated() {
    auto set_mode = (int (*)(int)) dlsym(RTLD_DEFAULT, "hipsimSetMode");
    return set_mode && set_mode(1) == 0;
}

// Least of 20; of the simulated card once is enough.
template <class Launch> double microseconds(hipStream_t stream, Launch launch) {
    hipEvent_t begin, end;
    CUDA_CHECK(hipEventCreate(&begin));
    CUDA_CHECK(hipEventCreate(&end));
    double best = INFINITY;
    for (int times = simulated() ? 1 : 20; times > 0; times--) {
        float ms = 0;
        CUDA_CHECK(hipEventRecord(begin, stream));
        launch();
        CUDA_CHECK(hipEventRecord(end, stream));
        CUDA_CHECK(hipEventSynchronize(end));
        CUDA_CHECK(hipEventElapsedTime(&ms, begin, end));
        best = std::fmin(best, 1e3 * ms);
    }
    return best;
}

// The numbers of a list, to each of which something is done.
template <class Body> void each(const char * list, Body body) {
    char * end;
    for (long x = strtol(list, &end, 10); end != list; x = strtol(list, &end, 10)) {
        body(x);
        list = end;
    }
}

} // namespace
