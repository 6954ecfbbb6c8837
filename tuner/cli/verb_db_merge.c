/* verb_db_merge.c - tune db merge A B...: several stores as one. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/session/history.h"
#include "tuner/store/merge.h"

/* ORDER FILE_KIND */
static const char *const kinds[] = {"table", "journal", "night"};

struct showing {
  const struct options *options;
  size_t conflicts;
};

static void print_json(json_t *o)
{
  json_dumpf(o, stdout, JSON_COMPACT);
  putchar('\n');
  json_decref(o);
}

static void on_done(void *user, const struct merged *m)
{
  const struct showing *s = user;
  struct str label = {0}, text = {0};
  if (s->options->json) {
    print_json(json_pack("{ss ss ss ss sI sI sI sI}", "type", "merged", "kind",
                         kinds[m->kind], "folder", m->folder, "name", m->name,
                         "files", (json_int_t)m->files, "rows",
                         (json_int_t)m->rows, "added", (json_int_t)m->added,
                         "replaced", (json_int_t)m->replaced));
    return;
  }
  str_addf(&label, "%s %s", m->folder, m->name);
  str_addf(&text, "%s: %zu files; ", kinds[m->kind], m->files);
  if (m->kind == FILE_TABLE)
    str_addf(&text, "%zu rows, %zu new, %zu replaced", m->rows, m->added,
             m->replaced);
  else
    str_addf(&text, "%zu records new", m->added);
  cli_row(label.at, text.at);
  str_free(&label);
  str_free(&text);
}

static void on_conflict(void *user, const struct conflict *c)
{
  struct showing *s = user;
  struct str text = {0};
  conflict_text(c, &text);
  s->conflicts++;
  if (s->options->json)
    print_json(json_pack(
        "{ss ss ss ss ss ss ss}", "type", "conflict", "kind",
        conflict_name(c->kind), "arch", record_text(c->kept, "arch"), "family",
        record_text(c->kept, "family"), "problem",
        record_text(c->kept, "problem"), "device",
        record_text(c->kept, "device"), "text", text.at));
  else
    cli_row("conflict", text.at);
  str_free(&text);
}

int db_merge(const struct options *r, struct err *e)
{
  struct showing s = {.options = r};
  struct str out = {0};
  if (options_keys(r, NULL, e))
    return e->code;
  if (r->nwords < 3)
    return err_set(e, ERR_USAGE, "what is to be merged? Name stores, tables, "
                   "journals or nights: `tune db merge A B --out C`");
  if (r->out && r->db)
    return err_set(e, ERR_USAGE, "--out and --db both name what is merged into; "
                   "give one");
  int code = 0;
  if (r->out) /* may be a table, too */
    str_add(&out, r->out);
  else
    code = history_folder(r->db, &out, e);
  const struct merge_request q = {.out = out.at, .inputs = r->words + 2,
                                  .n = r->nwords - 2, .user = &s,
                                  .notice = cli_notice, .done = on_done,
                                  .conflict = on_conflict};
  if (!code && !r->json)
    printf("merge into %s\n", out.at);
  if (!code)
    code = merge(&q, e);
  if (!code && !r->json && s.conflicts)
    printf("%zu conflicts\n", s.conflicts);
  str_free(&out);
  return code;
}
