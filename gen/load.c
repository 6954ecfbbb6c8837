/* load.c - the table that NAME.lua returns, checked and taken over.
 *
 * Lua keeps no position for the parts of a table, so errors in data point at
 * where the text of the file has the field or the entry.
 */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/directive.h"
#include "gen/lib.h"

int load_line(const struct family *f, int from, const char *before,
              const char *word, const char *after, size_t nth)
{
  const char *start = str_text(&f->source.file[SOURCE_LUA].text), *at = start;
  const char *counted = start;
  size_t n = strlen(word);
  int line = 1;
  for (; (at = strstr(at, word)); at += n) {
    const char *left = at, *right = at + n;
    while (left > start && strchr(" \t", left[-1]))
      left--;
    right += strspn(right, " \t");
    if (left == start || !strchr(before, left[-1]) || !*right ||
        !strchr(after, *right))
      continue;
    for (; counted < at; counted++)
      line += *counted == '\n';
    if (line >= from && !nth--)
      return line;
  }
  return 0;
}

static int field_line(const struct family *f, const char *field)
{
  return load_line(f, 0, "\n,{", field, "=", 0);
}

static int entry_line(const struct family *f, const char *name)
{
  struct str quoted = {0};
  str_addf(&quoted, "\"%s\"", name);
  int line = load_line(f, 0, "{", quoted.at, ",", 0);
  str_free(&quoted);
  return line;
}

/* Raise "file:line: " and the message; line 0 is left out. */
static int fail(lua_State *L, const struct family *f, int line,
                const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (line)
    lua_pushfstring(L, "%s:%d: ", f->source.file[SOURCE_LUA].path.at, line);
  else
    lua_pushfstring(L, "%s: ", f->source.file[SOURCE_LUA].path.at);
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 2);
  return lua_error(L);
}

/* The fields of a family: their type in Lua, and what to write. */
static const struct field {
  const char *name;
  int type, optional;
  const char *what;
  int function; /* -1: data */
} fields[] = {
  {"meaning", LUA_TSTRING, 0, "a sentence", -1},
  { "problem", LUA_TTABLE, 0,
    "a list of { \"name\", default, legal values, \"meaning\" }", -1 },
  { "space", LUA_TTABLE, 0,
    "a list of { \"name\", { values }, \"meaning\", weight or nothing }", -1 },
  { "rules", LUA_TTABLE, 0,
    "a list of { \"reason\", function (cfg, problem, arch) }", -1 },
  { "launch", LUA_TFUNCTION, 0, "function (cfg, problem, arch)",
    FUNCTION_LAUNCH },
  { "buffers", LUA_TFUNCTION, 0, "function (cfg, problem, arch)",
    FUNCTION_BUFFERS },
  { "reference", LUA_TNONE, 0, /* of two types: take_reference() */
    "the name of a reference, or { text =, launch =, bound = }", -1 },
  {"cost", LUA_TFUNCTION, 0, "function (problem)", FUNCTION_COST},
  { "check", LUA_TFUNCTION, 0, "function (cfg, problem, arch)",
    FUNCTION_CHECK },
  { "complete", LUA_TFUNCTION, 1, "function (problem, arch)",
    FUNCTION_COMPLETE },
  {"lds", LUA_TFUNCTION, 1, "function (cfg, problem, arch)", FUNCTION_LDS},
  { "lds_access", LUA_TFUNCTION, 1, "function (cfg, problem, arch)",
    FUNCTION_LDS_ACCESS },
  { "serves", LUA_TFUNCTION, 1, "function (cfg, problem, other, arch)",
    FUNCTION_SERVES },
  {"work", LUA_TFUNCTION, 1, "function (cfg, problem, arch)", FUNCTION_WORK},
  { "elsewhere", LUA_TFUNCTION, 1, "function (problem, arch)",
    FUNCTION_ELSEWHERE },
  {"figures", LUA_TTABLE, 1, "a list of tables, as gen/figure.h has it", -1},
  {"plots", LUA_TTABLE, 1, "a list of tables, as gen/figure.h has it", -1},
};

enum {FIELDS = sizeof fields / sizeof *fields};

const char *load_field(size_t i)
{
  return i < FIELDS ? fields[i].name : NULL;
}

static void check_fields(lua_State *L, struct family *f, int t)
{
  const char *names[FIELDS + 1] = {NULL};
  for (int i = 0; i < FIELDS; i++) {
    const struct field *d = &fields[i];
    names[i] = d->name;
    int type = lua_getfield(L, t, d->name);
    if (type == LUA_TNIL && !d->optional)
      fail(L, f, 0, "field '%s' is missing; add %s = %s", d->name, d->name,
           d->what);
    if (type != d->type && type != LUA_TNIL && d->type != LUA_TNONE)
      fail(L, f, field_line(f, d->name), "'%s' is a %s; it must be %s",
           d->name, lua_typename(L, type), d->what);
    lua_pop(L, 1);
  }
  if (lib_stray(L, t, names, "is not a field of a family"))
    fail(L, f, 0, "%s", lua_tostring(L, -1));
}

