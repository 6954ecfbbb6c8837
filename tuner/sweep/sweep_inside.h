/* sweep_inside.h - a sweep file while it is read, for the files that read it. */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_inside_h
#define tuner_sweep_inside_h

#include "gen/sandbox.h"
#include "tuner/sweep/sweep_file.h"

/* --- sweep_file.c -------------------------------------------------------- */

void *sweep_keep(struct sweep_file *f, size_t size); /* zeroed */
const char *sweep_keep_text(struct sweep_file *f, const char *text);

/* The family's number; it is opened when it is first named. Raises an error
 * where it cannot be. */
size_t sweep_family(lua_State *L, struct sweep_file *f, const char *name);
/* The same, with -1 and e. */
int sweep_family_open(struct sweep_file *f, const char *name, struct err *e);

/* A new entry of `made`; NULL where there are too many. */
struct sweep_entry *sweep_make(struct sweep_file *f);

/* Is it an option that a sweep file may set? Then its text is checked, or NULL
 * returned with e. */
int sweep_is_term(const char *name);
int sweep_term(const struct sweep_pair *term, struct err *e);
const char *const *sweep_terms(void); /* their names; NULL ends them */

/* --- sweep_words.c ------------------------------------------------------- */

/* Push the table of the words that a sweep file has besides the library's. */
void sweep_words(lua_State *L, struct sweep_file *f);

/* The entries at index i: what a family's word or shapes() returned. 0 where
 * it is something else. */
int sweep_batch(lua_State *L, int i, size_t *first, size_t *n);

/* The value at index i as text, kept; raises an error that calls it `name`
 * where it is no word and no number. */
const char *sweep_text(lua_State *L, struct sweep_file *f, int i,
                       const char *name);
/* The option at the top of the stack, a boolean or a value. */
struct sweep_pair sweep_take_term(lua_State *L, struct sweep_file *f,
                                  const char *name);

#endif
