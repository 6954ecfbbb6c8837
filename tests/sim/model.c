/* model.c - what a timed launch reports: rates of known kernels, why a
 * padded tile is faster, counters, faults. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "runtimes/sim/timing/card.h"
#include "tests/sim/launch.h"

static const char *const text =
    "typedef float f4 __attribute__((ext_vector_type(4)));\n"
    "#define KERNEL extern \"C\" __global__ __launch_bounds__(256) void\n"
    "#define T (blockIdx.x * 256 + threadIdx.x)\n"
    "KERNEL axpy(const float *x, float *y, int n) { y[T] += 2 * x[T]; }\n"
    "KERNEL copy4(const f4 *x, f4 *y, int n) { y[T] = x[T]; }\n"
    "KERNEL read4(const f4 *x, float *y, int n)\n"
    "{ f4 v = x[T]; if (v.x + v.y + v.z + v.w == 1.5f) y[T] = 1; }\n"
    "KERNEL fma(const float *x, float *y, int n)\n"
    "{ float s[8], a = x[0], b = x[1], sum = 0;\n"
    "  for (int j = 0; j < 8; j++) s[j] = T + j;\n"
    "#pragma unroll 8\n"
    "  for (int i = 0; i < n; i++)\n"
    "    for (int j = 0; j < 8; j++) s[j] = s[j] * a + b;\n"
    "  for (int j = 0; j < 8; j++) sum += s[j];\n"
    "  y[T] = sum; }\n"
    /* A transposing tile: rows are written, columns are read. */
    "template <int LD, int MASK> __device__ void turn(float *y, int n)\n"
    "{ __shared__ float s[32 * LD]; const int t = threadIdx.x;\n"
    "  float sum = 0; int r = t % 32, c = t / 32;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    for (int j = 0; j < 4; j++)\n"
    "      s[(c + 8 * j) * LD + (r ^ (c + 8 * j & MASK))] = sum + j;\n"
    "    __syncthreads();\n"
    "    for (int j = 0; j < 4; j++)\n"
    "      sum += s[r * LD + ((c + 8 * j) ^ (r & MASK))];\n"
    "    __syncthreads(); }\n"
    "  y[T] = sum; }\n"
    "KERNEL pad0(const float *x, float *y, int n) { turn<32, 0>(y, n); }\n"
    "KERNEL pad1(const float *x, float *y, int n) { turn<33, 0>(y, n); }\n"
    "KERNEL pad4(const float *x, float *y, int n) { turn<36, 0>(y, n); }\n"
    "KERNEL mask(const float *x, float *y, int n) { turn<32, 31>(y, n); }\n"
    /* Private memory, N dwords of each lane, more than the L1 holds. */
    "template <int N> __device__ void keep(float *y, int n)\n"
    "{ volatile float s[N]; float sum = 0;\n"
    "  for (int i = 0; i < n; i++) { s[i % N] = i; sum += s[i * 3 % N]; }\n"
    "  y[T] = sum; }\n"
    "KERNEL keep4(const float *x, float *y, int n) { keep<4>(y, n); }\n"
    "KERNEL keep64(const float *x, float *y, int n) { keep<64>(y, n); }\n"
    /* Waves walk over 256 pieces of 256 bytes, more than an L1 holds. */
    "template <int STEP>\n"
    "__device__ void walk(const float *x, float *y, int n)\n"
    "{ const int l = threadIdx.x % 64, w = T / 64 * 37;\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; i++) sum += x[(w + i & 255) * STEP + l];\n"
    "  y[T] = sum; }\n"
    "KERNEL spread(const float *x, float *y, int n) { walk<64>(x, y, n); }\n"
    "KERNEL camp(const float *x, float *y, int n) { walk<1024>(x, y, n); }\n"
    /* Waves load pieces of 256 bytes, a group's all of one channel: that of its
     * number, or of a quarter of it. */
    "__device__ void stay(const float *x, float *y, int n, int first)\n"
    "{ float sum = 0; x += threadIdx.x / 64 * 640 * 64 + threadIdx.x % 64;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i++)\n"
    "    sum += x[(i * 4 * 640 + first) * 64];\n"
    "  y[T] = sum; }\n"
    "KERNEL link(const float *x, float *y, int n)\n"
    "{ stay(x, y, n, blockIdx.x); }\n"
    "KERNEL links(const float *x, float *y, int n)\n"
    "{ int b = blockIdx.x; stay(x, y, n, (b & ~63) + b % 4 * 16 + b % 64 / 4); }\n"
    /* The same of one channel, with a loop within each turn or without. */
    "#define WITHIN(name, how) \\\n"
    "KERNEL name(const float *x, float *y, int n) \\\n"
    "{ float sum = 0; \\\n"
    "  x += (blockIdx.x + threadIdx.x / 64 * 640) * 64 + threadIdx.x % 64; \\\n"
    "  _Pragma(\"unroll 1\") \\\n"
    "  for (int i = 0; i < n; i++) { \\\n"
    "    float v = x[i * 4 * 640 * 64]; \\\n"
    "    _Pragma(how) \\\n"
    "    for (int j = 0; j < 12; j++) sum = sum * v + 1; } \\\n"
    "  y[T] = sum; }\n"
    "WITHIN(within, \"unroll 1\") WITHIN(without, \"unroll\")\n"
    /* Four such loads a turn, of which the last wave leaves every second out; it
     * knows itself by an SGPR, or reads a lane for it each time. */
    "#define NEXT x[i++ * 4 * 640 * 64]\n"
    "#define SOME(number) { \\\n"
    "  int wave; number asm volatile(\"\" : \"+s\"(wave) :: \"memory\"); \\\n"
    "  if (wave < 3) sum += NEXT; else i++; asm volatile(\"\" ::: \"memory\"); }\n"
    "#define LEFT_OUT(name, number) \\\n"
    "KERNEL name(const float *x, float *y, int n) \\\n"
    "{ float sum = 0; \\\n"
    "  x += (blockIdx.x + threadIdx.x / 64 * 640) * 64 + threadIdx.x % 64; \\\n"
    "  _Pragma(\"unroll 1\") \\\n"
    "  for (int i = 0; i < n;) { \\\n"
    "    SOME(number) sum = sum * NEXT + 1; SOME(number) sum = sum * NEXT + 1; } \\\n"
    "  y[T] = sum; }\n"
    "LEFT_OUT(left_out, \n"
    "         wave = __builtin_amdgcn_readfirstlane(threadIdx.x) / 64;)\n"
    "LEFT_OUT(left_out_by_lane, \n"
    "         asm volatile(\"v_readfirstlane_b32 %0, %1\\n\\ts_lshr_b32 %0, %0, 6\" \n"
    "                      : \"=s\"(wave) : \"v\"((int)threadIdx.x) : \"scc\");)\n"
    /* The loop of `link`, counted in a VGPR, compared as 64 bits whose halves are
     * made apart. What is left of all that is something else, as where compilers
     * use a register again. */
    "KERNEL counted(const float *x, float *y, int n)\n"
    "{ float sum = 0; int i = 0; long more = 1;\n"
    "  x += (blockIdx.x + threadIdx.x / 64 * 640) * 64 + threadIdx.x % 64;\n"
    "#pragma unroll 1\n"
    "  for (; more; x += 4 * 640 * 64) {\n"
    "    sum += *x;\n"
    "    asm volatile(\"v_add_u32 %1, 1, %1\\n\\tv_mov_b32 v40, %1\\n\\t\"\n"
    "                 \"v_mov_b32 v41, 0\\n\\tv_cmp_gt_i64 vcc, %2, v[40:41]\\n\\t\"\n"
    "                 \"s_mov_b64 %0, vcc\\n\\ts_mov_b64 vcc, 0\\n\\t\"\n"
    "                 \"v_mov_b32 v40, -1\\n\\tv_mov_b32 v41, 1\"\n"
    "                 : \"=s\"(more), \"+v\"(i) : \"v\"((long)n)\n"
    "                 : \"vcc\", \"v40\", \"v41\"); }\n"
    "  y[T] = sum; }\n"
    /* Pieces of 256 bytes, 8 KiB apart, no two the same. */
    "KERNEL far(const float *x, float *y, int n)\n"
    "{ float sum = 0;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i++)\n"
    "    sum += x[(i * 600 + blockIdx.x) * 2048 + threadIdx.x % 64];\n"
    "  y[T] = sum; }\n"
    /* Rows of 64 or 128 bytes, 4 KiB apart: a group's are all of one channel,
     * and each CU has a link of its own to it. */
    "template <int W>\n"
    "__device__ void pieces(const float *x, float *y, int n)\n"
    "{ float sum = 0; const int t = threadIdx.x, b = blockIdx.x;\n"
    "  x += (b / 64 * 64 + t / W) * 1024 + b % 64 / 4 * 64 + t % W;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i++) sum += x[i * (256 / W) * 1024];\n"
    "  y[T] = sum; }\n"
    "KERNEL halves64(const float *x, float *y, int n)\n"
    "{ pieces<16>(x, y, n); }\n"
    "KERNEL wholes128(const float *x, float *y, int n)\n"
    "{ pieces<32>(x, y, n); }\n"
    /* A wave follows pointers; so many a turn that no replay takes the loop
     * for a walk in steps. */
    "KERNEL chase(const long *x, long *y, int n)\n"
    "{ if (threadIdx.x >= 64) return;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i += 96)\n"
    "#pragma unroll\n"
    "    for (int j = 0; j < 96; j++) x = (const long *)*x;\n"
    "  if (x == y) *y = 1; }\n"
    /* The second 64 bytes of each alone. */
    "KERNEL narrow(const float *x, float *y, int n)\n"
    "{ float sum = 0;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i++)\n"
    "    sum += x[(i * 600 + blockIdx.x) * 2048 + 16 + threadIdx.x % 16];\n"
    "  y[T] = sum; }\n"
    /* 64 bytes each, 8 KiB or 8 MiB apart: each in a row that the one before
     * is not in. */
    "KERNEL rows(const float *x, float *y, int n)\n"
    "{ float sum = 0; int b = blockIdx.x;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i++)\n"
    "    sum += x[(i * 75 + b % 8 * 1024 + b / 8) * 2048 + 16 + threadIdx.x % 16];"
    "\n"
    "  y[T] = sum; }\n"
    /* A group goes down 64 columns by 64 bytes between barriers, a turn of the
     * loop once or twice. Sixteen on a CU have different ones. */
    "template <int LD, int U> __device__ void down(const float *x, float *y,"
    " int n)\n"
    "{ const int t = threadIdx.x; float sum = 0;\n"
    "  const int column = blockIdx.x / 60 % 16 * 64 + t / 4;\n"
    "  const f4 *c = (const f4 *)x + column * LD + t % 4;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < n; i += U)\n"
    "#pragma unroll\n"
    "    for (int u = 0; u < U; u++)\n"
    "    { sum += c[4 * (i + u)].x; __syncthreads(); }\n"
    "  y[T] = sum; }\n"
    "KERNEL down8(const float *x, float *y, int n) { down<512, 1>(x, y, n); }\n"
    "KERNEL down64(const float *x, float *y, int n)\n"
    "{ down<4096, 1>(x, y, n); }\n"
    "KERNEL twice64(const float *x, float *y, int n)\n"
    "{ down<4096, 2>(x, y, n); }\n"
    "KERNEL count(const float *x, float *y, int n)\n"
    "{ for (int i = 0; i < n; i++)\n"
    "    atomicAdd((unsigned *)y + (T + 64 * i & 65535), 1u); }\n"
    "KERNEL score(const float *x, float *y, int n)\n"
    "{ if (threadIdx.x == 0) y[blockIdx.x] = n; }\n"
    "KERNEL column(const float *x, float *y, int n)\n"
    "{ y[(T & 4095) * 4096 + T / 4096] = n; }\n"
    "KERNEL fill(const float *x, f4 *y, int n) { y[T] = n; }\n"
    "KERNEL halves(const float *x, float *y, int n)\n"
    "{ y[(T / 8 & 4095) * 4096 + T / 32768 * 8 + T % 8] = n; }\n"
    /* Loops of 24 and of 48 KB, and as many instructions one after the other. */
    "#define FMAS(n) \"  .rept \" #n \"\\n v_fma_f32 %0, %0, %0, %0\\n .endr\"\n"
    "#define BODY(n) asm volatile(FMAS(n) : \"+v\"(s));\n"
    "KERNEL loop24(const float *x, float *y, int n)\n"
    "{ float s = T; for (int i = 0; i < n; i++) BODY(3000) y[T] = s; }\n"
    "KERNEL loop48(const float *x, float *y, int n)\n"
    "{ float s = T; for (int i = 0; i < n; i++) BODY(6000) y[T] = s; }\n"
    "KERNEL once48(const float *x, float *y, int n)\n"
    "{ float s = T; BODY(6000) y[T] = s; }\n"
    "KERNEL endless(const float *x, float *y, int n)\n"
    "{ volatile float *v = y; while (v[0] == 0) n++; y[T] = n; }\n"
    "KERNEL stray(const float *x, float *y, int n) { y[T + ((size_t)n << 20)]"
    " = 1; }\n";

