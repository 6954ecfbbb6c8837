/* store.c - the store at scale: journals, their index, tables.
 *
 *     bench_store [ROWS [WINNERS [FOLDER]]]
 *
 * Default: 1000000 rows of 1000 problems, 100000 winners, in a folder under
 * /tmp that is removed. Rows are as `tune gemm` writes them. All files are in
 * the page cache: the disk is not measured, but for "append", which flushes.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "db/journal.h"
#include "db/table.h"
#include "tests/bench/about.h"

enum {PROBLEMS = 1000, FINDS = 1000000, APPENDS = 200, PUTS = 3};

struct clocks {
  double wall, cpu;
};

static double read_clock(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct clocks now(void)
{
  return (struct clocks){read_clock(CLOCK_MONOTONIC),
                         read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

static void line(const char *what, double n, struct clocks start,
                 const char *note)
{
  struct clocks end = now();
  double wall = (end.wall - start.wall) / n, cpu = (end.cpu - start.cpu) / n;
  printf("  %-44s %12.3f ms  %12.3f ms of CPU%s\n", what, wall * 1e3,
         cpu * 1e3, note);
}

static void must(int code, const struct err *e)
{
  if (!code)
    return;
  fprintf(stderr, "bench_store: %s\n", e->text);
  exit(1);
}

/* --- rows ---------------------------------------------------------------- */

static void problem(int i, char out[128])
{
  int m = 64 * (1 + i % 331), n = 64 * (1 + i / 331), k = 64 * (1 + i % 17);
  snprintf(out, 128, "m=%d,n=%d,k=%d,layout=nn,dtype=f32,alpha=1,beta=0,"
           "lda=%d,ldb=%d,ldc=%d", m, n, k, k, n, n);
}

/* Row i of problem p. */
static void row(struct record *r, int p, int i)
{
  static const char *const fixed[][2] = {
    {"arch", "gfx906"}, {"bound", "latency"}, {"compiler", "hiprtc-5.2.21153"},
    {"cus", "60"}, {"date", "2026-11-24T11:33:57Z"},
    {"device", "simulated MI50 (gfx906, 60 CUs)"}, {"family", "gemm"},
    {"hot", "0"}, {"lds", "33280"}, {"mad_us", "0"}, {"n", "1"},
    {"runtime", "5.2.23000-08bcab7d2b7a"}, {"seed", "1"},
    {"source", "modelled"}, {"spills", "0"}, {"status", "ok"},
    {"template", "b43808b3bbdc6d968041a3d9e398b8c9"}, {"vgprs", "40"},
    {"waves", "2"}};
  char text[128];
  problem(p, text);
  for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++)
    record_set(r, fixed[f][0], "%s", fixed[f][1]);
  record_set(r, "problem", "%s", text);
  record_set(r, "config", "tile_m=64,tile_n=64,thread_m=2,thread_n=8,wave_m=16,"
             "tile_k=32,slice_k=2,load_a=4,load_b=4,read_width=2,pad_a=4,"
             "pad_b=0,xor_a=0,xor_b=0,async=0,stages=1,load_ahead=0,"
             "read_ahead=0,raster=%d,split_k=8,stream_k=0", i);
  record_set(r, "time_us", "%.6g", 20 + (double)(i * 7919 % 1000) / 10);
}

/* Runs of 25 rows of one problem, as processes that work side by side leave
 * them. */
static void make_journal(const char *path, int rows)
{
  FILE *f = fopen(path, "wb");
  struct rng random;
  struct str text = {0};
  struct record *r = record_new();
  rng_seed(&random, 1);
  for (int i = 0, p = 0; i < rows; i++) {
    if (i % 25 == 0)
      p = (int)rng_below(&random, PROBLEMS);
    row(r, p, i);
    str_clear(&text);
    record_format(r, &text);
    str_add(&text, "\n");
    if (!f || fwrite(text.at, 1, text.len, f) != text.len)
      exit(1);
  }
  if (!f || fclose(f))
    exit(1);
  record_free(r);
  str_free(&text);
}

/* --- the journal --------------------------------------------------------- */

static void take(void *user, struct record *r)
{
  ++*(size_t *)user;
  record_free(r);
}

static void note(void *user, const char *text)
{
  (void)user;
  printf("  (%s)\n", text);
}

static void pick(const char *path, const char *what)
{
  struct err e = {0};
  struct journal *j;
  char text[128], found[64];
  size_t n = 0;
  struct journal_reader reader = {&n, take, note};
  problem(7, text);
  struct clocks start = now();
  must(journal_open(&j, path, &e), &e);
  journal_only(j, text);
  must(journal_follow(j, &reader, &e), &e);
  snprintf(found, sizeof found, "  (%zu rows)", n);
  line(what, 1, start, found);
  journal_close(j);
}

