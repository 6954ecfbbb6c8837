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

# Types take turns with sizes, so that each layout and each type has every size.
for arch in $archs; do
  turn=0
  for type in f16 bf16 i8 f32; do
    for layout in nn nt tn tt; do
      try "$arch" $type $layout $((turn % 4)) $(((each + 15) / 16))
      turn=$((turn + 1))
    done
    turn=$((turn + 1))
  done
  all_right "$arch" "$each"
done

# An architecture without them says so.
expect 2 mfma_gemm --arch gfx906 --device sim --evals 1 --quiet
says "family gemm does without"
end
