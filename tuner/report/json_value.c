/* json_value.c - see json_value.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/str.h"
#include "tuner/report/json_value.h"

json_t *json_text(const char *s)
{
  json_t *j = json_string(s);
  if (j)
    return j;
  struct str clean = {0};
  for (; *s; s++)
    str_addf(&clean, "%c", (unsigned char)*s < 0x80 ? *s : '?');
  j = json_string(str_text(&clean));
  str_free(&clean);
  return j;
}

json_t *json_finite(double x)
{
  return isfinite(x) ? json_real(x) : json_null();
}
