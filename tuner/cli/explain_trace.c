/* explain_trace.c - what the waves of a modelled launch did, as files of a
 * thread trace: see explain.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/cli/explain.h"
#include "tuner/diagnose/launch_trace.h"

struct att_kernel explain_kernel(const struct explained *x,
                                 const struct listing *l)
{
  size_t *order = explain_order(x);
  long base = x->nrows ? explain_offset(&x->rows[order[0]]) : 0;
  struct att_kernel k = {x->report.kernel,
                         mem_array(x->nrows + 1, sizeof *k.rows), x->nrows};
  for (size_t i = 0; i < x->nrows; i++) {
    const struct hipsim_instruction *c = &x->rows[order[i]];
    const char *text = order[i] < l->n ? l->text[order[i]] : NULL;
    k.rows[i] = (struct att_row){
        .text = text ? text : c->name, .source = "", .line = (long long)i + 1,
        .object = 1, .address = (uint64_t)(explain_offset(c) - base),
        .hits = c->hits, .latency = c->latency, .stall = c->stall};
  }
  free(order);
  return k;
}

int explain_trace(const struct explained *x, const struct listing *l,
                  const char *device, const char *folder, struct err *e)
{
  size_t *order = explain_order(x);
  struct str chrome = {0};
  struct launch_trace t = {
      .device = device, .clock_mhz = x->report.clock_mhz,
      .kernel = explain_kernel(x, l),
      .base = x->nrows ? explain_offset(&x->rows[order[0]]) : 0,
      .counted = mem_array(x->nrows + 1, sizeof *t.counted),
      .events = x->events, .nevents = x->nevents};
  for (size_t i = 0; i < x->nrows; i++)
    t.counted[i] = &x->rows[order[i]];
  str_addf(&chrome, "%s/chrome.json", folder);
  int failed = launch_att(&t, folder, e);
  failed = failed ? failed : launch_chrome(&t, chrome.at, e);
  str_free(&chrome);
  free(t.kernel.rows);
  free(t.counted);
  free(order);
  return failed;
}
