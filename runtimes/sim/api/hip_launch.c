/* hip_launch.c - launching a kernel: arguments, limits, running, timing. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/timing/occupancy.h"
#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/timing/perf_counters.h"
#include "runtimes/sim/timing/untimed.h"
#include "runtimes/sim/api/hip_graph.h"
#include "runtimes/sim/api/hip_args.h"

/* What a kernel finds in memory besides its buffers, in one allocation: the
 * AQL packet (HSA Platform System Architecture 1.2, kernel dispatch packet),
 * the queue's descriptor, the arguments. */
struct aql_packet {
  uint16_t header, setup, workgroup[3], reserved0;
  uint32_t grid[3]; /* threads */
  uint32_t private_bytes, group_bytes;
  uint64_t kernel_object, kernarg;
  uint64_t reserved1, completion;
};
_Static_assert(sizeof(struct aql_packet) == 64, "AQL packet layout");

enum {QUEUE_AT = 256, QUEUE_BYTES = 256, ARGS_AT = 512};

/* Refuse what the device cannot launch, as HIP does. */
static hipError_t check(struct runtime *r, const struct dispatch *d,
                        size_t lds)
{
  const struct kernel *k = d->kernel;
  uint64_t threads = 1, all = 1;
  for (int axis = 0; axis < 3; axis++) {
    if (!d->grid[axis] || !d->block[axis] || d->block[axis] > 1024 ||
        dispatch_threads(d, axis) > UINT32_MAX)
      return hip_fail(r, hipErrorInvalidConfiguration,
                      "kernel %.200s: grid %u, block %u in dimension %d",
                      k->name, d->grid[axis], d->block[axis], axis);
    threads *= d->block[axis];
    all *= d->grid[axis];
    if (all > UINT32_MAX)
      return hip_fail(r, hipErrorInvalidConfiguration,
                      "kernel %.200s: more than 2^32 workgroups", k->name);
  }
  if (threads > k->max_threads)
    return hip_fail(r, hipErrorInvalidConfiguration,
                    "kernel %.200s: a block of %llu threads, compiled for at "
                    "most %u (__launch_bounds__)", k->name,
                    (unsigned long long)threads, k->max_threads);
  if (lds > (size_t)r->card.lds)
    return hip_fail(r, hipErrorLaunchOutOfResources,
                    "kernel %.200s: %zu bytes of LDS a workgroup, the device "
                    "has %.0f", k->name, lds, r->card.lds);
  return hipSuccess;
}

/* Clusters as the launch asks for, or as the kernel is compiled for; 0 of an axis
 * is 1. */
static hipError_t check_cluster(struct runtime *r, struct dispatch *d)
{
  const struct kernel *k = d->kernel;
  uint64_t size = 1;
  int is_asked = d->cluster[0] || d->cluster[1] || d->cluster[2];
  for (int axis = 0; axis < 3; axis++) {
    uint32_t asked = d->cluster[axis] ? d->cluster[axis] : 1;
    if (is_asked && k->cluster[axis] && k->cluster[axis] != asked)
      return hip_fail(r, hipErrorInvalidConfiguration, "kernel %.200s: clusters "
                      "of %u workgroups in dimension %d, compiled for %u",
                      k->name, asked, axis, k->cluster[axis]);
    uint32_t n = !is_asked && k->cluster[axis] ? k->cluster[axis] : asked;
    d->cluster[axis] = n;
    size *= n;
    if (size > CLUSTER_MOST)
      return hip_fail(r, hipErrorInvalidConfiguration, "kernel %.200s: a cluster "
                      "of more than %d workgroups", k->name, CLUSTER_MOST);
    if (d->grid[axis] % n)
      return hip_fail(r, hipErrorInvalidConfiguration, "kernel %.200s: a grid of "
                      "%u workgroups in dimension %d is not whole clusters of %u",
                      k->name, d->grid[axis], axis, n);
  }
  if (size > 1 && !r->isa->clusters)
    return hip_fail(r, hipErrorInvalidConfiguration, "kernel %.200s: %s has no "
                    "clusters of workgroups", k->name, r->isa->name);
  return hipSuccess;
}

static void write_packet(const struct dispatch *d)
{
  struct aql_packet p = {
      .header = 2, /* a kernel dispatch */
      .setup = 3,  /* dimensions */
      .private_bytes = d->kernel->scratch,
      .group_bytes = d->lds,
      .kernarg = d->kernarg,
  };
  for (int axis = 0; axis < 3; axis++) {
    p.workgroup[axis] = (uint16_t)d->block[axis];
    p.grid[axis] = (uint32_t)dispatch_threads(d, axis);
  }
  memcpy((void *)(uintptr_t)d->packet, &p, sizeof p);
}

/* --- running -------------------------------------------------------------- */

static int no_memory(const struct dispatch *d, struct fault *fault)
{
  snprintf(fault->text, sizeof fault->text, "no memory for %llu workgroups",
           (unsigned long long)dispatch_groups(d));
  return fault->code = hipErrorOutOfMemory;
}

