/* facts.c - see facts.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/reference/problem.h"
#include "tuner/session/stored.h"
#include "tuner/session/winner.h"

enum {USUAL = 8};

/* A family for as long as its subjects are read. */
struct reader {
  const struct nights *nights;
  struct family *family;
  const struct arch *arch;
  size_t nusual;
  struct str usual[USUAL]; /* keys that some problems need not name */
  struct fact *out;
};

/* --- a short name -------------------------------------------------------- */

/* " lda ldb ": the keys of the full text that the brief one leaves out. */
static void left_out(const char *full, const char *brief, struct str *keys)
{
  char *copy = mem_copy(full), *rest = copy, *pair;
  struct str around = {0};
  str_addf(&around, ",%s", brief);
  str_clear(keys);
  str_add(keys, " ");
  while ((pair = strsep(&rest, ","))) {
    struct str key = {0};
    str_addf(&key, ",%.*s=", (int)strcspn(pair, "="), pair);
    if (!strstr(around.at, key.at))
      str_addf(keys, "%.*s ", (int)strcspn(pair, "="), pair);
    str_free(&key);
  }
  str_free(&around);
  free(copy);
}

/* The text without these keys. */
static void drop(const char *full, const char *keys, struct str *out)
{
  char *copy = mem_copy(full), *rest = copy, *pair;
  while ((pair = strsep(&rest, ","))) {
    struct str key = {0};
    str_addf(&key, " %.*s ", (int)strcspn(pair, "="), pair);
    if (!strstr(keys, key.at))
      str_addf(out, "%s%s", out->len ? "," : "", pair);
    str_free(&key);
  }
  free(copy);
}

/* Do the keys that remain name the same problem? */
static int names_it(struct family *f, const char *text,
                    const struct problem *wanted)
{
  struct problem got;
  return !problem_parse(f, text, &got, NULL) && problem_equal(&got, wanted);
}

/* The shortest name by the keys that other problems leave out; "": none holds.
 * These are tried first, since finding out which ones takes many calls of the
 * family, and a winner. */
static void name_as_usual(const struct reader *r, const char *full,
                          struct str *brief)
{
  struct problem wanted;
  if (problem_parse(r->family, full, &wanted, NULL))
    return;
  for (size_t i = 0; i < r->nusual; i++) {
    struct str text = {0};
    drop(full, r->usual[i].at, &text);
    int shorter = !brief->len || text.len < brief->len;
    if (shorter && names_it(r->family, str_text(&text), &wanted)) {
      str_clear(brief);
      str_add(brief, str_text(&text));
    }
    str_free(&text);
  }
}

/* s NULL: it has no winner. */
static void name_it(struct reader *r, const char *full,
                    const struct stored *s, struct fact *out)
{
  struct str brief = {0};
  name_as_usual(r, full, &brief);
  if (s && s->fits && !brief.len) {
    stored_brief(r->family, s, &brief);
    if (brief.len && r->nusual < USUAL)
      left_out(full, brief.at, &r->usual[r->nusual++]);
    if (!brief.len)
      str_add(&brief, "the default problem");
  }
  out->brief = mem_copy(brief.len ? brief.at : full);
  str_free(&brief);
}

/* --- one winner ---------------------------------------------------------- */

static void read_peaks(const struct reader *r, const struct stored *s,
                       struct fact *out)
{
  struct device device = {.cus = (int)record_number(s->row, "cus", 0)};
  struct plan memory = {.bytes = 1, .memory = MEMORY_HBM};
  struct str what = {0};
  out->flops = s->plan.flops;
  out->bytes = s->plan.bytes;
  out->share = stored_share(s, r->arch);
  out->flop_peak = winner_peak(r->arch, &device, &s->plan, &what);
  if (s->plan.memory == MEMORY_HBM)
    out->byte_peak = winner_peak(r->arch, &device, &memory, &what);
  if (!(s->plan.flops > 0))
    out->flop_peak = 0;
  str_free(&what);
}

static void read_one(struct reader *r, size_t i)
{
  const struct record *row = r->nights->rows[i];
  const struct quantity *unit = NULL;
  struct stored s;
  struct fact *out = &r->out[i];
  stored_read(r->family, row, &s);
  out->fits = s.fits;
  name_it(r, record_text(row, "problem"), &s, out);
  if (!s.fits)
    return;
  out->stale = s.stale;
  if (stored_rate(&s, &unit) > 0 && unit)
    out->unit = unit->unit;
  read_peaks(r, &s, out);
}

/* --- all ----------------------------------------------------------------- */

static int won(const struct nights *s, size_t i)
{
  return i < s->nrows && s->rows[i] &&
         s->list[s->n - 1].points[i].state == POINT_OK;
}

static int alike(const struct subject *a, const struct subject *b)
{
  return a->arch == b->arch && a->family == b->family;
}

/* Subject i and all after it that are of its family and arch. */
static void read_family(const struct nights *s, size_t i, const char *folder,
                        struct fact *out, struct str *unknown)
{
  struct reader r = {.nights = s, .out = out};
  const char *name = names_text(&s->names, s->subjects[i].family);
  const struct pair *facts;
  r.arch = arch_find(names_text(&s->names, s->subjects[i].arch));
  size_t n = r.arch ? arch_facts(r.arch, &facts) : 0;
  if (!r.arch || strchr(name, '/') ||
      family_open(&r.family, name, folder, NULL)) {
    if (unknown && !strstr(str_text(unknown), name))
      str_addf(unknown, "%s%s", unknown->len ? ", " : "", name);
    return;
  }
  if (!family_set_arch(r.family, facts, n, NULL))
    for (size_t k = i; k < s->nsubjects; k++)
      if (won(s, k) && alike(&s->subjects[i], &s->subjects[k]))
        read_one(&r, k);
  for (size_t k = 0; k < s->nsubjects; k++) /* now usual keys are known */
    if (!out[k].brief && alike(&s->subjects[i], &s->subjects[k]))
      name_it(&r, names_text(&s->names, s->subjects[k].problem), NULL, &out[k]);
  for (size_t k = 0; k < r.nusual; k++)
    str_free(&r.usual[k]);
  family_close(r.family);
}

struct fact *facts_read(const struct nights *s, const char *folder,
                        struct str *unknown)
{
  struct fact *out = mem_array(s->nsubjects + 1, sizeof *out);
  for (size_t i = 0; i < s->nsubjects; i++)
    if (won(s, i) && !out[i].brief)
      read_family(s, i, folder, out, unknown);
  for (size_t i = 0; i < s->nsubjects; i++)
    if (!out[i].brief)
      out[i].brief =
          mem_copy(names_text(&s->names, s->subjects[i].problem));
  return out;
}

void facts_free(struct fact *list, size_t n)
{
  for (size_t i = 0; list && i < n; i++)
    free(list[i].brief);
  free(list);
}
