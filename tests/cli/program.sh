# program.sh - what the tests of programs on libhipsim share; sourced by each.
# SPDX-License-Identifier: MIT
#
#   . "$(dirname "$0")/program.sh"   in a script that gets the build folder
#   fail TEXT                        with what stands in $work/out, and end
#
# Each script has a folder of its own, $work.

set -u
work=$(mktemp -d /tmp/tune-cli-XXXXXX)
trap 'rm -rf "$work"' EXIT

fail()
{
  echo "FAILED: $*"
  cat "$work/out"
  exit 1
}
