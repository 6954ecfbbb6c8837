/* figure.c - the fields `figures` and `plots` of a family, read and checked.
 *
 * Lua keeps no position for the parts of a table: an error points at the
 * place where the text has the row's id or name, or else at the field.
 */
// SPDX-License-Identifier: MIT
#include "gen/figure.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gen/inside.h"
#include "gen/lib.h"

size_t family_figures(const struct family *f, const struct figure **list)
{
  *list = f->figures;
  return f->nfigures;
}

size_t family_plots(const struct family *f, const struct plot **list)
{
  *list = f->plots;
  return f->nplots;
}

/* --- reading ------------------------------------------------------------- */

/* The row that is being read; it is the table at index `at`. */
struct row {
  lua_State *L;
  struct family *f;
  const char *list; /* figures, plots */
  size_t i;
  int at, line;
  const char *id; /* NULL: not known yet */
};

static int fail(struct row *r, const char *format, ...)
{
  lua_State *L = r->L;
  va_list args;
  va_start(args, format);
  lua_pushfstring(L, r->line ? "%s:%d: " : "%s: ", r->f->source.file[SOURCE_LUA].path.at,
                  r->line);
  if (r->id)
    lua_pushfstring(L, "%s: '%s': ", r->list, r->id);
  else
    lua_pushfstring(L, "%s: entry %d: ", r->list, (int)r->i + 1);
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 3);
  return lua_error(L);
}

/* Start row i of the list at index t. */
static void row_begin(struct row *r, int t, size_t i)
{
  lua_State *L = r->L;
  r->i = i;
  r->id = NULL;
  r->line = load_line(r->f, 0, "\n,{", r->list, "=", 0);
  if (lua_rawgeti(L, t, (lua_Integer)i + 1) != LUA_TTABLE)
    fail(r, "is a %s; it must be a table", luaL_typename(L, -1));
  r->at = lua_gettop(L);
}

/* Now that the row has a name, which `same` rows before it have too: find its
 * line, and see that it has none but these fields. */
static void row_named(struct row *r, const char *id, size_t same,
                      const char *const *fields)
{
  struct str quoted = {0};
  str_addf(&quoted, "\"%s\"", id);
  int line = load_line(r->f, r->line, "=", quoted.at, ",}", same);
  str_free(&quoted);
  r->id = id;
  r->line = line ? line : r->line;
  if (lib_stray(r->L, r->at, fields, "is not a field"))
    fail(r, "%s", lua_tostring(r->L, -1));
}

/* The string of a field; `missing` where there is none, NULL to insist. */
static const char *text(struct row *r, const char *field, const char *missing)
{
  lua_State *L = r->L;
  int type = lua_getfield(L, r->at, field);
  if (type == LUA_TNIL && missing) {
    lua_pop(L, 1);
    return missing;
  }
  if (type != LUA_TSTRING)
    fail(r, "%s is %s; it must be a string", field,
         type == LUA_TNIL ? "missing" : luaL_typename(L, -1));
  const char *kept = load_string(L, r->f, -1);
  lua_pop(L, 1);
  if (!*kept || kept[strcspn(kept, "\n\r\t")])
    fail(r, "%s must be one line of text", field);
  return kept;
}

/* A name: what files and options can be called. */
static const char *name(struct row *r, const char *field)
{
  const char *kept = text(r, field, NULL);
  if (kept[strspn(kept, "abcdefghijklmnopqrstuvwxyz0123456789_")] ||
      strlen(kept) > 31)
    fail(r, "%s is '%s'; it must be at most 31 lower-case letters, digits "
            "and _", field, kept);
  return kept;
}

static double number(struct row *r, const char *field)
{
  lua_State *L = r->L;
  if (lua_getfield(L, r->at, field) != LUA_TNUMBER ||
      !isfinite(lua_tonumber(L, -1)))
    fail(r, "%s must be a number", field);
  double d = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return d;
}

