/* hip_sim.c - the extension of hipsim.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model_version.h"
#include "runtimes/sim/api/hip.h"
#include "runtimes/sim/run/hidden.h"
#include "runtimes/sim/timing/occupancy.h"

static const char *const unit_names[UNIT_N] = { /* ORDER UNIT */
    "valu", "salu", "smem", "lds", "vmem", "branch", "other"};

/* Branches count from the instruction behind them, in dwords. */
static uint32_t next_offset(const struct inst *i, uint32_t offset)
{
  uint32_t next = offset + 4u * i->words;
  return i->unit == UNIT_BRANCH ? next + 4u * (uint32_t)i->imm : next;
}

static void add_row(struct runtime *r, const struct dispatch *d,
                    const struct timing *t, size_t at)
{
  const struct object *o = d->kernel->object;
  const struct inst *i = &o->code[at];
  const struct inst_count *c = &t->counts[at];
  struct hipsim_instruction *row = &r->rows[r->nrows++];
  *row = (struct hipsim_instruction){
      .size = sizeof *row,
      .offset = (uint32_t)((at - d->kernel->entry) * 4),
      .hits = c->hits, .latency = c->latency, .stall = c->stall,
      .lds_cycles = c->lds_cycles, .lds_conflicts = c->lds_conflicts};
  size_t left = o->ncode - at; /* the last instruction may be cut off */
  row->nwords = i->words < left ? i->words : (uint32_t)left;
  row->target = next_offset(i, row->offset);
  memcpy(row->words, (const char *)(uintptr_t)o->text_base + 4 * at,
         4 * (size_t)row->nwords);
  snprintf(row->name, sizeof row->name, "%s", inst_name(i));
  snprintf(row->unit, sizeof row->unit, "%s", unit_names[i->unit]);
}

/* A kernel's code ends where the next kernel begins. */
static size_t code_end(const struct kernel *k)
{
  const struct object *o = k->object;
  size_t end = o->ncode;
  for (size_t n = 0; n < o->nkernels; n++)
    if (o->kernels[n].entry > k->entry && o->kernels[n].entry < end)
      end = o->kernels[n].entry;
  return end;
}

/* Rows of padding behind the last s_endpgm say nothing. */
static void drop_padding(struct runtime *r)
{
  while (r->nrows && strcmp(r->rows[r->nrows - 1].name, "s_endpgm"))
    r->nrows--;
}

void hip_sim_keep(struct runtime *r, const struct dispatch *d,
                  const struct timing *t)
{
  const struct object *o = d->kernel->object;
  size_t entry = d->kernel->entry, end = code_end(d->kernel);
  free(r->rows);
  r->rows = mem_array(end - entry + (t->hi - t->lo), sizeof *r->rows);
  r->nrows = 0;
  for (size_t at = entry; at < end; at += o->code[at].words)
    add_row(r, d, t, at);
  drop_padding(r);
  for (size_t at = t->lo; at < t->hi; at++) /* functions that it called */
    if ((at < entry || at >= end) && t->counts[at].hits > 0)
      add_row(r, d, t, at);
  r->report = t->report;
  r->report.size = sizeof r->report;
  snprintf(r->report.kernel, sizeof r->report.kernel, "%s", d->kernel->name);
  r->report.instructions = r->nrows;
  struct hipsim_event *event = r->wave_events.list;
  for (uint32_t i = 0; i < r->wave_events.n; i++) /* from dwords of the object */
    event[i].offset = (uint32_t)((event[i].offset - entry) * 4);
}

/* Callers built against a shorter struct get what they know. */
static hipError_t give(void *to, uint32_t room, const void *from, size_t n)
{
  if (room < sizeof room)
    return hipErrorInvalidValue;
  memcpy(to, from, room < n ? room : n);
  memcpy(to, &room, sizeof room);
  return hipSuccess;
}

static hipError_t set_mode(struct runtime *r, int mode)
{
  if (mode < HIPSIM_FULL || mode > HIPSIM_TIMED)
    return hipErrorInvalidValue;
  r->mode = mode;
  return hipSuccess;
}

enum {MOST_EVENTS = 1 << 24}; /* 1 GiB */

static hipError_t set_trace(struct runtime *r, uint32_t events)
{
  if (events > MOST_EVENTS)
    return hipErrorInvalidValue;
  void *list = events ? calloc(events, sizeof *r->wave_events.list) : NULL;
  if (events && !list)
    return hipErrorOutOfMemory;
  free(r->wave_events.list);
  r->wave_events = (struct wave_events){.list = list, .room = events};
  return hipSuccess;
}