/* Every group: those that the model times, then the others. */
static int run_full(struct runtime *r, const struct dispatch *d,
                    struct rest *rest, struct timing *t, struct fault *fault)
{
  int code = model_run(d, &r->card, t, rest, fault);
  if (!code)
    code = rest_finish(rest, &t->executed, fault);
  if (!code)
    perf_counters_count(&t->report, &t->executed, 1);
  return code;
}

/* Cycles for which an instruction has a SIMD, as counters have them: in fours. */
static double valu_quads(const struct runtime *r)
{
  const struct arch *a = arch_find(r->isa->name);
  return (double)arch_fact(a, "wave") / (double)arch_fact(a, "lanes") / 4;
}

/* As much as counting says without the model: the static cost is then that of
 * the VALU's instructions, and of lines that loads ask for where these are
 * counted. */
static void count_only(const struct runtime *r, const struct dispatch *d,
                       uint64_t every, struct timing *t)
{
  uint64_t groups = dispatch_groups(d);
  double times = (double)groups / (double)((groups + every - 1) / every);
  const struct kernel *k = d->kernel;
  uint32_t threads = d->block[0] * d->block[1] * d->block[2];
  uint32_t lanes = r->isa->lanes;
  struct occupancy o = occupancy(&r->card, k->vgprs, k->sgprs, d->lds,
                                 (threads + lanes - 1) / lanes);
  perf_counters_count(&t->report, &t->executed, times);
  t->report.l2_requests = (double)t->executed.lines * times;
  t->report.l2_merged = (double)t->executed.merged * times;
  t->report.tcp_line_reads = t->report.l2_requests - t->report.l2_merged;
  t->report.wait_insts = (double)t->executed.waits * times;
  t->report.groups_per_cu = o.groups ? o.groups : 1;
  t->report.waves_per_simd = o.waves;
  t->report.sq_active_inst_valu = t->report.sq_insts_valu * valu_quads(r);
  t->n = k->object->ncode;
  t->counts = mem_array(t->n, sizeof *t->counts);
}

/* One in so many workgroups, of a launch that is sampled: one compute unit's. */
static uint64_t stride(const struct runtime *r, const struct dispatch *d)
{
  if (r->mode == HIPSIM_FULL || dispatch_groups(d) < (uint64_t)r->card.cus)
    return 1;
  return (uint64_t)r->card.cus;
}

static int run_some(struct rest *rest, const struct dispatch *d, uint64_t every,
                    struct timing *t, struct fault *fault)
{
  for (uint64_t n = 0; n < dispatch_groups(d); n++)
    if (n % every)
      rest_take(rest, n);
  return rest_finish(rest, &t->executed, fault);
}

/* Where nothing of a launch is modelled it is executed, and counted. */
static int run_counted(struct runtime *r, const struct dispatch *d,
                       struct timing *t, struct fault *fault)
{
  uint64_t every = stride(r, d);
  int code;
  if (cluster_size(d) > 1) {
    every = 1;
    code = cluster_run_all(d, &t->executed, fault);
  } else {
    struct rest *rest = rest_open(d, d->hostcall ? 1 : r->threads);
    if (!rest)
      return no_memory(d, fault);
    code = run_some(rest, d, every, t, fault);
    rest_close(rest);
  }
  if (!code)
    count_only(r, d, every, t);
  return code;
}

/* Every group, in order, and nothing is modelled: the model looks ahead, and
 * executes what it undoes. */
static int run_checked(struct runtime *r, struct dispatch *d,
                       struct timing *t, struct fault *fault)
{
  check_launch(r->check, d);
  int code = cluster_size(d) > 1 ? cluster_run_all(d, &t->executed, fault)
                                 : dispatch_run(d, 1, &t->executed, fault);
  check_launched(r->check);
  if (!code)
    count_only(r, d, 1, t);
  return code;
}

static int run(struct runtime *r, struct dispatch *d, struct timing *t,
               struct fault *fault)
{
  if (r->check)
    return run_checked(r, d, t, fault);
  if (!r->isa->modelled)
    return run_counted(r, d, t, fault);
  if (r->mode != HIPSIM_FULL)
    return model_run(d, &r->card, t, NULL, fault);
  /* in order where it prints */
  unsigned threads = d->hostcall ? 1 : r->threads;
  struct rest *rest = rest_open(d, threads);
  if (!rest)
    return no_memory(d, fault);
  int code = run_full(r, d, rest, t, fault);
  rest_close(rest);
  return code;
}

/* Of an untimed card the model's time means nothing. */
static void judge(const struct runtime *r, const struct dispatch *d,
                  struct hipsim_report *out)
{
  out->vgprs = d->kernel->vgprs;
  out->lds_bytes = d->lds;
  out->sgprs = d->kernel->sgprs;
  out->scratch_bytes = d->kernel->scratch;
  out->timed = r->board->timed && !r->check;
  if (out->timed)
    return;
  out->static_cost = static_cost(out, &r->card, (double)dispatch_groups(d));
  out->time_us = out->error_80 = 0;
  out->error_kind[0] = 0;
  snprintf(out->bound, sizeof out->bound, "not timed");
}

