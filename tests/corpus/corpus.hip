// corpus.hip - what every topic's kernels may use; pasted before each.
// SPDX-License-Identifier: MIT
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef long long i64;
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));
typedef short i16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));

#define WAVE __AMDGCN_WAVEFRONT_SIZE // lanes of one
#define KERNEL(name, O, I) \
  extern "C" __global__ void name(O *out, const I *in, int n)
#define GLOBAL_ID (int)(blockIdx.x * blockDim.x + threadIdx.x)
