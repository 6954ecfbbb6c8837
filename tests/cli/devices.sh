# devices.sh - runtimes that are slow, and machines with several devices.
# Stands in: the simulator, passing for a real runtime as in measured.sh, under
# tests/devices.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

mkdir "$work/lib"
sed 's/hipsimSetMode/hipsimXxxMode/g; s/hipsimReport/hipsimXxxort/g
     s/hipsimInstruction/hipsimXxxtruction/g' "$1/libhipsim.so" \
  >"$work/lib/libhipsim.so"
export LD_LIBRARY_PATH=$work/lib TUNE_RUNTIME=$1/tests/devices/libdevices.so
tiny="gemm --arch gfx906 --m 32 --n 32 --k 16"

DEVICES=3 expect 0 list devices
says "2    simulated MI50"

# A driver that takes its time has only that of the run, and another device,
# here the simulated one, does not stand in for it.
begun=$(date +%s)
DEVICES_INIT=30 expect 1 $tiny --seconds 2
took 15
says "the time was up before compiler and device had answered"

# Two devices try in about half the time of one: launches that take 2 ms, with
# code from the cache, which the first run fills. The candidates are the same
# with any number of compilers.
many="$tiny --evals 20 --device all"
DEVICES=2 expect 0 $many --json --quiet --db "$work/warm" --jobs 4
sed 's/"date":"[^"]*"//' "$out" | sort >"$work/warm.sorted"
export DEVICES_LAUNCH=2000
for n in 1 2; do
  DEVICES=$n expect 0 $many --jobs 1 --db "$work/$n"
  says "20 ok"
  says "$n device"
  sed -n 's/^  busy  *\([0-9.]*\) s .*/\1/p' "$out" >"$work/trying.$n"
done
awk '{ s[NR] = $1 } END { exit !(s[2] < 0.8 * s[1]) }' "$work"/trying.* ||
  fail "one device and two took $(cat "$work"/trying.*) s"
DEVICES=2 expect 0 $many --json --quiet --jobs 3 --db "$work/again"
sed 's/"date":"[^"]*"//' "$out" | sort >"$work/again.sorted"
for run in warm again; do
  sed 's/.*"config":\({[^}]*}\).*/\1/' "$work/$run.sorted" | sort -u \
    >"$work/$run.configs"
done
cmp -s "$work/warm.configs" "$work/again.configs" ||
  fail "other candidates with other jobs"

# A budget includes the finalists, though the device is busy and their launches
# would take more than a minute.
journal=$work/1/gfx906/gemm.journal
grep -q ' final=1 ' "$journal" || fail "no finalists"
sed -i '/ final=1 /d' "$journal"
export DEVICES_LAUNCH=1000000
budget $tiny --evals 100000 --device 0 --db "$work/1"
grep -qE "20 of 2[0-9] from the journal" "$out" || fail "results are lost"
says "the time was up"
unset DEVICES_LAUNCH

# Two programs at once have their turns on a device: no launch of one lies between
# two of a trial of the other, let alone beside one. Both come to an end.
export DEVICES_LAUNCH=2000 DEVICES_LOG=$work/launches
for n in 1 2; do
  "$tune" $tiny --evals 6 --seed $n --quiet --db "$work/turn$n" \
    >"$work/turn$n.out" 2>&1 &
done
wait
unset DEVICES_LAUNCH DEVICES_LOG
for n in 1 2; do
  grep -q " ok" "$work/turn$n.out" || fail "turn $n: $(cat "$work/turn$n.out")"
done
sort -n -k 2 "$work/launches" | awk '
  $1 != last { turns++ }
  { programs[$1] }
  $1 != last && $2 < end { print "launches of " last " and " $1 " at once" }
  { last = $1; end = $3 > end ? $3 : end }
  END {
    for (p in programs) n++
    if (n != 2) print n " programs, not 2"
    if (turns < 4) print "they took only " turns " turns"
  }' | head -5 >"$work/turns"
[ ! -s "$work/turns" ] || fail "turns: $(cat "$work/turns")"

# A family whose kernels have names of their own, so that one can hang.
families=$(dirname "$0")/../tuner/families
sed 's/"axpy",$/"axpy_" .. cfg.group .. "x" .. cfg.each,/' \
  "$families/plain.lua" >"$work/mine.lua"
sed 's/void axpy(/void axpy_$(group)x$each(/' "$families/plain.hip" \
  >"$work/mine.hip"
mine="$work/mine.lua --arch gfx906 --device all --search exhaustive --quiet"
mine="$mine --n 4000"
export DEVICES_HANG=axpy_256x1

# It is tried again in a new worker, but not for as long again: three times as
# long as the slowest other took, and two seconds.
expect 0 $mine --timeout 15 --db "$work/hang"
says "4 ok 1 timeout"
again=$(sed -n 's/.*within%20\([0-9.]*\)%20s,%20tried%20again%20in.*/\1/p' \
  "$work/hang/gfx906/mine.journal")
awk -v s="$again" 'BEGIN { exit !(s >= 2 && s < 15) }' ||
  fail "$last: the second try may last '$again' s"

# A worker that does not end when it is killed: without its device the run goes
# on, or ends with what it has.
export DEVICES_STUCK=1
DEVICES=2 expect 0 $mine --timeout 5 --db "$work/stuck"
if grep -q "cannot%20be%20traced" "$work/stuck/gfx906/mine.journal"; then
  echo "skipped: processes cannot be traced here"
  end
fi
says "4 ok 1 timeout"
says "1 of 2 devices: a worker did not end"
begun=$(date +%s)
DEVICES=1 expect 1 $mine --timeout 5 --db "$work/stuck1"
took 25 # and not the 30 s that the worker lives on
says "did not end though killed"
grep -q ' status=ok ' "$work/stuck1/gfx906/mine.journal" ||
  fail "$last: results are lost"
grep -q ' status=timeout ' "$work/stuck1/gfx906/mine.journal" ||
  fail "$last: the one at fault is not known"
end
