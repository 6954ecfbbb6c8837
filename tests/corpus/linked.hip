// linked.hip - a HIP program as most are written: kernels in the same file,
// launched by <<<>>>, with variables of the device. It knows nothing of the
// simulator.
//
//   hipcc --offload-arch=gfx906 linked.hip
//
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static int failures;

#define HIP(call) check(call, #call, __LINE__)
#define EXPECT(condition)                                                    \
  ((condition) ? (void)0                                                     \
               : (void)(printf("line %d: not so: %s\n", __LINE__, #condition), \
                        failures++))

static void check(hipError_t error, const char *call, int line)
{
  if (error == hipSuccess)
    return;
  printf("line %d: %s: %s\n", line, call, hipGetErrorName(error));
  exit(1);
}

enum { N = 5000, BLOCK = 256, BLOCKS = (N + BLOCK - 1) / BLOCK };

__constant__ float coefficients[4];
__device__ int calls = 7;
__device__ double table[3] = {0.5, 1.5, 2.5};
__managed__ int shared_count = 40;

struct point {
  char tag;
  double x, y;
};

template <typename T, int DEGREE>
__global__ void polynomial(T *out, const T *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    atomicAdd(&calls, 1);
  if (i >= n)
    return;
  T sum = 0;
  for (int k = DEGREE; k >= 0; k--)
    sum = sum * in[i] + coefficients[k];
  out[i] = sum;
}

// The sum of each block, by a tree in LDS of a size that the launch gives.
__global__ void block_sums(int *out, const int *in, int n)
{
  extern __shared__ int part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

__global__ __launch_bounds__(128) void where(int *out, point p)
{
  __shared__ int fixed[100];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  fixed[threadIdx.x] = p.tag;
  __syncthreads();
  out[y * gridDim.x * blockDim.x + x] =
      fixed[threadIdx.x] + (int)(p.x * x + p.y * y + table[2]);
}

__global__ void count(int by)
{
  atomicAdd(&shared_count, by);
}

__global__ void say(const char *, double x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 50 == 7)
    printf("lane %d: %6.2f %s\n", i, x * i, i < 50 ? "few" : "a text that is "
           "longer than one packet, so that it needs several of them");
}

__global__ void demand(unsigned n)
{
  assert(threadIdx.x < n);
}

__global__ void stray(int *p)
{
  p[(size_t)1 << 36] = 1;
}

static void variables()
{
  const float values[4] = {1, 2, 3, 4};
  float back[2];
  double half = 8.5;
  void *at;
  size_t bytes;
  int n;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), values, sizeof values));
  HIP(hipMemcpyFromSymbol(back, HIP_SYMBOL(coefficients), 8, 4));
  EXPECT(back[0] == 2 && back[1] == 3);
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), &half, 8, 16));
  HIP(hipGetSymbolSize(&bytes, HIP_SYMBOL(table)));
  EXPECT(bytes == 24);
  HIP(hipGetSymbolAddress(&at, HIP_SYMBOL(calls)));
  HIP(hipMemcpy(&n, at, sizeof n, hipMemcpyDeviceToHost));
  EXPECT(n == 7);
  EXPECT(hipMemcpyToSymbol(HIP_SYMBOL(calls), values, 8) ==
         hipErrorInvalidValue);
  EXPECT(hipMemcpyToSymbol(&n, values, 4) == hipErrorInvalidSymbol);
  HIP(hipMalloc(&at, 8));
  EXPECT(hipMemcpyFromSymbol(at, HIP_SYMBOL(table), 24) ==
         hipErrorInvalidValue);
  HIP(hipFree(at));
}

