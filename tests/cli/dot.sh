# dot.sh - every operation: its result, its instruction, its rules.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

dot="dot --arch gfx906 --device sim --n 5000 --steps 64"

# op, clamp; what its code has to have.
while read -r op clamp instruction; do
  # shellcheck disable=SC2086
  disassemble $dot --op $op --clamp $clamp --set ilp=3,unroll=4,group=128
  has "$instruction"
  has_not scratch_
done <<'END'
sdot4      0 v_dot4_i32_i8 v[0-9]+, v[0-9]+, v[0-9]+, v[0-9]+ +//
sdot4      1 v_dot4_i32_i8 .* clamp
udot4      0 v_dot4_u32_u8 v[0-9]+, v[0-9]+, v[0-9]+, v[0-9]+ +//
udot4      1 v_dot4_u32_u8 .* clamp
sdot8      0 v_dot8_i32_i4 v[0-9]+, v[0-9]+, v[0-9]+, v[0-9]+ +//
sdot8      1 v_dot8_i32_i4 .* clamp
udot8      0 v_dot8_u32_u4 v[0-9]+, v[0-9]+, v[0-9]+, v[0-9]+ +//
udot8      1 v_dot8_u32_u4 .* clamp
fdot2      0 v_dot2_f32_f16 v[0-9]+, v[0-9]+, v[0-9]+, v[0-9]+ +//
fdot2      1 v_dot2_f32_f16 .* clamp
fma_f32    0 v_(fma|fmac)_f32
pk_fma_f16 0 v_pk_fma_f16
END

# A loop of one operation a sum and turn; 16 sums in 16 accumulators.
disassemble $dot --set ilp=1,unroll=1,group=64
[ "$(grep -c v_dot4_i32_i8 "$code")" = 1 ] || fail "not one dot4 in the loop"
disassemble $dot --set ilp=16,unroll=1,group=64
[ "$(grep -o 'v_dot4_i32_i8 v[0-9]*' "$code" | sort -u | wc -l)" = 16 ] ||
  fail "not 16 accumulators"

# Steps that the unrolling does not divide.
expect 0 dot --arch gfx906 --device sim --n 5000 --steps 37 --set ilp=2,unroll=16
says "1 ok"

# What gfx906 lacks, and others have.
expect 1 $dot --set path=dotc
says "path=dotc needs dot4c and dot8c, which this arch lacks"
expect 1 emit dot --arch gfx906 --set path=dotc
says "path=dotc needs dot4c and dot8c, which this arch lacks"
expect 0 emit dot --arch gfx908 --set path=dotc
says "v_dot4c_i32_i8"
expect 0 emit dot --arch gfx908 --op sdot8 --set path=dotc
says "v_dot8c_i32_i4"
expect 1 emit dot --arch gfx900 --op sdot4 --set ilp=1
says "op=sdot4 needs v_dot4_i32_i8, which this arch lacks"
expect 1 emit dot --arch gfx908 --op udot4 --set path=dotc
says "path=dotc is for op=sdot4 and sdot8, with clamp=0"
expect 2 $dot --op fma_f32 --clamp 1
says "clamp=1 is for dot products"

# The main job's other verbs.
expect 0 $dot --evals 6 --search exhaustive
says "6 ok"
fits
expect 0 show dot --arch gfx906 --steps 64
says "op=sdot4,clamp=0,steps=64,n=5000"
fits
expect 0 emit dot --arch gfx906 --n 5000 --steps 64
says "__builtin_amdgcn_sdot4"
expect 0 explain dot --arch gfx906 --n 5000 --steps 64 --device sim
says "ilp * unroll is over 128 operations in a turn of the loop"
fits

# Instructions that no gfx906 has, by whatever name.
expect 2 dot --arch gfx906 --op mfma
says "gfx906 has no mfma"
expect 2 dot --arch gfx906 --set path=dot4c
says "gfx906 has no dot4c"
expect 2 gload --arch gfx906 --set s_clause=1
says "gfx906 has no s_clause"
expect 2 dot --arch gfx908 --op mfma # which has it, but dot has not
says_not "has no"
expect 2 dot --arch gfx906 --op bogus
says_not "has no"

# Integer operations are not called floating point.
expect 0 $dot --op sdot4 --evals 1
says " Gop/s"
says_not "FLOP"
expect 0 show dot --op sdot4
says " Gop/s"
expect 0 $dot --op sdot4 --evals 1 --json --quiet
says '"gops":'
# also where nothing could be timed: no compilation is done in a millisecond
XDG_CACHE_HOME=$work/cold expect 1 $dot --evals 1 --timeout 0.001 \
  --json --quiet --db "$work/untimed"
says '"time_us":null,"gops":null'
says_not gflops
expect 0 $dot --op fma_f32 --evals 1
says " GFLOP/s"
end
