/* maker.c - see maker.h. */
// SPDX-License-Identifier: MIT
#include "ship/maker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "ship/fit.h"
#include "ship/losses.h"
#include "ship/query.h"

enum {LEVEL = 19}; /* of zstd: packs are made once */

/* Things that were stored before, by their bytes: hash and number. */
struct known {
  size_t n, room; /* room: a power of two */
  struct {
    uint64_t hash, number; /* number from 1 on */
  } *at;
};

struct row {
  int64_t values[TUNED_KEYS];
  int32_t completed[TUNED_KEYS];
  uint32_t plan, flags;
  double us;
  size_t ntried, room;
  struct pack_tried *tried;
  size_t nkeys; /* of its family */
  const struct pack_family *family;
  const struct pack_key *keys;
};

struct maker {
  struct str part[PARTS], codes; /* codes: compressed */
  struct known texts, formulas, plans, code_hashes, problems;
  struct row *rows; /* of the family that is being made */
  size_t nrows, room;
  int has_completed;
  const char *arch; /* that the next family begins, or NULL */
  uint32_t cus;
};

/* --- parts --------------------------------------------------------------- */

static uint32_t entries(const struct maker *m, enum pack_part part,
                        size_t size)
{
  return (uint32_t)(m->part[part].len / size);
}

/* The part as an array. */
#define ARRAY(m, which, type) ((type *)(void *)(m)->part[which].at)
#define ENTRIES(m, which, type) entries(m, which, sizeof(type))

static uint32_t add(struct maker *m, enum pack_part part, const void *entry,
                    size_t size)
{
  uint32_t n = entries(m, part, size);
  str_add_bytes(&m->part[part], entry, size);
  return n;
}

static uint64_t *slot(struct known *k, uint64_t hash)
{
  size_t i = hash & (k->room - 1);
  while (k->at[i].number && k->at[i].hash != hash)
    i = (i + 1) & (k->room - 1);
  k->at[i].hash = hash;
  return &k->at[i].number;
}

/* Where the number of what has this hash stands, 0 if it is new. 64 bits tell
 * all things of a pack apart. */
static uint64_t *known(struct known *k, const void *bytes, size_t n)
{
  if (2 * k->n >= k->room) {
    struct known more = {0, k->room ? 2 * k->room : 256, NULL};
    more.at = mem_array(more.room, sizeof *more.at);
    for (size_t i = 0; i < k->room; i++)
      if (k->at[i].number)
        *slot(&more, k->at[i].hash) = k->at[i].number;
    more.n = k->n;
    free(k->at);
    *k = more;
  }
  uint64_t *number = slot(k, hash_64(bytes, n));
  k->n += *number == 0;
  return number;
}

struct maker *maker_open(void)
{
  struct maker *m = mem_alloc(sizeof *m);
  maker_text(m, "");
  return m;
}

static void drop_rows(struct maker *m)
{
  for (size_t i = 0; i < m->nrows; i++)
    free(m->rows[i].tried);
  m->nrows = 0;
}

void maker_close(struct maker *m)
{
  if (!m)
    return;
  for (int i = 0; i < PARTS; i++)
    str_free(&m->part[i]);
  drop_rows(m);
  str_free(&m->codes);
  free(m->texts.at);
  free(m->formulas.at);
  free(m->plans.at);
  free(m->code_hashes.at);
  free(m->problems.at);
  free(m->rows);
  free(m);
}

uint32_t maker_text(struct maker *m, const char *text)
{
  uint64_t *number = known(&m->texts, text, strlen(text));
  if (!*number) {
    *number = m->part[PART_TEXT].len + 1;
    str_add_bytes(&m->part[PART_TEXT], text, strlen(text) + 1);
  }
  return (uint32_t)(*number - 1);
}

int32_t maker_formula(struct maker *m, const struct formula_step *step,
                      size_t n)
{
  uint64_t *number = known(&m->formulas, step, n * sizeof *step);
  if (!*number) {
    struct pack_formula f = { ENTRIES(m, PART_STEPS, struct formula_step),
                              (uint32_t)n };
    str_add_bytes(&m->part[PART_STEPS], step, n * sizeof *step);
    *number = add(m, PART_FORMULAS, &f, sizeof f) + 1;
  }
  return (int32_t)(*number - 1);
}

