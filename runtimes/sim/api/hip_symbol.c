/* hip_symbol.c - device variables by the address of their shadow. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

/* Where in the variable a copy of n bytes begins. */
hipError_t hip_symbol_place(struct runtime *r, char **at, const void *shadow,
                            size_t n, size_t offset)
{
  hipDeviceptr_t begin;
  size_t bytes;
  hipError_t result = hip_host_variable(r, &begin, &bytes, shadow);
  if (result)
    return result;
  if (offset > bytes || n > bytes - offset)
    return hip_fail(r, hipErrorInvalidValue,
                    "copy of %zu bytes at %zu of a variable that has %zu", n,
                    offset, bytes);
  *at = (char *)begin + offset;
  return hipSuccess;
}

static hipError_t copy_to(struct runtime *r, const void *shadow,
                          const void *from, size_t n, size_t offset,
                          hipMemcpyKind kind, hipStream_t stream)
{
  char *at = NULL;
  if (kind == hipMemcpyDeviceToHost || kind == hipMemcpyHostToHost)
    return hipErrorInvalidMemcpyDirection;
  hipError_t result = hip_symbol_place(r, &at, shadow, n, offset);
  return result ? result : hip_copy(r, at, from, n, kind, stream);
}

static hipError_t copy_from(struct runtime *r, void *to, const void *shadow,
                            size_t n, size_t offset, hipMemcpyKind kind,
                            hipStream_t stream)
{
  char *at = NULL;
  if (kind == hipMemcpyHostToDevice || kind == hipMemcpyHostToHost)
    return hipErrorInvalidMemcpyDirection;
  hipError_t result = hip_symbol_place(r, &at, shadow, n, offset);
  return result ? result : hip_copy(r, to, at, n, kind, stream);
}

hipError_t hipMemcpyToSymbol(const void *shadow, const void *from, size_t n,
                             size_t offset, hipMemcpyKind kind)
{
  CALL_NOW(copy_to(r, shadow, from, n, offset, kind, NULL));
}

hipError_t hipMemcpyToSymbolAsync(const void *shadow, const void *from,
                                  size_t n, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream)
{
  CALL(copy_to(r, shadow, from, n, offset, kind, stream));
}

hipError_t hipMemcpyFromSymbol(void *to, const void *shadow, size_t n,
                               size_t offset, hipMemcpyKind kind)
{
  CALL_NOW(copy_from(r, to, shadow, n, offset, kind, NULL));
}

hipError_t hipMemcpyFromSymbolAsync(void *to, const void *shadow, size_t n,
                                    size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream)
{
  CALL(copy_from(r, to, shadow, n, offset, kind, stream));
}

static hipError_t address(struct runtime *r, void **at, size_t *bytes,
                          const void *shadow)
{
  hipDeviceptr_t begin;
  size_t size;
  if (!at && !bytes)
    return hipErrorInvalidValue;
  hipError_t result = hip_host_variable(r, &begin, &size, shadow);
  if (result)
    return result;
  if (at)
    *at = begin;
  if (bytes)
    *bytes = size;
  return hipSuccess;
}

hipError_t hipGetSymbolAddress(void **at, const void *shadow)
{
  CALL(address(r, at, NULL, shadow));
}

hipError_t hipGetSymbolSize(size_t *bytes, const void *shadow)
{
  CALL(address(r, NULL, bytes, shadow));
}
