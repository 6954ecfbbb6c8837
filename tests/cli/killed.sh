# killed.sh - SIGKILL at random points of runs: every reported result is stored.
#
# KILLS runs are killed, 8 by default; `./check store` kills 200. What --json
# reported, whole lines, is compared with the journal.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

command -v setsid >/dev/null || exit 0
db=$work/db
journal=$db/gfx906/gemm.journal
run="$small --evals 12 --search random --db $db"

# missing FILE - reported results that the journal has not: configuration and
# time of each line of the file that ends in a newline
missing()
{
  awk -F'"config":{' '/"type":"candidate".*}$/ {
    config = $2; sub(/}.*/, "", config); gsub(/"/, "", config)
    gsub(/:/, "=", config)
    time = $0; sub(/.*"time_us":/, "", time); sub(/[,}].*/, "", time)
    print config, time
  }' "$1" | while read -r config time; do
    grep -q "config=$config .* time_us=$time " "$journal" ||
      echo "$config $time"
  done
}

# reports - candidates that the run has reported until now
reports()
{
  grep -c '"candidate"' "$out"
}

last="runs that are killed"
expect 0 $run # compiles, so that later ones mostly measure
reported=0 cut=0
for i in $(seq "${KILLS:-8}"); do
  [ $((i % 5)) -eq 0 ] || rm -rf "$db" # else it goes on after the last one
  setsid "$tune" $run --json --quiet >"$out" 2>"$err" &
  pid=$!
  # at any point: after none to eight results, and up to 0.1 s
  tries=0
  while [ "$(reports)" -lt $((i * 5 % 9)) ] && [ "$tries" -lt 6000 ]; do
    tries=$((tries + 1))
    sleep 0.01
  done
  sleep "0.0$(printf %02d $((i * 61 % 100)))"
  kill -s KILL -- "-$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  grep -q '"winner"' "$out" || cut=$((cut + 1))
  [ -e "$journal" ] || continue
  # a line without its newline was not reported; its result may be there
  [ -z "$(tail -c 1 "$out")" ] || sed -i '$d' "$out"
  reported=$((reported + $(reports)))
  lost=$(missing "$out")
  [ -z "$lost" ] || fail "kill $i: reported and not stored: $lost"
  "$tune" $run >"$work/again" 2>"$work/said" || fail "kill $i: no run after it"
  if grep -q 'skipped\|results at its end\|first .* lines' "$work/said"; then
    fail "kill $i: $(cat "$work/said")"
  fi
done
[ "$reported" -gt 0 ] && [ "$cut" -gt 0 ] ||
  fail "no run reported anything before it was killed"
echo "$reported results were reported by ${KILLS:-8} runs, $cut of which were"
echo "killed before they had done; all are stored"
end
