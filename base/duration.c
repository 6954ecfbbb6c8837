/* duration.c - see duration.h. */
// SPDX-License-Identifier: MIT
#include "base/duration.h"

#include <stdio.h>

void duration_format(double us, char *out, size_t room)
{
  static const struct {
    double us;
    const char *name;
  } units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "us"}};
  size_t i = 0;
  while (i < 2 && us < 0.9995 * units[i].us) /* what would round to 1 */
    i++;
  double value = us / units[i].us;
  snprintf(out, room, value < 999.5 ? "%.3g %s" : "%.0f %s", value,
           units[i].name);
}
