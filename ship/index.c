/* index.c - see index.h. */
// SPDX-License-Identifier: MIT
#include "ship/index.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ORDER PART */
static const struct {
  const char *name;
  size_t size;
} parts[] = {
  {"architectures", sizeof(struct pack_arch)},
  {"families", sizeof(struct pack_family)},
  {"keys", sizeof(struct pack_key)},
  {"words", sizeof(uint32_t)},
  {"classes", sizeof(struct pack_class)},
  {"winners", sizeof(struct pack_winner)},
  {"tried kernels", sizeof(struct pack_tried)},
  {"values", sizeof(int64_t)},
  {"slots", sizeof(uint32_t)},
  {"plans", sizeof(struct pack_plan)},
  {"launches", sizeof(struct pack_launch)},
  {"arguments", sizeof(struct pack_arg)},
  {"buffers", sizeof(struct pack_buffer)},
  {"needs", sizeof(int32_t)},
  {"formulas", sizeof(struct pack_formula)},
  {"steps", sizeof(struct formula_step)},
  {"codes", sizeof(struct pack_code)},
  {"text", 1},
};

typedef char parts_in_order[sizeof parts / sizeof *parts == PARTS ? 1 : -1];

/* XXH3 of head and index as they are while `sum` is 0. */
uint64_t index_sum(const void *bytes, size_t index)
{
  struct pack_head head;
  XXH3_state_t state;
  memcpy(&head, bytes, sizeof head);
  head.sum = 0;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, &head, sizeof head);
  XXH3_64bits_update(&state, (const char *)bytes + sizeof head,
                     index - sizeof head);
  return XXH3_64bits_digest(&state);
}

static int say(char *why, int code, const char *what)
{
  snprintf(why, INDEX_WHY, "%s", what);
  return code;
}

static int head_fits(const struct pack_head *h, size_t n, char *why)
{
  if (n < sizeof h->magic || memcmp(h->magic, PACK_MAGIC, sizeof h->magic))
    return say(why, TUNED_FOREIGN, n ? "it does not begin as a pack does"
                                     : "it is empty");
  if (n < sizeof *h)
    return say(why, TUNED_CUT, "it ends in its head");
  if (h->version != PACK_VERSION) {
    int is_older = h->version < PACK_VERSION;
    snprintf(why, INDEX_WHY, "it has version %u of the format, this library "
             "reads version %d: %smake the pack again",
             (unsigned)h->version, PACK_VERSION,
             is_older ? "" : "take a newer library, or ");
    return is_older ? TUNED_OLDER : TUNED_NEWER;
  }
  if (h->size != n) {
    snprintf(why, INDEX_WHY, "it has %llu bytes, but was written with %llu",
             (unsigned long long)n, (unsigned long long)h->size);
    return TUNED_CUT;
  }
  if (h->parts != PARTS || h->index < sizeof *h || h->index > n)
    return say(why, TUNED_DAMAGED, "its head is damaged");
  return TUNED_OK;
}

static int parts_fit(const struct pack_head *h, char *why)
{
  for (int i = 0; i < PARTS; i++) {
    uint64_t at = h->part[i].at, n = h->part[i].n;
    if (at % 8 || at < sizeof *h || at > h->index || n > UINT32_MAX / 2 ||
        n * parts[i].size > h->index - at) {
      snprintf(why, INDEX_WHY, "its %s lie outside", parts[i].name);
      return TUNED_DAMAGED;
    }
  }
  return TUNED_OK;
}

static const void *part(const struct index *v, enum pack_part i)
{
  return v->bytes + v->head->part[i].at;
}

static void take_apart(struct index *v, const void *bytes)
{
  v->bytes = bytes;
  v->head = bytes;
  v->archs = part(v, PART_ARCHS);
  v->families = part(v, PART_FAMILIES);
  v->keys = part(v, PART_KEYS);
  v->words = part(v, PART_WORDS);
  v->classes = part(v, PART_CLASSES);
  v->winners = part(v, PART_WINNERS);
  v->tried = part(v, PART_TRIED);
  v->values = part(v, PART_VALUES);
  v->slots = part(v, PART_SLOTS);
  v->plans = part(v, PART_PLANS);
  v->launches = part(v, PART_LAUNCHES);
  v->args = part(v, PART_ARGS);
  v->buffers = part(v, PART_BUFFERS);
  v->needs = part(v, PART_NEEDS);
  v->formulas = part(v, PART_FORMULAS);
  v->steps = part(v, PART_STEPS);
  v->codes = part(v, PART_CODES);
  v->text = part(v, PART_TEXT);
}

