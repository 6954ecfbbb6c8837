/* front.c - programs before whose rocBLAS the front stands.
 *
 * The front reads its environment once, so each scenario is a process of its
 * own: this program again, with the scenario's name. Around it are stand-ins
 * for HIP, rocBLAS and the program's backend, which is opened with RTLD_LOCAL.
 * The front comes first in the linker's order, as LD_PRELOAD has it.
 *
 *     test_front               the tests
 *     test_front --overhead    what a served call costs; nothing is judged
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "ship/rocblas/product.h"
#include "tests/front/fakes.h"
#include "tests/front/made_gemm.h"

/* --- what the scenarios share -------------------------------------------- */

enum {MOST = 48, SPACE = MOST * MOST + 64};

static const struct backend *lib;

#define CHECK(x) \
  do { \
    if (!(x)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
      exit(1); \
    } \
  } while (0)

/* A product, and what must come of it. */
struct sum {
  struct fake_handle *handle;
  int op_a, op_b, m, n, k, lda, ldb, ldc;
  float alpha, beta;
  float *a, *b, *c;
};

static struct rng rng_seeded(uint64_t seed)
{
  struct rng r;
  rng_seed(&r, seed);
  return r;
}

static float *matrix(struct rng *r)
{
  float *at = aligned_alloc(64, SPACE * sizeof *at);
  for (int i = 0; i < SPACE; i++)
    at[i] = (float)(int)(rng_below(r, 17)) - 8;
  return at;
}

static void free_sum(struct sum *s)
{
  free(s->a);
  free(s->b);
  free(s->c);
}

/* Whole numbers: sums are exact in whatever order. */
static struct sum some_sum(struct rng *r, struct fake_handle *handle)
{
  struct sum s = {.handle = handle, .alpha = 1, .k = 16,
                  .op_a = rng_below(r, 2) ? OP_TRANSPOSE : OP_NONE,
                  .op_b = rng_below(r, 2) ? OP_TRANSPOSE : OP_NONE,
                  .m = 1 + (int)rng_below(r, 20),
                  .n = 1 + (int)rng_below(r, 20)};
  s.lda = product_rows(s.op_a, s.m, s.k) + (int)rng_below(r, 3);
  s.ldb = product_rows(s.op_b, s.k, s.n) + (int)rng_below(r, 3);
  s.ldc = s.m + (int)rng_below(r, 3);
  s.a = matrix(r);
  s.b = matrix(r);
  s.c = matrix(r);
  return s;
}

static int call_sgemm(struct sum *s)
{
  return lib->rocblas_sgemm(s->handle, s->op_a, s->op_b, s->m, s->n, s->k,
                            &s->alpha, s->a, s->lda, s->b, s->ldb, &s->beta,
                            s->c, s->ldc);
}

static float defined(const struct sum *s, const float *before, int i, int j)
{
  double sum = 0;
  for (int l = 0; l < s->k; l++)
    sum += (double)s->a[s->op_a == OP_NONE ? l * s->lda + i : i * s->lda + l] *
           s->b[s->op_b == OP_NONE ? j * s->ldb + l : l * s->ldb + j];
  sum *= s->alpha;
  return (float)(s->beta == 0 ? sum : sum + s->beta * before[j * s->ldc + i]);
}

/* The product is in C, and nothing beside it was written. */
static int is_right(const struct sum *s, const float *before)
{
  for (int at = 0; at < SPACE; at++) {
    int i = at % s->ldc, j = at / s->ldc;
    float want = i < s->m && j < s->n ? defined(s, before, i, j) : before[at];
    if (memcmp(&s->c[at], &want, sizeof want) && s->c[at] != want)
      return 0;
  }
  return 1;
}

/* 1: served, 0: forwarded; the product must be right. */
static int do_sgemm(struct sum *s)
{
  float before[SPACE];
  int forwarded = *lib->forwarded;
  memcpy(before, s->c, sizeof before);
  CHECK(call_sgemm(s) == 0);
  CHECK(is_right(s, before));
  return *lib->forwarded == forwarded;
}

static int do_some(uint64_t seed)
{
  struct rng r = rng_seeded(seed);
  struct fake_handle handle = {0};
  struct sum s = some_sum(&r, &handle);
  int served = do_sgemm(&s);
  free_sum(&s);
  return served;
}