#define BUFFER ((size_t)64 << 20)

struct state {
  struct rtc rtc;
  struct device dev;
  uint8_t *x, *y;
};

static int open_device(void **state)
{
  static struct state s;
  if (rtc_open(&s.rtc) || device_open(&s.dev, &s.rtc, text))
    return -1;
  s.x = arena_alloc(s.dev.arena, BUFFER);
  s.y = arena_alloc(s.dev.arena, BUFFER);
  memset(s.x, 0, BUFFER);
  *state = &s;
  return 0;
}

static int close_device(void **state)
{
  device_close(&((struct state *)*state)->dev);
  return 0;
}

struct outcome {
  struct hipsim_report r;
  struct fault fault;
  double conflicts; /* over all instructions' counts */
  int code;
};

/* done[], a byte a group (NULL: only the modelled CU's groups are run), tells
 * which were executed. */
static struct outcome *launch_some(struct state *s, const char *kernel,
                                   const struct card *card, uint32_t groups,
                                   int n, uint64_t limit, uint8_t *done)
{
  static struct outcome o;
  struct { void *x, *y; int n; } args = {s->x, s->y, n};
  struct dispatch d;
  struct timing t;
  o = (struct outcome){.code = 0};
  memset(s->y, 0, BUFFER);
  assert_int_equal(device_prepare(&s->dev, &d, kernel, groups, 256, &args,
                                  sizeof args), 0);
  d.limit = limit;
  struct rest *rest = done ? rest_open(&d, 1) : NULL;
  o.code = model_run(&d, card, &t, rest, &o.fault);
  for (uint32_t g = 0; rest && g < groups; g++)
    done[g] = (uint8_t)rest_taken(rest, g);
  if (rest)
    rest_close(rest);
  if (!o.code) {
    o.r = t.report;
    for (size_t i = 0; i < t.n; i++)
      o.conflicts += t.counts[i].lds_conflicts;
    timing_free(&t);
  }
  device_finish(&d);
  return &o;
}

