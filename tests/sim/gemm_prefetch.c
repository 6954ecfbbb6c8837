/* gemm_prefetch.c - a kernel without one of its waits or barriers is reported.
 *
 * The kernel is mfma_gemm's configuration of gemm_prefetch (iree-org/wave,
 * docs/wave/LDS_swizzling.rst): three k tiles in LDS that loads fill past the
 * registers, two halves of the waves a barrier apart. As compiled for gfx950 it is
 * right and nothing is found in it. Then one s_waitcnt or s_barrier after the other
 * is taken out. What orders data is reported by HIPSIM_CHECK, with the two
 * instructions. What does not is a barrier that orders the turns of the halves, or a wait for LDS
 * where no read of LDS is under way: both are seen here by a watch of its own.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtimes/sim/check/check.h"
#include "tests/sim/launch.h"

enum {M = 64, N = 32, K = 384, THREADS = 512};
enum {BARRIER = 10}; /* of SOPP */
/* Waves wait at two barriers here: that is how they take turns. */
enum {DATA = CHECK_ALL & ~CHECK_BARRIER};

static const char command[] =
    BUILD_DIR "/tune emit mfma_gemm --arch gfx950 --m 128 --n 256 --k 1024 "
    "--type_c f32 --set tile_m=64,tile_n=32,tile_k=64,waves_m=4,waves_n=2,"
    "shape=16,operand=16,read=16,transpose=0,load=dma,width_a=16,width_b=4,"
    "swizzle=xor,stages=3,ahead=1,schedule=pingpong,setprio=1,accumulators=any,"
    "dies=0,raster=1,split_k=1 | clang-22 -x hip --offload-arch=gfx950 "
    "--offload-device-only -nogpuinc -nogpulib --no-gpu-bundle-output -O3 "
    "-fuse-ld=lld -o - -";

static char *compiled(size_t *n)
{
  size_t room = 1 << 20;
  char *code = malloc(room);
  FILE *f = popen(command, "r");
  *n = fread(code, 1, room, f);
  if (pclose(f) || !*n) {
    free(code);
    return NULL;
  }
  return code;
}

struct args {
  uint16_t *a, *b;
  float *c;
  int m, n, k, lda, ldb, ldc;
  float alpha;
};

/* Small whole numbers, whose products' sums are exact. */
static int number(int seed, int row, int column)
{
  return (row * 7 + column * 3 + seed * (row ^ column)) % 5 - 2;
}

static uint16_t half(int x)
{
  static const uint16_t bits[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
  return bits[x + 2];
}

static void fill(const struct args *a)
{
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      a->a[i * K + k] = half(number(1, i, k));
  for (int k = 0; k < K; k++)
    for (int j = 0; j < N; j++)
      a->b[j * K + k] = half(number(2, j, k));
}

static int wrong(const struct args *a)
{
  int bad = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < K; k++)
        sum += number(1, i, k) * number(2, j, k);
      bad += a->c[i * N + j] != (float)sum;
    }
  return bad;
}

/* Launch it, checked. What is said is in *text, free() it. */
static int told(const struct device *d, const struct args *args, unsigned kinds,
                char **text)
{
  struct dispatch launch;
  struct fault fault = {0};
  size_t size;
  FILE *f = open_memstream(text, &size);
  struct check *c = check_open(kinds, f);
  memset(args->c, 0, M * N * 4);
  assert_int_equal(device_prepare(d, &launch, "mfma_gemm", 1, THREADS, args,
                                  sizeof *args), 0);
  launch.limit = 1 << 20;
  check_launch(c, &launch);
  int stopped = dispatch_run(&launch, 1, NULL, &fault);
  check_launched(c);
  int n = (int)check_count(c, kinds) + (stopped != 0);
  if (stopped)
    fprintf(f, "%s\n", fault.text);
  check_close(c);
  fclose(f);
  device_finish(&launch);
  return n;
}

/* Does a wave end while others wait at a barrier? */
static int ends_early(const struct device *d, const struct args *a)
{
  char *text;
  told(d, a, CHECK_BARRIER, &text);
  int ends = strstr(text, "where it ended") != NULL;
  free(text);
  return ends;
}

/* --- what orders no data -------------------------------------------------- */

/* Watches that halves of the waves take turns: between two barriers a wave reads
 * from LDS or multiplies, and only waves of one half multiply; all meet equally
 * often. It also sees whether a wait finds reads of LDS under way. */
struct turns {
  struct watch watch; /* first */
  size_t wait;        /* the instruction that may find none */
  int mixed, uneven, waited;
  struct {
    int met, reads, multiplies, open;
  } waves[THREADS / LANES];
};

static void turns_start(struct watch *w, struct group *g)
{
  (void)w;
  (void)g;
}

static void turns_step(struct watch *watch, struct wave *w)
{
  struct turns *t = (struct turns *)watch;
  const struct inst *i = &w->code->code[w->pc];
  const struct op *o = inst_op(i);
  unsigned n = w->index;
  t->waited += w->pc == t->wait && t->waves[n].open;
  if (i->format == SOPP && i->op == S_WAITCNT && !inst_waitcnt(i).lgkm)
    t->waves[n].open = 0;
  t->waves[n].open |= i->format == DS;
  t->waves[n].reads |= i->format == DS;
  t->waves[n].multiplies |= o && o->matrix;
  t->waves[n].met += i->format == SOPP && i->op == BARRIER;
  wave_execute(w);
}

