# matrix_lds.sh - cycles of an LDS read of a matrix operand, as the simulated device
# counts them in kernels of mfma_gemm: rows of 64 and 128 bytes, as they are, with an
# XOR, and with pads. The numbers are those of tests/arch/lds_solve.c, worked out by
# the lane groups that were measured on cards.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

if ! command -v clang-22 >/dev/null || ! command -v ld.lld-22 >/dev/null; then
  echo "skipped: no clang-22 and lld-22"
  end
fi

# reads ARCH OPERAND TILE_K SWIZZLE CYCLES CONFLICTS - of a ds_read_b128.
reads() {
  tile=tile_m=64,tile_n=64,tile_k=$3,waves_m=4,waves_n=1,shape=16,operand=$2,read=16
  loads=transpose=0,load=registers,width_a=16,width_b=16,swizzle=$4,stages=1,ahead=0
  order=schedule=plain,setprio=0,accumulators=any,dies=0,raster=1,split_k=1
  expect 0 explain mfma_gemm --arch "$1" --device sim --m 64 --n 64 --k 256 \
    --type_c f32 --set "$tile,$loads,$order"
  grep -qE "^  ds_read_b128 .* $5 +$6 " "$out" ||
    fail "$1, rows of $((2 * $3)) bytes, $4: not $5 cycles and $6 for conflicts"
}

reads gfx950 16 32 none 4.00 4.00
reads gfx950 16 32 xor 4.00 0.00
reads gfx950 16 64 none 4.00 12.00
reads gfx950 16 64 xor 4.00 0.00
reads gfx950 16 64 pad16 4.00 4.00
reads gfx950 16 64 pad32 4.00 0.00
reads gfx942 8 32 none 8.00 8.00
reads gfx942 8 32 xor 8.00 0.00
reads gfx942 8 64 none 8.00 24.00
reads gfx942 8 64 xor 8.00 0.00
reads gfx942 8 64 pad16 8.00 8.00
reads gfx942 8 64 pad32 8.00 0.00

# What is to be done about it: 16 to 4 cycles, and 32 to 8.
tile="--dtype f16 --rows 64 --columns 64 --down 16"
# shellcheck disable=SC2086  # words
expect 0 lds --solve --arch gfx950 $tile
says "16 cycles an instruction as it"
says "is, 4 then"
# shellcheck disable=SC2086
expect 0 lds --solve --arch gfx942 $tile
says "32 cycles an instruction as it"
says "is, 8 then"
end