static struct outcome *launch_on(struct state *s, const char *kernel,
                                 const struct card *card, uint32_t groups,
                                 int n, uint64_t limit)
{
  return launch_some(s, kernel, card, groups, n, limit, NULL);
}

static struct outcome *launch(struct state *s, const char *kernel,
                              const char *card, uint32_t groups, int n,
                              uint64_t limit)
{
  return launch_on(s, kernel, card_find(card), groups, n, limit);
}

/* Time without the fixed cost of a launch, 4 us. */
static double kernel_us(const struct outcome *o)
{
  return o->r.time_us - 4;
}

static void close_to(double have, double want, double tolerance)
{
  if (fabs(have / want - 1) > tolerance)
    fail_msg("%g, not %g", have, want);
}

/* MI50: 867..873 GB/s read; copies come to 713..718 on a Vega II. */
static void bandwidth(void **state)
{
  const double bytes = 16.0 * 256 * 16384;
  struct outcome *o = launch(*state, "read4", "mi50", 16384, 0, 0);
  close_to(bytes / kernel_us(o) / 1e3, 870, 0.05);
  assert_string_equal(o->r.bound, "hbm");
  o = launch(*state, "copy4", "mi50", 16384, 0, 0);
  close_to(2 * bytes / kernel_us(o) / 1e3, 715, 0.05);
  assert_string_equal(o->r.bound, "hbm");
}

