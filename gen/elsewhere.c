/* elsewhere.c - which other family is made for a problem. */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

struct request {
  struct family *f;
  struct str *out;
};

static int ask(lua_State *L)
{
  struct request *r = lua_touserdata(L, 1);
  lua_call(L, view_function(L, r->f, FUNCTION_ELSEWHERE), 1);
  if (lua_type(L, -1) == LUA_TSTRING)
    str_add(r->out, lua_tostring(L, -1));
  else if (!lua_isnil(L, -1))
    return luaL_error(L, "elsewhere: must return a text or nil, not a %s",
                      luaL_typename(L, -1));
  return 0;
}

int family_elsewhere(struct family *f, const struct problem *p, struct str *out,
                     struct err *e)
{
  struct request r = {f, out};
  if (f->functions[FUNCTION_ELSEWHERE] == LUA_NOREF)
    return 0;
  return family_call(f, SOURCE_LUA, ask, &r, p, NULL, e);
}
