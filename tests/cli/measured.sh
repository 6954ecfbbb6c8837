# measured.sh - what differs on a device that is not simulated. Stands in: the
# simulator under a name that hides what only it has, so that it passes for a
# real runtime whose every sample is the same.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

sed 's/hipsimSetMode/hipsimXxxMode/g; s/hipsimReport/hipsimXxxort/g
     s/hipsimInstruction/hipsimXxxtruction/g' "$1/libhipsim.so" \
  >"$work/libplain.so"
export TUNE_RUNTIME=$work/libplain.so
journal=$work/data/tune/gfx906/gemm.journal
tiny="gemm --arch gfx906 --m 32 --n 32 --k 16 --evals 16"

expect 0 $tiny --json --quiet
says '"source":"measured"'
says '"n":7'
grep -q ' final=1 .* source=measured' "$journal" || fail "no finalists"
count=$(grep -c . "$journal")
expect 0 $tiny
says "a real gfx906 is here"
says "measured: median of 7"
says "16 of 16 from the journal"
[ "$(grep -c . "$journal")" -eq "$count" ] || fail "finalists were timed again"
expect 0 $tiny --device 0 --hot
says "asked for by --device 0"

# What tries many things says of the device what one run says.
plain=$(dirname "$0")/../tuner/families/plain.lua
expect 0 $tiny --db "$work/fresh"
says "clock      the health kernel took"
expect 1 calibrate "$plain" --arch gfx906
says "clock      the health kernel took"
expect 1 $tiny --device sim
says "there is no simulated device"

# Near problems' winners are new beside a winner of another night: all that are about as
# fast are timed side by side.
cat >"$work/near.lua" <<'END'
return { arch = "gfx906", evals = 3, afresh = true, unchanged = "near",
         problems = { gemm { m = 32, n = { 32, 64 }, k = { 16, 32, 48 } } } }
END
expect 0 sweep "$work/near.lua" --db "$work/near"
raced=$(grep -c ' final=1 ' "$work/near/gfx906/gemm.journal")
expect 0 sweep "$work/near.lua" --db "$work/near"
says " near"
[ "$(grep -c ' final=1 ' "$work/near/gfx906/gemm.journal")" -gt "$raced" ] ||
  fail "$last: no finalists"

# A budget is kept here too; that finalists are within it: devices.sh.
budget gemm --arch gfx906 --m 32 --n 32 --k 64 --evals 100000 \
  --timeout 100 --db "$work/budget"
says "the time was up"

# A modelled row does not replace the measured one.
unset TUNE_RUNTIME
expect 0 $tiny --device sim
expect 0 show gemm --json
[ "$(grep -c '"source":"measured"' "$out")" -eq 2 ] || # cold and hot
  fail "measured is lost"
[ "$(grep -c '"source":"modelled"' "$out")" -eq 1 ] || fail "modelled is lost"
end
