/* verb_explain_json.c - counters and instructions for programs: explain.h. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "tuner/cli/explain.h"
#include "tuner/cli/json.h"

static void print_counters(const struct hipsim_report *r)
{
  json_t *o = json_object();
  const char *name;
  double value;
  int counted;
  json_object_set_new(o, "type", json_string("counters"));
  json_object_set_new(o, "source", json_string("modelled"));
  json_object_set_new(o, "kernel", json_string(r->kernel));
  json_object_set_new(o, "sampled_share", json_real(r->sampled_share));
  json_object_set_new(o, "counted_share", json_real(r->counted_share));
  for (size_t i = 0; explain_counter(i, r, &name, &value, &counted); i++)
    json_object_set_new(o, name, json_real(value));
  json_line(stdout, o);
}

/* hits, latency, stall: sums over the simulated part of the waves. code: its
 * dwords in hexadecimal. */
static void print_row(const struct hipsim_instruction *row, const char *text)
{
  json_t *o = json_object();
  char code[2][16] = {"", ""};
  for (unsigned i = 0; i < row->nwords && i < 2; i++)
    snprintf(code[i], sizeof code[i], "%s%08x", i ? " " : "", row->words[i]);
  json_object_set_new(o, "type", json_string("instruction"));
  json_object_set_new(o, "offset", json_integer(explain_offset(row)));
  json_object_set_new(o, "code", json_sprintf("%s%s", code[0], code[1]));
  json_object_set_new(o, "text", text ? json_string(text) : json_null());
  json_object_set_new(o, "name", json_string(row->name));
  json_object_set_new(o, "unit", json_string(row->unit));
  json_object_set_new(o, "target", json_integer((int32_t)row->target));
  json_object_set_new(o, "hits", json_real(row->hits));
  json_object_set_new(o, "latency", json_real(row->latency));
  json_object_set_new(o, "stall", json_real(row->stall));
  json_object_set_new(o, "lds_cycles", json_real(row->lds_cycles));
  json_object_set_new(o, "lds_conflicts", json_real(row->lds_conflicts));
  json_line(stdout, o);
}

void explain_json(const struct explained *x, const struct listing *l,
                  int annotate)
{
  print_counters(&x->report);
  size_t *order = explain_order(x);
  for (size_t i = 0; annotate && i < x->nrows; i++)
    print_row(&x->rows[order[i]],
              order[i] < l->n ? l->text[order[i]] : NULL);
  free(order);
}
