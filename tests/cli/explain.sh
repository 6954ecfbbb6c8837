# explain.sh - counters and instructions of a configuration.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# 2 x 4 tiles of 32 x 16 and two slices of k: 16 workgroups of one wave.
problem="gemm --arch gfx906 --device sim --m 64 --n 64 --k 32"
set="--set tile_m=32,tile_n=16,thread_m=2,thread_n=4,tile_k=16,split_k=2"

# field NAME LINE: the value of a JSON field.
field()
{
  echo "$2" | sed 's/.*"'"$1"'":"\{0,1\}\([^,"}]*\).*/\1/'
}

expect 0 explain $problem $set
says "SQ_WAVES"
says_not "hot loop"
fits
awk '/bound by/ { answer = NR } /excludes  rule/ { rules = NR }
  END { exit !(answer && answer < rules) }' "$out" ||
  fail "$last: rules come before the answer"
waves=$(awk '$1 == "SQ_WAVES" { print $2 }' "$out")
[ "$waves" = 16 ] || fail "$last: $waves waves, not 16"

expect 0 explain $problem $set --annotate
says "hot loop"
says "modelled on"
says " s_endpgm"
grep -q '^|.* ds_read.* v' "$out" || fail "$last: no LDS read in the hot loop"
grep -q 's_cbranch.* -> ' "$out" || fail "$last: branches say no target"
fits

# One row an instruction, by address, without gaps; what units executed is what
# the counters say.
expect 0 explain $problem $set --annotate --json
cp "$out" "$work/json"
counters=$(grep '"type":"counters"' "$work/json")
grep '"type":"instruction"' "$work/json" >"$work/rows"
[ "$(field SQ_WAVES "$counters")" = 16.0 ] || fail "$last: not 16 waves"
sed 's/.*"offset":\([0-9]*\),"code":"\([^"]*\)".*/\1 \2/' "$work/rows" |
  awk '$1 != next_one { bad = 1 } { next_one = $1 + 4 * (NF - 1) }
    END { exit bad || NR < 100 }' || fail "$last: rows do not follow each other"
share=$(field sampled_share "$counters")
for unit in valu salu smem lds; do
  name=SQ_INSTS_$(echo $unit | tr a-z A-Z)
  grep "\"unit\":\"$unit\"" "$work/rows" |
    sed 's/.*"hits":\([0-9.]*\),.*/\1/' |
    awk -v share="$share" -v want="$(field "$name" "$counters")" \
      '{ n += $1 } END { exit n / share != want }' ||
    fail "$last: the rows' hits are not $name"
done

# The text is what LLVM's own disassembler prints.
if command -v llvm-mc-15 >/dev/null; then
  sed 's/.*"code":"\([^"]*\)".*/\1/
    s/\([^ ]*\)\(..\)\(..\)\(..\)\( \|$\)/0x\4 0x\3 0x\2 0x\1 /g' \
    "$work/rows" |
    llvm-mc-15 -arch=amdgcn -mcpu=gfx906 -disassemble 2>&1 |
    sed '/^[[:space:]]*\.text/d; s/^[[:space:]]*//; s/[[:space:]]*\(;.*\)*$//' \
      >"$work/theirs"
  sed 's/.*"text":"\([^"]*\)".*/\1/' "$work/rows" >"$work/ours"
  cmp "$work/ours" "$work/theirs" || fail "$last: not the disassembler's text"
else
  echo "skipped: no llvm-mc-15 to compare the disassembly with"
fi

# Without the disassembler, names stand alone. The code is in the cache.
mkdir "$work/broken"
echo "no library" | tee "$work/broken/libamd_comgr.so.2" \
  >"$work/broken/libamd_comgr.so.3"
export LD_LIBRARY_PATH="$work/broken"
expect 0 explain $problem $set --annotate
unset LD_LIBRARY_PATH
says "cannot load amd_comgr"
grep -q ' ds_read[^ ]*$' "$out" || fail "$last: no names"

expect 0 explain $problem $set --vary pad_a --json
grep -q '"type":"explained".*"time_us"' "$out" || fail "$last: no time"
! grep -qv '^{.*}$' "$out" || fail "$last: prints what is no JSON"

# What README shows: the same values have the same conflicts.
readme=$(dirname "$0")/../../README.md
command=$(sed -n '/^    tune explain.*--vary xor_a/,/[^\\]$/p' "$readme" |
  tr -d '\\\n' | sed 's/^ *tune //')
expect 0 $command --device sim
table='/ xor_a  *time/ { on = 1 } /LDS confl.:/ { on = 0 } on { print $1, $4 }'
awk "$table" "$readme" >"$work/theirs"
awk "$table" "$out" | cmp - "$work/theirs" || fail "$last: README has others"
[ "$(grep -c . "$work/theirs")" -eq 5 ] || fail "README shows not four values"

# What the waves did, as files: whole JSON, which our own reader reads.
expect 0 explain $problem $set --trace "$work/trace"
says "instructions of the first waves, modelled"
for file in "$work"/trace/*.json; do
  python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
done
grep -q modelled "$work/trace/code.json" || fail "does not say: modelled"
expect 0 diagnose "$work/trace" --arch gfx906
says "stalls for"
expect 2 explain $problem $set --trace "$work/trace" --vary pad_a
says "give one of the two"
expect 1 explain $problem $set --trace /proc/none
says "/proc/none"

# as many waves a SIMD as gemm asks for leave registers enough
tile=tile_m=128,tile_n=128,thread_m=8,thread_n=4,tile_k=16
for type in f16 i8; do
  expect 0 explain gemm --arch gfx906 --device sim --dtype $type --layout nt \
    --m 128 --n 4096 --k 4096 \
    --set $tile,stages=2,read_ahead=2,stream_k=1,load_b=8
  says " 0 bytes spilled"
done

expect 1 explain $problem --annotate
says "name a configuration with --set"
[ ! -s "$out" ] || fail "$last: prints before it refuses"
end
