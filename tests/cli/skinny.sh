# skinny.sh - family skinny: random configurations over layouts, short sides,
# lengths, leading dimensions and factors are right on the simulated device, every
# element against a BLAS in double precision; with EVALS (16) of each problem.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

candidates=0 good=0
try()
{
  expect 0 skinny --arch gfx906 --device sim --search random \
    --evals "${EVALS:-4}" --seed 7 --json --quiet --timeout 300 "$@"
  candidates=$((candidates + $(grep -c '"type":"candidate"' "$out")))
  good=$((good + $(grep -c '"type":"candidate".*"status":"ok"' "$out")))
  grep '"type":"candidate"' "$out" | grep -v '"status":"ok"'
}

for layout in nn nt tn tt; do
  try --layout $layout --m 1 --n 1 --k 1
  try --layout $layout --m 3 --n 65 --k 17
  try --layout $layout --m 255 --n 7 --k 63 --beta -0.5
  try --layout $layout --m 16 --n 257 --k 255 --alpha 0.5
  try --layout $layout --m 1 --n 300 --k 4096
  try --layout $layout --m 200 --n 12 --k 72 --lda 208 --ldb 204 --ldc 140 \
    --alpha 1.5
  try --layout $layout --m 65 --n 4 --k 1024 --beta 2
done
try --m 2 --n 17 --k 131072
echo "$good of $candidates random configurations are right"
[ "$candidates" -ge 100 ] || fail "only $candidates candidates"
[ "$good" -eq "$candidates" ] || fail "$((candidates - good)) are not right"

# A product that is not thin says where to go.
expect 2 skinny --arch gfx906 --device sim --m 64 --n 64 --evals 1 --quiet
says "family gemm is for larger ones"
end
