/* winners.c - see winners.h.
 *
 * {"solutions": [{"name": text, "index": number, ...}],
 *  "library": maps and lists, and in them somewhere
 *             "table": [{"key": [m, n, k], "index": number, "speed": real}]}
 */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/winners.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/pack.h"

/* Tables lie 5 maps and lists deep; damaged bytes may claim more. */
enum {DEPTH = 16, SIZES = 3};

struct solution {
  uint64_t index;
  struct pack_text name;
};

struct reader {
  struct winner_list *out;
  struct solution *solutions; /* in order of their index, once all are read */
  size_t n;
};

/* --- solutions ------------------------------------------------------------ */

static int solution_field(struct pack *p, struct pack_text key, void *to)
{
  struct solution *s = to;
  if (pack_is(key, "name"))
    return pack_string(p, &s->name);
  return pack_is(key, "index") ? pack_uint(p, &s->index) : pack_skip(p);
}

static int read_solutions(struct pack *p, struct reader *r)
{
  uint32_t n;
  if (!pack_array(p, &n))
    return 0;
  while (n--) {
    struct solution s = {0};
    if (!pack_fields(p, solution_field, &s))
      return 0;
    r->solutions = mem_resize(r->solutions, (r->n + 1) * sizeof s);
    r->solutions[r->n++] = s;
  }
  return 1;
}

static int by_index(const void *a, const void *b)
{
  const struct solution *x = a, *y = b;
  return (x->index > y->index) - (x->index < y->index);
}

/* --- tables --------------------------------------------------------------- */

struct row {
  uint64_t index, size[SIZES];
  uint32_t sizes;
  double speed;
};

static int row_field(struct pack *p, struct pack_text key, void *to)
{
  struct row *r = to;
  if (pack_is(key, "index"))
    return pack_uint(p, &r->index);
  if (pack_is(key, "speed"))
    return pack_real(p, &r->speed) || pack_skip(p);
  if (!pack_is(key, "key"))
    return pack_skip(p);
  if (!pack_array(p, &r->sizes))
    return 0;
  for (uint32_t i = 0; i < r->sizes; i++)
    if (!(i < SIZES ? pack_uint(p, &r->size[i]) : pack_skip(p)))
      return 0;
  return 1;
}

static void add(struct reader *r, const struct row *row)
{
  const struct solution want = {.index = row->index};
  const struct solution *s = bsearch(&want, r->solutions, r->n, sizeof *s,
                                     by_index);
  struct winner_list *out = r->out;
  if (!s || !s->name.at || row->sizes != SIZES)
    return;
  struct winner w = {mem_alloc(s->name.len + 1), (unsigned)row->size[0],
                     (unsigned)row->size[1], (unsigned)row->size[2],
                     row->speed};
  memcpy(w.kernel, s->name.at, s->name.len);
  out->at = mem_resize(out->at, (out->n + 1) * sizeof w);
  out->at[out->n++] = w;
}

static int read_table(struct pack *p, struct reader *r)
{
  uint32_t n;
  if (!pack_array(p, &n))
    return 0;
  while (n--) {
    struct row row = {0};
    if (!pack_fields(p, row_field, &row))
      return 0;
    add(r, &row);
  }
  return 1;
}

/* All tables in one value. */
static int search(struct pack *p, struct reader *r, int depth)
{
  uint32_t n;
  struct pack_text key;
  if (depth == DEPTH)
    return 0;
  if (pack_array(p, &n)) {
    while (n--)
      if (!search(p, r, depth + 1))
        return 0;
    return 1;
  }
  if (!pack_map(p, &n))
    return pack_skip(p);
  while (n--)
    if (!pack_string(p, &key) ||
        !(pack_is(key, "table") ? read_table(p, r)
                                : search(p, r, depth + 1)))
      return 0;
  return 1;
}

/* --- all ------------------------------------------------------------------ */

static int solutions_field(struct pack *p, struct pack_text key, void *to)
{
  return pack_is(key, "solutions") ? read_solutions(p, to) : pack_skip(p);
}

static int library_field(struct pack *p, struct pack_text key, void *to)
{
  return pack_is(key, "library") ? search(p, to, 0) : pack_skip(p);
}

int winners_read(struct winner_list *out, const void *bytes, size_t n,
                 struct err *e)
{
  const uint8_t *at = bytes;
  struct pack first = {at, at + n}, second = first;
  struct reader r = {.out = out};
  int good = pack_fields(&first, solutions_field, &r);
  if (good && r.n) {
    qsort(r.solutions, r.n, sizeof *r.solutions, by_index);
    good = pack_fields(&second, library_field, &r);
  }
  free(r.solutions);
  return good ? 0 : err_set(e, ERR_FAILED, "the index of kernels is damaged");
}

void winners_free(struct winner_list *list)
{
  for (size_t n = 0; n < list->n; n++)
    free(list->at[n].kernel);
  free(list->at);
  *list = (struct winner_list){0};
}
