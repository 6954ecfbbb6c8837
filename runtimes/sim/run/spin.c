/* spin.c - see spin.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/spin.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/dispatch.h"

/* Instructions, at most, of the loop in which a wave waits: such loops are
 * short, even without optimisation. */
enum {LONGEST = 1 << 10};

/* A wave as it was, with what only it can change. */
struct past {
  struct wave w;
  size_t register_bytes, private_bytes;
  uint8_t *registers, *private;
};

static void remember(const struct wave *w, struct past *p)
{
  p->w = *w;
  p->register_bytes = wave_register_bytes(w);
  p->private_bytes = wave_private_bytes(w);
  p->registers = mem_alloc(p->register_bytes + p->private_bytes + 1);
  p->private = p->registers + p->register_bytes;
  memcpy(p->registers, w->v, p->register_bytes);
  if (p->private_bytes)
    memcpy(p->private, (void *)(uintptr_t)w->scratch, p->private_bytes);
}

static int as_before(const struct wave *w, const struct past *p)
{
  const struct wave *b = &p->w;
  return w->pc == b->pc && w->scc == b->scc && w->mode == b->mode &&
         w->status == b->status && w->trapsts == b->trapsts &&
         !memcmp(w->s, b->s, sizeof w->s) &&
         !memcmp(w->v, p->registers, p->register_bytes) &&
         (!p->private_bytes ||
          !memcmp((void *)(uintptr_t)w->scratch, p->private,
                  p->private_bytes));
}

/* Did the last instruction touch what others may, and store there? What atomics
 * did is counted elsewhere. */
enum touch {TOUCHED = 1, STORED = 2};

static unsigned touch(const struct wave *w)
{
  const struct access *a = &w->access;
  const struct inst *i = &w->code->code[w->at];
  if (i->unit == UNIT_SMEM)
    return inst_writes(i) ? TOUCHED | STORED : TOUCHED;
  if (!a->n || !a->lanes ||
      wave_owns(w, a->addr[0][__builtin_ctzll(a->lanes)]))
    return 0;
  return a->store ? TOUCHED | STORED : TOUCHED;
}

int wave_spins(struct wave *w)
{
  struct past past;
  unsigned touched = 0;
  int waits = 0;
  remember(w, &past);
  for (int n = 0; n < LONGEST && !waits; n++) {
    w->access.n = 0;
    wave_run(w, 1);
    if (w->state != WAVE_RUN || w->changes != past.w.changes)
      break;
    touched |= touch(w);
    if (touched & STORED)
      break;
    waits = touched && as_before(w, &past);
  }
  free(past.registers);
  return waits;
}
