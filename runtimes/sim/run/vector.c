/* vector.c - choose the vector instructions that this host runs best. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/vector.h"

/* Every processor with AVX2 and FMA has F16C too. */
static int host_has_avx2(void)
{
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

exec_fn *vector_handler(const struct inst *i)
{
  return host_has_avx2() ? avx2_vector_handler(i) : plain_vector_handler(i);
}

uint64_t vector_dpp(const struct wave *w, const struct inst *i,
                    const uint32_t *from, uint32_t *to)
{
  return plain_dpp(w, i, from, to);
}
