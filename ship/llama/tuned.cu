// tuned.cu - see tuned.cuh.
// SPDX-License-Identifier: MIT
#include "tuned.cuh"

// The kernels are for gfx906: what is compiled for other cards sees none of this.
#if defined(GGML_USE_HIP) && (!defined(__HIP_DEVICE_COMPILE__) || defined(__gfx906__))
#include "tuned-mmq.cuh"
#include "tuned-mmvq.cuh"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct tuned_mode {
    bool off, stats;
    std::atomic<long> asked{0}, served{0};

    tuned_mode() {
        const char * word = getenv("GGML_TUNED");
        off   = word && !strcmp(word, "off");
        stats = word && !strcmp(word, "stats");
    }
    ~tuned_mode() {
        if (stats) {
            fprintf(stderr, "ggml tuned: %ld of %ld quantised products served\n",
                    served.load(), asked.load());
        }
    }
};

tuned_mode mode;

bool one_matrix(const ggml_tensor * t) {
    return ggml_is_contiguous(t) && t->ne[2] == 1 && t->ne[3] == 1;
}

// Kernels load 16 bytes of weights at once.
bool aligned(const ggml_tensor * t) {
    return (uintptr_t) t->data % 16 == 0;
}

bool in_question(const ggml_tensor * src0, const ggml_tensor * src1, const ggml_tensor * dst) {
    return ggml_is_quantized(src0->type) && src1->type == GGML_TYPE_F32 &&
           dst->type == GGML_TYPE_F32 && one_matrix(src0) && one_matrix(src1) &&
           one_matrix(dst) && aligned(src0) && aligned(dst) && !src0->extra;
}

template <class Kernel, class Problem, class Buffers>
bool launch(ggml_backend_cuda_context & ctx, const Kernel * k, const Problem & p,
            const ggml_tensor * src0, const ggml_tensor * src1, ggml_tensor * dst) {
    if (!k) {
        return false;
    }
    ggml_cuda_pool_alloc<char> scratch(ctx.pool(), k->scratch(p) + 1);
    Buffers b = {};
    b.w = src0->data;
    b.x = src1->data;
    b.c = dst->data;
    CUDA_CHECK(k->launch(p, b, scratch.get(), ctx.stream()));
    return true;
}

} // namespace

bool ggml_cuda_tuned_mul_mat(ggml_backend_cuda_context & ctx, const ggml_tensor * src0,
                             const ggml_tensor * src1, ggml_tensor * dst) {
    if (mode.off || !in_question(src0, src1, dst) ||
        ggml_cuda_info().devices[ctx.device].cc != GGML_CUDA_CC_VEGA20) {
        return false;
    }
    const int64_t m = src0->ne[1], n = src1->ne[1], k = src0->ne[0];
    const char *  type = ggml_type_name(src0->type);
    bool served;
    if (n <= 8) {
        using namespace mmvq_gfx906;
        problem p = {};
        p.m = m, p.n = n, p.k = k, p.dtype = type, p.x = "f32";
        served = launch<kernel, problem, buffers>(ctx, find(p), p, src0, src1, dst);
    } else {
        using namespace mmq_gfx906;
        problem p = {};
        p.m = m, p.n = n, p.k = k, p.dtype = type, p.x = "f32";
        p.used = 8, p.routing = "zipf"; // of experts, which there are none of
        served = launch<kernel, problem, buffers>(ctx, find(p), p, src0, src1, dst);
    }
    mode.asked++;
    mode.served += served;
    return served;
}

#elif !defined(GGML_USE_HIP)

bool ggml_cuda_tuned_mul_mat(ggml_backend_cuda_context &, const ggml_tensor *,
                             const ggml_tensor *, ggml_tensor *) {
    return false;
}

#endif
