/* index.h - a pack in memory, checked and taken apart (inside ship only).
 *
 * index_open() looks at everything that other functions follow: after it no
 * number in the index leads out of the pack, whoever made it.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_index_h
#define ship_index_h

#include <stddef.h>

#include "ship/format.h"
#include "ship/tuned.h"

enum {
  INDEX_WHY = 256, /* bytes of a sentence */
  INDEX_LAUNCHES = 8,
  INDEX_ARGS = 32,
  INDEX_BUFFERS = 16,
  INDEX_PLAIN = 256 << 20, /* bytes of a code object at most */
};

struct index {
  const unsigned char *bytes;
  const struct pack_head *head;
  const struct pack_arch *archs;
  const struct pack_family *families;
  const struct pack_key *keys;
  const uint32_t *words;
  const struct pack_class *classes;
  const struct pack_winner *winners;
  const struct pack_tried *tried;
  const int64_t *values;
  const uint32_t *slots;
  const struct pack_plan *plans;
  const struct pack_launch *launches;
  const struct pack_arg *args;
  const struct pack_buffer *buffers;
  const int32_t *needs;
  const struct pack_formula *formulas;
  const struct formula_step *steps;
  const struct pack_code *codes;
  const char *text;
};

/* A tuned_code; why[INDEX_WHY] says more. */
int index_open(struct index *v, const void *bytes, size_t n, char *why);

/* The architecture of that name, up to a colon; NULL where there is none. */
const struct pack_arch *index_arch(const struct index *v, const char *name);

/* The value of formula f for these keys: 0, or -1 where it has none. */
int index_value(const struct index *v, int32_t f, const int64_t *keys,
               int64_t *out);

/* The sum of the index, as the head has it. */
uint64_t index_sum(const void *bytes, size_t index);

#endif
