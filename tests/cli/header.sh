# header.sh - `tune emit --header`: kernels of quantised weights as a header that a
# program compiles which has nothing else of ours. It gives right products, of sizes
# that nobody tuned as well, and says of the others that it has no kernel.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
lib=$1

# stored FAMILY CONFIGURATION KEYS...: a winner in the table.
stored()
{
  family=$1 set=$2
  shift 2
  expect 0 "$family" --arch gfx906 --device sim --quiet --set "$set" "$@"
}

vec=rows=1,depth=1,lanes_k=8,waves_k=1,waves_r=2,ahead=0,layout=file,quantise=apart
mat=tile_m=32,tile_n=16,thread_m=2,thread_n=2,wave_m=16,tile_k=64,layout=file
mat=$mat,across=1,stages=1,waves=1
stored mmvq $vec,turns=1,split_k=2 --dtype q4_0 --m 64 --n 1 --k 2048
stored mmvq $vec,turns=1,split_k=1 --dtype q4_K --m 64 --n 2 --k 1024
stored mmq $mat,split_k=1 --dtype q8_0 --m 64 --n 32 --k 256
stored mmq $mat,split_k=2 --dtype q4_0 --m 64 --n 32 --k 512

expect 0 emit mmvq --arch gfx906 --header "$work/mmvq.cuh"
says "mmvq.cuh: 2 winners, 2 kernels, 0 stale"
expect 0 emit mmq --arch gfx906 --header "$work/mmq.cuh"
says "mmq.cuh: 2 winners, 2 kernels, 0 stale"
expect 2 emit mmq --arch gfx906 --header "$work/x" --set split_k=1
expect 2 emit mmq --arch gfx906 --header "$work/x" --out "$work/y"
expect 2 emit mmq --arch sm_90 --header "$work/x"
expect 1 emit dot --arch gfx906 --header "$work/x"

# Formulas as C++: those of q4_0's mmvq, by hand.
sed -n '/^static bool serves_0/,/^}/p' "$work/mmvq.cuh" >"$out"
says 'same(p.dtype, "q4_0")'
says "rest(p.k, 32LL) == 0"
says "(p.n - 1LL) == 0"

if ! command -v hipcc >/dev/null; then
  echo "no hipcc (Debian package hipcc): not compiled"
  end
  exit
fi
last="hipcc header.hip"
hipcc --offload-arch=gfx906 -O2 -Wall -Werror -Wno-unused-function -I "$work" \
  -o "$work/header" "$(dirname "$0")/header.hip" >"$out" 2>&1 ||
  fail "it does not compile"

# run SERVED ASKED TYPE M N K...
run()
{
  want="$1 of $2 served, 0 wrong"
  shift 2
  last="header $*"
  LD_PRELOAD=$lib/libhipsim.so "$work/header" "$@" >"$out" 2>"$err" ||
    fail "$last: status $?"
  says "$want"
}

# tuned; other rows; shorter rows; few rows
run 8 8 q4_0 64 1 2048  q4_0 5 1 2048  q4_0 200 1 1024  q4_0 1 1 512 \
  q4_K 64 2 1024  q4_K 33 2 512  q4_0 64 32 512  q4_0 31 9 1024
run 5 5 q8_0 64 32 256  q8_0 7 33 256  q8_0 100 17 64  q8_0 65 9 1024 \
  q8_0 32 40 128
# more columns, longer rows than LDS has room for, a part of k with nothing, half a
# tile of k, another type
run 0 6 q4_0 64 3 2048  q4_0 64 1 4096  q4_K 64 1 1024  q4_0 64 32 64 \
  q8_0 64 32 96  q6_K 64 32 256

# What is compiled for another architecture sees nothing of it.
last="hipcc --offload-arch=gfx906,gfx1030"
hipcc --offload-arch=gfx1030 --cuda-device-only -c -O1 -I "$work" -x hip \
  -include mmq.cuh -o "$work/other.o" /dev/null >"$out" 2>&1 ||
  fail "$last: does not compile"
end
