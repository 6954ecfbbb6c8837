/* scenarios.c - see scenarios.h. */
// SPDX-License-Identifier: MIT
#include "tests/front/scenarios.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/front/sums.h"

/* One that the pack's rows name, whose kernel needs scratch. */
static struct sum tuned_sum(uint64_t seed, struct fake_handle *handle)
{
  struct rng r = rng_seeded(seed);
  struct sum s = some_sum(&r, handle);
  s.op_a = s.op_b = OP_TRANSPOSE;
  s.m = s.n = s.lda = s.ldb = s.ldc = s.k;
  return s;
}

/* Under capture nothing but launches, and those only of what is ready. */
static void capture(void)
{
  struct fake_handle handle = {.stream = &handle};
  struct sum s = tuned_sum(3, &handle);
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

/* Without kernels of rocBLAS the program would end: so ours are made ready, and
 * in a way that the capture survives. The first check waits until none is. */
static void capture_alone(void)
{
  struct fake_handle handle = {.stream = &handle};
  struct sum s = tuned_sum(5, &handle);
  lib->fake_capture(&handle);
  CHECK(do_sgemm(&s) == 1);
  CHECK(lib->counts->loads == 1 && lib->counts->allocations == 1);
  CHECK(lib->counts->broken == 0 && lib->counts->launches == 2);
  lib->fake_capture(NULL);
  CHECK(do_sgemm(&s) == 1);
  CHECK(lib->counts->launches > 4); /* checked, too */
  free_sum(&s);
}

/* Another stream captures, of a program that does not know of our memory. */
static void beside_capture(void)
{
  int stream;
  struct fake_handle handle = {.stream = &stream};
  struct sum s = tuned_sum(4, &handle);
  lib->fake_capture(&handle);
  CHECK(do_sgemm(&s) == 1);
  CHECK(lib->counts->loads == 1 && lib->counts->broken == 0);
  free_sum(&s);
}

/* Each device has kernels of its own, and a stream is of one device. */
static void devices(void)
{
  struct rng r = rng_seeded(5);
  struct fake_handle handle = {.stream = &handle};
  struct sum s = some_sum(&r, &handle);
  CHECK(do_sgemm(&s) == 1);
  lib->fake_place(&handle);
  CHECK(do_sgemm(&s) == 0);
  lib->hipSetDevice(1);
  CHECK(do_sgemm(&s) == 1);
  CHECK(lib->counts->loads == 2);
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

static double cpu_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The tightest call, by the processor's time: the least of many rounds, for
 * other work beside it spoils caches. */
static void overhead(void)
{
  struct rng r = rng_seeded(1);
  struct fake_handle handle = {0};
  struct sum s = some_sum(&r, &handle);
  double least = HUGE_VAL;
  enum {ROUNDS = 50, CALLS = 2000};
  s.m = s.n = 1;
  s.k = 4;
  s.op_a = s.op_b = OP_NONE;
  s.lda = s.ldb = s.ldc = 16;
  CHECK(do_sgemm(&s) == 1);
  for (int round = 0; round < ROUNDS; round++) {
    double begun = cpu_ns();
    for (int i = 0; i < CALLS; i++)
      call_sgemm(&s);
    least = fmin(least, (cpu_ns() - begun) / CALLS);
  }
  printf("%.0f ns a call\n", least);
  free_sum(&s);
}

static const struct {
  const char *name;
  void (*run)(void);
} scenarios[] = {
    {"random_calls", random_calls}, {"each_reason", each_reason},
    {"types", types}, {"wrong_types", wrong_types},
    {"batch_alone", batch_alone}, {"batch_beside", batch_beside},
    {"no_library", no_library}, {"devices", devices},
    {"beside_capture", beside_capture}, {"capture", capture},
    {"capture_alone", capture_alone}, {"forked", forked},
    {"threads", threads}, {"served", served}, {"not_served", not_served},
    {"initialize", initialize}, {"ask_often", ask_often},
    {"overhead", overhead},
};

enum {SCENARIOS = sizeof scenarios / sizeof *scenarios};

static int open_backend(void)
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
  return 0;
}

int play(const char *name)
{
  if (strcmp(name, "no_library") != 0 && open_backend())
    return 1;
  for (int i = 0; i < SCENARIOS; i++)
    if (!strcmp(scenarios[i].name, name)) {
      scenarios[i].run();
      return 0;
    }
  return 2;
}
