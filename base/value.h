/* value.h - a named value: problem keys, tunables, facts of an arch.
 *
 * A value is an integer, a number or a string. Strings are not owned: they
 * live as long as whatever the value came from (a family, the arch table).
 */
// SPDX-License-Identifier: MIT
#ifndef base_value_h
#define base_value_h

#include <stddef.h>

enum value_kind {VALUE_INT, VALUE_NUM, VALUE_STR};

struct value {
  enum value_kind kind;
  long long i;   /* VALUE_INT */
  double d;      /* VALUE_NUM */
  const char *s; /* VALUE_STR */
};

struct pair {
  const char *name;
  struct value value;
};

/* Write the value as people and files see it: 128, 0.5, nn. Numbers are
 * written so that reading them gives the same double. */
void value_format(const struct value *v, char *out, size_t room);
/* Text to a whole number, as people write them: 4096, -1, 1e9, 2.5e3. -1 where
 * it is none. */
int value_whole(const char *text, long long *out);

int value_equal(const struct value *a, const struct value *b);

#endif
