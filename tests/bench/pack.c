/* pack.c - how long libtuned takes to open a pack and to answer.
 *
 *     bench_pack [WINNERS [FILE]]    default: 5000, in a file that is removed
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "ship/maker.h"
#include "ship/tuned.h"
#include "tests/bench/about.h"

enum {KEYS = 10, OPENS = 200, FINDS = 400000, FIRST = 2000, CODE = 12000};

/* Of this thread's own, so that it does not matter what else runs. */
static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The keys of gemm: m, n, k, lda, ldb, ldc, layout, dtype, alpha, beta. */
static const char *const names[KEYS] = { "m", "n", "k", "lda", "ldb", "ldc",
                                         "layout", "dtype", "alpha", "beta" };

static void family(struct maker *m)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  static const char *const types[] = {"f32", "f16"};
  double one = 1;
  maker_family(m, "gemm", 1);
  for (int i = 0; i < KEYS; i++) {
    struct pack_key k = { .kind = i < 6 ? PACK_WHOLE
                                  : i < 8 ? PACK_WORD : PACK_NUMBER,
                          .open = i >= 3 && i < 6, .min = i < 3,
                          .max = 1 << 30 };
    if (i == 8)
      memcpy(&k.standard, &one, sizeof one);
    maker_key(m, names[i], k, i == 6 ? layouts : types,
              i == 6 ? 4 : i == 7 ? 2 : 0);
  }
}

static int32_t formula(struct maker *m, int key, int64_t by, int op)
{
  const struct formula_step s[] = { {key, FORMULA_KEY, 0},
                                    {by, FORMULA_CONST, 0},
                                    {0, (uint32_t)op, 0} };
  return maker_formula(m, s, 3);
}

static uint32_t plan(struct maker *m, int n, const unsigned char *code,
                     struct err *e)
{
  const struct formula_step flops[] = {
    {0, FORMULA_KEY, 0}, {1, FORMULA_KEY, 0}, {0, FORMULA_MUL, 0},
    {2, FORMULA_KEY, 0}, {0, FORMULA_MUL, 0},
  };
  const struct maker_launch l = {
    { maker_text(m, "gemm"), 0, 0, {256, 1, 1},
      { formula(m, 0, 64, FORMULA_DIV), formula(m, 1, 64 + n, FORMULA_DIV),
        maker_constant(m, 1) }, maker_constant(m, 0) }, NULL };
  const int32_t needs[] = { formula(m, 2, 8, FORMULA_MOD),
                            formula(m, 3, 4, FORMULA_MOD),
                            formula(m, 4, 4, FORMULA_MOD),
                            formula(m, 5, 2, FORMULA_MOD) };
  char config[400];
  snprintf(config, sizeof config, "tile_m=%d,%0350d", n, 0);
  struct pack_plan p = { .config = maker_text(m, config), .nlaunches = 1,
                         .nneeds = 4, .cost = maker_formula(m, flops, 5),
                         .steps = formula(m, 2, 8, FORMULA_DIV),
                         .step_flops = maker_constant(m, 64 * 64 * 16),
                         .step_bytes = maker_constant(m, 4096),
                         .results = maker_constant(m, 1),
                         .result_bytes = maker_constant(m, 64 * 64 * 4),
                         .bytes = maker_formula(m, flops, 5),
                         .resident = 2, .rate = 220800 };
  if (maker_code(m, code, CODE, &p.code, e))
    exit(1);
  return maker_plan(m, p, &l, NULL, needs);
}

static void winner(struct maker *m, struct rng *r, uint32_t plan)
{
  int64_t v[KEYS], one;
  double alpha = 1;
  int32_t completed[KEYS];
  memcpy(&one, &alpha, sizeof one);
  for (int i = 0; i < 3; i++)
    v[i] = (int64_t)(1 + rng_below(r, 1 << (4 + rng_below(r, 11)))) * 8;
  v[3] = v[2];
  v[4] = v[5] = v[1];
  v[6] = (int64_t)rng_below(r, 4);
  v[7] = (int64_t)rng_below(r, 2);
  v[8] = one;
  v[9] = 0;
  for (int i = 0; i < KEYS; i++)
    completed[i] = i == 3 ? formula(m, 2, 0, FORMULA_ADD)
                          : formula(m, 1, 0, FORMULA_ADD);
  maker_winner(m, v, plan, 0, 1e-6 * (double)(v[0] * v[1] * v[2]) + 5,
               completed);
}

static void make(int n, struct str *out)
{
  struct maker *m = maker_open();
  struct rng r;
  struct err e = {0};
  unsigned char code[CODE];
  rng_seed(&r, 1);
  maker_arch(m, "gfx906", 60);
  family(m);
  for (int i = 0; i < n; i++) {
    for (size_t j = 0; j < sizeof code; j += 4) /* half of it compresses */
      memcpy(code + j, &(uint32_t){(uint32_t)rng_next(&r) & 0xffff}, 4);
    winner(m, &r, plan(m, i, code, &e));
  }
  if (maker_finish(m, out, &e)) {
    fprintf(stderr, "bench_pack: %s\n", e.text);
    exit(1);
  }
  maker_close(m);
}

