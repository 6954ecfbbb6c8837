/* occupancy.c - see occupancy.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/occupancy.h"

static unsigned round_up(unsigned n, unsigned granule)
{
  return (n + granule - 1) / granule * granule;
}

/* A kernel allocates at least one granule of registers. */
static unsigned fit(unsigned have, unsigned need, unsigned granule,
                    unsigned most)
{
  unsigned n = have / round_up(need ? need : 1, granule);
  return n < most ? n : most;
}

unsigned occupancy_vgpr(const struct card *c, unsigned vgprs)
{
  return fit((unsigned)c->vgprs, vgprs, (unsigned)c->vgpr_granule,
             (unsigned)c->waves);
}

unsigned occupancy_sgpr(const struct card *c, unsigned sgprs)
{
  return fit((unsigned)c->sgprs, sgprs, (unsigned)c->sgpr_granule,
             (unsigned)c->waves);
}

/* Groups whose waves fit when a SIMD takes `waves` of them: each wave goes to
 * the emptiest SIMD, and a group is never split over CUs. */
static unsigned by_waves(const struct card *c, unsigned waves,
                         unsigned group_waves)
{
  return waves * (unsigned)c->simds / group_waves;
}

struct occupancy occupancy(const struct card *c, unsigned vgprs,
                           unsigned sgprs, uint32_t lds, unsigned group_waves)
{
  unsigned bytes = round_up(lds, (unsigned)c->lds_granule);
  unsigned most = (unsigned)(c->waves * c->simds);
  /* The first of equals names the limit: waves is the friendliest. */
  struct { const char *name; unsigned groups; } limits[] = {
      {"waves", by_waves(c, (unsigned)c->waves, group_waves)},
      {"vgpr", by_waves(c, occupancy_vgpr(c, vgprs), group_waves)},
      {"sgpr", by_waves(c, occupancy_sgpr(c, sgprs), group_waves)},
      {"lds", bytes ? (unsigned)c->lds / bytes : most},
      {"groups", group_waves > 1 ? (unsigned)c->barriers : most},
  };
  struct occupancy o = {limits[0].groups, 0, limits[0].name};
  for (unsigned i = 1; i < sizeof limits / sizeof *limits; i++)
    if (limits[i].groups < o.groups) {
      o.groups = limits[i].groups;
      o.limit = limits[i].name;
    }
  unsigned simds = (unsigned)c->simds;
  o.waves = (o.groups * group_waves + simds - 1) / simds;
  return o;
}
