/* names.c - strict names: what Lua code can refer to, and errors otherwise. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/suggest.h"
#include "gen/lib.h"
#include "gen/sandbox.h"

enum {NAMES = 256};

/* Add the string keys of the table at index i to names, but for the
 * engine's own. */
static size_t collect(lua_State *L, int i, const char **names, size_t n)
{
  for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && *lua_tostring(L, -2) != '_' &&
        n < NAMES)
      names[n++] = lua_tostring(L, -2);
  return n;
}

/* The order of lua_next differs from run to run; a tie must not. */
static void sort(const char **names, size_t n)
{
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j && strcmp(names[j - 1], names[j]) > 0; j--) {
      const char *swap = names[j];
      names[j] = names[j - 1];
      names[j - 1] = swap;
    }
}

void lib_describe(lua_State *L, int key, const char *what, int table,
                  int more)
{
  const char *names[NAMES];
  size_t n = collect(L, table, names, 0);
  if (more)
    n = collect(L, more, names, n);
  sort(names, n);
  const char *wrong = luaL_tolstring(L, key, NULL);
  const char *near = suggest(wrong, names, n);
  if (near)
    lua_pushfstring(L, "'%s' %s; did you mean '%s'?", wrong, what, near);
  else
    lua_pushfstring(L, "'%s' %s", wrong, what);
  lua_remove(L, -2);
}

int lib_unknown(lua_State *L, int key, const char *what, int table, int more)
{
  luaL_where(L, 1);
  lib_describe(L, key, what, table, more);
  lua_concat(L, 2);
  return lua_error(L);
}

int lib_stray(lua_State *L, int t, const char *const *names, const char *what)
{
  lua_newtable(L);
  int known = lua_gettop(L);
  for (size_t i = 0; names[i]; i++) {
    lua_pushboolean(L, 1);
    lua_setfield(L, known, names[i]);
  }
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 2)) {
    lua_pushvalue(L, -2);
    if (lua_rawget(L, known) == LUA_TNIL) {
      lib_describe(L, lua_gettop(L) - 2, what, known, 0);
      lua_replace(L, known);
      lua_settop(L, known);
      return 1;
    }
  }
  lua_settop(L, known - 1);
  return 0;
}

static int unknown_field(lua_State *L)
{
  lua_settop(L, 2);
  return lib_unknown(L, 2, lua_tostring(L, lua_upvalueindex(1)), 1, 0);
}

void lib_strict(lua_State *L, const char *what)
{
  lua_createtable(L, 0, 1);
  lua_pushstring(L, what);
  lua_pushcclosure(L, unknown_field, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/* Upvalues: the library, the names of the environment. */
static int global(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
    return 1;
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  return lib_unknown(L, 2, "is not defined", 3, 4);
}

static int refuse_global(lua_State *L)
{
  const char *name = luaL_tolstring(L, 2, NULL);
  return luaL_error(L, "'%s' is not a local variable; write 'local %s'", name,
                    name);
}

/* _ENV stays empty, so that every assignment reaches __newindex. */
void sandbox_env(lua_State *L, int names)
{
  lua_newtable(L);
  lua_createtable(L, 0, 2);
  if (names)
    lua_pushvalue(L, names);
  else
    lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, LIB_TABLE);
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, global, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

void sandbox_compile(lua_State *L, const char *text, size_t n,
                     const char *name, int env)
{
  lua_pushfstring(L, "@%s", name);
  if (luaL_loadbufferx(L, text, n, lua_tostring(L, -1), "t"))
    lua_error(L);
  lua_remove(L, -2);
  lua_pushvalue(L, env);
  lua_setupvalue(L, -2, 1); /* a chunk's only upvalue is _ENV */
}

int sandbox_knows(lua_State *L, const char *name)
{
  lua_getfield(L, LUA_REGISTRYINDEX, LIB_TABLE);
  int known = lua_getfield(L, -1, name) != LUA_TNIL;
  lua_pop(L, 2);
  return known;
}