static hipError_t event(struct runtime *r, uint32_t n,
                        struct hipsim_event *out)
{
  if (!out || n >= r->wave_events.n)
    return hipErrorInvalidValue;
  return give(out, out->size, &r->wave_events.list[n], sizeof *out);
}

static hipError_t report(struct runtime *r, struct hipsim_report *out)
{
  if (!out || !r->report.size)
    return hipErrorInvalidValue;
  return give(out, out->size, &r->report, sizeof r->report);
}

static hipError_t describe(struct runtime *r, struct hipsim_device *out)
{
  struct hipsim_device d = {.size = sizeof d,
                            .timed = r->board->timed && !r->check};
  if (!out)
    return hipErrorInvalidValue;
  snprintf(d.arch, sizeof d.arch, "%s", r->isa->name);
  snprintf(d.card, sizeof d.card, "%s", r->board->card);
  return give(out, out->size, &d, sizeof d);
}

static hipError_t row(struct runtime *r, uint32_t n,
                      struct hipsim_instruction *out)
{
  if (!out || n >= r->nrows)
    return hipErrorInvalidValue;
  return give(out, out->size, &r->rows[n], sizeof *out);
}

/* A kernel that is looked at, and not launched. */
static hipError_t inspect(struct runtime *r, hipFunction_t f)
{
  if (!f || !hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  const struct kernel *k = f->kernel;
  struct dispatch d = {.kernel = k, .lds = k->lds};
  struct timing t = {.n = k->object->ncode};
  uint32_t lanes = r->isa->lanes;
  struct occupancy o = occupancy(&r->card, k->vgprs, k->sgprs, k->lds,
                                 (k->max_threads + lanes - 1) / lanes);
  t.counts = mem_array(t.n, sizeof *t.counts);
  t.report = (struct hipsim_report){
      .waves_per_simd = o.waves, .groups_per_cu = o.groups, .vgprs = k->vgprs,
      .lds_bytes = k->lds, .sgprs = k->sgprs, .scratch_bytes = k->scratch};
  snprintf(t.report.occupancy_limit, sizeof t.report.occupancy_limit, "%s",
           o.limit);
  r->wave_events.n = 0;
  hip_sim_keep(r, &d, &t);
  timing_free(&t);
  return hipSuccess;
}

static hipError_t argument(struct runtime *r, hipFunction_t f, uint32_t n,
                           struct hipsim_argument *out)
{
  if (!f || !hip_function_valid(r, f))
    return hipErrorInvalidHandle;
  for (size_t i = 0; out && i < f->kernel->nargs; i++) {
    const struct kernel_arg *a = &f->kernel->args[i];
    struct hipsim_argument found = {.size = sizeof found, .bytes = a->size};
    if (hidden_is(a) || n--)
      continue;
    snprintf(found.kind, sizeof found.kind, "%s", a->kind);
    return give(out, out->size, &found, sizeof found);
  }
  return hipErrorInvalidValue;
}

static struct runtime *know(struct runtime *r)
{
  r->aware = 1;
  return r;
}

int hipsimSetMode(int mode)
{
  CALL(set_mode(know(r), mode));
}

/* The runtime must not start before it knows. */
int hipsimArch(const char *arch)
{
  struct runtime *r = know(hip_lock());
  if (r->board || !arch || strlen(arch) >= sizeof r->wish)
    return hip_leave(hipErrorInvalidValue);
  snprintf(r->wish, sizeof r->wish, "%s", arch);
  return hip_leave(hipSuccess);
}

int hipsimDevice(struct hipsim_device *out)
{
  CALL(describe(know(r), out));
}

int hipsimReport(struct hipsim_report *out)
{
  CALL(report(know(r), out));
}

int hipsimInspect(void *function)
{
  CALL(inspect(know(r), function));
}

int hipsimArgument(void *function, uint32_t n, struct hipsim_argument *out)
{
  CALL(argument(know(r), function, n, out));
}

int hipsimInstruction(uint32_t n, struct hipsim_instruction *out)
{
  CALL(row(know(r), n, out));
}

int hipsimSetTrace(uint32_t events)
{
  CALL(set_trace(know(r), events));
}

int hipsimEvent(uint32_t n, struct hipsim_event *out)
{
  CALL(event(know(r), n, out));
}

const char *hipsimVersion(void)
{
  return MODEL_VERSION;
}

const char *hipsimError(void)
{
  const char *text = know(hip_enter())->error;
  hipError_t keep = hipPeekAtLastError();
  (void)hip_leave(keep);
  return text;
}
