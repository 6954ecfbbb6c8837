# places.sh - winners of a modelled device are timed with their buffers at several
# places, once each, and so is what was given instead of a search.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

tiny="gemm --arch gfx906 --device sim --m 96 --n 32 --k 16"
store=$work/store
journal=$store/gfx906/gemm.journal
table=$store/gfx906/gemm.table

# is GOT WANTED - the two are the same
is()
{
  [ "$1" = "$2" ] || fail "$last: $1, not $2"
}

# finals - how many there were
finals()
{
  grep -c ' final=1 ' "$journal"
}

expect 0 $tiny --evals 12 --db "$store" --json --quiet
cp "$out" "$work/first"
first=$(finals)
[ "$first" -gt 0 ] || fail "no finalists"
[ "$(grep ' final=1 ' "$journal" | grep -vc ' n=5 ')" -eq 0 ] ||
  fail "not at five places"
grep -q ' final=1 .* n=5 ' "$table" || fail "the winner was not at five places"
grep -v ' final=1 ' "$journal" | grep -q ' n=5 ' &&
  fail "others were at five places"

# The same again: nothing is timed, and the search learns the same.
expect 0 $tiny --evals 12 --db "$store" --json --quiet
cmp -s "$out" "$work/first" || fail "the second run says something else"
is "$(finals)" "$first"

# What is given, too.
config=$(tail -1 "$work/first" | sed -n 's/.*"config":{\([^}]*\)}.*/\1/p' |
  tr -d '"' | tr ':' '=')
expect 0 $tiny --set "$config" --db "$work/given"
given=$work/given/gfx906/gemm.journal
is "$(grep -c . "$given")" 2
is "$(grep -c ' final=1 .* n=5 ' "$given")" 1

# Rows that are older than finals get them in the next near night, which finds nothing
# new to try.
cat >"$work/near.lua" <<'END'
return { arch = "gfx906", device = "sim", evals = 12, unchanged = "near",
         problems = { gemm { m = 96, n = 32, k = 16 } } }
END
expect 0 sweep "$work/near.lua" --db "$store"
is "$(finals)" "$first"
sed 's/ final=1 / /; s/ crc=[^ ]*//' "$table" >"$work/older"
cp "$work/older" "$table"
grep -v ' final=1 ' "$journal" >"$work/trials"
cp "$work/trials" "$journal"
expect 0 sweep "$work/near.lua" --db "$store"
says "near"
is "$(finals)" "$first"
grep -q ' final=1 .* n=5 ' "$table" || fail "$last: the row is as it was"

# Places are not alike: the mean of this kernel's times is not that of its trial.
expect 0 gemm --arch gfx906 --device sim --m 128 --n 1024 --k 4096 \
  --layout nt --dtype i8 \
  --set tile_m=64,tile_n=48,thread_m=8,thread_n=6,wave_m=8,tile_k=32 \
  --set slice_k=8,slice_loads=1,load_a=4,load_b=4,read_width=2,pad_a=4 \
  --set pad_b=0,xor_a=0,xor_b=0,async=0,stages=2,load_ahead=1 \
  --set read_ahead=2,raster=1,split_k=1,stream_k=1 \
  --db "$work/other"
times=$(grep -o ' time_us=[^ ]*' "$work/other/gfx906/gemm.journal" | sort -u)
is "$(echo "$times" | wc -l)" 2
end
