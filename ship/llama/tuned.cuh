// tuned.cuh - products of quantised weights by kernels that were tuned for one card.
// SPDX-License-Identifier: MIT
#pragma once

#include "common.cuh"

// dst = src0 * src1 by a tuned kernel. False where there is none that is right for the
// product, for this card or its types: nothing has been done then. With
// GGML_TUNED=off in the environment it is always false; with GGML_TUNED=stats the
// program says at its end how many products were served.
bool ggml_cuda_tuned_mul_mat(ggml_backend_cuda_context & ctx, const ggml_tensor * src0,
                             const ggml_tensor * src1, ggml_tensor * dst);

// The same of a product of experts (GGML_OP_MUL_MAT_ID).
bool ggml_cuda_tuned_mul_mat_id(ggml_backend_cuda_context & ctx, ggml_tensor * dst);
