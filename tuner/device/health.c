/* health.c - see health.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/health.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/clock.h"
#include "base/stats.h"

/* Knuth's and Lewis's constants for a sequence of full period. */
#define STEP 1664525u
#define ADD 1013904223u
#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

const char health_text[] = /* as gen/prelude.hip for clang without headers */
    "#if defined __HIP__ && !defined __launch_bounds__\n"
    "#define blockIdx (index{__builtin_amdgcn_workgroup_id_x()})\n"
    "#define threadIdx (index{__builtin_amdgcn_workitem_id_x()})\n"
    "struct index { unsigned x; };\n"
    "#endif\n"
    "extern \"C\" __attribute__((global)) void health(unsigned *out,"
    " int rounds)\n"
    "{\n"
    "  unsigned i = blockIdx.x * 256u + threadIdx.x, x = i;\n"
    "  for (int n = 0; n < rounds; n++)\n"
    "    x = x * " NUMBER(STEP) " + " NUMBER(ADD) ";\n"
    "  out[i] = x;\n"
    "}\n";

enum {
  THREADS = 256, /* as in the text */
  GROUPS = 8,    /* a CU */
  FEW = 16,      /* rounds for the result alone */
  MANY = 100000, /* for about 0.3 ms of 4 to 5 clocks each */
  SOME = 1000,   /* 3 us on a real device ... */
  SLOW_US = 5000, /* ... and more than this on a simulated one */
  WARMUPS = 20,  /* 6 ms: from idle to the clock under load */
  SAMPLES = 9,
  TRAIN = 50,
};

static unsigned expected(unsigned x, int rounds)
{
  while (rounds-- > 0)
    x = x * STEP + ADD;
  return x;
}

struct kernel {
  const struct hip *h;
  hipModule_t module;
  hipFunction_t function;
  hipEvent_t start, stop;
  void *out;
  unsigned groups;
  int rounds;
};

static hipError_t begin(struct kernel *r, const struct str *code)
{
  const struct hip *h = r->h;
  size_t bytes = (size_t)r->groups * THREADS * sizeof(unsigned);
  hipError_t rc = h->hipModuleLoadData(&r->module, code->at);
  if (rc == hipSuccess)
    rc = h->hipModuleGetFunction(&r->function, r->module, "health");
  if (rc == hipSuccess)
    rc = h->hipMalloc(&r->out, bytes);
  if (rc == hipSuccess)
    rc = h->hipMemset(r->out, 0, bytes);
  if (rc == hipSuccess)
    rc = h->hipEventCreate(&r->start);
  return rc == hipSuccess ? h->hipEventCreate(&r->stop) : rc;
}

static void end(struct kernel *r)
{
  const struct hip *h = r->h;
  if (r->out)
    h->hipFree(r->out);
  if (r->start)
    h->hipEventDestroy(r->start);
  if (r->stop)
    h->hipEventDestroy(r->stop);
  if (r->module)
    h->hipModuleUnload(r->module);
}

static hipError_t launch(struct kernel *r)
{
  void *args[] = {&r->out, &r->rounds};
  return r->h->hipModuleLaunchKernel(r->function, r->groups, 1, 1, THREADS, 1,
                                     1, 0, NULL, args, NULL);
}

/* n launches in a row, by the device's clock and by ours. */
static hipError_t train(struct kernel *r, int n, double *event_us,
                        double *wall_us)
{
  const struct hip *h = r->h;
  float ms = 0;
  double from = clock_now();
  hipError_t rc = h->hipEventRecord(r->start, NULL);
  for (int i = 0; i < n && rc == hipSuccess; i++)
    rc = launch(r);
  if (rc == hipSuccess)
    rc = h->hipEventRecord(r->stop, NULL);
  if (rc == hipSuccess)
    rc = h->hipDeviceSynchronize();
  *wall_us = 1e6 * (clock_now() - from);
  if (rc == hipSuccess)
    rc = h->hipEventElapsedTime(&ms, r->start, r->stop);
  *event_us = 1000 * (double)ms;
  return rc;
}

/* A simulated device that passes for a real one need not count that far. */
static hipError_t choose_rounds(struct kernel *r)
{
  double event, wall = 0;
  hipError_t rc = train(r, 1, &event, &wall); /* loads the kernel, too */
  r->rounds = SOME;
  if (rc == hipSuccess)
    rc = train(r, 1, &event, &wall);
  int slow = wall > SLOW_US;
  r->rounds = slow ? FEW : MANY;
  r->groups = slow ? 1 : r->groups;
  return rc;
}

static hipError_t time_it(struct kernel *r, struct health_check *out)
{
  double us[SAMPLES], wall;
  hipError_t rc = choose_rounds(r);
  if (rc == hipSuccess)
    rc = train(r, WARMUPS, &us[0], &wall);
  for (int i = 0; i < SAMPLES && rc == hipSuccess; i++)
    rc = train(r, 1, &us[i], &wall);
  if (rc == hipSuccess)
    rc = train(r, TRAIN, &out->event_us, &out->wall_us);
  out->us = rc == hipSuccess ? stats_median(us, SAMPLES) : 0;
  return rc;
}

/* Every thread's result. The ends of the chains differ by a constant factor
 * times the threads' numbers: two of them say all. */
static hipError_t compare(struct kernel *r, int *right)
{
  size_t n = (size_t)r->groups * THREADS;
  unsigned *x = mem_array(n, sizeof *x);
  hipError_t rc = r->h->hipMemcpy(x, r->out, n * sizeof *x,
                                  hipMemcpyDeviceToHost);
  unsigned first = expected(0, r->rounds);
  unsigned step = expected(1, r->rounds) - first;
  *right = 1;
  for (size_t i = 0; i < n; i++)
    *right &= x[i] == first + (unsigned)i * step;
  free(x);
  return rc;
}

static int check(const struct hip *h, const struct str *code, unsigned groups,
                 int rounds, struct health_check *timed, struct err *e)
{
  struct kernel r = {.h = h, .groups = groups, .rounds = rounds};
  double event, wall;
  int right = 0;
  hipError_t rc = begin(&r, code);
  if (rc == hipSuccess)
    rc = timed ? time_it(&r, timed) : train(&r, 1, &event, &wall);
  if (rc == hipSuccess)
    rc = compare(&r, &right);
  end(&r);
  if (rc != hipSuccess)
    return err_set(e, ERR_FAILED, "the health kernel: %s",
                   h->hipGetErrorString(rc));
  return right ? 0 : err_set(e, ERR_FAILED, "the health kernel gave a wrong "
                             "result");
}

int health_once(const struct hip *h, const struct str *code, struct err *e)
{
  return check(h, code, 1, FEW, NULL, e);
}

int health_time(const struct hip *h, const struct str *code, int cus,
                struct health_check *out, struct err *e)
{
  return check(h, code, GROUPS * (unsigned)cus, FEW, out, e);
}