/* Find a quantity by its name or unit, which stands at this offset in it. */
static const struct quantity *take_quantity(struct row *r, const char *field,
                                            size_t offset)
{
  const char *wanted = text(r, field, NULL);
  struct str all = {0};
  const struct quantity *q;
  for (size_t i = 0; (q = quantity_at(i)); i++) {
    const char *word = *(const char *const *)((const char *)q + offset);
    if (!strcmp(word, wanted)) {
      str_free(&all);
      return q;
    }
    str_addf(&all, "%s%s", i ? ", " : "", word);
  }
  const char *list = family_keep_text(r->f, all.at);
  str_free(&all);
  fail(r, "%s is '%s'; it can be %s", field, wanted, list);
  return NULL;
}

/* --- what is given of problem and configuration -------------------------- */

/* Push the table of a field; 0 and nothing where there is none. */
static int open_table(struct row *r, const char *field)
{
  int type = lua_getfield(r->L, r->at, field);
  if (type == LUA_TNIL)
    lua_pop(r->L, 1);
  else if (type != LUA_TTABLE)
    fail(r, "%s is a %s; it must be { name = value }", field,
         luaL_typename(r->L, -1));
  return type != LUA_TNIL;
}

static void check_known(struct row *r, const char *const *names,
                        const char *what)
{
  if (lib_stray(r->L, lua_gettop(r->L), names, what))
    fail(r, "%s", lua_tostring(r->L, -1));
}

static const char *keep_value(struct row *r, const struct value *v)
{
  char out[128];
  value_format(v, out, sizeof out);
  return family_keep_text(r->f, out);
}

