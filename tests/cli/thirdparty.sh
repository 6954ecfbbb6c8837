# thirdparty.sh - a program linked to libamdhip64 runs on libhipsim instead.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"

cc -D__HIP_PLATFORM_AMD__ -o "$work/saxpy" \
  "$(dirname "$0")/../corpus/thirdparty.c" -lamdhip64 >"$work/out" 2>&1 ||
  fail "it does not build against libamdhip64"
LD_PRELOAD=$1/libhipsim.so "$work/saxpy" >"$work/out" 2>&1 ||
  fail "it does not run on the simulator"
for line in "simulated MI50" "0 of 1000000 wrong" hipErrorIllegalAddress; do
  grep -qF "$line" "$work/out" || fail "it does not print: $line"
done
grep -qxF "absent: hipErrorNotFound" "$work/out" || fail "nothing was found"
grep -q "'nothing'" "$work/out" && fail "a question is answered on stderr"
LD_PRELOAD=$1/libhipsim.so HIPSIM_CARD=mi60 "$work/saxpy" >"$work/out" 2>&1
grep -q "simulated MI60 .* 64 CUs, doubles 1:2" "$work/out" ||
  fail "HIPSIM_CARD picks no other card"
LD_PRELOAD=$1/libhipsim.so HIPSIM_CARD=radeon-vii "$work/saxpy" \
  >"$work/out" 2>&1
grep -q "simulated Radeon VII .* 60 CUs, doubles 1:4" "$work/out" ||
  fail "it does not run on a Radeon VII"
LD_PRELOAD=$1/libhipsim.so HIPSIM_CLOCK=1400 "$work/saxpy" >"$work/out" 2>&1
grep -qF "60 CUs, 1400 MHz" "$work/out" || fail "HIPSIM_CLOCK sets no clock"
for clock in "" 14e9 nan 1400MHz; do
  LD_PRELOAD=$1/libhipsim.so HIPSIM_CLOCK=$clock "$work/saxpy" \
    >"$work/out" 2>&1 && fail "it runs with HIPSIM_CLOCK=$clock"
  grep -qF "HIPSIM_CLOCK=$clock is no clock" "$work/out" ||
    fail "a wrong HIPSIM_CLOCK is not named: $clock"
done
for card in "" vega MI50 radeonvii; do
  LD_PRELOAD=$1/libhipsim.so HIPSIM_CARD=$card "$work/saxpy" \
    >"$work/out" 2>&1 && fail "it runs with HIPSIM_CARD=$card"
  grep -qF "HIPSIM_CARD=$card is no card that it knows: mi50" "$work/out" ||
    fail "a wrong HIPSIM_CARD is not named: $card"
done
for limit in "" 2^20 -1 99999999999999999999; do
  LD_PRELOAD=$1/libhipsim.so HIPSIM_LIMIT=$limit "$work/saxpy" \
    >"$work/out" 2>&1 && fail "it runs with HIPSIM_LIMIT=$limit"
  grep -qF "HIPSIM_LIMIT=$limit is no number" "$work/out" ||
    fail "a wrong HIPSIM_LIMIT is not named: $limit"
done

for threads in 1 3; do
  LD_PRELOAD=$1/libhipsim.so HIPSIM_THREADS=$threads "$work/saxpy" \
    >"$work/out" 2>&1 || fail "it does not run on $threads threads"
  grep -qF "0 of 1000000 wrong" "$work/out" || fail "$threads threads differ"
done
LD_PRELOAD=$1/libhipsim.so HIPSIM_THREADS=some "$work/saxpy" >"$work/out" 2>&1
grep -qF "HIPSIM_THREADS=some is no number" "$work/out" ||
  fail "a wrong HIPSIM_THREADS is not named"
