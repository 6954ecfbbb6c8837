/* directive.h - text that would make the compiler read files. */
// SPDX-License-Identifier: MIT
#ifndef gen_directive_h
#define gen_directive_h

#include <stddef.h>

/* The line (from 1) of the first #include, or of what acts like it, in C++
 * text; 0 if there is none. In doubt it is one. *word: which, for a message. */
size_t directive_include(const char *text, const char **word);

/* What to do about it: the end of a sentence that names the word. */
#define DIRECTIVE_ADVICE \
  "a kernel stands on its own; write down what it needs, or take a part of " \
  "a template by @ include \"parts/NAME.hip\""

#endif