static void line(const char *what, double n, double start)
{
  double s = seconds() - start;
  printf("  %-34s %10.0f %12.1f ns of CPU each\n", what, n, s / n * 1e9);
}

struct asked {
  int64_t m, n, k;
  const char *layout, *type;
};

/* The problems of so many winners, in an order that jumps about the pack. */
static struct asked *problems(const struct str *bytes, size_t winners)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  static const char *const types[] = {"f32", "f16"};
  const struct pack_head *h = (const void *)bytes->at;
  const int64_t *values = (const void *)(bytes->at + h->part[PART_VALUES].at);
  const struct pack_winner *w =
      (const void *)(bytes->at + h->part[PART_WINNERS].at);
  struct asked *list = mem_alloc(winners * sizeof *list);
  for (size_t i = 0; i < winners; i++) {
    const int64_t *v = values + w[i * 7919 % winners].value;
    list[i] = (struct asked){v[0], v[1], v[2], layouts[v[6]], types[v[7]]};
  }
  return list;
}

/* Ask for the problems of so many winners, n times in all. */
static void ask_exact(const tuned *t, const struct str *bytes, size_t winners,
                      int n, const char *what)
{
  struct asked *list = problems(bytes, winners);
  size_t others = 0, next = 0;
  double start = seconds();
  for (int i = 0; i < n; i++) {
    const struct asked *a = &list[next];
    struct tuned_found f;
    const struct tuned_key keys[] = {
      TUNED_WHOLE("m", a->m), TUNED_WHOLE("n", a->n), TUNED_WHOLE("k", a->k),
      TUNED_WORD("layout", a->layout), TUNED_WORD("dtype", a->type),
      TUNED_NUMBER("alpha", 2),
    };
    next = next + 1 < winners ? next + 1 : 0;
    others += tuned_find(t, "gemm", keys, 6, TUNED_FITTED, &f) ||
              f.how != TUNED_EXACT;
  }
  line(what, n, start);
  if (others)
    printf("  (%zu of them are answered otherwise)\n", others);
  free(list);
}

/* Ask for problems, each length `more` above a multiple of 8. */
static void ask(const tuned *t, int n, int more, const char *what, int answer)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  static const char *const types[] = {"f32", "f16"};
  struct { long long m, n, k; int layout, type; } list[1024];
  struct rng r;
  int others = 0;
  rng_seed(&r, 2);
  for (int i = 0; i < 1024; i++) {
    list[i].m = (long long)(1 + rng_below(&r, 512)) * 8 + more;
    list[i].n = (long long)(1 + rng_below(&r, 512)) * 8 + more;
    list[i].k = (long long)(1 + rng_below(&r, 512)) * 8;
    list[i].layout = (int)rng_below(&r, 4);
    list[i].type = (int)rng_below(&r, 2);
  }
  double start = seconds();
  for (int i = 0; i < n; i++) {
    struct tuned_found f;
    int j = i & 255;
    const struct tuned_key keys[] = {
      TUNED_WHOLE("m", list[j].m), TUNED_WHOLE("n", list[j].n),
      TUNED_WHOLE("k", list[j].k), TUNED_WORD("layout", layouts[list[j].layout]),
      TUNED_WORD("dtype", types[list[j].type]), TUNED_NUMBER("alpha", 2),
    };
    others += tuned_find(t, "gemm", keys, 6, TUNED_FITTED, &f) != answer;
  }
  line(what, n, start);
  if (others)
    printf("  (%d of them are answered otherwise)\n", others);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 5000;
  const char *path = argc > 2 ? argv[2] : "bench.pack";
  struct str bytes = {0};
  struct err e = {0};
  tuned *t;
  about(argc, argv);
  make(n, &bytes);
  if (file_replace(path, bytes.at, bytes.len, &e)) {
    fprintf(stderr, "bench_pack: %s\n", e.text);
    return 1;
  }
  const struct pack_head *h = (const void *)bytes.at;
  printf("%d winners and kernels: %zu bytes, %llu of them index\n", n,
         bytes.len, (unsigned long long)h->index);
  double start = seconds();
  for (int i = 0; i < OPENS; i++) {
    if (tuned_open(&t, path, "gfx906", NULL, NULL))
      return 1;
    tuned_close(t);
  }
  line("open and close", OPENS, start);
  if (tuned_open(&t, path, "gfx906", NULL, NULL))
    return 1;
  ask_exact(t, &bytes, 64, FINDS, "exact, of 64 problems");
  ask_exact(t, &bytes, h->part[PART_WINNERS].n, FINDS, "exact, of all");
  ask(t, 256, 8, "fitted, for the first time", TUNED_OK);
  ask(t, FINDS, 8, "fitted, again", TUNED_OK);
  ask(t, 256, 1, "none serves, for the first time", TUNED_NONE);
  ask(t, FINDS, 1, "none serves, again", TUNED_NONE);
  tuned_close(t);
  if (argc <= 2)
    unlink(path);
  str_free(&bytes);
  return 0;
}
