/* sweep_file.c - see sweep_file.h: the table that a sweep file returns. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/sweep_file.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "tuner/sweep/sweep_inside.h"

enum {FILE_BYTES = 4 << 20, DEEPEST = 16 /* lists in lists of problems */};

/* --- what lives as long as the file -------------------------------------- */

void *sweep_keep(struct sweep_file *f, size_t size)
{
  return keep_bytes(&f->kept, size);
}

const char *sweep_keep_text(struct sweep_file *f, const char *text)
{
  return keep_text(&f->kept, text);
}

struct sweep_entry *sweep_make(struct sweep_file *f)
{
  if (f->nmade == SWEEP_PROBLEMS)
    return NULL;
  if (f->nmade == f->room) {
    f->room = f->room ? 2 * f->room : 64;
    f->made = mem_resize(f->made, f->room * sizeof *f->made);
  }
  return &f->made[f->nmade++];
}

/* --- families ------------------------------------------------------------ */

static int open_family(struct sweep_file *f, const char *name, struct err *e)
{
  struct sweep_family *x = &f->families[f->nfamilies];
  if (f->nfamilies == SWEEP_FAMILIES) {
    err_set(e, ERR_FAILED, "more than %d families", SWEEP_FAMILIES);
    return -1;
  }
  if (family_open(&x->family, name, f->templates, e))
    return -1;
  x->name = sweep_keep_text(f, name);
  for (size_t i = 0; i < f->nfamilies; i++)
    if (!strcmp(family_name(f->families[i].family), family_name(x->family))) {
      err_set(e, ERR_FAILED, "%s and %s are both called %s, and their results "
              "would be mixed; rename one", f->families[i].name, name,
              family_name(x->family));
      family_close(x->family);
      return -1;
    }
  return (int)f->nfamilies++;
}

int sweep_family_open(struct sweep_file *f, const char *name, struct err *e)
{
  for (size_t i = 0; i < f->nfamilies; i++)
    if (!strcmp(f->families[i].name, name))
      return (int)i;
  return open_family(f, name, e);
}

size_t sweep_family(lua_State *L, struct sweep_file *f, const char *name)
{
  struct err e = {0};
  int i = sweep_family_open(f, name, &e);
  if (i < 0)
    luaL_error(L, "%s", e.text);
  return (size_t)i;
}

/* --- options ------------------------------------------------------------- */

static const char *const terms[] = {"evals", "seconds", "search", "seed",
                                    "afresh", "timeout", "precision", "hot",
                                    NULL};

const char *const *sweep_terms(void)
{
  return terms;
}

int sweep_is_term(const char *name)
{
  for (size_t i = 0; terms[i]; i++)
    if (!strcmp(terms[i], name))
      return 1;
  return 0;
}

/* The sentence of a command line begins with two dashes. */
int sweep_term(const struct sweep_pair *term, struct err *e)
{
  struct options unused = {0};
  if (!options_set(&unused, term->name, term->text, e))
    return 0;
  struct err was = *e;
  return err_set(e, was.code, "%s",
                 was.text + (strncmp(was.text, "--", 2) ? 0 : 2));
}

static int set_terms(struct options *out, const struct sweep_pair *list,
                     size_t n, struct err *e)
{
  for (size_t i = 0; i < n; i++)
    if (!options_given(out, list[i].name) &&
        options_set(out, list[i].name, list[i].text, e))
      return e->code;
  return 0;
}

int sweep_file_options(const struct sweep_file *f, const struct sweep_entry *x,
                       const struct options *line, struct options *out,
                       struct err *e)
{
  *out = *line;
  options_forget(out, "seconds");
  if (set_terms(out, x->terms, x->nterms, e) ||
      set_terms(out, f->terms, f->nterms, e))
    return e->code;
  out->nkeys = x->nkeys;
  for (size_t i = 0; i < x->nkeys; i++) {
    out->names[i] = x->keys[i].name;
    out->texts[i] = x->keys[i].text;
  }
  return 0;
}

/* --- the table ----------------------------------------------------------- */

/* The line in which a field of the table is given; 0 where it is not found:
 * Lua keeps none. */
static int line_of(const char *text, const char *field)
{
  size_t n = strlen(field);
  int line = 1;
  for (const char *at = text; at; line++) {
    const char *word = at + strspn(at, " \t{,");
    if (!strncmp(word, field, n) && word[n + strspn(word + n, " \t")] == '=')
      return line;
    at = strchr(at, '\n');
    at = at ? at + 1 : NULL;
  }
  return 0;
}

struct reading {
  struct sweep_file *f;
  const char *text;
  size_t n;
};

