/* hidden.c - see hidden.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/hidden.h"

#include <string.h>

int hidden_is(const struct kernel_arg *a)
{
  return !strncmp(a->kind, "hidden_", 7);
}

static void put(const struct dispatch *d, const struct kernel_arg *a,
                uint64_t value)
{
  memcpy((uint8_t *)(uintptr_t)d->kernarg + a->offset, &value,
         a->size < 8 ? a->size : 8);
}

static void put_axis(const struct dispatch *d, const struct kernel_arg *a,
                     const char *name, const uint32_t value[3])
{
  size_t n = strlen(name);
  if (!strncmp(a->kind, name, n) && a->kind[n] >= 'x' && a->kind[n] <= 'z')
    put(d, a, value[a->kind[n] - 'x']);
}

static uint32_t dimensions(const struct dispatch *d)
{
  uint32_t n = 3;
  while (n > 1 && d->grid[n - 1] == 1 && d->block[n - 1] == 1)
    n--;
  return n;
}

static void put_hidden(const struct dispatch *d, const struct kernel_arg *a,
                       uint32_t dynamic)
{
  const struct {
    const char *kind;
    uint64_t value;
  } values[] = {
      {"hidden_grid_dims", dimensions(d)},
      {"hidden_private_base", APERTURE_PRIVATE >> 32},
      {"hidden_shared_base", APERTURE_SHARED >> 32},
      {"hidden_queue_ptr", d->queue},
      {"hidden_dynamic_lds_size", dynamic},
      {"hidden_hostcall_buffer",
       d->hostcall ? hostcall_buffer(d->hostcall) : 0},
      {"hidden_heap_v1", NO_HEAP},
  };
  uint32_t whole[3]; /* workgroups */
  for (int axis = 0; axis < 3; axis++)
    whole[axis] = d->grid[axis] - (d->rest[axis] > 0);
  put_axis(d, a, "hidden_block_count_", whole);
  put_axis(d, a, "hidden_group_size_", d->block);
  put_axis(d, a, "hidden_remainder_", d->rest);
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    if (!strcmp(a->kind, values[n].kind))
      put(d, a, values[n].value);
}

void hidden_fill(const struct dispatch *d, uint32_t dynamic)
{
  const struct kernel *k = d->kernel;
  for (size_t n = 0; n < k->nargs; n++)
    if (hidden_is(&k->args[n]))
      put_hidden(d, &k->args[n], dynamic);
}
