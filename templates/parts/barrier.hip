
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
