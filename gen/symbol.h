/* symbol.h - a key of a problem before its value is known (inside gen only).
 *
 * While a family's functions are traced (trace.h), keys that may take any
 * value are shown as symbols. Arithmetic on symbols and integers, math.min and
 * math.max give other symbols: formulas of the keys. To compare one by < or
 * <=, to paste it or to count with it is an error. (By == and ~= Lua tells a
 * symbol from every number without asking: trace.c looks for that.)
 */
// SPDX-License-Identifier: MIT
#ifndef gen_symbol_h
#define gen_symbol_h

#include <lua.h>

#include "base/formula.h"

struct symbol {
  int number; /* a key that is no integer: can only be handed on */
  size_t n;
  struct formula_step step[];
};

void symbol_open(lua_State *L);
void symbol_push_key(lua_State *L, size_t key, int number);

/* The symbol at index i, or NULL. It lives as long as its Lua value. */
const struct symbol *symbol_at(lua_State *L, int i);

/* math.min and math.max; upvalue: Lua's own. */
int symbol_min(lua_State *L);
int symbol_max(lua_State *L);

#endif
