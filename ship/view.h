/* view.h - a pack in memory, checked and taken apart (inside ship only).
 *
 * view_open() looks at everything that other functions follow: after it no
 * number in the index leads out of the pack, whoever made it.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_view_h
#define ship_view_h

#include <stddef.h>

#include "ship/format.h"
#include "ship/tuned.h"

enum {
  VIEW_WHY = 256, /* bytes of a sentence */
  VIEW_LAUNCHES = 8,
  VIEW_ARGS = 32,
  VIEW_BUFFERS = 16,
  VIEW_PLAIN = 256 << 20, /* bytes of a code object at most */
};

struct view {
  const unsigned char *bytes;
  const struct pack_head *head;
  const struct pack_arch *archs;
  const struct pack_family *families;
  const struct pack_key *keys;
  const uint32_t *words;
  const struct pack_class *classes;
  const struct pack_winner *winners;
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

/* A tuned_code; why[VIEW_WHY] says more. */
int view_open(struct view *v, const void *bytes, size_t n, char *why);

/* The architecture of that name, up to a colon; NULL where there is none. */
const struct pack_arch *view_arch(const struct view *v, const char *name);

/* The value of formula f for these keys: 0, or -1 where it has none. */
int view_value(const struct view *v, int32_t f, const int64_t *keys,
               int64_t *out);

/* The sum of the index, as the head has it. */
uint64_t view_sum(const void *bytes, size_t index);

#endif
