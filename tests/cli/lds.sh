# lds.sh - tiles in LDS: instructions, results, conflicts, layouts.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

lds="lds --arch gfx906 --device sim --tiles 4 --passes 8"

# Keys; configuration; what its code has to have. The compiler joins narrow
# accesses that are in flight together.
while IFS='|' read -r keys config instruction; do
  # shellcheck disable=SC2086
  disassemble $lds $keys --set "$config"
  has "$instruction"
done <<'END'
|threads=256,write_width=4,read_width=4,ilp=1,pad=4,xor=0|ds_read_b128
|threads=256,write_width=4,read_width=4,ilp=1,pad=0,xor=7|ds_write_b128
--pattern contiguous|threads=256,write_width=2,read_width=2,ilp=1|ds_read_b64
--pattern contiguous|threads=256,write_width=2,read_width=2,ilp=1|ds_write_b64
--pattern contiguous --owner wave --rows 8|threads=256,write_width=1,read_width=1,ilp=1|ds_read_b32
--pattern contiguous --owner wave --rows 8|threads=256,write_width=1,read_width=1,ilp=1|ds_write_b32
--pattern row|threads=512,write_width=1,read_width=1,ilp=2,pad=0,xor=0|ds_read2(st64)?_b32
--pattern contiguous|threads=512,write_width=2,read_width=2,ilp=2|ds_write2(st64)?_b64
--pattern transpose|threads=256,write_width=4,read_width=4,ilp=2,pad=0,xor=7|ds_write(2(st64)?)?_b32
--pattern broadcast|threads=256,write_width=1,read_width=4,ilp=2|ds_read_b128
--dtype f16 --rows 32 --columns 64 --down 16|threads=64,write_width=1,read_width=4,ilp=1,pad=0,xor=7|ds_read_b128
END

# Streaming of waves needs no barrier in its loop, and next to no arithmetic:
# the words read, one that grows, the loop.
disassemble $lds --pattern contiguous --owner wave --rows 8 \
  --set threads=256,write_width=4,read_width=4,ilp=4
loop=$(awk '/ds_write_b128/ { on = 1 } on { print } /s_cbranch_scc/ { if (on) exit }' \
  "$code")
case $loop in
*s_barrier*) fail "$last: a barrier in the loop" ;;
esac
[ "$(echo "$loop" | grep -c ' v_')" -le 24 ] || fail "$last: VALU in the loop"