/* --- 200 random calls ---------------------------------------------------- */

/* How a call differs from what the front takes; NONE: it does not. */
enum oddity {
  NONE, ODD_K, NO_ALPHA, NAN_ALPHA, UNALIGNED, ON_DEVICE, SIZE_QUERY, NO_ROWS,
  SHORT_LD, NO_HANDLE, NO_C, ODDITIES
};

static void make_odd(struct sum *s, enum oddity odd)
{
  switch (odd) {
  case ODD_K: s->k--; break;
  case NO_ALPHA: s->alpha = 0; break;
  case NAN_ALPHA: s->alpha = NAN; break;
  case UNALIGNED: s->a++; break;
  case ON_DEVICE: s->handle->pointer_mode = 1; break;
  case SIZE_QUERY: s->handle->size_query = 1; break;
  case NO_ROWS: s->m = 0; break;
  case SHORT_LD: s->lda = 0; break;
  case NO_HANDLE: s->handle = NULL; break;
  case NO_C: s->c = NULL; break;
  default: break;
  }
}

static void random_sgemm(struct rng *r, enum oddity odd)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle), was = s;
  if (rng_below(r, 2))
    s.beta = was.beta = 0.5f;
  if (odd == NONE) {
    if (s.beta == 0)
      s.c[0] = was.c[0] = NAN; /* is not read */
    CHECK(do_sgemm(&s) == 1);
    free_sum(&was);
    return;
  }
  make_odd(&s, odd);
  int forwarded = *lib->forwarded;
  int launches = lib->counts->launches;
  call_sgemm(&s);
  const uint64_t want[] = {
      (uint64_t)s.handle, (uint64_t)s.op_a, (uint64_t)s.op_b, (uint64_t)s.m,
      (uint64_t)s.n, (uint64_t)s.k, (uint64_t)&s.alpha, (uint64_t)s.a,
      (uint64_t)s.lda, (uint64_t)s.b, (uint64_t)s.ldb, (uint64_t)&s.beta,
      (uint64_t)s.c, (uint64_t)s.ldc};
  CHECK(*lib->forwarded == forwarded + 1);
  CHECK(lib->counts->launches == launches);
  CHECK(lib->last->n == 14 && !memcmp(lib->last->arg, want, sizeof want));
  free_sum(&was);
}

/* gemm_ex of f32 in place, whose fields differ in one way at most. */
static void random_ex(struct rng *r)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle);
  float other[SPACE], before[SPACE];
  int type[5] = {TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32};
  int algo = 0, solution = 0, ldd = s.ldc;
  uint32_t flags = 0;
  void *d = s.c;
  unsigned odd = (unsigned)rng_below(r, 12);
  switch (odd) {
  case 0: case 1: case 2: case 3: case 4: type[odd] = TYPE_F16; break;
  case 5: algo = 1; break;
  case 6: solution = 7; break;
  case 7: flags = 0x1; break;
  case 8: d = other; break;
  case 9: ldd++; break;
  case 10: flags = FLAG_F16_ALTERNATIVE; break;
  default: break;
  }
  int forwarded = *lib->forwarded;
  memcpy(before, s.c, sizeof before);
  lib->rocblas_gemm_ex(&handle, s.op_a, s.op_b, s.m, s.n, s.k, &s.alpha, s.a,
                       type[0], s.lda, s.b, type[1], s.ldb, &s.beta, s.c,
                       type[2], s.ldc, d, type[3], ldd, type[4], algo, solution,
                       flags);
  const uint64_t want[] = {
      (uint64_t)&handle, (uint64_t)s.op_a, (uint64_t)s.op_b, (uint64_t)s.m,
      (uint64_t)s.n, (uint64_t)s.k, (uint64_t)&s.alpha, (uint64_t)s.a,
      (uint64_t)type[0], (uint64_t)s.lda, (uint64_t)s.b, (uint64_t)type[1],
      (uint64_t)s.ldb, (uint64_t)&s.beta, (uint64_t)s.c, (uint64_t)type[2],
      (uint64_t)s.ldc, (uint64_t)d, (uint64_t)type[3], (uint64_t)ldd,
      (uint64_t)type[4], (uint64_t)algo, (uint64_t)solution, flags};
  if (odd >= 10)
    CHECK(*lib->forwarded == forwarded && is_right(&s, before));
  else
    CHECK(*lib->forwarded == forwarded + 1 && lib->last->n == 24 &&
          !memcmp(lib->last->arg, want, sizeof want));
  free_sum(&s);
}

