# hipsim_run.sh - hipsim-run runs a program on the simulated card and says what
# ran.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/program.sh"
build=$1

# runs STATUS ARGUMENT... - hipsim-run ends with that
runs()
{
  status=$1
  shift
  "$build/hipsim-run" "$@" >"$work/out" 2>&1
  is=$?
  [ $is = "$status" ] || fail "hipsim-run $* ends with $is, not $status"
}

# says LINE... - each stands in what it printed
says()
{
  for line; do
    grep -qE -- "$line" "$work/out" || fail "it does not say: $line"
  done
}

export TMPDIR="$work"
cc -D__HIP_PLATFORM_AMD__ -o "$work/saxpy" \
  "$(dirname "$0")/../corpus/thirdparty.c" -lamdhip64 >"$work/out" 2>&1 ||
  fail "thirdparty.c does not build"
runs 0 "$work/saxpy"
says "^hipsim-run: on a simulated mi50" "^1 launch of 1 kernel" \
  "^ +1 +0\.[0-9]+ 100\.0%  saxpy$" "^1 fault:$" "^  kernel stray, .*outside"
runs 0 --card=mi60 --clock 1400 -- "$work/saxpy"
says "simulated MI60 .* 64 CUs" "on a simulated mi60"
runs 0 --quiet "$work/saxpy"
grep -q hipsim-run "$work/out" && fail "it is not quiet"
runs 1 --limit 2^20 "$work/saxpy"
says "HIPSIM_LIMIT=2\^20 is no number"
runs 0 --check race,wait "$work/saxpy"
says "^libhipsim: checked 2 launches: 0 findings, race 0, wait 0$"
runs 1 --check=races "$work/saxpy"
says "HIPSIM_CHECK: races is none of race, wait, barrier, "

# The program's environment, arguments and exit status are its own.
runs 7 sh -c 'echo "$1"; exit 7' sh "a  b"
says "^a  b$" "sh did not use HIP"
runs 143 sh -c 'kill -TERM $$'
runs 127 "$work/nothing"
runs 126 "$work"
for words in "" --card "--colour red x" -; do
  # shellcheck disable=SC2086  # words
  "$build/hipsim-run" $words >"$work/out" 2>&1
  is=$?
  [ $is = 2 ] || [ "$words" = - ] || fail "hipsim-run $words ends with $is"
done
runs 0 --help
says "modelled time by kernel"

# Where there is no real library, a link has its name.
echo "int hipGetDeviceCount(int *n) { return *n = 0; }" >"$work/real.c"
cc -shared -fPIC -Wl,-soname,libamdhip64.so.7 -o "$work/libamdhip64.so.7" \
  "$work/real.c" || fail "no stand-in"
echo "int hipGetDeviceCount(int *n);
int main(void) { int n = 0; return hipGetDeviceCount(&n) || n != 1; }" \
  >"$work/count.c"
cc -o "$work/count" "$work/count.c" "$work/libamdhip64.so.7" ||
  fail "count.c does not build"
rm "$work/libamdhip64.so.7"
runs 0 "$work/count"

# Two processes add up, one that is killed has told what it did.
runs 0 sh -c "'$work/saxpy' >/dev/null & '$work/saxpy'; wait"
says "^2 launches of 1 kernel"
[ -z "$(find "$work" -name 'hipsim-run-*')" ] || fail "it leaves files behind"
