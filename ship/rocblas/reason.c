/* reason.c - the words and sentences of reason.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/reason.h"

#include <assert.h>

static const struct {
  const char *name, *text;
} reasons[] = { /* ORDER REASON */
    {"served", "a kernel of the pack made the product"},
    {"off", "TUNED_BLAS=off"},
    {"arguments", "rocBLAS is to say what is wrong with the arguments"},
    {"empty", "a size or alpha is 0, so that there is nothing to multiply"},
    {"types", "the front has no kernels of these types"},
    {"algorithm", "the call asks for a solution by its number"},
    {"flags", "the call has flags that the front does not know"},
    {"in-place", "D is not C"},
    {"batch", "the pack has no kernel that makes all products of such a batch"},
    {"alignment", "the pack has no kernel for matrices that begin at such bytes"},
    {"layer", "ROCBLAS_LAYER is set, so that rocBLAS is to log its calls"},
    {"no-runtime", "a function of HIP or rocBLAS is missing"},
    {"size-query", "the call asks how much memory rocBLAS needs"},
    {"pointer-mode", "alpha and beta are on the device"},
    {"scalars", "alpha or beta is not finite"},
    {"device", "the handle's stream is of another device than the current"},
    {"capture", "the stream is capturing, and the kernel is not loaded yet"},
    {"aside", "the front has stepped aside on this device"},
    {"no-kernel", "the pack has no kernel for this product"},
    {"stale", "the kernel's row in the pack is stale"},
    {"loss", "the nearest kernel is expected to be too slow"},
    {"scratch", "the kernel needs more scratch memory than the front has"},
    {"hip-error", "a call of HIP failed"},
    {"verify", "TUNED_BLAS=verify keeps rocBLAS's product"},
};

static_assert(sizeof reasons / sizeof *reasons == REASONS, "ORDER REASON");

const char *reason_name(enum reason r)
{
  return reasons[r].name;
}

const char *reason_text(enum reason r)
{
  return reasons[r].text;
}
