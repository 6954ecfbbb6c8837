# diagnose.sh - what a thread trace says, from the command line.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# A kernel whose read meets conflicts: 4 instructions, 100 waves. Its LDS stalls
# are 25600 of 28000, 91.4 %.
trace=$work/att/ui_output_agent_1_dispatch_7
mkdir -p "$trace"
cat >"$trace/code.json" <<'END'
{"code":[["; _Z1kv",0,0,"k()",1,256,0,0,0,0],
["s_load_dword s0, s[4:5], 0x0",0,1,"/src/k.hip:3",1,256,100,3000,2400,0],
["ds_read_b128 v[0:3], v4",0,2,"/src/k.hip:4",1,260,100,13200,12800,0],
["s_waitcnt lgkmcnt(0)",0,3,"/src/k.hip:5",1,268,100,13200,12800,0],
["s_endpgm",0,4,"/src/k.hip:6",1,272,100,400,0,0]],
"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle",
"version":"3.0.0"}
END
for of in "$work/att" "$trace" "$trace/code.json"; do
  expect 0 diagnose "$of" --arch gfx906
  fits
  says "k()"
  says "91.4 % of the stalls: much"
  says "bank conflicts: 45.7 % of the stalls, 128 cycles a hit"
  says "line 2 of the code: ds_read_b128 v[0:3], v4 (/src/k.hip:4)"
  says "tune lds --solve --arch gfx906"
  says "read_width=4"
done
expect 0 diagnose "$trace" --json
[ "$(wc -l <"$out")" -eq 1 ] || fail "not one line"
says '"kernel":"k()","instructions":4,"waves":100.0'
says '"finding":"bank conflicts","line":2'

# A trace without a fault of LDS.
sed '/ds_read/d' "$trace/code.json" >"$work/none.json"
expect 0 diagnose "$work/none.json"
says "none: no bank conflicts"
says "LDS        0.0 % of the stalls"

expect 2 diagnose
says "which trace"
expect 2 diagnose "$trace" --arch gfx90
says "gfx90' is not a known arch"
expect 1 diagnose "$work/nowhere"
says "nowhere: No such file or directory; name the folder that rocprofv3"
expect 1 diagnose "$work"
says "which folder did rocprofv3 --att write to"
head -c 200 "$trace/code.json" >"$work/cut.json"
expect 1 diagnose "$work/cut.json"
says "as the code.json of a thread trace is: premature end"
end
