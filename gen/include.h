/* include.h - which parts a file of a family includes. */
// SPDX-License-Identifier: MIT
#ifndef gen_include_h
#define gen_include_h

#include <stddef.h>

/* The next `include "NAME"` or `include("NAME")` in the Lua code of text, from
 * *at on (0 at first): a copy of NAME, to free(), with *at behind it; NULL at
 * the end. In a template (`marked`) Lua stands on lines that start with @.
 * Comments do not count. */
char *include_next(const char *text, size_t *at, int marked);

#endif
