/* kernels.c - wave64 instructions a second that the simulated device executes.
 *
 *   bench_kernels [ARCH] [NAME...]
 *
 * For each kernel of kernels.hip, in millions a second: functionally on one
 * core, functionally on all of them, and timed: one compute unit's share of
 * the launch in every detail, nothing left out, with the timing model's first
 * look at the L2 in its time but not in its instructions; and functionally on
 * one core with all that HIPSIM_CHECK knows. The last column is how many millions
 * the functional launch has: of one that does two operations at once, as gfx90a's
 * v_pk_fma_f32, it takes half as many. Nothing but gfx906 is timed, the
 * architecture if ARCH is none. The best of three;
 * seconds are the processor's time, those of all cores the clock's, so that
 * only these suffer from what else the machine does.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "runtimes/sim/check/check.h"
#include "tests/bench/about.h"
#include "tests/sim/launch.h"

enum {PASSES = 3, BUFFER = 64 << 20};

/* A launch of groups of 256 threads. The timed one is larger, because one
 * compute unit of sixty has its share of it. */
struct size {
  uint32_t groups;
  int numbers[3];
};

static const struct kernel_case {
  const char *name;
  struct size functional, timed;
} cases[] = {
    {"gemm", {64, {1024, 1024, 256}}, {960, {3840, 4096, 1024}}},
    {"lds", {120, {250}}, {3600, {250}}},
    {"stream", {480, {4 << 20, 1}}, {480, {4 << 20, 100}}},
};
enum {CASES = sizeof cases / sizeof *cases};

union args {
  struct {
    const void *a, *b;
    void *c;
    int m, n, k;
  } gemm;
  struct {
    const void *in;
    void *out;
    int rounds;
  } lds;
  struct {
    const void *x;
    void *y;
    float a;
    int n, rounds;
  } stream;
};

static double now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static union args arguments(const char *name, const int *numbers,
                            float *buffers[3])
{
  union args a = {0};
  if (!strcmp(name, "gemm")) {
    a.gemm.a = buffers[0], a.gemm.b = buffers[1], a.gemm.c = buffers[2];
    a.gemm.m = numbers[0], a.gemm.n = numbers[1], a.gemm.k = numbers[2];
  } else if (!strcmp(name, "lds")) {
    a.lds.in = buffers[0], a.lds.out = buffers[2];
    a.lds.rounds = numbers[0];
  } else {
    a.stream.x = buffers[0], a.stream.y = buffers[2], a.stream.a = 0.5f;
    a.stream.n = numbers[0], a.stream.rounds = numbers[1];
  }
  return a;
}

static int prepare(const struct device *dev, const char *name,
                   const struct size *s, float *buffers[3],
                   struct dispatch *out)
{
  union args a = arguments(name, s->numbers, buffers);
  return device_prepare(dev, out, name, s->groups, 256, &a, sizeof a);
}

static double millions(const struct counts *c)
{
  uint64_t insts = 0;
  for (unsigned n = 0; n < CLASS_N; n++)
    insts += c->insts[n];
  return 1e-6 * (double)insts;
}

/* Millions a second; *all: in all. */
static double functional(const struct dispatch *d, unsigned threads, double *all)
{
  struct counts counts = {0};
  struct fault fault = {0};
  clockid_t clock = threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  double start = now(clock);
  int code = dispatch_run(d, threads, &counts, &fault);
  double seconds = now(clock) - start;
  *all = millions(&counts);
  if (code)
    fprintf(stderr, "bench_kernels: %s\n", fault.text);
  return code ? 0 : *all / seconds;
}

/* What a kernel only writes nobody else has written. */
static double checked(const struct dispatch *d, const char *name,
                      float *buffers[3])
{
  struct check *c = check_open(CHECK_ALL, stderr);
  struct dispatch watched = *d;
  int inputs = strcmp(name, "stream") ? 2 : 3;
  for (int n = 0; n < 3; n++)
    check_allocated(c, buffers[n], BUFFER);
  for (int n = 0; n < inputs; n++)
    check_written(c, buffers[n], BUFFER);
  check_launch(c, &watched);
  double insts, speed = functional(&watched, 1, &insts);
  check_launched(c);
  check_close(c);
  return speed;
}

