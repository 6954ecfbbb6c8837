/* sweep_words.c - the words of a sweep file: families, shapes, ranges.
 *
 * A family's word is a function: gemm { m = { 1, 8 }, n = 64 } makes an entry of
 * each combination and returns a batch of them, which knows its place in
 * sweep_file.made. Functions know the line that calls them, which tables do
 * not: so errors of data have a line.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "gen/lib.h"
#include "gen/source.h"
#include "tuner/sweep/shapes.h"
#include "tuner/sweep/sweep_inside.h"

static const char BATCH[] = "wavetune.batch";

enum {
  PARTS = 8,               /* lists of tables in one call */
  RANGE_MOST = SWEEP_PROBLEMS,
  SHAPES_BYTES = 16 << 20, /* of a file of them */
};

struct batch {
  size_t first, n;
};

static struct sweep_file *file_of(lua_State *L)
{
  return lua_touserdata(L, lua_upvalueindex(1));
}

static int line_of(lua_State *L)
{
  lua_Debug at;
  return lua_getstack(L, 1, &at) && lua_getinfo(L, "l", &at) ? at.currentline
                                                             : 0;
}

static int push_batch(lua_State *L, const struct sweep_file *f, size_t first)
{
  struct batch *b = lua_newuserdatauv(L, sizeof *b, 0);
  *b = (struct batch){first, f->nmade - first};
  luaL_setmetatable(L, BATCH);
  return 1;
}

int sweep_batch(lua_State *L, int i, size_t *first, size_t *n)
{
  const struct batch *b = luaL_testudata(L, i, BATCH);
  if (b) {
    *first = b->first;
    *n = b->n;
  }
  return b != NULL;
}

/* --- values -------------------------------------------------------------- */

const char *sweep_text(lua_State *L, struct sweep_file *f, int i,
                       const char *name)
{
  char text[64];
  struct value v = {0};
  size_t n;
  const char *word;
  switch (lua_type(L, i)) {
  case LUA_TNUMBER:
    v.kind = lua_isinteger(L, i) ? VALUE_INT : VALUE_NUM;
    v.i = lua_tointeger(L, i);
    v.d = lua_tonumber(L, i);
    value_format(&v, text, sizeof text);
    return sweep_keep_text(f, text);
  case LUA_TSTRING:
    word = lua_tolstring(L, i, &n);
    if (!*word || strlen(word) != n || strpbrk(word, ",= \t\r\n"))
      luaL_error(L, "%s is \"%s\"; it must be one word", name, word);
    return sweep_keep_text(f, word);
  default:
    luaL_error(L, "%s is a %s; it must be a number, a word, or a list of "
               "these", name, luaL_typename(L, i));
    return NULL;
  }
}

struct sweep_pair sweep_take_term(lua_State *L, struct sweep_file *f,
                                  const char *name)
{
  struct sweep_pair term = {sweep_keep_text(f, name), NULL};
  struct err e = {0};
  int flag = lua_isboolean(L, -1);
  if (flag && !lua_toboolean(L, -1))
    luaL_error(L, "%s is false; leave it out", name);
  if (!flag)
    term.text = sweep_text(L, f, -1, name);
  if (sweep_term(&term, &e))
    luaL_error(L, "%s", e.text);
  return term;
}

/* Raise an error about the name at index i, which is none of these. */
static void refuse_name(lua_State *L, int i, const char *const *names,
                        size_t n, const char *what)
{
  const char *wrong = luaL_tolstring(L, i, NULL);
  const char *near = suggest(wrong, names, n);
  luaL_error(L, "'%s' is %s%s%s%s", wrong, what, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
}

/* --- one call of a family's word ----------------------------------------- */

/* What has several values: a key, or a list of tables among the positions. */
struct dimension {
  const char *key; /* NULL: of position */
  int position;
  size_t n, at;
};

struct call {
  struct sweep_file *f;
  size_t family, nkeys, ndims, nterms;
  const struct key *keys;
  struct dimension dims[FAMILY_KEYS + PARTS];
  struct sweep_pair terms[SWEEP_TERMS];
  int line;
};

static const char *family_of(const struct call *c)
{
  return family_name(c->f->families[c->family].family);
}

/* The table at t may have the family's keys; with `whole`, options and
 * positions too. */
static void check_names(lua_State *L, struct call *c, int t, int whole)
{
  const char *names[FAMILY_KEYS + SWEEP_TERMS];
  char what[96];
  size_t n = 0;
  for (size_t i = 0; i < c->nkeys; i++)
    names[n++] = c->keys[i].name;
  for (size_t i = 0; whole && sweep_terms()[i]; i++)
    names[n++] = sweep_terms()[i];
  snprintf(what, sizeof what, "not a key of %.40s%s", family_of(c),
           whole ? " and no option of a sweep" : "");
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
    size_t i = 0;
    if (whole && lua_isinteger(L, -2))
      continue;
    while (i < n && (lua_type(L, -2) != LUA_TSTRING ||
                     strcmp(names[i], lua_tostring(L, -2)) != 0))
      i++;
    if (i == n)
      refuse_name(L, lua_gettop(L) - 1, names, n, what);
  }
}

