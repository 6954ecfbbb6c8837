# qdq.sh - every way to pack and unpack: its result, its instruction, its rules.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

qdq="qdq --arch gfx906 --device sim --n 1000 --rounds 16"

# dtype, way, use; path, rounding; what its code has to have, & between.
while read -r dtype way use path rounding instructions; do
  # shellcheck disable=SC2086
  disassemble $qdq --dtype $dtype --way $way --use $use \
    --set path=$path,rounding=$rounding,ilp=2,unroll=1,group=128
  has_not scratch_
  while [ -n "$instructions" ]; do
    has "${instructions%%&*}"
    instructions=${instructions#"${instructions%%&*}"}
    instructions=${instructions#&}
  done
done <<'END'
f32 quantise   hot  plain rint v_(fma|fmac)_f32
f16 quantise   hot  plain rint v_cvt_f16_f32&v_pack_b32_f16&v_dot2_f32_f16
f16 quantise   hot  sdwa  rint v_cvt_f16_f32_sdwa .* dst_sel:WORD_1
f16 quantise   once pkrtz rint v_cvt_pkrtz_f16_f32&v_dot2_f32_f16
i8  quantise   hot  plain rint v_rndne_f32&v_cvt_i32_f32&v_med3_f32&v_dot4_i32_i8
i8  quantise   hot  sdwa  rint v_cvt_i32_f32_sdwa .* dst_sel:BYTE_2
i8  quantise   hot  sdwa  add  v_mov_b32_sdwa .* dst_sel:BYTE_3
i8  quantise   once perm  rint v_perm_b32&v_dot4_i32_i8
i4  quantise   hot  perm  add  v_perm_b32&v_fma_f32&v_dot8_i32_i4
i4  quantise   once sdwa  rint v_dot8_i32_i4
f16 dequantise hot  sdwa  rint v_cvt_f32_f16_sdwa .* src0_sel:WORD_1
f16 dequantise once plain rint v_cvt_f32_f16
i8  dequantise hot  plain rint v_cvt_f32_i32_sdwa .* sext\(v[0-9]+\).* src0_sel:BYTE_1
i8  dequantise hot  sdwa  rint v_cvt_f32_i32_sdwa .* sext\(v[0-9]+\).* src0_sel:BYTE_3
i8  dequantise hot  bfe   rint v_bfe_i32
i8  dequantise once perm  rint v_perm_b32
i4  dequantise hot  sdwa  rint v_cvt_f32_i32_sdwa
i4  dequantise hot  bfe   rint v_bfe_i32
END

# No conversion is left in the loop of those that unpack by bytes of floats,
# and none that rounds where 3 * 2^22 is added.
disassemble $qdq --dtype i4 --way dequantise --set path=perm,ilp=1,unroll=1
has_not v_cvt_f32
disassemble $qdq --dtype i8 --set path=perm,rounding=add,ilp=1,unroll=1
has_not v_rndne
has_not v_cvt_i32

# Blocks of other lengths, rounds that the unrolling does not divide.
for block in 16 32; do
  expect 0 qdq --arch gfx906 --device sim --n 1000 --dtype i4 --block $block --rounds 7 \
    --set path=plain,ilp=1,unroll=2,group=64
  says "1 ok"
done

# What a path cannot do, and what an arch lacks.
expect 1 $qdq --dtype f16 --set path=bfe
says "path=bfe needs dtype=i8 or i4 and way=dequantise"
expect 1 $qdq --set path=pkrtz
says "path=pkrtz needs dtype=f16 and way=quantise"
expect 1 $qdq --way dequantise --set rounding=add
says "rounding=add needs way=quantise and dtype=i8 or i4"
expect 2 $qdq --dtype f32 --way dequantise
says "dtype=f32 has nothing to dequantise"
expect 1 emit qdq --arch gfx900 --set path=plain
says "dtype=i8 needs v_dot4_i32_i8, which this arch lacks"
expect 1 emit qdq --arch gfx1250 --dtype f16 --way dequantise --set path=sdwa
says "path=sdwa needs SDWA, which this arch lacks"
expect 0 emit qdq --arch gfx900 --way dequantise --set path=sdwa
says "v_cvt_f32_i32_sdwa"

# The main job's other verbs.
expect 0 $qdq --evals 6 --search exhaustive
says "6 ok"
fits
expect 0 show qdq --arch gfx906 --n 1000
says "dtype=i8,way=quantise,use=hot"
fits
expect 0 emit qdq --arch gfx906 --n 1000 --rounds 16
says "__builtin_amdgcn_sdot4"
expect 0 explain qdq --arch gfx906 --n 1000 --rounds 16 --device sim
says "ilp * unroll * block is over 128 products in a turn of the loop"
fits
end
