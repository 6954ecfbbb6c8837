# sweep_killed.sh - sweeps that are killed, or two at once: nothing is missing, and
# nothing measured twice.
#
# KILLS sweeps are killed with SIGKILL, 6 by default.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

store=$work/store
cat >"$work/a.lua" <<'END'
return {
  arch = "gfx906",
  device = "sim",
  evals = 3,
  problems = {
    gemm { m = { 16, 32, 64 }, n = { 16, 64 }, k = 32 },
  },
}
END
sed 's/evals = 3/evals = 7/' "$work/a.lua" >"$work/b.lua"

# once - no candidate was measured twice under the same conditions, but for finals
once()
{
  again=$(grep -v ' final=1 ' "$store/gfx906/gemm.journal" |
    grep -o ' config=[^ ]*\| problem=[^ ]*' |
    paste -d' ' - - | sort | uniq -d)
  [ -z "$again" ] || fail "$last: measured twice: $again"
}

# nights - how many there are of the sweep $1
nights()
{
  find "$store/nights/$1" -name '*.night' | wc -l
}

for i in $(seq "${KILLS:-6}"); do
  setsid "$tune" sweep "$work/a.lua" --db "$store" >"$out" 2>"$err" &
  pid=$!
  sleep "$((i * 7 % 3)).$(printf %03d $((i * 619 % 1000)))"
  kill -s KILL "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  last="kill $i"
  for _ in $(seq 50); do # its workers go with it
    pgrep -g "$pid" >/dev/null || break
    sleep 0.1
  done
  ! pgrep -g "$pid" >/dev/null || fail "a process outlives the sweep"
done
expect 0 sweep "$work/a.lua" --db "$store"
says "6 of 6"
once
# the night that was cut went on until it was whole
for night in "$store"/nights/a/*.night; do
  grep -q kind=end "$night" || fail "a night was left without its end: $night"
  [ "$(grep -o ' problem=[^ ]*' "$night" | sort | uniq -d)" = "" ] ||
    fail "a problem is in a night twice: $night"
done
grep -h ' why=new ' "$store"/nights/a/*.night | grep -o ' problem=[^ ]*' |
  sort | uniq -c >"$work/new"
[ "$(wc -l <"$work/new")" -eq 6 ] && ! grep -qv '^ *1 ' "$work/new" ||
  fail "not each problem was tuned once"
echo "$(nights a) nights of 1 + ${KILLS:-6} runs"

# killed when the night had the winners and the table did not: the next run puts them
# there, as they were
sed 's/evals = 3/evals = 4/' "$work/a.lua" >"$work/table.lua"
expect 0 sweep "$work/table.lua" --db "$store"
cp "$store/gfx906/gemm.table" "$work/before"
rm "$store/gfx906/gemm.table"
night=$(find "$store/nights/table" -name '*.night')
grep -v kind=end "$night" >"$work/cut"
mv "$work/cut" "$night"
expect 0 sweep "$work/table.lua" --db "$store"
says "6 of 6"
cmp "$work/before" "$store/gfx906/gemm.table" || fail "a winner is lost or another"
[ "$(grep -c kind=problem "$night")" -eq 6 ] || fail "a problem is in a night twice"

# one of its processes is killed: its problem is begun again
sed 's/evals = 3/evals = 5/' "$work/a.lua" >"$work/lane.lua"
"$tune" sweep "$work/lane.lua" --db "$store" >"$out" 2>"$err" &
pid=$!
for _ in $(seq 200); do
  lane=$(pgrep -P "$pid" | head -1)
  [ -n "$lane" ] && [ -e "$store/nights/lane/progress" ] && break
  sleep 0.05
done
kill -s KILL "$lane" 2>/dev/null
wait $pid || fail "a lane was killed: $(cat "$err")"
last="a lane that is killed"
says "6 of 6: 6 with a winner"
once

# the same sweep a second time: it says so. Another with the same problems: they
# share the work
"$tune" sweep "$work/b.lua" --db "$store" >"$work/out1" 2>"$work/err1" &
first=$!
for _ in $(seq 100); do
  [ -n "$(find "$store/nights/b" -name '*.night' 2>/dev/null)" ] && break
  sleep 0.05
done
expect 1 sweep "$work/b.lua" --db "$store"
says "is running the sweep b"
cp "$work/b.lua" "$work/c.lua"
expect 0 sweep "$work/c.lua" --db "$store"
wait $first || fail "the first of two: $(cat "$work/err1")"
once
end
