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
sed -n '100,284p' "$shipped/gemm.table" >"$theirs"
expect 0 db merge "$ours" "$theirs" --out "$work/a.table"
says "284 rows, 284 new, 0 replaced"
expect 0 db merge "$theirs" "$ours" --out "$work/b.table"
cmp "$work/a.table" "$work/b.table" || fail "the order makes a difference"
cmp "$work/a.table" "$shipped/gemm.table" || fail "rows are not as they were"
# What a review sees: lines that are new, and the last, which counts them.
[ "$(diff "$ours" "$work/a.table" | grep -c '^[<>]')" -eq 85 ] ||
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

end
