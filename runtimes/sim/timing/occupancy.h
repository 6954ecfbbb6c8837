/* occupancy.h - how many workgroups of a kernel a compute unit holds. */
// SPDX-License-Identifier: MIT
#ifndef sim_occupancy_h
#define sim_occupancy_h

#include <stdint.h>

#include "runtimes/sim/timing/card.h"

struct occupancy {
  unsigned groups;      /* a CU; 0: a group does not fit at all */
  unsigned waves;       /* a SIMD, the fullest */
  const char *limit;    /* "waves", "vgpr", "sgpr", "lds", "groups" */
};

/* Waves that registers allow a SIMD. */
unsigned occupancy_vgpr(const struct card *c, unsigned vgprs);
unsigned occupancy_sgpr(const struct card *c, unsigned sgprs);

/* group_waves: waves of a group; lds: bytes of a group. */
struct occupancy occupancy(const struct card *c, unsigned vgprs,
                           unsigned sgprs, uint32_t lds,
                           unsigned group_waves);

#endif
