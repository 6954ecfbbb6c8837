# front.sh - a program that calls rocBLAS gets kernels of a pack, unchanged: on
# the simulated device, with a stub of rocBLAS behind the front.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
build=$1

mkdir "$work/lib"
cc -shared -fPIC -D__HIP_PLATFORM_AMD__ -o "$work/lib/librocblas.so.4" \
  "$(dirname "$0")/../devices/rocblas.c" -lamdhip64 >"$out" 2>&1 ||
  fail "rocblas.c does not build"
cc -O1 -D__HIP_PLATFORM_AMD__ -o "$work/client" \
  "$(dirname "$0")/../front/client.c" "$work/lib/librocblas.so.4" -lamdhip64 \
  >"$out" 2>&1 || fail "client.c does not build"

plain=tile_m=32,tile_n=32,thread_m=4,thread_n=4,wave_m=8,tile_k=8,slice_k=1
plain=$plain,read_width=4,pad_a=0,pad_b=0,xor_a=0,xor_b=0,async=0,stages=1
plain=$plain,load_ahead=1,read_ahead=0,raster=1,load_a=1,load_b=1,stream_k=0
# column-major T,N and N,N with m 64 and n 32 are nt and nn with m and n exchanged
for layout in nn nt; do
  expect 0 gemm --arch gfx906 --device sim --quiet --set "$plain,split_k=1" \
    --m 32 --n 64 --k 40 --layout $layout
done
expect 0 gemm --arch gfx906 --device sim --quiet --set "$plain,split_k=2" \
  --m 32 --n 64 --k 64 --layout nt --beta 1
expect 0 pack --out "$work/a.pack"

# client ENVIRONMENT... - the program on the simulated device, with the front
client()
{
  last="client $*"
  env LD_LIBRARY_PATH="$work/lib" TUNED_PACK="$work/a.pack" "$@" \
    LD_PRELOAD="$build/libhipsim.so:$build/libtuned_rocblas.so" \
    "$work/client" >"$out" 2>"$err" || fail "$last: status $?"
}

# N,N is fitted for k 48 and exact for 40, T,N with beta by a kernel that needs
# scratch; T,T is in no pack, nor is f16. Without rocBLAS's kernels a batch goes
# product by product, if it is aligned and its strides are known.
client TUNED_BLAS=stats
says "nn 64 32 40 beta 0: right"
says "tn 64 32 64 beta 1: right"
says "two from 1 by strides: right"
says "tuned_rocblas: 4 products served, 4 forwarded to rocBLAS"
says "2  no-kernel: the pack has no kernel for this product"
says "2  batch: the pack has no kernel that makes all products of such a batch"
client TUNED_BLAS=stats,verify
says "8 forwarded"
says "4  verify: "
says_not "should be"
client TUNED_BLAS=stats,off
says "8  off: "

# What it asks for is recorded, a sweep tunes it, and then all that has kernels is
# served: docs/shipping.md. f16 is a type of other programs' packs.
client "TUNED_BLAS=record:$work/asked"
grep -c '^gemm m=32 n=64 k=.* layout=.* dtype=f32 .*count=1$' "$work/asked" \
  >"$out"
says 7
grep -o 'align=.*' "$work/asked" | sort >"$out"
says "align=4 batch=2 batch_by=pointers count=1"
says "align=4 batch=2 stride_a=512 stride_b=1024 stride_c=2048 count=1"
cat >"$work/asked.lua" <<'LUA'
return { arch = "gfx906", device = "sim", evals = 2, problems = { shapes "asked" } }
LUA
sed -i '/dtype=f16/d' "$work/asked"
expect 0 sweep "$work/asked.lua" --quiet
expect 0 pack --out "$work/a.pack"
client TUNED_BLAS=stats
says "two from 0 by lists: right"
says "tuned_rocblas: 7 products served, 1 forwarded to rocBLAS"
says_not " batch: "
says_not "wrong"
end
