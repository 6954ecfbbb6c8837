/* report.c - how long a year of nights takes to report.
 *
 *   ninja -C build/release bench_report make_nights tune
 *   build/release/tests/bench/bench_report [NIGHTS PROBLEMS]
 *
 * Nights that nobody ran (tests/nights), 365 of 500 problems where not said
 * otherwise, in a folder of their own; the report is made as text and as a page,
 * three times each.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"

static double cpu(void)
{
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec +
         (double)u.ru_stime.tv_sec + 1e-6 * (double)u.ru_stime.tv_usec;
}

static void run(const char *command)
{
  if (system(command)) {
    fprintf(stderr, "bench_report: failed: %s\n", command);
    exit(1);
  }
}

int main(int argc, char **argv)
{
  static const char *const formats[] = {"text", "html"};
  char folder[] = "/tmp/bench-report-XXXXXX", command[1000];
  const char *nights = argc > 1 ? argv[1] : "365";
  const char *problems = argc > 2 ? argv[2] : "500";
  if (!mkdtemp(folder))
    return 1;
  snprintf(command, sizeof command, BUILD_DIR "/tests/nights/make_nights %s "
           "year %s %s 20 measured changed", folder, nights, problems);
  run(command);
  printf("%s nights of %s problems\n", nights, problems);
  for (int i = 0; i < 6; i++) {
    double begun = clock_now(), busy = cpu();
    snprintf(command, sizeof command, BUILD_DIR "/tune report --db %s --format "
             "%s --out %s/out", folder, formats[i / 3], folder);
    run(command);
    printf("%-5s %5.2f s, %5.2f s of a processor\n", formats[i / 3],
           clock_now() - begun, cpu() - busy);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  run(command);
  return 0;
}