/* A launch that was accepted succeeds; its fault shows when it is waited for,
 * as on a real device. */
static void execute(struct runtime *r, hipFunction_t f, struct dispatch *d)
{
  struct timing t = {0};
  struct fault fault = {0};
  if (run(r, d, &t, &fault)) {
    r->wave_events.n = 0;
    r->pending = (hipError_t)fault.code;
    hip_log_fault(r, fault.text);
    hip_fail(r, r->pending, "%s", fault.text);
  } else {
    judge(r, d, &t.report);
    r->us += t.report.time_us;
    hip_log_launch(r, f, t.report.time_us);
    hip_sim_keep(r, d, &t);
  }
  timing_free(&t);
}

static int calls_host(const struct kernel *k)
{
  for (size_t n = 0; n < k->nargs; n++)
    if (!strcmp(k->args[n].kind, "hidden_hostcall_buffer"))
      return 1;
  return 0;
}

/* What the launch needs in device memory: packet, queue and arguments. */
static hipError_t prepare(struct runtime *r, struct dispatch *d,
                          uint8_t **memory)
{
  size_t bytes = ARGS_AT + ((d->kernel->kernarg_size + 63) & ~63u);
  int calls = calls_host(d->kernel);
  *memory = arena_alloc(r->arena, bytes);
  if (calls)
    d->hostcall = hostcall_open(r->arena);
  if (!*memory || (calls && !d->hostcall))
    return hip_fail(r, hipErrorOutOfMemory,
                    "no device memory for the arguments");
  memset(*memory, 0, bytes);
  d->packet = (uint64_t)(uintptr_t)*memory;
  d->queue = d->packet + QUEUE_AT;
  d->kernarg = d->packet + ARGS_AT;
  write_packet(d);
  return hipSuccess;
}

static hipError_t take_down(struct runtime *r, hipFunction_t f,
                            const struct dispatch *d, size_t dynamic,
                            hipStream_t stream, void **params, void **extra)
{
  struct work work;
  hipError_t result = work_kernel(r, &work, f, d, dynamic, params, extra);
  return result ? result : hip_capture(r, stream, work);
}

static hipError_t perform(struct runtime *r, hipFunction_t f,
                          struct dispatch *d, uint32_t dynamic, void **params,
                          void **extra)
{
  struct err e = {0};
  uint8_t *memory = NULL;
  hipError_t result = prepare(r, d, &memory);
  r->wave_events.n = r->wave_events.waves = 0;
  d->wave_events = r->wave_events.room ? &r->wave_events : NULL;
  if (!result) {
    result = hip_args(d, dynamic, params, extra, &e);
    if (result)
      hip_fail(r, result, "kernel %.200s: %s", d->kernel->name, e.text);
    else
      execute(r, f, d);
  }
  hostcall_close(d->hostcall);
  if (memory)
    arena_free(r->arena, memory);
  return result;
}

/* Functions are called by their addresses in other modules, too. */
static const struct object *code_at(const void *user, uint64_t address)
{
  const struct runtime *r = user;
  for (const struct ihipModule_t *m = r->modules; m; m = m->next)
    if (object_has_code(m->object, address))
      return m->object;
  return NULL;
}

static uint32_t whole_granules(uint32_t bytes, uint32_t granule)
{
  return (bytes + granule - 1) / granule * granule;
}

hipError_t hip_launch(struct runtime *r, hipFunction_t f, struct dispatch *d,
                      size_t dynamic, hipStream_t stream, void **params,
                      void **extra)
{
  if (!hip_function_valid(r, f) || !hip_stream_valid(r, stream))
    return hip_fail(r, hipErrorInvalidHandle,
                    "a launch: %s is not a valid handle",
                    hip_function_valid(r, f) ? "the stream" : "the function");
  d->kernel = f->kernel;
  d->arena = r->arena;
  d->limit = r->limit;
  d->timed = r->mode == HIPSIM_TIMED;
  d->code_at = code_at;
  d->user = r;
  hipError_t result = check(r, d, f->kernel->lds + dynamic);
  if (!result)
    result = check_cluster(r, d);
  if (result)
    return result;
  if (hip_captures(r, stream))
    return take_down(r, f, d, dynamic, stream, params, extra);
  d->lds = f->kernel->lds + (uint32_t)dynamic;
  d->lds_open = r->lds_open;
  if (r->lds_open) /* the card hands it out so */
    d->lds = whole_granules(d->lds, (uint32_t)r->card.lds_granule);
  return perform(r, f, d, (uint32_t)dynamic, params, extra);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int grid_x,
                                 unsigned int grid_y, unsigned int grid_z,
                                 unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int dynamic,
                                 hipStream_t stream, void **params,
                                 void **extra)
{
  struct dispatch d = {.grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z}};
  CALL(hip_launch(r, f, &d, dynamic, stream, params, extra));
}
