// run.hip - a random program of csmith, once a lane.
//
// csmith's programs compute a sum that the C++ standard defines, whatever
// compiles them. Here a program's variables are members of a struct and its
// functions methods: each lane has one of its own, begins it with other
// numbers than its neighbours, and so takes branches that they do not take.
// The structs lie in global memory, private memory and LDS by turns, so that
// one access of a wave meets all three.
//
// As HIP it runs on the device, as C++ on the host; both print a lane's sum a
// line. tests/csmith/try makes program.h, compiles this and compares.
//
// SPDX-License-Identifier: MIT
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

enum { LANES = 128, GROUP = 64 };

#pragma clang force_cuda_host_device begin

// What csmith's safe_math.h wants of its csmith.h.
#define STATIC static inline
#define FUNC_NAME(name) safe_##name
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#include <csmith/safe_math.h>
#define _CSMITH_BITFIELD(width) ((width) > 32 ? (width) % 32 : (width))

// What the main function of a program calls. The sum is FNV-1a's, of values.
struct summed {
  uint64_t sum = 0xcbf29ce484222325;
  uint32_t crc32_context = 0;
  unsigned lane;

  void add(uint64_t value) { sum = (sum ^ value) * 0x100000001b3; }

  void transparent_crc(uint64_t value, const char *, int) { add(value); }

  void transparent_crc_bytes(const volatile void *at, int size, const char *,
                             int)
  {
    for (int i = 0; i < size; i++)
      add(static_cast<const volatile unsigned char *>(at)[i]);
  }

  void platform_main_begin() {}
  void platform_main_end(uint32_t, int) {}
};

// Undefined for 0, which csmith does not avoid; the fallback is any number.
#define OR_7(count, value) ((value) ? count(value) : 7)
#define __builtin_clz(value) OR_7(__builtin_clz, value)
#define __builtin_clzl(value) OR_7(__builtin_clzl, value)
#define __builtin_clzll(value) OR_7(__builtin_clzll, value)
#define __builtin_ctz(value) OR_7(__builtin_ctz, value)
#define __builtin_ctzl(value) OR_7(__builtin_ctzl, value)
#define __builtin_ctzll(value) OR_7(__builtin_ctzll, value)
// Of x86 alone; any function does.
#define __builtin_ia32_crc32qi(sum, byte) ((int)((sum) * 31u ^ (byte)))

struct program : summed {
#define static
#define printf(...) ((void)0)
#define main run
#include "program.h"
#undef main
#undef printf
#undef static
};

#pragma clang force_cuda_host_device end

#ifdef __HIP__

// slots - how many programs half of a CU's LDS holds.
enum { SLOTS = 32768 / sizeof(program) };
union slot {
  uint64_t align;
  char room[sizeof(program)];
};

__global__ void run_lanes(program *programs, uint64_t *sums)
{
  __shared__ slot shared[SLOTS > 0 ? SLOTS : 1];
  slot own;
  unsigned lane = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned turn = threadIdx.x / 4;

  void *place = &programs[lane];
  if (lane % 4 == 1)
    place = &own;
  if (lane % 4 == 2 && turn < SLOTS)
    place = &shared[turn];

  program *mine = new (place) program;
  mine->lane = lane;
  mine->run();
  sums[lane] = mine->sum;
}

static hipError_t run(uint64_t *sums)
{
  program *programs = nullptr;
  uint64_t *out = nullptr;
  hipError_t error = hipMalloc(&programs, LANES * sizeof *programs);
  if (!error)
    error = hipMalloc(&out, LANES * sizeof *out);
  if (!error) {
    run_lanes<<<LANES / GROUP, GROUP>>>(programs, out);
    error = hipGetLastError();
  }
  if (!error)
    error = hipMemcpy(sums, out, LANES * sizeof *out, hipMemcpyDeviceToHost);
  (void)hipFree(out);
  (void)hipFree(programs);
  return error;
}

#else

static int run(uint64_t *sums)
{
  for (unsigned lane = 0; lane < LANES; lane++) {
    program *mine = new program;
    mine->lane = lane;
    mine->run();
    sums[lane] = mine->sum;
    delete mine;
  }
  return 0;
}

#endif

int main()
{
  static uint64_t sums[LANES];
  int error = run(sums);
  if (error) {
    printf("error %d\n", error);
    return 1;
  }
  for (unsigned lane = 0; lane < LANES; lane++)
    printf("%u %016llx\n", lane, static_cast<unsigned long long>(sums[lane]));
  return 0;
}
