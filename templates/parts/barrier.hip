@ -- barrier.hip - a barrier for LDS: of one wave, or of a workgroup.
@ -- SPDX-License-Identifier: MIT
@ local of_wave <const> = ...

@ if of_wave then
// A barrier for the LDS of one wave, whose instructions are done in order: it
// tells compilers to leave them so.
static __device__ inline void barrier()
{
#ifdef __HIP__
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}
@   return
@ end
// A barrier for LDS alone: __syncthreads() would also wait for the loads from
// memory, which are to stay in flight.
static __device__ inline void barrier()
{
#if defined __HIP__ && !defined __GFX12__ // which has other instructions for it
  asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
#else
  __syncthreads();
#endif
}
