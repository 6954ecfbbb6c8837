// vocabulary.hip - LLVM's amdgcn builtins, for compilers that have none.
// SPDX-License-Identifier: MIT
//
// Written for NVRTC and waves of 32. Each paragraph defines the first name of
// vocabulary_* or __builtin_* in it; a kernel gets those paragraphs that it
// uses, and what these use. Where AMD's instruction looks at the lanes that are
// on, these expect all lanes of the wave.

#define __builtin_amdgcn_workitem_id_x() threadIdx.x

#define __builtin_amdgcn_workitem_id_y() threadIdx.y

#define __builtin_amdgcn_workitem_id_z() threadIdx.z

#define __builtin_amdgcn_workgroup_id_x() blockIdx.x

#define __builtin_amdgcn_workgroup_id_y() blockIdx.y

#define __builtin_amdgcn_workgroup_id_z() blockIdx.z

// A fence as wide as its scope's name says.
static __device__ inline void vocabulary_fence(const char *scope)
{
  if (scope[0] == 'a') // agent
    __threadfence();
  else if (scope[0] == 'w' && scope[1] == 'o') // workgroup
    __threadfence_block();
  else if (scope[0] == 'w') // wavefront
    __syncwarp();
  else
    __threadfence_system();
}

#define __builtin_amdgcn_fence(order, scope) vocabulary_fence(scope)

#define __builtin_amdgcn_s_barrier() __syncthreads()

#define __builtin_amdgcn_wave_barrier() __syncwarp()

// Waits and hints: the hardware keeps count of what is in flight itself.
#define __builtin_amdgcn_s_waitcnt(counts) ((void)0)

#define __builtin_amdgcn_s_setprio(priority) ((void)0)

#define __builtin_amdgcn_s_sleep(time) __nanosleep(64 * (time))

#define __builtin_amdgcn_sched_barrier(mask) ((void)0)

#define __builtin_amdgcn_sched_group_barrier(mask, size, group) ((void)0)

#define __builtin_amdgcn_iglp_opt(kind) ((void)0)

#define __builtin_amdgcn_s_memtime() clock64()

#define __builtin_amdgcn_wavefrontsize() 32

static __device__ inline int vocabulary_lane()
{
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Of the lanes below this one, those of the mask; added to a number.
static __device__ inline unsigned
__builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned add)
{
  return add + __popc(mask & ((1u << vocabulary_lane()) - 1));
}

// No wave has a lane above 31.
#define __builtin_amdgcn_mbcnt_hi(mask, add) (add)

// The value of one lane, the same for all.
static __device__ inline int __builtin_amdgcn_readlane(int x, int lane)
{
  return __shfl_sync(~0u, x, lane);
}

static __device__ inline int __builtin_amdgcn_readfirstlane(int x)
{
  return __shfl_sync(~0u, x, 0);
}

static __device__ inline unsigned long long __builtin_amdgcn_ballot_w64(bool x)
{
  return __ballot_sync(~0u, x);
}

static __device__ inline unsigned __builtin_amdgcn_ballot_w32(bool x)
{
  return __ballot_sync(~0u, x);
}

// x of the lane whose number is a quarter of `address`.
static __device__ inline int __builtin_amdgcn_ds_bpermute(int address, int x)
{
  return __shfl_sync(~0u, x, address >> 2);
}

// Patterns, from the top: rotations, quads, and masks of (and, or, xor).
static __device__ inline int __builtin_amdgcn_ds_swizzle(int x, int pattern)
{
  int lane = vocabulary_lane(), low = pattern & 31;
  int mid = pattern >> 5 & 31, from;
  if ((pattern & 0xc000) == 0xc000) {
    int turned = pattern & 0x400 ? lane - mid : lane + mid;
    from = (lane & low) | (turned & ~low & 31);
  } else if (pattern & 0x8000) {
    from = (lane & ~3) | (pattern >> 2 * (lane & 3) & 3);
  } else {
    from = ((lane & low) | mid) ^ (pattern >> 10 & 31);
  }
  return __shfl_sync(~0u, x, from);
}

// The lane that DPP's control word makes this one read, or -1. A row is 16.
static __device__ inline int vocabulary_dpp_lane(int control)
{
  int lane = vocabulary_lane(), place = lane & 15, n = control & 15;
  if (control < 0x100) // quad_perm
    return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  switch (control >> 4) {
  case 0x10: // row_shl
    return place + n < 16 ? lane + n : -1;
  case 0x11: // row_shr
    return place - n >= 0 ? lane - n : -1;
  case 0x12: // row_ror
    return (lane & ~15) | ((place - n) & 15);
  }
  switch (control) {
  case 0x130: // wave_shl:1
    return lane < 31 ? lane + 1 : -1;
  case 0x134: // wave_rol:1
    return (lane + 1) & 31;
  case 0x138: // wave_shr:1
    return lane - 1;
  case 0x13c: // wave_ror:1
    return (lane - 1) & 31;
  case 0x140: // row_mirror
    return lane ^ 15;
  case 0x141: // row_half_mirror
    return lane ^ 7;
  case 0x142: // row_bcast:15
    return lane < 16 ? -1 : 15;
  }
  return -1;
}

