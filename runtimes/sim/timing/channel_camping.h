/* channel_camping.h - does a load ask for many lines of few channels of the L2?
 *
 * Blocks of addresses belong to the channels in turn. A load of neighbouring
 * addresses finds each block on another channel. Rows whose stride is a
 * multiple of a full round of the channels find all their blocks on one
 * channel, and such lines take that channel about twice as long
 * (l2_narrow_gbs). The reason is not known; small GEMM tiles and column-wise
 * reads are measured so, and contiguous streams are not (docs/model.md).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_channel_camping_h
#define sim_channel_camping_h

#include <stdint.h>

struct camping {
  uint64_t channels; /* a bit each; at most 64 */
  uint64_t last;     /* block, plus 1 */
  unsigned blocks;
};

/* Blocks of the same load, neighbours and repeated ones next to each other. */
static inline void camping_add(struct camping *s, uint64_t block,
                               unsigned channels)
{
  if (s->last == block + 1)
    return;
  s->last = block + 1;
  s->blocks++;
  s->channels |= (uint64_t)1 << block % channels;
}

/* Two blocks or more for each channel that is asked, and not all are. */
static inline int camping_found(const struct camping *s, unsigned channels)
{
  unsigned used = (unsigned)__builtin_popcountll(s->channels);
  return used > 0 && used < channels && 2 * used <= s->blocks;
}

#endif
