# device_malloc.sh - a kernel that calls malloc ends with a sentence, however
# its code object was made: version 4 asks the host for memory, version 5 looks
# for a heap that the launch is to bring.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"

cat >"$work/program.hip" <<'END'
#include <hip/hip_runtime.h>

__global__ void greet(int n)
{
  printf("greeting %d\n", n);
}

__global__ void allocate(int **list)
{
  list[threadIdx.x] = (int *)malloc(64);
}

__global__ void release(int **list)
{
  free(list[threadIdx.x]);
}

int main(void)
{
  int **list;
  int failed = hipMalloc((void **)&list, 64 * sizeof *list) != hipSuccess;
  greet<<<1, 1>>>(7);
  failed |= hipDeviceSynchronize() != hipSuccess;
  allocate<<<1, 64>>>(list);
  failed |= hipDeviceSynchronize() != hipErrorLaunchFailure;
  failed |= hipMemset(list, 1, 64 * sizeof *list) != hipSuccess;
  release<<<1, 64>>>(list);
  failed |= hipDeviceSynchronize() == hipSuccess;
  greet<<<1, 1>>>(8);
  failed |= hipDeviceSynchronize() != hipSuccess;
  return failed;
}
END

# hipcc calls `lld`, which is version 14 in Debian 12 and refuses version 5.
mkdir "$work/bin"
ln -s "$(command -v ld.lld-15)" "$work/bin/lld"

# says_so VERSION LEVEL - the program runs on, and says what it misses
says_so()
{
  hipcc --offload-arch=gfx906 -B "$work/bin" -mcode-object-version="$1" "$2" \
    -o "$work/program" "$work/program.hip" >"$work/out" 2>&1 ||
    fail "version $1, $2: hipcc does not compile it"
  LD_PRELOAD=$build/libhipsim.so "$work/program" >"$work/out" 2>&1 ||
    fail "version $1, $2: not the errors that it expects"
  grep -q "kernel _Z8allocatePPi,.*malloc in a kernel" "$work/out" ||
    fail "version $1, $2: does not say what it misses"
  [ "$(grep -c "^greeting [78]$" "$work/out")" = 2 ] ||
    fail "version $1, $2: other kernels do not run"
}

build=$1
says_so 4 -O2
says_so 5 -O2
says_so 5 -O0