static void polynomials()
{
  std::vector<float> in(N), out(N);
  float *device_in, *device_out, ms;
  hipStream_t stream;
  hipEvent_t begin, end;
  int n;
  for (int i = 0; i < N; i++)
    in[i] = i % 10;
  HIP(hipMalloc(&device_in, N * sizeof(float)));
  HIP(hipMalloc(&device_out, N * sizeof(float)));
  HIP(hipStreamCreate(&stream));
  HIP(hipEventCreate(&begin));
  HIP(hipEventCreate(&end));
  HIP(hipMemcpyAsync(device_in, in.data(), N * sizeof(float),
                     hipMemcpyHostToDevice, stream));
  HIP(hipEventRecord(begin, stream));
  polynomial<float, 3><<<BLOCKS, BLOCK, 0, stream>>>(device_out, device_in, N);
  HIP(hipGetLastError());
  HIP(hipEventRecord(end, stream));
  HIP(hipEventSynchronize(end));
  HIP(hipEventElapsedTime(&ms, begin, end));
  EXPECT(ms > 0 && ms < 1);
  HIP(hipMemcpy(out.data(), device_out, N * sizeof(float),
                hipMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) {
    float x = i % 10;
    EXPECT(out[i] == 1 + 2 * x + 3 * x * x + 4 * x * x * x);
  }
  hipLaunchKernelGGL((polynomial<float, 1>), dim3(BLOCKS), dim3(BLOCK), 0, 0,
                     device_out, device_in, N);
  HIP(hipMemcpy(out.data(), device_out, N * sizeof(float),
                hipMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    EXPECT(out[i] == 1 + 2 * (i % 10));
  HIP(hipMemcpyFromSymbol(&n, HIP_SYMBOL(calls), sizeof n));
  EXPECT(n == 9);
  HIP(hipEventDestroy(begin));
  HIP(hipEventDestroy(end));
  HIP(hipStreamDestroy(stream));
  HIP(hipFree(device_in));
  HIP(hipFree(device_out));
}

static void sums()
{
  std::vector<int> in(N);
  int *pinned, *device_in, *of_host;
  for (int i = 0; i < N; i++)
    in[i] = i;
  HIP(hipMalloc(&device_in, N * sizeof(int)));
  HIP(hipHostMalloc(&pinned, BLOCKS * sizeof(int)));
  HIP(hipHostGetDevicePointer((void **)&of_host, pinned, 0));
  HIP(hipMemcpy(device_in, in.data(), N * sizeof(int), hipMemcpyHostToDevice));
  block_sums<<<BLOCKS, BLOCK, BLOCK * sizeof(int)>>>(of_host, device_in, N);
  HIP(hipDeviceSynchronize());
  int sum = 0;
  for (int i = 0; i < BLOCKS; i++)
    sum += pinned[i];
  EXPECT(sum == N * (N - 1) / 2);
  // the same from memory that is the program's own
  HIP(hipHostRegister(in.data(), N * sizeof(int), hipHostRegisterDefault));
  HIP(hipMemset(pinned, 0, BLOCKS * sizeof(int)));
  block_sums<<<BLOCKS, BLOCK, BLOCK * sizeof(int)>>>(of_host, in.data(), N);
  HIP(hipDeviceSynchronize());
  EXPECT(pinned[1] == BLOCK * BLOCK + BLOCK * (BLOCK - 1) / 2);
  HIP(hipHostUnregister(in.data()));
  HIP(hipFree(device_in));
  HIP(hipHostFree(pinned));
}

static void grids()
{
  enum { X = 60, Y = 8, PITCHED = 64 };
  const point p = {5, 2, 100};
  int *device, host[Y][PITCHED] = {};
  HIP(hipMalloc(&device, X * Y * sizeof(int)));
  where<<<dim3(X / 20, Y / 4), dim3(20, 4)>>>(device, p);
  HIP(hipMemcpy2D(host, PITCHED * sizeof(int), device, X * sizeof(int),
                  X * sizeof(int), Y, hipMemcpyDeviceToHost));
  for (int y = 0; y < Y; y++)
    for (int x = 0; x < PITCHED; x++)
      EXPECT(host[y][x] == (x < X ? 5 + 2 * x + 100 * y + 8 : 0));
  HIP(hipFree(device));
}

static void memories()
{
  int *pinned, *both, *device, host[100];
  hipPointerAttribute_t a;
  hipDeviceptr_t base;
  size_t bytes;
  HIP(hipHostMalloc(&pinned, 400));
  HIP(hipMallocManaged(&both, 400));
  HIP(hipMalloc(&device, 400));
  HIP(hipPointerGetAttributes(&a, pinned + 10));
  EXPECT(a.memoryType == hipMemoryTypeHost && !a.isManaged);
  EXPECT(a.devicePointer == pinned + 10 && a.hostPointer == pinned + 10);
  HIP(hipPointerGetAttributes(&a, both));
  EXPECT(a.isManaged);
  HIP(hipPointerGetAttributes(&a, device + 99));
  EXPECT(a.memoryType == hipMemoryTypeDevice && !a.hostPointer);
  EXPECT(hipPointerGetAttributes(&a, host) == hipErrorInvalidValue);
  HIP(hipMemGetAddressRange(&base, &bytes, device + 99));
  EXPECT(base == device && bytes == 400);
  both[7] = 1234;
  HIP(hipMemPrefetchAsync(both, 400, 0, 0));
  HIP(hipMemcpyWithStream(device, both, 400, hipMemcpyDefault, 0));
  HIP(hipMemcpy(host, device, 400, hipMemcpyDeviceToHost));
  EXPECT(host[7] == 1234);
  EXPECT(hipHostUnregister(pinned) == hipErrorHostMemoryNotRegistered);
  HIP(hipHostFree(pinned));
  HIP(hipFree(both));
  HIP(hipFree(device));
  EXPECT(hipPointerGetAttributes(&a, pinned) == hipErrorInvalidValue);
}

// A box of 3 rows in each of 2 slices, from the middle of one of 5 in 4.
static void boxes()
{
  unsigned char from[4][5][16], to[2][3][8] = {};
  hipPitchedPtr device;
  hipMemcpy3DParms p = {};
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < 16; x++)
        from[z][y][x] = 64 * z + 10 * y + x;
  HIP(hipMalloc3D(&device, make_hipExtent(16, 5, 4)));
  EXPECT(device.pitch >= 16 && device.ysize == 5);
  p.srcPtr = make_hipPitchedPtr(from, 16, 16, 5);
  p.dstPtr = device;
  p.extent = make_hipExtent(16, 5, 4);
  p.kind = hipMemcpyHostToDevice;
  HIP(hipMemcpy3D(&p));
  HIP(hipMemset2D((char *)device.ptr + 7 * device.pitch, device.pitch, 255, 9,
                  1));  // row 2 of slice 1
  p.srcPtr = device;
  p.srcPos = make_hipPos(5, 1, 1);
  p.dstPtr = make_hipPitchedPtr(to, 8, 8, 3);
  p.extent = make_hipExtent(6, 3, 2);
  p.kind = hipMemcpyDeviceToHost;
  HIP(hipMemcpy3D(&p));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 8; x++) {
        int set = z == 0 && y == 1 && x + 5 < 9;
        EXPECT(to[z][y][x] == (x >= 6 ? 0 : set ? 255 : from[z + 1][y + 1][x + 5]));
      }
  HIP(hipFree(device.ptr));
}

static void called(hipStream_t, hipError_t error, void *user)
{
  int device = -1;
  EXPECT(error == hipSuccess && hipGetDevice(&device) == hipSuccess);
  *(int *)user += 1;
}

static void streams()
{
  hipStream_t stream;
  hipEvent_t event;
  unsigned flags;
  int least, greatest, priority, calls_back = 0;
  HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);
  HIP(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
  HIP(hipStreamGetFlags(stream, &flags));
  HIP(hipStreamGetPriority(stream, &priority));
  EXPECT(flags == hipStreamNonBlocking && priority == greatest);
  HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  HIP(hipEventRecord(event, stream));
  HIP(hipStreamWaitEvent(0, event, 0));
  HIP(hipStreamAddCallback(stream, called, &calls_back, 0));
  HIP(hipStreamSynchronize(stream));
  EXPECT(calls_back == 1);
  HIP(hipEventDestroy(event));
  HIP(hipStreamDestroy(stream));
}

static void managed()
{
  EXPECT(shared_count == 40);
  shared_count++;
  count<<<3, 10>>>(2);
  HIP(hipDeviceSynchronize());
  EXPECT(shared_count == 101);
}

// The calls that <<<>>> was made of before hipLaunchKernel(), one within the
// other; and what profilers ask.
static void by_pointer()
{
  const void *stub = (const void *)where;
  point p = {3, 0, 1};
  int *out, by = 1, host[8];
  HIP(hipMalloc(&out, sizeof host));
  HIP(hipConfigureCall(dim3(2), dim3(2, 2), 0, 0));
  HIP(hipSetupArgument(&p, sizeof p, 8));
  HIP(hipConfigureCall(dim3(1), dim3(7), 0, 0));
  HIP(hipSetupArgument(&by, sizeof by, 0));
  HIP(hipLaunchByPtr((const void *)count));
  HIP(hipSetupArgument(&out, sizeof out, 0));
  HIP(hipLaunchByPtr(stub));
  HIP(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  for (int n = 0; n < 8; n++)
    EXPECT(host[n] == 3 + (int)(n / 4 + 8.5));
  EXPECT(shared_count == 108);
  EXPECT(hipLaunchByPtr(stub) == hipErrorInvalidConfiguration);
  EXPECT(hipSetupArgument(&by, 4, 0) == hipErrorInvalidConfiguration);
  HIP(hipConfigureCall(dim3(1), dim3(1), 0, 0));
  EXPECT(hipSetupArgument(&by, 4, (size_t)1 << 40) == hipErrorInvalidValue);
  EXPECT(hipLaunchByPtr(stub) == hipErrorInvalidValue);  // has no arguments
  const char *name = hipKernelNameRefByPtr(stub, 0);
  EXPECT(name && std::string(name) == "_Z5wherePi5point");
  EXPECT(!hipKernelNameRefByPtr(nullptr, 0));
  hipChannelFormatDesc d =
      hipCreateChannelDesc(8, 16, 0, 32, hipChannelFormatKindSigned);
  EXPECT(d.x == 8 && d.y == 16 && d.z == 0 && d.w == 32 &&
         d.f == hipChannelFormatKindSigned);
  HIP(hipFree(out));
}

static void needs()
{
  hipFuncAttributes a;
  int groups, grid, block;
  HIP(hipFuncGetAttributes(&a, (const void *)where));
  EXPECT(a.maxThreadsPerBlock == 128);
  EXPECT(a.sharedSizeBytes == 400);
  EXPECT(a.numRegs > 0 && a.numRegs <= 256);
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(
      &groups, (const void *)block_sums, BLOCK, 20000));
  EXPECT(groups == 3);  // of 64 KiB
  HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, count, 0, 0));
  EXPECT(block >= 64 && block <= 1024 && grid >= 60);
  EXPECT(hipFuncGetAttributes(&a, &groups) == hipErrorInvalidDeviceFunction);
}

