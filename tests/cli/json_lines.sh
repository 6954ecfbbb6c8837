# json_lines.sh - what --json prints comes line by line: each result at once,
# and whole, also when the run is killed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

long="$small --evals 60 --search random --json --quiet"
mkfifo "$work/pipe"

# Kill the run when so many lines are there: the last that came is whole.
for n in 1 4 9; do
  last="tune $long, killed after $n lines"
  "$tune" $long >"$work/pipe" 2>"$err" &
  pid=$!
  {
    for _ in $(seq $n); do
      read -r line && echo "$line"
    done
    kill -KILL $pid
    cat
  } <"$work/pipe" >"$out"
  wait $pid 2>/dev/null
  [ "$(grep -c '^{"type":"candidate",.*}$' "$out")" -ge $n ] ||
    fail "not $n lines"
  ! grep -vE '^\{.*\}$' "$out" >"$work/torn" || fail "torn: $(cat "$work/torn")"
  [ -z "$(tail -c 1 "$out")" ] || fail "torn at the end"
  [ "$(grep -c . "$out")" -lt 50 ] || fail "all lines came at once"
done
end
