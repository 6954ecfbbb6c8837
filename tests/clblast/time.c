/* time.c - CLBlast's Xgemm through the timing model, beside recorded times.
 *
 *   clblast_time TABLE FOLDER WANT [PART/PARTS]
 *
 * The table is tests/data/mi50_clblast_xgemm.tsv; FOLDER holds a code object
 * ROW.hsaco for each of its rows. WANT of the rows, counted from 0: `even`,
 * `odd` or `all`. In the mode that simulates no more than the time needs.
 * Prints a row of a TSV for each.
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "runtimes/sim/hipsim.h"

enum {SIZE = 4096, COLUMNS = 16};

/* ORDER COLUMN: of the table */
enum column {MWG, NWG, KWG, MDIMC, NDIMC, MS = COLUMNS - 1};

/* As the kernel declares them. */
struct args {
  int m, n, k;
  float alpha, beta;
  void *a, *b, *c;
  int b_offset, c_offset;
};

struct session {
  const char *folder;
  int first, step; /* of the rows */
  unsigned part, parts;
  void *matrices[3];
};

static int check(hipError_t result, const char *call, struct err *e)
{
  return result ? err_set(e, ERR_FAILED, "%s: error %d, %s", call, (int)result,
                          hipsimError())
                : 0;
}

static int launch(struct session *s, hipFunction_t f, const unsigned *v,
                  struct err *e)
{
  struct args args = {SIZE, SIZE, SIZE, 1, 0, s->matrices[0], s->matrices[1],
                      s->matrices[2], 0, 0};
  size_t bytes = sizeof args;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  int code = check(hipModuleLaunchKernel(f, SIZE / v[MWG], SIZE / v[NWG], 1,
                                         v[MDIMC], v[NDIMC], 1, 0, NULL, NULL,
                                         extra),
                   "hipModuleLaunchKernel", e);
  return code ? code : check(hipDeviceSynchronize(), "hipDeviceSynchronize", e);
}

static int time_module(struct session *s, hipModule_t module, const char *line,
                       const unsigned *v, double ms, struct err *e)
{
  struct hipsim_report r = {.size = sizeof r};
  hipFunction_t f;
  int code = check(hipModuleGetFunction(&f, module, "Xgemm"),
                   "hipModuleGetFunction", e);
  if (!code)
    code = launch(s, f, v, e);
  if (!code)
    code = check(hipsimReport(&r), "hipsimReport", e);
  if (code)
    return code;
  printf("%.4f\t%.4f\t%s\t%u\t%s\t%s\t%s\t%g\n", ms, r.time_us / 1e3, r.bound,
         r.groups_per_cu, r.occupancy_limit, line, r.error_kind,
         r.error_80);
  fflush(stdout);
  return 0;
}

/* Row number n of the table, `line`: numbers between tabs. */
static int time_row(struct session *s, unsigned n, char *line, struct err *e)
{
  unsigned v[COLUMNS] = {0};
  char path[4096], *at = line;
  hipModule_t module;
  for (unsigned i = 0; i < MS; i++)
    v[i] = (unsigned)strtoul(at, &at, 10);
  double ms = strtod(at, &at);
  if (*at || ms <= 0 || !v[MWG] || !v[NWG])
    return err_set(e, ERR_FAILED, "row %u is not of that table: %s", n, line);
  *strrchr(line, '\t') = 0;
  snprintf(path, sizeof path, "%s/%u.hsaco", s->folder, n);
  int code = check(hipModuleLoad(&module, path), "hipModuleLoad", e);
  if (code)
    return code;
  code = time_module(s, module, line, v, ms, e);
  (void)hipModuleUnload(module);
  return code;
}

static int is_wanted(const struct session *s, int n)
{
  int nth = (n - s->first) / s->step;
  return n % s->step == s->first && (unsigned)nth % s->parts == s->part;
}

static int time_table(struct session *s, char *text)
{
  struct err e;
  int bad = 0, n = -1; /* the head of the columns */
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (*line == '#' || n++ < 0 || !is_wanted(s, n - 1))
      continue;
    if (!time_row(s, (unsigned)n - 1, line, &e))
      continue;
    fprintf(stderr, "FAILED row %d: %s\n", n - 1, e.text);
    bad = 1;
  }
  return bad;
}

static int open_session(struct session *s, struct err *e)
{
  int code = check(hipsimSetMode(HIPSIM_TIMED), "hipsimSetMode", e);
  for (int i = 0; i < 3 && !code; i++)
    code = check(hipMalloc(&s->matrices[i], sizeof(float) * SIZE * SIZE),
                 "hipMalloc", e);
  return code;
}

/* `want` as first and step; 0 where it is none of them. */
static int choose(struct session *s, const char *want)
{
  s->first = !strcmp(want, "odd");
  s->step = strcmp(want, "all") ? 2 : 1;
  return s->first || s->step == 1 || !strcmp(want, "even");
}

int main(int argc, char **argv)
{
  struct session s = {.parts = 1};
  struct str table = {0};
  struct err e;
  if (argc < 4 || !choose(&s, argv[3]) ||
      (argc > 4 && (sscanf(argv[4], "%u/%u", &s.part, &s.parts) != 2 ||
                    !s.parts))) {
    fprintf(stderr, "usage: clblast_time TABLE FOLDER even|odd|all "
            "[PART/PARTS]\n");
    return 2;
  }
  s.folder = argv[2];
  int code = file_read(argv[1], (size_t)1 << 20, &table, &e);
  if (!code)
    code = open_session(&s, &e);
  if (code)
    fprintf(stderr, "clblast_time: %s\n", e.text);
  else
    code = time_table(&s, table.at);
  str_free(&table);
  return code;
}
