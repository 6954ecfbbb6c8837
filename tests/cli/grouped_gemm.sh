# grouped_gemm.sh - gemm of groups of rows, each with a B of its own, on the simulated
# device: random configurations over types, layouts and laws of routing are right,
# every element; what cannot be is refused before anything is launched.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

try()
{
  candidates gemm --arch gfx906 --device sim --search random --evals 3 --seed 7 \
    --timeout 300 "$@"
}

try --dtype f16 --layout nt --m 300 --n 100 --k 200 --groups 80 --used 2
try --dtype f16 --layout nt --type_c f32 --m 90 --n 65 --k 64 --groups 5 --used 4 \
  --routing same --activation silu --up 1
try --dtype f32 --layout nn --m 130 --n 33 --k 17 --groups 9 --used 3 --beta -0.5 \
  --ldb 40 --ldc 50
try --dtype bf16 --layout nt --m 1 --n 66 --k 40 --groups 3 --used 1
try --dtype i8 --layout nt --m 200 --n 64 --k 36 --groups 66 --used 1 --routing same
try --dtype i4 --layout nn --m 64 --n 64 --k 64 --groups 4 --used 2
all_right groups 16

expect 2 gemm --arch gfx906 --device sim --layout tn --groups 8
says "layout nn or nt"
expect 2 gemm --arch gfx906 --device sim --layout nt --groups 8 --batch 2
says "batch must be 0"
expect 2 gemm --arch gfx906 --device sim --layout nt --groups 8 --bias col
says "each group would have its own"
expect 2 gemm --arch gfx906 --device sim --layout nt --groups 4
says "used is 8, but there are 4 groups"
end