int32_t maker_constant(struct maker *m, int64_t value)
{
  struct formula_step step = {value, FORMULA_CONST, 0};
  return maker_formula(m, &step, 1);
}

int maker_code(struct maker *m, const void *bytes, size_t n, uint32_t *code,
               struct err *e)
{
  uint64_t *number = known(&m->code_hashes, bytes, n);
  if (!*number) {
    size_t room = ZSTD_compressBound(n);
    void *packed = malloc(room);
    size_t length = packed ? ZSTD_compress(packed, room, bytes, n, LEVEL) : 0;
    if (!packed || ZSTD_isError(length)) {
      free(packed);
      return err_set(e, ERR_FAILED, "compressing %zu bytes of code: %s", n,
                     packed ? ZSTD_getErrorName(length) : "no memory");
    }
    struct pack_code c = {m->codes.len, length, n, hash_64(packed, length)};
    str_add_bytes(&m->codes, packed, length);
    free(packed);
    *number = add(m, PART_CODES, &c, sizeof c) + 1;
  }
  *code = (uint32_t)(*number - 1);
  return 0;
}

/* All that tells two plans apart, in one string. */
static void describe(struct str *s, const struct pack_plan *p,
                     const struct maker_launch *launches,
                     const struct pack_buffer *buffers, const int32_t *needs)
{
  str_add_bytes(s, p, sizeof *p);
  for (uint32_t i = 0; i < p->nlaunches; i++) {
    const struct pack_launch *l = &launches[i].launch;
    str_add_bytes(s, l, sizeof *l);
    str_add_bytes(s, launches[i].args, l->nargs * sizeof *launches[i].args);
  }
  str_add_bytes(s, buffers, p->nbuffers * sizeof *buffers);
  str_add_bytes(s, needs, p->nneeds * sizeof *needs);
}

uint32_t maker_plan(struct maker *m, struct pack_plan plan,
                    const struct maker_launch *launches,
                    const struct pack_buffer *buffers, const int32_t *needs)
{
  struct str all = {0};
  describe(&all, &plan, launches, buffers, needs);
  uint64_t *number = known(&m->plans, all.at, all.len);
  str_free(&all);
  if (*number)
    return (uint32_t)(*number - 1);
  plan.launch = ENTRIES(m, PART_LAUNCHES, struct pack_launch);
  plan.buffer = ENTRIES(m, PART_BUFFERS, struct pack_buffer);
  plan.need = ENTRIES(m, PART_NEEDS, int32_t);
  for (uint32_t i = 0; i < plan.nlaunches; i++) {
    struct pack_launch l = launches[i].launch;
    l.arg = ENTRIES(m, PART_ARGS, struct pack_arg);
    str_add_bytes(&m->part[PART_ARGS], launches[i].args,
                  l.nargs * sizeof *launches[i].args);
    add(m, PART_LAUNCHES, &l, sizeof l);
  }
  str_add_bytes(&m->part[PART_BUFFERS], buffers,
                plan.nbuffers * sizeof *buffers);
  str_add_bytes(&m->part[PART_NEEDS], needs, plan.nneeds * sizeof *needs);
  *number = add(m, PART_PLANS, &plan, sizeof plan) + 1;
  return (uint32_t)(*number - 1);
}

/* --- winners of a family ------------------------------------------------- */

static struct pack_family *last_family(struct maker *m)
{
  uint32_t n = ENTRIES(m, PART_FAMILIES, struct pack_family);
  return n ? ARRAY(m, PART_FAMILIES, struct pack_family) + n - 1 : NULL;
}

static struct pack_arch *last_arch(struct maker *m)
{
  uint32_t n = ENTRIES(m, PART_ARCHS, struct pack_arch);
  return n ? ARRAY(m, PART_ARCHS, struct pack_arch) + n - 1 : NULL;
}

static int64_t class_part(const struct row *r, size_t i)
{
  return query_class_part(r->family, &r->keys[i], r->values[i]);
}

