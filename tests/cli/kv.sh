# kv.sh - a KV cache written and read both ways: results, instructions, rules.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

kv="kv --arch gfx906 --device sim --heads 4 --seq 512"

# op, layout, cache, dim; width, span, threads, ahead, split; its code has that.
while read -r op layout cache dim width span threads ahead split instruction; do
  # shellcheck disable=SC2086
  disassemble $kv --op $op --layout $layout --cache $cache --dim $dim \
    --set width=$width,span=$span,threads=$threads,ahead=$ahead,split=$split
  has "$instruction"
done <<'END'
write    hsd f32 128 4  dim 128 1 1  global_store_dwordx4
write    hsd f32 64  1  dim 64  1 1  global_store_dword v
write    hds f32 128 4  dim 128 1 1  global_store_dwordx4
write    hds f32 128 1  seq 64  1 1  global_store_dword v
write    hsd f16 256 8  dim 32  1 1  v_cvt_f16_f32
write    hds i8  64  16 seq 32  1 1  global_store_dwordx4
read_dot hsd f32 128 4  dim 32  1 1  global_load_dwordx4
read_dot hsd f32 128 4  dim 32  1 1  ds_bpermute_b32
read_dot hsd f32 256 1  dim 256 2 1  s_barrier
read_dot hds f32 128 4  dim 128 1 1  global_load_dwordx4
read_dot hds i8  64  4  seq 64  4 1  global_load_dword v
read_dot hsd f16 64  8  seq 64  2 1  global_load_dwordx4
read_seq hsd f32 128 1  dim 128 1 1  global_load_dword v
read_seq hsd f32 128 4  dim 32  4 4  global_load_dwordx4
read_seq hds f32 64  4  dim 64  2 1  global_load_dwordx4
read_seq hds f16 64  8  dim 64  2 4  global_load_dwordx4
read_seq hsd i8  128 16 dim 32  1 16 global_load_dwordx4
END

# Fewer tokens than the cache holds, the new ones at its end.
expect 0 $kv --op write --layout hds --tokens 16 --set width=4,span=dim
says "1 ok"

expect 1 $kv --cache f16 --set width=16
says "width elements of the cache are over 16 bytes"
expect 1 $kv --set width=1,span=dim,threads=64
says "span=dim: dim / width (hds: dim) is over threads"
expect 1 $kv --set split=4
says "split > 1 needs op=read_seq, which adds up slices"
expect 1 $kv --op read_seq --set span=seq
says "op=read_seq needs span=dim: a thread keeps its dim"
expect 1 kv --arch gfx906 --device sim --heads 4 --seq 500 --set width=4,span=dim,threads=256,ahead=4
says "seq or tokens is no multiple of what a workgroup or slice takes"
expect 1 emit kv --arch sm_90 --cache f16 --set width=4,span=dim,threads=32
says "cache=f16 needs a compiler for amdgcn"
expect 2 $kv --op write --tokens 513
says "tokens=513 is more than seq=512"

expect 0 $kv --op read_seq --evals 6 --search exhaustive
says "6 ok"
says "GB/s"
fits
expect 0 show kv --arch gfx906 --op read_seq
says "op=read_seq,layout=hsd"
fits
expect 0 emit kv --arch gfx906 --op read_seq --heads 4 --seq 512
says "__global__"
expect 0 explain kv --arch gfx906 --op read_seq --heads 4 --seq 512 \
  --device sim
says "GB/s from HBM"
fits
end
