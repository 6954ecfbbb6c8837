# emit.sh - what emit prints can be launched by what it says alone.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

run=$work/emitted
cc -D__HIP_PLATFORM_AMD__ -o "$run" "$(dirname "$0")/../corpus/emitted.c" \
  -lamdhip64 -ljansson -lm >"$out" 2>&1 || fail "emitted.c does not build"

# launches TEXT ARGS...: `tune emit ARGS --json`, launched, says TEXT.
launches()
{
  want=$1
  shift
  expect 0 emit gemm --arch gfx906 "$@" --json
  cp "$out" "$work/json"
  LD_PRELOAD=$lib/libhipsim.so "$run" "$work/json" >"$out" 2>"$err" ||
    fail "$last: cannot be launched, or is wrong"
  says "$want"
}
lib=$1

launches "1 launches, 3 buffers, 0 of 693 wrong" --m 33 --n 21 --k 40 \
  --layout tt --alpha 0.5 --beta 2 --lda 35 --ldc 64 --set raster=1
launches "2 launches, 4 buffers, 0 of 1024 wrong" --m 32 --n 32 --k 64 \
  --set split_k=4 --beta 1
launches "2 launches, 4 buffers, 0 of 48000 wrong" --m 160 --n 300 --k 256 \
  --set stream_k=1

# The head comment has the same: launches in order, scratch, arguments.
expect 0 emit gemm --arch gfx906 --m 32 --n 32 --k 64 --set split_k=4
says "Launches on one stream, in this order"
says "sums f32[4096] (scratch)"
sed -n '/^ \*\//q; s/^ \*   *\([a-z]*\)<<<dim3(.*/\1/p' "$out" |
  tr '\n' ' ' | grep -q '^gemm reduce $' || fail "$last: not both launches"

# A batch by pointers takes lists of addresses.
expect 0 emit skinny --arch gfx906 --m 4 --n 64 --k 64 --batch 3 --batch_by pointers \
  --set split_k=1
says "Buffers: a f32*[3] (in, addresses), b f32*[3] (in, addresses)"

# A stored winner is launched by what show says, with the text that emit gives.
expect 0 gemm --arch gfx906 --device sim --m 30 --n 30 --k 20 --evals 2 --quiet
expect 0 show gemm --m 30 --json
sed 's/.*"buffers":/"buffers":/' "$out" >"$work/shown"
expect 0 emit gemm --arch gfx906 --m 30 --n 30 --k 20 --json
sed 's/.*"buffers":/"buffers":/; s/,"static_lds".*/}/' "$out" |
  cmp -s - "$work/shown" || fail "show and emit differ"
end
