# epilogue_skinny.sh - scales, bias, activation, up and residual of skinny are right by
# their definition in double precision, in every type of C, along either side, also
# where k is split, over batches and lists, and with matrices that are barely aligned.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

try()
{
  candidates skinny --arch gfx906 --device sim --search random --evals 2 --seed 3 \
    "$@"
}

for activation in none gelu gelu_tanh silu; do
  try --m 3 --n 65 --k 70 --activation $activation --bias row --residual 1 --alpha 4
  try --m 130 --n 7 --k 96 --activation $activation --dtype f16 --bias col --beta 1 \
    --up 1 --layout tn
done
for type_c in f32 f16 bf16; do
  try --m 5 --n 150 --k 256 --dtype i8 --type_c $type_c --scale both --bias col
  try --m 150 --n 16 --k 63 --dtype i8 --type_c $type_c --scale row --activation silu
done
try --m 2 --n 80 --k 70 --dtype bf16 --bias col --activation gelu --ldc 90
try --m 24 --n 150 --k 256 --dtype f16 --bias row --up 1 --activation silu
try --m 4 --n 80 --k 512 --dtype f16 --batch 3 --stride_a 0 --stride_b 41600 \
  --residual 1 --activation silu --up 1
try --m 3 --n 65 --k 17 --alpha 0 --beta 2 --bias row --activation gelu --residual 1
for type in f32 f16 i8; do
  try --m 4 --n 64 --k 512 --dtype $type --batch 3 --batch_by pointers
done
try --m 64 --n 4 --k 512 --dtype f16 --batch 2 --batch_by pointers --align 2 --bias row \
  --beta 1
try --m 3 --n 65 --k 96 --dtype f16 --align 2
try --m 3 --n 65 --k 96 --dtype i8 --align 1 --layout nn
all_right epilogues 46

# Of a part of k each, which a second kernel adds up before.
candidates skinny --arch gfx906 --device sim --m 4 --n 64 --k 1024 --dtype i8 \
  --type_c f16 --scale both --bias col --activation gelu --beta 1 --set split_k=4
candidates skinny --arch gfx906 --device sim --m 4 --n 64 --k 1024 --dtype f16 \
  --batch 2 --batch_by pointers --bias col --set split_k=2
all_right "split sums" 2

# What is tuned is shown, explained and emitted under the same keys.
thin="--arch gfx906 --dtype i8 --type_c f16 --scale both --m 4 --n 64 --k 256"
# shellcheck disable=SC2086  # a list of words
{
  expect 0 skinny $thin --device sim --evals 2 --quiet
  says "type_c=f16,scale=both"
  expect 0 show skinny $thin
  says "type_c=f16,scale=both"
  expect 0 explain skinny $thin --device sim --set split_k=1
  says "SQ_INSTS_VALU"
  expect 0 emit skinny $thin
  says "C = alpha op(A) op(B) * row_scale * col_scale,"
}

expect 2 emit skinny --arch gfx906 --dtype i8 --bias row
says "need a C of floats"
expect 2 emit skinny --arch gfx906 --batch 2 --batch_by pointers --up 1
says "batch_by=pointers does not say"
expect 2 emit skinny --arch gfx906 --dtype f16 --align 1
says "elements of f16 have 2 bytes"
for factor in alpha beta; do
  expect 2 emit skinny --arch gfx906 --$factor 1e39
  says "$factor is 1e+39, but kernels take it in f32"
  expect 2 emit gemm --arch gfx906 --$factor=-1e-50
  says "$factor is -1e-50, but kernels take it in f32"
done
end
