/* part.c - the parts of a family as Lua chunks, and `include`.
 *
 * include("parts/tile.hip", ...) runs the part where it stands: a .hip writes
 * its text there, and what either kind returns, include returns. The rest of
 * the arguments are the part's `...`. A part sees the names that its includer
 * sees, but for the includer's local variables.
 */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include "gen/lib.h"
#include "gen/template.h"

enum {DEEPEST = 16};

/* Upvalue: the family. */
static int include(lua_State *L)
{
  struct family *f = lua_touserdata(L, lua_upvalueindex(1));
  const char *name = luaL_checkstring(L, 1);
  size_t i = source_part(&f->source, name);
  if (i == f->source.n)
    return luaL_error(L, "include '%s': the name must stand there in quotes, "
                         "as in include \"parts/loop.hip\"", name);
  if (source_is_text(&f->source.file[i]) && !f->rendering)
    return luaL_error(L, "include '%s': text can be included by a .hip only",
                      name);
  if (f->depth == DEEPEST)
    return luaL_error(L, "include '%s': more than %d deep; look for parts "
                         "that include each other", name, DEEPEST);
  f->depth++;
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->chunks[i]);
  lua_replace(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  f->depth--;
  return lua_gettop(L);
}

/* indent(N, F, ...): what F(...) writes moves N columns to the right. */
static int indent(lua_State *L)
{
  struct family *f = lua_touserdata(L, lua_upvalueindex(1));
  lua_Integer by = luaL_checkinteger(L, 1);
  if (!f->rendering)
    return luaL_error(L, "indent moves text, and there is none in a .lua");
  if (by < -WIDEST || by > WIDEST)
    return luaL_error(L, "indent by %I: more than %d columns", by, WIDEST);
  f->indent += (int)by;
  lua_remove(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  f->indent -= (int)by;
  return lua_gettop(L);
}

static const struct {
  const char *name;
  lua_CFunction call;
} functions[] = {
  {"include", include}, {"indent", indent}, {"__text", render_text},
};

/* The family's own words join the library. */
int parts_open(lua_State *L)
{
  struct family *f = lua_touserdata(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, LIB_TABLE);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    lua_pushlightuserdata(L, f);
    lua_pushcclosure(L, functions[i].call, 1);
    lua_setfield(L, -2, functions[i].name);
  }
  return 0;
}

static void compile(lua_State *L, struct family *f, size_t i,
                    const struct str *text, int env)
{
  sandbox_compile(L, str_text(text), text->len, f->source.file[i].path.at,
                  env);
  f->chunks[i] = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Parts in Lua see the library alone. */
int parts_compile_lua(lua_State *L)
{
  struct family *f = lua_touserdata(L, 1);
  sandbox_env(L, 0);
  int env = lua_gettop(L);
  for (size_t i = SOURCE_PARTS; i < f->source.n; i++)
    if (!source_is_text(&f->source.file[i]))
      compile(L, f, i, &f->source.file[i].text, env);
  return 0;
}

struct request {
  struct family *f;
  const struct str *text; /* of each file: the template as Lua */
};

/* Text sees the names that get their values at each rendering, too. */
static int compile_text(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  lua_newtable(L);
  sandbox_env(L, 1 + 1);
  int env = lua_gettop(L);
  for (size_t i = SOURCE_HIP; i < r->f->source.n; i++)
    if (source_is_text(&r->f->source.file[i]))
      compile(L, r->f, i, &r->text[i], env);
  lua_settop(L, 1 + 1);
  r->f->names = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

int parts_compile(struct family *f, struct err *e)
{
  struct str text[SOURCE_FILES] = {{0}};
  struct request r = {f, text};
  int failed = 0;
  for (size_t i = SOURCE_HIP; !failed && i < f->source.n; i++) {
    const struct file *file = &f->source.file[i];
    if (source_is_text(file))
      failed = template_translate(str_text(&file->text), file->text.len,
                                  file->path.at, (int)i, &text[i], e);
  }
  if (!failed)
    failed = sandbox_call(f->box, compile_text, &r,
                          f->source.file[SOURCE_HIP].path.at, e);
  for (size_t i = 0; i < SOURCE_FILES; i++)
    str_free(&text[i]);
  return failed;
}
