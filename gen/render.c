/* render.c - a configuration to text, and compiler logs back to the template.
 *
 * The head comment says what a reader needs to make the text again. The
 * template's chunk calls emit() for each line of text.
 */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gen/directive.h"
#include "gen/lds_access.h"
#include "gen/lib.h"
#include "gen/template.h"
#include "gen/vocabulary.h"

enum {
  WIDTH = 78,       /* of the head comment, without a \\ at the end */
  LARGEST = 8 << 20 /* bytes of text: a runaway template */
};

struct rendering {
  struct family *f;
  struct str *text;
  struct linemap *map;
};

static void map_line(struct linemap *map, struct origin from)
{
  if (!map)
    return;
  if (!(map->n & (map->n + 1))) /* grow at 2^k - 1 */
    map->at = mem_resize(map->at, (2 * map->n + 2) * sizeof *map->at);
  map->at[map->n++] = from;
}

void linemap_free(struct linemap *map)
{
  free(map->at);
  *map = (struct linemap){0};
}

/* Value number i (from 0) of a line cannot be pasted. */
static int refuse(lua_State *L, const struct rendering *r, int index,
                  struct origin from, int i)
{
  const struct str *source = &r->f->source.file[from.file].text;
  struct str paste = {0};
  char name[128];
  template_paste(source->at, source->len, from.line, i, &paste);
  strncpy(name, str_text(&paste), sizeof name - 1);
  name[sizeof name - 1] = 0;
  str_free(&paste);
  if (lua_type(L, index) == LUA_TNUMBER)
    return luaL_error(L,
                      "%s is the float %f; only integers and strings are "
                      "pasted (divide by //, or use math.tointeger)",
                      name, lua_tonumber(L, index));
  return luaL_error(L, "%s is a %s; only integers and strings are pasted",
                    name, luaL_typename(L, index));
}

/* Move the line that starts at `from` by so many columns, to the left at most
 * by its blanks. Empty lines and the preprocessor's stay. */
static void move_line(struct str *text, size_t from, int columns)
{
  size_t blanks = strspn(text->at + from, " ");
  char first = text->at[from + blanks];
  if (!columns || !first || strchr("\n#", first))
    return;
  if (columns < 0) {
    size_t n = (size_t)-columns < blanks ? (size_t)-columns : blanks;
    memmove(text->at + from, text->at + from + n, text->len - from - n + 1);
    text->len -= n;
    return;
  }
  for (int i = 0; i < columns; i++)
    str_add(text, " ");
  size_t n = (size_t)columns;
  memmove(text->at + from + n, text->at + from, text->len - from - n);
  memset(text->at + from, ' ', n);
}

/* The arguments from the third on: text and values by turns. */
static void add_arguments(lua_State *L, const struct rendering *r,
                          struct origin from)
{
  int n = lua_gettop(L);
  for (int i = 3; i <= n; i++) {
    int pasted = i % 2 == 0, type = lua_type(L, i);
    if (pasted && type != LUA_TSTRING && !lua_isinteger(L, i))
      refuse(L, r, i, from, (i - 4) / 2);
    if (type == LUA_TNUMBER) {
      str_addf(r->text, "%lld", (long long)lua_tointeger(L, i));
    } else {
      size_t length;
      const char *text = luaL_checklstring(L, i, &length);
      str_add_bytes(r->text, text, length);
    }
    if (r->text->len > LARGEST)
      luaL_error(L, "more than %d MiB of text; look for an endless loop",
                 LARGEST >> 20);
  }
}

/* Is the line from `start` on an empty one behind another, or the first? */
static int is_second_empty(const struct str *text, size_t start)
{
  return text->len == start + 1 && text->at[start] == '\n' &&
         (!start || (text->at[start - 1] == '\n' &&
                     (start == 1 || text->at[start - 2] == '\n')));
}

/* Upvalue: the family. */
int render_text(lua_State *L)
{
  struct family *f = lua_touserdata(L, lua_upvalueindex(1));
  const struct rendering *r = f->rendering;
  struct origin from = { (unsigned)luaL_checkinteger(L, 1),
                         (unsigned)luaL_checkinteger(L, 2) };
  if (!r || from.file >= f->source.n)
    return luaL_error(L, "__text is the template's own");
  size_t start = r->text->len;
  add_arguments(L, r, from);
  if (is_second_empty(r->text, start))
    r->text->at[r->text->len = start] = 0;
  if (r->text->len == start)
    return 0;
  move_line(r->text, start, f->indent);
  for (const char *at = r->text->at + start;
       (at = memchr(at, '\n', (size_t)(r->text->at + r->text->len - at)));
       at++)
    map_line(r->map, from);
  return 0;
}

static void set_name(lua_State *L, const char *name, const struct value *v)
{
  view_value(L, v);
  lua_setfield(L, -2, name);
}

