/* query.c - see query.h. */
// SPDX-License-Identifier: MIT
#include "ship/query.h"

#include <math.h>
#include <string.h>

int64_t query_part(const struct pack_family *f, const struct pack_key *k,
                     int64_t value)
{
  double number;
  if (k->kind != PACK_NUMBER || !f->serves || k->listed)
    return value;
  memcpy(&number, &value, sizeof number);
  return number != 0;
}

int64_t query_class_part(const struct pack_family *f,
                           const struct pack_key *k, int64_t value)
{
  if (k->kind != PACK_WHOLE || k->listed)
    return query_part(f, k, value);
  return k->open ? 0 : value != 0;
}

/* The key of that name, where the last search ended or from there on. */
static uint32_t key_named(const struct index *v, const struct pack_family *f,
                          const char *name, uint32_t from)
{
  const struct pack_key *keys = v->keys + f->key;
  for (uint32_t i = 0; i < f->nkeys; i++, from++) {
    if (from >= f->nkeys)
      from = 0;
    const char *has = v->text + keys[from].name;
    if (*has == *name && !strcmp(has, name))
      return from;
  }
  return f->nkeys;
}

/* -1 where the value is not one of the key's. */
static int take(const struct index *v, const struct pack_key *k,
                const struct tuned_key *given, int64_t *out)
{
  double number = given->kind == TUNED_KIND_WHOLE ? (double)given->whole
                                                  : given->number;
  switch (k->kind) {
  case PACK_WHOLE:
    *out = given->whole;
    return given->kind == TUNED_KIND_WHOLE && given->whole >= k->min &&
                   given->whole <= k->max ? 0 : -1;
  case PACK_NUMBER:
    number += 0.0; /* no -0 */
    memcpy(out, &number, sizeof number);
    return given->kind != TUNED_KIND_WORD && isfinite(number) ? 0 : -1;
  }
  if (given->kind != TUNED_KIND_WORD || !given->word)
    return -1;
  for (uint32_t i = 0; i < k->nwords; i++)
    if (!strcmp(v->text + v->words[k->word + i], given->word)) {
      *out = i;
      return 0;
    }
  return -1;
}

static int read_keys(struct query *r, const struct index *v,
                     const struct tuned_key *given, size_t n)
{
  const struct pack_family *f = r->family;
  const struct pack_key *keys = v->keys + f->key;
  uint32_t seen = 0, at = 0;
  for (uint32_t i = 0; i < f->nkeys; i++)
    r->keys[i] = keys[i].standard;
  for (size_t i = 0; i < n; i++, at++) {
    at = key_named(v, f, given[i].name, at);
    if (at == f->nkeys || seen >> at & 1 ||
        take(v, &keys[at], &given[i], &r->keys[at]))
      return TUNED_BAD_KEY;
    seen |= UINT32_C(1) << at;
  }
  return TUNED_OK;
}

static const struct pack_class *find_class(const struct query *r,
                                           const struct index *v)
{
  const struct pack_family *f = r->family;
  const struct pack_key *keys = v->keys + f->key;
  int64_t parts[TUNED_KEYS];
  uint64_t hash = 0;
  for (uint32_t i = 0; i < f->nkeys; i++) {
    parts[i] = query_class_part(f, &keys[i], r->keys[i]);
    hash = query_mix(hash, parts[i]);
  }
  for (uint32_t i = 0; i < f->nclass_slots; i++) {
    uint32_t slot = (uint32_t)(hash + i) & (f->nclass_slots - 1);
    uint32_t entry = v->slots[f->class_slot + slot];
    if (!entry)
      return NULL;
    const struct pack_class *c = &v->classes[entry - 1];
    if (!memcmp(parts, v->values + c->value, f->nkeys * sizeof *parts))
      return c;
  }
  return NULL;
}

/* From the keys as they were given: one that is completed is no other's. */
static void complete(struct query *r, const struct index *v)
{
  const struct pack_family *f = r->family;
  int64_t given[TUNED_KEYS];
  memcpy(given, r->keys, sizeof given);
  for (uint32_t i = 0; i < f->nkeys; i++)
    if (v->keys[f->key + i].open && given[i] == 0)
      index_value(v, r->class_->completed + (int32_t)i, given, &r->keys[i]);
}

int query_read(struct query *r, const struct index *v,
                 const struct pack_arch *arch, const char *family,
                 const struct tuned_key *keys, size_t nkeys)
{
  r->arch = arch;
  r->family = NULL;
  r->class_ = NULL;
  memset(r->keys, 0, sizeof r->keys);
  for (uint32_t i = 0; i < arch->nfamilies && !r->family; i++)
    if (!strcmp(v->text + v->families[arch->family + i].name, family))
      r->family = &v->families[arch->family + i];
  if (!r->family)
    return TUNED_NO_FAMILY;
  int code = read_keys(r, v, keys, nkeys);
  if (code)
    return code;
  r->class_ = find_class(r, v);
  if (r->class_ && r->class_->completed != PACK_NONE)
    complete(r, v);
  r->hash = 0;
  for (uint32_t i = 0; i < r->family->nkeys; i++) {
    r->parts[i] = query_part(r->family, &v->keys[r->family->key + i],
                             r->keys[i]);
    r->hash = query_mix(r->hash, r->parts[i]);
  }
  return TUNED_OK;
}

const struct pack_winner *query_winner(const struct query *r,
                                       const struct index *v)
{
  const struct pack_family *f = r->family;
  for (uint32_t i = 0; i < f->nslots; i++) {
    uint32_t slot = (uint32_t)(r->hash + i) & (f->nslots - 1);
    uint32_t entry = v->slots[f->slot + slot];
    if (!entry)
      return NULL;
    const struct pack_winner *w = &v->winners[entry - 1];
    __builtin_prefetch(&v->plans[w->plan]); /* while its values are read */
    if (!memcmp(r->parts, v->values + w->value, f->nkeys * sizeof *r->parts))
      return w;
  }
  return NULL;
}
