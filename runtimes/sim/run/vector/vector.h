/* vector.h - the vector instructions, once for each host instruction set.
 *
 * Every file here is compiled three times: plain, for AVX2, FMA and F16C, and for
 * AVX-512 as well. What has a name outside its file carries the set's name in front,
 * by VEC().
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_h
#define sim_vector_h

#include "runtimes/sim/isa/inst.h"

#define VEC_JOIN2(isa, name) isa##_##name
#define VEC_JOIN(isa, name) VEC_JOIN2(isa, name)
#define VEC(name) VEC_JOIN(VECTOR_ISA, name)

exec_fn *plain_vector_handler(const struct inst *i);
exec_fn *avx2_vector_handler(const struct inst *i);
exec_fn *avx512_vector_handler(const struct inst *i);

/* What vector_handler() of inst.h chooses from, the fastest first and the last for
 * every host; all give the same bits. */
enum {VECTOR_SETS = 3};
struct vector_set {
  const char *name;
  int (*runs)(void); /* on this host? */
  exec_fn *(*handler)(const struct inst *i); /* NULL where there is none */
};
extern const struct vector_set vector_sets[VECTOR_SETS];

/* What DPP makes of the 64 lanes of source 0. Returns which lanes EXEC aside
 * are written. */
uint64_t vector_dpp(const struct wave *w, const struct inst *i,
                    const uint32_t *from, uint32_t *to);
uint64_t plain_dpp(const struct wave *w, const struct inst *i,
                   const uint32_t *from, uint32_t *to);

#endif
