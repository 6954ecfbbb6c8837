/* rule.c - see rule.h. */
// SPDX-License-Identifier: MIT
#include "gen/rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gen/inside.h"

/* 4 M calls of a Lua function take some seconds and the bits 512 KiB. A rule
 * over more combinations is asked for single configurations instead, as most
 * of the table would never be looked at. */
enum {MOST = 1 << 22, SECONDS = 30};

struct request {
  struct family *f;
  const struct rule *rule;
  struct table *t;
  struct config c;
  int excluded;
};

/* Run the rule on the configuration that the views show. */
static int ask(lua_State *L, struct request *r)
{
  struct family *f = r->f;
  f->seen = 0;
  f->nseen = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->rule->function);
  for (int v = 0; v < VIEW_N; v++)
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[v]);
  lua_call(L, VIEW_N, 1);
  int type = lua_type(L, -1), excluded = lua_toboolean(L, -1);
  if (type != LUA_TBOOLEAN && type != LUA_TNIL)
    luaL_error(L, "%s:%d: returns a %s; a rule returns true or false",
               f->source.file[SOURCE_LUA].path.at, r->rule->line, lua_typename(L, type));
  lua_pop(L, 1);
  return excluded;
}

/* Set n bits from `at` on. */
static void set_bits(uint64_t *bits, size_t at, size_t n)
{
  for (; n && at % 64; at++, n--)
    bits[at / 64] |= UINT64_C(1) << (at % 64);
  memset(bits + at / 64, 0xff, n / 64 * 8);
  for (at += n / 64 * 64, n %= 64; n; at++, n--)
    bits[at / 64] |= UINT64_C(1) << (at % 64);
}

/* Put the tunables just read for the first time behind those known. */
static int learn(struct table *t, const struct family *f)
{
  size_t before = t->n;
  for (size_t i = 0; i < f->nseen; i++) {
    size_t j = 0;
    while (j < t->n && t->reads[j] != f->order[i])
      j++;
    if (j == t->n)
      t->reads[t->n++] = f->order[i];
  }
  return t->n > before;
}

/* Strides and empty bits for what is known to be read; no bits, and -1, if
 * that is too much. */
static int lay_out(struct table *t, const struct family *f)
{
  size_t size = 1;
  rule_close(t);
  for (size_t i = t->n; i--;) {
    t->stride[i] = size;
    size *= f->tunables[t->reads[i]].nvalues;
    if (size > MOST)
      return -1;
  }
  t->combinations = size;
  t->excluded = 0;
  t->bits = mem_array((size + 63) / 64, sizeof *t->bits);
  return 0;
}

/* The last position in the table that this call read, or -1. A rule that
 * does not depend on cfg alone (a counter of its own) may stop reading in the
 * middle of a run: then the position that keeps the run inside the table. */
static int last_read(const struct table *t, const struct family *f,
                     const struct config *c)
{
  int last = (int)t->n - 1;
  while (last >= 0 && !(f->seen >> t->reads[last] & 1) &&
         !c->at[t->reads[last]])
    last--;
  return last;
}

/* Go on behind the combinations that agree in the tunables up to position
 * `last`; 0 at the end. */
static int advance(const struct table *t, const struct family *f,
                   struct config *c, int last)
{
  for (size_t i = (size_t)(last + 1); i < t->n; i++)
    c->at[t->reads[i]] = 0;
  for (int i = last; i >= 0; i--) {
    if (++c->at[t->reads[i]] < f->tunables[t->reads[i]].nvalues)
      return 1;
    c->at[t->reads[i]] = 0;
  }
  return 0;
}

/* The rule may stop reading early (`a or b`): its answer then holds for all
 * values of what it did not read, and one call fills a run of bits. A tunable
 * read for the first time makes a larger table, begun from its start. */
static int tabulate(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  struct table *t = r->t;
  struct family *f = r->f;
  sandbox_extend(L, SECONDS);
  for (int more = 1; more;) {
    sandbox_refill(L);
    int excluded = ask(L, r);
    if (learn(t, f)) {
      r->c = (struct config){0};
      more = !lay_out(t, f);
      continue;
    }
    int last = last_read(t, f, &r->c);
    size_t run = last < 0 ? t->combinations : t->stride[last];
    if (excluded) {
      set_bits(t->bits, rule_index(t, &r->c), run);
      t->excluded += run;
    }
    more = advance(t, f, &r->c, last);
  }
  return 0;
}

static int ask_once(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  r->excluded = ask(L, r);
  return 0;
}

static int call(struct request *r, lua_CFunction run, const struct problem *p,
                struct err *e)
{
  if (!family_call(r->f, SOURCE_LUA, run, r, p, &r->c, e))
    return 0;
  struct str text = {0};
  struct err inner = *e;
  config_format(r->f, &r->c, &text);
  err_set(e, ERR_FAILED, "%s (rule '%s' of %s, on %s)", inner.text,
          r->rule->reason, family_name(r->f), text.at);
  str_free(&text);
  return ERR_FAILED;
}

/* --- what the problem before had ----------------------------------------- */

struct remembered {
  struct table table; /* bits NULL: nothing */
  uint32_t keys;      /* of the problem, that the rule read */
  struct problem problem;
};

static void copy(struct table *to, const struct table *from)
{
  size_t bytes = (from->combinations + 63) / 64 * sizeof *from->bits;
  *to = *from;
  to->bits = memcpy(mem_alloc(bytes), from->bits, bytes);
}

static int recall(struct table *t, const struct family *f, size_t i,
                  const struct problem *p)
{
  const struct remembered *r = f->remembered ? &f->remembered[i] : NULL;
  if (!r || !r->table.bits)
    return 0;
  for (size_t k = 0; k < f->nkeys; k++)
    if (r->keys >> k & 1 && !value_equal(&r->problem.values[k], &p->values[k]))
      return 0;
  copy(t, &r->table);
  return 1;
}

static void remember(const struct table *t, struct family *f, size_t i,
                     const struct problem *p)
{
  if (!f->remembered)
    f->remembered = mem_array(f->nrules, sizeof *f->remembered);
  struct remembered *r = &f->remembered[i];
  rule_close(&r->table);
  if (t->bits)
    copy(&r->table, t);
  r->keys = f->asked;
  r->problem = *p;
}

void rules_forget(struct family *f)
{
  for (size_t i = 0; f->remembered && i < f->nrules; i++)
    rule_close(&f->remembered[i].table);
  free(f->remembered);
  f->remembered = NULL;
}

int rule_open(struct table *t, struct family *f, size_t i,
              const struct problem *p, struct err *e)
{
  *t = (struct table){.reason = f->rules[i].reason};
  if (recall(t, f, i, p))
    return 0;
  lay_out(t, f);
  struct request r = {.f = f, .rule = &f->rules[i], .t = t};
  f->asked = 0;
  int failed = call(&r, tabulate, p, e);
  if (failed)
    rule_close(t);
  else
    remember(t, f, i, p);
  return failed;
}

void rule_close(struct table *t)
{
  free(t->bits);
  t->bits = NULL;
}

int rule_ask(struct family *f, size_t i, const struct problem *p,
             const struct config *c, struct err *e)
{
  struct request r = {.f = f, .rule = &f->rules[i], .c = *c};
  return call(&r, ask_once, p, e) ? -1 : r.excluded;
}