/* 64 lanes a cycle and CU, two operations each; clpeak-like figures of MI50s
 * are 12.9..13.4 TFLOP/s. MI60: 64 CUs at 1800 MHz. */
static void vector_peak(void **state)
{
  const double flops = 2.0 * 8 * 2000 * 256;
  struct outcome *o = launch(*state, "fma", "mi50", 60 * 40, 2000, 0);
  close_to(flops * 60 * 40 / kernel_us(o) / 1e6, 13.2, 0.03);
  assert_string_equal(o->r.bound, "valu");
  o = launch(*state, "fma", "mi60", 64 * 40, 2000, 0);
  close_to(flops * 64 * 40 / kernel_us(o) / 1e6, 14.7, 0.03);
}

/* A loop longer than the instruction cache's 32 KB comes anew from the L2 in
 * each turn, all of it, as the least recently used line goes first: 750 lines
 * of 8 instructions. One wave a SIMD waits for each; of nine, some can go on.
 * Code that is executed once, and the first turn, are taken to be there. */
static void long_loops(void **state)
{
  const double turns = 40, insts = 6000, lines = insts / 8;
  struct outcome *o = launch(*state, "loop24", "mi50", 60, turns, 0);
  double fits = kernel_us(o) / turns / insts * 2;
  close_to(fits * 1725, 4, 0.02);
  assert_true(o->r.sqc_icache_misses < 10);
  o = launch(*state, "loop48", "mi50", 60, turns, 0);
  close_to(o->r.sqc_icache_misses, 60 * lines * (turns - 1), 0.02);
  double alone = kernel_us(o) / turns / insts;
  assert_true(alone > 5 * fits);
  assert_string_equal(o->r.bound, "latency");
  o = launch(*state, "loop48", "mi50", 60 * 9, turns, 0);
  assert_true(kernel_us(o) / turns / insts < 9 * alone / 3);
  o = launch(*state, "once48", "mi50", 60, 0, 0);
  close_to(kernel_us(o) / insts, fits, 0.05);
}