const char *load_string(lua_State *L, struct family *f, int i)
{
  size_t n;
  const char *text = lua_tolstring(L, i, &n);
  if (strlen(text) != n)
    fail(L, f, 0, "a string with a zero byte in it");
  return family_keep_text(f, text);
}

/* Names are used bare in templates, in name=value lists and as options. */
static void check_name(lua_State *L, struct family *f, const char *what,
                       const char *name)
{
  static const char *const reserved[] = {
    "and", "break", "do", "else", "elseif", "end", "false", "for",
    "function", "goto", "if", "in", "local", "nil", "not", "or", "repeat",
    "return", "then", "true", "until", "while",
  };
  int line = entry_line(f, name);
  size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  if (!*name || name[good] || name[0] == '_' || strchr("0123456789", *name) ||
      strlen(name) > 31)
    fail(L, f, line,
         "%s '%s': a name is at most 31 lower-case letters, digits and _, "
         "and starts with a letter",
         what, name);
  int taken = sandbox_knows(L, name);
  for (enum view v = 0; v < VIEW_N; v++)
    taken |= !strcmp(view_name(v), name);
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    taken |= !strcmp(reserved[i], name);
  if (taken)
    fail(L, f, line, "%s '%s': the name is taken in templates; choose another",
         what, name);
  if (family_key(f, name) < f->nkeys ||
      family_tunable(f, name, strlen(name)) < f->ntunables)
    fail(L, f, line, "%s '%s': the name stands twice", what, name);
}

size_t load_values(lua_State *L, struct family *f, const char *name, int line,
                   const struct value **out)
{
  int list = lua_gettop(L);
  lua_Unsigned n = lua_rawlen(L, list);
  if (!n || n > FAMILY_VALUES)
    fail(L, f, line, "'%s' needs 1 to %d values", name, FAMILY_VALUES);
  struct value *values = family_keep(f, n * sizeof *values);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    if (!view_read(L, -1, &values[i]) || values[i].kind == VALUE_NUM ||
        values[i].kind != values[0].kind)
      fail(L, f, line, "'%s': values must be all integers or all strings",
           name);
    if (values[i].kind == VALUE_STR) {
      const char *text = values[i].s = load_string(L, f, -1);
      if (!*text || text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_.+-")] ||
          strlen(text) > 63)
        fail(L, f, line,
             "'%s': a string value is 1 to 63 letters, digits, _ . + or -",
             name);
    }
    for (size_t j = 0; j < i; j++)
      if (value_equal(&values[i], &values[j]))
        fail(L, f, line, "'%s': value %d stands twice", name, (int)i + 1);
    lua_pop(L, 1);
  }
  *out = values;
  return n;
}

/* Push element i of the list at t; it must be a table of n to `most` elements,
 * of which the first, a string, is kept and returned. */
static const char *entry(lua_State *L, struct family *f, int t, size_t i,
                         const struct field *d, size_t n, size_t most)
{
  if (lua_rawgeti(L, t, (lua_Integer)i) == LUA_TTABLE &&
      lua_rawlen(L, -1) >= n && lua_rawlen(L, -1) <= most) {
    lua_rawgeti(L, -1, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      const char *first = load_string(L, f, -1);
      lua_pop(L, 1);
      return first;
    }
  }
  fail(L, f, field_line(f, d->name), "%s: entry %d does not fit; it must be %s",
       d->name, (int)i, d->what);
  return NULL;
}

/* The last element of the entry on the top: its meaning. */
static const char *take_meaning(lua_State *L, struct family *f,
                                const char *name, int i)
{
  if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
    fail(L, f, entry_line(f, name), "'%s' needs its meaning as entry %d", name,
         i);
  const char *meaning = load_string(L, f, -1);
  lua_pop(L, 1);
  return meaning;
}

/* Element i of the entry on the top, which may be left out: then 0. */
static double take_weight(lua_State *L, struct family *f, const char *name, int i)
{
  int type = lua_rawgeti(L, -1, i);
  double weight = lua_tonumber(L, -1);
  if (type != LUA_TNIL && (type != LUA_TNUMBER || !(weight > 0 && weight < INFINITY)))
    fail(L, f, entry_line(f, name), "'%s' needs a weight above 0 as entry %d, or none",
         name, i);
  lua_pop(L, 1);
  return weight;
}

