# gload.sh - memory read, written, copied: results, instructions, rules.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

gload="gload --arch gfx906 --device sim --depth 4"

# op, words, stride; width, ahead, threads, groups; what its code has to have.
while read -r op n stride width ahead threads groups instruction; do
  # shellcheck disable=SC2086
  disassemble $gload --op $op --n $n --stride $stride \
    --set width=$width,ahead=$ahead,threads=$threads,groups=$groups
  has "$instruction"
done <<'END'
read  40960  1 1 4 256 0 global_load_dword v
read  40960  1 2 2 64  0 global_load_dwordx2 v
read  40960  1 4 8 64  0 global_load_dwordx4 v
read  40960  5 4 4 256 0 global_load_dwordx4 v
read  999424 1 4 2 256 2 global_load_dwordx4 v
write 40960  1 1 1 64  0 global_store_dword v
write 40960  3 2 1 256 0 global_store_dwordx2 v
write 999424 1 4 1 256 2 global_store_dwordx4 v
copy  40960  1 4 4 64  0 global_load_dwordx4 v
copy  40960  1 4 4 64  0 global_store_dwordx4 v
copy  40960  7 1 8 256 0 global_store_dword v
END

# As many loads as are to be in flight come before the first wait.
for ahead in 1 2 4 8; do
  disassemble gload --arch gfx906 --device sim --depth 16 --n 49152 \
    --set width=4,threads=256,groups=0,ahead=$ahead
  awk -v want=$ahead '
    /global_load_dwordx4/ { n++ }
    /s_waitcnt vmcnt/ && n { if (n > most) most = n; n = 0 }
    END { exit most != want }' "$code" ||
    fail "not $ahead loads before a wait"
done

expect 1 $gload --op write --n 40960 --set ahead=4
says "op=write has no loads in flight: ahead > 1"
expect 1 $gload --n 40960 --set groups=8
says "groups * CUs is over the tiles, n / (1024 * depth)"
expect 2 $gload --n 1024
says "n=1024 is not a multiple of a tile, 4096 words"

expect 0 $gload --n 40960 --evals 6 --search exhaustive
says "6 ok"
says "GB/s"
fits
expect 0 show gload --arch gfx906 --n 40960
says "op=read,n=40960"
fits
expect 0 emit gload --arch gfx906 --n 40960 --depth 4
says "__global__"
expect 0 explain gload --arch gfx906 --n 40960 --depth 4 --device sim
says "GB/s from HBM"
fits
end
