/* about.h - the head of every benchmark's output: command, machine, compiler,
 * so that a figure can be told from one made elsewhere. */
// SPDX-License-Identifier: MIT
#ifndef bench_about_h
#define bench_about_h

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static inline void about_processor(void)
{
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
      printf("# on %ld x%s", sysconf(_SC_NPROCESSORS_ONLN),
             strchr(line, ':') + 1);
      break;
    }
  if (f)
    fclose(f);
}

static inline void about(int argc, char **argv)
{
  struct utsname u;
  printf("#");
  for (int i = 0; i < argc; i++)
    printf(" %s", argv[i]);
  printf("\n");
  about_processor();
  if (!uname(&u))
    printf("# %s %s, compiled by %s\n", u.sysname, u.release, __VERSION__);
}

#endif
