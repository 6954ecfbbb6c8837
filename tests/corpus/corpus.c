/* corpus.c - compile, run and compare the kernels of corpus.h.
 *
 *   corpus [KERNEL]      all of them, or those of one name
 *
 * CORPUS_CLANG=clang-22 has that program compile, not hiprtc.
 *
 * Two processes share the work, a topic at one level at a time.
 */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "runtimes/sim/hipsim.h"
#include "tests/sim/rtc.h"

#define TOPICS(X) \
  X(reduce) X(scan) X(sort) X(integer) X(floating) X(half) X(bits) X(across) \
  X(control) X(memory) X(call) X(atomic) X(wait) X(shape) X(program) \
  X(fault)

#define DECLARE(name) extern const struct kernel_case corpus_##name[];
TOPICS(DECLARE)
static const struct {
  const char *name;
  const struct kernel_case *cases;
} topics[] = {
#define ROW(name) {#name, corpus_##name},
    TOPICS(ROW)
};
static const char *const levels[] = {"-O0", "-O2", "-O3"};

enum {
  TOPIC_COUNT = sizeof topics / sizeof *topics,
  LEVELS = sizeof levels / sizeof *levels,
  WORKERS = 2
};

/* What the workers share. */
struct totals {
  atomic_int next, passed, failed;
};

/* --- values --------------------------------------------------------------- */

u16 half_of(double x)
{
  const u16 sign = signbit(x) ? 0x8000 : 0;
  int exponent;
  if (x != x)
    return 0x7e00;
  x = fabs(x);
  if (x >= 65520)
    return sign | 0x7c00;
  frexp(x, &exponent); /* x = 0.5..1 by 2^exponent; 11 bits are kept */
  if (x == 0 || exponent < -13)
    return sign | (u16)nearbyint(ldexp(x, 24)); /* subnormal, or 2^-14 */
  const double m = nearbyint(ldexp(x, 11 - exponent));
  return sign | (u16)(((exponent + 13) << 10) + (int)m);
}

double half_value(u16 bits)
{
  const int exponent = bits >> 10 & 31, m = bits & 1023;
  const double x = exponent == 31 ? (m ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + m, exponent - 25)
                                  : ldexp(m, -24);
  return bits & 0x8000 ? -x : x;
}

static void fill(u32 *to, int n, enum fill how, struct rng *r)
{
  for (int i = 0; i < n; i++) {
    const u64 x = rng_next(r);
    const float unit = (float)(x >> 40) * 0x1p-24f;
    const double wide = (double)(x >> 11) * 0x1p-53;
    const u32 halves = (u32)half_of((int)(x & 511) / 64.0 - 4) |
                       (u32)half_of((int)(x >> 32 & 511) / 64.0 - 4) << 16;
    switch (how) {
    case WORDS: to[i] = (u32)x; break;
    case UNIT: memcpy(to + i, &unit, 4); break;
    case DOUBLES:
      memcpy(to + i, &wide, i + 1 < n ? 8 : 4);
      i++;
      break;
    case HALVES: to[i] = halves; break;
    case BYTES: to[i] = x & 255; break;
    case ZEROS: to[i] = 0; break;
    }
  }
}

static int near(double got, double want, double within)
{
  if (isnan(want) || isnan(got) || isinf(want))
    return (isnan(want) && isnan(got)) || got == want;
  return fabs(got - want) <= within * fmax(1, fabs(want));
}

/* 0, or what differs first is printed. */
static int compare(const struct kernel_case *c, const char *level,
                   const void *got, const void *want)
{
  const int wide = c->compare == DOUBLE;
  for (int i = 0; i < c->outs >> wide; i++) {
    if (c->compare == EXACT) {
      const u32 a = ((const u32 *)got)[i], b = ((const u32 *)want)[i];
      if (a == b)
        continue;
      printf("%s %s: word %d is %#x, not %#x\n", c->name, level, i, a, b);
      return -1;
    }
    const double a = wide ? ((const double *)got)[i] : ((const float *)got)[i];
    const double b =
        wide ? ((const double *)want)[i] : ((const float *)want)[i];
    if (near(a, b, c->within))
      continue;
    printf("%s %s: value %d is %.17g, not %.17g\n", c->name, level, i, a, b);
    return -1;
  }
  return 0;
}

/* --- one kernel ----------------------------------------------------------- */

struct buffers {
  u32 *in, *out, *want;   /* the host's */
  void *din, *dout;       /* the device's */
};

static int size(int of_case)
{
  return of_case ? of_case : 1;
}

static int launch(const struct kernel_case *c, hipModule_t module,
                  const struct buffers *b)
{
  struct {
    void *out, *in;
    int n, unused;
    u8 more[256];
  } args = {.out = b->dout, .in = b->din, .n = c->n};
  size_t bytes = offsetof(__typeof__(args), more) + c->args_bytes;
  hipFunction_t f;
  unsigned g[3], t[3];
  for (int d = 0; d < 3; d++) {
    g[d] = (unsigned)size(c->shape.grid[d]);
    t[d] = (unsigned)size(c->shape.block[d]);
  }
  if (c->args)
    memcpy(args.more, c->args, c->args_bytes);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  return hipModuleGetFunction(&f, module, c->name) ||
         hipModuleLaunchKernel(f, g[0], g[1], g[2], t[0], t[1], t[2], c->lds,
                               NULL, NULL, extra) ||
         hipDeviceSynchronize();
}

