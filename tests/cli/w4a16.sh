# w4a16.sh - weights of GPTQ and AWQ: random configurations over groups, columns and
# lengths are right on the simulated device, every element against a reference in
# double precision, or of weights unpacked to f16 exactly as the formats say; what cannot be is refused before anything is launched.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

try()
{
  candidates w4a16 --arch gfx906 --device sim --search random --evals 3 --seed 7 \
    --timeout 300 "$@"
}

for dtype in gptq awq; do
  try --dtype $dtype --m 264 --k 1024
  try --dtype $dtype --m 72 --k 768 --n 8 --group 32 --type_c f32
  try --dtype $dtype --m 136 --k 2048 --n 3 --group 0 --act_order 1
done
try --dtype gptq --m 8 --k 8 --group 0
try --dtype awq --m 8 --k 160 --n 2 --group 32 --act_order 1
candidates dequant4 --arch gfx906 --device sim --search random --evals 6 --seed 7 \
  --dtype gptq --m 72 --k 256 --group 32
for order in 0 1; do
  candidates dequant4 --arch gfx906 --device sim --search random --evals 3 --seed 7 \
    --dtype awq --m 264 --k 384 --act_order $order
done
all_right w4a16 34

expect 2 w4a16 --arch gfx906 --device sim --k 4128
says "k is 4128, but groups have 128 rows"
expect 2 w4a16 --arch gfx906 --device sim --m 4100
says "m is 4100, but a word of zeros has 8 columns"
expect 2 w4a16 --arch gfx906 --device sim --k 4100 --group 0
says "k is 4100, but a word of GPTQ has 8 rows"
expect 2 w4a16 --arch gfx906 --device sim --n 9
expect 2 dequant4 --arch gfx906 --device sim --k 4128
says "k is 4128, but groups have 128 rows"
end
