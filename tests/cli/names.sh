# names.sh - a program for HIP 5, 6 or 7, whose symbols have the versions of
# the real library's, runs where libhipsim has that library's name.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"
here=$(dirname "$0")
ln -s "$1/libhipsim.so" "$work/libhipsim.so"

# versions - a version script of all functions of tests/data/hip_functions.txt
versions()
{
  awk '/^hip/ { names[$1] = names[$1] $2 "; " }
       END { for (v in names) print v " { " names[v] "};" }' \
    "$here/../data/hip_functions.txt"
}

# program N - $work/program$N, linked to a library that is as little as a
# linker wants of libamdhip64.so.N
program()
{
  mkdir -p "$work/real$1"
  awk '/^hip/ && $2 !~ /^__/ { print "int " $2 "(void) { return 0; }" }' \
    "$here/../data/hip_functions.txt" >"$work/real.c"
  cc -shared -fPIC -o "$work/real$1/libamdhip64.so.$1" \
    -Wl,-soname,"libamdhip64.so.$1" -Wl,--version-script="$work/versions" \
    "$work/real.c" >"$work/out" 2>&1 || fail "no stand-in for the library"
  cc -Wl,-z,now -o "$work/program$1" "$here/../corpus/names.c" \
    "$work/real$1/libamdhip64.so.$1" >"$work/out" 2>&1 ||
    fail "names.c does not build"
  readelf -V "$work/program$1" | grep -q hip_5.1 ||
    fail "the program asks for no versions"
}

# prints N LINE... - it runs, by link, by copy and preloaded, and prints these
prints()
{
  major=$1
  shift
  program "$major"
  mkdir "$work/link$major" "$work/copy$major"
  ln -s "$1/libhipsim.so" "$work/link$major/libamdhip64.so.$major"
  cp "$1/libhipsim.so" "$work/copy$major/libamdhip64.so.$major"
  shift
  for way in link copy real; do
    LD_PRELOAD=
    [ $way = real ] && LD_PRELOAD=$work/libhipsim.so
    LD_LIBRARY_PATH=$work/$way$major LD_PRELOAD=$LD_PRELOAD \
      "$work/program$major" >"$work/out" 2>&1 ||
      fail "the program for HIP $major does not run ($way)"
    for line in "version $major" "launch: error 400" "$@"; do
      grep -qxF "$line" "$work/out" ||
        fail "for HIP $major it does not print ($way): $line"
    done
  done
}

versions >"$work/versions"
prints 5 "$1" "device: type 1, managed 0" "pinned: type 0, managed 0" \
  "managed: type 1, managed 1" "unknown: error 1"
for major in 6 7; do
  prints $major "$1" "device: type 2, managed 0" "pinned: type 1, managed 0" \
    "managed: type 3, managed 1" "unknown: type 0, managed 0"
done
