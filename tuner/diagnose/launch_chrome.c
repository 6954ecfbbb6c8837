/* launch_chrome.c - Chrome's trace events: see launch_trace.h.
 *
 * A wave is a slice; under it each instruction is one, with its stall as a slice
 * before it that says what it waits for. Times are microseconds, by the modelled
 * clock.
 */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "tuner/diagnose/diagnose.h"
#include "tuner/diagnose/launch_trace.h"

void launch_quote(const char *text, struct str *out)
{
  json_t *j = json_string(text);
  char *quoted = j ? json_dumps(j, JSON_ENCODE_ANY) : NULL;
  str_add(out, quoted ? quoted : "\"?\""); /* what is no UTF-8 */
  free(quoted);
  json_decref(j);
}

size_t launch_row(const struct launch_trace *t, const struct hipsim_event *v)
{
  long at = (int32_t)v->offset - t->base;
  return at < 0 ? t->kernel.nrows : att_row_at(&t->kernel, (uint64_t)at);
}

/* Microseconds in steps of 1/512. Viewers calculate in milliseconds, or round to
 * nanoseconds, and nest slices that overlap then. Sums of such steps are exact, and a
 * step is longer than a nanosecond; an instruction is longer than a step. What is
 * shorter is left out; the arguments have the exact cycles. */
static double us(const struct launch_trace *t, double cycles)
{
  return round(cycles / t->clock_mhz * 512) / 512;
}

/* Returns 0 for what is too short. */
static int begin(const struct launch_trace *t, const struct hipsim_event *v,
                 double at, double cycles, struct str *out)
{
  double from = us(t, at), until = us(t, at + cycles);
  if (until > from)
    str_addf(out, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.9f,"
             "\"dur\":%.9f,", v->simd, v->slot, from, until - from);
  return until > from;
}

static double a_hit(double cycles, const struct hipsim_instruction *row)
{
  return row->hits > 0 ? cycles / row->hits : 0;
}

static void add_instruction(const struct launch_trace *t,
                            const struct hipsim_event *v, size_t row,
                            struct str *out)
{
  const struct att_row *r = &t->kernel.rows[row];
  const struct hipsim_instruction *c = t->counted[row];
  if (!begin(t, v, v->at + v->stall, v->latency - v->stall, out))
    return;
  str_addf(out, "\"name\":\"%.*s\",\"cat\":\"%s\",\"args\":{\"text\":",
           (int)strcspn(r->text, " \""), r->text, c->unit);
  launch_quote(r->text, out);
  str_addf(out, ",\"wave\":%u,\"line\":%lld,\"cycles\":%.0f", v->wave, r->line,
           v->latency - v->stall);
  if (c->lds_cycles > 0)
    str_addf(out, ",\"LDS cycles without conflicts, mean\":%.2f,"
             "\"for conflicts\":%.2f", a_hit(c->lds_cycles, c),
             a_hit(c->lds_conflicts, c));
  str_add(out, "}}");
}

static void add_stall(const struct launch_trace *t,
                      const struct hipsim_event *v, const char *cause,
                      struct str *out)
{
  if (!begin(t, v, v->at, v->stall, out))
    return;
  str_addf(out, "\"name\":\"%s: stall\",\"cat\":\"stall\",\"args\":{"
           "\"cycles\":%.0f,\"wave\":%u}}", cause, v->stall, v->wave);
}

/* When each wave's last instruction ends, by the wave's number; the caller frees
 * it. */
static double *ends_of(const struct launch_trace *t)
{
  uint32_t most = 0;
  for (size_t i = 0; i < t->nevents; i++)
    most = t->events[i].wave > most ? t->events[i].wave : most;
  double *ends = mem_array((size_t)most + 1, sizeof *ends);
  for (size_t i = 0; i < t->nevents; i++)
    ends[t->events[i].wave] = t->events[i].at + t->events[i].latency;
  return ends;
}

/* A wave, from its first instruction on, and the name of its place. */
static void add_wave(const struct launch_trace *t,
                     const struct hipsim_event *first, double end,
                     struct str *out)
{
  str_addf(out, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
           "\"name\":\"thread_name\",\"args\":{\"name\":\"slot %u\"}}",
           first->simd, first->slot, first->slot);
  if (begin(t, first, first->at, end - first->at, out))
    str_addf(out, "\"name\":\"wave %u\",\"cat\":\"wave\",\"args\":{}}",
             first->wave);
}

static void add_event(const struct launch_trace *t,
                      const struct hipsim_event *v, const struct flow *flow,
                      struct str *out)
{
  size_t row = launch_row(t, v);
  if (row == t->kernel.nrows)
    return;
  if (v->stall > 0)
    add_stall(t, v, cause_words[cause_of(&flow[row])], out);
  add_instruction(t, v, row, out);
}

enum {SIMDS = 4};

static void add_names(struct str *out)
{
  for (int i = 0; i < SIMDS; i++)
    str_addf(out, "%s\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\","
             "\"args\":{\"name\":\"SIMD %d\"}}", i ? "," : "", i, i);
}

int launch_chrome(const struct launch_trace *t, const char *path,
                  struct err *e)
{
  struct flow *flow = flow_of(&t->kernel);
  double *ends = ends_of(t);
  struct str out = {0};
  str_add(&out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"device\":");
  launch_quote(t->device, &out);
  str_add(&out, ",\"kernel\":");
  launch_quote(t->kernel.name, &out);
  str_add(&out, "},\"traceEvents\":[");
  add_names(&out);
  for (size_t i = 0; i < t->nevents; i++) {
    const struct hipsim_event *v = &t->events[i];
    if (ends[v->wave] > 0) /* it was not met before */
      add_wave(t, v, ends[v->wave], &out);
    ends[v->wave] = 0;
    add_event(t, v, flow, &out);
  }
  str_add(&out, "]}\n");
  int failed = file_replace(path, out.at, out.len, e);
  str_free(&out);
  free(ends);
  free(flow);
  return failed;
}