static int same_class(const struct row *a, const struct row *b)
{
  for (size_t i = 0; i < a->nkeys; i++)
    if (class_part(a, i) != class_part(b, i))
      return 0;
  return 1;
}

/* Classes side by side; in one by the keys. */
static int compare(const void *left, const void *right)
{
  const struct row *a = left, *b = right;
  for (size_t i = 0; i < a->nkeys; i++)
    if (class_part(a, i) != class_part(b, i))
      return class_part(a, i) < class_part(b, i) ? -1 : 1;
  for (size_t i = 0; i < a->nkeys; i++)
    if (a->values[i] != b->values[i])
      return a->values[i] < b->values[i] ? -1 : 1;
  return 0;
}

static uint64_t row_hash(const struct row *r, int of_class)
{
  uint64_t hash = 0;
  for (size_t i = 0; i < r->nkeys; i++)
    hash = query_mix(hash, of_class ? class_part(r, i)
                                      : query_part(r->family, &r->keys[i],
                                                     r->values[i]));
  return hash;
}

/* Where the number of the row with this problem stands. */
static uint64_t *row_number(struct maker *m, const struct row *r)
{
  int64_t parts[TUNED_KEYS + 1];
  parts[0] = ENTRIES(m, PART_FAMILIES, struct pack_family);
  for (size_t i = 0; i < r->nkeys; i++)
    parts[i + 1] = query_part(r->family, &r->keys[i], r->values[i]);
  return known(&m->problems, parts, (r->nkeys + 1) * sizeof *parts);
}

static void add_tried(struct row *r, uint32_t plan, double us)
{
  for (size_t i = 0; i < r->ntried; i++)
    if (r->tried[i].plan == plan)
      return;
  if (r->ntried == r->room) {
    r->room = r->room ? 2 * r->room : 16;
    r->tried = mem_resize(r->tried, r->room * sizeof *r->tried);
  }
  r->tried[r->ntried++] = (struct pack_tried){.plan = plan, .us = (float)us};
}

int maker_winner(struct maker *m, const int64_t *values, uint32_t plan,
                 uint32_t flags, double us, const int32_t *completed)
{
  struct pack_family *f = last_family(m);
  struct row r = { .plan = plan, .flags = flags, .us = us,
                   .nkeys = f->nkeys, .family = f,
                   .keys = ARRAY(m, PART_KEYS, struct pack_key) + f->key };
  memcpy(r.values, values, f->nkeys * sizeof *values);
  if (completed)
    memcpy(r.completed, completed, f->nkeys * sizeof *completed);
  uint64_t *number = row_number(m, &r);
  if (*number)
    return 0;
  *number = m->nrows + 1;
  m->has_completed = completed != NULL;
  if (m->nrows == m->room) {
    m->room = m->room ? 2 * m->room : 64;
    m->rows = mem_resize(m->rows, m->room * sizeof *m->rows);
  }
  add_tried(&r, plan, us);
  m->rows[m->nrows++] = r;
  return 1;
}

void maker_tried(struct maker *m, const int64_t *values, uint32_t plan,
                 double us)
{
  struct pack_family *f = last_family(m);
  struct row r = { .nkeys = f->nkeys, .family = f,
                   .keys = ARRAY(m, PART_KEYS, struct pack_key) + f->key };
  memcpy(r.values, values, f->nkeys * sizeof *values);
  uint64_t number = *row_number(m, &r);
  if (number)
    add_tried(&m->rows[number - 1], plan, us);
}

/* A free slot of the n that the part has last. */
static void put(struct maker *m, uint32_t first, uint32_t n, uint64_t hash,
                uint32_t number)
{
  uint32_t *slots = ARRAY(m, PART_SLOTS, uint32_t) + first;
  uint32_t i = (uint32_t)hash & (n - 1);
  while (slots[i])
    i = (i + 1) & (n - 1);
  slots[i] = number + 1;
}

