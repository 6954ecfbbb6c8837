/* image_readable.c - how far a program's memory goes on from a pointer.
 *
 * HIP gives images by their address alone; what their headers say is checked
 * against the mappings of the process.
 */
// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtimes/sim/load/image.h"

/* Lines are "begin-end rwxp ...", by address. */
size_t image_readable(const void *p)
{
  uintptr_t begin, end, reach = (uintptr_t)p;
  char access, *line = NULL;
  size_t room = 0;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && getline(&line, &room, maps) > 0)
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c", &begin, &end,
               &access) == 3 &&
        access == 'r' && begin <= reach && reach < end)
      reach = end;
  free(line);
  if (maps)
    fclose(maps);
  return reach - (uintptr_t)p;
}