/* The CUs follow their clock; HBM has one of its own. */
static void slower_clock(void **state)
{
  const double flops = 2.0 * 8 * 2000 * 256, bytes = 16.0 * 256 * 16384;
  struct card slow = *card_find("mi60");
  slow.clock_mhz *= 0.75;
  struct outcome *o = launch_on(*state, "fma", &slow, 64 * 40, 2000, 0);
  close_to(flops * 64 * 40 / kernel_us(o) / 1e6, 14.7 * 0.75, 0.03);
  o = launch_on(*state, "read4", &slow, 16384, 0, 0);
  close_to(bytes / kernel_us(o) / 1e3, 870, 0.05);
}

/* 32 lanes on one bank cost 32 cycles for a half wave; one dword of padding
 * or an XOR mask of all five bank bits costs none; four dwords leave columns
 * on every fourth bank: 8 banks, 4 lanes each. */
static void padding(void **state)
{
  double conflicts[4], times[4];
  static const char *const names[] = {"pad0", "pad4", "pad1", "mask"};
  for (int i = 0; i < 4; i++) {
    struct outcome *o = launch(*state, names[i], "mi50", 480, 300, 0);
    conflicts[i] = o->r.sq_lds_bank_conflict /
                   (o->r.sq_lds_idx_active - o->r.sq_lds_bank_conflict);
    times[i] = o->r.time_us;
    assert_true((o->conflicts > 0) == (conflicts[i] > 0));
  }
  /* Of as many reads as writes, the reads take this much longer. */
  close_to(conflicts[0], 31 / 2.0, 0.01);
  close_to(conflicts[1], 3 / 2.0, 0.01);
  assert_true(conflicts[2] == 0 && conflicts[3] == 0);
  assert_true(times[0] > 3 * times[1]);
  assert_true(times[1] > times[2] && times[1] > times[3]);
}

/* 16 channels, 256 bytes each in turn: 57 bytes a clock of each for streams, as
 * on an MI100; steps of 4096 bytes stay on one. */
static void channels(void **state)
{
  const double bytes = 256.0 * 4 * 600 * 1000, clock = 1725;
  struct outcome *o = launch(*state, "spread", "mi50", 600, 1000, 0);
  close_to(bytes / (kernel_us(o) * clock), 16 * 57, 0.1);
  assert_string_equal(o->r.bound, "l2");
  o = launch(*state, "camp", "mi50", 600, 1000, 0);
  close_to(bytes / (kernel_us(o) * clock), 57, 0.1);
}

/* CUs 0, 16, 32 and 48 share a link of 28 GB/s to each channel, and so on: where
 * they ask one channel, and nobody else does, its other links are idle. With
 * four links each, HBM is the limit. */
static void links(void **state)
{
  const double bytes = 256.0 * 4 * 640 * 100;
  struct outcome *o = launch(*state, "link", "mi60", 640, 100, 0);
  close_to(bytes / kernel_us(o) / 1e3, 16 * 28, 0.1);
  o = launch(*state, "links", "mi60", 640, 100, 0);
  close_to(bytes / kernel_us(o) / 1e3, 870, 0.1);
}

