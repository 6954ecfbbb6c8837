/* task.c - see task.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/task.h"

#include <ctype.h>
#include <string.h>

#include "tuner/session/complete.h"
#include "tuner/session/history.h"
#include "tuner/session/shipped.h"
#include "tuner/session/stored.h"
#include "tuner/reference/problem.h"

int task_arch(const struct options *r, const struct arch **out, struct err *e)
{
  const char *name;
  int code = options_arch(r, &name, e);
  return code ? code : arch_need(name, out, e);
}

/* Is the word, digits aside (dot4c: dotc), a capability that the arch lacks? */
static int lacks(const struct pair *fact, const char *word, size_t n)
{
  const char *unit = arch_unit(fact->name);
  if (!unit || strcmp(unit, "0/1") || fact->value.i)
    return 0;
  if (strlen(fact->name) == n && !strncmp(fact->name, word, n))
    return 1;
  size_t at = 0;
  for (size_t i = 0; i < n; i++)
    if (!isdigit((unsigned char)word[i]) && word[i] != fact->name[at++])
      return 0;
  return at && !fact->name[at];
}

int task_tell_lack(const struct task *k, const char *text, struct err *e)
{
  static const char separators[] = "=, ";
  const struct pair *facts;
  size_t n = arch_facts(k->arch, &facts);
  struct err was = *e;
  for (text += strspn(text, separators); *text;
       text += strspn(text, separators)) {
    size_t word = strcspn(text, separators);
    for (size_t i = 0; i < n; i++)
      if (lacks(&facts[i], text, word)) {
        err_set(e, was.code, "%s; and %s has no %.*s (%s)", was.text,
                arch_name(k->arch), (int)word, text,
                arch_source(k->arch, facts[i].name));
        return 1;
      }
    text += word;
  }
  return 0;
}

static int open_problem(struct task *k, struct err *e)
{
  const struct options *r = k->options;
  if (!family_problem(k->family, r->names, r->texts, r->nkeys, &k->problem, e))
    return 0;
  for (size_t i = 0; i < r->nkeys && !task_tell_lack(k, r->texts[i], e); i++)
    ;
  return e->code;
}

static int open_space(struct task *k, struct err *e)
{
  const struct pair *facts;
  const struct options *r = k->options;
  size_t n = arch_facts(k->arch, &facts);
  if (options_keys(r, k->family, e) ||
      family_set_arch(k->family, facts, n, e) || open_problem(k, e))
    return e->code;
  problem_format(k->family, &k->problem, &k->problem_text);
  return space_open(&k->space, k->family, &k->problem, e);
}

static int load_stored(struct task *k, struct err *e)
{
  struct table *t;
  if (history_folder(k->options->db, &k->folder, e) ||
      shipped_load(&t, k->folder.at, arch_name(k->arch),
                   family_name(k->family), k->notice, k->user, e))
    return e->code;
  const struct record *row = table_find(t, k->problem_text.at, NULL);
  k->stored = row ? record_copy(row) : NULL;
  table_free(t);
  return 0;
}

static int open_rest(struct task *k, struct err *e)
{
  return open_space(k, e) || load_stored(k, e) ? e->code : 0;
}

int task_open(struct task *k, const struct options *r, const char *family,
              void (*notice)(void *user, const char *text), void *user,
              struct err *e)
{
  *k = (struct task){.options = r, .notice = notice, .user = user};
  if (task_arch(r, &k->arch, e) ||
      family_open(&k->family, family, r->templates, e))
    return e->code;
  return open_rest(k, e);
}

int task_open_with(struct task *k, const struct options *r, struct family *f,
                   void (*notice)(void *user, const char *text), void *user,
                   struct err *e)
{
  *k = (struct task){.options = r, .notice = notice, .user = user,
                     .family = f, .lent = 1};
  return task_arch(r, &k->arch, e) ? e->code : open_rest(k, e);
}

void task_close(struct task *k)
{
  if (k->space)
    space_close(k->space);
  if (!k->lent)
    family_close(k->family);
  record_free(k->stored);
  str_free(&k->problem_text);
  str_free(&k->folder);
  *k = (struct task){0};
}

int task_winner(const struct task *k, struct config *c, struct err *e)
{
  const char *name = family_name(k->family), *arch = arch_name(k->arch);
  if (!k->stored)
    return err_set(e, ERR_FAILED, "no winner is stored for %s on %s with %s; "
                   "run `tune %s --arch %s ...` first, or give --set",
                   name, arch, k->problem_text.at, name, arch);
  *c = (struct config){0};
  struct err why = {0};
  if (config_parse(k->family, record_get(k->stored, "config"), 0, c, &why))
    return err_set(e, why.code, "the stored winner does not fit %s.lua any "
                   "more (%s); run `tune %s --arch %s ...` again, or give "
                   "--set", name, why.text, name, arch);
  return 0;
}

int task_stale(const struct task *k)
{
  struct stored s;
  if (!k->stored || !record_get(k->stored, "template"))
    return 0;
  stored_read(k->family, k->stored, &s);
  return s.stale;
}

int task_config(const struct task *k, struct config *c, struct err *e)
{
  const struct options *r = k->options;
  struct config winner;
  int has = k->stored && !task_winner(k, &winner, NULL);
  return complete(k, has ? &winner : NULL, r->sets, r->nsets, c, e);
}

int task_legal(const struct task *k, struct config *c, struct err *e)
{
  if (task_config(k, c, e))
    return e->code;
  const char *why = space_rule(k->space, c);
  return why ? err_set(e, ERR_FAILED, "this configuration is excluded: %s",
                       why)
             : 0;
}
