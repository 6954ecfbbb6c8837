/* job.c - see job.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/job.h"

#include <ctype.h>
#include <string.h>

#include "db/table.h"
#include "tuner/session/history.h"
#include "tuner/reference/problem.h"

enum { DRAWS = 20000 }; /* legal points tried to complete a --set */

int job_arch(const struct request *r, const struct arch **out, struct err *e)
{
  const char *name;
  int code = request_arch(r, &name, e);
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

/* A wrong name or value may be an instruction that other archs have: add that
 * to e. 1 where it is one. */
static int tell_lack(const struct job *j, const char *text, struct err *e)
{
  static const char separators[] = "=, ";
  const struct pair *facts;
  size_t n = arch_facts(j->arch, &facts);
  struct err was = *e;
  for (text += strspn(text, separators); *text;
       text += strspn(text, separators)) {
    size_t word = strcspn(text, separators);
    for (size_t i = 0; i < n; i++)
      if (lacks(&facts[i], text, word)) {
        err_set(e, was.code, "%s; and %s has no %.*s (%s)", was.text,
                arch_name(j->arch), (int)word, text,
                arch_source(j->arch, facts[i].name));
        return 1;
      }
    text += word;
  }
  return 0;
}

static int open_problem(struct job *j, struct err *e)
{
  const struct request *r = j->request;
  if (!family_problem(j->family, r->names, r->texts, r->nkeys, &j->problem, e))
    return 0;
  for (size_t i = 0; i < r->nkeys && !tell_lack(j, r->texts[i], e); i++)
    ;
  return e->code;
}

static int open_family(struct job *j, const char *name, struct err *e)
{
  const struct pair *facts;
  const struct request *r = j->request;
  size_t n = arch_facts(j->arch, &facts);
  if (family_open(&j->family, name, r->templates, e)
      || request_keys(r, j->family, e)
      || family_set_arch(j->family, facts, n, e) || open_problem(j, e))
    return e->code;
  problem_format(j->family, &j->problem, &j->problem_text);
  return space_open(&j->space, j->family, &j->problem, e);
}

static int load_stored(struct job *j, struct err *e)
{
  struct table *t;
  if (history_folder(j->request->db, &j->folder, e)
      || table_load(&t, j->folder.at, arch_name(j->arch),
                    family_name(j->family), j->notice, j->user, e))
    return e->code;
  const struct record *row = table_find(t, j->problem_text.at, NULL);
  j->stored = row ? record_copy(row) : NULL;
  table_free(t);
  return 0;
}

int job_open(struct job *j, const struct request *r, const char *family,
             void (*notice)(void *user, const char *text), void *user,
             struct err *e)
{
  *j = (struct job){.request = r, .notice = notice, .user = user};
  if (job_arch(r, &j->arch, e) || open_family(j, family, e)
      || load_stored(j, e))
    return e->code;
  return 0;
}

void job_close(struct job *j)
{
  if (j->space)
    space_close(j->space);
  if (j->family)
    family_close(j->family);
  record_free(j->stored);
  str_free(&j->problem_text);
  str_free(&j->folder);
  *j = (struct job){0};
}

int job_winner(const struct job *j, struct config *c, struct err *e)
{
  const char *name = family_name(j->family), *arch = arch_name(j->arch);
  if (!j->stored)
    return err_set(e, ERR_FAILED, "no winner is stored for %s on %s with %s; "
                   "run `tune %s --arch %s ...` first, or give --set",
                   name, arch, j->problem_text.at, name, arch);
  *c = (struct config){0};
  struct err why = {0};
  if (config_parse(j->family, record_get(j->stored, "config"), 0, c, &why))
    return err_set(e, why.code, "the stored winner does not fit %s.lua any "
                   "more (%s); run `tune %s --arch %s ...` again, or give "
                   "--set", name, why.text, name, arch);
  return 0;
}

int job_stale(const struct job *j)
{
  const char *hash = j->stored ? record_get(j->stored, "template") : NULL;
  return hash && strcmp(hash, family_hash(j->family)) != 0;
}

static int apply_sets(const struct job *j, struct config *c, struct err *e)
{
  const struct request *r = j->request;
  for (size_t i = 0; i < r->nsets; i++)
    if (config_parse(j->family, r->sets[i], 1, c, e)) {
      tell_lack(j, r->sets[i], e);
      return e->code;
    }
  return 0;
}

/* Legal points with the given values put in, until one stays legal. */
static int complete(const struct job *j, struct config *c, struct err *e)
{
  struct rng rng;
  struct config drawn = {0};
  rng_seed(&rng, (uint64_t)j->request->seed);
  for (int i = 0; i < DRAWS && space_random(j->space, &rng, &drawn); i++) {
    struct config set = drawn;
    if (apply_sets(j, &set, e))
      return e->code;
    if (i == 0 || !space_rule(j->space, &set))
      *c = set;
    if (!space_rule(j->space, &set))
      break;
  }
  return 0;
}

int job_config(const struct job *j, struct config *c, struct err *e)
{
  *c = (struct config){0};
  if (!j->stored || job_winner(j, c, NULL))
    return complete(j, c, e);
  return apply_sets(j, c, e);
}