static int fail(lua_State *L, const struct reading *r, const char *field,
                const char *format, ...)
{
  int line = field ? line_of(r->text, field) : 0;
  va_list args;
  if (line)
    lua_pushfstring(L, "%s:%d: ", r->f->path.at, line);
  else
    lua_pushfstring(L, "%s: ", r->f->path.at);
  va_start(args, format);
  lua_pushvfstring(L, format, args);
  va_end(args);
  lua_concat(L, 2);
  return lua_error(L);
}

static void add_arch(lua_State *L, const struct reading *r)
{
  struct sweep_file *f = r->f;
  if (lua_type(L, -1) != LUA_TSTRING)
    fail(L, r, "arch", "arch is a %s; it must be a name, or a list of names: "
         "`tune list archs`", luaL_typename(L, -1));
  if (f->narchs == SWEEP_ARCHS)
    fail(L, r, "arch", "more than %d architectures", SWEEP_ARCHS);
  f->archs[f->narchs++] = sweep_text(L, f, -1, "arch");
}

static void take_arch(lua_State *L, const struct reading *r)
{
  size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  r->f->arch_line = line_of(r->text, "arch");
  if (!lua_istable(L, -1))
    add_arch(L, r);
  for (size_t i = 1; i <= n; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i);
    add_arch(L, r);
    lua_pop(L, 1);
  }
  if (!r->f->narchs)
    fail(L, r, "arch", "arch is an empty list; name one");
}

static void take_device(lua_State *L, const struct reading *r)
{
  r->f->device = sweep_text(L, r->f, -1, "device");
}

static void take_night(lua_State *L, const struct reading *r)
{
  int isnum;
  double seconds = lua_tonumberx(L, -1, &isnum);
  if (!isnum || lua_type(L, -1) != LUA_TNUMBER || !(seconds > 0) ||
      !isfinite(seconds))
    fail(L, r, "night", "night must be a number of seconds: night = 6 * 3600");
  r->f->night = seconds;
}

static const char *const unchanged[] = {"keep", "measure", "near"};

static_assert(sizeof unchanged / sizeof *unchanged == UNCHANGED_N,
              "ORDER SWEEP_UNCHANGED");

static void take_unchanged(lua_State *L, const struct reading *r)
{
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  unsigned i = 0;
  while (i < UNCHANGED_N && strcmp(word, unchanged[i]) != 0)
    i++;
  if (i == UNCHANGED_N)
    fail(L, r, "unchanged", "unchanged must be \"keep\" (the default: what has "
         "not changed is not measured again), \"measure\" (winners and "
         "runners-up are) or \"near\" (winners of the nearest problems are "
         "timed on it)");
  r->f->unchanged = (enum sweep_unchanged)i;
}

static void use(struct sweep_file *f, size_t first, size_t n)
{
  for (size_t i = first; i < first + n; i++)
    f->list[f->n++] = &f->made[i];
}

/* The number of problems of the list on the top, and of lists in it; with
 * `take`, they are put to the file's. */
static size_t walk(lua_State *L, const struct reading *r, int depth, int take)
{
  size_t first, n, all = 0, count = lua_rawlen(L, -1);
  luaL_checkstack(L, 4, "lists of problems");
  if (depth == DEEPEST)
    fail(L, r, "problems", "problems: more than %d lists in each other",
         DEEPEST);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i);
    if (sweep_batch(L, -1, &first, &n)) {
      all += n;
      if (take)
        use(r->f, first, n);
    } else if (lua_istable(L, -1)) {
      all += walk(L, r, depth + 1, take);
    } else {
      fail(L, r, "problems", "entry %d of a list of problems is a %s; write a "
           "family and its keys: gemm { m = 64 }", (int)i,
           luaL_typename(L, -1));
    }
    if (all > SWEEP_PROBLEMS)
      fail(L, r, "problems", "more than %d problems; sweep fewer, or split the "
           "file", SWEEP_PROBLEMS);
    lua_pop(L, 1);
  }
  return all;
}

static void take_problems(lua_State *L, const struct reading *r)
{
  if (!lua_istable(L, -1))
    fail(L, r, "problems", "problems is a %s; it must be a list: { gemm {}, "
         "lds {} }", luaL_typename(L, -1));
  size_t n = walk(L, r, 0, 0);
  if (!n)
    fail(L, r, "problems", "problems is an empty list");
  r->f->list = sweep_keep(r->f, n * sizeof *r->f->list);
  walk(L, r, 0, 1);
}

static const struct field {
  const char *name;
  void (*take)(lua_State *L, const struct reading *r);
  const char *missing; /* what to add; NULL: it is optional */
} fields[] = {
    {"arch", take_arch, "arch = \"gfx906\""},
    {"device", take_device, NULL},
    {"night", take_night, NULL},
    {"unchanged", take_unchanged, NULL},
    {"problems", take_problems, "problems = { gemm {}, lds {} }"},
};

