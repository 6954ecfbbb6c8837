/* cost.c - see cost.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/cost.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "db/night.h"
#include "tuner/sweep/problems.h"

enum {NIGHTS = 3, LEVELS = 3 /* problem, family and arch, all */};

/* The key of a level: fewer words say more problems. */
static uint64_t key_of(int level, const char *arch, const char *family,
                       const char *problem)
{
  struct str text = {0};
  str_addf(&text, "%s %s %s", level < 2 ? arch : "", level < 2 ? family : "",
           level < 1 ? problem : "");
  uint64_t key = hash_64(text.at, text.len);
  str_free(&text);
  return key;
}

static struct cost_row *slot(struct cost_row *rows, size_t room, uint64_t key)
{
  size_t i = key % room;
  while (rows[i].candidates > 0 && rows[i].key != key)
    i = (i + 1) % room;
  return &rows[i];
}

static void grow(struct cost_book *b)
{
  size_t room = b->room ? 2 * b->room : 256;
  struct cost_row *rows = mem_array(room, sizeof *rows);
  for (size_t i = 0; i < b->room; i++)
    if (b->rows[i].candidates > 0)
      *slot(rows, room, b->rows[i].key) = b->rows[i];
  free(b->rows);
  b->rows = rows;
  b->room = room;
}

/* The sum of what was told, or (replace) what this was alone. */
static void add(struct cost_book *b, uint64_t key, const struct cost_row *x,
                int replace)
{
  if (2 * (b->n + 1) > b->room)
    grow(b);
  struct cost_row *row = slot(b->rows, b->room, key);
  b->n += !(row->candidates > 0);
  if (replace)
    *row = (struct cost_row){0};
  row->key = key;
  row->cpu_s += x->cpu_s;
  row->device_s += x->device_s;
  row->candidates += x->candidates;
}

void cost_tell(struct cost_book *b, const struct record *r)
{
  const struct cost_row x = {
      .cpu_s = record_number(r, "cpu_s", 0),
      .device_s = record_number(r, "device_s", 0),
      .candidates = record_number(r, "candidates", 0) -
                    record_number(r, "known", 0)};
  int is_near = !strcmp(record_text(r, "why"), sweep_why(SWEEP_NEAR));
  if (!(x.candidates > 0) || !(x.cpu_s > 0))
    return;
  for (int level = 0; level < LEVELS; level++)
    add(b, key_of(level, record_text(r, "arch"), record_text(r, "family"),
                  record_text(r, "problem")), &x, level == 0 && !is_near);
}

void cost_tell_nights(struct cost_book *b, const char *store,
                      const char *sweep)
{
  char (*stamps)[NIGHT_STAMP];
  size_t n = night_list(store, sweep, &stamps);
  for (size_t i = n > NIGHTS ? n - NIGHTS : 0; i < n; i++) {
    struct night_read night;
    if (night_load(&night, store, sweep, stamps[i], NULL, NULL, NULL))
      continue;
    for (size_t k = 0; k < night.n; k++)
      cost_tell(b, night.problems[k]);
    night_free(&night);
  }
  free(stamps);
}

int cost_ask(const struct cost_book *b, const char *arch, const char *family,
             const char *problem, struct cost *out)
{
  for (int level = 0; level < LEVELS && b->room; level++) {
    const struct cost_row *row =
        slot(b->rows, b->room, key_of(level, arch, family, problem));
    if (!(row->candidates > 0))
      continue;
    *out = (struct cost){row->cpu_s / row->candidates,
                         row->device_s / row->candidates};
    return 1;
  }
  return 0;
}

void cost_free(struct cost_book *b)
{
  free(b->rows);
  *b = (struct cost_book){0};
}
