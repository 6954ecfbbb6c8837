/* verb_emit.c - tune emit FAMILY: the HIP text of a configuration. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "gen/lds_access.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/pack/header.h"
#include "tuner/pack/source.h"
#include "tuner/session/history.h"
#include "tuner/session/task.h"

/* The text and what launching it takes. */
static int print_json(const struct task *k, const struct config *c,
                      const struct str *text, int stale, struct err *e)
{
  struct plan plan;
  struct str config = {0};
  long long lds;
  if (family_plan(k->family, &k->problem, c, &plan, e) ||
      family_lds(k->family, &k->problem, c, &lds, e))
    return e->code;
  config_format(k->family, c, &config);
  json_t *o = json_pack("{ss ss ss ss so so sb}", "type", "emitted", "family",
                        family_name(k->family), "arch", arch_name(k->arch),
                        "template", family_hash(k->family), "problem",
                        json_pairs(k->problem_text.at), "config",
                        json_pairs(config.at), "stale", stale);
  json_plan(o, &plan);
  if (lds > 0)
    json_object_set_new(o, "static_lds", json_integer(lds));
  json_object_set_new(o, "text", json_stringn_nocheck(text->at, text->len));
  json_line(stdout, o);
  str_free(&config);
  return 0;
}

static int print(const struct task *k, const struct config *c, int stale,
                 struct err *e)
{
  struct str text = {0};
  int code = family_render(k->family, &k->problem, c, &text, NULL, e);
  if (!code && k->options->json)
    code = print_json(k, c, &text, stale, e);
  else if (!code)
    fputs(text.at, stdout);
  str_free(&text);
  return code;
}

static int emit(const struct task *k, struct err *e)
{
  struct config c = {0};
  int given = k->options->nsets > 0, stale = !given && task_stale(k);
  int code = given ? task_legal(k, &c, e) : task_winner(k, &c, e);
  const char *why = code || given ? NULL : space_rule(k->space, &c);
  if (why)
    code = err_set(e, ERR_FAILED, "the stored winner is excluded: %s", why);
  if (!code)
    code = print(k, &c, stale, e);
  if (!code && stale)
    cli_notice(NULL, "the templates have changed since this winner was found");
  return code;
}

static void print_files(const struct sourced *done)
{
  printf("%s: %zu winners in %zu files%s\n", done->header.at, done->winners,
         done->files, done->stale ? ", some stale: found before the templates "
                                    "changed" : "");
}

/* All winners as files in the folder --out, or as the header --header. */
static int emit_all(const struct options *r, const char *name, struct err *e)
{
  const struct arch *a;
  struct family *f = NULL;
  struct sourced done = {0};
  struct headed headed = {0};
  struct str folder = {0};
  int code = task_arch(r, &a, e);
  if (!code)
    code = family_open(&f, name, r->templates, e);
  if (!code && (r->nkeys || r->nsets || r->json || (r->out && r->header)))
    code = err_set(e, ERR_USAGE, "--out and --header write all winners: one of "
                   "them, without --json, --set and keys of the problem");
  if (!code && !(code = history_folder(r->db, &folder, e)))
    code = r->out ? source_write(f, a, folder.at, r->out, cli_notice, NULL,
                                 &done, e)
                  : header_write(f, a, folder.at, r->header, cli_notice, NULL,
                                 &headed, e);
  if (!code && !done.winners && !headed.winners)
    code = err_set(e, ERR_FAILED, "%s holds no winner of %s on %s; `tune %s "
                   "--arch %s` finds one, and --db names another store",
                   folder.at, family_name(f), arch_name(a), family_name(f),
                   arch_name(a));
  if (!code && r->out)
    print_files(&done);
  else if (!code)
    printf("%s: %zu winner%s, %zu kernel%s, %zu stale\n", r->header,
           headed.winners, PLURAL(headed.winners), headed.kernels,
           PLURAL(headed.kernels), headed.stale);
  str_free(&done.header);
  str_free(&folder);
  family_close(f);
  return code;
}

static int run(const struct options *r, struct err *e)
{
  struct task k = {0};
  const char *family;
  int code = cli_word(r, 1, "family", &family, e);
  if (!code && (r->out || r->header))
    return emit_all(r, family, e);
  if (!code)
    code = task_open(&k, r, family, cli_notice, NULL, e);
  if (!code)
    code = emit(&k, e);
  task_close(&k);
  return code;
}

const struct verb verb_emit = {
    "emit", "emit FAMILY --arch ARCH [...]", "the HIP text of the winner", run,
    "Prints the kernel of the stored winner of this problem, or that of\n"
    "--set name=value,...; tunables left out are the winner's, or such that a\n"
    "legal configuration results. The text stands on its own; its head says how\n"
    "to launch it, and --json too: `text`, `buffers`, `launches`.\n"
    "\n"
    "--out DIR writes all stored winners as source: FAMILY_ARCH.h, a table of\n"
    "problems, configurations and launches, and a .hip file for each kernel.\n"
    "--header FILE writes them as one header of HIP, with functions that say\n"
    "which sizes a kernel serves, and launch it.\n"};
