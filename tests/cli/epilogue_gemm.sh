# epilogue_gemm.sh - scales, bias, activation, up and residual of gemm are right by
# their definition in double precision, in every type of C, also where k is split,
# shared or 0, and over a batch.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

try()
{
  candidates gemm --arch gfx906 --device sim --search random --evals 2 --seed 3 \
    "$@"
}

size="--m 65 --n 34 --k 70"
for activation in none gelu gelu_tanh silu; do
  # shellcheck disable=SC2086  # a list of words
  {
    try $size --activation $activation --bias row --residual 1 --alpha 4
    try $size --activation $activation --dtype f16 --bias col --beta 1 --up 1
  }
done
# shellcheck disable=SC2086  # a list of words
{
  try $size --dtype bf16 --layout tn --bias col --activation gelu --ldc 40
  for type_c in f32 f16 bf16; do
    try $size --dtype i8 --layout nt --type_c $type_c --scale both --bias col
  done
  try $size --dtype i4 --type_c f16 --scale row --activation silu --up 1
  try $size --dtype f16 --batch 3 --stride_a 0 --stride_b 2400 --residual 1 \
    --activation silu --up 1
  try $size --alpha 0 --beta 2 --bias row --activation gelu --residual 1
  try --m 64 --n 32 --k 512 --activation silu --bias col --up 1 --beta 1 \
    --set tile_m=16,split_k=4
  try --m 640 --n 320 --k 512 --dtype f16 --activation gelu --bias row \
    --residual 1 --set stream_k=1
}
all_right epilogues 17

expect 2 emit gemm --arch gfx906 --dtype i8 --bias row
says "need a C of floats"
expect 2 emit gemm --arch gfx906 --batch 2 --batch_by pointers --up 1
says "batch_by=pointers does not say"
end
