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

# took SECONDS: the last command must not have taken longer.
took()
{
  [ $(($(date +%s) - begun)) -le "$1" ] || fail "$last: took longer than $1 s"
}

DEVICES=3 expect 0 list devices
says "2    simulated MI50"

# A driver that takes its time has only that of the run, and another device,
# here the simulated one, does not stand in for it.
begun=$(date +%s)
DEVICES_INIT=30 expect 1 $tiny --seconds 2
took 4
says "the time was up before compiler and device had answered"
# Two devices try in about half the time of one: launches that take 20 ms, with
# code from the cache, which the first run fills. The candidates are the same
# with any number of compilers.
many="$tiny --evals 20 --device all"
DEVICES=2 expect 0 $many --json --quiet --db "$work/warm" --jobs 4
sed 's/"date":"[^"]*"//' "$out" | sort >"$work/warm.sorted"
export DEVICES_LAUNCH=20000
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
end
