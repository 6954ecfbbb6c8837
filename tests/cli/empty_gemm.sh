# empty_gemm.sh - where alpha or k is 0 nothing is multiplied: C is beta C of each
# type, as BLAS defines it, though A and B are full of infinities.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

right=0
try()
{
  expect 0 gemm --arch gfx906 --device sim --evals 2 --json --quiet "$@"
  says '"status":"ok"'
  [ "$(grep -c '"type":"candidate"' "$out")" -eq 1 ] ||
    fail "$last: more than one configuration"
  right=$((right + $(grep -c '"type":"candidate".*"status":"ok"' "$out")))
}

for beta in 0 -2; do
  for dtype in f32 f16 bf16 i8 i4; do
    try --dtype $dtype --m 6 --n 300 --k 8 --alpha 0 --beta $beta
    try --dtype $dtype --m 6 --n 300 --k 0 --beta $beta --ldc 301
  done
  try --dtype f16 --type_c f32 --m 2000 --n 3 --k 40 --alpha 0 --beta $beta \
    --batch 3 --stride_c 6007 --layout tn
done
echo "$right of 22 are right"

# Its text and its buffers stand on their own.
expect 0 emit gemm --arch gfx906 --m 30 --n 40 --alpha 0 --beta 2 \
  --set tile_m=4 --json
says '"kernel":"gemm"'
says_not "__shared__ float"
expect 0 explain gemm --arch gfx906 --m 30 --n 40 --alpha 0 --set tile_m=4
expect 0 explain gemm --arch gfx906 --m 30 --n 40 --alpha 0 --set tile_m=16
says "nothing is multiplied"
end
