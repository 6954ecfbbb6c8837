/* handle.h - an open pack (inside ship only). */
// SPDX-License-Identifier: MIT
#ifndef ship_handle_h
#define ship_handle_h

#include <sys/types.h>

#include "ship/index.h"

enum {MEMO = 4096, MEMO_WAYS = 4};

struct memo; /* a fitted answer: find.c */
enum {MEMO_SIZE = 16};

/* The kernels of a plan on the device, and the code that they were loaded
 * from, which HIP may still look at. */
struct loaded {
  void *module;
  void *functions[INDEX_LAUNCHES];
  unsigned char code[] __attribute__((aligned(16)));
};

struct tuned {
  struct index index;
  const struct pack_arch *arch;
  struct tuned_hip hip;
  int has_hip;
  pid_t owner;
  size_t size;            /* of the mapping */
  struct loaded **loaded; /* by plan; atomic, NULL: not loaded */
  struct memo *memo;      /* fitted answers; atomic */
};

#endif
