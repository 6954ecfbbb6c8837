/* exec_mask.c - see exec_mask.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/exec_mask.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A bit for each pair of SGPRs, by half its code. */
struct masks {
  uint64_t within; /* holds no lanes that the wave does not have */
  uint64_t full;   /* holds all that it has, and no others */
};

struct search {
  struct dataflow *f;
  struct masks *before; /* each step */
  unsigned char *known; /* of each step: something leads there */
  uint32_t *path, n;    /* steps before which something has changed */
  unsigned char *waits; /* is in path */
};

/* A value of a pair: one bit each of struct masks. */
struct value {
  int within, full;
};

enum {PAIRS = 64, EXEC_PAIR = CODE_EXEC / 2};

static struct value value_of(const struct masks *m, unsigned code)
{
  if (code == CODE_INLINE) /* 0 */
    return (struct value){1, 0};
  if (code % 2 || code / 2 >= PAIRS)
    return (struct value){0, 0};
  return (struct value){m->within >> code / 2 & 1, m->full >> code / 2 & 1};
}

static void set(struct masks *m, unsigned code, struct value v)
{
  uint64_t bit = (uint64_t)1 << code / 2 % PAIRS;
  m->within = v.within ? m->within | bit : m->within & ~bit;
  m->full = v.full ? m->full | bit : m->full & ~bit;
}

static void forget(struct masks *m, struct dataflow_span s)
{
  for (unsigned n = 0; n < s.width && s.first + n < 2 * PAIRS; n++)
    set(m, s.first + n, (struct value){0, 0});
}

/* --- instructions --------------------------------------------------------- */

static struct value copy(struct value a, struct value b)
{
  (void)b;
  return a;
}

static struct value both(struct value a, struct value b)
{
  return (struct value){a.within || b.within, a.full && b.full};
}

static struct value first_without(struct value a, struct value b)
{
  (void)b;
  return (struct value){a.within, 0};
}

static struct value second_without(struct value a, struct value b)
{
  (void)a;
  return (struct value){b.within, 0};
}

static struct value any(struct value a, struct value b)
{
  return (struct value){a.within && b.within,
                        (a.full && b.within) || (b.full && a.within)};
}

static struct value one_of(struct value a, struct value b)
{
  return (struct value){a.within && b.within, a.full && b.full};
}

static struct value either(struct value a, struct value b)
{
  return (struct value){a.within && b.within, 0};
}

/* Of the scalar unit, on two sources; saves: of the source and EXEC, which is saved
 * and gets the result. */
static const struct {
  const char *name;
  struct value (*result)(struct value, struct value);
  int saves;
} scalar[] = {
    {"s_mov_b64", copy, 0},
    {"s_and_b64", both, 0},
    {"s_andn2_b64", first_without, 0},
    {"s_or_b64", any, 0},
    {"s_xor_b64", either, 0},
    {"s_cselect_b64", one_of, 0},
    {"s_and_saveexec_b64", both, 1},
    {"s_or_saveexec_b64", any, 1},
    {"s_xor_saveexec_b64", either, 1},
    {"s_andn2_saveexec_b64", first_without, 1},
    {"s_andn1_saveexec_b64", second_without, 1},
};

static void after_scalar(struct masks *m, const struct inst *i, struct dataflow_span s)
{
  const struct value exec = value_of(m, CODE_EXEC);
  for (size_t n = 0; n < sizeof scalar / sizeof *scalar; n++) {
    if (strcmp(inst_name(i), scalar[n].name))
      continue;
    struct value a = value_of(m, i->src[0]), b = value_of(m, i->src[1]);
    struct value made = scalar[n].result(a, scalar[n].saves ? exec : b);
    forget(m, s);
    if (i->dst % 2 == 0)
      set(m, i->dst, scalar[n].saves ? exec : made);
    if (scalar[n].saves)
      set(m, CODE_EXEC, made);
    return;
  }
  forget(m, s);
  if (strstr(inst_name(i), "exec_"))
    set(m, CODE_EXEC, (struct value){0, 0});
}

/* What the VALU makes has no lanes but those of EXEC. */
static void after_valu(struct masks *m, const struct inst *i, struct dataflow_span s)
{
  struct value lanes = {value_of(m, CODE_EXEC).within, 0};
  forget(m, s);
  if (s.width == DATAFLOW_MASK && s.first % 2 == 0 && s.first < 2 * PAIRS)
    set(m, s.first, lanes);
  if (!strncmp(inst_name(i), "v_cmpx", 6))
    set(m, CODE_EXEC, lanes);
}

static struct masks after(struct masks m, const struct dataflow_step *p)
{
  if (p->i->unit == UNIT_SALU)
    after_scalar(&m, p->i, p->scalar);
  else if (p->i->unit == UNIT_VALU)
    after_valu(&m, p->i, p->scalar);
  else
    forget(&m, p->scalar);
  return m;
}

/* --- the ways ------------------------------------------------------------- */

/* Masks m lead to step `at`, too. */
static void lead_to(struct search *s, uint32_t at, struct masks m)
{
  struct masks *to = &s->before[at];
  struct masks met = {to->within & m.within, to->full & m.full};
  if (!s->known[at])
    met = m;
  if (s->known[at] && met.within == to->within && met.full == to->full)
    return;
  s->known[at] = 1;
  *to = met;
  if (!s->waits[at])
    s->path[s->n++] = at;
  s->waits[at] = 1;
}

static void go_on(struct search *s, uint32_t at)
{
  const struct dataflow *f = s->f;
  const struct dataflow_step *p = &f->steps[at];
  struct masks m = after(s->before[at], p);
  if (at + 1 < f->n && dataflow_follows(f, at + 1))
    lead_to(s, at + 1, m);
  if (p->target)
    lead_to(s, p->target - 1, m);
}

void exec_mask_find(struct dataflow *f, uint32_t entry)
{
  const uint64_t exec = (uint64_t)1 << EXEC_PAIR;
  struct search s = {.f = f};
  s.before = mem_array(f->n, sizeof *s.before);
  s.known = mem_array(f->n, 1);
  s.waits = mem_array(f->n, 1);
  s.path = mem_array(f->n, sizeof *s.path);
  for (uint32_t n = 0; n < f->n; n++)
    if (f->steps[n].pc == entry)
      lead_to(&s, n, (struct masks){exec, exec});
  while (s.n) {
    uint32_t at = s.path[--s.n];
    s.waits[at] = 0;
    go_on(&s, at);
  }
  int within = 1;
  for (uint32_t n = 0; n < f->n; n++)
    within &= s.before[n].within >> EXEC_PAIR & 1;
  for (uint32_t n = 0; n < f->n; n++)
    f->steps[n].full = within && s.before[n].full >> EXEC_PAIR & 1;
  free(s.before);
  free(s.known);
  free(s.waits);
  free(s.path);
}
