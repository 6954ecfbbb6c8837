/* find.c - tuned_find(); see tuned.h. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "ship/fit.h"
#include "ship/handle.h"

/* --- fitted answers that were found before ------------------------------- */

/* An answer takes two words:
 *
 *   40 bits of the hash, the number of the winner from 1 on, or NOBODY
 *   its estimated time as a float, 24 bits of the hash and its number mixed,
 *   its band
 *
 * Each is read and written whole, so threads need no lock: where two writers
 * met, the words do not belong together and the answer is found again. */
enum {NUMBER_BITS = 24, NOBODY = (1 << NUMBER_BITS) - 1, BAND_BITS = 8};

struct memo {
  uint64_t number, time;
};

typedef char memo_size_is_known[sizeof(struct memo) == MEMO_SIZE ? 1 : -1];

static uint64_t number_word(uint64_t hash, uint64_t number)
{
  return (hash >> NUMBER_BITS << NUMBER_BITS) | number;
}

/* The 24 bits that both words have in common. */
static uint64_t seal(uint64_t hash, uint64_t number)
{
  return ((hash ^ number) & NOBODY) << BAND_BITS;
}

static uint64_t time_word(uint64_t hash, uint64_t number, const struct fit *f)
{
  float us = (float)f->us;
  uint32_t bits;
  memcpy(&bits, &us, sizeof bits);
  return (uint64_t)bits << 32 | seal(hash, number) | f->band;
}

/* The words that an answer can be in: 64 bytes. */
static struct memo *memo_line(const tuned *t, uint64_t hash)
{
  return &t->memo[hash % (MEMO / MEMO_WAYS) * MEMO_WAYS];
}

/* 1 and the answer, or 0. */
static int recall(const tuned *t, const struct pack_class *c, uint64_t hash,
                  struct fit *out)
{
  const struct memo *line = memo_line(t, hash);
  for (int i = 0; i < MEMO_WAYS; i++) {
    uint64_t word = __atomic_load_n(&line[i].number, __ATOMIC_RELAXED);
    uint64_t time = __atomic_load_n(&line[i].time, __ATOMIC_RELAXED);
    uint64_t number = word & NOBODY;
    uint32_t bits = (uint32_t)(time >> 32);
    float us;
    if (!number || word != number_word(hash, number) ||
        ((time ^ seal(hash, number)) & ((uint64_t)NOBODY << BAND_BITS)))
      continue;
    out->winner = NULL;
    if (number == NOBODY)
      return 1;
    if (number <= c->winner || number > (uint64_t)c->winner + c->nwinners)
      continue; /* of another class, by chance */
    memcpy(&us, &bits, sizeof us);
    out->winner = &t->index.winners[number - 1];
    out->us = us;
    out->band = time & (PACK_BANDS - 1);
    return 1;
  }
  return 0;
}

/* In a free place, or instead of one by chance. */
static void remember(const tuned *t, uint64_t hash, const struct fit *f)
{
  struct memo *line = memo_line(t, hash);
  uint64_t number =
      f->winner ? (uint64_t)(f->winner - t->index.winners) + 1 : NOBODY;
  int i = 0;
  while (i < MEMO_WAYS && __atomic_load_n(&line[i].number, __ATOMIC_RELAXED))
    i++;
  if (i == MEMO_WAYS)
    i = (int)(hash >> NUMBER_BITS) & (MEMO_WAYS - 1);
  if (f->winner && number >= NOBODY)
    return;
  __atomic_store_n(&line[i].time, time_word(hash, number, f),
                   __ATOMIC_RELAXED);
  __atomic_store_n(&line[i].number, number_word(hash, number),
                   __ATOMIC_RELAXED);
}

static struct fit fitted(const tuned *t, const struct query *r)
{
  struct fit fit = {NULL, 0, 0};
  /* two families can have the same problem */
  uint64_t hash = query_mix(r->hash, r->family - t->index.families);
  if (recall(t, r->class_, hash, &fit))
    return fit;
  fit = fit_find(r, &t->index, NULL);
  fit.us = (float)fit.us; /* as the memo has it */
  remember(t, hash, &fit);
  return fit;
}

/* --- the answer ---------------------------------------------------------- */

/* Bytes of scratch, each buffer rounded up to 256; -1 where they are more than
 * a size can say. */
static int scratch(const struct index *v, const struct pack_plan *p,
                   const int64_t *keys, size_t *out)
{
  *out = 0;
  for (uint32_t i = 0; i < p->nbuffers; i++) {
    const struct pack_buffer *b = &v->buffers[p->buffer + i];
    int64_t n;
    if (b->role != BUFFER_SCRATCHED)
      continue;
    if (index_value(v, b->elements, keys, &n) || n < 0 ||
        n > INT64_MAX / 16 / (b->size ? b->size : 1))
      return -1;
    *out += ((size_t)n * b->size + 255) / 256 * 256;
  }
  return 0;
}

static unsigned taken(const struct index *v, const struct pack_plan *p)
{
  unsigned n = 0;
  for (uint32_t i = 0; i < p->nbuffers; i++)
    n += v->buffers[p->buffer + i].role != BUFFER_SCRATCHED;
  return n;
}

static int answer(const tuned *t, const struct query *r,
                  const struct pack_winner *w, struct tuned_found *out)
{
  const struct index *v = &t->index;
  const struct pack_plan *p = &v->plans[w->plan];
  out->modelled = (w->flags & WINNER_MODELLED) != 0;
  out->stale = (w->flags & WINNER_STALE) != 0;
  out->nbuffers = taken(v, p);
  out->config = v->text + p->config;
  out->winner = (unsigned)(w - v->winners);
  for (uint32_t i = 0; i < TUNED_KEYS; i++)
    out->keys[i] = r->keys[i];
  return scratch(v, p, r->keys, &out->scratch) ? TUNED_NONE : TUNED_OK;
}

int tuned_find(const tuned *t, const char *family,
               const struct tuned_key *keys, size_t nkeys, enum tuned_how most,
               struct tuned_found *out)
{
  struct query r;
  int code = query_read(&r, &t->index, t->arch, family, keys, nkeys);
  if (code)
    return code;
  const struct pack_winner *w = query_winner(&r, &t->index);
  out->how = w ? TUNED_EXACT : TUNED_FITTED;
  if (w) {
    out->loss = 0;
    out->us = w->us;
    return answer(t, &r, w, out);
  }
  if (most != TUNED_FITTED || !r.class_ || !r.family->serves)
    return TUNED_NONE;
  struct fit fit = fitted(t, &r);
  if (!fit.winner)
    return TUNED_NONE;
  out->loss = r.class_->loss[fit.band];
  out->us = fit.us;
  return answer(t, &r, fit.winner, out);
}
