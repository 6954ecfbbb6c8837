// prelude.hip - what every kernel begins with; from the # on it is emitted.
// SPDX-License-Identifier: MIT
#if defined __HIP__ && !defined __launch_bounds__ // clang without HIP's headers
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
struct index3 {
  unsigned x, y, z;
};
#define threadIdx \
  (index3{ __builtin_amdgcn_workitem_id_x(), \
           __builtin_amdgcn_workitem_id_y(), \
           __builtin_amdgcn_workitem_id_z() })
#define blockIdx \
  (index3{ __builtin_amdgcn_workgroup_id_x(), \
           __builtin_amdgcn_workgroup_id_y(), \
           __builtin_amdgcn_workgroup_id_z() })
#define __syncthreads() \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), \
   __builtin_amdgcn_s_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#endif

