# store.sh - stores that cannot be written, are full, damaged or shared.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

journal=$work/data/tune/gfx906/gemm.journal
table=$work/data/tune/gfx906/gemm.table

expect 1 $small --evals 2 --db /proc/tune
says "/proc/tune"
expect 1 $small --evals 2 --db /dev/null
says "/dev/null"

# A store that is full: files may not grow beyond 512 bytes. Code comes from
# the cache, which the first run fills.
expect 0 $small --evals 2 --db "$work/warm"
last="tune on a full store"
(trap '' XFSZ; ulimit -f 1; exec "$tune" $small --evals 2 --db "$work/full") \
  >"$out" 2>"$err"
[ $? -eq 1 ] || fail "status is not 1"
says "full/gfx906/gemm.journal"
expect 0 $small --evals 2 --db "$work/full"

# Two runs at once on one store.
"$tune" $small --evals 8 --seed 1 >"$work/one" 2>&1 &
one=$!
"$tune" $small --evals 8 --seed 2 >"$work/two" 2>&1 &
two=$!
wait $one || fail "the first of two failed: $(cat "$work/one")"
wait $two || fail "the second of two failed: $(cat "$work/two")"
[ "$(grep -c . "$journal")" -eq 16 ] || fail "the journal lost lines"
[ "$(grep -c . "$table")" -eq 1 ] || fail "the table has not one row"

# Damage: a line changed, the last one torn. The rest is used.
line=$(grep -n ' seed=1 ' "$journal" | head -1 | cut -d: -f1)
sed -i "${line}s/status=ok/status=no/" "$journal"
size=$(stat -c %s "$journal")
truncate -s $((size - 9)) "$journal"
expect 0 $small --evals 8 --seed 1
says "gemm.journal:$line:"
says "gemm.journal:16:"
says "of 8 from the journal"
says_not "8 of 8 from"
expect 0 $small --evals 8 --seed 1
says "8 of 8 from the journal"

# A damaged row of the table is not shown and does not stop anything.
echo "family=gemm rubbish" >>"$table"
expect 0 show gemm
says "gemm.table:2"
expect 0 $small --evals 8
expect 0 show gemm
end
