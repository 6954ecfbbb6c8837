/* lds_access.h - the LDS accesses of a configuration, lane by lane.
 *
 *   lds_access = function (cfg, problem, arch)
 *     return {
 *       { name = "read a row", op = "read", bytes = 16,
 *         address = function (lane) return 16 * lane end },
 *       ...
 *     }
 *   end
 *
 * One entry an instruction of wave 0 that stands for its kind; addresses are
 * bytes from the start of its array, which starts at bank 0. A family may leave it out.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_lds_access_h
#define gen_lds_access_h

#include "gen/family.h"

enum {LDS_ACCESSES = 16, LDS_ACCESS_LANES = 64};

struct lds_access {
  char name[48];
  int write;
  unsigned bytes; /* a lane: 1 2 4 8 12 16 */
  unsigned lanes; /* of a wave */
  uint64_t address[LDS_ACCESS_LANES];
};

/* *n is 0 where the family does not say. */
int family_lds_access(struct family *f, const struct problem *p,
                      const struct config *c,
                      struct lds_access list[LDS_ACCESSES], size_t *n,
                      struct err *e);

/* Bytes of LDS that the kernel itself allocates, by the family's `lds`; 0
 * where it does not say. */
int family_lds(struct family *f, const struct problem *p,
               const struct config *c, long long *bytes, struct err *e);

#endif
