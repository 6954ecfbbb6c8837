/* memo.h - counts that are known, each of a state: a hash table with a limit.
 *
 * A state is any 128-bit number. What does not fit is not remembered.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_memo_h
#define gen_memo_h

#include <stddef.h>
#include <stdint.h>

enum {MEMO_MOST = 1 << 20}; /* states; 48 MiB */

struct memo_state {
  uint64_t low, high;
};

struct memo_entry {
  struct memo_state state;
  uint64_t count1; /* 1 + the count; 0: a free entry */
};

struct memo { /* {0} is an empty one */
  struct memo_entry *entries;
  size_t room, n;
};

/* The count of this state into *count; 0 where it is not known. */
int memo_get(const struct memo *m, struct memo_state state, uint64_t *count);

/* Remember the count, less than UINT64_MAX, of a state that is not known yet. */
void memo_put(struct memo *m, struct memo_state state, uint64_t count);

static inline int memo_full(const struct memo *m)
{
  return m->n == MEMO_MOST;
}

void memo_free(struct memo *m);

#endif
