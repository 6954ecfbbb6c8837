/* vector.h - the vector instructions, once for each host instruction set.
 *
 * Every file here is compiled twice: plain, and for AVX2, FMA and F16C. What
 * has a name outside its file carries the set's name in front, by VEC().
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_h
#define sim_vector_h

#include "runtimes/sim/isa/inst.h"

#define VEC_JOIN2(isa, name) isa##_##name
#define VEC_JOIN(isa, name) VEC_JOIN2(isa, name)
#define VEC(name) VEC_JOIN(VECTOR_ISA, name)

/* What vector_handler() of inst.h chooses from; both give the same bits. */
exec_fn *plain_vector_handler(const struct inst *i);
exec_fn *avx2_vector_handler(const struct inst *i);

/* What DPP makes of the 64 lanes of source 0. Returns which lanes EXEC aside
 * are written. */
uint64_t vector_dpp(const struct wave *w, const struct inst *i,
                    const uint32_t *from, uint32_t *to);
uint64_t plain_dpp(const struct wave *w, const struct inst *i,
                   const uint32_t *from, uint32_t *to);

#endif
