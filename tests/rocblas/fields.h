/* fields.h - going through a map of MessagePack. */
// SPDX-License-Identifier: MIT
#ifndef rocblas_fields_h
#define rocblas_fields_h

#include "runtimes/sim/pack.h"

/* The cursor stands on the key's value: read it, or pass over it. 0 where it
 * is damaged. */
typedef int field_fn(struct pack *p, struct pack_text key, void *to);

/* field() for each key; 0 where one said so, or where there is no map. */
static inline int fields_each(struct pack *p, field_fn *field, void *to)
{
  uint32_t n;
  struct pack_text key;
  if (!pack_map(p, &n))
    return 0;
  while (n--)
    if (!pack_string(p, &key) || !field(p, key, to))
      return 0;
  return 1;
}

#endif
