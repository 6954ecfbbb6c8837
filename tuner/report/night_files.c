/* night_files.c - see night_files.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/night_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

enum {DAY = 24 * 60 * 60};

/* --- stamps -------------------------------------------------------------- */

struct stamp {
  char begun[32];
  size_t shard, shards;
  time_t at;
};

static void parse(const char *text, struct stamp *out)
{
  struct tm tm = {0};
  size_t n = strcspn(text, "-");
  *out = (struct stamp){.shard = 1, .shards = 1};
  snprintf(out->begun, sizeof out->begun, "%.*s", (int)n, text);
  if (sscanf(text + n, "-%zu-of-%zu", &out->shard, &out->shards) != 2)
    out->shard = out->shards = 1;
  if (strptime(out->begun, "%Y%m%dT%H%M%SZ", &tm))
    out->at = timegm(&tm);
}

/* By when they began, then by shard. */
static int order(const void *a, const void *b)
{
  struct stamp x, y;
  parse(a, &x);
  parse(b, &y);
  int begun = strcmp(x.begun, y.begun);
  return begun ? begun : (x.shard > y.shard) - (x.shard < y.shard);
}

/* --- groups -------------------------------------------------------------- */

static int has_shard(const struct night_group *g, size_t shard)
{
  for (size_t i = 0; i < g->n; i++) {
    struct stamp s;
    parse(g->file[i], &s);
    if (s.shard == shard)
      return 1;
  }
  return 0;
}

static int joins(const struct night_group *g, const struct stamp *s)
{
  struct stamp first;
  parse(g->stamp, &first);
  return g->shards == s->shards && !has_shard(g, s->shard) &&
         s->at - first.at < DAY;
}

static struct night_group *group_of(struct night_files *f,
                                    const struct stamp *s)
{
  if (f->n && joins(&f->group[f->n - 1], s))
    return &f->group[f->n - 1];
  struct night_group *g = &f->group[f->n++];
  *g = (struct night_group){.shards = s->shards};
  snprintf(g->stamp, sizeof g->stamp, "%s", s->begun);
  return g;
}

/* Did the file begin before what the reader asked for was over? A beginning of
 * a stamp (20261124) stands for all that begin so. */
static int within(const struct stamp *s, const char *until)
{
  return !until || strncmp(s->begun, until, strlen(until)) <= 0;
}

static void group_all(struct night_files *f, size_t n, const char *until)
{
  f->group = mem_array(n + 1, sizeof *f->group);
  for (size_t i = 0; i < n; i++) {
    struct stamp s;
    parse(f->stamps[i], &s);
    if (!within(&s, until))
      continue;
    struct night_group *g = group_of(f, &s);
    g->file = mem_resize(g->file, (g->n + 1) * sizeof *g->file);
    g->file[g->n++] = f->stamps[i];
  }
}

/* --- sweeps -------------------------------------------------------------- */

static int no_night(const char *store, const char *sweep, struct err *e)
{
  char (*names)[NIGHT_STAMP];
  size_t n = night_sweeps(store, &names);
  struct str list = {0};
  for (size_t i = 0; i < n; i++)
    str_addf(&list, "%s%s", i ? ", " : "", names[i]);
  if (!n)
    err_set(e, ERR_FAILED, "%s has no night of any sweep; `tune sweep "
            "FILE.lua` makes one, and --db names another store", store);
  else if (sweep)
    err_set(e, ERR_FAILED, "%s has no night of the sweep %s, but of %s", store,
            sweep, list.at);
  else
    err_set(e, ERR_USAGE, "which sweep? %s has nights of %s", store, list.at);
  str_free(&list);
  free(names);
  return e->code;
}

static int only_sweep(const char *store, char out[NIGHT_STAMP], struct err *e)
{
  char (*names)[NIGHT_STAMP];
  size_t n = night_sweeps(store, &names);
  if (n == 1)
    memcpy(out, names[0], NIGHT_STAMP);
  free(names);
  return n == 1 ? 0 : no_night(store, NULL, e);
}

int night_files_find(struct night_files *f, const char *store,
                     const char *sweep, const char *until,
                     char name[NIGHT_STAMP], struct err *e)
{
  *f = (struct night_files){0};
  if (sweep)
    night_sweep(sweep, name);
  else if (only_sweep(store, name, e))
    return e->code;
  size_t n = night_list(store, name, &f->stamps);
  if (!n)
    return no_night(store, name, e);
  qsort(f->stamps, n, sizeof *f->stamps, order);
  group_all(f, n, until);
  if (!f->n)
    return err_set(e, ERR_FAILED, "the sweep %s has no night before the end of "
                   "%s; its first is %s", name, until, f->stamps[0]);
  return 0;
}

void night_files_free(struct night_files *f)
{
  for (size_t i = 0; i < f->n; i++)
    free(f->group[i].file);
  free(f->group);
  free(f->stamps);
  *f = (struct night_files){0};
}
