/* vector.c - choose the vector instructions that this host runs best. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/vector.h"

/* Every processor with AVX2 and FMA has F16C too. */
static int has_avx2(void)
{
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

static int has_avx512(void)
{
#ifdef __x86_64__
  return has_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return 0;
#endif
}

static int always(void)
{
  return 1;
}

const struct vector_set vector_sets[VECTOR_SETS] = {
    {"avx512", has_avx512, avx512_vector_handler},
    {"avx2", has_avx2, avx2_vector_handler},
    {"plain", always, plain_vector_handler},
};

exec_fn *vector_handler(const struct inst *i)
{
  const struct vector_set *set = vector_sets;
  while (!set->runs())
    set++;
  return set->handler(i);
}

uint64_t vector_dpp(const struct wave *w, const struct inst *i,
                    const uint32_t *from, uint32_t *to)
{
  return plain_dpp(w, i, from, to);
}
