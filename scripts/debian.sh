# shellcheck shell=sh disable=SC2034  # the scripts use what it sets
# debian.sh - what scripts/get-* share: files of Debian's mirrors, by apt's own
# downloader. They read it with `.`, run with `set -eu`.
# SPDX-License-Identifier: MIT

helper=/usr/lib/apt/apt-helper

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# need TOOL... - or it ends.
need() {
  for tool; do
    command -v "$tool" >/dev/null || fail "$tool is missing; it needs a Debian"
  done
}

# work_in FOLDER - makes it, and sets work: a folder in it that goes with the script.
work_in() {
  mkdir -p "$1"
  work=$(mktemp -d "$1/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
}

# mirrors - the addresses that apt uses, however its sources are written.
mirrors() {
  # shellcheck disable=SC2016  # $(...) is indextargets's own
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
    sed 's|/*$||' | awk '!seen[$0]++'
}

# fetch URI FILE [HASH] - quietly; work/log has what apt says when it goes wrong.
fetch() {
  "$helper" download-file "$@" >"$work/log" 2>&1
}
