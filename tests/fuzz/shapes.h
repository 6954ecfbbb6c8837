/* shapes.h - what must hold of files of shapes for any bytes. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_shapes_h
#define tests_fuzz_shapes_h

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/store.h"
#include "tuner/sweep/shapes.h"

/* Every word is inside of the text, and none has a blank. */
static inline int check_shape(void *user, const struct shape *s, struct err *e)
{
  size_t *n = user;
  (void)e;
  MUST(*s->family && !strpbrk(s->family, " \t\r\n=") && s->line > 0);
  for (size_t i = 0; i < s->n; i++) {
    MUST(*s->names[i] && !strpbrk(s->names[i], " \t\r\n="));
    MUST(*s->texts[i] && !strpbrk(s->texts[i], " \t\r\n"));
    MUST(strcmp(s->names[i], "count") != 0);
  }
  MUST(s->count >= 0);
  ++*n;
  return 0;
}

/* Shapes that the text has; what is refused says where. */
static inline size_t check_shapes(const void *bytes, size_t n)
{
  char *text = malloc(n + 1);
  struct err e = {0};
  size_t found = 0;
  MUST(text);
  if (n)
    memcpy(text, bytes, n);
  text[n] = 0;
  if (shapes_parse(text, n, "file", check_shape, &found, &e))
    MUST(e.code && !strncmp(e.text, "file:", 5));
  free(text);
  return found;
}

#endif
