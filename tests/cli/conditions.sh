# conditions.sh - clocks, power, temperature and throttling beside measurements.
# Stands in: tests/devices over a simulator that passes for a real runtime, and a
# tree for /sys.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
libhipsim=$1/libhipsim.so
. "$(dirname "$0")/sysfs.sh"

pass_for_real "$work/lib"
export LD_LIBRARY_PATH=$work/lib TUNE_RUNTIME=$1/tests/devices/libdevices.so
export TUNE_SYSFS=$work/sys TUNE_NVML=/nowhere/libnvidia-ml.so.1
tiny="gemm --arch gfx906 --m 32 --n 32 --k 16 --evals 16"
well='\0\0\0\0' throttles='\0\2\0\0'

# The first card says all, the second nothing, the third little.
mkdir -p "$work/sys/module/amdgpu"
echo 6.7.0 >"$work/sys/module/amdgpu/version"
card 0 1606 1000 190 71 "$well"
mkdir -p "$work/sys/bus/pci/devices/0000:0c:00.0"
echo '1: 1440Mhz *' >"$work/sys/bus/pci/devices/0000:0c:00.0/pp_dpm_sclk"
DEVICES=3 expect 0 list devices
says "amdgpu 6.7.0; conditions by amdgpu: core clock, memory clock, power,"
says "conditions cannot be read: amdgpu:"
grep -q "conditions by amdgpu: core clock$" "$out" || fail "of the third card"
fits

# They stand in rows of the journal, those of finalists too, in the table, and
# where a row is shown.
journal=$work/data/tune/gfx906/gemm.journal
expect 0 $tiny --quiet
says "conditions 1606 MHz, memory 1000 MHz, 190 W, 71 C"
says "amdgpu 6.7.0; vbios 113-D1631700-111, smc 0x00282d00"
has_conditions()
{
  grep "$1" "$journal" | grep ' driver=amdgpu%206.7.0 .* mclk_mhz=1000 ' |
    grep -q ' power_w=190 .* sclk_mhz=1606 .* temp_c=71 .* throttled=0 ' ||
    fail "no conditions in a row with $1"
}
has_conditions ' n=7 '
has_conditions ' final=1 '
grep -v status=ok "$journal" | grep -q sclk_mhz && fail "of what did not run"
expect 0 show gemm --m 32 --arch gfx906
says "conditions 1606 MHz, memory 1000 MHz, 190 W, 71 C"
expect 0 show gemm --json
says '"sclk_mhz":1606'
says '"driver":"amdgpu 6.7.0"'
expect 0 show gemm --m 32 --n 32 --k 16 --arch gfx906 --best 1 --json
says '"throttled":0'

# Where nothing can be read nothing is claimed.
TUNE_SYSFS=$work/nowhere expect 0 $tiny --quiet --db "$work/none"
says_not "conditions"
grep -qE 'sclk_mhz|throttled|driver=' "$work/none/gfx906/gemm.journal" &&
  fail "conditions of a card that cannot be read"

# A card that throttles is measured again, and what stays so is marked.
card 0 1300 1000 225 99 "$throttles"
expect 0 $tiny --quiet --db "$work/hot"
says "1300 MHz, memory 1000 MHz, 225 W, 99 C, throttled by another reason"
grep ' status=ok ' "$work/hot/gfx906/gemm.journal" | grep -qv throttled=8 &&
  fail "a row that was measured while the card throttled is not marked"
grep -q ' final=1 .* throttled=8 ' "$work/hot/gfx906/gemm.journal" ||
  fail "finalists are not marked"
tr '\n' ' ' <"$out" | tr -s ' ' | sed -n 's/.*1 device busy \([0-9.]*\) s.*/\1/p' |
  awk '$1 >= 3 { found = 1 } END { exit !found }' ||
  fail "three candidates were to be measured again, after half a second each time"

# It recovers: then nothing is marked, once it was measured again.
(
  n=0
  until grep -qs 'throttled=8' "$work/cool/gfx906/gemm.journal" ||
    [ $((n += 1)) -gt 300 ]; do
    sleep 0.1
  done
  card 0 1725 1000 190 71 "$well"
) &
card 0 1300 1000 225 99 "$throttles"
expect 0 $tiny --quiet --db "$work/cool"
wait
says "conditions 1725 MHz, memory 1000 MHz, 190 W, 71 C"
says_not "throttled"
grep -q ' final=1 .* throttled=0 ' "$work/cool/gfx906/gemm.journal" ||
  fail "the card recovered, and the finalists do not say so"

# Two nights of a sweep: the second with other clocks, which is said before any
# comparison, and in which the card throttled.
cat >"$work/mi50.lua" <<'END'
return {
  arch = "gfx906", device = "0", evals = 4, unchanged = "measure",
  problems = { gemm { m = { 32, 64 }, n = 32, k = 16 } },
}
END
card 0 1725 1000 190 71 "$well"
expect 0 sweep "$work/mi50.lua" --quiet --db "$work/farm"
card 0 1606 800 225 99 "$throttles"
sleep 1 # what is measured in a night's first second is not measured again
expect 0 sweep "$work/mi50.lua" --quiet --db "$work/farm"
expect 0 report mi50 --db "$work/farm"
tr '\n' ' ' <"$out" | tr -s ' ' >"$work/report"
for text in 'core 1606 MHz, before 1725 (-6.9 %)' 'memory 800 MHz, before 1000' \
  'the card throttled while 2 problems were measured (before: 0)'; do
  grep -qF "$text" "$work/report" || fail "$last: does not say: $text"
done
[ "$(grep -n 'the clocks differ' "$out" | cut -d: -f1)" -lt \
  "$(grep -n 'within the noise' "$out" | head -1 | cut -d: -f1)" ] ||
  fail "$last: clocks come after the comparison"
expect 0 report mi50 --db "$work/farm" --format json
says '"sclk_mhz":'
says '"throttled":'

# A simulated card has no conditions.
unset TUNE_RUNTIME
expect 0 $tiny --device sim --db "$work/sim" --quiet
says_not "conditions"
grep -q sclk_mhz "$work/sim/gfx906/gemm.journal" && fail "modelled clocks"

end
