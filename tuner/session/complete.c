/* complete.c - see complete.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/complete.h"

#include <string.h>

enum {LEFT_OUT = UINT8_MAX}; /* no tunable has so many values */

static int put(const struct task *k, const char *const *sets, size_t n,
               struct config *c, struct err *e)
{
  for (size_t i = 0; i < n; i++)
    if (config_parse(k->family, sets[i], 1, c, e)) {
      task_tell_lack(k, sets[i], e);
      return e->code;
    }
  return 0;
}

int complete(const struct task *k, const struct config *base,
             const char *const *sets, size_t n, struct config *out,
             struct err *e)
{
  struct config given, whole = {0}, other;
  uint8_t fixed[FAMILY_TUNABLES];
  memset(&given, LEFT_OUT, sizeof given);
  if (put(k, sets, n, &given, e))
    return e->code;
  if (base)
    whole = *base;
  else
    space_first(k->space, &whole);
  for (size_t i = 0; i < FAMILY_TUNABLES; i++) {
    fixed[i] = given.at[i] != LEFT_OUT;
    if (fixed[i])
      whole.at[i] = given.at[i];
  }
  int other_fits = space_rule(k->space, &whole) &&
                   space_first_with(k->space, &given, fixed, &other);
  *out = other_fits ? other : whole;
  return 0;
}
