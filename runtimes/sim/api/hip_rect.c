/* hip_rect.c - copies and fills of rows that stand a pitch apart. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/api/hip_graph.h"

/* hipMallocPitch's rows begin at multiples of so many bytes. */
enum {PITCH = 256};

struct box { /* row y of slice z begins at at + (z * rows + y) * pitch */
  char *at;
  size_t pitch, rows;
};

static char *row(const struct box *b, size_t y, size_t z)
{
  return b->at + (z * b->rows + y) * b->pitch;
}

static hipError_t bad_pitch(struct runtime *r, size_t pitch, size_t width)
{
  return hip_fail(r, hipErrorInvalidValue,
                  "rows of %zu bytes do not fit a pitch of %zu", width,
                  pitch);
}

/* From the first byte of a box to its last; of one too large for addresses
 * SIZE_MAX, which no allocation holds. */
static struct span reach(const struct box *b, hipExtent e)
{
  size_t n;
  if (!e.width || !e.height || !e.depth)
    return (struct span){b->at, 0};
  if (__builtin_mul_overflow(e.depth - 1, b->rows, &n) ||
      __builtin_add_overflow(n, e.height - 1, &n) ||
      __builtin_mul_overflow(n, b->pitch, &n) ||
      __builtin_add_overflow(n, e.width, &n))
    n = SIZE_MAX;
  return (struct span){b->at, n};
}

static hipPitchedPtr pitched_ptr(const struct box *b, hipExtent e)
{
  return (hipPitchedPtr){b->at, b->pitch, e.width, b->rows};
}

static struct work work_box(const struct box *to, const struct box *from,
                            hipExtent e, hipMemcpyKind kind)
{
  return (struct work){.kind = WORK_COPY,
                     .copy = {.srcPtr = pitched_ptr(from, e),
                              .dstPtr = pitched_ptr(to, e),
                              .extent = e,
                              .kind = kind}};
}

static hipError_t copy(struct runtime *r, struct box to, struct box from,
                       hipExtent e, hipMemcpyKind kind, hipStream_t stream)
{
  if (hip_captures(r, stream))
    return hip_capture(r, stream, work_box(&to, &from, e, kind));
  if (e.height * e.depth > 1 && (e.width > to.pitch || e.width > from.pitch))
    return bad_pitch(r, to.pitch < from.pitch ? to.pitch : from.pitch,
                     e.width);
  struct span whole = reach(&to, e);
  hipError_t result = hip_copy_check(r, whole, reach(&from, e), kind, stream);
  if (result || !whole.n)
    return result;
  for (size_t z = 0; z < e.depth; z++)
    for (size_t y = 0; y < e.height; y++) {
      memmove(row(&to, y, z), row(&from, y, z), e.width);
      check_written(r->check, row(&to, y, z), e.width);
    }
  return hipSuccess;
}

static struct work work_fill_box(const struct box *to, int value, hipExtent e)
{
  return (struct work){
      .kind = WORK_FILL,
      .fill = {{.dst = to->at, .elementSize = 1, .height = e.height,
                .pitch = to->pitch, .value = (uint8_t)value, .width = e.width},
               to->rows, e.depth}};
}

static hipError_t fill(struct runtime *r, struct box to, int value,
                       hipExtent e, hipStream_t stream)
{
  if (e.height * e.depth > 1 && e.width > to.pitch)
    return bad_pitch(r, to.pitch, e.width);
  if (hip_captures(r, stream))
    return hip_capture(r, stream, work_fill_box(&to, value, e));
  for (size_t z = 0; z < e.depth; z++)
    for (size_t y = 0; y < e.height; y++) {
      hipError_t result =
          hip_fill(r, row(&to, y, z), (uint8_t)value, 1, e.width, stream);
      if (result)
        return result;
    }
  return hipSuccess;
}

/* --- two dimensions ------------------------------------------------------- */

static struct box plane(const void *at, size_t pitch)
{
  return (struct box){(char *)(uintptr_t)at, pitch, 0};
}

static hipExtent area(size_t width, size_t height)
{
  return (hipExtent){width, height, 1};
}

hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from,
                       size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind)
{
  CALL_NOW(copy(r, plane(to, to_pitch), plane(from, from_pitch),
                area(width, height), kind, NULL));
}

hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                            size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream)
{
  CALL(copy(r, plane(to, to_pitch), plane(from, from_pitch),
            area(width, height), kind, stream));
}

hipError_t hipMemset2D(void *to, size_t pitch, int value, size_t width,
                       size_t height)
{
  CALL_NOW(fill(r, plane(to, pitch), value, area(width, height), NULL));
}

hipError_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                            size_t height, hipStream_t stream)
{
  CALL(fill(r, plane(to, pitch), value, area(width, height), stream));
}

/* What a driver's copy says of one end. */
struct end {
  hipMemoryType type;
  const void *host, *device;
  size_t pitch, rows, x, y, z;
};

/* 0, or an error for what is an array. Without a pitch, or a height, rows or
 * slices follow each other closely. */
static hipError_t box_of(struct runtime *r, struct box *out,
                         const struct end *from, hipExtent e)
{
  if (from->type != hipMemoryTypeHost && from->type != hipMemoryTypeDevice &&
      from->type != hipMemoryTypeUnified)
    return hip_fail(r, hipErrorNotSupported,
                    "a copy of arrays: the simulated device has no textures");
  const void *at = from->type == hipMemoryTypeHost ? from->host : from->device;
  *out = (struct box){(char *)(uintptr_t)at,
                      from->pitch ? from->pitch : e.width,
                      from->rows ? from->rows : e.height};
  out->at = row(out, from->y, from->z) + from->x;
  if (from->type == hipMemoryTypeDevice && e.width && e.height && e.depth &&
      !hip_on_device(r, at, 1))
    return hip_fail(r, hipErrorInvalidValue,
                    "a copy: %p is not in the device's memory, where the type "
                    "of memory that it names is the device's", at);
  return hipSuccess;
}