/* --- what the entries refer to ------------------------------------------- */

static uint64_t count(const struct index *v, enum pack_part part)
{
  return v->head->part[part].n;
}

/* Are n entries of a part there from `first` on? */
static int has(const struct index *v, enum pack_part part, uint64_t first,
               uint64_t n)
{
  return first <= count(v, part) && n <= count(v, part) - first;
}

static int has_text(const struct index *v, uint32_t at)
{
  return at < count(v, PART_TEXT);
}

static int has_formula(const struct index *v, int32_t f)
{
  return f >= 0 && (uint64_t)f < count(v, PART_FORMULAS);
}

static int key_fits(const struct index *v, const struct pack_key *k)
{
  int fits = has_text(v, k->name) && k->kind <= PACK_WORD &&
             has(v, PART_WORDS, k->word, k->nwords);
  for (uint32_t i = 0; i < k->nwords && fits; i++)
    fits = has_text(v, v->words[k->word + i]);
  return fits;
}

/* A class's winners follow those of the class before it. */
static int class_fits(const struct index *v, const struct pack_family *f,
                      const struct pack_class *c)
{
  if (!has(v, PART_WINNERS, c->winner, c->nwinners) || !c->nwinners ||
      !has(v, PART_VALUES, c->value, f->nkeys) || c->completed < PACK_NONE)
    return 0;
  if (c->completed != PACK_NONE &&
      !has(v, PART_FORMULAS, (uint64_t)c->completed, f->nkeys))
    return 0;
  for (uint32_t i = 0; i < c->nwinners; i++) {
    const struct pack_winner *w = &v->winners[c->winner + i];
    if (w->plan >= count(v, PART_PLANS) ||
        !has(v, PART_VALUES, w->value, f->nkeys) ||
        !has(v, PART_TRIED, w->tried, w->ntried))
      return 0;
  }
  return 1;
}

static int slots_fit(const struct index *v, uint32_t slot, uint32_t n,
                     uint32_t first, uint32_t end)
{
  if (!n || n & (n - 1) || !has(v, PART_SLOTS, slot, n))
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t entry = v->slots[slot + i];
    if (entry && (entry - 1 < first || entry - 1 >= end))
      return 0;
  }
  return 1;
}

static int family_fits(const struct index *v, const struct pack_family *f)
{
  int fits = has_text(v, f->name) && f->nkeys && f->nkeys <= TUNED_KEYS &&
             has(v, PART_KEYS, f->key, f->nkeys) && f->nclasses &&
             has(v, PART_CLASSES, f->class_, f->nclasses);
  for (uint32_t i = 0; i < f->nkeys && fits; i++)
    fits = key_fits(v, &v->keys[f->key + i]);
  for (uint32_t i = 0; i < f->nclasses && fits; i++) {
    const struct pack_class *c = &v->classes[f->class_ + i];
    fits = class_fits(v, f, c) &&
           (i == 0 || c[-1].winner + c[-1].nwinners == c->winner);
  }
  if (!fits)
    return 0;
  const struct pack_class *first = &v->classes[f->class_];
  const struct pack_class *last = first + f->nclasses - 1;
  return slots_fit(v, f->slot, f->nslots, first->winner,
                   last->winner + last->nwinners) &&
         slots_fit(v, f->class_slot, f->nclass_slots, f->class_,
                   f->class_ + f->nclasses);
}

static int arg_fits(const struct index *v, const struct pack_plan *p,
                    const struct pack_arg *a)
{
  switch (a->kind) {
  case PACK_BUFFER:
    return (uint64_t)a->value < p->nbuffers;
  case PACK_I32:
  case PACK_I64:
    return a->value >= 0 && (uint64_t)a->value < count(v, PART_FORMULAS);
  case PACK_F32:
    return 1;
  case PACK_F32_KEY:
    return (uint64_t)a->value < TUNED_KEYS;
  }
  return 0;
}

static int launch_fits(const struct index *v, const struct pack_plan *p,
                       const struct pack_launch *l)
{
  int fits = has_text(v, l->kernel) && l->nargs <= INDEX_ARGS &&
             has(v, PART_ARGS, l->arg, l->nargs) && has_formula(v, l->lds);
  for (int i = 0; i < 3 && fits; i++)
    fits = has_formula(v, l->grid[i]);
  for (uint32_t i = 0; i < l->nargs && fits; i++)
    fits = arg_fits(v, p, &v->args[l->arg + i]);
  return fits;
}

