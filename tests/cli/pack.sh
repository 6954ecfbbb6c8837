# pack.sh - winners packed, and launched by an application that is built from
# the installed tree, in a folder of its own, as a user's would be.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
build=$1
inst=$work/inst
app=$work/app

# tuned CONFIG KEY VALUE... - a winner, without a search
tuned()
{
  set_to=$1
  shift
  expect 0 gemm --arch gfx906 --device sim --quiet --set "$set_to" "$@"
}

expect 1 pack --arch gfx906
says "holds no winner"

plain=tile_m=32,tile_n=32,thread_m=4,thread_n=4,wave_m=8,tile_k=8,slice_k=1
plain=$plain,read_width=4,pad_a=0,pad_b=0,xor_a=0,xor_b=0,async=0,stages=1
plain=$plain,load_ahead=1,read_ahead=0,raster=1
tuned $plain,load_a=1,load_b=1,split_k=1,stream_k=0 --m 64 --n 64 --k 40
tuned $plain,load_a=1,load_b=1,split_k=2,stream_k=0 --m 32 --n 64 --k 64 \
  --layout nt
tuned $plain,load_a=1,load_b=1,split_k=1,stream_k=1 --m 288 --n 288 --k 64 \
  --layout tn
expect 0 pack --out "$work/a.pack"
says "gfx906 gemm"
says "3 winners, 0 measured and 3 modelled; 3 kernels by"
says "3 of them from the cache"
expect 0 pack gemm --arch gfx906 --json --out "$work/b.pack"
says '"type":"packed","arch":"gfx906","family":"gemm"'
cmp -s "$work/a.pack" "$work/b.pack" || fail "the same pack is another"
expect 1 pack --arch gfx906,gfx90a --out "$work/c.pack"
says "holds no winner of gfx90a"
[ ! -e "$work/c.pack" ] || fail "a pack was written nonetheless"
expect 2 pack gemn --out "$work/c.pack"
says "did you mean 'gemm'"
expect 1 pack --out /proc/c.pack
says "/proc/c.pack"