/* Values by their bare names, and the views for names put together. */
static void set_names(lua_State *L, struct family *f)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->names);
  for (size_t i = 0; i < f->ntunables; i++)
    set_name(L, f->tunables[i].name,
             &f->tunables[i].values[f->config->at[i]]);
  for (size_t i = 0; i < f->nkeys; i++)
    set_name(L, f->keys[i].name, &f->problem->values[i]);
  for (enum view v = 0; v < VIEW_N; v++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[v]);
    lua_setfield(L, -2, view_name(v));
  }
  lua_pop(L, 1);
}

static int render(lua_State *L)
{
  struct rendering *r = lua_touserdata(L, 1);
  set_names(L, r->f);
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->f->chunks[SOURCE_HIP]);
  lua_call(L, 0, 0);
  return 0;
}

/* Words on lines of at most WIDTH; `column` is where the line is now. */
static void add_word(struct str *out, size_t *column, const char *word,
                     const char *next_line)
{
  if (*column + 1 + strlen(word) > WIDTH) {
    str_add(out, next_line);
    *column = strlen(strchr(next_line, '\n') + 1);
  } else {
    str_add(out, " ");
    ++*column;
  }
  str_add(out, word);
  *column += strlen(word);
}

static const char *arch_name(const struct family *f)
{
  for (size_t i = 0; i < f->nfacts; i++)
    if (!strcmp(f->facts[i].name, "name") &&
        f->facts[i].value.kind == VALUE_STR)
      return f->facts[i].value.s;
  return "";
}

/* One word of the head: the i-th name with its value. */
static void pair_word(struct str *word, const char *format, const char *name,
                      const struct value *v)
{
  char text[64];
  value_format(v, text, sizeof text);
  str_clear(word);
  str_addf(word, format, name, text);
}

/* Problem and configuration, to read. */
static void add_pairs(struct str *out, const struct family *f,
                      const struct problem *p, const struct config *c)
{
  struct str word = {0};
  size_t column = strlen(" * problem:");
  str_add(out, " * problem:");
  for (size_t i = 0; i < f->nkeys; i++) {
    if (!key_shown(&f->keys[i], &p->values[i]))
      continue;
    pair_word(&word, "%s=%s", f->keys[i].name, &p->values[i]);
    add_word(out, &column, word.at, "\n *  ");
  }
  column = strlen(" * configuration:");
  str_add(out, "\n * configuration:");
  for (size_t i = 0; i < f->ntunables; i++) {
    pair_word(&word, "%s=%s", f->tunables[i].name,
              &f->tunables[i].values[c->at[i]]);
    add_word(out, &column, word.at, "\n *  ");
  }
  str_free(&word);
}

/* The command that makes this text. --set is repeated where it would be too
 * long for a line. */
static void add_command(struct str *out, const struct family *f,
                        const struct problem *p, const struct config *c)
{
  static const char next[] = " \\\n *     ";
  const char *file = f->source.file[SOURCE_LUA].path.at;
  int outside = strncmp(file, "templates/", 10) != 0;
  struct str word = {0};
  size_t column = 0;
  str_add(out, "\n *\n *  ");
  column = strlen(" *  ");
  add_word(out, &column, "tune emit", next);
  add_word(out, &column, outside ? file : family_name(f), next);
  str_addf(&word, "--arch %s", arch_name(f));
  add_word(out, &column, word.at, next);
  for (size_t i = 0; i < f->nkeys; i++) {
    if (!key_shown(&f->keys[i], &p->values[i]))
      continue;
    pair_word(&word, "--%s %s", f->keys[i].name, &p->values[i]);
    add_word(out, &column, word.at, next);
  }
  struct str set = {0};
  for (size_t i = 0; i <= f->ntunables; i++) {
    if (i < f->ntunables)
      pair_word(&word, "%s=%s", f->tunables[i].name,
                &f->tunables[i].values[c->at[i]]);
    if (set.len && (i == f->ntunables || set.len + word.len > WIDTH - 16)) {
      add_word(out, &column, set.at, next);
      str_clear(&set);
    }
    if (i < f->ntunables)
      str_addf(&set, "%s%s", set.len ? "," : "--set ", word.at);
  }
  str_free(&set);
  str_free(&word);
}

static void add_head(struct str *out, const struct family *f,
                     const struct problem *p, const struct config *c,
                     const struct plan *plan, long long lds)
{
  const struct launch *l = &plan->launches[0];
  str_addf(out, "/* %s for %s: %s\n *\n", family_name(f), arch_name(f),
           f->meaning);
  add_pairs(out, f, p, c);
  add_command(out, f, p, c);
  str_addf(out, "\n *\n * %u threads a workgroup",
           l->block[0] * l->block[1] * l->block[2]);
  if (f->functions[FUNCTION_LDS] != LUA_NOREF)
    str_addf(out, ", %lld bytes of LDS", lds + l->lds);
  else if (l->lds)
    str_addf(out, ", %u bytes of dynamic LDS", l->lds);
  str_addf(out, "\n * From %s %.8s.\n *\n",
           f->source.file[SOURCE_HIP].path.at, f->template_hash);
  plan_text(plan, WIDTH, out);
  str_add(out, " *\n * Generated. Edit the template.\n */\n");
}

