# tune.sh - the main job on a small problem: tune, repeat, show, emit, explain.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

expect 0 $small --evals 12 --json --quiet
[ "$(grep -c '"type":"candidate"' "$out")" -eq 12 ] || fail "not 12 candidates"
[ "$(tail -1 "$out" | cut -c1-16)" = '{"type":"winner"' ] || fail "no winner last"
for field in family arch device source problem config status time_us error_80 \
  gflops evaluated; do
  ! grep -vqF "\"$field\":" "$out" || fail "a line has no $field"
done
says '"source":"modelled"'
says '"problem":{"m":64,'
says_not "to go"
cp "$out" "$work/first"

# The same again is in the journal; another store gives the same candidates.
expect 0 $small --evals 12
says "12 of 12 from the journal"
says " %, modelled" # how sure that is
says "  runner-up "
says "asked for by --device sim"
fits
expect 0 $small --evals 12 --json --quiet --db "$work/other" --jobs 4
sed 's/"date":"[^"]*"//' "$out" >"$work/second"
sed 's/"date":"[^"]*"//' "$work/first" | cmp -s - "$work/second" ||
  fail "the same seed gave other results"

expect 0 show gemm --arch gfx906 --m 64
says "m=64,n=64,k=32"
says "modelled"
fits
expect 1 show gemm --m 65
expect 0 show gemm --m 6.4e1
says "made with"
expect 0 show gemm --json
says '"type":"stored"'
says '"launches":[{"kernel":"gemm"'
# The peak of 60 CUs of 64 lanes at 1725 MHz, 2 operations a clock.
share=$(sed 's/.*"share":\([0-9.e-]*\).*/\1/' "$out")
rate=$(sed 's/.*"gflops":\([0-9.e-]*\).*/\1/' "$out")
awk -v s="$share" -v r="$rate" \
  'BEGIN { p = 60 * 64 * 2 * 1.725 * s; exit !(p > 0.999 * r && p < 1.001 * r) }' ||
  fail "$last: $share is not the share of $rate"

# Without a problem a line for each; with --best its fastest.
for family in gemm ""; do
  expect 0 show $family
  says "gemm on gfx906, modelled on simulated MI50"
  [ "$(grep -c '%  m=64,n=64,k=32$' "$out")" -eq 1 ] || fail "$last: no line"
  [ "$(grep -c . "$out")" -eq 3 ] || fail "$last: not three lines"
  fits
done
expect 0 show gemm --arch gfx906 --m 64 --n 64 --k 32 --best 3
fits
[ "$(grep -cE '^  [1-9] ' "$out")" -eq 3 ] || fail "$last: not three"
expect 0 show gemm --arch gfx906 --m 64 --n 64 --k 32 --best 100 --json
[ "$(grep -c '"type":"best"' "$out")" -eq 12 ] || fail "$last: not all 12"
sed 's/.*"time_us":\([0-9.]*\).*/\1/' "$out" | sort -c -g ||
  fail "$last: not the fastest first"
grep '"type":"candidate"' "$work/first" | sed 's/.*"time_us":\([0-9.]*\).*/\1/' |
  sort -g | head -1 >"$work/least"
sed -n '1s/.*"time_us":\([0-9.]*\).*/\1/p' "$out" | cmp -s - "$work/least" ||
  fail "$last: the first is not the fastest of the candidates"

# A narrow terminal gets narrow lines: results and messages.
if command -v script >/dev/null; then
  script -qec "stty cols 50; '$tune' show gemm --m 64; '$tune' gemm --arch x" \
    /dev/null >"$out" 2>"$err"
  tr -d '\r' <"$out" | grep -qE '.{51}' && fail "a line is wider than 50"
  says "known:"
fi
expect 0 emit gemm --arch gfx906 --m 64 --n 64 --k 32
says "__global__"
expect 0 explain gemm --arch gfx906 --m 64 --n 64 --k 32 --device sim
says "VGPRs"
says "conflict cycles"
says "bound by"
fits

# One configuration by hand.
expect 0 $small --set tile_m=32,tile_n=32 --db "$work/third"
says "1 ok"

# It is what is shown, also where another is faster.
: >"$work/shown"
for ahead in 0 1 0; do
  expect 0 $small --set read_ahead=$ahead --db "$work/third"
  says ",read_ahead=$ahead,"
  fits
  grep '^  fastest ' "$out" >>"$work/shown"
done
[ -s "$work/shown" ] || fail "the faster one is not named"

# Thin products have a family of their own.
thin="gemm --arch gfx906 --device sim --m 16 --evals 1"
expect 0 $thin --n 64 --k 32
says "see also   family skinny"
expect 0 $thin --n 64 --k 32 --json --quiet
says '"see_also":"family skinny'
for other in "--n 64 --k 32 --dtype i4" "--n 64 --k 0"; do
  expect 0 $thin $other
  says_not "see also"
done

# Every search, tails.
for search in bayes random exhaustive; do
  expect 0 gemm --arch gfx906 --device sim --m 33 --n 17 --k 5 --layout tt \
    --evals 3 --search $search --db "$work/$search" --beta 0.5
  says "3 ok"
done

# A budget is kept, and what was done by then too.
budget gemm --arch gfx906 --device sim --evals 100000 --m 512 --n 512 --k 512
says "the time was up"
end