static void add_dimension(lua_State *L, struct call *c, const char *key,
                          int position, size_t n)
{
  if (!n)
    luaL_error(L, "%s is an empty list; a list has at least one value",
               key ? key : "a list of tables");
  c->dims[c->ndims++] = (struct dimension){key, position, n, 0};
}

/* The argument, taken apart: terms, then what varies, the first slowest. */
static void look(lua_State *L, struct call *c)
{
  size_t parts = lua_rawlen(L, 1);
  check_names(L, c, 1, 1);
  if (parts > PARTS)
    luaL_error(L, "more than %d lists of tables", PARTS);
  for (size_t i = 1; i <= parts; i++) {
    if (lua_rawgeti(L, 1, (lua_Integer)i) != LUA_TTABLE)
      luaL_error(L, "entry %d of %s { ... } is a %s; it must be a list of "
                 "tables of keys: { { n = 64, k = 32 }, ... }", (int)i,
                 family_of(c), luaL_typename(L, -1));
    size_t n = lua_rawlen(L, -1);
    add_dimension(L, c, NULL, (int)i, n ? n : 1);
    lua_pop(L, 1);
  }
  for (size_t i = 0; i < c->nkeys; i++) {
    int type = lua_getfield(L, 1, c->keys[i].name);
    if (type != LUA_TNIL)
      add_dimension(L, c, c->keys[i].name, 0,
                    type == LUA_TTABLE ? lua_rawlen(L, -1) : 1);
    lua_pop(L, 1);
  }
  for (size_t i = 0; sweep_terms()[i]; i++) {
    if (lua_getfield(L, 1, sweep_terms()[i]) != LUA_TNIL)
      c->terms[c->nterms++] = sweep_take_term(L, c->f, sweep_terms()[i]);
    lua_pop(L, 1);
  }
}

static void add_pair(lua_State *L, struct call *c, struct sweep_pair *pairs,
                     size_t *n, const char *key)
{
  for (size_t i = 0; i < *n; i++)
    if (!strcmp(pairs[i].name, key))
      luaL_error(L, "'%s' is given twice; which is meant?", key);
  pairs[(*n)++] = (struct sweep_pair){sweep_keep_text(c->f, key),
                                      sweep_text(L, c->f, -1, key)};
}

/* The keys of the table on the top. */
static void add_table(lua_State *L, struct call *c, struct sweep_pair *pairs,
                      size_t *n)
{
  if (!lua_istable(L, -1))
    luaL_error(L, "a list of tables has a %s; it must be a table of keys: "
               "{ n = 64, k = 32 }", luaL_typename(L, -1));
  int t = lua_gettop(L);
  check_names(L, c, t, 0);
  for (size_t i = 0; i < c->nkeys; i++) {
    if (lua_getfield(L, t, c->keys[i].name) != LUA_TNIL)
      add_pair(L, c, pairs, n, c->keys[i].name);
    lua_pop(L, 1);
  }
}

static void add_value(lua_State *L, struct call *c, const struct dimension *d,
                      struct sweep_pair *pairs, size_t *n)
{
  int type = d->key ? lua_getfield(L, 1, d->key)
                    : lua_rawgeti(L, 1, d->position);
  int list = type == LUA_TTABLE && lua_rawlen(L, -1) > 0;
  if (list)
    lua_rawgeti(L, -1, (lua_Integer)d->at + 1);
  if (d->key)
    add_pair(L, c, pairs, n, d->key);
  else
    add_table(L, c, pairs, n);
  lua_pop(L, list ? 2 : 1);
}