/* Slots for n things, half of them free. */
static uint32_t make_slots(struct maker *m, uint32_t n, uint32_t *first)
{
  static const uint32_t none = 0;
  uint32_t room = 2;
  while (room < 2 * n)
    room *= 2;
  *first = ENTRIES(m, PART_SLOTS, uint32_t);
  for (uint32_t i = 0; i < room; i++)
    add(m, PART_SLOTS, &none, sizeof none);
  return room;
}

static void add_class(struct maker *m, const struct row *r)
{
  struct pack_class c = {
    .value = ENTRIES(m, PART_VALUES, int64_t),
    .winner = ENTRIES(m, PART_WINNERS, struct pack_winner),
    .completed = PACK_NONE,
  };
  for (int i = 0; i < PACK_BANDS; i++)
    c.loss[i] = -1;
  for (size_t i = 0; i < r->nkeys; i++)
    add(m, PART_VALUES, &(int64_t){class_part(r, i)}, sizeof(int64_t));
  if (m->has_completed) {
    c.completed = (int32_t)ENTRIES(m, PART_FORMULAS, struct pack_formula);
    for (size_t i = 0; i < r->nkeys; i++) { /* side by side, so not shared */
      struct pack_formula f =
          ARRAY(m, PART_FORMULAS, struct pack_formula)[r->completed[i]];
      add(m, PART_FORMULAS, &f, sizeof f);
    }
  }
  add(m, PART_CLASSES, &c, sizeof c);
}

static void add_row(struct maker *m, const struct row *r)
{
  struct pack_winner w = { r->plan, r->flags,
                           ENTRIES(m, PART_VALUES, int64_t), r->us,
                           ENTRIES(m, PART_TRIED, struct pack_tried),
                           (uint32_t)r->ntried };
  str_add_bytes(&m->part[PART_TRIED], r->tried, r->ntried * sizeof *r->tried);
  for (size_t i = 0; i < r->nkeys; i++)
    add(m, PART_VALUES,
        &(int64_t){query_part(r->family, &r->keys[i], r->values[i])},
        sizeof(int64_t));
  add(m, PART_WINNERS, &w, sizeof w);
  ARRAY(m, PART_CLASSES, struct pack_class)
  [ENTRIES(m, PART_CLASSES, struct pack_class) - 1].nwinners++;
}

/* A family without winners is none, an arch without families neither. */
static void drop_family(struct maker *m)
{
  m->part[PART_FAMILIES].len -= sizeof(struct pack_family);
  last_arch(m)->nfamilies--;
}

static void end_arch(struct maker *m)
{
  struct pack_arch *a = last_arch(m);
  if (a && !a->nfamilies)
    m->part[PART_ARCHS].len -= sizeof *a;
}

/* Sort the rows into classes, and write them. */
static void end_family(struct maker *m)
{
  struct pack_family *f = last_family(m);
  if (!f || f->nslots)
    return;
  if (!m->nrows) {
    drop_family(m);
    return;
  }
  for (size_t i = 0; i < m->nrows; i++) {
    m->rows[i].family = f;
    m->rows[i].keys = ARRAY(m, PART_KEYS, struct pack_key) + f->key;
  }
  qsort(m->rows, m->nrows, sizeof *m->rows, compare);
  f->class_ = ENTRIES(m, PART_CLASSES, struct pack_class);
  for (size_t i = 0; i < m->nrows; i++) {
    if (i == 0 || !same_class(&m->rows[i - 1], &m->rows[i])) {
      add_class(m, &m->rows[i]);
      f->nclasses++;
    }
    add_row(m, &m->rows[i]);
  }
  f->nslots = make_slots(m, (uint32_t)m->nrows, &f->slot);
  f->nclass_slots = make_slots(m, f->nclasses, &f->class_slot);
  uint32_t winner = ARRAY(m, PART_CLASSES, struct pack_class)[f->class_].winner;
  uint32_t class = f->class_;
  for (size_t i = 0; i < m->nrows; i++) {
    put(m, f->slot, f->nslots, row_hash(&m->rows[i], 0),
        winner + (uint32_t)i);
    if (i == 0 || !same_class(&m->rows[i - 1], &m->rows[i]))
      put(m, f->class_slot, f->nclass_slots, row_hash(&m->rows[i], 1),
          class++);
  }
  drop_rows(m);
}

