/* view.c - cfg, problem and arch as Lua sees them: strict and read-only.
 *
 * The views are made once; what they show is in the family. Reading a
 * tunable through cfg is recorded, which is how the space finds out what a
 * rule depends on.
 */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include "gen/lib.h"
#include "gen/symbol.h"
#include "gen/trace.h"

static const struct {
  const char *name, *unknown;
} views[] = { /* ORDER VIEW */
  {"cfg", "is not a tunable"},
  {"problem", "is not a key of the problem"},
  {"arch", "is not a fact of the arch"},
};

static_assert(sizeof views / sizeof *views == VIEW_N, "ORDER VIEW");

const char *view_name(enum view v)
{
  return views[v].name;
}

void view_value(lua_State *L, const struct value *v)
{
  switch (v->kind) {
  case VALUE_INT:
    lua_pushinteger(L, v->i);
    break;
  case VALUE_NUM:
    lua_pushnumber(L, v->d);
    break;
  case VALUE_STR:
    lua_pushstring(L, v->s);
    break;
  }
}

int view_read(lua_State *L, int i, struct value *v)
{
  *v = (struct value){0};
  switch (lua_type(L, i)) {
  case LUA_TNUMBER:
    v->kind = lua_isinteger(L, i) ? VALUE_INT : VALUE_NUM;
    v->i = lua_isinteger(L, i) ? lua_tointeger(L, i) : 0;
    v->d = lua_tonumber(L, i);
    return 1;
  case LUA_TSTRING:
    v->kind = VALUE_STR;
    v->s = lua_tostring(L, i);
    return 1;
  default:
    return 0;
  }
}

void view_symbol(lua_State *L, const struct family *f, size_t i)
{
  const struct value *v = &f->problem->values[i];
  if (trace_symbolic(&f->keys[i], v))
    symbol_push_key(L, i, v->kind == VALUE_NUM);
  else
    view_value(L, v);
}

static const struct value *cfg_value(struct family *f, size_t i)
{
  if (!(f->seen >> i & 1)) {
    f->seen |= UINT32_C(1) << i;
    f->order[f->nseen++] = (uint8_t)i;
  }
  return &f->tunables[i].values[f->config->at[i]];
}

/* Upvalues: table from name to position, the family, the view. */
static int read_field(lua_State *L)
{
  struct family *f = lua_touserdata(L, lua_upvalueindex(2));
  enum view v = (enum view)lua_tointeger(L, lua_upvalueindex(3));
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
    lua_pushvalue(L, lua_upvalueindex(1));
    return lib_unknown(L, 2, views[v].unknown, 4, 0);
  }
  size_t i = (size_t)lua_tointeger(L, 3);
  if ((v == VIEW_CFG && !f->config) || (v == VIEW_PROBLEM && !f->problem))
    return luaL_error(L, "%s has no values here", views[v].name);
  if (v == VIEW_PROBLEM)
    f->asked |= UINT32_C(1) << i;
  if (v == VIEW_PROBLEM && f->tracing)
    view_symbol(L, f, i);
  else
    view_value(L, v == VIEW_CFG       ? cfg_value(f, i)
                  : v == VIEW_PROBLEM ? &f->problem->values[i]
                                      : &f->facts[i].value);
  return 1;
}

static int refuse_field(lua_State *L)
{
  return luaL_error(L, "%s cannot be changed",
                    lua_tostring(L, lua_upvalueindex(1)));
}

static size_t count(const struct family *f, enum view v)
{
  return v == VIEW_CFG ? f->ntunables : v == VIEW_ARCH ? f->nfacts : f->nkeys;
}

static const char *name_at(const struct family *f, enum view v, size_t i)
{
  return v == VIEW_CFG    ? f->tunables[i].name
         : v == VIEW_ARCH ? f->facts[i].name
                          : f->keys[i].name;
}

void view_open(lua_State *L, struct family *f, enum view v)
{
  lua_newuserdatauv(L, 0, 0);
  lua_createtable(L, 0, 3);
  lua_newtable(L);
  for (size_t i = 0; i < count(f, v); i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_setfield(L, -2, name_at(f, v, i));
  }
  lua_pushlightuserdata(L, f);
  lua_pushinteger(L, v);
  lua_pushcclosure(L, read_field, 3);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, views[v].name);
  lua_pushcclosure(L, refuse_field, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  luaL_unref(L, LUA_REGISTRYINDEX, f->views[v]);
  f->views[v] = luaL_ref(L, LUA_REGISTRYINDEX);
}

int view_function(lua_State *L, struct family *f, enum function which)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->functions[which]);
  int of_problem = which == FUNCTION_COST || which == FUNCTION_COMPLETE ||
                   which == FUNCTION_REFERENCE || which == FUNCTION_BOUND ||
                   which == FUNCTION_ELSEWHERE;
  int n = 1;
  if (!of_problem) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_CFG]);
    n++;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_PROBLEM]);
  if (which != FUNCTION_COST) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->views[VIEW_ARCH]);
    n++;
  }
  return n;
}
