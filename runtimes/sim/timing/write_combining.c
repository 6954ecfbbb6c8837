/* write_combining.c - see write_combining.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/write_combining.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/dispatch.h"

/* A line of the L2 that was stored to. */
struct dirty {
  uint64_t line;  /* plus 1; 0: empty */
  uint64_t bytes; /* of it that were stored, a bit each */
  uint32_t pc;    /* of the store that brought it */
};

struct fate {
  float stored, written, partial; /* lines */
};

struct write_combining {
  const struct card *card;
  size_t sets, ways, lo, hi;
  struct dirty *at; /* sets * ways, most recent first in its set */
  struct fate *fates; /* a dword of the object */
};

struct write_combining *write_combining_open(const struct card *c, size_t ncode)
{
  struct write_combining *s = mem_alloc(sizeof *s);
  *s = (struct write_combining){.card = c, .lo = SIZE_MAX};
  s->ways = (size_t)c->l2_ways;
  s->sets = (size_t)(c->l2 / c->line / c->l2_ways);
  s->at = mem_array(s->sets * s->ways, sizeof *s->at);
  s->fates = mem_array(ncode, sizeof *s->fates);
  return s;
}

void write_combining_close(struct write_combining *s)
{
  free(s->fates);
  free(s->at);
  free(s);
}

static int half_partial(uint32_t bytes)
{
  return bytes && bytes != UINT32_MAX;
}

static void leave(struct write_combining *s, const struct dirty *d)
{
  s->fates[d->pc].written++;
  s->fates[d->pc].partial += half_partial((uint32_t)d->bytes) ||
                             half_partial((uint32_t)(d->bytes >> 32));
}

/* The entry of `line`, moved to the front of its set. */
static struct dirty *touch(struct write_combining *s, uint64_t line, uint32_t pc)
{
  struct dirty *set = s->at + line % s->sets * s->ways;
  size_t i = 0;
  while (i < s->ways - 1 && set[i].line != line + 1)
    i++;
  struct dirty found = set[i];
  if (found.line != line + 1) {
    if (found.line)
      leave(s, &found);
    found = (struct dirty){line + 1, 0, pc};
  }
  memmove(set + 1, set, i * sizeof *set);
  set[0] = found;
  return set;
}

static uint64_t low_bits(unsigned n)
{
  return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* n bytes from `at` on, within one line or over two. */
static void put(struct write_combining *s, uint64_t at, unsigned n, uint32_t pc)
{
  unsigned size = (unsigned)s->card->line, from = (unsigned)(at % size);
  unsigned here = from + n > size ? size - from : n;
  touch(s, at / size, pc)->bytes |= low_bits(here) << from;
  if (here < n)
    touch(s, at / size + 1, pc)->bytes |= low_bits(n - here);
}

static void look(struct write_combining *s, const struct access *a, uint32_t pc)
{
  uint64_t lines[VMEM_LINES];
  s->lo = pc < s->lo ? pc : s->lo;
  s->hi = pc < s->hi ? s->hi : pc + 1;
  s->fates[pc].stored +=
      (float)vmem_lines(a, (unsigned)s->card->line, lines);
  for (unsigned l = 0; l < LANES; l++)
    if (a->lanes >> l & 1)
      put(s, a->addr[0][l], a->bytes, pc);
}

/* Lanes that are off do nothing, but their addresses are computed. */
void write_combining_skip(struct write_combining *s, struct wave *w)
{
  uint64_t exec = WAVE_EXEC(w);
  uint32_t pc = w->pc;
  WAVE_EXEC(w) = 0;
  wave_step(w);
  WAVE_EXEC(w) = exec;
  w->access.lanes = exec;
  if (w->access.n && w->access.store && !w->access.lds &&
      !(w->access.addr[0][0] & (APERTURE_SHARED | APERTURE_PRIVATE)))
    look(s, &w->access, pc);
}

/* What the L2 still holds counts by its bytes: its rest will come. */
void write_combining_write_out(const struct write_combining *s, struct miss_rate *out)
{
  for (size_t i = 0; i < s->sets * s->ways; i++)
    if (s->at[i].line)
      s->fates[s->at[i].pc].written +=
          (float)__builtin_popcountll(s->at[i].bytes) / 64;
  for (size_t pc = s->lo; pc < s->hi; pc++) {
    const struct fate *f = &s->fates[pc];
    if (f->stored > 0)
      out[pc] = (struct miss_rate){.miss = f->written / f->stored,
                                     .late = f->partial / f->stored, .known = 1};
  }
}
