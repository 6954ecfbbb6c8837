@ -- async.hip - copies from memory to LDS past the registers (sm_80 and up).
@ -- SPDX-License-Identifier: MIT
@
@ -- ragged: a copy can be of nothing. waiting: k tiles that may be under way
@ -- while others are waited for.
@ local ragged <const>, waiting <const> = ...

// Start to copy n floats from memory into LDS, past the registers.
@ if ragged then
// Where they are not real, zeros.
template <int n>
static __device__ inline void copy(float *to, const float *from, bool real)
{
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
               :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                  "n"(n * sizeof(float)),
                  "r"(real ? n * (int)sizeof(float) : 0) : "memory");
}
@ else
template <int n>
static __device__ inline void copy(float *to, const float *from)
{
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                  "n"(n * sizeof(float)) : "memory");
}
@ end

// The copies of a k tile end here.
static __device__ inline void end_copies()
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}

@ local but <const> = waiting > 1 and waiting .. " k tiles" or "k tile"
// Wait for all copies$(waiting > 0 and " but those of the last " .. but or "").
static __device__ inline void await_copies()
{
  asm volatile("cp.async.wait_group $waiting;" ::: "memory");
}

