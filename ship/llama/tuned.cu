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

namespace {

// A workgroup an expert. `offsets` gets where its rows begin among all, which are
// sorted by expert; `to` for each of them the row of dst that it makes, and `place` for
// each of dst's which it is, or -1: its id is no expert's.
__global__ void __launch_bounds__(256)
sort_rows(const char * ids, int64_t slot_bytes, int64_t token_bytes, int slots, int rows,
          int * offsets, int * to, int * place) {
    __shared__ int first, sums[256];
    const int expert = blockIdx.x, experts = gridDim.x, thread = threadIdx.x;
    auto id = [&](int i) {
        return *(const int *) (ids + i / slots * token_bytes + i % slots * slot_bytes);
    };
    int own = 0, smaller = 0;
    for (int i = thread; i < rows; i += 256) {
        const int x = id(i);
        own += x == expert;
        smaller += x >= 0 && x < expert;
        if (expert == 0 && (x < 0 || x >= experts)) {
            place[i] = -1;
        }
    }
    first = 0;
    sums[thread] = own;
    __syncthreads();
    atomicAdd(&first, smaller);
    for (int down = 1; down < 256; down *= 2) {
        const int other = thread >= down ? sums[thread - down] : 0;
        __syncthreads();
        sums[thread] += other;
        __syncthreads();
    }
    int at = first + sums[thread] - own;
    for (int i = thread; i < rows; i += 256) {
        if (id(i) == expert) {
            place[i] = at;
            to[at++] = i;
        }
    }
    if (thread == 255) {
        offsets[expert] = first;
        offsets[expert + 1] = first + sums[255]; // what the next one says, too
    }
}

__device__ unsigned half_bits(float x) {
    return __builtin_bit_cast(unsigned short, (_Float16) x);
}

// Each row of x as q8_1, put where the experts of its token have it: blocks of all
// sorted rows at the same k one after the other, of each d and, above it, the sum in
// `scales`. A thread has four activations, eight threads a block.
__global__ void __launch_bounds__(256)
quantise_rows(const float4 * x, const int * place, int slots, int src1_rows, unsigned * q,
              unsigned * scales, int n, int k) {
    const int at = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    if (at >= k / 4) {
        return;
    }
    const float4 here = x[(int64_t) row * (k / 4) + at];
    const float  four[4] = { here.x, here.y, here.z, here.w };
    float most = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        most = fmaxf(most, fabsf(four[i]));
        sum += four[i];
    }
    for (int mask = 4; mask > 0; mask /= 2) {
        most = fmaxf(most, __shfl_xor(most, mask, 8));
        sum += __shfl_xor(sum, mask, 8);
    }
    const float d = most / 127.0f;
    unsigned word = 0;
    for (int i = 0; i < 4; i++) {
        const int number = most == 0 ? 0 : (int) roundf(four[i] / d);
        word |= (number & 255u) << 8 * i;
    }
    const int token = row / src1_rows;
    for (int slot = row % src1_rows; slot < slots; slot += src1_rows) {
        const int to = place[token * slots + slot];
        if (to < 0) {
            continue;
        }
        const int64_t block = (int64_t) (at / 8) * n + to;
        q[block * 8 + at % 8] = word;
        if (at % 8 == 0) {
            scales[block] = half_bits(d) | half_bits(sum) << 16;
        }
    }
}

__global__ void __launch_bounds__(256)
scatter_rows(const float * c, const int * to, const int * rows, float * dst, int m) {
    const int at = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    if (at < m && row < *rows) {
        dst[(int64_t) to[row] * m + at] = c[(int64_t) row * m + at];
    }
}

// Rows are side by side, and so are matrices of weights; ids may be part of a tensor.
bool experts_in_question(const ggml_tensor * src0, const ggml_tensor * src1,
                         const ggml_tensor * ids, const ggml_tensor * dst) {
    return ggml_is_quantized(src0->type) && src1->type == GGML_TYPE_F32 &&
           dst->type == GGML_TYPE_F32 && ids->type == GGML_TYPE_I32 &&
           ggml_is_contiguous(src0) && ggml_is_contiguous(src1) && ggml_is_contiguous(dst) &&
           src0->ne[3] == 1 && src1->ne[3] == 1 && aligned(src0) && aligned(src1) &&
           !src0->extra;
}

// So many tokens ggml's kernels for few columns do as fast.
constexpr int64_t few_tokens = 8;

} // namespace

bool ggml_cuda_tuned_mul_mat_id(ggml_backend_cuda_context & ctx, ggml_tensor * dst) {
    using namespace mmq_gfx906;
    const ggml_tensor * src0 = dst->src[0], * src1 = dst->src[1], * ids = dst->src[2];
    if (mode.off || !experts_in_question(src0, src1, ids, dst) ||
        ggml_cuda_info().devices[ctx.device].cc != GGML_CUDA_CC_VEGA20 ||
        src1->ne[2] <= few_tokens) {
        return false;
    }
    const int slots = (int) ids->ne[0], experts = (int) src0->ne[2];
    problem p = {};
    p.m = src0->ne[1], p.n = slots * src1->ne[2], p.k = src0->ne[0];
    p.dtype = ggml_type_name(src0->type), p.x = "q8_1";
    p.groups = experts, p.used = 8, p.routing = "zipf";
    const kernel * k = find(p);
    mode.asked++;
    if (!k) {
        return false;
    }
    const int n = (int) p.n;
    ggml_cuda_pool_alloc<int>      rows(ctx.pool(), experts + 1 + 2 * p.n);
    ggml_cuda_pool_alloc<unsigned> quants(ctx.pool(), p.n * p.k / 4);
    ggml_cuda_pool_alloc<unsigned> scales(ctx.pool(), p.n * p.k / 32);
    ggml_cuda_pool_alloc<float>    sorted(ctx.pool(), p.n * p.m);
    ggml_cuda_pool_alloc<char>     scratch(ctx.pool(), k->scratch(p) + 1);
    int * offsets = rows.get(), * to = offsets + experts + 1, * place = to + n;

    sort_rows<<<experts, 256, 0, ctx.stream()>>>((const char *) ids->data, ids->nb[0],
        ids->nb[1], slots, n, offsets, to, place);
    const dim3 all(unsigned(p.k / 4 + 255) / 256, unsigned(src1->ne[1] * src1->ne[2]));
    quantise_rows<<<all, 256, 0, ctx.stream()>>>((const float4 *) src1->data, place, slots,
        (int) src1->ne[1], quants.get(), scales.get(), n, (int) p.k);
    buffers b = {};
    b.w = src0->data;
    b.xq = quants.get();
    b.xs = scales.get();
    b.c = sorted.get();
    b.offsets = offsets;
    CUDA_CHECK(k->launch(p, b, scratch.get(), ctx.stream()));
    scatter_rows<<<dim3((p.m + 255) / 256, n), 256, 0, ctx.stream()>>>(
        sorted.get(), to, offsets + experts, (float *) dst->data, (int) p.m);
    CUDA_CHECK(hipGetLastError());
    mode.served++;
    return true;
}

#elif !defined(GGML_USE_HIP)

bool ggml_cuda_tuned_mul_mat(ggml_backend_cuda_context &, const ggml_tensor *,
                             const ggml_tensor *, ggml_tensor *) {
    return false;
}

bool ggml_cuda_tuned_mul_mat_id(ggml_backend_cuda_context &, ggml_tensor *) {
    return false;
}

#endif