/* The entry of the combination that the dimensions stand at. */
static void make_entry(lua_State *L, struct call *c,
                       const struct sweep_pair *terms)
{
  struct sweep_pair pairs[FAMILY_KEYS];
  size_t n = 0;
  for (size_t i = 0; i < c->ndims; i++)
    add_value(L, c, &c->dims[i], pairs, &n);
  struct sweep_entry *x = sweep_make(c->f);
  if (!x)
    luaL_error(L, "more than %d problems; sweep fewer, or split the file",
               SWEEP_PROBLEMS);
  struct sweep_pair *keys = sweep_keep(c->f, (n + 1) * sizeof *keys);
  memcpy(keys, pairs, n * sizeof *keys);
  *x = (struct sweep_entry){.family = c->family, .keys = keys, .nkeys = n,
                            .terms = terms, .nterms = c->nterms,
                            .file = c->f->path.at, .line = c->line};
}

/* On to the next combination, the last dimension fastest; 0 after the last. */
static int next(struct call *c)
{
  for (size_t i = c->ndims; i-- > 0;) {
    if (++c->dims[i].at < c->dims[i].n)
      return 1;
    c->dims[i].at = 0;
  }
  return 0;
}

/* FAMILY { ... }: upvalues are the file and the family's name. */
static int call_family(lua_State *L)
{
  struct call c = {.f = file_of(L), .line = line_of(L)};
  const char *name = lua_tostring(L, lua_upvalueindex(2));
  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    return luaL_error(L, "%s takes one table of keys: %s { } is its default "
                      "problem", name, name);
  size_t first = c.f->nmade;
  c.family = sweep_family(L, c.f, name);
  c.nkeys = family_keys(c.f->families[c.family].family, &c.keys);
  look(L, &c);
  struct sweep_pair *terms = sweep_keep(c.f, (c.nterms + 1) * sizeof *terms);
  memcpy(terms, c.terms, c.nterms * sizeof *terms);
  do {
    make_entry(L, &c, terms);
    sandbox_check(L);
  } while (next(&c));
  return push_batch(L, c.f, first);
}

static void push_family(lua_State *L, struct sweep_file *f, const char *name)
{
  lua_pushlightuserdata(L, f);
  lua_pushstring(L, name);
  lua_pushcclosure(L, call_family, 2);
}

/* family "./mine.lua": beside the sweep file, unless the path is absolute. */
static int find_family(lua_State *L)
{
  struct sweep_file *f = file_of(L);
  const char *name = luaL_checkstring(L, 1);
  if (*name == '/' || (!strchr(name, '/') && !strstr(name, ".lua")))
    lua_pushstring(L, name);
  else
    lua_pushfstring(L, "%s/%s", f->folder.at, name);
  sweep_family(L, f, lua_tostring(L, -1));
  push_family(L, f, lua_tostring(L, -1));
  return 1;
}

/* --- files of shapes ----------------------------------------------------- */

struct recorded {
  struct sweep_file *f;
  const char *path;
  const struct sweep_pair *terms;
  size_t nterms;
  double least;
};

static int take_shape(void *user, const struct shape *s, struct err *e)
{
  struct recorded *r = user;
  int family = s->count > 0 && s->count < r->least
                   ? -2 : sweep_family_open(r->f, s->family, e);
  if (family == -2)
    return 0;
  struct sweep_entry *x = family < 0 ? NULL : sweep_make(r->f);
  if (!x)
    return family < 0 ? e->code
                      : err_set(e, ERR_FAILED, "more than %d problems; leave "
                                "rare ones out with least =", SWEEP_PROBLEMS);
  struct sweep_pair *keys = sweep_keep(r->f, (s->n + 1) * sizeof *keys);
  *x = (struct sweep_entry){.family = (size_t)family, .keys = keys,
                            .nkeys = s->n, .terms = r->terms,
                            .nterms = r->nterms, .file = r->path,
                            .line = s->line, .count = s->count, .recorded = 1};
  for (size_t i = 0; i < s->n; i++)
    keys[i] = (struct sweep_pair){sweep_keep_text(r->f, s->names[i]),
                                  sweep_keep_text(r->f, s->texts[i])};
  return 0;
}

