# quant.sh - families of quantised weights: random configurations over types,
# columns and lengths are right on the simulated device, every element against a
# reference in double precision, with EVALS (4) of each problem; what cannot be is
# refused before anything is launched.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

try()
{
  candidates "$@" --arch gfx906 --device sim --search random \
    --evals "${EVALS:-4}" --seed 7 --timeout 300
}

for dtype in q8_0 q4_0 q4_1 q4_K q6_K; do
  try mmvq --dtype $dtype --m 300 --n 1 --k 2560
  try mmvq --dtype $dtype --m 77 --n 8 --k 1024 --x q8_1
  try mmvq --dtype $dtype --m 1 --n 3 --k 256
  try mmvq --dtype $dtype --m 130 --n 5 --k 6144
  try mmq --dtype $dtype --m 300 --n 100 --k 2560
  try mmq --dtype $dtype --m 77 --n 9 --k 1024 --x q8_1
  try mmq --dtype $dtype --m 1 --n 1 --k 256
done
try mmvq --dtype q4_K --m 77 --n 1 --k 1024 --swiglu 1
try mmvq --dtype q8_0 --m 130 --n 3 --k 2560 --x q8_1 --swiglu 1
try mmvq --dtype q4_0 --m 77 --m2 33 --m3 5 --n 3 --k 4096 --x q8_1
try mmvq --dtype q6_K --m 1 --m2 300 --k 2048
try mmq --dtype q4_1 --m 130 --n 65 --k 4128
try mmq --dtype q8_0 --m 33 --n 40 --k 96 --x q8_1
try mmvq --dtype q4_0 --m 65 --n 2 --k 32
try mmvq --dtype q8_0 --m 200 --n 4 --k 4128 --x q8_1
for dtype in q4_0 q4_K; do
  try mmq --dtype $dtype --m 77 --n 200 --k 1024 --groups 80
  try mmq --dtype $dtype --m 300 --n 100 --k 512 --x q8_1 --groups 5 --used 3
done
try mmq --dtype q8_0 --m 130 --n 90 --k 96 --groups 9 --used 2 --routing same
try mmq --dtype q6_K --m 65 --n 1 --k 256 --groups 3 --used 1
all_right quant 168

# More workgroups than a simulated card runs to time them: those of one product.
expect 0 mmvq --arch gfx906 --device sim --quiet --dtype q4_0 --m 8192 --m2 64 --x q8_1 \
  --set rows=1,depth=1,lanes_k=4,waves_k=1,waves_r=1,ahead=0,turns=1,layout=panels,split_k=1

# What is said of the kernel is said of the product, not of what quantises X before it:
# 64 + 32 rows of 64 numbers, and a scale for each 32 of them.
expect 0 mmq --arch gfx906 --device sim --m 64 --n 32 --k 256 \
  --set tile_m=64,tile_n=32,tile_k=64,stages=1,split_k=1
says " $((96 * 64 + 96 * 2 * 4)) bytes of LDS"

expect 2 mmvq --arch gfx906 --device sim --dtype q4_K --k 4128
says "k is 4128, but a block of q4_K has 256 numbers of a row"
expect 2 mmvq --arch gfx906 --device sim --dtype q8_0 --m 1000000 --k 8192
says "bytes, but offsets have 32 bits"
expect 2 mmvq --arch gfx906 --device sim --dtype q5_0
says "q5_0"
expect 2 mmq --arch gfx906 --device sim --dtype q6_K --k 4128
says "k is 4128, but a block of q6_K has 256 numbers of a row"
expect 2 mmvq --arch gfx906 --device sim --n 9
expect 2 mmvq --arch gfx906 --device sim --m3 4
says "m3 is 4, but m2 is 0"
expect 2 mmvq --arch gfx906 --device sim --m2 4 --swiglu 1
says "leave m2 out"
expect 2 mmq --arch gfx906 --device sim --groups 4
says "used is 8, but there are 4 groups"
expect 2 mmq --arch gfx906 --device sim --dtype q4_K --k 4128 --groups 8
says "k is 4128, but a block of q4_K has 256 numbers of a row"
end