/* { min = INTEGER, max = INTEGER } on the top of the stack; 0 if it is not. */
static int take_range(lua_State *L, struct key *k)
{
  int whole[2];
  if (!lua_istable(L, -1))
    return 0;
  lua_getfield(L, -1, "min");
  lua_getfield(L, -2, "max");
  k->min = lua_tointegerx(L, -2, &whole[0]);
  k->max = lua_tointegerx(L, -1, &whole[1]);
  lua_pop(L, 2);
  return whole[0] && whole[1] && k->min <= k->max;
}

/* The legal values on the top of the stack. */
static void take_legal(lua_State *L, struct family *f, struct key *k)
{
  if (lua_istable(L, -1) && lua_rawlen(L, -1)) {
    k->nvalues = load_values(L, f, k->name, entry_line(f, k->name),
                             &k->values);
    k->standard.kind = k->values[0].kind;
  } else if (lua_type(L, -1) == LUA_TSTRING &&
             !strcmp(lua_tostring(L, -1), "number")) {
    k->standard.kind = VALUE_NUM;
  } else if (!take_range(L, k)) {
    fail(L, f, entry_line(f, k->name),
         "'%s': legal values are { min = INTEGER, max = INTEGER }, a list, "
         "or \"number\"",
         k->name);
  }
}

/* Is there a fifth element in the entry below the two on the top? It is the
 * word "quiet". */
static int take_quiet(lua_State *L, struct family *f, const struct key *k)
{
  int there = lua_rawgeti(L, -3, 5) != LUA_TNIL;
  if (there && (lua_type(L, -1) != LUA_TSTRING ||
                strcmp(lua_tostring(L, -1), "quiet") != 0))
    fail(L, f, entry_line(f, k->name), "'%s': entry 5 can only be \"quiet\"",
         k->name);
  lua_pop(L, 1);
  return there;
}

static void take_problem(lua_State *L, struct family *f, int t,
                         const struct field *d)
{
  size_t n = lua_rawlen(L, t);
  if (!n || n > FAMILY_KEYS)
    fail(L, f, field_line(f, d->name), "problem needs 1 to %d keys",
         FAMILY_KEYS);
  for (size_t i = 0; i < n; i++) {
    struct key k = {0};
    struct err why;
    k.name = entry(L, f, t, i + 1, d, 4, 5);
    check_name(L, f, "problem key", k.name);
    k.meaning = take_meaning(L, f, k.name, 4);
    lua_rawgeti(L, -1, 3);
    take_legal(L, f, &k);
    lua_rawgeti(L, -2, 2);
    struct value v;
    if (!view_read(L, -1, &v))
      fail(L, f, entry_line(f, k.name), "'%s' needs a default", k.name);
    if (v.kind == VALUE_STR)
      v.s = load_string(L, f, -1);
    if (key_take(&k, &v, &why))
      fail(L, f, entry_line(f, k.name), "the default of '%s' %s", k.name,
           why.text);
    k.standard = v;
    k.quiet = take_quiet(L, f, &k);
    f->keys[f->nkeys++] = k;
    lua_pop(L, 3);
  }
}

static void take_space(lua_State *L, struct family *f, int t,
                       const struct field *d)
{
  size_t n = lua_rawlen(L, t);
  if (!n || n > FAMILY_TUNABLES)
    fail(L, f, field_line(f, d->name), "space needs 1 to %d tunables",
         FAMILY_TUNABLES);
  for (size_t i = 0; i < n; i++) {
    struct tunable u = {0};
    u.name = entry(L, f, t, i + 1, d, 3, 4);
    check_name(L, f, "tunable", u.name);
    u.meaning = take_meaning(L, f, u.name, 3);
    if (lua_rawgeti(L, -1, 2) != LUA_TTABLE)
      fail(L, f, entry_line(f, u.name), "'%s' needs its list of values",
           u.name);
    u.nvalues = load_values(L, f, u.name, entry_line(f, u.name), &u.values);
    lua_pop(L, 1);
    u.weight = take_weight(L, f, u.name, 4);
    f->tunables[f->ntunables++] = u;
    lua_pop(L, 1);
  }
}

/* Where the function on the top of the stack is defined. */
static int function_line(lua_State *L)
{
  lua_Debug at;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &at);
  return at.linedefined;
}

static void take_rules(lua_State *L, struct family *f, int t,
                       const struct field *d)
{
  size_t n = lua_rawlen(L, t);
  if (n > FAMILY_RULES)
    fail(L, f, field_line(f, d->name), "more than %d rules", FAMILY_RULES);
  for (size_t i = 0; i < n; i++) {
    struct rule r = {.reason = entry(L, f, t, i + 1, d, 2, 2)};
    if (lua_rawgeti(L, -1, 2) != LUA_TFUNCTION || lua_iscfunction(L, -1))
      fail(L, f, entry_line(f, r.reason),
           "rule '%s' needs a function (cfg, problem, arch)", r.reason);
    r.line = function_line(L);
    r.function = luaL_ref(L, LUA_REGISTRYINDEX);
    f->rules[f->nrules++] = r;
    lua_pop(L, 1);
  }
}