static void prints()
{
  say<<<2, 64>>>("", 0.5);
  HIP(hipDeviceSynchronize());
  demand<<<1, 64>>>(64);
  HIP(hipDeviceSynchronize());
  demand<<<1, 64>>>(63);
  EXPECT(hipDeviceSynchronize() == hipErrorAssert);
}

// What is refused, at the call; what a kernel does wrong, when it is waited for.
static void errors()
{
  int *p;
  hipTextureObject_t texture;
  HIP(hipMalloc(&p, 64));
  count<<<1, 2048>>>(1);
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  block_sums<<<1, 64, 100000>>>(p, p, 1);
  EXPECT(hipGetLastError() == hipErrorLaunchOutOfResources);
  where<<<1, 256>>>(p, point());
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  EXPECT(hipCreateTextureObject(&texture, nullptr, nullptr, nullptr) ==
         hipErrorNotSupported);
  (void)hipGetLastError();
  stray<<<1, 1>>>(p);
  EXPECT(hipGetLastError() == hipSuccess);
  EXPECT(hipDeviceSynchronize() == hipErrorIllegalAddress);
  HIP(hipFree(p));
}

int main()
{
  variables();
  polynomials();
  sums();
  grids();
  memories();
  boxes();
  streams();
  managed();
  by_pointer();
  needs();
  prints();
  errors();
  printf("%d failures\n", failures);
  return failures != 0;
}
