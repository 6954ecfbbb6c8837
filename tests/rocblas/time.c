/* time.c - rocBLAS's kernels through the timing model, beside published fits.
 *
 *   rocblas_time FILE.co PRESCALE.hsaco MEASURED.tsv [PART/PARTS [WORD...]]
 *
 * Does what made the table's figures, with the modelled card in place of the
 * real one. They are of Tensile's GenerateSummations.py (ROCm/Tensile
 * 0c4794e5f; rocBLAS took its results over with ba71390da of 2021-02-23):
 * every kernel at 8192 x 4096 and the eleven K below, alpha and beta 2, C and
 * D apart; then a straight line through 1000 K / GFLOPS by least squares,
 * which score.awk fits. Where workgroups share a sum, D is first made beta C
 * by a kernel of its own, whose time counts. In the mode that simulates no
 * more than the time needs. Prints a row of a TSV for each kernel and K.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "runtimes/sim/hipsim.h"
#include "tests/rocblas/scale.h"

enum {M = 8192, N = 4096, COLUMNS = 32};

static const unsigned sizes[] = {32,  64,   96,   128,  256,  512,
                                 1024, 2048, 4096, 8192, 16384};
enum {SIZES = sizeof sizes / sizeof *sizes};

struct session {
  const char *file; /* without folders */
  hipModule_t module;
  struct kernel_list kernels;
  struct buffers buffers; /* for the largest K, used for all */
  double prescale_us;
  unsigned part, parts;
  char **words;
  int nwords;
  int kernel_at, file_at, slope_at, intercept_at; /* columns */
};

/* --- the table ------------------------------------------------------------ */

static int split(char *line, char *field[COLUMNS])
{
  int n = 0;
  for (char *p = line; p && n < COLUMNS; n++) {
    field[n] = p;
    p = strchr(p, '\t');
    if (p)
      *p++ = 0;
  }
  return n;
}

static int column(char *const field[], int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (!strcmp(field[i], name))
      return i;
  return -1;
}

static int read_head(struct session *s, char *line, struct err *e)
{
  char *field[COLUMNS];
  int n = split(line, field);
  s->kernel_at = column(field, n, "kernel");
  s->file_at = column(field, n, "file");
  s->slope_at = column(field, n, "slope");
  s->intercept_at = column(field, n, "intercept");
  return s->kernel_at >= 0 && s->file_at >= 0 && s->slope_at >= 0 &&
                 s->intercept_at >= 0
             ? 0
             : err_set(e, ERR_FAILED, "the table lacks a column");
}

/* --- one launch ----------------------------------------------------------- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct problem problem_of(unsigned k, const struct gemm_kernel *kernel)
{
  struct problem p = {.m = M, .n = N, .k = k, .batch = 1};
  problem_layout(&p, kernel, 0);
  p.alpha = p.beta = 2;
  return p;
}

static int time_one(struct session *s, const struct gemm_kernel *k,
                    unsigned depth, char *const field[], unsigned row,
                    struct err *e)
{
  struct problem p = problem_of(depth, k);
  struct hipsim_report r = {.size = sizeof r};
  double start = now();
  int code = kernel_run(s->module, k, &p, &s->buffers, e);
  if (!code)
    code = hip_check(hipsimReport(&r), "hipsimReport", e);
  if (code)
    return code;
  double us = r.time_us + (k->split > 1 ? s->prescale_us : 0);
  printf("%u\t%u\t%s\t%s\t%.2f\t%s\t%u\t%s\t%.2e\t%.2f\t%s\t%s\t%g\n", row, depth,
         field[s->slope_at], field[s->intercept_at], us, r.bound,
         r.groups_per_cu, r.occupancy_limit, r.sampled_share, now() - start,
         k->name, r.error_kind, r.error_80);
  fflush(stdout);
  return 0;
}

static int wanted(const struct session *s, const char *name)
{
  int found = !s->nwords;
  for (int i = 0; i < s->nwords; i++)
    found |= strstr(name, s->words[i]) != NULL;
  return found;
}

static int time_row(struct session *s, char *const field[], unsigned row)
{
  struct err e;
  int bad = 0;
  const struct gemm_kernel *k =
      kernels_find(&s->kernels, field[s->kernel_at]);
  for (unsigned i = 0; i < SIZES; i++) {
    int code = k ? time_one(s, k, sizes[i], field, row, &e)
                 : err_set(&e, ERR_FAILED, "it is not in the file");
    if (code)
      fprintf(stderr, "FAILED row %u %s, K %u: %s\n", row,
              field[s->kernel_at], sizes[i], e.text);
    bad |= code;
  }
  return bad;
}

/* --- all ------------------------------------------------------------------ */