/* What has no kernels yet arrives with its strides and its batch. */
static void random_batch(struct rng *r)
{
  struct fake_handle handle = {0};
  struct sum s = some_sum(r, &handle);
  int forwarded = *lib->forwarded, batch = 2 + (int)rng_below(r, 3);
  lib->rocblas_sgemm_strided_batched(
      &handle, s.op_a, s.op_b, s.m, s.n, s.k, &s.alpha, s.a, s.lda, 1ll << 33,
      s.b, s.ldb, 5, &s.beta, s.c, s.ldc, 6, batch);
  CHECK(*lib->forwarded == forwarded + 1 && lib->last->n == 18);
  CHECK(lib->last->arg[9] == 1ull << 33 && lib->last->arg[17] == (unsigned)batch);
  lib->rocblas_hgemm(&handle, s.op_a, s.op_b, s.m, s.n, s.k, NULL, NULL, 1,
                     NULL, 2, NULL, NULL, 3);
  CHECK(*lib->forwarded == forwarded + 2 && lib->last->n == 14);
  CHECK(!strcmp(lib->last->name, "rocblas_hgemm"));
  free_sum(&s);
}

static void random_calls(void)
{
  struct rng r = rng_seeded(29);
  for (int i = 0; i < 200; i++) {
    unsigned kind = (unsigned)rng_below(&r, 8);
    if (kind == 0)
      random_batch(&r);
    else if (kind < 3)
      random_ex(&r);
    else
      random_sgemm(&r, rng_below(&r, 2) ? NONE
                                        : (enum oddity)rng_below(&r, ODDITIES));
  }
}

/* --- other scenarios ----------------------------------------------------- */

/* Under capture nothing but launches, and those only of what is ready. */
static void capture(void)
{
  struct rng r = rng_seeded(3);
  struct fake_handle handle = {.stream = &handle};
  struct sum s = some_sum(&r, &handle);
  s.op_a = s.op_b = OP_TRANSPOSE; /* whose kernel needs scratch */
  s.lda = s.k;
  s.ldb = s.n;
  lib->fake_capture(&handle);
  CHECK(do_sgemm(&s) == 0);
  CHECK(lib->counts->loads == 0 && lib->counts->allocations == 0);
  lib->fake_capture(NULL);
  CHECK(do_sgemm(&s) == 1);
  struct fake_counts was = *lib->counts;
  lib->fake_capture(&handle);
  CHECK(do_sgemm(&s) == 1);
  CHECK(lib->counts->launches == was.launches + 2);
  was.launches += 2;
  CHECK(!memcmp(&was, lib->counts, sizeof was));
  /* a stream that first comes capturing has no scratch */
  struct fake_handle other = {.stream = &other};
  s.handle = &other;
  lib->fake_capture(&other);
  CHECK(do_sgemm(&s) == 0);
  CHECK(!memcmp(&was, lib->counts, sizeof was));
  free_sum(&s);
}

/* HIP does not outlive a fork, and neither does what was loaded. */
static void forked(void)
{
  int status;
  CHECK(do_some(1) == 1);
  pid_t child = fork();
  if (!child)
    _exit(do_some(2) == 0 ? 0 : 1);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(do_some(3) == 1);
}

static void *work(void *number)
{
  uint64_t n = (uintptr_t)number;
  struct rng r = rng_seeded(n);
  lib->hipSetDevice(n % 2);
  for (int i = 0; i < 50; i++) {
    struct fake_handle handle = {.stream = (void *)(uintptr_t)(n / 4 + 1)};
    struct sum s = some_sum(&r, &handle);
    float before[SPACE];
    memcpy(before, s.c, sizeof before);
    CHECK(call_sgemm(&s) == 0 && is_right(&s, before));
    free_sum(&s);
  }
  return NULL;
}

static void threads(void)
{
  pthread_t thread[8];
  for (uintptr_t i = 0; i < 8; i++)
    CHECK(!pthread_create(&thread[i], NULL, work, (void *)i));
  for (int i = 0; i < 8; i++)
    pthread_join(thread[i], NULL);
  CHECK(*lib->forwarded == 0);
}

