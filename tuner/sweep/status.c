/* status.c - see status.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/status.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

enum {BYTES = 1 << 20};

static struct str place(const char *store, const char *sweep, int shard,
                        int shards)
{
  struct str out = {0};
  str_addf(&out, "%s/nights/%s/progress", store, sweep);
  if (shards > 1)
    str_addf(&out, "-%d-of-%d", shard, shards);
  return out;
}

/* --- writing ------------------------------------------------------------- */

static void add_running(const struct sweep *s, struct str *out)
{
  for (size_t k = 0; k < s->nlanes; k++) {
    if (s->at[k] == SIZE_MAX)
      continue;
    str_add(out, out->len ? "\n" : "");
    sweep_problem_brief(&s->problems, &s->problems.list[s->at[k]], out);
    str_addf(out, ": %zu of %zu candidates", s->now[k].done, s->now[k].evals);
  }
}

static struct record *make(const struct sweep *s)
{
  struct record *r = record_new();
  struct str running = {0};
  char date[32], stamp[NIGHT_STAMP];
  time_t now = time(NULL);
  struct tm utc;
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  const char *file = strrchr(night_path(s->night), '/') + 1;
  snprintf(stamp, sizeof stamp, "%.*s", (int)strcspn(file, "."), file);
  add_running(s, &running);
  record_set(r, "written", "%s", date);
  record_set(r, "stamp", "%s", stamp);
  record_set(r, "problems", "%zu", s->counts.all);
  record_set(r, "done", "%zu", s->counts.done);
  record_set(r, "failed", "%zu", s->counts.failed);
  record_set(r, "trouble", "%zu", s->counts.trouble);
  double left = sweep_left(s);
  if (left >= 0)
    record_set(r, "left_s", "%.0f", left);
  if (running.len)
    record_set(r, "running", "%.30000s", running.at);
  str_free(&running);
  return r;
}

void status_write(const struct sweep *s)
{
  struct str path = place(s->store.at, s->name.sweep, s->name.shard,
                          s->name.shards);
  struct str line = {0};
  struct record *r = make(s);
  record_format(r, &line);
  str_add(&line, "\n");
  file_replace(path.at, line.at, line.len, NULL);
  record_free(r);
  str_free(&line);
  str_free(&path);
}

/* --- reading ------------------------------------------------------------- */

static struct record *read_progress(const char *store, const char *sweep,
                                    const struct sweep_status *s)
{
  struct str path = place(store, sweep, s->shard, s->shards), text = {0};
  struct record *r = NULL;
  if (!file_read(path.at, BYTES, &text, NULL) && text.len)
    record_parse(text.at, text.len - (text.at[text.len - 1] == '\n'), &r,
                 NULL);
  str_free(&path);
  str_free(&text);
  return r;
}

static void take_progress(const struct record *r, struct sweep_status *s)
{
  s->left_s = record_number(r, "left_s", -1);
  snprintf(s->written, sizeof s->written, "%s", record_text(r, "written"));
  if (record_get(r, "running"))
    s->running = mem_copy(record_get(r, "running"));
}

static int take_night(const char *store, const char *sweep,
                      struct sweep_status *s, struct err *e)
{
  struct night_read night;
  if (night_load(&night, store, sweep, s->stamp, NULL, NULL, e))
    return e->code;
  s->whole = night.end != NULL;
  s->done = night.n;
  s->problems = night.head
                    ? (size_t)record_number(night.head, "problems", 0) : 0;
  for (size_t i = 0; i < night.n; i++)
    s->failed += !strcmp(record_text(night.problems[i], "status"), "failed");
  night_free(&night);
  const struct night_name name = {store, sweep, s->shard, s->shards};
  s->runs = night_runs(&name);
  struct record *r = s->runs ? read_progress(store, sweep, s) : NULL;
  if (r && !strcmp(record_text(r, "stamp"), s->stamp))
    take_progress(r, s);
  record_free(r);
  return 0;
}

/* The last night of a shard; "" where it has none. */
static void last_of(char (*stamps)[NIGHT_STAMP], size_t n,
                    struct sweep_status *s)
{
  char behind[40] = "";
  if (s->shards > 1)
    snprintf(behind, sizeof behind, "-%d-of-%d", s->shard, s->shards);
  for (size_t i = n; i-- > 0 && !*s->stamp;)
    if (!strcmp(strchr(stamps[i], 'Z') + 1, behind))
      strcpy(s->stamp, stamps[i]);
}

int status_read(const char *store, const char *sweep,
                struct sweep_status **out, size_t *n, struct err *e)
{
  char (*stamps)[NIGHT_STAMP];
  int shard = 1, shards = 1, code = 0;
  size_t all = night_list(store, sweep, &stamps);
  *n = 0;
  *out = NULL;
  if (!all)
    code = err_set(e, ERR_FAILED, "%s has no night of the sweep %s; `tune "
                   "sweep FILE.lua` makes one, and --db names another store",
                   store, sweep);
  else
    sscanf(strchr(stamps[all - 1], 'Z') + 1, "-%6d-of-%6d", &shard, &shards);
  *out = mem_array((size_t)shards, sizeof **out);
  for (int i = 1; i <= shards && !code; i++) {
    struct sweep_status *s = &(*out)[(*n)++];
    *s = (struct sweep_status){.shard = i, .shards = shards, .left_s = -1};
    last_of(stamps, all, s);
    if (*s->stamp)
      code = take_night(store, sweep, s, e);
  }
  free(stamps);
  return code;
}

void status_free(struct sweep_status *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free(list[i].running);
  free(list);
}
