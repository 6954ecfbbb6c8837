/* time.c - rocBLAS's kernels through the timing model, beside measured speeds.
 *
 *   rocblas_time FILE.co MEASURED.tsv [PART/PARTS [WORD...]]
 *
 * For each row of the table that is of this file, and each K that it gives a
 * speed for: the product of 8192 x 4096 that was measured, in the mode that
 * simulates no more than the time needs. Prints a row of a TSV for each.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "runtimes/sim/hipsim.h"
#include "tests/rocblas/launch.h"

enum { M = 8192, N = 4096, COLUMNS = 32 };

static const struct {
  unsigned k;
  const char *column;
} sizes[] = {
    {256, "gflops_k256"}, {1024, "gflops_k1024"}, {4096, "gflops_k4096"},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct session {
  const char *file; /* without folders */
  hipModule_t module;
  struct kernel_list kernels;
  struct buffers buffers; /* for the largest K, used for all */
  unsigned part, parts;
  char **words;
  int nwords;
  int kernel_at, file_at, intercept_at, speed_at[SIZES]; /* columns */
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
  int n = split(line, field), good;
  s->kernel_at = column(field, n, "kernel");
  s->file_at = column(field, n, "file");
  s->intercept_at = column(field, n, "intercept");
  good = s->kernel_at >= 0 && s->file_at >= 0 && s->intercept_at >= 0;
  for (int i = 0; i < SIZES; i++) {
    s->speed_at[i] = column(field, n, sizes[i].column);
    good &= s->speed_at[i] >= 0;
  }
  return good ? 0 : err_set(e, ERR_FAILED, "the table lacks a column");
}

/* --- one launch ----------------------------------------------------------- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int time_one(struct session *s, const struct gemm_kernel *k,
                    unsigned size, char *const field[], unsigned row,
                    struct err *e)
{
  unsigned depth = sizes[size].k;
  struct problem p = {.m = M, .n = N, .k = depth, .batch = 1};
  struct hipsim_report r = {.size = sizeof r};
  double start = now();
  problem_layout(&p, k, 0);
  int code = kernel_run(s->module, k, &p, &s->buffers, e);
  if (!code)
    code = hip_check(hipsimReport(&r), "hipsimReport", e);
  if (code)
    return code;
  double flops = 2.0 * M * N * depth;
  printf("%u\t%u\t%s\t%.0f\t%.2f\t%s\t%u\t%s\t%.2e\t%.2f\t%s\t%s\n", row,
         depth, field[s->speed_at[size]], flops / r.time_us * 1e-3, r.time_us,
         r.bound, r.groups_per_cu, r.occupancy_limit, r.sampled_share,
         now() - start, field[s->intercept_at], k->name);
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
    int code = k ? time_one(s, k, i, field, row, &e)
                 : err_set(&e, ERR_FAILED, "it is not in the file");
    if (code)
      fprintf(stderr, "FAILED row %u %s, K %u: %s\n", row,
              field[s->kernel_at], sizes[i].k, e.text);
    bad |= code;
  }
  return bad;
}

/* --- all ------------------------------------------------------------------ */

static int time_table(struct session *s, char *text, struct err *e)
{
  unsigned rows = 0;
  int bad = 0, head = 0;
  printf("row\tk\tmeasured\tmodelled\ttime_us\tbound\tgroups_per_cu\tlimit\t"
         "sampled\thost_s\tintercept\tkernel\n");
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
    if (n <= s->speed_at[SIZES - 1] || strcmp(field[s->file_at], s->file))
      continue;
    unsigned row = rows++;
    if (row % s->parts == s->part && wanted(s, field[s->kernel_at]))
      bad |= time_row(s, field, row);
  }
  return bad ? err_set(e, ERR_FAILED, "some kernels failed") : 0;
}

static int open_session(struct session *s, const char *path, struct err *e)
{
  struct str bytes = {0};
  struct problem p = {.m = M, .n = N, .k = sizes[SIZES - 1].k, .batch = 1};
  const char *slash = strrchr(path, '/');
  s->file = slash ? slash + 1 : path;
  int code = file_read(path, (size_t)1 << 30, &bytes, e);
  if (!code)
    code = kernels_read(&s->kernels, str_text(&bytes), bytes.len, e);
  str_free(&bytes);
  if (!code)
    code = hip_check(hipModuleLoad(&s->module, path), "hipModuleLoad", e);
  if (!code)
    code = hip_check(hipsimSetMode(HIPSIM_SAMPLED), "hipsimSetMode", e);
  if (!code) {
    const struct gemm_kernel usual = {.type = 'S', .a = {-1, 1}, .c = {-1, 1}};
    problem_layout(&p, &usual, 0);
    code = buffers_open(&s->buffers, &p, &usual, e);
  }
  return code;
}

int main(int argc, char **argv)
{
  struct session s = {.parts = 1};
  struct str table = {0};
  struct err e;
  if (argc < 3 || (argc > 3 && (sscanf(argv[3], "%u/%u", &s.part, &s.parts) !=
                                2 || !s.parts))) {
    fprintf(stderr, "usage: rocblas_time FILE.co MEASURED.tsv [PART/PARTS "
            "[WORD...]]\n");
    return 2;
  }
  s.words = argv + (argc > 4 ? 4 : argc);
  s.nwords = argc > 4 ? argc - 4 : 0;
  int code = file_read(argv[2], (size_t)64 << 20, &table, &e);
  if (!code)
    code = open_session(&s, argv[1], &e);
  if (!code)
    code = time_table(&s, table.at, &e);
  if (code)
    fprintf(stderr, "rocblas_time: %s\n", e.text);
  buffers_close(&s.buffers);
  kernels_free(&s.kernels);
  str_free(&table);
  return code;
}
