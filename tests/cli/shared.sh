# shared.sh - processes on one problem share what is done and what is under way.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

journal=$work/data/tune/gfx906/gemm.journal
shared="$small --evals 6 --search random --json --quiet"

# begin N SEED - so many processes at once; their numbers are in $pids
begin()
{
  pids=
  for i in $(seq "$1"); do
    "$tune" $shared --seed "$2" >"$work/out.$i" 2>"$work/err.$i" &
    pids="$pids $!"
  done
}

# end_well - each has all the results, none of which was found twice
end_well()
{
  i=0
  for pid in $pids; do
    i=$((i + 1))
    wait "$pid" || fail "process $i: status $?: $(cat "$work/err.$i")"
  done
  for i in $(seq $i); do
    [ "$(grep -c '"type":"candidate".*"status":"ok"' "$work/out.$i")" -eq 6 ] ||
      fail "process $i has not 6 results"
  done
}

# lines SEED - how many results there are, and of how many configurations, but for finals
lines()
{
  grep -v ' final=1 ' "$journal" >"$work/trials"
  grep -c " seed=$1 " "$work/trials"
  grep " seed=$1 " "$work/trials" | sed 's/.* config=\([^ ]*\) .*/\1/' |
    sort -u | grep -c .
}

last="eight processes"
begin 8 1
end_well
[ "$(lines 1 | tr '\n' ' ')" = "6 6 " ] ||
  fail "lines, configurations: $(lines 1)"
for i in $(seq 8); do # in the order of the search, the same in each
  grep '"candidate"' "$work/out.$i" | cmp - "$work/out.1" 2>&1 |
    grep -q EOF.*- || fail "process $i differs from the first"
done

# One dies with what it has under way: the others do that, too.
last="three processes, one killed"
begin 3 2
first=${pids# }
first=${first%% *}
for _ in $(seq 600); do
  [ "$(lines 2 | head -1)" -eq 0 ] || break
  sleep 0.05
done
kill -KILL "$first"
pids=${pids# "$first"}
mv "$work/out.3" "$work/out.1"
end_well
[ "$(lines 2 | tr '\n' ' ')" = "6 6 " ] ||
  fail "lines, configurations: $(lines 2)"
end
