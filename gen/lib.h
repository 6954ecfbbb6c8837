/* lib.h - the library that a family's Lua code sees, and strict names. */
// SPDX-License-Identifier: MIT
#ifndef gen_lib_h
#define gen_lib_h

#include <lua.h>

#define LIB_TABLE "wavetune.library" /* its place in the registry */

/* Set up the library in a fresh state; a C function for sandbox_call. */
int lib_open(lua_State *L);

/* Push "'KEY' WHAT; did you mean 'NAME'?", naming the key at index `key` and
 * the nearest of the keys of the tables at indices table and more (0: none). */
void lib_describe(lua_State *L, int key, const char *what, int table,
                  int more);
/* Raise that as an error. */
int lib_unknown(lua_State *L, int key, const char *what, int table, int more);
/* Is there a key in the table at t that is none of the names (NULL ends
 * them)? Then the sentence of lib_describe is pushed and 1 returned. */
int lib_stray(lua_State *L, int t, const char *const *names,
              const char *what);

/* Make reading an absent key of the table on the top an error that says
 * "'KEY' WHAT". */
void lib_strict(lua_State *L, const char *what);

enum arg_tag {TAG_I32 = 1, TAG_I64, TAG_F32};

/* What i32(), i64(), f32() made, at index i; 0 if it is something else. */
enum arg_tag lib_arg(lua_State *L, int i, long long *integer, double *number);
/* The symbol that it was made of (gen/symbol.h), or NULL. */
struct symbol;
const struct symbol *lib_arg_symbol(lua_State *L, int i);

#endif