static int read_shapes(struct recorded *r, struct err *e)
{
  struct str text = {0};
  int code = file_read(r->path, SHAPES_BYTES, &text, e);
  str_add(&text, ""); /* there is a NUL */
  if (!code) {
    str_add_bytes(&r->f->hashed, text.at, text.len);
    code = shapes_parse(text.at, text.len, r->path, take_shape, r, e);
  }
  str_free(&text);
  return code;
}

/* The options beside the file's name, and `least`. */
static void take_shapes_terms(lua_State *L, struct recorded *r)
{
  struct sweep_pair *terms = sweep_keep(r->f, SWEEP_TERMS * sizeof *terms);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2)
                                                      : NULL;
    if (name && !strcmp(name, "least"))
      r->least = luaL_checknumber(L, -1);
    else if (name && sweep_is_term(name))
      terms[r->nterms++] = sweep_take_term(L, r->f, name);
    else if (name)
      luaL_error(L, "'%s' is no option of shapes; it takes { \"FILE\", least = "
                 "N } and options of a sweep", name);
  }
  r->terms = terms;
}

/* shapes "FILE", or shapes { "FILE", least = 10, evals = 8 }. */
static int shapes(lua_State *L)
{
  struct recorded r = {.f = file_of(L)};
  struct err e = {0};
  size_t first = r.f->nmade;
  lua_settop(L, 1);
  if (lua_istable(L, 1)) {
    take_shapes_terms(L, &r);
    lua_rawgeti(L, 1, 1);
  }
  if (lua_type(L, -1) != LUA_TSTRING)
    return luaL_error(L, "shapes needs the name of a file: shapes \"FILE\"");
  const char *name = lua_tostring(L, -1);
  lua_pushfstring(L, *name == '/' ? "%s%s" : "%s/%s",
                  *name == '/' ? "" : r.f->folder.at, name);
  r.path = sweep_keep_text(r.f, lua_tostring(L, -1));
  if (read_shapes(&r, &e))
    return luaL_error(L, "%s", e.text);
  return push_batch(L, r.f, first);
}

/* --- ranges -------------------------------------------------------------- */

/* range(first, last, step): a list, with last where the steps meet it. */
static int range(lua_State *L)
{
  lua_Integer from = luaL_checkinteger(L, 1), to = luaL_checkinteger(L, 2);
  lua_Integer step = luaL_optinteger(L, 3, 1);
  if (step < 1 || to < from || (to - from) / step >= RANGE_MOST)
    return luaL_error(L, "range(first, last, step) needs first <= last, and a "
                      "step above 0 that makes at most %d values", RANGE_MOST);
  lua_newtable(L);
  for (lua_Integer i = 0; i <= (to - from) / step; i++) {
    lua_pushinteger(L, from + i * step);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* doubling(first, last): first, 2 first, 4 first ... up to last. */
static int doubling(lua_State *L)
{
  lua_Integer value = luaL_checkinteger(L, 1), to = luaL_checkinteger(L, 2);
  if (value < 1 || to < value || to > LUA_MAXINTEGER / 2)
    return luaL_error(L, "doubling(first, last) needs 1 <= first <= last");
  lua_newtable(L);
  for (lua_Integer i = 1; value <= to; value *= 2) {
    lua_pushinteger(L, value);
    lua_rawseti(L, -2, i++);
  }
  return 1;
}

static const luaL_Reg words[] = {
    {"family", find_family}, {"shapes", shapes}, {"range", range},
    {"doubling", doubling}};

void sweep_words(lua_State *L, struct sweep_file *f)
{
  char **names;
  size_t n = source_list(f->templates, &names);
  const char *kept[SWEEP_FAMILIES * 4];
  size_t nkept = 0;
  for (size_t i = 0; i < n && nkept < sizeof kept / sizeof *kept; i++)
    kept[nkept++] = sweep_keep_text(f, names[i]);
  free(names); /* before Lua may raise an error */
  luaL_newmetatable(L, BATCH);
  lua_newtable(L);
  for (size_t i = 0; i < nkept; i++) {
    push_family(L, f, kept[i]);
    lua_setfield(L, -2, kept[i]);
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    lua_pushlightuserdata(L, f);
    lua_pushcclosure(L, words[i].func, 1);
    lua_setfield(L, -2, words[i].name);
  }
}