static double timed(const struct dispatch *d)
{
  struct timing t = {0};
  struct fault fault = {0};
  double insts = 0, start = now(CLOCK_PROCESS_CPUTIME_ID);
  int code = model_run_complete(d, card_find("mi50"), &t, NULL, &fault);
  double seconds = now(CLOCK_PROCESS_CPUTIME_ID) - start;
  for (size_t n = 0; n < t.n; n++)
    insts += t.counts[n].hits;
  timing_free(&t);
  if (code)
    fprintf(stderr, "bench_kernels: %s\n", fault.text);
  return code ? 0 : 1e-6 * insts / seconds;
}

static double best(double a, double b)
{
  return a > b ? a : b;
}

static void measure(const struct device *dev, const struct kernel_case *k,
                    float *buffers[3])
{
  unsigned cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
  double one = 0, all = 0, model = 0, check = 0, insts = 0;
  struct dispatch d, large;
  if (prepare(dev, k->name, &k->functional, buffers, &d) ||
      prepare(dev, k->name, &k->timed, buffers, &large)) {
    fprintf(stderr, "bench_kernels: no kernel is named %s\n", k->name);
    return;
  }
  for (int pass = 0; pass < PASSES; pass++) {
    one = best(one, functional(&d, 1, &insts));
    all = best(all, functional(&d, cores, &insts));
    model = dev->object->isa == isa_at(0) ? best(model, timed(&large)) : 0;
    check = best(check, checked(&d, k->name, buffers));
  }
  device_finish(&d);
  device_finish(&large);
  printf("%-8s %12.2f %12.2f %12.2f %12.2f %8.2f\n", k->name, one, all, model,
         check, insts);
  fflush(stdout);
}

static int wanted(const char *name, int argc, char **argv)
{
  int first = argc > 1 && isa_find(argv[1]) ? 2 : 1, found = first == argc;
  for (int n = first; n < argc; n++)
    found |= !strcmp(argv[n], name);
  return found;
}

static void about_compiler(const struct rtc *r)
{
  void *at = dlsym(r->library, "hiprtcVersion");
  __typeof__(&hiprtcVersion) version;
  int major, minor;
  memcpy(&version, &at, sizeof version);
  if (version && version(&major, &minor) == HIPRTC_SUCCESS)
    printf("# kernels compiled by hiprtc %d.%d\n", major, minor);
}

static int open_device(struct device *dev, const struct isa *isa)
{
  struct rtc rtc;
  struct str text = {0};
  struct err e = {0};
  if (rtc_open(&rtc)) {
    fprintf(stderr, "bench_kernels: no hiprtc; install libamdhip64-5\n");
    return -1;
  }
  about_compiler(&rtc);
  int bad = file_read(SOURCE_DIR "/tests/bench/kernels.hip", 1 << 20, &text,
                      &e);
  if (bad)
    fprintf(stderr, "bench_kernels: %s\n", e.text);
  bad = bad || device_open_for(dev, &rtc, isa ? isa : isa_at(0), str_text(&text));
  str_free(&text);
  return bad ? -1 : 0;
}

int main(int argc, char **argv)
{
  struct device dev;
  float *buffers[3];
  about(argc, argv);
  if (open_device(&dev, argc > 1 ? isa_find(argv[1]) : NULL))
    return 1;
  for (int n = 0; n < 3; n++) {
    buffers[n] = arena_alloc(dev.arena, BUFFER);
    for (size_t i = 0; i < BUFFER / sizeof(float); i++)
      buffers[n][i] = (float)(i % 17) / 16;
  }
  printf("%-8s %12s %12s %12s %12s  M wave64 instructions/s, M\n", "",
         "functional", "all cores", "timed", "checked");
  for (int n = 0; n < CASES; n++)
    if (wanted(cases[n].name, argc, argv))
      measure(&dev, &cases[n], buffers);
  device_close(&dev);
  return 0;
}
