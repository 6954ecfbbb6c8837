/* str.h - a growable string.
 *
 * Zero-initialise (`struct str s = {0};`), add to it, str_free() it. s.at is
 * always NUL-terminated once something was added, and may hold NUL bytes.
 * Running out of memory ends the program with a message (mem.h).
 */
// SPDX-License-Identifier: MIT
#ifndef base_str_h
#define base_str_h

#include <stddef.h>

struct str {
  char *at;
  size_t len, room;
};

void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const void *bytes, size_t n);
void str_addf(struct str *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "%zu table%s": the letter behind a number of things. */
#define PLURAL(n) ((n) == 1 ? "" : "s")

void str_clear(struct str *s); /* empty, but keep the memory */
void str_free(struct str *s);

/* The text, or "" where nothing was added yet. */
const char *str_text(const struct str *s);

#endif
