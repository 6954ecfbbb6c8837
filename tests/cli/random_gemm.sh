# random_gemm.sh - over 300 random configurations of gemm over layouts and sizes
# (tails, tiny, k below the tile, leading dimensions) are all right on the
# simulated device: every element against a BLAS in double precision.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

candidates=0 good=0
for layout in nn nt tn tt; do
  for size in "--m 1 --n 1 --k 1" "--m 65 --n 33 --k 17" \
    "--m 127 --n 255 --k 63" "--m 96 --n 64 --k 5 --beta -0.5" \
    "--m 200 --n 136 --k 72 --lda 208 --ldb 204 --ldc 140 --alpha 1.5"; do
    # shellcheck disable=SC2086  # $size is a list of words
    expect 0 gemm --arch gfx906 --device sim --search random --evals 18 \
      --seed 7 --json --quiet --layout $layout $size
    candidates=$((candidates + $(grep -c '"type":"candidate"' "$out")))
    good=$((good + $(grep -c '"type":"candidate".*"status":"ok"' "$out")))
    grep '"type":"candidate"' "$out" | grep -v '"status":"ok"'
  done
done
echo "$good of $candidates random configurations are right"
[ "$candidates" -ge 300 ] || fail "only $candidates candidates"
[ "$good" -eq "$candidates" ] || fail "$((candidates - good)) are not right"
end
