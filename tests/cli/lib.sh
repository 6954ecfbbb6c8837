# lib.sh - what the tests of the command line share; sourced by each.
# SPDX-License-Identifier: MIT
#
#   . "$(dirname "$0")/lib.sh"       in a script that gets the build folder
#   expect STATUS ARGS...            run `tune ARGS`, compare its exit status
#   budget ARGS...                   run `tune ARGS` until its time is up
#   took SECONDS                     no longer, since begun=$(date +%s)
#   says TEXT; says_not TEXT         look for it in what that printed
#   shows EXPRESSION...              look for lines of these forms
#   candidates ARGS...               run `tune ARGS --json --quiet`, and count them
#   all_right WHOSE COUNT            of those since, which are at least so many
#   disassemble ARGS...; has CODE    look for an instruction of the kernel
#
# Each script has a home of its own, and ends with `end`.

set -u
tune=$1/tune
work=$(mktemp -d /tmp/tune-cli-XXXXXX)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data
unset TUNE_DB TUNE_TEMPLATES TUNE_RUNTIME
export TUNE_SHIPPED= # what comes with the program changes no test
out=$work/out err=$work/err failed=0

fail()
{
  echo "FAILED: $*"
  tail -20 "$out" | cut -c1-300 | sed 's/^/  stdout: /'
  tail -20 "$err" | cut -c1-300 | sed 's/^/  stderr: /'
  failed=1
}

expect()
{
  want=$1
  shift
  last="tune $*"
  "$tune" "$@" >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

tried=0 good=0
candidates()
{
  expect 0 "$@" --json --quiet
  tried=$((tried + $(grep -c '"type":"candidate"' "$out")))
  good=$((good + $(grep -c '"type":"candidate".*"status":"ok"' "$out")))
  grep '"type":"candidate"' "$out" | grep -v '"status":"ok"'
}

all_right()
{
  echo "$1: $good of $tried configurations are right"
  [ $tried -ge "$2" ] || fail "$1: only $tried candidates"
  [ $good -eq $tried ] || fail "$1: $((tried - good)) are not right"
  tried=0 good=0
}

took()
{
  [ $(($(date +%s) - begun)) -le "$1" ] || fail "$last: took longer than $1 s"
}

# Run `tune ARGS`, which would take hours, for so long that there is a result.
# How long that is depends on what else the machine does: what ends with none
# is run again with a larger budget. The end may be late by twice the budget.
budget()
{
  for seconds in 4 16 64; do
    begun=$(date +%s)
    last="tune $* --seconds $seconds"
    "$tune" "$@" --seconds $seconds >"$out" 2>"$err"
    got=$?
    took $((3 * seconds))
    [ $got -eq 1 ] || break
    says "the time was up before"
  done
  [ $got -eq 0 ] || fail "$last: status $got, not 0"
}

says()
{
  grep -qF -e "$1" "$out" "$err" || fail "$last: does not say: $1"
}

# shows EXPRESSION... - each is a regular expression of a line that it printed
shows()
{
  for line; do
    grep -qE -e "$line" "$out" || fail "$last: no line like: $line"
  done
}

says_not()
{
  ! grep -qF -e "$1" "$out" "$err" || fail "$last: says: $1"
}

# Lines are at most 80 columns.
fits()
{
  ! grep -qE '.{81}' "$out" || fail "$last: a line has more than 80 columns"
}

# code_in CACHE FILE - the code of the largest entry, behind the hash of its contents.
code_in()
{
  tail -c +34 "$(find "$1/tune" -path '*/tune/??/*' -type f -exec ls -S {} + |
    head -1)" >"$2"
}

# Run `tune ARGS`, which must try one configuration, with cache and store of
# its own, and disassemble the kernel that ran (the largest entry there) to
# $code; has INSTRUCTION and has_not look for it, as regular expressions.
code=$work/code
disassemble()
{
  rm -rf "$work/alone"
  XDG_CACHE_HOME=$work/alone expect 0 "$@" --json --quiet --db "$work/alone/db"
  code_in "$work/alone" "$work/kernel.co"
  llvm-objdump-15 -d --mcpu=gfx906 "$work/kernel.co" >"$code" ||
    fail "$last: no disassembly"
}

has()
{
  grep -qE -e "$1" "$code" || fail "$last: its code has no $1"
}

has_not()
{
  ! grep -qE -e "$1" "$code" || fail "$last: its code has $1"
}

end()
{
  exit $failed
}

# A problem that takes a moment: tune SMALL...
small="gemm --arch gfx906 --device sim --m 64 --n 64 --k 32"
