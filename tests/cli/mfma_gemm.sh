# mfma_gemm.sh [CONFIGURATIONS [ARCH...]] - random configurations of mfma_gemm over
# types, layouts and sizes (tails, tiny, k below the tile, leading dimensions) are
# right on every architecture with matrix cores: every element against a BLAS in
# double precision or, of integers, exactly. At least so many of each architecture;
# without arguments 64 of gfx908 and gfx90a, and of gfx942 and gfx950 where clang-22
# and lld-22 are there.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

each=${2:-64}
archs=$([ $# -gt 2 ] && shift 2 && echo "$*")
if [ -z "$archs" ]; then
  archs="gfx908 gfx90a"
  if command -v clang-22 >/dev/null && command -v ld.lld-22 >/dev/null; then
    archs="$archs gfx942 gfx950"
  fi
fi

# size TYPE NUMBER - of C and k, and factors; of 0 all tiles are whole, as load=dma
# wants it.
size() {
  half=0.5
  [ "$1" = i8 ] && half=3
  case $2 in
  0) echo "--m 256 --n 128 --k 512" ;;
  1) echo "--m 65 --n 33 --k 17" ;;
  2) echo "--m 96 --n 64 --k 256 --beta -$half" ;;
  3) echo "--m 208 --n 136 --k 144 --lda 224 --ldb 208 --ldc 140 --alpha $half" ;;
  esac
}

# try ARCH TYPE LAYOUT SIZE EVALS - so many configurations.
try() {
  # shellcheck disable=SC2046  # size prints words
  candidates mfma_gemm --arch "$1" --device sim --search random --evals "$5" \
    --seed 7 --timeout 300 --dtype "$2" --layout "$3" $(size "$2" "$4")
}

# types ARCH - what its matrix cores multiply.
types() {
  case $1 in
  gfx908) echo "f16 bf16 i8 f32" ;;
  gfx90a) echo "f16 bf16 i8 f32 f64" ;;
  *) echo "f16 bf16 i8 f32 f64 fp8 bf8" ;;
  esac
}

# Types take turns with sizes, so that each layout and each type has every size.
for arch in $archs; do
  turn=0
  all=$((4 * $(types "$arch" | wc -w))) # types and layouts
  for type in $(types "$arch"); do
    for layout in nn nt tn tt; do
      try "$arch" $type $layout $((turn % 4)) $(((each + all - 1) / all))
      turn=$((turn + 1))
    done
    turn=$((turn + 1))
  done
  all_right "$arch" "$each"
done

# counts N INSTRUCTION - so often it is in the code.
counts() {
  [ "$(grep -c -e "$2" "$code")" -eq "$1" ] || fail "$last: its code has not $1 of $2"
}

# One configuration is the kernel gemm_prefetch of iree-org/wave (docs/wave,
# LDS_swizzling.rst): copies of 16 and of 4 bytes into one of three k tiles, three of
# them in flight, two halves of the waves a barrier apart. It is right, and its code
# has what the text there has.
if command -v clang-22 >/dev/null && command -v ld.lld-22 >/dev/null; then
  tiles=tile_m=64,tile_n=32,tile_k=64,waves_m=4,waves_n=2,shape=16,operand=16,read=16
  loads=transpose=0,load=dma,width_a=16,width_b=4,swizzle=xor,stages=3,ahead=1
  order=schedule=pingpong,setprio=1,accumulators=any,dies=0,raster=1,split_k=1
  set -- mfma_gemm --arch gfx950 --m 128 --n 256 --k 1024 --type_c f32 \
    --set "$tiles,$loads,$order"
  candidates "$@" --device sim
  all_right "gemm_prefetch" 1
  expect 0 emit "$@"
  clang-22 -x hip --offload-arch=gfx950 --offload-device-only -nogpuinc -nogpulib \
    -O3 -S -o "$code" "$out" || fail "gemm_prefetch does not compile"
  for i in 'vmcnt\(3\)' ds_read_b128 v_mfma_f32_16x16x32_f16 'setprio 1' 'setprio 0' \
    s_barrier 'group_segment_fixed_size: 36864' 'max_flat_workgroup_size: 512'; do
    has "$i"
  done
  # Two k tiles ahead of the loop and one in it: a copy of A, two of B each. A lane has
  # four sums.
  counts 3 'global_load_lds_dwordx4 '
  counts 6 'global_load_lds_dword '
  counts 4 'global_store_dword '
else
  echo "gemm_prefetch is skipped: no clang-22 and lld-22"
fi

# An architecture without them, or without those of a type, says so.
expect 2 mfma_gemm --arch gfx908 --device sim --dtype f64 --evals 1 --quiet
says "gfx908 has no matrix instruction for dtype=f64"
expect 2 mfma_gemm --arch gfx90a --device sim --dtype fp8 --evals 1 --quiet
says "gfx90a has no matrix instruction for dtype=fp8"
expect 2 mfma_gemm --arch gfx906 --device sim --evals 1 --quiet
says "family gemm does without"
end
