# emitted_gemm.sh - gemm by its definition: kernels that `tune emit` printed are
# launched by a program that knows nothing of tune, with buffers between guards and
# no better aligned than the kernel asks for, and C full of NaN where beta is 0.
# Every element is exactly the product's: sizes about powers of two, strides,
# batches, lists of pointers, little alignment, extreme integers, subnormals.
# SPDX-License-Identifier: MIT
#
# emitted_gemm.sh BUILD [all] - every third of the sizes, or all of them.
. "$(dirname "$0")/lib.sh"
step=3
[ "${2:-}" != all ] || step=1

run=$work/emitted
cc -D__HIP_PLATFORM_AMD__ -o "$run" "$(dirname "$0")/../corpus/emitted.c" \
  -lamdhip64 -ljansson -lm >"$out" 2>&1 || fail "emitted.c does not build"
lib=$1 right=0 tried=0 values=

# right ARGS...: what `tune emit gemm ARGS` prints is right.
right()
{
  tried=$((tried + 1))
  expect 0 emit gemm --arch gfx906 --json "$@"
  cp "$out" "$work/json"
  # shellcheck disable=SC2086  # a list of words
  if LD_PRELOAD=$lib/libhipsim.so "$run" "$work/json" $values >"$out" 2>"$err"
  then right=$((right + 1)); else fail "$last: cannot be launched, or is wrong"; fi
}

# Each m with each n, k in turn, and with them types, layouts and kernels.
types="f32 f16 bf16 i8" layouts="nn nt tn tt"
sizes="1 3 17 63 65 255 257"
pick() { shift $(($1 % ($# - 1) + 1)); echo "$1"; }
i=0
for m in $sizes; do
  for n in $sizes; do
    # shellcheck disable=SC2086  # lists of words
    {
      k=$(pick $((i / 7 + i % 7 * 3)) $sizes)
      type=$(pick $i $types) layout=$(pick $((i / 3)) $layouts)
    }
    beta=$((i % 2 * -2)) set=raster=1
    [ $((i % 3)) -gt 0 ] || [ "$k" -lt 63 ] || set=split_k=2
    [ $((i % step)) -gt 0 ] ||
      right --dtype "$type" --layout "$layout" --m "$m" --n "$n" --k "$k" \
        --beta $beta --set $set
    i=$((i + 1))
  done
done

# Rows longer than needed, batches, all products with one A.
for batch in 1 3 257; do
  right --m 17 --n 3 --k 5 --lda 9 --ldb 11 --ldc 7 --batch $batch \
    --stride_b 60 --stride_c 120 --set raster=1
  right --m 17 --n 33 --k 40 --dtype f16 --layout tn --batch $batch \
    --batch_by pointers --beta 1 --set raster=1
  right --m 5 --n 33 --k 65 --dtype i8 --layout nt --batch $batch \
    --batch_by pointers --set raster=1
done
right --m 5 --n 33 --k 65 --dtype f16 --batch 3 --batch_by pointers \
  --set split_k=2
right --m 17 --n 33 --k 40 --alpha 0 --beta 2 --batch 3 --batch_by pointers \
  --set tile_m=4
right --m 6 --n 34 --k 40 --dtype i4 --beta 3 --set raster=1

# Workgroups that share the k tiles of C, some after tiles of C of their own.
right --m 65 --n 257 --k 1025 --set stream_k=1
right --m 63 --n 65 --k 2049 --dtype f16 --layout nt --beta -2 \
  --set stream_k=2
right --m 257 --n 257 --k 65 --dtype i8 --layout tn \
  --set stream_k=1,tile_m=16,tile_n=16

# Buffers that begin at odd multiples of few bytes.
for align in 2 4 8; do
  right --m 33 --n 40 --k 48 --dtype f16 --layout tn --align $align \
    --set raster=1
  right --m 33 --n 40 --k 48 --dtype bf16 --type_c f32 --align $align \
    --set raster=1
done
right --m 33 --n 40 --k 48 --dtype i8 --layout nt --align 1 --set raster=1
right --m 33 --n 40 --k 48 --align 4 --beta 1 --set load_a=1
right --m 33 --n 40 --k 48 --align 4 --batch 3 --batch_by pointers \
  --set load_a=1

# v_dot4 over the longest sum of the least byte: 2^31, which wraps.
values="-128 -128"
right --m 3 --n 5 --k 131072 --dtype i8 --layout nt --set raster=1
# Of 2^-24, the least f16, v_dot2 makes what it is.
values="5.9604644775390625e-08 16384"
right --m 17 --n 5 --k 96 --dtype f16 --layout nt --set raster=1
right --m 17 --n 5 --k 96 --dtype f16 --type_c f32 --layout nt --set raster=1
echo "$right of $tried are right"

# excluded REASON: the configuration that was asked for is; each rule is listed, too.
excluded() { grep -q "^  excluded *$1" "$out" || fail "$last: not excluded"; }

# What cannot be says why before anything is launched.
expect 2 emit gemm --arch gfx906 --align 2
says "elements of f32 have 4 bytes"
expect 2 emit gemm --arch gfx906 --batch_by pointers
says "needs batch > 0"
expect 2 emit gemm --arch gfx906 --batch 2 --batch_by pointers --stride_a 9
says "has no strides"
expect 2 emit gemm --arch gfx906 --batch 65536
says "batch is 65536; it must be from 0 to 65535"
expect 0 explain gemm --arch gfx906 --m 64 --n 64 --k 64 --align 4 \
  --set load_a=4
excluded "load_a elements at once are more than align bytes"
set=tile_m=16,tile_n=16,thread_m=2,thread_n=2,wave_m=8,tile_k=8,slice_k=1
set=$set,load_a=1,load_b=1,read_width=2,pad_a=0,pad_b=0,xor_a=0,xor_b=0
set=$set,async=0,stages=1,load_ahead=0,read_ahead=0,raster=1,split_k=1
expect 0 explain gemm --arch gfx906 --m 16 --n 32 --k 1000000000 \
  --set $set,stream_k=1
excluded "stream_k > 0, but the k tiles of its workgroups are beyond 32-bit"
end