static void served(void)
{
  for (uint64_t i = 0; i < 5; i++)
    CHECK(do_some(i) == 1);
}

static void not_served(void)
{
  for (uint64_t i = 0; i < 5; i++)
    CHECK(do_some(i) == 0);
}

static void initialize(void)
{
  lib->rocblas_initialize();
  printf("initialized %d\n", *lib->initialized);
}

static void ask_often(void)
{
  for (int i = 0; i < 3; i++)
    for (uint64_t j = 0; j <= (unsigned)i; j++)
      do_some(j);
}

/* The tightest call: what the front costs, beside a call of rocBLAS. */
static void overhead(void)
{
  struct rng r = rng_seeded(1);
  struct fake_handle handle = {0};
  struct sum s = some_sum(&r, &handle);
  struct timespec a, b;
  enum {CALLS = 200000};
  s.m = s.n = 1;
  s.k = 4;
  s.op_a = s.op_b = OP_NONE;
  s.lda = s.ldb = s.ldc = 16;
  CHECK(do_sgemm(&s) == 1);
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < CALLS; i++)
    call_sgemm(&s);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%.0f ns a call\n", ((double)(b.tv_sec - a.tv_sec) * 1e9 +
                              (double)(b.tv_nsec - a.tv_nsec)) / CALLS);
  free_sum(&s);
}

static const struct {
  const char *name;
  void (*run)(void);
} scenarios[] = {
    {"random_calls", random_calls}, {"capture", capture}, {"forked", forked},
    {"threads", threads}, {"served", served}, {"not_served", not_served},
    {"initialize", initialize}, {"ask_often", ask_often},
    {"overhead", overhead},
};

enum {SCENARIOS = sizeof scenarios / sizeof *scenarios};

static int play(const char *name)
{
  void *backend = dlopen(BUILD_DIR "/tests/front/libfront_backend.so",
                         RTLD_NOW | RTLD_LOCAL);
  const struct backend *(*get)(void);
  if (!backend) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *at = dlsym(backend, "backend_get");
  memcpy(&get, &at, sizeof at);
  lib = get();
  for (int i = 0; i < SCENARIOS; i++)
    if (!strcmp(scenarios[i].name, name)) {
      scenarios[i].run();
      return 0;
    }
  return 2;
}

/* --- the tests ----------------------------------------------------------- */

static char pack[300], kernels[300], said[4096];

static void write_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_pack(uint32_t flags)
{
  struct str bytes = {0};
  assert_int_equal(made_gemm(&bytes, flags), 0);
  write_file(pack, bytes.at, bytes.len);
  str_free(&bytes);
}

/* A sound pack, and a rocBLAS that has kernels for gfx906. */
static int set_up(void **state)
{
  (void)state;
  snprintf(pack, sizeof pack, BUILD_DIR "/tests/front/%d.pack", (int)getpid());
  snprintf(kernels, sizeof kernels, BUILD_DIR "/tests/front/%d.kernels",
           (int)getpid());
  write_pack(0);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  unlink(pack);
  return 0;
}

/* Play it with `environment`; what it prints goes to `said`. */
static void plays(const char *scenario, const char *environment)
{
  char command[2000];
  snprintf(command, sizeof command, "TUNED_PACK=%s %s timeout 60 %s %s 2>&1",
           pack, environment, BUILD_DIR "/tests/front/test_front", scenario);
  FILE *out = popen(command, "r");
  assert_non_null(out);
  size_t n = fread(said, 1, sizeof said - 1, out);
  said[n] = 0;
  if (pclose(out) != 0)
    fail_msg("%s %s:\n%s", environment, scenario, said);
}

static void says(const char *text)
{
  if (!strstr(said, text))
    fail_msg("'%s' is not in:\n%s", text, said);
}

static void says_nothing(void)
{
  assert_string_equal(said, "");
}

static void test_calls(void **state)
{
  (void)state;
  plays("random_calls", "");
  says_nothing();
}

static void test_capture(void **state)
{
  (void)state;
  plays("capture", "TUNED_BLAS=stats");
  says("1  capture: the stream is capturing, and the kernel is not loaded yet");
  says("1  scratch: ");
}

static void test_fork(void **state)
{
  (void)state;
  plays("forked", "");
  says("the pack was opened by another process");
}

