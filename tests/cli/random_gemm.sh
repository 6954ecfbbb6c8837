# random_gemm.sh [TYPE [CONFIGURATIONS]] - random configurations of gemm over
# layouts and sizes (tails, tiny, k below the tile, leading dimensions) are all
# right on the simulated device: every element against a BLAS in double precision
# or, of integers, exactly. Without arguments over 300 of f32 and a few of the
# other types.
# SPDX-License-Identifier: MIT
type=${2:-} each=${3:-320}
. "$(dirname "$0")/lib.sh"

# try TYPE EVALS LAYOUT SIZE - so many configurations.
try() {
  # shellcheck disable=SC2086  # $4 is a list of words
  candidates gemm --arch gfx906 --device sim --search random --evals "$2" \
    --seed 7 --dtype "$1" --layout "$3" $4
}

# sizes TYPE - of C and k, and factors: i4 has rows of whole bytes.
sizes() {
  case $1 in
  i4) printf '%s\n' "--m 2 --n 2 --k 2" "--m 66 --n 34 --k 18" \
    "--m 126 --n 254 --k 62" "--m 96 --n 64 --k 6 --beta -5" \
    "--m 200 --n 136 --k 144 --lda 224 --ldb 208 --ldc 140 --alpha 3" \
    "--m 34 --n 66 --k 64 --batch 3 --stride_a 5000 --stride_b 6000" ;;
  i8) printf '%s\n' "--m 1 --n 1 --k 1" "--m 65 --n 33 --k 17" \
    "--m 127 --n 255 --k 63" "--m 96 --n 64 --k 5 --beta -5" \
    "--m 200 --n 136 --k 144 --lda 208 --ldb 204 --ldc 140 --alpha 3" \
    "--m 33 --n 65 --k 64 --batch 3 --stride_a 5000 --stride_b 0" ;;
  *) printf '%s\n' "--m 1 --n 1 --k 1" "--m 65 --n 33 --k 17" \
    "--m 127 --n 255 --k 63" "--m 96 --n 64 --k 5 --beta -0.5" \
    "--m 200 --n 136 --k 72 --lda 208 --ldb 204 --ldc 140 --alpha 1.5" \
    "--m 33 --n 65 --k 64 --batch 3 --stride_a 0 --stride_b 6001 --stride_c 4004" ;;
  esac
}

# all TYPE COUNT - at least so many, over layouts and sizes.
all() {
  sizes "$1" >"$work/sizes"
  for layout in nn nt tn tt; do
    while read -r size; do
      try "$1" $((($2 + 17) / 18)) $layout "$size"
    done <"$work/sizes"
  done
  all_right "$1" "$2"
}

# few TYPE - one of each size, the layouts in turn.
few() {
  sizes "$1" >"$work/sizes"
  set -- "$1" nn nt tn tt nn tt
  while read -r size; do
    try "$1" 1 "$2" "$size"
    set -- "$1" "$3" "$4" "$5" "$6" "$7" "$2"
  done <"$work/sizes"
  all_right "$1" 6
}

if [ "$type" ]; then
  all "$type" "$each"
else
  all f32 300
  for type in f16 bf16 i8 i4; do
    few $type
  done
fi
end