static void turns_end(struct watch *watch, struct group *g)
{
  struct turns *t = (struct turns *)watch;
  unsigned halves = 0;
  for (unsigned n = 0; n < g->nwaves; n++) {
    t->mixed += t->waves[n].reads && t->waves[n].multiplies;
    halves |= t->waves[n].multiplies ? 1u << 2 * n / g->nwaves : 0;
    t->uneven += t->waves[n].met != t->waves[0].met;
    t->waves[n].reads = t->waves[n].multiplies = 0;
  }
  t->mixed += halves == 3;
}

static void turns_barrier(struct watch *watch, struct group *g)
{
  struct turns *t = (struct turns *)watch;
  int uneven = t->uneven;
  turns_end(watch, g);
  t->uneven = uneven;
}

static struct turns turns_of(const struct device *d, const struct args *args,
                             size_t wait)
{
  struct turns t = {.watch = {.start = turns_start, .step = turns_step,
                              .barrier = turns_barrier, .end = turns_end},
                    .wait = wait};
  struct dispatch launch;
  struct fault fault = {0};
  assert_int_equal(device_prepare(d, &launch, "mfma_gemm", 1, THREADS, args,
                                  sizeof *args), 0);
  launch.watch = &t.watch;
  if (dispatch_run(&launch, 1, NULL, &fault))
    fail_msg("%s", fault.text);
  device_finish(&launch);
  return t;
}

/* --- the test ------------------------------------------------------------- */

static int prepare(struct device *d, struct args *a)
{
  struct err e = {0};
  size_t n;
  if (system("{ command -v clang-22 && command -v ld.lld-22; } >/dev/null"))
    return -1;
  char *code = compiled(&n);
  assert_non_null(code);
  d->arena = arena_open((uint64_t)1 << 30);
  if (object_load(&d->object, d->arena, isa_find("gfx950"), code, n, exec_bind,
                  &e))
    fail_msg("%s", e.text);
  free(code);
  *a = (struct args){arena_alloc(d->arena, M * K * 2),
                     arena_alloc(d->arena, N * K * 2),
                     arena_alloc(d->arena, M * N * 4), M, N, K, K, K, N, 1};
  fill(a);
  return 0;
}

static void with_all_of_them_it_is_right(const struct device *d,
                                         const struct args *a)
{
  char *text;
  if (told(d, a, DATA, &text) || ends_early(d, a))
    fail_msg("%s", text);
  struct turns t = turns_of(d, a, 0);
  assert_int_equal(wrong(a), 0);
  assert_int_equal(t.mixed, 0);
  assert_int_equal(t.uneven, 0);
  free(text);
}

/* s_nop in the place of an instruction. */
static struct inst replace(const struct device *d, size_t at)
{
  static const uint32_t nop = 0xbf800000;
  struct inst was = d->object->code[at];
  decode(d->object->isa, &nop, 1, &d->object->code[at]);
  exec_bind(&d->object->code[at], 1);
  return was;
}

enum {REPORTED, TURNS, IDLE, OUTCOMES};

/* Which of these it is that the instruction is missing. */
static int outcome(const struct device *d, const struct args *a, size_t at)
{
  struct turns all = turns_of(d, a, at), less;
  struct inst was = replace(d, at);
  char *text;
  int found = told(d, a, DATA, &text), which = -1;
  if (found && strstr(text, "kernel mfma_gemm") && strstr(text, " +0x")) {
    which = REPORTED;
  } else if (!found && was.op == S_WAITCNT && !all.waited) {
    which = IDLE;
  } else if (!found && was.op == BARRIER && ends_early(d, a)) {
    which = REPORTED;
  } else if (!found && was.op == BARRIER) {
    less = turns_of(d, a, at);
    which = less.mixed || less.uneven ? TURNS : -1;
  }
  if (which < 0)
    fail_msg("nothing tells that %s at +0x%zx is missing: %s", inst_name(&was),
             at * 4, text);
  d->object->code[at] = was;
  free(text);
  return which;
}

static void each_one_is_missed(void **state)
{
  struct device d;
  struct args a;
  int n[2][OUTCOMES] = {{0}};
  (void)state;
  if (prepare(&d, &a)) {
    print_message("skipped: no clang-22 and lld-22\n");
    return;
  }
  with_all_of_them_it_is_right(&d, &a);
  for (size_t at = 0; at < d.object->ncode; at++) {
    const struct inst *i = &d.object->code[at];
    int barrier = i->op == BARRIER;
    if (i->legal && i->format == SOPP && (i->op == S_WAITCNT || barrier))
      n[barrier][outcome(&d, &a, at)]++;
  }
  print_message("waits: %d reported, %d that find no read of LDS under way\n"
                "barriers: %d reported, %d that order turns and no data\n",
                n[0][REPORTED], n[0][IDLE], n[1][REPORTED], n[1][TURNS]);
  assert_true(n[0][REPORTED] >= 6); /* 2 for k tiles, 2 x 2 for reads */
  assert_true(n[1][REPORTED] >= 6); /* 2 where a k tile begins, twice, and those
                                       that one half has more */
  device_close(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_one_is_missed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