/* A loop within each turn does not hide what the turns load. */
static void loop_within_a_loop(void **state)
{
  const double bytes = 256.0 * 4 * 640 * 100;
  static const char *const kernels[] = {"without", "within"};
  for (int i = 0; i < 2; i++) {
    struct outcome *o = launch(*state, kernels[i], "mi60", 640, 100, 0);
    close_to(bytes / kernel_us(o) / 1e3, 16 * 28, 0.1);
  }
}

/* Nor does a wave that loads less than the others, however it knows that. */
static void a_load_left_out(void **state)
{
  static const char *const names[] = {"left_out", "left_out_by_lane"};
  const double bytes = 256.0 * (4 + 3 + 4 + 3) * 640 * 25;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct outcome *o = launch(*state, names[i], "mi60", 640, 100, 0);
    close_to(bytes / kernel_us(o) / 1e3, 16 * 28, 0.1);
  }
}

/* Nor a count that is in a VGPR. */
static void a_count_of_lanes(void **state)
{
  struct outcome *o = launch(*state, "counted", "mi60", 640, 100, 0);
  close_to(256.0 * 4 * 640 * 100 / kernel_us(o) / 1e3, 16 * 28, 0.1);
}

/* Rows of 64 bytes take a channel longer than half of those of 128. */
static void lone_halves(void **state)
{
  struct outcome *o = launch(*state, "wholes128", "mi60", 640, 128, 0);
  close_to(128.0 * 8 * 640 * 128 / kernel_us(o) / 1e3, 880, 0.1);
  o = launch(*state, "halves64", "mi60", 640, 64, 0);
  close_to(64.0 * 16 * 640 * 64 / kernel_us(o) / 1e3, 880 / 1.5, 0.1);
}

/* Groups that follow on others have a CU by their number, too. */
static void links_of_later_groups(void **state)
{
  struct outcome *o = launch(*state, "link", "mi60", 640 * 8, 50, 0);
  close_to(256.0 * 4 * 640 * 8 * 50 / kernel_us(o) / 1e3, 16 * 28, 0.1);
}

/* 32 channels of HBM, 256 bytes each in turn: steps of 8 KiB stay on one. */
static void hbm_channels(void **state)
{
  enum {TURNS = 13};
  struct outcome *o = launch(*state, "far", "mi50", 600, TURNS, 0);
  close_to(256.0 * 600 * TURNS / kernel_us(o) / 1e3, 870 / 32.0, 0.15);
  struct card ready = *card_find("mi50"); /* whatever row */
  ready.hbm_open_ns = 0;
  o = launch_on(*state, "narrow", &ready, 600, TURNS, 0);
  close_to(64.0 * 600 * TURNS / kernel_us(o) / 1e3, 870 / 32.0, 0.15);
}

/* A line takes a channel 64 bytes / 27.2 GB/s = 2.35 ns, and 1 ns more in
 * another row than the one before it in the bank; of those a channel opens one
 * in 5.5 ns. */
static void hbm_rows(void **state)
{
  struct card c = *card_find("mi50");
  double have = kernel_us(launch(*state, "rows", "mi50", 600, 13, 0));
  c.hbm_open_ns = 0;
  double bus = kernel_us(launch_on(*state, "rows", &c, 600, 13, 0));
  c.hbm_row_ns = 0;
  double least = kernel_us(launch_on(*state, "rows", &c, 600, 13, 0));
  close_to(bus / least, (2.35 + 1) / 2.35, 0.1);
  close_to(have / least, 5.5 / 2.35, 0.1);
}

/* Its CUs keep 128 pages each, and look up one a clock between them. */
static struct card slow_lookups(void)
{
  struct card c = *card_find("mi50");
  c.tlb_rate = 1;
  c.tlb_pages = 128;
  return c;
}

/* Of columns 64 KiB apart each lies on a page of its own. The ten groups of a
 * CU have 640 of them, it keeps 128; so each piece is looked up, here one
 * a clock (of the pages that are followed), also where a turn of the loop goes
 * down twice. 8 KiB apart they are on 80 pages. */
