# setup.sh - first runs that cannot install or build say what to do.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# A checkout with the scripts alone, and a machine on which no package is
# installed and there is neither root nor sudo.
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$work/checkout bin=$work/bin
mkdir -p "$here/docs" "$bin"
cp -r "$top/tune" "$top/scripts" "$top/packages" "$here"
cp "$top/docs/usage.txt" "$here/docs"
for tool in sh awk sed dirname readlink cat mkdir stat; do
  ln -s "$(command -v $tool)" "$bin/$tool"
done
printf '#!/bin/sh\nexit 1\n' >"$bin/dpkg-query"
printf '#!/bin/sh\n[ "$1" = -u ] && echo 1000 || echo somebody\n' >"$bin/id"
chmod +x "$bin/dpkg-query" "$bin/id"

# first STATUS ARGS... - ./tune there
first()
{
  want=$1
  shift
  last="./tune $*"
  PATH=$bin "$here/tune" "$@" >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

unset ROCM_PATH
first 0 --help
says "tune FAMILY --arch ARCH"
mkdir -p "$here/build/release" # of an older tree: not brought up to date first
printf '#!/bin/sh\necho built "$@"\n' >"$here/build/release/tune"
chmod +x "$here/build/release/tune"
first 0 --help
says "built --help"
rm -r "$here/build"
first 1 list devices
says "apt-get install -y --no-install-recommends gcc libc6-dev"
says_not gnuplot
first 1 study --arch gfx906
says gnuplot-nox

# AMD's ROCm, whole and without headers.
export ROCM_PATH=$work/rocm
mkdir -p "$work/rocm/lib" "$work/rocm/include/hip"
: >"$work/rocm/lib/libamdhip64.so.6"
first 1 list devices
says "the ROCm in $work/rocm is not complete; install AMD's package"
says hip-dev
: >"$work/rocm/include/hip/hip_runtime_api.h"
first 1 list devices
says "apt-get install"
says_not amdhip64

# All is installed, and the checkout is somebody else's: whoever runs the test
# may be root, so the folder cannot be made because a file is in its place.
printf '#!/bin/sh\necho installed\n' >"$bin/dpkg-query"
: >"$here/build"
first 1 list devices
says "$here/build belongs to"
says "cp -r $here ~/wavetune"
end
