/* launch_chrome.c - Chrome's trace events: see launch_trace.h.
 *
 * Each instruction is a slice, with its stall as a slice before it that says
 * what it waits for. Times are microseconds, by the modelled clock.
 */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
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

/* Microseconds in steps of 1/4096. Sums of such numbers are exact, so that
 * slices which touch do not overlap by a rounding: viewers would nest them. */
static double us(const struct launch_trace *t, double cycles)
{
  return round(cycles / t->clock_mhz * 4096) / 4096;
}

static void begin(const struct launch_trace *t, const struct hipsim_event *v,
                  double at, double cycles, struct str *out)
{
  str_addf(out, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.12f,"
           "\"dur\":%.12f,", v->simd, v->slot, us(t, at),
           us(t, at + cycles) - us(t, at));
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
  begin(t, v, v->at + v->stall, v->latency - v->stall, out);
  str_addf(out, "\"name\":\"%.*s\",\"cat\":\"%s\",\"args\":{\"text\":",
           (int)strcspn(r->text, " \""), r->text, c->unit);
  launch_quote(r->text, out);
  str_addf(out, ",\"wave\":%u,\"line\":%lld", v->wave, r->line);
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
  begin(t, v, v->at, v->stall, out);
  str_addf(out, "\"name\":\"stall: %s\",\"cat\":\"stall\",\"args\":{"
           "\"cycles\":%.0f,\"wave\":%u}}", cause, v->stall, v->wave);
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
  struct str out = {0};
  str_add(&out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"device\":");
  launch_quote(t->device, &out);
  str_add(&out, ",\"kernel\":");
  launch_quote(t->kernel.name, &out);
  str_add(&out, "},\"traceEvents\":[");
  add_names(&out);
  for (size_t i = 0; i < t->nevents; i++) {
    const struct hipsim_event *v = &t->events[i];
    size_t row = launch_row(t, v);
    if (row == t->kernel.nrows)
      continue;
    if (v->stall > 0)
      add_stall(t, v, cause_words[cause_of(&flow[row])], &out);
    add_instruction(t, v, row, &out);
  }
  str_add(&out, "]}\n");
  int failed = file_replace(path, out.at, out.len, e);
  str_free(&out);
  free(flow);
  return failed;
}