static void pages(void **state)
{
  enum {GROUPS = 60 * 64, N = 128};
  struct card slow = slow_lookups();
  double want = 64.0 * GROUPS * N / slow.clock_mhz;
  double once = kernel_us(launch_on(*state, "down64", &slow, GROUPS, N, 0));
  double twice = kernel_us(launch_on(*state, "twice64", &slow, GROUPS, N, 0));
  double near = kernel_us(launch_on(*state, "down8", &slow, GROUPS, N, 0));
  close_to(once, want, 0.15);
  close_to(twice, once, 0.1);
  assert_true(near < once / 2);
}

/* A launch is met in its middle. Of ten groups a CU some are past the end of
 * their loop by then: others have taken their places, and groups of a long
 * launch wait as long as those of a short one. */
static void groups_in_the_middle(void **state)
{
  enum {GROUPS = 60 * 64, TIMES = 16, N = 128};
  struct card slow = slow_lookups();
  double some = kernel_us(launch_on(*state, "down64", &slow, GROUPS, N, 0));
  double many =
      kernel_us(launch_on(*state, "down64", &slow, TIMES * GROUPS, N, 0));
  close_to(many / some, TIMES, 0.03);
}

/* A ring through all lines of the first so many bytes, in random order. */
static void make_ring(struct state *s, size_t bytes)
{
  size_t n = bytes / 64;
  uint32_t *order = malloc(n * sizeof *order), seed = 1;
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525 + 1013904223;
    size_t k = (size_t)(((uint64_t)seed * (i + 1)) >> 32);
    order[i] = order[k];
    order[k] = (uint32_t)i;
  }
  for (size_t i = 0; i < n; i++)
    *(void **)(s->x + (size_t)order[i] * 64) =
        s->x + (size_t)order[(i + 1) % n] * 64;
  free(order);
}

/* Cycles of a load whose address the one before it brought: on an MI210 125,
 * 234 to 252 and 570 to 584 (gpu-benches, gpu-latency/mi210.txt at 1700 MHz,
 * of 8 KiB, 1 MiB and 32 MiB). They went round before; here the first round, of lines
 * that only HBM has, is in both times. */
static void chains(void **state)
{
  static const struct { size_t bytes; double want; } rings[] = {
      {8 << 10, 125}, {1 << 20, 241}, {32 << 20, 571}};
  enum {N = 96 * 700};
  struct state *s = *state;
  for (int i = 0; i < 3; i++) {
    make_ring(s, rings[i].bytes);
    double half = kernel_us(launch(s, "chase", "mi50", 1, N / 2, 0));
    double all = kernel_us(launch(s, "chase", "mi50", 1, N, 0));
    close_to((all - half) * 1725 / (N / 2), rings[i].want, 0.01);
  }
  memset(s->x, 0, BUFFER);
}

/* Groups of several CUs store to one line: the L2 puts it together. */
static void stores_meet_in_the_l2(void **state)
{
  struct outcome *o = launch(*state, "score", "mi50", 16384, 1, 0);
  assert_true(o->r.sq_insts_vmem_wr >= 16384);
  close_to(o->r.tcc_ea_wrreq, 16384 * 4 / 64, 0.02);
  o = launch(*state, "copy4", "mi50", 12000, 0, 0);
  close_to(o->r.tcc_ea_wrreq, 12000.0 * 256 * 16 / 64, 0.02);
}

/* Stores alone: no faster than HBM takes them, but for what the L2 keeps. */
static void fills(void **state)
{
  enum {GROUPS = 16384};
  struct outcome *o = launch(*state, "fill", "mi50", GROUPS, 1, 0);
  close_to((GROUPS * 256.0 * 16 - (4 << 20)) / kernel_us(o) / 1e3, 600, 0.03);
}

/* Stores of 4 bytes, 16 KiB apart, fall into few sets: the L2 has to give the
 * lines up in parts. 14.0 GB/s of them on an MI50 (wiki-gfx906, KV cache).
 * Halves of lines, 32 bytes each, are whole words of HBM. */
static void stores_in_part(void **state)
{
  enum {GROUPS = 3840, LINES = GROUPS * 256};
  struct outcome *o = launch(*state, "column", "mi50", GROUPS, 1, 0);
  close_to(o->r.tcc_ea_wrreq, LINES, 0.02);
  close_to(LINES / kernel_us(o), 14000 / 4, 0.08);
  o = launch(*state, "halves", "mi50", GROUPS, 1, 0);
  close_to(o->r.tcc_ea_wrreq, LINES / 8, 0.02);
  assert_true(LINES / 8 / kernel_us(o) > 2 * 14000 / 4);
}

