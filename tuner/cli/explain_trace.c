/* explain_trace.c - what the waves of a modelled launch did, as files of a
 * thread trace: see explain.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/cli/explain.h"
#include "tuner/diagnose/launch_trace.h"

static struct att_row row_of(const struct launch_trace *t,
                             const struct hipsim_instruction *c,
                             const char *text, size_t i)
{
  return (struct att_row){
      .text = text ? text : c->name, .source = "", .line = (long long)i + 1,
      .object = 1, .address = (uint64_t)(explain_offset(c) - t->base),
      .hits = c->hits, .latency = c->latency, .stall = c->stall};
}

int explain_trace(const struct explained *x, const struct listing *l,
                  const char *device, const char *folder, struct err *e)
{
  size_t *order = explain_order(x);
  struct str chrome = {0};
  struct launch_trace t = {
      .device = device, .clock_mhz = x->report.clock_mhz,
      .kernel = {x->report.kernel,
                 mem_array(x->nrows + 1, sizeof *t.kernel.rows), x->nrows},
      .base = x->nrows ? explain_offset(&x->rows[order[0]]) : 0,
      .counted = mem_array(x->nrows + 1, sizeof *t.counted),
      .events = x->events, .nevents = x->nevents};
  for (size_t i = 0; i < x->nrows; i++) {
    t.counted[i] = &x->rows[order[i]];
    t.kernel.rows[i] = row_of(&t, t.counted[i],
                              order[i] < l->n ? l->text[order[i]] : NULL, i);
  }
  str_addf(&chrome, "%s/chrome.json", folder);
  int failed = launch_att(&t, folder, e);
  failed = failed ? failed : launch_chrome(&t, chrome.at, e);
  str_free(&chrome);
  free(t.kernel.rows);
  free(t.counted);
  free(order);
  return failed;
}
