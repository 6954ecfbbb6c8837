// common.cuh - what ship/llama/tuned.cu takes of ggml, as a stand-in: its names.
// SPDX-License-Identifier: MIT
#pragma once
#include <hip/hip_runtime.h>
#include <stdint.h>

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_Q4_0 = 2, GGML_TYPE_Q5_0 = 6, GGML_TYPE_I32 = 26 };
enum { GGML_CUDA_CC_VEGA20 = 0x906 };

struct ggml_tensor {
    ggml_type type;
    int64_t   ne[4];
    bool      gaps;
    void *    data;
    void *    extra;
    size_t    nb[4];
    ggml_tensor * src[3];
};

inline bool ggml_is_contiguous(const ggml_tensor * t) { return !t->gaps; }
inline bool ggml_is_quantized(ggml_type type) {
    return type != GGML_TYPE_F32 && type != GGML_TYPE_I32;
}
inline const char * ggml_type_name(ggml_type type) {
    return type == GGML_TYPE_Q4_0 ? "q4_0" : type == GGML_TYPE_F32 ? "f32" : "q5_0";
}

struct ggml_cuda_device_info {
    struct { int cc; } devices[1];
};
inline ggml_cuda_device_info & ggml_cuda_info() {
    static ggml_cuda_device_info info = {{{GGML_CUDA_CC_VEGA20}}};
    return info;
}

// Gives nothing back: what runs still uses it, and so does a graph that is launched again.
struct ggml_cuda_pool {};
template <class T> struct ggml_cuda_pool_alloc {
    T * at;
    ggml_cuda_pool_alloc(ggml_cuda_pool &, size_t n) {
        if (hipMalloc((void **) &at, n * sizeof(T)) != hipSuccess) abort();
    }
    T * get() { return at; }
};

struct ggml_backend_cuda_context {
    int            device;
    ggml_cuda_pool memory;
    hipStream_t    queue;
    ggml_cuda_pool & pool() { return memory; }
    hipStream_t stream() { return queue; }
};

#define CUDA_CHECK(call) do { if ((call) != hipSuccess) abort(); } while (0)
