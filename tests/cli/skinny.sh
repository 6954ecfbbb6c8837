# skinny.sh [TYPE [CONFIGURATIONS]] - random configurations of skinny over layouts,
# short sides, lengths, leading dimensions, factors and batches are all right on
# the simulated device: every element against a BLAS in double precision or, of
# integers, exactly. Without arguments over 100 of f32 and some of the other types.
# SPDX-License-Identifier: MIT
type=${2:-} each=${3:-300}
. "$(dirname "$0")/lib.sh"

# try TYPE EVALS LAYOUT SIZE - so many configurations.
try() {
  # shellcheck disable=SC2086  # $4 is a list of words
  candidates skinny --arch gfx906 --device sim --search random --evals "$2" \
    --seed 7 --timeout 300 --dtype "$1" --layout "$3" $4
}

# sizes TYPE - of C and k, and factors: integers have whole ones.
sizes() {
  half=0.5 other=f32
  [ "$1" != i8 ] || half=5 other=i32
  printf '%s\n' "--m 1 --n 1 --k 1" "--m 3 --n 65 --k 17" \
    "--m 255 --n 7 --k 63 --beta -$half" "--m 16 --n 257 --k 255 --alpha $half" \
    "--m 1 --n 300 --k 4096" "--m 65 --n 4 --k 1024 --beta 2 --type_c $other" \
    "--m 200 --n 12 --k 144 --lda 208 --ldb 208 --ldc 140 --alpha 3" \
    "--m 16 --n 256 --k 2048" \
    "--m 65 --n 8 --k 64 --batch 3 --stride_a 4800 --stride_b 0" \
    "--m 2 --n 33 --k 63 --batch 2 --stride_a 0 --stride_b 3001 --stride_c 99"
}

# all TYPE COUNT - at least so many, over layouts and sizes.
all() {
  sizes "$1" >"$work/sizes"
  for layout in nn nt tn tt; do
    while read -r size; do
      try "$1" $((($2 + 36) / 37)) $layout "$size"
    done <"$work/sizes"
  done
  all_right "$1" "$2"
}

if [ "$type" ]; then
  all "$type" "$each"
  end
fi
all f32 100
for type in f16 bf16 i8; do
  all $type 37
done

# One configuration of 12 waves a block, whose lanes of unlike rows take two steps, or
# four, in unlike order: 700 rows are no whole blocks of 72 or 96.
some=short=m,columns=8,x_in=lds,waves_k=1,per_cu=0,split_k=1,ahead=1,waves_r=12,waves=1
for type in f32 f16 bf16 i8; do
  for rest in lanes_k=32,rows=3,depth=4,width=4,panel=2 \
    lanes_k=16,rows=2,depth=4,width=4,panel=4; do
    candidates skinny --arch gfx906 --device sim --dtype $type --layout nt --m 7 \
      --n 700 --k 2048 --set $some,$rest
  done
done
all_right "12 waves" 8

# Over 16 rows or columns, which lanes share.
for type in f32 f16 bf16 i8; do
  try $type 3 nt "--m 24 --n 150 --k 256"
  try $type 3 nn "--m 150 --n 29 --k 136 --beta 2"
  try $type 2 tt "--m 32 --n 90 --k 63"
done
all_right "over 16" 32

try f32 4 nt "--m 2 --n 17 --k 131072"

# Where alpha is 0, C is beta C though A and B are full of infinities.
for type in f32 f16 bf16 i8; do
  try $type 2 nn "--m 3 --n 65 --k 17 --alpha 0 --beta 2"
done
all_right "long or empty" 12

# What is no thin product, and what there is no C of, say what can be done.
expect 2 skinny --arch gfx906 --device sim --m 64 --n 64 --evals 1 --quiet
says "family gemm is for larger ones"
expect 2 skinny --arch gfx906 --device sim --dtype f16 --type_c i32 --quiet
says "type_c can be f16, f32"
expect 2 skinny --arch gfx906 --device sim --dtype i8 --alpha 0.5 --quiet
says "sums of i8 are integers"

# reads LINES K TUNABLES - HBM reads at least so many lines of 64 bytes, those of the
# long operand, but for 3 %.
reads() {
  expect 0 explain skinny --arch gfx906 --device sim --dtype i8 --m 1 --n 4096 \
    --k "$2" --set "short=m,columns=1,waves_k=$3"
  awk -v least="$1" '$1 == "TCC_EA_RDREQ" { read = $2 }
    END { exit !(read > 0.97 * least) }' "$out" || fail "$last: HBM reads too little"
}

# Of the first two waves share each line, and the L1 and the L2 were both said to have
# it: 48.0 us, 1223 GB/s of 1024. The second loads ahead in vain at its end, by which all
# its loads were judged: 18.1 us, 929 GB/s.
reads 917504 14336 4,waves_r=1,rows=1,depth=16,width=16,lanes_k=2,x_in=lds,panel=0,\
ahead=0,waves=1,per_cu=4,split_k=7
reads 262144 4096 1,waves_r=2,rows=2,depth=32,width=4,lanes_k=32,x_in=lds,panel=0,\
ahead=3,waves=2,per_cu=1,split_k=1
end
