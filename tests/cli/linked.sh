# linked.sh - a program with <<<>>> and device variables, as hipcc makes it,
# runs on libhipsim.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"
source=$(dirname "$0")/../corpus/linked.hip

# built NAME OPTION... - the program, compiled so
built()
{
  program=$work/$1
  shift
  hipcc "$@" -o "$program" "$source" >"$work/out" 2>&1 ||
    fail "hipcc $* does not compile it"
}

# runs - it ends well, and says so
runs()
{
  LD_PRELOAD=$1/libhipsim.so "$program" >"$work/out" 2>&1 || fail "$2"
  grep -qx "0 failures" "$work/out" || fail "$2"
}

command -v hipcc >/dev/null || {
  echo "no hipcc (Debian package hipcc)"
  exit 1
}
built plain --offload-arch=gfx906 -O2
runs "$1" "it does not run"
for line in "store to 0x" "is no kernel of this program" \
  "hipCreateTextureObject: the simulated device has no textures"; do
  grep -qF "$line" "$work/out" || fail "stderr does not say: $line"
done
for line in "lane 7:   3.50 few" "lane 57:  28.50 a text that is longer than \
one packet, so that it needs several of them" "lane 107:  53.50 a text" \
  "assertion \`threadIdx.x < n' failed"; do
  grep -qF "$line" "$work/out" || fail "its kernels do not print: $line"
done
[ "$(grep -c "^lane" "$work/out")" = 3 ] || fail "a line too many"
built unoptimised -O0 -g --offload-arch=gfx90a \
  --offload-arch=gfx906:sramecc+:xnack-
runs "$1" "unoptimised and from a bundle of two it does not run"

built other --offload-arch=gfx908 -O2
LD_PRELOAD=$1/libhipsim.so "$work/other" >"$work/out" 2>&1 &&
  fail "it runs without code for gfx906"
grep -qF "only for: gfx908" "$work/out" || fail "it does not say what is there"