enum {FIELDS = sizeof fields / sizeof *fields};

static void take_terms(lua_State *L, const struct reading *r, int t)
{
  struct sweep_file *f = r->f;
  struct err e = {0};
  for (size_t i = 0; terms[i]; i++) {
    int type = lua_getfield(L, t, terms[i]);
    struct sweep_pair term = {terms[i], NULL};
    if (type == LUA_TSTRING || type == LUA_TNUMBER)
      term.text = sweep_text(L, f, -1, terms[i]);
    else if (type != LUA_TNIL && (type != LUA_TBOOLEAN || !lua_toboolean(L, -1)))
      fail(L, r, terms[i], "%s is a %s; it must be a number or a word%s",
           terms[i], lua_typename(L, type), type == LUA_TBOOLEAN
           ? ", or be left out" : "");
    lua_pop(L, 1);
    if (type == LUA_TNIL)
      continue;
    if (sweep_term(&term, &e))
      fail(L, r, terms[i], "%s", e.text);
    f->terms[f->nterms++] = term;
  }
}

static void check_names(lua_State *L, const struct reading *r, int t)
{
  const char *names[FIELDS + SWEEP_TERMS];
  size_t n = 0;
  for (size_t i = 0; i < FIELDS; i++)
    names[n++] = fields[i].name;
  for (size_t i = 0; terms[i]; i++)
    names[n++] = terms[i];
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
    const char *wrong = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2)
                                                       : NULL;
    size_t i = 0;
    if (!wrong)
      fail(L, r, NULL, "the table has entries without a name; problems stand "
           "in problems = { ... }");
    while (i < n && strcmp(names[i], wrong) != 0)
      i++;
    const char *near = i < n ? NULL : suggest(wrong, names, n);
    if (i == n)
      fail(L, r, wrong, "'%s' is no field of a sweep%s%s%s", wrong,
           near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "; docs/sweeps.md lists them");
  }
}

static int load(lua_State *L)
{
  struct reading *r = lua_touserdata(L, 1);
  sweep_words(L, r->f);
  sandbox_env(L, lua_gettop(L));
  sandbox_compile(L, r->text, r->n, r->f->path.at, lua_gettop(L));
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1))
    return fail(L, r, NULL, "returns a %s; it must return the table of a "
                "sweep: return { arch = ..., problems = { ... } }",
                luaL_typename(L, -1));
  int t = lua_gettop(L);
  check_names(L, r, t);
  take_terms(L, r, t);
  for (size_t i = 0; i < FIELDS; i++) {
    if (lua_getfield(L, t, fields[i].name) != LUA_TNIL)
      fields[i].take(L, r);
    else if (fields[i].missing)
      fail(L, r, NULL, "field '%s' is missing; add %s", fields[i].name,
           fields[i].missing);
    lua_pop(L, 1);
  }
  return 0;
}

static int name_it(struct sweep_file *f, struct err *e)
{
  const char *slash = strrchr(f->path.at, '/');
  str_addf(&f->folder, "%.*s", slash ? (int)(slash - f->path.at) : 1,
           slash ? f->path.at : ".");
  night_sweep(f->path.at, f->name);
  if (!*f->name || f->name[strspn(f->name, "abcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-")] || *f->name == '.')
    return err_set(e, ERR_USAGE, "%s: the sweep is called as its file; call it "
                   "by lower-case letters, digits, dot, - and _", f->path.at);
  return 0;
}

int sweep_file_read(struct sweep_file *f, const char *path,
                    const char *templates, struct err *e)
{
  struct sandbox *box = NULL;
  struct str text = {0};
  *f = (struct sweep_file){.templates = templates};
  str_add(&f->path, path);
  int code = name_it(f, e);
  if (!code)
    code = file_read(path, FILE_BYTES, &text, e);
  if (!code)
    code = sandbox_open(&box, e);
  struct reading r = {f, str_text(&text), text.len};
  if (!code) {
    str_add_bytes(&f->hashed, r.text, r.n);
    code = sandbox_call(box, load, &r, path, e);
  }
  if (!code)
    hash_hex(f->hashed.at, f->hashed.len, f->hash);
  sandbox_close(box);
  str_free(&text);
  return code;
}

void sweep_file_free(struct sweep_file *f)
{
  for (size_t i = 0; i < f->nfamilies; i++)
    family_close(f->families[i].family);
  keep_free(&f->kept);
  free(f->made);
  str_free(&f->hashed);
  str_free(&f->folder);
  str_free(&f->path);
  *f = (struct sweep_file){0};
}
