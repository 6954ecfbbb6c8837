/* wait.c - waiting for counters, of which what goes to LDS and from there behind
 * the wave's back alone can be found not to have been waited for (async.h): all else
 * is done in order. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/async.h"
#include "runtimes/sim/run/own.h"

#define WAIT(name) \
  void own_s_wait_##name(struct wave *w, const struct inst *i) \
  { \
    (void)i; \
    w->waits++; \
  }
WAIT(alu)
WAIT(loadcnt)
WAIT(storecnt)
WAIT(xcnt)
WAIT(dscnt)
WAIT(kmcnt)
WAIT(loadcnt_dscnt)
WAIT(storecnt_dscnt)

void own_s_wait_asynccnt(struct wave *w, const struct inst *i)
{
  w->waits++;
  async_wait(w, ASYNC_LANES, (unsigned)i->imm & 0x3f);
}

void own_s_wait_tensorcnt(struct wave *w, const struct inst *i)
{
  w->waits++;
  async_wait(w, ASYNC_TENSOR, (unsigned)i->imm & 0x3f);
}

void own_s_wait_idle(struct wave *w, const struct inst *i)
{
  (void)i;
  w->waits++;
  async_wait(w, ASYNC_LANES, 0);
  async_wait(w, ASYNC_TENSOR, 0);
}

void own_s_set_vgpr_msb(struct wave *w, const struct inst *i)
{
  w->msb = (uint32_t)i->imm & 0xff;
  w->mode &= ~MODE_MSB;
  w->mode |= w->msb ? MODE_MSB : 0;
}
