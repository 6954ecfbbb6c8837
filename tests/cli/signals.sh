# signals.sh - Ctrl-C keeps what was measured; a killed worker costs little.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

journal=$work/data/tune/gfx906/gemm.journal
long="gemm --arch gfx906 --device sim --m 256 --n 256 --k 256"

# Wait until the journal has so many lines.
lines()
{
  for _ in $(seq 3000); do
    [ "$(grep -c . "$journal" 2>/dev/null)" -ge "$1" ] 2>/dev/null && return
    sleep 0.1
  done
  fail "the journal does not get $1 lines"
}

# A shell lets its background jobs ignore Ctrl-C; a terminal's user does not.
last="tune $long, interrupted"
mkdir "$work/tmp"
TMPDIR=$work/tmp env --default-signal=INT \
  setsid "$tune" $long --evals 40 >"$out" 2>"$err" &
pid=$!
lines 3
kill -INT -$pid # as a terminal does: the whole group
wait $pid
[ $? -eq 130 ] || fail "status is not 130"
says "interrupted"
says "$journal"
[ -z "$(ls "$work/tmp")" ] || fail "temporary files are left"
says "time "
kept=$(grep -c . "$journal")
[ "$kept" -ge 3 ] || fail "results are lost"
says "has $kept candidates of this problem"

# timeout(1) and service managers send SIGTERM to the whole group.
last="tune $long, terminated"
setsid "$tune" $long --evals 40 >"$out" 2>"$err" &
pid=$!
lines $((kept + 2))
kill -TERM -$pid
wait $pid
[ $? -eq 130 ] || fail "status is not 130"
says "interrupted"
! grep -q ' status=crash ' "$journal" || fail "a candidate was blamed"
kept=$(grep -c . "$journal")

last="tune $long, a worker killed"
"$tune" $long --evals $((kept + 12)) --json >"$out" 2>"$err" &
pid=$!
lines $((kept + 2))
for _ in 1 2; do
  victim=$(pgrep -P $pid | tail -1)
  [ -z "$victim" ] || kill -KILL "$victim"
  sleep 0.5
done
wait $pid
[ $? -eq 0 ] || fail "a killed worker ended the run"
! grep -q '"status":"crash"' "$out" || fail "a candidate was blamed"
[ "$(grep -c '"type":"candidate"' "$out")" -eq $((kept + 12)) ] ||
  fail "candidates are missing"

# Where every worker is killed, as the kernel does when memory is short, this
# run goes on without the candidates, and the next one tries them.
last="tune $long, all workers killed for a while"
before=$(grep -c . "$journal")
"$tune" $long --evals $((before + 8)) >"$out" 2>"$err" &
pid=$!
until grep -q ' killed=3 ' "$journal" || ! kill -0 $pid 2>/dev/null; do
  # the first workers are there once the device was found
  [ "$(grep -c . "$journal")" -eq "$before" ] || pkill -KILL -P $pid
  sleep 0.02
done
wait $pid
[ $? -eq 0 ] || fail "killed workers ended the run"
says "workers, from outside or for want of memory"
lost=$(grep -c ' killed=3 ' "$journal")
[ "$lost" -gt 0 ] || fail "no candidate was given up"
expect 0 $long --evals $((before + 8))
says "again      $lost that the journal had as timeout, crash or the like"
says "$((before + 8)) ok"

# While compiler and device are looked for.
last="tune, the first worker killed"
XDG_CACHE_HOME=$work/new "$tune" $long --evals 2 --db "$work/new/db" \
  >"$out" 2>"$err" &
pid=$!
until victim=$(pgrep -P $pid); do
  kill -0 $pid 2>/dev/null || break
done
kill -KILL $victim
wait $pid
[ $? -eq 0 ] || fail "a killed worker ended the run"
says "2 ok"

# The coordinator killed: its workers go too, and the next run goes on.
last="tune $long, killed"
"$tune" $long --evals 40 --seed 2 >"$out" 2>"$err" &
pid=$!
before=$(grep -c . "$journal")
lines $((before + 2))
workers=$(pgrep -P $pid)
kill -STOP $workers # so that none ends by itself
kill -KILL $pid
wait $pid 2>/dev/null
for worker in $workers; do
  for _ in $(seq 300); do
    grep -q '^State:.[^Z]' "/proc/$worker/status" 2>/dev/null || break
    sleep 0.1
  done
  ! grep -q '^State:.[^Z]' "/proc/$worker/status" 2>/dev/null ||
    fail "worker $worker lives on"
done
expect 0 $long --seed 2 --evals 8
says "from the journal"
says_not "0 of 8 from"
end
