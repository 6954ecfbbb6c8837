/* find.c - tuned_find(); see tuned.h. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "ship/fit.h"
#include "ship/handle.h"

/* --- fitted answers that were found before ------------------------------- */

/* A word of the memo: 40 bits of the hash over the number of the winner, from
 * 1 on. Words are read and written whole, so threads need no lock: what is
 * lost is an answer that is found again. */
enum { NUMBER_BITS = 24, NUMBERS = 1 << NUMBER_BITS };

static uint64_t *memo_word(const tuned *t, uint64_t hash)
{
  return &t->memo[hash & (MEMO - 1)];
}

static const struct pack_winner *recall(const tuned *t, uint64_t hash)
{
  uint64_t word = __atomic_load_n(memo_word(t, hash), __ATOMIC_RELAXED);
  uint64_t number = word & (NUMBERS - 1);
  if (!number || (word ^ hash) >> NUMBER_BITS)
    return NULL;
  return &t->index.winners[number - 1];
}

static void remember(const tuned *t, uint64_t hash,
                     const struct pack_winner *w)
{
  uint64_t number = (uint64_t)(w - t->index.winners) + 1;
  uint64_t word = (hash >> NUMBER_BITS << NUMBER_BITS) | number;
  if (number < NUMBERS)
    __atomic_store_n(memo_word(t, hash), word, __ATOMIC_RELAXED);
}

/* Two families can have the same problem. */
static uint64_t memo_hash(const tuned *t, const struct query *r,
                          uint64_t hash)
{
  return query_mix(hash, r->family - t->index.families);
}

/* One that a chance collision gave may be of another class. */
static int of_class(const tuned *t, const struct pack_class *c,
                    const struct pack_winner *w)
{
  uint64_t place = (uint64_t)(w - t->index.winners);
  return place >= c->winner && place - c->winner < c->nwinners;
}

static struct fit fitted(const tuned *t, const struct query *r,
                         uint64_t hash)
{
  struct fit fit = { NULL, 0, 0 };
  hash = memo_hash(t, r, hash);
  const struct pack_winner *w = recall(t, hash);
  if (w && of_class(t, r->class_, w))
    fit = fit_take(r, &t->index, w);
  if (fit.winner)
    return fit;
  fit = fit_find(r, &t->index, NULL);
  if (fit.winner)
    remember(t, hash, fit.winner);
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
  uint64_t hash = query_hash(&r, &t->index);
  const struct pack_winner *w = query_winner(&r, &t->index, hash);
  out->how = w ? TUNED_EXACT : TUNED_FITTED;
  if (w) {
    out->loss = 0;
    out->us = w->us;
    return answer(t, &r, w, out);
  }
  if (most != TUNED_FITTED || !r.class_ || !r.family->serves)
    return TUNED_NONE;
  struct fit fit = fitted(t, &r, hash);
  if (!fit.winner)
    return TUNED_NONE;
  out->loss = r.class_->loss[fit.band];
  out->us = fit.us;
  return answer(t, &r, fit.winner, out);
}