void maker_arch(struct maker *m, const char *name, uint32_t cus)
{
  end_family(m);
  m->arch = name;
  m->cus = cus;
}

static void begin_arch(struct maker *m)
{
  end_arch(m);
  struct pack_arch a = { maker_text(m, m->arch), m->cus,
                         ENTRIES(m, PART_FAMILIES, struct pack_family), 0 };
  add(m, PART_ARCHS, &a, sizeof a);
  m->arch = NULL;
}

void maker_family(struct maker *m, const char *name, int serves)
{
  end_family(m);
  if (m->arch)
    begin_arch(m);
  struct pack_family f = { .name = maker_text(m, name), .serves = serves != 0,
                           .key = ENTRIES(m, PART_KEYS, struct pack_key) };
  add(m, PART_FAMILIES, &f, sizeof f);
  last_arch(m)->nfamilies++;
}

void maker_key(struct maker *m, const char *name, struct pack_key key,
               const char *const *words, size_t nwords)
{
  key.name = maker_text(m, name);
  key.word = ENTRIES(m, PART_WORDS, uint32_t);
  key.nwords = (uint32_t)nwords;
  for (size_t i = 0; i < nwords; i++) {
    uint32_t word = maker_text(m, words[i]);
    add(m, PART_WORDS, &word, sizeof word);
  }
  add(m, PART_KEYS, &key, sizeof key);
  last_family(m)->nkeys++;
}

/* --- the file ------------------------------------------------------------ */

static const size_t sizes[] = { /* ORDER PART */
  sizeof(struct pack_arch),   sizeof(struct pack_family),
  sizeof(struct pack_key),    sizeof(uint32_t),
  sizeof(struct pack_class),  sizeof(struct pack_winner),
  sizeof(struct pack_tried),
  sizeof(int64_t),            sizeof(uint32_t),
  sizeof(struct pack_plan),   sizeof(struct pack_launch),
  sizeof(struct pack_arg),    sizeof(struct pack_buffer),
  sizeof(int32_t),            sizeof(struct pack_formula),
  sizeof(struct formula_step), sizeof(struct pack_code),
  1,
};
static_assert(sizeof sizes / sizeof *sizes == PARTS, "ORDER PART");

static void pad(struct str *out)
{
  static const char zeros[8] = {0};
  str_add_bytes(out, zeros, (8 - out->len % 8) % 8);
}

static void lay_out(struct maker *m, struct str *out)
{
  struct pack_head h = {.version = PACK_VERSION, .parts = PARTS};
  memcpy(h.magic, PACK_MAGIC, sizeof h.magic);
  str_add_bytes(out, &h, sizeof h);
  for (int i = 0; i < PARTS; i++) {
    h.part[i].at = out->len;
    h.part[i].n = m->part[i].len / sizes[i];
    str_add_bytes(out, str_text(&m->part[i]), m->part[i].len);
    pad(out);
  }
  h.index = out->len;
  h.size = out->len + m->codes.len;
  struct pack_code *c = (void *)(out->at + h.part[PART_CODES].at);
  for (uint64_t i = 0; i < h.part[PART_CODES].n; i++)
    c[i].at += h.index;
  str_add_bytes(out, str_text(&m->codes), m->codes.len);
  memcpy(out->at, &h, sizeof h);
}

static void sign(struct str *out)
{
  struct pack_head *h = (void *)out->at;
  h->sum = index_sum(out->at, h->index);
}

int maker_finish(struct maker *m, struct str *out, struct err *e)
{
  char why[INDEX_WHY];
  struct index v;
  end_family(m);
  end_arch(m);
  lay_out(m, out);
  sign(out);
  if (index_open(&v, out->at, out->len, why))
    return err_set(e, ERR_FAILED, "the pack that was made is wrong: %s; "
                   "please report that", why);
  fit_prepare(&v, (void *)(out->at + v.head->part[PART_TRIED].at));
  losses_find(&v, (void *)(out->at + v.head->part[PART_CLASSES].at));
  sign(out);
  return 0;
}
