# symbols.sh - what the real HIP library exports libhipsim has, too, of all
# releases: a program that is run with it by LD_PRELOAD would get the rest from
# a library that finds no device, and one that is run by a link would end.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"

# The real library's on purpose, by regular expression:
#   compiling needs no device           hiprtc.*
#   nor does the header of a compiler   __hipGetPCH
#   profilers ask to be called back: none of these calls tells them anything,
#   and names of the events that they never get are theirs, too
#     hip.*(Api|Activity)Callback hipGetCmdName
#   a compiler's own, of halves         __gnu_.*
left='hiprtc.*|__hipGetPCH|hip.*(Api|Activity)Callback|hipGetCmdName|__gnu_.*'

# exported LIBRARY - the names of its functions, without their versions
exported()
{
  nm -D --defined-only "$1" 2>"$work/out" |
    sed -n 's/^[0-9a-f]* [TtWi] \([^@]*\).*/\1/p' | sort -u
}

real=$(cc -print-file-name=libamdhip64.so.5)
[ -e "$real" ] || {
  echo "no libamdhip64.so.5 (Debian package libamdhip64-5)"
  exit 1
}
{
  exported "$real" | grep -i hip
  sed -n 's/^hip_[0-9.]* //p' "$(dirname "$0")/../data/hip_functions.txt"
} | grep -vxE "$left" | sort -u >"$work/real"
exported "$1/libhipsim.so" >"$work/simulated"
[ "$(wc -l <"$work/real")" -gt 300 ] || fail "nm finds no functions in $real"
comm -23 "$work/real" "$work/simulated" >"$work/out"
[ ! -s "$work/out" ] || fail "libhipsim has not these functions; implement \
them, or list them in runtimes/sim/api/hip_refuse.c:"