/* 1200 waves with 32 bytes a lane (4 dwords and a frame) have 2.4 MB, which the
 * L2 keeps; 2400 with 64 dwords have 40, of which HBM has what is beyond 4 MiB. */
static void private_memory(void **state)
{
  const double group = 256 * 4 / 64, lines = 4 * 4 * 256.0;
  const double beyond = 1 - 4194304 / (2400 * 64 * 260.0);
  struct outcome *o = launch(*state, "keep4", "mi50", 300, 256, 0);
  close_to(o->r.tcc_ea_wrreq, 300 * group, 0.02);
  assert_true(o->r.tcc_ea_rdreq < 300 * group);
  o = launch(*state, "keep64", "mi50", 600, 256, 0);
  close_to(o->r.tcc_ea_wrreq, 600 * (group + lines * beyond), 0.02);
}

/* A line of 16 atomics keeps one of 16 channels for 9 cycles. */
static void atomics(void **state)
{
  const double lines = 16.0 * 600 * 200, clock = 1725;
  struct outcome *o = launch(*state, "count", "mi50", 600, 200, 0);
  close_to(lines / (kernel_us(o) * clock), 16 / 9.0, 0.1);
}

/* Instructions of the whole grid, though one CU is simulated. */
static void counters(void **state)
{
  struct outcome *o = launch(*state, "copy4", "mi50", 12000, 0, 0);
  assert_true(o->r.sq_waves == 12000 * 4);
  assert_true(o->r.sq_insts_vmem_rd == 12000 * 4);
  assert_true(o->r.sq_insts_vmem_wr == 12000 * 4);
  assert_true(o->r.tcp_line_reads == 12000 * 4 * 16);
  assert_true(o->r.sq_insts_lds == 0);
}

static void done_groups_are_right(void **state)
{
  struct state *s = *state;
  float *x = (float *)s->x, *y = (float *)s->y;
  for (size_t i = 0; i < BUFFER / 4; i++)
    x[i] = (float)(i & 1023);
  enum {GROUPS = 60000};
  static uint8_t done[GROUPS];
  launch_some(s, "axpy", card_find("mi50"), GROUPS, 0, 0, done);
  size_t n = 0;
  for (size_t g = 0; g < GROUPS; g++) {
    n += done[g];
    for (size_t i = g * 256; i < g * 256 + 256; i++)
      assert_true(y[i] == (done[g] ? 2 * x[i] : 0));
  }
  assert_true(n > 100 && n <= 1000);
  memset(s->x, 0, BUFFER);
}

static void faults_end_the_launch(void **state)
{
  struct outcome *o = launch(*state, "endless", "mi50", 60, 0, 100000);
  assert_int_equal(o->code, FAULT_TIMEOUT);
  assert_int_equal(o->fault.code, FAULT_TIMEOUT);
  assert_non_null(strstr(o->fault.text, "endless"));
  o = launch(*state, "stray", "mi50", 600, 1 << 20, 0);
  assert_int_equal(o->code, FAULT_ADDRESS);
  assert_non_null(strstr(o->fault.text, "global_store"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bandwidth),
      cmocka_unit_test(vector_peak),
      cmocka_unit_test(long_loops),
      cmocka_unit_test(slower_clock),
      cmocka_unit_test(padding),
      cmocka_unit_test(channels),
      cmocka_unit_test(links),
      cmocka_unit_test(lone_halves),
      cmocka_unit_test(loop_within_a_loop),
      cmocka_unit_test(a_load_left_out),
      cmocka_unit_test(a_count_of_lanes),
      cmocka_unit_test(links_of_later_groups),
      cmocka_unit_test(hbm_channels),
      cmocka_unit_test(hbm_rows),
      cmocka_unit_test(pages),
      cmocka_unit_test(groups_in_the_middle),
      cmocka_unit_test(chains),
      cmocka_unit_test(stores_meet_in_the_l2),
      cmocka_unit_test(stores_in_part),
      cmocka_unit_test(fills),
      cmocka_unit_test(private_memory),
      cmocka_unit_test(atomics),
      cmocka_unit_test(counters),
      cmocka_unit_test(done_groups_are_right),
      cmocka_unit_test(faults_end_the_launch),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
