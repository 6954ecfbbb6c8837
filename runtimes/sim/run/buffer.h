/* buffer.h - buffer addresses (buffer.c), formats, loads to LDS. */
// SPDX-License-Identifier: MIT
#ifndef sim_buffer_h
#define sim_buffer_h

#include "runtimes/sim/run/memory.h"

/* A resource descriptor of GFX9 (fields from memory of the ISA document,
 * unverified; rocBLAS's kernels agree with them), and what an instruction
 * makes of it. */
struct buffer {
  uint64_t base;
  uint32_t stride, records;
  unsigned swizzle, add_lane;    /* 1 or 0 */
  unsigned group;                /* lanes whose dwords stand together */
  unsigned step;                 /* bytes between two dwords of a lane */
  uint8_t select[4];             /* formats: what each result is */
  uint8_t data, number;
  uint64_t room[LANES];          /* bytes in range from the lane's address */
};

/* Unpack the resource and fill the addresses of w->access. */
void buffer_begin(struct wave *w, const struct inst *i,
                  const struct memory_op *op, struct buffer *b);

/* Does the resource in SGPRs srsrc.. begin in the group's private memory? */
int buffer_is_private(const struct wave *w, unsigned srsrc);

/* The active lanes that have room for so many bytes. */
uint64_t buffer_room(const struct wave *w, const struct buffer *b,
                     uint64_t bytes);

exec_fn *format_handler(const struct inst *i); /* formatted loads, stores */
exec_fn *buffer_lds_handler(const struct inst *i); /* loads to LDS */

#endif
