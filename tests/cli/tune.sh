# tune.sh - the main job on a small problem: tune, repeat, show, emit, explain.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

expect 0 $small --evals 12 --json --quiet
[ "$(grep -c '"type":"candidate"' "$out")" -eq 12 ] || fail "not 12 candidates"
[ "$(tail -1 "$out" | cut -c1-16)" = '{"type":"winner"' ] || fail "no winner last"
for field in family arch device source problem config status time_us gflops \
  evaluated; do
  ! grep -vqF "\"$field\":" "$out" || fail "a line has no $field"
done
says '"source":"modelled"'
says '"problem":{"m":64,'
says_not "to go"
cp "$out" "$work/first"

# The same again is in the journal; another store gives the same candidates.
expect 0 $small --evals 12
says "12 of 12 from the journal"
says "modelled"
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
expect 0 show gemm --json
says '"type":"stored"'
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

# Every search, tails.
for search in forest random exhaustive; do
  expect 0 gemm --arch gfx906 --device sim --m 33 --n 17 --k 5 --layout tt \
    --evals 3 --search $search --db "$work/$search" --beta 0.5
  says "3 ok"
done

# A budget is kept, and what was done by then too.
budget gemm --arch gfx906 --device sim --evals 100000 --m 512 --n 512 --k 512
says "the time was up"
end
