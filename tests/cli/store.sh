# store.sh - stores that cannot be written, are full, damaged or shared.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

journal=$work/data/tune/gfx906/gemm.journal
table=$work/data/tune/gfx906/gemm.table

expect 1 $small --evals 2 --db /proc/tune
says "/proc/tune: cannot make this folder"
says "name one that you may write to"
expect 1 $small --evals 2 --db /dev/null
says "/dev/null: not a folder; --db, or TUNE_DB, names the folder of results"
expect 2 $small --evals 2 --db ""
says "--db: needs a value"

# A pipe or a device where a file must be: no waiting, no reading for ever.
mkdir -p "$work/odd/gfx906" "$work/odd2/gfx906"
mkfifo "$work/odd/gfx906/gemm.journal" "$work/odd2/gfx906/gemm.table"
expect 1 $small --evals 2 --db "$work/odd"
says "gemm.journal: is a pipe or device"
expect 1 $small --evals 2 --db "$work/odd2"
says "gemm.table: is a pipe or device"
# A winner that cannot be stored is shown all the same.
mkdir -p "$work/odd3/gfx906/gemm.lock"
expect 1 $small --evals 2 --db "$work/odd3"
says "gemm.lock"
says "GFLOP/s"
ln -sf /dev/full "$work/odd/gfx906/gemm.journal"
expect 1 $small --evals 2 --db "$work/odd"
says "gemm.journal: is a pipe or device"

# Nowhere to put results, and nowhere to write them to.
last="tune without a home"
(unset HOME XDG_DATA_HOME; exec "$tune" $small --evals 2) >"$out" 2>"$err"
[ $? -eq 1 ] || fail "status is not 1"
says "--db"
# A relative XDG path counts as none, by the standard: HOME's default is used.
(cd "$work" && XDG_DATA_HOME=data2 XDG_CACHE_HOME=cache2 \
  "$tune" $small --evals 1 --quiet) >"$out" 2>"$err"
[ -e "$work/.local/share/tune/gfx906/gemm.journal" ] &&
  [ -d "$work/.cache/tune" ] && [ ! -e "$work/data2" ] &&
  [ ! -e "$work/cache2" ] || fail "a relative XDG path was used"
for stream in '>/dev/full' '>&-' '<&- >&- 2>&-'; do
  last="tune $stream"
  eval "\"\$tune\" \$small --evals 2 --quiet --db \"\$work/gone\" $stream" \
    2>"$err"
  [ $? -eq 1 ] || fail "status is not 1"
  trials=$(grep -v ' final=1 ' "$work/gone/gfx906/gemm.journal")
  [ "$(echo "$trials" | grep -c ' status=ok ')" -eq 2 ] ||
    fail "results are lost"
done
last="tune emit >/dev/full"
"$tune" emit ${small%% --device*} --m 64 --n 64 --k 32 --db "$work/gone" \
  >/dev/full 2>"$err"
[ $? -eq 1 ] || fail "status is not 1"
says "writing the results"

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
[ "$(grep -vc ' final=1 ' "$journal")" -eq 16 ] || fail "the journal lost lines"
[ "$(grep -c ' problem=' "$table")" -eq 1 ] || fail "the table has not one row"

# Damage: a line changed, the last one torn. The rest is used. The slowest has no
# finalist's line, which would do for a trial's.
line=$(grep -n ' seed=1 ' "$journal" |
  sed 's/^\([0-9]*\):.* time_us=\([0-9.]*\).*/\2 \1/' | sort -n | tail -1 |
  cut -d' ' -f2)
last_line=$(grep -c . "$journal")
sed -i "${line}s/status=ok/status=no/" "$journal"
size=$(stat -c %s "$journal")
truncate -s $((size - 9)) "$journal"
expect 0 $small --evals 8 --seed 1
says "gemm.journal:$line:"
says "gemm.journal:$last_line:"
says "of 8 from the journal"
says_not "8 of 8 from"
expect 0 $small --evals 8 --seed 1
says "8 of 8 from the journal"

# A damaged row of the table is not shown and does not stop anything.
echo "family=gemm rubbish" >>"$table"
expect 0 show gemm
says "gemm.table:3"
expect 0 $small --evals 8
expect 0 show gemm
says_not notice

# Neither is a cut between two lines kept quiet, of table or journal.
sed -i '$d' "$table"
expect 0 show gemm
says "gemm.table: its last line, which counts the rows, is not there"
sed -i '$d' "$journal"
expect 0 $small --evals 8 --seed 1
says "gemm.journal: ends at byte"
expect 0 $small --evals 8 --seed 1
says_not "ends at byte"
end
