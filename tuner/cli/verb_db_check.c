/* verb_db_check.c - tune db check [PATH...]: what is wrong with a store. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/db.h"
#include "tuner/store/check.h"

static void print_json(json_t *o)
{
  json_dumpf(o, stdout, JSON_COMPACT);
  putchar('\n');
  json_decref(o);
}

static void on_finding(void *user, const struct finding *f)
{
  const struct options *r = user;
  struct str text = {0};
  if (r->json) {
    print_json(json_pack("{ss ss ss ss ss}", "type", "finding", "what",
                         f->what, "where", f->where, "why", f->why, "to_do",
                         f->to_do));
    return;
  }
  str_addf(&text, "%s: %s; %s", f->where, f->why, f->to_do);
  cli_row(f->what, text.at);
  str_free(&text);
}

static void print_count(const struct options *r, const struct check_count *c)
{
  if (r->json) {
    print_json(json_pack(
        "{ss sI sI sI sI sI sI sI sI sI}", "type", "checked", "tables",
        (json_int_t)c->tables, "rows", (json_int_t)c->rows, "journals",
        (json_int_t)c->journals, "records", (json_int_t)c->records, "nights",
        (json_int_t)c->nights, "problems", (json_int_t)c->problems, "earlier",
        (json_int_t)c->earlier, "open", (json_int_t)c->open, "wrong",
        (json_int_t)c->wrong));
    return;
  }
  cli_rowf("checked", "%zu table%s with %zu row%s, %zu journal%s with %zu "
           "record%s, %zu night%s with %zu problem%s", c->tables, PLURAL(c->tables),
           c->rows, PLURAL(c->rows), c->journals, PLURAL(c->journals), c->records,
           PLURAL(c->records), c->nights, PLURAL(c->nights), c->problems,
           PLURAL(c->problems));
  if (c->earlier)
    cli_rowf("history", "%zu records were made by earlier templates; `tune db "
             "prune` takes out what nothing needs", c->earlier);
  if (c->open)
    cli_rowf("nights", "%zu have no end: cut short, or under way", c->open);
}

int db_check(const struct options *r, struct err *e)
{
  struct store_files files = {0};
  struct check_count count = {0};
  const struct check_request q = {.templates = r->templates, .found = on_finding,
                                  .user = (void *)r};
  int code = options_keys(r, NULL, e);
  if (!code)
    code = db_files(r, &files, e);
  if (!code)
    code = check_files(&q, &files, &count, e);
  if (!code)
    print_count(r, &count);
  if (!code && count.wrong)
    code = err_set(e, ERR_FAILED, "%zu things are wrong; each says what to do",
                   count.wrong);
  files_free(&files);
  return code;
}
