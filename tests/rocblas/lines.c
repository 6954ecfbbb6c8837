/* lines.c - the lines that rocBLAS keeps of its kernels' speeds, as a table.
 *
 *   rocblas_lines INDEX.dat FILE
 *
 * Tensile fitted 1000 K / GFLOPS = intercept + slope K to each kernel of three
 * sgemm files (time.c says how). Prints a TSV for rocblas_time: a row for each
 * kernel of the index that has such a line and is in assembly, FILE as the
 * file that holds it.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "runtimes/sim/load/pack.h"

struct line {
  struct pack_text kernel;
  double intercept, slope;
  int known; /* both */
};

static int model_field(struct pack *p, struct pack_text key, void *to)
{
  struct line *l = to;
  int slope = pack_is(key, "slope");
  if (!slope && !pack_is(key, "intercept"))
    return pack_skip(p);
  l->known++;
  return pack_real(p, slope ? &l->slope : &l->intercept);
}

static int solution_field(struct pack *p, struct pack_text key, void *to)
{
  struct line *l = to;
  if (pack_is(key, "name"))
    return pack_string(p, &l->kernel);
  return pack_is(key, "linearModel") ? pack_fields(p, model_field, l)
                                     : pack_skip(p);
}

/* Of kernels that Tensile left to the compiler the name says so. */
static int is_assembly(struct pack_text kernel)
{
  static const char compiled[] = "_ISA000_";
  return !memmem(kernel.at, kernel.len, compiled, sizeof compiled - 1);
}

static int solutions_field(struct pack *p, struct pack_text key, void *to)
{
  uint32_t n;
  if (!pack_is(key, "solutions"))
    return pack_skip(p);
  if (!pack_array(p, &n))
    return 0;
  while (n--) {
    struct line l = {.known = 0};
    if (!pack_fields(p, solution_field, &l))
      return 0;
    if (l.known == 2 && l.kernel.at && is_assembly(l.kernel))
      printf("%.*s\t%s\t%.17g\t%.17g\n", (int)l.kernel.len, l.kernel.at,
             (const char *)to, l.slope, l.intercept);
  }
  return 1;
}

int main(int argc, char **argv)
{
  struct str index = {0};
  struct err e;
  if (argc != 3) {
    fprintf(stderr, "usage: rocblas_lines INDEX.dat FILE\n");
    return 2;
  }
  if (file_read(argv[1], (size_t)1 << 30, &index, &e)) {
    fprintf(stderr, "rocblas_lines: %s\n", e.text);
    return 1;
  }
  const uint8_t *at = (const uint8_t *)str_text(&index);
  struct pack p = {at, at + index.len};
  printf("kernel\tfile\tslope\tintercept\n");
  int good = pack_fields(&p, solutions_field, argv[2]);
  if (!good)
    fprintf(stderr, "rocblas_lines: %s is damaged\n", argv[1]);
  str_free(&index);
  return !good;
}