static __device__ inline int
__builtin_amdgcn_update_dpp(int old, int x, int control, int rows, int banks,
                            bool bound)
{
  int lane = vocabulary_lane(), from = vocabulary_dpp_lane(control);
  int there = __shfl_sync(~0u, x, from & 31);
  if (!(rows >> (lane >> 4) & 1) || !(banks >> (lane >> 2 & 3) & 1))
    return old;
  return from >= 0 ? there : bound ? 0 : old;
}

static __device__ inline int
__builtin_amdgcn_mov_dpp(int x, int control, int rows, int banks, bool bound)
{
  return __builtin_amdgcn_update_dpp(0, x, control, rows, banks, bound);
}

// Sums of products of bytes; clamp: they saturate.
static __device__ inline int
__builtin_amdgcn_sdot4(int a, int b, int c, bool clamp)
{
  if (!clamp)
    return __dp4a(a, b, c);
  int sum;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(__dp4a(a, b, 0)), "r"(c));
  return sum;
}

static __device__ inline unsigned
__builtin_amdgcn_udot4(unsigned a, unsigned b, unsigned c, bool clamp)
{
  unsigned sum = __dp4a(a, b, c);
  return clamp && sum < c ? ~0u : sum;
}

// Bytes of the eight in b (0-3) and a (4-7), by the four numbers in `which`;
// 8-11 are signs, 12 is 0, what is above 255.
static __device__ inline unsigned
__builtin_amdgcn_perm(unsigned a, unsigned b, unsigned which)
{
  unsigned out = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned n = which >> 8 * i & 255, word = n & 4 ? a : b;
    unsigned byte = word >> 8 * (n & 3) & 255;
    if (n >= 13)
      byte = 255;
    else if (n == 12)
      byte = 0;
    else if (n >= 8)
      byte = ((n & 2 ? a : b) >> (n & 1 ? 31 : 15) & 1) * 255;
    out |= byte << 8 * i;
  }
  return out;
}

static __device__ inline unsigned
__builtin_amdgcn_alignbit(unsigned high, unsigned low, unsigned by)
{
  return __funnelshift_r(low, high, by);
}

static __device__ inline unsigned
__builtin_amdgcn_alignbyte(unsigned high, unsigned low, unsigned by)
{
  return __funnelshift_r(low, high, 8 * by);
}

// `width` bits from bit `at` on.
static __device__ inline unsigned
__builtin_amdgcn_ubfe(unsigned x, unsigned at, unsigned width)
{
  return x >> (at & 31) & ((1u << (width & 31)) - 1);
}

static __device__ inline int
__builtin_amdgcn_sbfe(int x, unsigned at, unsigned width)
{
  int unused = 32 - (width & 31);
  return width & 31 ? (int)((unsigned)(x >> (at & 31)) << unused) >> unused : 0;
}

static __device__ inline float __builtin_amdgcn_rcpf(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

static __device__ inline float __builtin_amdgcn_rsqf(float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

static __device__ inline float __builtin_amdgcn_exp2f(float x)
{
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

static __device__ inline float
__builtin_amdgcn_fmed3f(float a, float b, float c)
{
  return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
}

// Two halves in a word, as clang's vectors of two _Float16: sums and products,
// which the assembler contracts.
struct vocabulary_halves {
  unsigned bits;
};
static __device__ inline vocabulary_halves
operator*(vocabulary_halves a, vocabulary_halves b)
{
  vocabulary_halves y;
  asm("mul.f16x2 %0, %1, %2;" : "=r"(y.bits) : "r"(a.bits), "r"(b.bits));
  return y;
}
static __device__ inline vocabulary_halves
operator+(vocabulary_halves a, vocabulary_halves b)
{
  vocabulary_halves y;
  asm("add.f16x2 %0, %1, %2;" : "=r"(y.bits) : "r"(a.bits), "r"(b.bits));
  return y;
}

#define __builtin_fmaf(x, y, z) fmaf(x, y, z)

#define __builtin_rintf(x) rintf(x)

#define __builtin_roundf(x) roundf(x)

#define __builtin_fabsf(x) fabsf(x)

#define __builtin_fminf(x, y) fminf(x, y)

#define __builtin_fmaxf(x, y) fmaxf(x, y)

#define __builtin_popcount(x) __popc(x)

template <typename To, typename From>
static __device__ inline To vocabulary_bits(From from)
{
  static_assert(sizeof(To) == sizeof(From), "a cast of bits keeps the size");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

#define __builtin_bit_cast(type, x) vocabulary_bits<type>(x)

// Data that is used once: not to stay in the caches.
template <typename T> static __device__ inline T
__builtin_nontemporal_load(const T *at)
{
  return __ldcs(at);
}

template <typename T> static __device__ inline void
__builtin_nontemporal_store(T x, T *at)
{
  __stcs(at, x);
}