static int time_table(struct session *s, char *text, struct err *e)
{
  unsigned rows = 0;
  int bad = 0, head = 0;
  printf("row\tk\tslope\tintercept\ttime_us\tbound\tgroups_per_cu\tlimit\t"
         "sampled\thost_s\tkernel\terror_kind\terror_80\n");
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    char *field[COLUMNS];
    if (*line == '#')
      continue;
    if (!head++) {
      if (read_head(s, line, e))
        return e->code;
      continue;
    }
    int n = split(line, field);
    if (n <= s->intercept_at || n <= s->slope_at ||
        strcmp(field[s->file_at], s->file))
      continue;
    unsigned row = rows++;
    if (row % s->parts == s->part && wanted(s, field[s->kernel_at]))
      bad |= time_row(s, field, row);
  }
  return bad ? err_set(e, ERR_FAILED, "some kernels failed") : 0;
}

/* What runs before a kernel whose groups add to D. */
static int time_prescale(struct session *s, const char *path,
                         const struct gemm_kernel *k, const struct problem *p,
                         struct err *e)
{
  struct hipsim_report r = {.size = sizeof r};
  hipModule_t module;
  int code = hip_check(hipModuleLoad(&module, path), "hipModuleLoad", e);
  if (code)
    return code;
  code = scale_run(module, k, p, &s->buffers, e);
  if (!code)
    code = hip_check(hipsimReport(&r), "hipsimReport", e);
  s->prescale_us = r.time_us;
  (void)hipModuleUnload(module);
  return code;
}

static int open_session(struct session *s, const char *path,
                        const char *prescale, struct err *e)
{
  const struct gemm_kernel usual = {
      .type = 'S', .out = 'S', .sum = 'S', .a = {-1, 1}, .c = {-1, 1}};
  struct problem p = problem_of(sizes[SIZES - 1], &usual);
  const char *slash = strrchr(path, '/');
  s->file = slash ? slash + 1 : path;
  int code = kernels_read(&s->kernels, path, e);
  if (!code)
    code = hip_check(hipModuleLoad(&s->module, path), "hipModuleLoad", e);
  if (!code)
    code = hip_check(hipsimSetMode(HIPSIM_TIMED), "hipsimSetMode", e);
  if (!code)
    code = buffers_open(&s->buffers, &p, &usual, e);
  return code ? code : time_prescale(s, prescale, &usual, &p, e);
}

int main(int argc, char **argv)
{
  struct session s = {.parts = 1};
  struct str table = {0};
  struct err e;
  if (argc < 4 || (argc > 4 && (sscanf(argv[4], "%u/%u", &s.part, &s.parts) !=
                                2 || !s.parts))) {
    fprintf(stderr, "usage: rocblas_time FILE.co PRESCALE.hsaco MEASURED.tsv "
            "[PART/PARTS [WORD...]]\n");
    return 2;
  }
  s.words = argv + (argc > 5 ? 5 : argc);
  s.nwords = argc > 5 ? argc - 5 : 0;
  int code = file_read(argv[3], (size_t)64 << 20, &table, &e);
  if (!code)
    code = open_session(&s, argv[1], argv[2], &e);
  if (!code)
    code = time_table(&s, table.at, &e);
  if (code)
    fprintf(stderr, "rocblas_time: %s\n", e.text);
  buffers_close(&s.buffers);
  kernels_free(&s.kernels);
  str_free(&table);
  return code;
}