/* A capability of the arch; `unknown` where the family has no arch. */
static int has(const struct family *f, const char *fact, int unknown)
{
  for (size_t i = 0; i < f->nfacts; i++)
    if (!strcmp(f->facts[i].name, fact))
      return f->facts[i].value.i != 0;
  return unknown;
}

/* Lines of the engine's own, from `start` of text on. */
static void map_own(struct linemap *map, const struct str *text, size_t start)
{
  for (size_t i = start; i < text->len; i++)
    if (text->at[i] == '\n')
      map_line(map, (struct origin){0});
}

/* What the target or its compiler lacks. */
static void add_words(struct str *text, const struct family *f,
                      const char *kernels)
{
  if (!has(f, "amdgcn", 1))
    vocabulary_add(kernels, text);
  else if (strstr(kernels, "__global__"))
    str_add(text, strstr(embedded_find("prelude.hip")->bytes, "\n#") + 1);
  if (has(f, "dot_iu", 0))
    vocabulary_add_dots(kernels, text);
}

/* The words, then the template's text and its lines. */
static void add_body(struct str *text, struct linemap *map,
                     const struct family *f, const struct str *body,
                     const struct linemap *lines)
{
  size_t start = text->len;
  add_words(text, f, str_text(body));
  map_own(map, text, start);
  str_add_bytes(text, body->at, body->len);
  for (size_t i = 0; i < lines->n; i++)
    map_line(map, lines->at[i]);
}

static int refuse_includes(const struct family *f, const struct str *body,
                           const struct linemap *lines, struct err *e)
{
  const char *word;
  size_t line = directive_include(str_text(body), &word);
  if (!line)
    return 0;
  struct origin from = {SOURCE_HIP, 1}; /* a last line without its end */
  if (line <= lines->n)
    from = lines->at[line - 1];
  return err_set(e, ERR_FAILED, "%s:%u: #%s: " DIRECTIVE_ADVICE,
                 f->source.file[from.file].path.at, from.line, word);
}

void family_plain(const struct family *f, struct str *text)
{
  add_words(text, f, f->plain);
  str_addf(text, "#line %d \"%s\"\n%s", f->plain_line,
           f->source.file[SOURCE_LUA].path.at, f->plain);
}

int family_render(struct family *f, const struct problem *p,
                  const struct config *c, struct str *text,
                  struct linemap *map, struct err *e)
{
  struct str body = {0};
  struct linemap lines = {0};
  struct rendering r = {f, &body, &lines};
  struct plan plan;
  long long lds;
  if (map)
    *map = (struct linemap){0};
  int failed = family_plan(f, p, c, &plan, e);
  if (!failed)
    failed = family_lds(f, p, c, &lds, e);
  if (failed)
    return failed;
  f->rendering = &r;
  f->indent = f->depth = 0;
  failed = family_call(f, SOURCE_HIP, render, &r, p, c, e);
  f->rendering = NULL;
  if (!failed)
    failed = refuse_includes(f, &body, &lines, e);
  if (!failed) {
    size_t start = text->len;
    add_head(text, f, p, c, &plan, lds);
    map_own(map, text, start);
    add_body(text, map, f, &body, &lines);
  }
  linemap_free(&lines);
  str_free(&body);
  return failed;
}

/* The number at *at, which must be followed by a colon; 0 if it is not one. */
static unsigned long position(const char **at)
{
  char *end;
  if (**at < '0' || **at > '9')
    return 0;
  unsigned long n = strtoul(*at, &end, 10);
  if (*end != ':')
    return 0;
  *at = end + 1;
  return n;
}

/* "(LINE):", as NVIDIA's compilers have it. */
static unsigned long nvidia_position(const char **at)
{
  char *end;
  unsigned long n = strtoul(*at + 1, &end, 10);
  if (end == *at + 1 || strncmp(end, "):", 2) != 0)
    return 0;
  *at = end + 2;
  return n;
}

void family_map_log(const struct family *f, const struct linemap *map,
                    const char *log, struct str *out)
{
  const char *name = f->file.at;
  size_t n = strlen(name);
  for (const char *hit; (hit = strstr(log, name)); log = hit) {
    const char *start = hit, *at = hit + n;
    while (start > log && !strchr(" \n\t'\"", start[-1]))
      start--; /* the path in front goes as well */
    unsigned long line = *at == ':'   ? (at++, position(&at))
                         : *at == '(' ? nvidia_position(&at)
                                      : 0;
    if (!line || line > map->n || !map->at[line - 1].line) {
      hit += n;
      str_add_bytes(out, log, (size_t)(hit - log));
      continue;
    }
    position(&at);
    str_add_bytes(out, log, (size_t)(start - log));
    struct origin from = map->at[line - 1];
    str_addf(out, "%s:%u:", f->source.file[from.file].path.at, from.line);
    hit = at;
  }
  str_add(out, log);
}