# All of `ilp` reads are on their way before the first is waited for.
for width in 1 4; do
  disassemble $lds --pattern contiguous --set \
    threads=256,write_width=4,read_width=$width,ilp=8
  flying=$(awk '/s_waitcnt/ { n = 0 } /ds_read2/ { n++ } /ds_read/ { n++ }
    n > most { most = n } END { print most }' "$code")
  [ "$flying" -ge 8 ] || fail "$last: $flying reads in flight, not 8"
done

# Sums of what was read before stand between writes and the wait for them: a trace
# shows that the wait is short then.
far="lds --arch gfx906 --device sim --pattern contiguous --tiles 60 --passes 64"
for ahead in 0 8; do
  # shellcheck disable=SC2086
  expect 0 explain $far --trace "$work/far" --set \
    threads=256,write_width=4,read_width=4,ilp=8,write_ahead=$ahead
  expect 0 diagnose "$work/far" --arch gfx906
  grep "finding" "$out" >>"$work/findings"
done
echo "  finding 1  write to read" >"$work/wanted"
sed 's/:.*//; /none/d' "$work/findings" | cmp - "$work/wanted" ||
  fail "$last: $(cat "$work/findings")"

# A layout that does not keep all words is found out: where two columns fall
# together, and where reads and writes disagree.
mkdir "$work/bad"
root=$(dirname "$0")/../..
cp "$root/templates/lds.lua" "$work/bad"
for damage in 's/at.column ^ (/at.column | (/' \
  's/n % blocks \* down/0 * down/' \
  's/if (thread < half)/if (thread + 1 < half)/'; do
  sed "$damage" "$root/templates/lds.hip" >"$work/bad/lds.hip"
  ! cmp -s "$root/templates/lds.hip" "$work/bad/lds.hip" ||
    fail "'$damage' changed nothing"
  expect 1 $lds --rows 128 --columns 32 --templates "$work/bad" \
    --set threads=256,write_width=4,read_width=4,ilp=1,pad=0,xor=7
  says "none of 1 candidates was ok"
done

# What explain computes is what the simulated device counts.
expect 0 explain $lds --set threads=256,write_width=4,read_width=4,ilp=1,pad=0,xor=0
says "read_b128: 8 phases, 32 banks: 64 cycles, 56 of them for conflicts"
says "    banks  0-3: 0 1 2 3 20 21 22 23"
grep -qE '^  ds_read_b128 .* 8.00 +56.00 ' "$out" || fail "$last: counts differ"
grep -qE '^  xor=7 +16 +0 +\+0$' "$out" || fail "$last: no XOR as a cure"
grep -qE '^  pad=4 +16 +0 +\+1024$' "$out" || fail "$last: no pad as a cure"
fits

# No compiler is found that knows this arch; the picture is drawn all the same.
note="--rows 32 --columns 64 --dtype f16 --down 16"
mkdir "$work/no_clang"
ln -s "$(command -v gnuplot)" "$work/no_clang"
PATH=$work/no_clang expect 0 explain lds --arch gfx950 $note --svg "$work/picture.svg" \
  --set write_width=1,read_width=4,pad=0,xor=0
says "0-3: 0 2 12 14"
says "no compiler for gfx950: "
fits
grep -q '<svg' "$work/picture.svg" || fail "$last: no picture"
expect 0 explain lds --arch gfx950 $note --set write_width=1,read_width=4,pad=0,xor=7
says "36-39: 1  "
says "read_b128: 4 phases, 64 banks: 4 cycles, no conflicts"
expect 0 explain lds --arch gfx942 --set pad=4,xor=0,read_width=4,write_width=4
says "read_b128: 8 phases, 32 banks: 8 cycles, no conflicts"
PATH=$work/no_clang expect 1 explain lds --arch gfx950 $note --annotate --set read_width=4,write_width=1
says "does not know gfx950"
expect 2 explain lds --arch gfx906 --vary pad --svg "$work/none.svg" --set pad=0
says "--svg goes with neither --vary nor --json"
expect 1 explain lds --arch gfx1250 --svg "$work/none.svg" --set pad=0
says "which lanes of this arch share an LDS cycle is not published"

# gemm, too: A comes transposed into LDS, so that its writes meet.
expect 0 explain gemm --arch gfx906 --device sim --m 64 --n 64 --k 32 --set \
  tile_m=64,tile_n=64,tile_k=16,thread_m=4,thread_n=4,wave_m=8,load_a=4,load_b=4,\
read_width=4,pad_a=0,xor_a=0,pad_b=0,xor_b=0,split_k=1
says "A: write_b32: 2 phases, 32 banks: 8 cycles, 6 of them for conflicts"
grep -qE '^  ds_write2(st64)?_b32 .* 4.00 +12.00 ' "$out" ||
  fail "$last: counts differ"
grep -qE '^  xor_a=3 ' "$out" || fail "$last: no XOR as a cure"
fits

# Layouts, with room and without, for archs without a compiler and a table.
expect 0 lds --solve --arch gfx906 --budget 49152
says "pad=4: 16 bytes (4 elements) after each row"
says "free of conflicts"
expect 0 lds --solve --arch gfx906
says "xor=7,unit=1: chunks of 16 bytes, max phase 8"
fits
expect 0 lds --solve --arch gfx906 --json
says '"config":{"pad":0,"xor":7,"unit":1}'
says '"conflicts":0'
expect 0 explain $lds --set threads=256,write_width=4,read_width=4,ilp=1,pad=0,xor=7,unit=1
grep -qE '^  ds_read_b128 .* 8.00 +0.00 ' "$out" || fail "$last: conflicts"
grep -qE '^  ds_write_b128 .* 8.00 +0.00 ' "$out" || fail "$last: conflicts"
expect 0 lds --solve --arch gfx950 $note --set write_width=1
says "16 cycles an instruction as it"
says "xor=7,unit=1"
expect 0 lds --solve --arch gfx1201 --pattern row
says "the tile as it is"
expect 0 lds --solve --arch gfx942 --columns 16 --budget 4096
says "the least bad: 32 of 96 cycles"
expect 2 lds --solve --arch gfx1250
says "is not known; it is of gfx906" # no typing error, so that nothing is guessed
expect 2 lds --solve --arch gfx942 --columns 18
says "the producer does not fit the tile"
expect 1 lds --solve --arch gfx942 --budget 1000
says "does not fit into 1000 bytes of LDS"
expect 2 gemm --solve --arch gfx906
says "gemm has no key 'rows'"

end