/* Of the device's waves. */
static int lanes(void)
{
  struct hipsim_device device = {.size = sizeof device};
  hipsimDevice(&device);
  return (int)arch_fact(arch_find(device.arch), "wave");
}

/* Is how the launch went what the case wants? */
static int judge(const struct kernel_case *c, const char *level, int failed,
                 const struct buffers *b)
{
  if (c->fault) {
    if (failed && (strstr(hipsimError(), c->fault) ||
                   (c->or_fault && strstr(hipsimError(), c->or_fault))))
      return 0;
    printf("%s %s: no '%s' in '%s'\n", c->name, level, c->fault,
           failed ? hipsimError() : "success");
    return -1;
  }
  if (failed ||
      hipMemcpy(b->out, b->dout, (size_t)c->outs * 4, hipMemcpyDeviceToHost)) {
    printf("%s %s: %s\n", c->name, level, hipsimError());
    return -1;
  }
  struct shape shape = c->shape;
  shape.lanes = lanes();
  c->host(b->want, b->in, c->n, &shape);
  return compare(c, level, b->out, b->want);
}

static int run(const struct kernel_case *c, const char *level,
               hipModule_t module)
{
  const size_t in = (size_t)c->n * 4, out = (size_t)c->outs * 4;
  struct buffers b = {malloc(in), malloc(out), malloc(out), NULL, NULL};
  struct rng r;
  int result = -1;
  rng_seed(&r, 3);
  fill(b.in, c->n, c->fill, &r);
  fill(b.want, c->outs, c->start, &r);
  if (hipMalloc(&b.din, in) || hipMalloc(&b.dout, out) ||
      hipMemcpy(b.din, b.in, in, hipMemcpyHostToDevice) ||
      hipMemcpy(b.dout, b.want, out, hipMemcpyHostToDevice))
    printf("%s %s: %s\n", c->name, level, hipsimError());
  else
    result = judge(c, level, launch(c, module, &b), &b);
  hipFree(b.din), hipFree(b.dout);
  free(b.in), free(b.out), free(b.want);
  return result;
}

/* --- all ------------------------------------------------------------------ */

static char *code_of(const struct rtc *rtc, const char *text,
                     const char *level)
{
  char target[64];
  const char *options[] = {target, "-ffp-contract=off", level};
  const char *clang = getenv("CORPUS_CLANG");
  struct hipsim_device device = {.size = sizeof device};
  size_t n;
  hipsimDevice(&device); /* HIPSIM_CARD's architecture */
  if (clang)
    return clang_compile(clang, device.arch, lanes(), level, text, &n);
  snprintf(target, sizeof target, "--gpu-architecture=%s", device.arch);
  return rtc_compile_with(rtc, text, options, 3, &n);
}

static char *compile(const struct rtc *rtc, const char *topic,
                     const char *level)
{
  struct str text = {0};
  struct err e = {0};
  char path[256];
  char *code = NULL;
  snprintf(path, sizeof path, SOURCE_DIR "/tests/corpus/%s.hip", topic);
  if (file_read(SOURCE_DIR "/tests/corpus/corpus.hip", 1 << 20, &text, &e) ||
      (str_addf(&text, "#line 1 \"%s.hip\"\n", topic),
       file_read(path, 1 << 20, &text, &e)))
    printf("%s\n", e.text);
  else
    code = code_of(rtc, text.at, level);
  str_free(&text);
  return code;
}

static void run_topic(const struct rtc *rtc, size_t topic, const char *level,
                      const char *only, struct totals *totals)
{
  const struct kernel_case *c = topics[topic].cases;
  hipModule_t module;
  if (only) {
    while (c->name && strcmp(c->name, only))
      c++;
    if (!c->name)
      return;
  }
  char *code = compile(rtc, topics[topic].name, level);
  if (!code || hipModuleLoadData(&module, code)) {
    printf("%s %s: %s\n", topics[topic].name, level,
           code ? hipsimError() : "does not compile");
    totals->failed++;
    free(code);
    return;
  }
  for (; c->name; c++)
    if (!only || !strcmp(c->name, only))
      atomic_fetch_add(run(c, level, module) ? &totals->failed : &totals->passed,
                       1);
  free(code);
  if (hipModuleUnload(module))
    totals->failed++;
}

static int work(const char *only, struct totals *totals)
{
  struct rtc rtc = {0};
  if (!getenv("CORPUS_CLANG") && rtc_open(&rtc)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    return 0;
  }
  for (int i; (i = atomic_fetch_add(&totals->next, 1)) < TOPIC_COUNT * LEVELS;) {
    run_topic(&rtc, (size_t)i / LEVELS, levels[i % LEVELS], only, totals);
    fflush(stdout);
  }
  return 0;
}

int main(int argc, char **argv)
{
  struct totals *totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int status, bad = 0;
  if (totals == MAP_FAILED)
    return 1;
  setenv("HIPSIM_LIMIT", "2000000", 1); /* an endless kernel ends soon */
  for (int i = 0; i < WORKERS; i++)
    if (!fork())
      _exit(work(argc > 1 ? argv[1] : NULL, totals));
  while (wait(&status) > 0)
    if (status) {
      printf("a worker ended with status %#x\n", status);
      bad = 1;
    }
  printf("%d passed, %d failed\n", totals->passed, totals->failed);
  return bad || totals->failed;
}