static const struct {
  const char *name;
  void (*take)(lua_State *L, struct family *f, int t, const struct field *d);
} lists[] = {
  {"problem", take_problem}, {"space", take_space}, {"rules", take_rules}
};

static const char *take_string(lua_State *L, struct family *f, int t,
                               const char *name)
{
  lua_getfield(L, t, name);
  const char *text = load_string(L, f, -1);
  lua_pop(L, 1);
  if (!*text || strchr(text, '\n') || strstr(text, "*/"))
    fail(L, f, field_line(f, name), "'%s' must be one line without */", name);
  return text;
}

/* Take over the function in a field of the table at the top. */
static void take_function(lua_State *L, struct family *f, const char *field,
                          enum function which)
{
  if (lua_getfield(L, -1, field) != LUA_TFUNCTION || lua_iscfunction(L, -1))
    fail(L, f, field_line(f, "reference"),
         "reference: %s must be a function (problem, arch)", field);
  f->lines[which] = function_line(L);
  f->functions[which] = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* The plain kernel at the top of the stack. */
static void take_plain(lua_State *L, struct family *f)
{
  static const char *const names[] = {"text", "launch", "bound", NULL};
  int line = field_line(f, "reference");
  if (lib_stray(L, lua_gettop(L), names, "is not a field"))
    fail(L, f, line, "reference: %s", lua_tostring(L, -1));
  if (lua_getfield(L, -1, "text") != LUA_TSTRING || !lua_rawlen(L, -1))
    fail(L, f, line, "reference: text must be the HIP of a plain kernel");
  f->plain = load_string(L, f, -1);
  lua_pop(L, 1);
  take_function(L, f, "launch", FUNCTION_REFERENCE);
  take_function(L, f, "bound", FUNCTION_BOUND);
  const char *source = str_text(&f->source.file[SOURCE_LUA].text);
  const char *at = strstr(source, f->plain); /* not where it is put together */
  f->plain_line = 1;
  for (; at && source < at; source++)
    f->plain_line += *source == '\n';
  const char *word;
  int inside = (int)directive_include(f->plain, &word);
  if (inside)
    fail(L, f, f->plain_line + inside - 1, "#%s: " DIRECTIVE_ADVICE, word);
}

static void take_reference(lua_State *L, struct family *f, int t)
{
  int type = lua_getfield(L, t, "reference");
  if (type == LUA_TTABLE)
    take_plain(L, f);
  else if (type == LUA_TSTRING)
    f->reference = take_string(L, f, t, "reference");
  else
    fail(L, f, field_line(f, "reference"), "'reference' is a %s; it must be "
         "the name of a reference, or { text =, launch =, bound = }",
         lua_typename(L, type));
  lua_pop(L, 1);
}

static void take_lists(lua_State *L, struct family *f, int t)
{
  for (int i = 0; i < FIELDS; i++)
    for (size_t j = 0; j < sizeof lists / sizeof *lists; j++)
      if (!strcmp(fields[i].name, lists[j].name)) {
        lua_getfield(L, t, fields[i].name);
        lists[j].take(L, f, lua_gettop(L), &fields[i]);
        lua_pop(L, 1);
      }
}

int family_load(lua_State *L)
{
  struct family *f = lua_touserdata(L, 1);
  const struct str *text = &f->source.file[SOURCE_LUA].text;
  sandbox_env(L, 0);
  sandbox_compile(L, str_text(text), text->len, f->source.file[SOURCE_LUA].path.at, 2);
  lua_call(L, 0, 1);
  if (lua_type(L, -1) != LUA_TTABLE)
    fail(L, f, 0, "returns a %s; it must return the table of the family",
         luaL_typename(L, -1));
  int t = lua_gettop(L);
  check_fields(L, f, t);
  f->meaning = take_string(L, f, t, "meaning");
  take_reference(L, f, t);
  take_lists(L, f, t);
  figures_load(L, f, t);
  for (int i = 0; i < FIELDS; i++)
    if (fields[i].function >= 0 &&
        lua_getfield(L, t, fields[i].name) == LUA_TFUNCTION) {
      f->lines[fields[i].function] = function_line(L);
      f->functions[fields[i].function] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
  for (int v = 0; v < VIEW_N; v++)
    view_open(L, f, v);
  return 0;
}
