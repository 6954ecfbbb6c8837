/* problem.c - the values of a problem, from text and from the family. */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "gen/lib.h"

static const char *const kinds[] = {"an integer", "a number", "a word"};

static int take_listed(const struct key *k, struct value *v, struct err *e)
{
  for (size_t i = 0; i < k->nvalues; i++)
    if (value_equal(&k->values[i], v)) {
      *v = k->values[i]; /* a string of the family's own */
      return 0;
    }
  char text[128];
  struct str all = {0};
  for (size_t i = 0; i < k->nvalues; i++) {
    value_format(&k->values[i], text, sizeof text);
    str_addf(&all, "%s%s", i ? ", " : "", text);
  }
  value_format(v, text, sizeof text);
  err_set(e, ERR_USAGE, "is %s; it can be %s", text, all.at);
  str_free(&all);
  return ERR_USAGE;
}

int key_take(const struct key *k, struct value *v, struct err *e)
{
  enum value_kind kind = k->standard.kind;
  if (kind == VALUE_NUM && v->kind == VALUE_INT)
    *v = (struct value){.kind = VALUE_NUM, .d = (double)v->i};
  if (v->kind != kind)
    return err_set(e, ERR_USAGE, "is %s; it must be %s", kinds[v->kind],
                   kinds[kind]);
  if (k->nvalues)
    return take_listed(k, v, e);
  if (kind == VALUE_INT && (v->i < k->min || v->i > k->max))
    return err_set(e, ERR_USAGE, "is %lld; it must be from %lld to %lld", v->i,
                   k->min, k->max);
  if (kind == VALUE_NUM && !isfinite(v->d))
    return err_set(e, ERR_USAGE, "is not a finite number");
  return 0;
}

int key_shown(const struct key *k, const struct value *v)
{
  return !k->quiet || !value_equal(&k->standard, v);
}

/* Text to a value of the key's kind; -1 if it is none. */
static int parse(const struct key *k, const char *text, struct value *v)
{
  char *end;
  errno = 0;
  *v = (struct value){.kind = k->standard.kind};
  switch (v->kind) {
  case VALUE_INT:
    return value_whole(text, &v->i);
  case VALUE_NUM:
    v->d = strtod(text, &end);
    break;
  case VALUE_STR:
    v->s = text;
    return 0;
  }
  return end == text || *end || errno || strchr(" \t\n", *text) ? -1 : 0;
}

static int set_key(const struct key *k, const char *text, struct value *v,
                   struct err *e)
{
  if (parse(k, text, v))
    return err_set(e, ERR_USAGE, "%s is '%s'; it must be %s", k->name, text,
                   kinds[k->standard.kind]);
  if (!key_take(k, v, e))
    return 0;
  struct err end = *e;
  return err_set(e, ERR_USAGE, "%s %s", k->name, end.text);
}

static int unknown(const struct family *f, const char *name, struct err *e)
{
  const char *names[FAMILY_KEYS];
  struct str all = {0};
  for (size_t i = 0; i < f->nkeys; i++) {
    names[i] = f->keys[i].name;
    str_addf(&all, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = suggest(name, names, f->nkeys);
  if (near)
    err_set(e, ERR_USAGE, "'%s' is not a key of %s; did you mean '%s'?", name,
            family_name(f), near);
  else
    err_set(e, ERR_USAGE, "'%s' is not a key of %s; there is: %s", name,
            family_name(f), all.at);
  str_free(&all);
  return ERR_USAGE;
}

/* A call of `complete` or `check`, whose result changes p. */
struct change {
  struct family *f;
  enum function which;
  struct problem *p;
  struct err *e;
  int refused;
};

/* Raise an error about what the function returned. */
static int fail(lua_State *L, const struct change *c, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  lua_pushfstring(L, "%s:%d: %s: ", c->f->source.file[SOURCE_LUA].path.at,
                  c->f->lines[c->which],
                  c->which == FUNCTION_CHECK ? "check" : "complete");
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 2);
  return lua_error(L);
}

/* The key at -2 and value at -1 of the table that the function returned. */
static void change_key(lua_State *L, struct change *c)
{
  struct family *f = c->f;
  struct err e;
  if (lua_type(L, -2) != LUA_TSTRING)
    fail(L, c, "must return { key = value }");
  const char *name = lua_tostring(L, -2);
  size_t i = family_key(f, name);
  if (i == f->nkeys) {
    unknown(f, name, &e);
    fail(L, c, "%s", e.text);
  }
  struct value v;
  if (!view_read(L, -1, &v))
    fail(L, c, "'%s' is a %s", name, luaL_typename(L, -1));
  if (key_take(&f->keys[i], &v, &e))
    fail(L, c, "%s %s", name, e.text);
  c->p->values[i] = v;
}

static int change(lua_State *L)
{
  struct change *c = lua_touserdata(L, 1);
  lua_call(L, view_function(L, c->f, c->which), 2);
  if (lua_isnil(L, -2) && lua_type(L, -1) == LUA_TSTRING) {
    c->refused = 1;
    err_set(c->e, ERR_USAGE, "%s: %s", family_name(c->f), lua_tostring(L, -1));
    return 0;
  }
  if (lua_isnil(L, -2) && c->which == FUNCTION_COMPLETE)
    return 0;
  if (!lua_istable(L, -2))
    return fail(L, c, "must return { key = value }, not a %s",
                luaL_typename(L, -2));
  lua_pop(L, 1);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    change_key(L, c);
  return 0;
}

static int run(struct family *f, enum function which, struct problem *p,
               const struct config *cfg, struct err *e)
{
  if (f->functions[which] == LUA_NOREF)
    return 0;
  struct change c = {f, which, p, e, 0};
  struct problem shown = *p;
  int failed = family_call(f, SOURCE_LUA, change, &c, &shown, cfg, e);
  return failed ? failed : c.refused ? ERR_USAGE : 0;
}

int family_problem(struct family *f, const char *const *names,
                   const char *const *texts, size_t n, struct problem *p,
                   struct err *e)
{
  *p = (struct problem){.n = f->nkeys};
  for (size_t i = 0; i < f->nkeys; i++)
    p->values[i] = f->keys[i].standard;
  for (size_t i = 0; i < n; i++) {
    size_t k = family_key(f, names[i]);
    if (k == f->nkeys)
      return unknown(f, names[i], e);
    int failed = set_key(&f->keys[k], texts[i], &p->values[k], e);
    if (failed)
      return failed;
  }
  return run(f, FUNCTION_COMPLETE, p, NULL, e);
}

int family_check_problem(struct family *f, const struct problem *p,
                         const struct config *c, struct problem *small,
                         struct err *e)
{
  *small = *p;
  int failed = run(f, FUNCTION_CHECK, small, c, e);
  return failed ? failed : run(f, FUNCTION_COMPLETE, small, NULL, e);
}
