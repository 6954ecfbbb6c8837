/* lds.c - see lds.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/lds.h"

#include "runtimes/sim/timing/server.h"

static unsigned port_of(unsigned simd)
{
  return simd / (LDS_SIMDS / LDS_PORTS);
}

double lds_free(const struct lds *l, unsigned simd)
{
  unsigned port = port_of(simd);
  return later(l->issue[port], l->queue[port][l->n[port] % LDS_QUEUE]);
}

double lds_take(struct lds *l, const struct card *c, unsigned simd, double t,
                const struct price *p, double cycles, double *busy)
{
  unsigned port = port_of(simd);
  double width = p->issue > p->busy ? p->issue : p->busy;
  double start = later(t, l->back[simd]);
  double bank = later(start, l->bank);
  *busy = later(cycles, p->shared);
  double done = later(start + width, bank + *busy);
  l->issue[port] = t + p->issue;
  l->back[simd] = done;
  l->bank = bank + *busy;
  l->queue[port][l->n[port]++ % LDS_QUEUE] = done;
  return done + c->lds_latency;
}
