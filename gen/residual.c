/* residual.c - see residual.h. */
// SPDX-License-Identifier: MIT
#include "gen/residual.h"

#include <stdlib.h>

#include "base/mem.h"
#include "gen/memo.h"

/* A rule's tunables in the order of the walk, and where the table has them. */
struct sorted {
  const struct table *table;
  size_t n;
  uint8_t reads[FAMILY_TUNABLES];
  size_t stride[FAMILY_TUNABLES], values[FAMILY_TUNABLES];
};

static void sort(struct sorted *s, const struct table *t, const uint8_t *depth,
                 const size_t *values)
{
  *s = (struct sorted){.table = t};
  for (size_t i = 0; i < t->n; i++) {
    size_t at = s->n++;
    for (; at && depth[s->reads[at - 1]] > depth[t->reads[i]]; at--) {
      s->reads[at] = s->reads[at - 1];
      s->stride[at] = s->stride[at - 1];
    }
    s->reads[at] = t->reads[i];
    s->stride[at] = t->stride[i];
  }
  for (size_t i = 0; i < s->n; i++)
    s->values[i] = values[s->reads[i]];
}

/* The bits as classes, in the order of the walk. */
static uint32_t *leaves(const struct sorted *s)
{
  uint32_t *out = mem_array(s->table->combinations, sizeof *out);
  size_t digits[FAMILY_TUNABLES] = {0}, at = 0;
  for (size_t k = 0; k < s->table->combinations; k++) {
    out[k] = rule_bit(s->table, at) ? RESIDUAL_NONE : RESIDUAL_ALL;
    for (size_t i = s->n; i--;) {
      at += s->stride[i];
      if (++digits[i] < s->values[i])
        break;
      at -= digits[i] * s->stride[i];
      digits[i] = 0;
    }
  }
  return out;
}

/* A row is the classes that the values of a tunable lead to. Rows alike get one number,
 * by a trie: from a node each class leads to a node of its own, and the last to the
 * number. Where the trie is full rows alike get several, which costs memory of counts
 * only. */
struct rows {
  struct memo trie;
  uint64_t nodes;
  uint32_t classes;
};

static int all_are(const uint32_t *row, size_t n, uint32_t class_)
{
  while (n && row[n - 1] == class_)
    n--;
  return !n;
}

static uint64_t next(struct rows *r, uint64_t node, uint32_t class_, uint64_t otherwise)
{
  struct memo_state state = {node, class_};
  uint64_t found;
  if (memo_get(&r->trie, state, &found))
    return found;
  memo_put(&r->trie, state, otherwise);
  return otherwise;
}

static uint32_t class_of_row(struct rows *r, const uint32_t *row, size_t n)
{
  if (all_are(row, n, RESIDUAL_NONE))
    return RESIDUAL_NONE;
  if (all_are(row, n, RESIDUAL_ALL))
    return RESIDUAL_ALL;
  uint64_t node = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    node = next(r, node, row[i], r->nodes + 1);
    r->nodes += node > r->nodes;
  }
  uint32_t found = (uint32_t)next(r, node, row[n - 1], r->classes);
  r->classes += found == r->classes;
  return found;
}

/* The classes of the first n tunables' values, from those of one tunable more. */
static void fold(struct residual *out, const struct sorted *s, size_t n,
                 const uint32_t *below)
{
  struct rows rows = {.classes = RESIDUAL_OWN};
  size_t size = 1;
  out->n = n;
  for (size_t i = n; i--;) {
    out->reads[i] = s->reads[i];
    out->stride[i] = size;
    size *= s->values[i];
  }
  out->class_of = mem_array(size, sizeof *out->class_of);
  for (size_t k = 0; k < size; k++)
    out->class_of[k] = class_of_row(&rows, below + k * s->values[n], s->values[n]);
  out->classes = rows.classes;
  memo_free(&rows.trie);
}

void residual_open(struct residual *out, const struct table *t,
                   const uint8_t *depth, const size_t *values)
{
  struct sorted s;
  sort(&s, t, depth, values);
  if (s.n < 2)
    return;
  uint32_t *bits = leaves(&s);
  const uint32_t *below = bits;
  for (size_t n = s.n - 1; n; n--) {
    fold(&out[n], &s, n, below);
    below = out[n].class_of;
  }
  free(bits);
}

void residual_close(struct residual *r)
{
  free(r->class_of);
  *r = (struct residual){0};
}
