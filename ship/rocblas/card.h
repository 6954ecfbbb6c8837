/* card.h - what the front has of one device: its pack, and scratch memory.
 *
 * A card is made by the first call on its device, under a lock; later calls
 * find it without one. It lives as long as the process.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_card_h
#define ship_rocblas_card_h

#include <pthread.h>

#include "ship/rocblas/library.h"
#include "ship/tuned.h"

enum {
  CARDS = 64, /* devices of a machine at most */
  CARD_STREAMS = 256, /* of a device that get scratch at most; a power of 2 */
  CARD_SCRATCH = 32 << 20, /* bytes; as much as rocBLAS's own workspace */
};

/* Scratch of one stream. The kernels of two products in one stream must not
 * take turns in it: whoever launches holds the lock until all of its kernels
 * are in the stream. */
struct scratch {
  uintptr_t stream; /* plus 1; 0: free; atomic */
  void *memory;     /* NULL: none was to be had */
  pthread_mutex_t lock;
};

struct card {
  int device;
  tuned *pack; /* NULL: the front has stepped aside */
  int alone;   /* rocBLAS has no kernels for this architecture */
  uint64_t checked; /* kinds of products (serve.h) whose first was right; atomic */
  int aside;        /* one was not, or HIP failed; atomic */
  struct scratch streams[CARD_STREAMS];
};

/* The card of the current device. NULL where there is none, or HIP fails. */
struct card *card_get(const struct runtime *r);

/* The scratch of a stream, made if `may_allocate`; NULL: there is none. */
struct scratch *card_scratch(struct card *c, const struct runtime *r,
                             void *stream, int may_allocate);

/* Never serve on this device again; the reason goes to stderr, once. */
void card_step_aside(struct card *c, const char *why);

#endif