static void test_threads(void **state)
{
  (void)state;
  plays("threads", "");
  says_nothing();
}

static void test_packs(void **state)
{
  (void)state;
  plays("served", "TUNED_BLAS=stats");
  says("tuned_rocblas: 5 products served, 0 forwarded");
  write_file(pack, "x", 1);
  plays("not_served", "");
  says("device 0: ");
  says("its products go to rocBLAS");
  unlink(pack);
  plays("not_served", "");
  says("No such file");
  write_pack(WINNER_STALE);
  plays("not_served", "TUNED_BLAS=stats");
  says("0 products served, 5 forwarded");
  says("5  stale: ");
  write_pack(0);
  plays("not_served", "FAKE_ARCH=gfx908");
  says("it has gfx906, not gfx908");
  plays("not_served", "FAKE_CUS=64");
  says("the pack is for 60 compute units, this card has 64");
  plays("served", "FAKE_CUS=64 TUNED_BLAS=any-cus");
}

static void test_faults(void **state)
{
  (void)state;
  plays("not_served", "FAKE_FAULT=load TUNED_BLAS=stats");
  says("5  hip-error: ");
  plays("not_served", "FAKE_FAULT=launch");
  says("device 0: a call of HIP failed");
  plays("not_served", "FAKE_FAULT=wrong");
  says("element 0, 0 of a product of");
  plays("not_served", "ROCBLAS_LAYER=1 TUNED_BLAS=stats");
  says("5  layer: ");
}

static void test_modes(void **state)
{
  (void)state;
  plays("not_served", "TUNED_BLAS=off,stats");
  says("5  off: ");
  plays("not_served", "TUNED_BLAS=verify,stats");
  says("5  verify: ");
  plays("not_served", "TUNED_BLAS=verify FAKE_FAULT=wrong");
  says("element 0, 0 of a product of");
  plays("served", "TUNED_BLAS=sats,trust");
  says("'sats' is none of off, stats, ");
}

static void test_initialize(void **state)
{
  char environment[400];
  (void)state;
  snprintf(environment, sizeof environment, "ROCBLAS_TENSILE_LIBPATH=%s/none",
           BUILD_DIR);
  plays("initialize", environment);
  says("initialized 0");
  char file[400];
  snprintf(file, sizeof file, "%s_gfx906.dat", kernels);
  write_file(file, "x", 1);
  snprintf(environment, sizeof environment, "ROCBLAS_TENSILE_LIBPATH=%s",
           BUILD_DIR "/tests/front");
  plays("initialize", environment);
  says("initialized 1");
  unlink(file);
}

static void test_record(void **state)
{
  char environment[500], file[400], line[400];
  (void)state;
  snprintf(file, sizeof file, "%s.shapes", kernels);
  snprintf(environment, sizeof environment, "TUNED_BLAS=record:%s", file);
  plays("ask_often", environment);
  says_nothing();
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  assert_non_null(fgets(line, sizeof line, in)); /* the head */
  for (int count = 3; count > 0; count--) {
    char want[16];
    snprintf(want, sizeof want, " count=%d\n", count);
    assert_non_null(fgets(line, sizeof line, in));
    assert_int_equal(strncmp(line, "gemm m=", 7), 0);
    assert_non_null(strstr(line, want));
  }
  assert_null(fgets(line, sizeof line, in));
  fclose(in);
  unlink(file);
  plays("ask_often", "TUNED_BLAS=record:/proc/none/file");
  says("TUNED_BLAS=record: /proc/none/file: No such file or directory");
}

static int print_overhead(void)
{
  set_up(NULL);
  for (int i = 0; i < 5; i++) {
    plays("overhead", "");
    fputs(said, stdout);
  }
  return tear_down(NULL);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls),   cmocka_unit_test(test_capture),
      cmocka_unit_test(test_fork),    cmocka_unit_test(test_threads),
      cmocka_unit_test(test_packs),   cmocka_unit_test(test_faults),
      cmocka_unit_test(test_modes),   cmocka_unit_test(test_initialize),
      cmocka_unit_test(test_record),
  };
  if (argc > 1 && !strcmp(argv[1], "--overhead"))
    return print_overhead();
  return argc > 1 ? play(argv[1])
                  : cmocka_run_group_tests(tests, set_up, tear_down);
}
