/* template.h - HIP text with Lua in it, as a Lua chunk.
 *
 *     @ for i = 0, rows - 1 do         a line of Lua: first non-blank is @
 *         float acc_$i = $(i * 2);     text; $name and $(expression) paste
 *     @ end                            $$ is a dollar
 *
 * Line n of the template becomes line n of the chunk, so positions in Lua's
 * errors are the template's. A text line becomes one call:
 * __text(file, n, "text", value, "text", value, ..., "text\n").
 */
// SPDX-License-Identifier: MIT
#ifndef gen_template_h
#define gen_template_h

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* Append the chunk for n bytes of template, whose calls name it by `number`;
 * errors name file:line. */
int template_translate(const char *text, size_t n, const char *file,
                       int number, struct str *out, struct err *e);

/* The source of paste i (from 0) of line `line` (from 1): "$name" or
 * "$(expression)", appended to out. */
void template_paste(const char *text, size_t n, size_t line, int i,
                    struct str *out);

#endif
