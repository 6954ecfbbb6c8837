/* json_plan.c - what launching a kernel takes, as JSON: json.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/json.h"
#include "tuner/reference/inputs.h"

static json_t *buffer(const struct buffer *b)
{
  double bytes = (double)b->elements * (double)element_ops(b->type)->size;
  json_t *o = json_object();
  json_object_set_new(o, "name", json_string(b->name));
  json_object_set_new(o, "role", json_string(role_name(b->role)));
  json_object_set_new(o, "type", json_string(element_name(b->type)));
  json_object_set_new(o, "elements", json_integer((json_int_t)b->elements));
  json_object_set_new(o, "bytes", json_integer((json_int_t)bytes));
  json_object_set_new(o, "align", json_integer(b->align));
  if (b->planes)
    json_object_set_new(o, "planes", json_true());
  if (b->panel) {
    json_object_set_new(o, "panel", json_integer((json_int_t)b->panel));
    json_object_set_new(o, "row", json_integer((json_int_t)b->row));
  }
  if (b->routed)
    json_object_set_new(o, "routed", json_integer((json_int_t)b->routed));
  if (b->pointers) {
    json_object_set_new(o, "pointers", json_integer((json_int_t)b->pointers));
    json_object_set_new(o, "stride", json_integer((json_int_t)b->stride));
  }
  return o;
}

static json_t *argument(const struct plan *p, const struct arg *a)
{
  static const char *const types[] = { /* ORDER ARG */
    [ARG_BUFFER] = "buffer", [ARG_I32] = "i32", [ARG_I64] = "i64",
    [ARG_F32] = "f32"};
  json_t *o = json_object();
  json_object_set_new(o, "type", json_string(types[a->kind]));
  if (a->kind == ARG_BUFFER)
    json_object_set_new(o, "name", json_string(p->buffers[a->buffer].name));
  else
    json_object_set_new(o, "value", a->kind == ARG_F32 ? json_real(a->d)
                                                       : json_integer(a->i));
  return o;
}

static json_t *extent(const unsigned n[3])
{
  json_t *list = json_array();
  for (int i = 0; i < 3; i++)
    json_array_append_new(list, json_integer(n[i]));
  return list;
}

static json_t *launch(const struct plan *p, const struct launch *l)
{
  json_t *o = json_object(), *args = json_array();
  for (size_t i = 0; i < l->nargs; i++)
    json_array_append_new(args, argument(p, &l->args[i]));
  json_object_set_new(o, "kernel", json_string(l->kernel));
  json_object_set_new(o, "grid", extent(l->grid));
  json_object_set_new(o, "block", extent(l->block));
  json_object_set_new(o, "dynamic_lds", json_integer(l->lds));
  json_object_set_new(o, "args", args);
  return o;
}

void json_plan(json_t *o, const struct plan *p)
{
  json_t *buffers = json_array(), *launches = json_array();
  for (size_t i = 0; i < p->nbuffers; i++)
    json_array_append_new(buffers, buffer(&p->buffers[i]));
  for (size_t i = 0; i < p->nlaunches; i++)
    json_array_append_new(launches, launch(p, &p->launches[i]));
  json_object_set_new(o, "buffers", buffers);
  json_object_set_new(o, "launches", launches);
}
