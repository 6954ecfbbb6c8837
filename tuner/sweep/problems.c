/* problems.c - see problems.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/problems.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/reference/problem.h"
#include "tuner/sweep/sweep_inside.h"

static const char *const whys[] = {"new", "changed", "incumbent", "near",
                                   "kept"};

static_assert(sizeof whys / sizeof *whys == SWEEP_N, "ORDER SWEEP_WHY");

const char *sweep_why(enum sweep_why w)
{
  return whys[w];
}

const char *sweep_problem_family(const struct sweep_problems *p,
                                 const struct sweep_problem *x)
{
  return family_name(p->file->families[x->entry->family].family);
}

const char *sweep_problem_arch(const struct sweep_problems *p,
                               const struct sweep_problem *x)
{
  return arch_name(p->archs[x->arch]);
}

void sweep_problem_brief(const struct sweep_problems *p,
                         const struct sweep_problem *x, struct str *out)
{
  const struct sweep_entry *entry = x->entry;
  const struct key *keys;
  size_t n = family_keys(p->file->families[entry->family].family, &keys);
  const char *between = ",";
  str_addf(out, "%s on %s", sweep_problem_family(p, x),
           sweep_problem_arch(p, x));
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < entry->nkeys; k++)
      if (!strcmp(keys[i].name, entry->keys[k].name)) {
        str_addf(out, "%s %s=%s", between, keys[i].name, entry->keys[k].text);
        between = "";
      }
}

/* --- each once ----------------------------------------------------------- */

/* A set of hashes: open addressing, 0 is empty. */
struct seen {
  uint64_t *at;
  size_t room;
};

static int add_seen(struct seen *s, uint64_t hash)
{
  size_t i = hash % s->room;
  hash += !hash;
  while (s->at[i] && s->at[i] != hash)
    i = (i + 1) % s->room;
  int is_new = !s->at[i];
  s->at[i] = hash;
  return is_new;
}

static uint64_t hash_of(const struct sweep_problems *p,
                        const struct sweep_problem *x)
{
  struct str all = {0};
  str_addf(&all, "%s %s %s", sweep_problem_arch(p, x),
           sweep_problem_family(p, x), x->text);
  uint64_t hash = hash_64(all.at, all.len);
  str_free(&all);
  return hash;
}

/* --- one entry ----------------------------------------------------------- */

struct opening {
  struct sweep_problems *p;
  struct sweep_file *file; /* keeps the texts */
  struct seen seen;
  int shard, shards;
};

static int complete(const struct sweep_file *f, const struct sweep_entry *x,
                    struct str *text, struct err *e)
{
  struct family *family = f->families[x->family].family;
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  struct problem problem;
  for (size_t i = 0; i < x->nkeys; i++) {
    names[i] = x->keys[i].name;
    texts[i] = x->keys[i].text;
  }
  if (family_problem(family, names, texts, x->nkeys, &problem, e))
    return err_prefix(e, "%s:%d", x->file, x->line);
  problem_format(family, &problem, text);
  return 0;
}

static void refuse(struct sweep_problems *p, const char *why)
{
  if (!p->refused++)
    snprintf(p->first_refused, sizeof p->first_refused, "%.290s", why);
}

static int add(struct opening *o, const struct sweep_entry *entry, size_t arch,
               struct err *e)
{
  struct sweep_problems *p = o->p;
  struct str text = {0};
  struct err why = {0};
  int bad = complete(o->file, entry, &text, &why);
  if (bad && !entry->recorded) {
    *e = why;
  } else if (bad) {
    refuse(p, why.text);
  } else {
    struct sweep_problem x = {.entry = entry, .arch = arch, .text = text.at,
                              .cpu_s = -1, .device_s = -1};
    uint64_t hash = hash_of(p, &x);
    if (!add_seen(&o->seen, hash)) {
      p->twice++;
    } else if ((int)(hash % (uint64_t)o->shards) + 1 != o->shard) {
      p->elsewhere++;
    } else {
      x.text = sweep_keep_text(o->file, text.at);
      p->list[p->n++] = x;
    }
  }
  str_free(&text);
  return bad && !entry->recorded ? e->code : 0;
}

static int set_arch(struct opening *o, size_t i, struct err *e)
{
  const struct pair *facts;
  struct sweep_file *f = o->file;
  if (arch_need(f->archs[i], &o->p->archs[i], e))
    return f->arch_line ? err_prefix(e, "%s:%d", f->path.at, f->arch_line)
                        : err_prefix(e, "%s", f->path.at);
  size_t n = arch_facts(o->p->archs[i], &facts);
  for (size_t k = 0; k < f->nfamilies; k++)
    if (family_set_arch(f->families[k].family, facts, n, e))
      return e->code;
  return 0;
}

int sweep_problems_open(struct sweep_problems *out, struct sweep_file *f,
                        int shard, int shards, struct err *e)
{
  *out = (struct sweep_problems){.file = f};
  size_t most = f->n * f->narchs;
  out->list = mem_array(most + 1, sizeof *out->list);
  struct opening o = {out, f, {NULL, 2 * most + 1}, shard, shards};
  o.seen.at = mem_array(o.seen.room, sizeof *o.seen.at);
  int code = 0;
  for (size_t i = 0; i < f->narchs && !code; i++) {
    code = set_arch(&o, i, e);
    for (size_t k = 0; k < f->n && !code; k++)
      code = add(&o, f->list[k], i, e);
  }
  free(o.seen.at);
  return code;
}

void sweep_problems_free(struct sweep_problems *p)
{
  for (size_t i = 0; i < p->n; i++)
    record_free(p->list[i].row);
  free(p->list);
  *p = (struct sweep_problems){0};
}