static int may_have_formula(const struct index *v, int32_t f)
{
  return f == PACK_NONE || has_formula(v, f);
}

static int plan_fits(const struct index *v, const struct pack_plan *p)
{
  int fits = p->code < count(v, PART_CODES) && has_text(v, p->config) &&
             p->nlaunches && p->nlaunches <= INDEX_LAUNCHES &&
             has(v, PART_LAUNCHES, p->launch, p->nlaunches) &&
             p->nbuffers <= INDEX_BUFFERS &&
             has(v, PART_BUFFERS, p->buffer, p->nbuffers) &&
             has(v, PART_NEEDS, p->need, p->nneeds) &&
             has_formula(v, p->cost) && may_have_formula(v, p->steps) &&
             may_have_formula(v, p->step_flops) &&
             may_have_formula(v, p->step_bytes) &&
             may_have_formula(v, p->results) &&
             may_have_formula(v, p->result_bytes) &&
             may_have_formula(v, p->bytes);
  for (uint32_t i = 0; i < p->nlaunches && fits; i++)
    fits = launch_fits(v, p, &v->launches[p->launch + i]);
  for (uint32_t i = 0; i < p->nbuffers && fits; i++)
    fits = has_text(v, v->buffers[p->buffer + i].name) &&
           has_formula(v, v->buffers[p->buffer + i].elements);
  for (uint32_t i = 0; i < p->nneeds && fits; i++)
    fits = has_formula(v, v->needs[p->need + i]);
  return fits;
}

static int tried_fits(const struct index *v, const struct pack_tried *t)
{
  return t->plan < count(v, PART_PLANS);
}

static int code_fits(const struct index *v, const struct pack_code *c)
{
  const struct pack_head *h = v->head;
  return c->at >= h->index && c->at <= h->size &&
         c->packed <= h->size - c->at && c->plain <= INDEX_PLAIN;
}

static int arch_fits(const struct index *v, const struct pack_arch *a)
{
  return has_text(v, a->name) && a->cus &&
         has(v, PART_FAMILIES, a->family, a->nfamilies);
}

static int formula_fits(const struct index *v, const struct pack_formula *f)
{
  return has(v, PART_STEPS, f->step, f->nsteps) &&
         formula_valid(v->steps + f->step, f->nsteps, TUNED_KEYS);
}

#define ALL_FIT(part, entries, fits) \
  for (uint64_t i = 0; i < count(v, part); i++) \
    if (!fits(v, &entries[i])) \
      return part

/* The first part with an entry that leads astray, or PARTS. */
static enum pack_part astray(const struct index *v)
{
  uint64_t text = count(v, PART_TEXT);
  if (!text || v->text[text - 1])
    return PART_TEXT;
  ALL_FIT(PART_FORMULAS, v->formulas, formula_fits);
  ALL_FIT(PART_CODES, v->codes, code_fits);
  ALL_FIT(PART_PLANS, v->plans, plan_fits);
  ALL_FIT(PART_TRIED, v->tried, tried_fits);
  ALL_FIT(PART_FAMILIES, v->families, family_fits);
  ALL_FIT(PART_ARCHS, v->archs, arch_fits);
  return PARTS;
}

int index_open(struct index *v, const void *bytes, size_t n, char *why)
{
  const struct pack_head *h = bytes;
  int code = head_fits(h, n, why);
  if (!code)
    code = parts_fit(h, why);
  if (!code && index_sum(bytes, h->index) != h->sum)
    code = say(why, TUNED_DAMAGED, "its index does not match its checksum");
  if (code)
    return code;
  take_apart(v, bytes);
  enum pack_part wrong = astray(v);
  if (wrong == PARTS)
    return TUNED_OK;
  snprintf(why, INDEX_WHY, "an entry of its %s leads astray",
           parts[wrong].name);
  return TUNED_DAMAGED;
}

const struct pack_arch *index_arch(const struct index *v, const char *name)
{
  size_t n = strcspn(name, ":");
  for (uint64_t i = 0; i < count(v, PART_ARCHS); i++) {
    const char *has_name = v->text + v->archs[i].name;
    if (strlen(has_name) == n && !memcmp(has_name, name, n))
      return &v->archs[i];
  }
  return NULL;
}

int index_value(const struct index *v, int32_t f, const int64_t *keys,
               int64_t *out)
{
  const struct pack_formula *formula = &v->formulas[f];
  return formula_value(v->steps + formula->step, formula->nsteps, keys, out);
}