/* By whether source and destination must be the device's: what is said to be
 * unified or the host's may be either. */
static const hipMemcpyKind kinds[2][2] = {
    {hipMemcpyHostToHost, hipMemcpyHostToDevice},
    {hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice},
};

static hipError_t copy_ends(struct runtime *r, const struct end *to,
                            const struct end *from, hipExtent e,
                            hipStream_t stream)
{
  struct box b = {0}, a = {0};
  hipError_t result = box_of(r, &a, from, e);
  if (!result)
    result = box_of(r, &b, to, e);
  return result ? result
                : copy(r, b, a, e, kinds[from->type == hipMemoryTypeDevice]
                                        [to->type == hipMemoryTypeDevice],
                       stream);
}

static hipError_t copy_param(struct runtime *r, const hip_Memcpy2D *p,
                             hipStream_t stream)
{
  if (!p)
    return hipErrorInvalidValue;
  const struct end to = {hip_memory_type(r, p->dstMemoryType),
                         p->dstHost, p->dstDevice, p->dstPitch, 0,
                         p->dstXInBytes, p->dstY, 0};
  const struct end from = {hip_memory_type(r, p->srcMemoryType),
                           p->srcHost, p->srcDevice, p->srcPitch, 0,
                           p->srcXInBytes, p->srcY, 0};
  return copy_ends(r, &to, &from, area(p->WidthInBytes, p->Height), stream);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *p)
{
  CALL_NOW(copy_param(r, p, NULL));
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *p, hipStream_t stream)
{
  CALL(copy_param(r, p, stream));
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *p)
{
  CALL_NOW(copy_param(r, p, NULL));
}

/* --- three dimensions ----------------------------------------------------- */

static struct box volume(struct hipPitchedPtr p, struct hipPos at)
{
  struct box b = {p.ptr, p.pitch, p.ysize};
  b.at = row(&b, at.y, at.z) + at.x;
  return b;
}

hipError_t hip_copy_3d(struct runtime *r, const struct hipMemcpy3DParms *p,
                       hipStream_t stream)
{
  if (!p)
    return hipErrorInvalidValue;
  if (p->srcArray || p->dstArray)
    return hip_fail(r, hipErrorNotSupported,
                    "a copy of arrays: the simulated device has no textures");
  return copy(r, volume(p->dstPtr, p->dstPos), volume(p->srcPtr, p->srcPos),
              p->extent, p->kind, stream);
}

hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *p)
{
  CALL_NOW(hip_copy_3d(r, p, NULL));
}

hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *p,
                            hipStream_t stream)
{
  CALL(hip_copy_3d(r, p, stream));
}

static hipError_t copy_param3(struct runtime *r, const HIP_MEMCPY3D *p,
                              hipStream_t stream)
{
  if (!p)
    return hipErrorInvalidValue;
  const struct end to = {hip_memory_type(r, p->dstMemoryType),
                         p->dstHost, p->dstDevice, p->dstPitch,
                         p->dstHeight, p->dstXInBytes, p->dstY, p->dstZ};
  const struct end from = {hip_memory_type(r, p->srcMemoryType),
                           p->srcHost, p->srcDevice, p->srcPitch,
                           p->srcHeight, p->srcXInBytes, p->srcY, p->srcZ};
  return copy_ends(r, &to, &from,
                   (hipExtent){p->WidthInBytes, p->Height, p->Depth}, stream);
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *p)
{
  CALL_NOW(copy_param3(r, p, NULL));
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *p, hipStream_t stream)
{
  CALL(copy_param3(r, p, stream));
}

hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent)
{
  CALL_NOW(fill(r, volume(to, (struct hipPos){0}), value, extent, NULL));
}

hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent,
                            hipStream_t stream)
{
  CALL(fill(r, volume(to, (struct hipPos){0}), value, extent, stream));
}

/* --- allocating ----------------------------------------------------------- */

static hipError_t pitched(struct runtime *r, void **out, size_t *pitch,
                          size_t width, size_t rows)
{
  if (!out || !pitch)
    return hipErrorInvalidValue;
  *out = NULL;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  if (!width || !rows)
    return hipSuccess;
  return *pitch < width || rows > SIZE_MAX / *pitch
             ? hipErrorOutOfMemory
             : hip_allocate(r, out, *pitch * rows);
}

hipError_t hipMallocPitch(void **out, size_t *pitch, size_t width,
                          size_t height)
{
  CALL_MEMORY(pitched(r, out, pitch, width, height));
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *out, size_t *pitch, size_t width,
                            size_t height, unsigned int element)
{
  (void)element;
  CALL_MEMORY(pitched(r, out, pitch, width, height));
}

static hipError_t allocate3(struct runtime *r, hipPitchedPtr *out,
                            hipExtent e)
{
  if (!out || (e.height && e.depth > SIZE_MAX / e.height))
    return hipErrorInvalidValue;
  out->xsize = e.width;
  out->ysize = e.height;
  return pitched(r, &out->ptr, &out->pitch, e.width, e.height * e.depth);
}

hipError_t hipMalloc3D(hipPitchedPtr *out, hipExtent extent)
{
  CALL_MEMORY(allocate3(r, out, extent));
}