# Templates that changed: what is stale is packed, and said.
mkdir -p "$work/templates"
cp -r "$(dirname "$0")"/../../templates/* "$work/templates"
echo "-- a comment" >>"$work/templates/gemm.lua"
expect 0 pack gemm --arch gfx906 --templates "$work/templates" \
  --out "$work/same.pack"
says_not "stale"
echo "// changed" >>"$work/templates/gemm.hip"
expect 0 pack gemm --arch gfx906 --templates "$work/templates" \
  --out "$work/stale.pack"
says "3 stale"

# A winner that the family cannot read is left out, and said.
mkdir -p "$work/other/gfx906"
sed 's/tile_m=32/tile_q=32/' "$work/data/tune/gfx906/gemm.table" \
  >"$work/other/gfx906/gemm.table"
expect 1 pack --db "$work/other" --out "$work/c.pack"
says "checksum does not match"

# What was counted and not timed is no winner: its kernels are not the fastest.
expect 0 lds --arch gfx90a --device sim --evals 1 --quiet --db "$work/counted"
says "not timed"
expect 1 pack --db "$work/counted" --out "$work/c.pack"
says "it was counted and not timed"
[ ! -e "$work/c.pack" ] || fail "$last: a pack without a kernel"

# As source: a header with a table, and the kernels.
expect 2 emit gemm --arch gfx906 --out "$work/source" --m 64
says "--out and --header write all winners"
expect 1 emit gemm --arch gfx90a --out "$work/source"
says "holds no winner of gemm on gfx90a"
expect 0 emit gemm --arch gfx906 --out "$work/source"
says "gemm_gfx906.h: 3 winners in 3 files"
cat >"$work/table.c" <<'EOF'
#include "gemm_gfx906.h"
#include <stdio.h>
int main(void)
{
  for (unsigned i = 0; i < 3; i++) {
    const struct gemm_gfx906_winner *w = &gemm_gfx906_winners[i];
    printf("%lld %s %lld %s %llu:", w->problem.m, w->problem.layout,
           w->config.split_k, w->file, w->scratch);
    for (unsigned j = 0; j < w->nlaunches; j++)
      printf(" %s %u %u %u %u (%s)", w->launch[j].kernel, w->launch[j].grid[0],
             w->launch[j].grid[2], w->launch[j].block[0], w->launch[j].lds,
             w->launch[j].args);
    puts("");
  }
}
EOF
last="the emitted header"
cc -std=c99 -Wall -Wextra -Werror -I"$work/source" -o "$work/table" \
  "$work/table.c" >"$out" 2>"$err" || fail "$last"
"$work/table" >"$out"
says "64 nn 1 gemm_gfx906_1.hip 0: gemm 4 1 64 0 (a, b, c, 64, 64, 40, 40, 64, 64, 1)"
says "32 nt 2 gemm_gfx906_0.hip 16384: gemm 2 2 64 0 (a, b, sums, "
says " reduce 8 1 256 0 (sums, c, 32, 64, 64, 1)"
hipcc --offload-arch=gfx906 --cuda-device-only -c -o "$work/0.o" \
  "$work/source/gemm_gfx906_0.hip" >"$out" 2>"$err" || fail "$last: hipcc"

# The installed tree, and an application that knows nothing else.
cmake --install "$build" --prefix "$inst" >"$out" 2>"$err" ||
  fail "cmake --install"
cp -r "$inst/share/doc/libtuned-dev/example" "$app"
{
  cmake -S "$app" -B "$app/build" -D CMAKE_PREFIX_PATH="$inst" &&
    cmake --build "$app/build"
} >"$out" 2>"$err" || fail "the example does not build"
PKG_CONFIG_PATH=$(dirname "$(find "$inst" -name libtuned.pc)")
libraries=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # its output is a list of words
cc -std=c99 -Wall -Wextra -Werror -pedantic -D__HIP_PLATFORM_AMD__ \
  -o "$work/product" "$app/product.c" $(pkg-config --cflags --libs libtuned) \
  -lamdhip64 -lm >"$out" 2>"$err" || fail "pkg-config does not suffice"

# product STATUS ARGS... - the example on the simulated device
product()
{
  want=$1
  shift
  last="product $*"
  LD_PRELOAD=$libraries/wavetune/libhipsim.so "$app/build/product" "$@" \
    >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

product 0 "$work/a.pack" gfx906:sramecc+:xnack- 64 64 40
says "64 x 64 x 40: exact"
says "modelled, loss 0.00, 0 bytes of scratch"
product 0 "$work/a.pack" gfx906 100 76 24
says "100 x 76 x 24: fitted"
product 1 "$work/a.pack" gfx906 100 70 24 # n must be a multiple of 4
product 1 "$work/a.pack" gfx906 64 64 41 # and k a multiple of 8
says "no kernel of the pack fits the problem"
product 0 "$work/a.pack" gfx906 32 64 64 nt
says "exact"
says "16384 bytes of scratch"
product 0 "$work/a.pack" gfx906 40 72 96 nt
says "fitted"
product 0 "$work/a.pack" gfx906 288 288 64 tn
says "exact"
product 0 "$work/a.pack" gfx906 300 260 72 tn
says "fitted"
product 1 "$work/a.pack" gfx90a 64 64 40
says "it has gfx906, not gfx90a"
head -c 3000 "$work/a.pack" >"$work/cut.pack"
product 1 "$work/cut.pack" gfx906 64 64 40
says "but was written with"

# The installed program finds its own libraries.
last="the installed hipsim-run"
"$inst/bin/hipsim-run" true >"$out" 2>"$err" || fail "$last"
last="the installed tune"
"$inst/bin/tune" list devices >"$out" 2>"$err" || fail "$last"
says "simulated MI50"
LD_LIBRARY_PATH=$libraries nm -D "$libraries/libtuned.so.0" >"$out"
says "tuned_find@@TUNED_0.1"

end
