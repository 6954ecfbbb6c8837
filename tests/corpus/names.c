/* names.c - a program for any version of HIP: no header of one, whose macros
 * and enumerations differ between them.
 */
// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct attributes { /* hipPointerAttribute_t */
  int type, device;
  void *on_device, *on_host;
  int managed;
  unsigned flags;
};

int hipMalloc(void **out, size_t n);
int hipFree(void *p);
int hipHostMalloc(void **out, size_t n, unsigned flags);
int hipMallocManaged(void **out, size_t n, unsigned flags);
int hipPointerGetAttributes(struct attributes *out, const void *p);
int hipRuntimeGetVersion(int *version);
int hipMallocAsync(void **out, size_t n, void *stream);
int hipExtModuleLaunchKernel(void *f, uint32_t x, uint32_t y, uint32_t z,
                             uint32_t block_x, uint32_t block_y,
                             uint32_t block_z, size_t lds, void *stream,
                             void **params, void **extra, void *start,
                             void *stop, uint32_t flags);

static void say(const char *what, const void *p)
{
  struct attributes a;
  int error = hipPointerGetAttributes(&a, p);
  if (error)
    printf("%s: error %d\n", what, error);
  else
    printf("%s: type %d, managed %d\n", what, a.type, a.managed);
}

int main(void)
{
  void *p;
  int version = 0;
  if (hipRuntimeGetVersion(&version) || hipMallocAsync(&p, 64, NULL) ||
      hipFree(p))
    return 1;
  printf("version %d\n", version / 10000000);
  hipMalloc(&p, 64);
  say("device", p);
  hipHostMalloc(&p, 64, 0);
  say("pinned", p);
  hipMallocManaged(&p, 64, 1);
  say("managed", p);
  say("unknown", malloc(64));
  printf("launch: error %d\n",
         hipExtModuleLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL,
                                  NULL, NULL, 0));
  return 0;
}
