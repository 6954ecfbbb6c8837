// memory.hip - widths, alignment, private and constant memory, transposes
// SPDX-License-Identifier: MIT

KERNEL(widths, u8, u8)
{
  const int i = GLOBAL_ID;
  const u8 *from = in + 32 * i;
  u8 *to = out + 32 * i;
  to[0] = from[0] + 1;
  *(i8 *)(to + 1) = *(const i8 *)(from + 1) >> 2;
  *(u16 *)(to + 2) = *(const u16 *)(from + 2) * 3;
  *(int *)(to + 4) = *(const i16 *)(from + 4) - *(const u16 *)(from + 6);
  *(u64 *)(to + 8) = *(const u64 *)(from + 8) + *(const u32 *)(from + 4);
  *(uint4 *)(to + 16) = *(const uint4 *)(from + 16);
}

KERNEL(vectors, float4, float4)
{
  const int i = GLOBAL_ID;
  const float4 a = in[i];
  const float2 b = ((const float2 *)in)[n / 2 - 1 - i];
  const float3 c = *(const float3 *)(in + i);
  out[i] = make_float4(a.w + b.x, c.z * b.y, c.y, a.x);
}

struct __attribute__((packed)) loose {
  u8 a;
  u32 b;
  u64 c;
  u16 d;
};

// Fields at any byte, in global memory and in LDS.
KERNEL(unaligned, u8, loose)
{
  __shared__ u8 buffer[64 * sizeof(loose)];
  loose x = in[threadIdx.x];
  x.c += x.a;
  x.b ^= x.d;
  *(loose *)(buffer + threadIdx.x * sizeof x) = x;
  __syncthreads();
  for (int i = 0; i < sizeof x; i++)
    out[i * 64 + threadIdx.x] = buffer[threadIdx.x * sizeof x + i];
}

KERNEL(lds_widths, u32, u32)
{
  __shared__ __attribute__((aligned(16))) u8 lds[4096];
  const int t = threadIdx.x;
  ((uint4 *)lds)[t] = make_uint4(in[t], in[t + 64], in[t + 128], in[t + 192]);
  __syncthreads();
  const int other = 63 - t;
  const uint2 pair = ((uint2 *)lds)[2 * other + 1];
  const u64 wide = ((u64 *)lds)[t ^ 5];
  out[5 * t] = lds[16 * other + 3] + ((u16 *)lds)[8 * t + 3];
  out[5 * t + 1] = ((i8 *)lds)[16 * t + 9] + ((i16 *)lds)[8 * other + 6];
  out[5 * t + 2] = pair.x - pair.y;
  out[5 * t + 3] = wide ^ wide >> 32;
  __syncthreads();
  lds[t] = t, ((u16 *)lds)[500 + t] = 3 * t;
  __syncthreads();
  out[5 * t + 4] = ((u32 *)lds)[t / 4] + ((u32 *)lds)[250 + t / 2];
}

KERNEL(volatiles, u32, u32)
{
  volatile u32 *v = out + 2 * GLOBAL_ID;
  v[0] = in[GLOBAL_ID];
  v[1] = v[0];
  v[0] = v[1] + v[0];
}

// Too large and too dynamic for registers: private memory.
KERNEL(private_array, u32, u32)
{
  u32 x[80];
  for (int i = 0; i < 80; i++)
    x[i] = in[(GLOBAL_ID + i) % n];
  for (int i = 0; i < 80; i++)
    x[x[i] % 80] += x[(x[i] >> 8) % 80] + i;
  u32 hash = 5381;
  for (int i = 0; i < 80; i++)
    hash = hash * 33 + x[i];
  out[GLOBAL_ID] = hash;
}

KERNEL(private_bytes, u32, u32)
{
  u8 seen[256];
  u16 places[64];
  __builtin_memset(seen, 0, sizeof seen);
  for (int i = 0; i < 64; i++) {
    const u8 x = in[(GLOBAL_ID + i * 3) % n];
    places[i] = x * 257;
    seen[x]++;
  }
  u32 sum = 0;
  for (int i = 0; i < 64; i++)
    sum += seen[places[i] & 255] * places[63 - i];
  out[GLOBAL_ID] = sum;
}

__constant__ u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19,
                               23, 29, 31, 37, 41, 43, 47, 53};
__constant__ u8 letters[] = "The quick brown fox jumps over it";
__device__ int bias = -77;
__device__ u32 *nowhere;

KERNEL(globals, u32, u32)
{
  const int i = GLOBAL_ID;
  out[i] = primes[in[i] % 16] + letters[in[i] >> 8 & 31] + primes[3] + bias +
           (nowhere ? 1000 : 0) + letters[n % 30];
}

// The same address in all lanes: scalar loads.
KERNEL(uniform_loads, u32, u32)
{
  u32 sum = threadIdx.x;
  const u32 *row = in + 16 * blockIdx.x;
  for (int i = 0; i < 16; i++)
    sum = sum * 3 + row[i];
  out[GLOBAL_ID] = sum + row[row[3] % 16];
}

KERNEL(transpose, u32, u32)
{
  __shared__ u32 tile[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int width = 16 * gridDim.x, height = 16 * gridDim.y;
  const int column = 16 * blockIdx.x, row = 16 * blockIdx.y;
  tile[y][x] = in[(row + y) * width + column + x];
  __syncthreads();
  out[(column + y) * height + row + x] = tile[x][y];
}

KERNEL(transpose_bytes, u8, u8)
{
  for (int i = threadIdx.x; i < 64 * 48; i += blockDim.x)
    out[i % 64 * 48 + i / 64] = in[i];
}

// Not at -O0, where s[0:3] are never given away, nor where the words differ.
#if defined __OPTIMIZE__ && !defined __GFX12__
// By a buffer of the kernel's own in s[0:3], where the compiler otherwise has
// the one of private memory.
static __device__ void increment(u32 *out, int n, u32 at)
{
  typedef u32 words __attribute__((ext_vector_type(4)));
  const u64 base = (u64)out;
  words r;
  r[0] = __builtin_amdgcn_readfirstlane((u32)base);
  r[1] = __builtin_amdgcn_readfirstlane((u32)(base >> 32));
  r[2] = __builtin_amdgcn_readfirstlane(4 * n);
  r[3] = 0x27000;
  u32 x;
  asm volatile("s_nop 4\n"
               "buffer_load_dword %0, %1, s[0:3], 0 offen\n"
               "s_waitcnt vmcnt(0)\n"
               "v_add_u32 %0, 1, %0\n"
               "buffer_store_dword %0, %1, s[0:3], 0 offen\n"
               "s_waitcnt vmcnt(0)"
               : "=&v"(x)
               : "v"(at), "{s[0:3]}"(r)
               : "memory");
}
#else
static __device__ void increment(u32 *out, int n, u32 at)
{
  out[at / 4]++;
}
#endif

KERNEL(own_buffer, u32, u32)
{
  volatile u32 kept[32];
  const int i = GLOBAL_ID;
  for (int z = 0; z < 32; z++)
    kept[z] = in[i] + z;
  increment(out, n, 4 * i);
  if (kept[in[i] % 32] != in[i] + in[i] % 32)
    out[i] = 0;
}
