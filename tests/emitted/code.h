/* code.h - emitted text, compiled once for each content, and compared. */
// SPDX-License-Identifier: MIT
#ifndef tests_emitted_code_h
#define tests_emitted_code_h

#include "base/str.h"
#include "tuner/device/compiler.h"

/* Comments and blanks out; the definitions that hiprtc has itself, too. What
 * is left decides what is compiled. */
void code_tokens(const char *text, struct str *out);

struct code_cache {
  const char *folder;
  const struct arch *arch;
  struct rtc rtc;
  char version[COMPILER_VERSION];
};

/* The code object of text, whose tokens are given, from the folder or from
 * the compiler. */
int code_of(struct code_cache *c, const char *text, const struct str *tokens,
            struct str *code, struct err *e);

/* Do the instructions and kernel descriptors agree? Where in the file things
 * lie does not count. */
int code_same(const struct str *a, const struct str *b);

#endif