static void append(const char *path, int rows)
{
  struct err e = {0};
  struct journal *j;
  struct record *r = record_new();
  must(journal_open(&j, path, &e), &e);
  struct clocks start = now();
  for (int i = 0; i < APPENDS; i++) {
    row(r, i % PROBLEMS, rows + i);
    must(journal_append(j, r, &e), &e);
  }
  line("append and flush a row", APPENDS, start, "");
  journal_close(j);
  record_free(r);
}

static void journal(const char *folder, int rows)
{
  char path[200], index[200];
  struct err e = {0};
  struct stat is;
  size_t n = 0;
  struct journal_reader reader = {&n, take, note};
  snprintf(path, sizeof path, "%s/gemm.journal", folder);
  snprintf(index, sizeof index, "%s/gemm.index", folder);
  make_journal(path, rows);
  stat(path, &is);
  printf("journal of %d rows, %lld bytes, %d problems:\n", rows,
         (long long)is.st_size, PROBLEMS);
  struct clocks start = now();
  if (journal_read(path, &reader, &e) < 0)
    must(1, &e);
  line("parse every row, as without an index", 1, start, "");
  pick(path, "a problem's rows; the index is made");
  if (!stat(index, &is))
    printf("  the index has %lld bytes\n", (long long)is.st_size);
  for (int i = 0; i < 3; i++)
    pick(path, "a problem's rows, by the index");
  append(path, rows);
  pick(path, "a problem's rows, after that");
}

/* --- the table ----------------------------------------------------------- */

static void make_table(const char *dir, int winners)
{
  char path[200];
  FILE *f;
  struct err e = {0};
  struct str text = {0};
  struct record *r = record_new();
  snprintf(path, sizeof path, "%s/gfx906", dir);
  must(file_mkdirs(path, &e), &e);
  snprintf(path, sizeof path, "%s/gfx906/gemm.table", dir);
  f = fopen(path, "wb");
  for (int i = 0; i < winners; i++) {
    row(r, i, i);
    record_set(r, "runner_up", "%s", record_text(r, "config"));
    record_set(r, "runner_up_us", "31.5");
    record_set(r, "gflops", "1234.5");
    record_set(r, "margin", "0.0123");
    record_set(r, "kernel", "b43808b3bbdc6d968041a3d9e398b8c9");
    str_clear(&text);
    record_format(r, &text);
    str_add(&text, "\n");
    if (!f || fwrite(text.at, 1, text.len, f) != text.len)
      exit(1);
  }
  if (!f || fclose(f))
    exit(1);
  record_free(r);
  str_free(&text);
}

static struct table *load(const char *dir, const char *what)
{
  struct table *t;
  struct err e = {0};
  struct clocks start = now();
  must(table_load(&t, dir, "gfx906", "gemm", NULL, NULL, &e), &e);
  line(what, 1, start, "");
  return t;
}

static void find(const struct table *t, int winners, const char *device,
                 const char *what)
{
  enum {TEXTS = 1 << 16};
  static char texts[TEXTS][128];
  struct rng r;
  size_t others = 0;
  rng_seed(&r, 3);
  for (int i = 0; i < TEXTS; i++)
    problem((int)rng_below(&r, (uint64_t)winners), texts[i]);
  struct clocks start = now();
  for (int i = 0; i < FINDS; i++)
    others += !table_find(t, texts[i % TEXTS], device);
  struct clocks end = now();
  printf("  %-44s %12.1f ns of CPU%s\n", what,
         (end.cpu - start.cpu) / FINDS * 1e9, others ? "  (not found!)" : "");
}

static void table(const char *dir, int winners)
{
  struct err e = {0};
  struct record *r = record_new();
  make_table(dir, winners);
  printf("table of %d winners:\n", winners);
  struct clocks start = now();
  for (int i = 0; i < PUTS; i++) {
    row(r, i * 31, i);
    must(table_put(dir, r, NULL, NULL, &e), &e);
  }
  line("store a winner (writes the table)", PUTS, start, "");
  record_free(r);
  struct table *t = load(dir, "load");
  find(t, winners, NULL, "look a problem up");
  find(t, winners, "simulated MI50 (gfx906, 60 CUs)",
       "look a problem up, of a device");
  start = now();
  table_free(t);
  line("free", 1, start, "");
}

int main(int argc, char **argv)
{
  int rows = argc > 1 ? atoi(argv[1]) : 1000000;
  int winners = argc > 2 ? atoi(argv[2]) : 100000;
  char own[] = "/tmp/wavetune-bench.XXXXXX";
  const char *folder = argc > 3 ? argv[3] : mkdtemp(own);
  char command[300];
  struct err e = {0};
  if (!folder)
    return 1;
  setlinebuf(stdout);
  must(file_mkdirs(folder, &e), &e);
  about(argc, argv);
  journal(folder, rows);
  table(folder, winners);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return argc > 3 ? 0 : system(command) != 0;
}
