# against_code.sh - a kernel of a code object on disk beside ours: what its code is
# made of, what it does where its launch is given, and what is said of misuse.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

command -v hipcc >/dev/null || {
  echo "skipped: no hipcc (Debian package hipcc)"
  exit 0
}
cat >"$work/tiles.hip" <<'HIP'
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(256) void
tiles(const float *a, const float *b, float *c, int n, int k, float alpha)
{
  __shared__ float tile[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    tile[threadIdx.y][threadIdx.x] = a[row * k + t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += tile[threadIdx.y][i] * b[(t + i) * n + col];
    __syncthreads();
  }
  c[row * n + col] = alpha * sum;
}
HIP
hipcc --genco --offload-arch=gfx906 -O3 -o "$work/t.co" "$work/tiles.hip" \
  >"$out" 2>&1 || fail "hipcc does not compile it"
problem="gemm --arch gfx906 --device sim --m 64 --n 64 --k 64"
set=tile_m=16,tile_n=64,thread_m=4,thread_n=4,wave_m=4,tile_k=16,slice_k=1
set=$set,load_a=1,load_b=1,read_width=2,pad_a=0,pad_b=0,xor_a=0,xor_b=0,async=0
set=$set,stages=1,load_ahead=0,read_ahead=0,raster=1,split_k=1,stream_k=0
ours="explain $problem --set $set"
launch='grid=4,4 block=16,16 args=a,b,c,n,k'

# Of its code: LDS of 16 times 16 floats, one store; the fused multiplications of
# the inner loop, which -O3 writes out.
expect 0 $ours --against "$work/t.co:tiles"
shows "^  against    t.co: tiles" "^  of the code +ours +t.co +ratio" \
  "^  LDS bytes a workgroup +[0-9]+ +1024" "^  VGPRs +[0-9]+ +[0-9]+" \
  "^  instructions in the code +[0-9]+ +[0-9]+" "times in the code" \
  "^  v_fmac_f32 +[0-9]+ +16 " "--launch 'grid=X,Y block=X args=...' shows"
says_not "modelled, whole launch"
fits

# What it does: 16 workgroups of 4 waves; each wave stores once, and in each of 4
# steps along k writes to LDS once and multiplies 16 times.
expect 0 $ours --against "$work/t.co:tiles" --launch "$launch,alpha"
shows "modelled, whole launch +ours +t.co +ratio" "^  waves +[0-9]+ +64 " \
  "^  stores +[0-9]+ +64 " "^  v_fmac_f32 +[0-9]+ +4096 " \
  "^  ds_write_b32 +[0-9]+ +256" "^  bytes to HBM +[0-9]+ +16384" \
  "^  cycles a wave stalls, for" "^  global memory +[0-9.]+ +[0-9.]+" \
  "what t.co computes was not compared"
fits

# Misuse, before anything is printed where no device is needed for it.
expect 2 $ours --against "$work/t.co"
says "must be rocblas, or with explain FILE:KERNEL"
expect 2 $ours --against "$work/t.co:"
says "write FILE:KERNEL"
expect 1 $ours --against "$work/none.co:tiles"
says "cannot read $work/none.co: No such file"
expect 2 $ours --launch "$launch"
says "give both"
expect 2 $ours --against rocblas --launch "$launch"
says "give both"
expect 2 $ours --against "$work/t.co:tiles" --launch "block=16"
says "grid= and block= must be there"
for word in grid=0 grid=1,2,3,4 grid= block=-1 lds=many blocks=4 args=a,,b args=a, \
  nothing; do
  expect 2 $ours --against "$work/t.co:tiles" --launch "grid=1 $word"
  says "--launch: '$word' is not understood"
done
expect 2 $ours --against "$work/t.co:tiles" --launch "grid=4 block=64 args=a,x"
says "argument 2, 'x', is neither"
says "one of its buffers (a, b, c)"
expect 2 $problem --against "$work/t.co:tiles"
says "must be rocblas, or with explain"
[ ! -s "$out" ] || fail "it printed something"

# Known on the device only.
expect 1 $ours --against "$work/t.co:tile"
says "no kernel 'tile' in the module, which has 1, the first tiles"
expect 1 $ours --against "$work/tiles.hip:tiles"
says "neither a code object nor a bundle"
expect 1 $ours --against "$work/t.co:tiles" --launch "$launch"
says "it names 5 arguments; bytes and kinds that the kernel takes: 8 global_buffer"
expect 1 $ours --against "$work/t.co:tiles" --launch \
  'grid=4,4 block=16,16 args=a,b,c,n,a,1.0'
says "argument 5 cannot be a"
expect 1 $ours --against "$work/t.co:tiles" --launch \
  'grid=4,4 block=16,16 args=0,b,c,n,k,1.0'
says "outside every allocation"
end
