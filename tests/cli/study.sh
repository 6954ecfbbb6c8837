# study.sh - published figures and the report, with a small family.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

family=$(dirname "$0")/../tuner/families/plain.lua

expect 2 calibrate
says "which architecture?"
expect 2 calibrate --arch gfx906 --study axpyy "$family"
says "did you mean 'axpy'?"
expect 2 calibrate --arch gfx906 --m 5
says "there is no option --m"
expect 1 calibrate --arch sm_90 "$family"
says "there is no published figure of sm_90"

# Of cards whose times are not modelled: what others measured, and what is counted.
for arch in gfx908 gfx90a gfx942 gfx950; do
  expect 0 calibrate --arch $arch
  says "not timed"
  fits
done
says "ds_read_b128                   4         4 phases   HipKittens"
expect 0 calibrate --arch gfx942 --json
says '"what":"ds_read_b32, one bank","unit":"cycles","study":"pyhip, MI308X","low":64.0,"value":64.0,"source":"counted"'
says '"value":null,"source":"not timed"'

# one of the three figures is excluded by a rule: named, with its reason
expect 1 calibrate "$family" --arch gfx906 --device sim
says "figures of gfx906: published, and modelled here"
says "excluded: four elements a thread are for small workgroups"
says "why        four: the figure is made up"
says "3 figures, 2 of them with a value"
says "1 of 3 figures have no value"
fits
expect 1 calibrate "$family" --arch gfx906 --device sim --json --quiet
[ "$(grep -c '"type":"figure"' "$out")" -eq 3 ] || fail "not three figures"
[ "$(grep -c '"type":"ratio"' "$out")" -eq 1 ] || fail "not one ratio"
tail -1 "$out" | grep -q '"type":"calibration".*"figures":3,"ran":2' ||
  fail "no calibration at the end"

# the value is the cost over the time: 12 bytes an element
awk -F'[:,]' '/"type":"figure".*"id":"one"/ {
  for (i = 1; i < NF; i++) {
    if ($i ~ /"value"/) value = $(i + 1)
    if ($i ~ /"time_us"/) us = $(i + 1)
  }
  off = value / (12 * 100000 / us / 1000) - 1
  good = off * off < 1e-8
} END { exit !good }' "$out" || fail "the figure is not bytes over time"

expect 2 study
expect 2 study --arch gfx906 --n 5
if command -v gnuplot >/dev/null; then
  report=$work/report/study-gfx906.md
  expect 0 study "$family" --arch gfx906 --device sim --out "$work/report"
  says "$report"
  cp "$report" "$out"
  says "are **modelled**"
  says "simulated MI50"
  says "tune study $family --arch gfx906"
  says "| four | four elements a thread | 1 to 2 GB/s |"
  says "\`never\` has no value: excluded: four elements"
  says "Rules exclude 1 of 6 points"
  for plot in shape size; do
    says "(study-gfx906-plain-$plot.svg)"
    grep -q "(modelled)" "$work/report/study-gfx906-plain-$plot.svg" ||
      fail "the plot $plot does not say modelled"
  done
  expect 0 study "$family" --arch gfx906 --device sim --out "$work/report"
  tail -1 "$report" | grep -qE '^([0-9]+) candidates in .* s, \1 of them' ||
    fail "the second run measured something again"
  # time is up before all ran: there is a report, which says so
  budget study lds --arch gfx906 --device sim --out "$work/short" \
    --db "$work/other"
  grep -q "the time was up" "$work/short/study-gfx906.md" ||
    fail "the short report does not say what is missing"
  # and where there is not even the time to find a device, none
  expect 1 study "$family" --arch gfx906 --device sim --out "$work/none" \
    --seconds 0.01
  says "the time was up before compiler and device had answered"
  # interrupted: what ran is kept, and the same command goes on
  "$tune" study lane --arch gfx906 --device sim --out "$work/cut" \
    --db "$work/cutdb" >"$out" 2>"$err" &
  last="tune study, interrupted"
  n=0
  while [ ! -s "$work/cutdb/gfx906/lane.journal" ] && [ $n -lt 3000 ]; do
    sleep 0.1
    n=$((n + 1))
  done
  kill -TERM $!
  wait $!
  got=$?
  [ $got -eq 130 ] || fail "status $got after an interruption, not 130"
  says "interrupted; what ran is in the journal"
  [ ! -e "$work/cut/study-gfx906.md" ] || fail "half a study made a report"

  # between two measurements too: gnuplot interrupts who called it
  mkdir "$work/bin"
  printf '#!/bin/sh\nkill -TERM "$caller"\nexec %s "$@"\n' \
    "$(command -v gnuplot)" >"$work/bin/gnuplot"
  chmod +x "$work/bin/gnuplot"
  sh -c 'export caller=$$ PATH="$0:$PATH"; exec "$@"' "$work/bin" \
    "$tune" study "$family" --arch gfx906 --device sim --out "$work/drawn" \
    >"$out" 2>"$err"
  got=$?
  [ $got -eq 130 ] || fail "status $got after an interruption, not 130"
  says "interrupted; what ran is in the journal"
  [ ! -e "$work/drawn/study-gfx906.md" ] || fail "half a study made a report"

  PATH=/nowhere expect 1 study "$family" --arch gfx906
  says "gnuplot-nox"
else
  echo "skipped: the report, for gnuplot is not installed"
fi
end