static void take_problem(struct row *r, struct settings *s)
{
  struct family *f = r->f;
  const char *names[FAMILY_KEYS + 1] = {NULL};
  for (size_t i = 0; i < f->nkeys; i++)
    names[i] = f->keys[i].name;
  if (!open_table(r, "problem"))
    return;
  check_known(r, names, "is not a key of the problem");
  const char **given = family_keep(f, f->nkeys * sizeof *given);
  const char **texts = family_keep(f, f->nkeys * sizeof *texts);
  for (size_t i = 0; i < f->nkeys; i++) {
    struct value v;
    struct err why;
    if (lua_getfield(r->L, -1, names[i]) != LUA_TNIL) {
      if (!view_read(r->L, -1, &v))
        fail(r, "%s is a %s", names[i], luaL_typename(r->L, -1));
      if (key_take(&f->keys[i], &v, &why))
        fail(r, "%s %s", names[i], why.text);
      given[s->n] = names[i];
      texts[s->n++] = keep_value(r, &v);
    }
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
  s->names = given;
  s->texts = texts;
}

static int has_value(const struct tunable *t, const struct value *v)
{
  for (size_t i = 0; i < t->nvalues; i++)
    if (value_equal(&t->values[i], v))
      return 1;
  return 0;
}

/* The text of the tunable's value on the top of the stack, popped. */
static const char *take_value(struct row *r, const struct tunable *t)
{
  struct value v;
  if (!view_read(r->L, -1, &v))
    fail(r, "%s is a %s", t->name, luaL_typename(r->L, -1));
  const char *out = keep_value(r, &v);
  if (!has_value(t, &v))
    fail(r, "%s cannot be '%s'", t->name, out);
  lua_pop(r->L, 1);
  return out;
}

static void take_config(struct row *r, struct settings *s)
{
  lua_State *L = r->L;
  struct family *f = r->f;
  const char *names[FAMILY_TUNABLES + 1] = {NULL};
  for (size_t i = 0; i < f->ntunables; i++)
    names[i] = f->tunables[i].name;
  s->config = "";
  if (!open_table(r, "config"))
    return;
  check_known(r, names, "is not a tunable");
  lua_pushliteral(L, ""); /* Lua's, so that an error leaves nothing behind */
  for (size_t i = 0; i < f->ntunables; i++)
    if (lua_getfield(L, -2, names[i]) == LUA_TNIL) {
      lua_pop(L, 1);
    } else {
      const char *value = take_value(r, &f->tunables[i]);
      const char *before = lua_tostring(L, -1);
      lua_pushfstring(L, "%s%s%s=%s", before, *before ? "," : "", names[i],
                      value);
      lua_remove(L, -2);
    }
  s->config = load_string(L, f, -1);
  lua_pop(L, 2);
}

static struct settings take_given(struct row *r)
{
  struct settings s = {0};
  take_problem(r, &s);
  take_config(r, &s);
  return s;
}

/* --- figures ------------------------------------------------------------- */

static const char *const figure_fields[] = {
  "study", "id", "what", "unit", "low", "high", "problem", "config", "arch",
  "note", NULL,
};

static void take_figure(struct row *r, int t, size_t i)
{
  struct family *f = r->f;
  struct figure g = {0};
  size_t same = 0;
  row_begin(r, t, i);
  g.id = name(r, "id");
  for (size_t j = 0; j < i; j++)
    same += !strcmp(f->figures[j].id, g.id);
  row_named(r, g.id, same, figure_fields);
  g.study = name(r, "study");
  for (size_t j = 0; j < i; j++)
    if (!strcmp(f->figures[j].id, g.id) &&
        !strcmp(f->figures[j].study, g.study))
      fail(r, "stands twice in study '%s'", g.study);
  g.what = text(r, "what", NULL);
  g.note = text(r, "note", "");
  g.arch = text(r, "arch", "gfx906");
  g.quantity = take_quantity(r, "unit", offsetof(struct quantity, unit));
  g.low = number(r, "low");
  g.high = number(r, "high");
  if (g.low <= 0 || g.low > g.high)
    fail(r, "low must be above 0, and high not below it");
  g.given = take_given(r);
  f->figures[f->nfigures++] = g;
  lua_settop(r->L, r->at - 1);
}

/* --- plots --------------------------------------------------------------- */

static const char *const plot_fields[] = {
  "name", "kind", "title", "x", "y", "series", "value", "problem", "config",
  "over", NULL,
};

static int legal(const struct family *f, const struct axis *a,
                 const struct value *v)
{
  if (!a->of_problem)
    return has_value(&f->tunables[family_tunable(f, a->name, strlen(a->name))],
                     v);
  struct value copy = *v;
  return !key_take(&f->keys[family_key(f, a->name)], &copy, NULL);
}

/* The values that `over` gives an axis, if it does. */
static void take_over(struct row *r, struct axis *a)
{
  lua_State *L = r->L;
  if (!open_table(r, "over"))
    return;
  int type = lua_getfield(L, -1, a->name);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    fail(r, "over: %s is a %s; it must be a list of values", a->name,
         luaL_typename(L, -1));
  if (type == LUA_TTABLE)
    a->n = load_values(L, r->f, a->name, r->line, &a->values);
  for (size_t i = 0; type == LUA_TTABLE && i < a->n; i++)
    if (!legal(r->f, a, &a->values[i]))
      fail(r, "over: %s cannot be '%s'", a->name,
           keep_value(r, &a->values[i]));
  lua_pop(L, 2);
}

static struct axis take_axis(struct row *r, const char *field)
{
  struct family *f = r->f;
  struct axis a = {.name = text(r, field, NULL)};
  size_t t = family_tunable(f, a.name, strlen(a.name));
  size_t k = family_key(f, a.name);
  if (t < f->ntunables) {
    a.meaning = f->tunables[t].meaning;
    a.n = f->tunables[t].nvalues;
    a.values = f->tunables[t].values;
  } else if (k < f->nkeys) {
    a.of_problem = 1;
    a.meaning = f->keys[k].meaning;
    a.n = f->keys[k].nvalues;
    a.values = f->keys[k].values;
  } else {
    fail(r, "%s is '%s', which is neither a tunable nor a key of the problem",
         field, a.name);
  }
  take_over(r, &a);
  if (!a.n)
    fail(r, "%s has no list of values; add over = { %s = { ... } }", a.name,
         a.name);
  return a;
}

/* Names in `over` that are no axis would do nothing. */
static void check_over(struct row *r, const struct plot *p)
{
  const char *const axes[] = {p->x.name, p->y.name, NULL};
  if (!open_table(r, "over"))
    return;
  check_known(r, axes, "is not an axis of the plot");
  lua_pop(r->L, 1);
}

/* An axis takes all its values: nothing else may fix it. */
static void check_free(struct row *r, const struct axis *a)
{
  const char *const field = a->of_problem ? "problem" : "config";
  if (!open_table(r, field))
    return;
  if (lua_getfield(r->L, -1, a->name) != LUA_TNIL)
    fail(r, "%s is an axis and stands in %s too", a->name, field);
  lua_pop(r->L, 2);
}

static void take_axes(struct row *r, struct plot *p)
{
  const char *const second = p->kind == PLOT_HEAT ? "y" : "series";
  const char *const other = p->kind == PLOT_HEAT ? "series" : "y";
  if (lua_getfield(r->L, r->at, other) != LUA_TNIL)
    fail(r, "a plot of this kind has %s, not %s", second, other);
  int has = lua_getfield(r->L, r->at, second) != LUA_TNIL;
  lua_pop(r->L, 2);
  p->x = take_axis(r, "x");
  if (has || p->kind == PLOT_HEAT)
    p->y = take_axis(r, second);
  if (p->y.name && !strcmp(p->x.name, p->y.name))
    fail(r, "x and %s are the same", second);
  check_over(r, p);
  check_free(r, &p->x);
  if (p->y.name)
    check_free(r, &p->y);
}

static void take_plot(struct row *r, int t, size_t i)
{
  struct family *f = r->f;
  struct plot p = {0};
  row_begin(r, t, i);
  p.name = name(r, "name");
  for (size_t j = 0; j < i; j++)
    if (!strcmp(f->plots[j].name, p.name))
      fail(r, "the name '%s' stands twice", p.name);
  row_named(r, p.name, 0, plot_fields);
  const char *kind = text(r, "kind", NULL);
  if (strcmp(kind, "heat") && strcmp(kind, "lines"))
    fail(r, "kind is '%s'; it can be heat, lines", kind);
  p.kind = *kind == 'h' ? PLOT_HEAT : PLOT_LINES;
  p.title = text(r, "title", NULL);
  p.quantity = take_quantity(r, "value", offsetof(struct quantity, name));
  take_axes(r, &p);
  p.given = take_given(r);
  f->plots[f->nplots++] = p;
  lua_settop(r->L, r->at - 1);
}

/* --- both lists ---------------------------------------------------------- */

static void take_list(lua_State *L, struct family *f, int t, const char *list,
                      size_t max, void (*take)(struct row *, int, size_t))
{
  struct row r = {.L = L, .f = f, .list = list};
  if (lua_getfield(L, t, list) != LUA_TNIL) {
    int at = lua_gettop(L);
    size_t n = lua_rawlen(L, at);
    for (size_t i = 0; i < n && i < max; i++)
      take(&r, at, i);
    if (n > max) {
      r.i = max;
      fail(&r, "there may be %d at most", (int)max);
    }
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
      if (!lua_isinteger(L, -2) || (size_t)lua_tointeger(L, -2) - 1 >= n)
        luaL_error(L, "%s: %s must be a list", f->source.file[SOURCE_LUA].path.at, list);
  }
  lua_pop(L, 1);
}

void figures_load(lua_State *L, struct family *f, int t)
{
  f->figures = family_keep(f, FAMILY_FIGURES * sizeof *f->figures);
  f->plots = family_keep(f, FAMILY_PLOTS * sizeof *f->plots);
  take_list(L, f, t, "figures", FAMILY_FIGURES, take_figure);
  take_list(L, f, t, "plots", FAMILY_PLOTS, take_plot);
}
