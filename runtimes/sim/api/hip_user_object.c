/* hip_user_object.c - what of a program's must live as long as a graph.
 *
 * An object counts who holds it: the program, and graphs with their copies.
 * Who lets go of it last has it destroyed. (HIP 5.3 on; the functions are
 * declared here because older headers do not.)
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

#define EXPORT __attribute__((visibility("default")))

struct hipUserObject {
  struct hipUserObject *next;
  void *of;
  hipHostFn_t destroy;
  unsigned long long count;
};
typedef struct hipUserObject *hipUserObject_t;

struct user_object { /* as one graph holds it */
  struct user_object *next;
  hipUserObject_t object;
  unsigned count;
};

enum {NO_SYNC = 1, MOVE = 1}; /* the flags that there are */

static int valid(const struct runtime *r, const struct hipUserObject *o)
{
  const struct hipUserObject *p = r->objects;
  while (p && p != o)
    p = p->next;
  return p != NULL;
}

/* HIP forbids the function to call HIP, so it may run under the lock. */
static void let_go(struct runtime *r, hipUserObject_t o, unsigned count)
{
  o->count -= count < o->count ? count : o->count;
  if (o->count)
    return;
  struct hipUserObject **p = &r->objects;
  while (*p != o)
    p = &(*p)->next;
  *p = o->next;
  o->destroy(o->of);
  free(o);
}

static hipError_t create(struct runtime *r, hipUserObject_t *out, void *of,
                         hipHostFn_t destroy, unsigned count, unsigned flags)
{
  if (!out || !of || !destroy || !count || flags != NO_SYNC)
    return hipErrorInvalidValue;
  *out = mem_alloc(sizeof **out);
  **out = (struct hipUserObject){r->objects, of, destroy, count};
  r->objects = *out;
  return hipSuccess;
}

EXPORT hipError_t hipUserObjectCreate(hipUserObject_t *out, void *of,
                                      hipHostFn_t destroy, unsigned int count,
                                      unsigned int flags);
hipError_t hipUserObjectCreate(hipUserObject_t *out, void *of,
                               hipHostFn_t destroy, unsigned int count,
                               unsigned int flags)
{
  CALL(create(r, out, of, destroy, count, flags));
}

static hipError_t hold(struct runtime *r, hipUserObject_t o, unsigned count)
{
  if (!count || !valid(r, o))
    return hipErrorInvalidValue;
  o->count += count;
  return hipSuccess;
}

static hipError_t release(struct runtime *r, hipUserObject_t o, unsigned count)
{
  if (!count || !valid(r, o))
    return hipErrorInvalidValue;
  let_go(r, o, count);
  return hipSuccess;
}

EXPORT hipError_t hipUserObjectRetain(hipUserObject_t o, unsigned int count);
hipError_t hipUserObjectRetain(hipUserObject_t o, unsigned int count)
{
  CALL(hold(r, o, count));
}

EXPORT hipError_t hipUserObjectRelease(hipUserObject_t o, unsigned int count);
hipError_t hipUserObjectRelease(hipUserObject_t o, unsigned int count)
{
  CALL(release(r, o, count));
}

/* --- graphs --------------------------------------------------------------- */

static struct user_object *held(const struct ihipGraph *g,
                                const struct hipUserObject *o)
{
  struct user_object *p = g->objects;
  while (p && p->object != o)
    p = p->next;
  return p;
}

static void keep(hipGraph_t g, hipUserObject_t o, unsigned count)
{
  struct user_object *p = held(g, o);
  if (!p) {
    p = mem_alloc(sizeof *p);
    *p = (struct user_object){.next = g->objects, .object = o};
    g->objects = p;
  }
  p->count += count;
}

static hipError_t graph_hold(struct runtime *r, hipGraph_t g,
                             hipUserObject_t o, unsigned count, unsigned flags)
{
  if (!graph_valid(r, g) || !valid(r, o) || !count || flags > MOVE)
    return hipErrorInvalidValue;
  if (flags != MOVE) /* else those that the program held become the graph's */
    o->count += count;
  keep(g, o, count);
  return hipSuccess;
}

EXPORT hipError_t hipGraphRetainUserObject(hipGraph_t g, hipUserObject_t o,
                                           unsigned int count,
                                           unsigned int flags);
hipError_t hipGraphRetainUserObject(hipGraph_t g, hipUserObject_t o,
                                    unsigned int count, unsigned int flags)
{
  CALL(graph_hold(r, g, o, count, flags));
}

static hipError_t graph_release(struct runtime *r, hipGraph_t g,
                                hipUserObject_t o, unsigned count)
{
  struct user_object *p =
      graph_valid(r, g) && valid(r, o) ? held(g, o) : NULL;
  if (!p || !count || count > p->count)
    return hipErrorInvalidValue;
  p->count -= count; /* with none left it is skipped */
  let_go(r, o, count);
  return hipSuccess;
}

EXPORT hipError_t hipGraphReleaseUserObject(hipGraph_t g, hipUserObject_t o,
                                            unsigned int count);
hipError_t hipGraphReleaseUserObject(hipGraph_t g, hipUserObject_t o,
                                     unsigned int count)
{
  CALL(graph_release(r, g, o, count));
}

void graph_objects_copy(hipGraph_t to, const struct ihipGraph *from)
{
  for (const struct user_object *p = from->objects; p; p = p->next)
    if (p->count) {
      keep(to, p->object, 1);
      p->object->count++;
    }
}

void graph_objects_drop(struct runtime *r, hipGraph_t g)
{
  for (struct user_object *p = g->objects, *next; p; p = next) {
    next = p->next;
    if (p->count)
      let_go(r, p->object, p->count);
    free(p);
  }
}
