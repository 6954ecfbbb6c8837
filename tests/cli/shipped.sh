# shipped.sh - tables that came with the program: found, shadowed by the user's own,
# begun with, and told when they are stale.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
build=$1
size="--m 64 --n 64 --k 40"

plain=tile_m=32,tile_n=32,thread_m=4,thread_n=4,wave_m=8,tile_k=8,slice_k=1
plain=$plain,load_a=1,load_b=1,read_width=4,pad_a=0,pad_b=0,xor_a=0,xor_b=0
plain=$plain,async=0,stages=1,load_ahead=1,read_ahead=0,raster=1,split_k=1
plain=$plain,stream_k=0

# Whose winner of `size` is it? A table made elsewhere is the shipped one.
expect 0 gemm --arch gfx906 --device sim --quiet --set $plain $size
mkdir "$work/shipped"
mv "$XDG_DATA_HOME/tune/gfx906" "$work/shipped"
rm "$work/shipped/gfx906/gemm.journal"*
export TUNE_SHIPPED="$work/shipped"
expect 0 show
says "came with the"
says "m=64,n=64,k=40"
expect 0 show gemm --m 64
says "gemm on gfx906, came with the program"
expect 0 show gemm --m 64 --json
says '"shipped":1'
expect 0 emit gemm --arch gfx906 $size
says "tile_m=32 tile_n=32"

# A run begins with it, also on the same problem; then the user's own shadows it.
expect 0 gemm --arch gfx906 --device sim --quiet --evals 1 $size
says "begun with 1 winner"
says "tile_m=32,tile_n=32"
expect 0 show gemm --m 64
says "gemm on gfx906"
says_not "came with the program"
expect 0 pack --out "$work/own.pack"
says "1 winner,"

# Stale, and damaged.
mkdir -p "$work/templates"
cp -r "$(dirname "$0")"/../../templates/* "$work/templates"
echo "// changed" >>"$work/templates/gemm.hip"
expect 0 show gemm --templates "$work/templates" --db "$work/none"
says "(stale)"
expect 0 emit gemm --arch gfx906 $size --templates "$work/templates" \
  --db "$work/none"
says "the templates have changed since this winner was found"
sed -i 's/tile_m=32/tile_m=64/' "$work/shipped/gfx906/gemm.table"
expect 1 show gemm --db "$work/none"
says "shipped/gfx906/gemm.table:1: not used"

# None at all; and those of the tree, beside the built and the installed program.
TUNE_SHIPPED=
expect 1 show gemm --db "$work/none"
unset TUNE_SHIPPED
expect 0 show --db "$work/none"
says "came with the"
cmake --install "$build" --prefix "$work/inst" --component tune >"$out" 2>&1 ||
  fail "cmake --install"
tune=$work/inst/bin/tune
expect 0 show --db "$work/none"
says "came with the"

end
