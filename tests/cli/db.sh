# db.sh - `tune db`: stores and tables as files.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

shipped=$(dirname "$0")/../../db/gfx906

expect 2 db
says "what is to be done"
expect 2 db mrge
says "did you mean 'merge'?"

# --- merge: two users' tables, in any order ----------------------------------
ours=$work/ours.table theirs=$work/theirs.table
sed -n '1,200p' "$shipped/gemm.table" >"$ours"
rows=$(grep -c '^arch=' "$shipped/gemm.table")
sed -n "100,${rows}p" "$shipped/gemm.table" >"$theirs"
expect 0 db merge "$ours" "$theirs" --out "$work/a.table"
says "$rows rows, $rows new, 0 replaced"
expect 0 db merge "$theirs" "$ours" --out "$work/b.table"
cmp "$work/a.table" "$work/b.table" || fail "the order makes a difference"
cmp "$work/a.table" "$shipped/gemm.table" || fail "rows are not as they were"
# What a review sees: lines that are new, and the last, which counts them.
[ "$(diff "$ours" "$work/a.table" | grep -c '^[<>]')" -eq $((rows - 200 + 1)) ] ||
  fail "the merge changed more than it added"
expect 0 db merge "$ours" --out "$work/a.table"
says "0 new, 0 replaced"
expect 0 db merge "$ours" --db "$work/store" --json
says '"added":200'
expect 2 db merge
says "what is to be merged"
expect 1 db merge "$work/nowhere" --db "$work/store"
says "nowhere: No such file"
expect 2 db merge "$ours" --db "$work/store" --out "$work/a.table"
says "give one"

# --- merge: the shards of a night are one to a report ------------------------
nights=$1/tests/nights/make_nights
"$nights" "$work/n" mi50 2 20 3 measured || fail "no nights"
for shard in 1 2; do
  mkdir -p "$work/s$shard/nights/mi50"
  for night in "$work"/n/nights/mi50/*.night; do
    stamp=$(basename "$night" .night)
    cp "$night" "$work/s$shard/nights/mi50/$stamp-$shard-of-2.night"
  done
done
expect 0 db merge "$work/s2" "$work/s1" --db "$work/joined"
expect 0 report mi50 --db "$work/joined"
says_not "shards"
rm "$work"/joined/nights/mi50/*-2-of-2.night
expect 0 report mi50 --db "$work/joined"
says "of its 2 shards"

# --- check: what is wrong, why, and what to do -------------------------------
expect 0 db check "$shipped"
tables=$(find "$shipped" -name '*.table' | wc -l)
rows=$(cat "$shipped"/*.table | grep -c ' problem=')
says "$tables tables with $rows rows"
mkdir -p "$work/bad/gfx906"
bad=$work/bad/gfx906/gemm.table
sed 's/tile_m=128/tile_m=129/' "$shipped/gemm.table" >"$bad"
expect 1 db check "$work/bad" --json
says '"what":"damaged"'
says "gemm.table:"
says "checksum does not match"
says "restore the file from a copy"
cat "$shipped/dot.table" "$shipped/dot.table" >"$work/twice.table"
expect 1 db check "$work/twice.table" --json
says '"what":"duplicate"'
says "\`tune db prune\` keeps the newer"
expect 0 db prune "$work/twice.table"
says "1 superseded"
expect 0 db check "$work/twice.table"
cp "$shipped/dot.table" "$work/bad/gfx906/lane.table"
expect 1 db check "$work/bad" --json
says '"what":"misplaced"'
expect 1 db check "$work/nowhere"
: >"$work/empty.table"
expect 1 db check "$work/empty.table"
head -c 3000 "$shipped/gemm.table" >"$work/cut.table"
expect 1 db check "$work/cut.table"
says "cut.table"

# --- prune, export and import of a run's journal -----------------------------
expect 0 $small \
  --evals 6 --db "$work/run" --quiet
journal=$work/run/gfx906/gemm.journal
expect 0 db check "$work/run"
finals=$(grep -c ' final=1 ' "$journal") # each instead of an earlier one
cp "$journal" "$work/j"
cat "$work/j" >>"$journal" # joined by hand
rm -f "$journal.mark" "$work/run/gfx906/gemm.index"
expect 1 db check "$work/run" --json
says "$((6 + finals)) records stand in it twice"
expect 0 db prune "$work/run" --dry-run
says "6 would stay, $((6 + 2 * finals)) would go"
expect 0 db prune --db "$work/run"
says "6 stay, $((6 + 2 * finals)) went"
expect 0 db check "$work/run"
for format in csv t4 kernel-tuner; do
  expect 0 db export "$work/run" --format $format --out "$work/$format.out"
  expect 0 db import "$work/$format.out" --db "$work/$format"
  says "6 results, 6 of them new"
  expect 0 db import "$work/$format.out" --db "$work/$format"
  says "0 of them new"
  grep -c ' source=imported ' "$work/$format/gfx906/gemm.journal" |
    grep -qx 6 || fail "$format: not marked as imported"
done
expect 0 replay "$work/t4.out" --seeds 2 # another reader takes it
expect 0 db export "$work/run" --format tunableop
says "GemmTunableOp_float_NN,nn_64_64_32_ld_64_32_64,wavetune:"
expect 2 db export "$shipped" --format t4
says "name a folder"
expect 0 db export "$shipped" --format t4 --out "$work/each/"
[ "$(find "$work/each" -name '*.json' | wc -l)" -eq "$rows" ] ||
  fail "not a file each"
expect 2 db export "$work/run" --format t5
says "did you mean 't4'?"
# What was imported is measured nowhere here: the run finds nothing known.
expect 0 $small \
  --evals 2 --db "$work/csv" --quiet
says "0 of 2 from the journal"

# --- fit: few kernels for the shipped problems -------------------------------
expect 0 db fit gemm "$shipped" --arch gfx906 --kernels 8
says "8 of"
says "modelled: "
expect 0 db fit gemm "$shipped" --arch gfx906 --kernels 3 --json
[ "$(grep -c '"type":"kernel"' "$out")" -eq 3 ] || fail "not 3 kernels"
expect 2 db fit gemm "$shipped"
says "which architecture?"
expect 1 db fit mine "$shipped" --arch gfx906
says "there is no result of mine"

end
