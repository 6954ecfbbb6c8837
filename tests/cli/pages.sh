# pages.sh - help, lists and explanations that need no device.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

expect 0 --version
says "tune "
expect 0 help
says "--evals N"
fits
expect 0 --help
says "--evals N"
for verb in list show emit explain replay calibrate study report; do
  expect 0 help $verb
  says "tune $verb"
  fits
  cp "$out" "$work/page"
  expect 0 $verb --help
  cmp -s "$out" "$work/page" || fail "$verb --help is not its page"
done
expect 0 help show
for option in device evals set svg; do
  says_not "--$option"
done
expect 0 help gemm
says "tile_m"
says "--layout"
fits
expect 0 help lds # whose write_width is as wide as its column
says "  write_width
"
fits
expect 0 list families
says "gemm"
fits
expect 0 list archs
says "gfx906"
fits
# Every number ends under the end of its column's heading.
awk 'NR == 1 { head = $0; next }
     { for (i = length($0); i > 16; i--)
         bad += substr($0, i, 1) != " " && substr($0, i + 1, 1) ~ /^ ?$/ &&
                substr(head, i + 1, 1) ~ /[^ ]/ }
     END { exit bad }' "$out" || fail "$last: the columns slip"
expect 0 list searches
says "local"
expect 0 explain gemm --arch gfx906
says "are legal"
says "too much LDS"
fits

expect 0 emit gemm --arch gfx906 --m 64 --n 64 --k 32 --set tile_m=32
says "__global__"
cp "$out" "$work/first"
expect 0 emit gemm --arch gfx906 --m 64 --n 64 --k 32 --set tile_m=32
cmp -s "$out" "$work/first" || fail "emit is not repeatable"
expect 0 emit gemm --arch gfx906 --m=64 --n=64 --k=32 --set=tile_m=32
cmp -s "$out" "$work/first" || fail "--name=value is not --name value"
end
