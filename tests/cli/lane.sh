# lane.sh - every way between lanes: its result, its instruction, its rules.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

lane="lane --arch gfx906 --device sim --n 16384 --rounds 16"

# op, row, by; path; what its code has to have.
while read -r op row by path instruction; do
  # shellcheck disable=SC2086
  disassemble $lane --op $op --row $row --by $by \
    --set path=$path,ilp=2,unroll=4
  has "$instruction"
done <<'END'
shift     16  1   dpp      v_mov_b32_dpp .* row_shr:1
shift     16  2   dpp_copy v_mov_b32_dpp .* row_shr:2
shift     16  3   bpermute ds_bpermute_b32
shift     64  5   lds      s_barrier
rotate    16  7   dpp      _dpp .* row_ror:7
rotate    32  9   swizzle  ds_swizzle_b32
rotate    64  33  bpermute ds_bpermute_b32
xor       16  1   dpp      _dpp .* quad_perm:\[1,0,3,2\]
xor       16  4   dpp      row_half_mirror
xor       16  12  dpp      row_mirror
xor       64  17  swizzle  ds_swizzle_b32
xor       64  32  bpermute ds_bpermute_b32
xor       16  1   lds_wave ds_write
broadcast 64  63  readlane v_readlane_b32 .* 63
broadcast 16  5   swizzle  ds_swizzle_b32
permute   64  0   bpermute ds_bpermute_b32
permute   256 0   lds      ds_read
sum       64  0   dpp      v_add_u32_dpp .* row_mirror
sum       64  0   dpp      v_readlane_b32
sum       64  0   swizzle  ds_swizzle_b32
sum       128 0   lds_wave s_barrier
sum       256 0   bpermute s_barrier
sum       256 0   lds      s_barrier
END

# Within a wave LDS needs no barrier.
disassemble $lane --op xor --set path=lds_wave,ilp=2,unroll=4
has_not s_barrier

# What a path cannot do, and what an arch lacks.
expect 1 $lane --op xor --row 64 --by 32 --set path=dpp
says "path=dpp with op=xor needs by < 16: DPP stays in 16 lanes"
expect 1 $lane --op rotate --set path=dpp_copy
says "path=dpp_copy is for op=shift; otherwise it is path=dpp"
expect 1 $lane --op permute --set path=swizzle
says "path=swizzle has no op=shift and no op=permute"
expect 1 $lane --op broadcast --row 16 --set path=readlane
says "path=readlane needs op=broadcast and row = lanes of a wave"
expect 1 $lane --op rotate --row 128 --set path=bpermute
says "row is over the lanes of a wave: it needs path=lds"
expect 1 emit lane --arch sm_90 --set path=dpp
says "path=dpp and dpp_copy need DPP, which this arch lacks"
expect 2 $lane --op shift --by 16
says "by=16 is not within row=16"
expect 2 $lane --op xor --by 0
says "leaves every value where it is"

# A wave of 32: its total takes one step less.
expect 0 emit lane --arch gfx1250 --op sum --row 32 --set path=dpp
says "__builtin_amdgcn_readlane(x, 16)"
says_not "__builtin_amdgcn_readlane(x, 32)"

# The main job's other verbs.
expect 0 $lane --evals 6 --search exhaustive
says "6 ok"
fits
expect 0 show lane --arch gfx906 --n 16384
says "op=shift,row=16,by=1"
fits
expect 0 emit lane --arch gfx906 --n 16384 --rounds 16
says "__global__"
expect 0 explain lane --arch gfx906 --n 16384 --rounds 16 --device sim
says "path=dpp has no op=broadcast and no op=permute"
fits
end
