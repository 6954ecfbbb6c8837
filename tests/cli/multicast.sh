# multicast.sh - loads that the workgroups of a cluster share: every mask, shape and
# width is right on the simulated gfx1250, and saves the requests that the mask says.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

expect 1 multicast --arch gfx906 --device sim
says "no configuration is legal"
expect 2 multicast --arch gfx1250 --x 8 --y 4
says "16 is the most"
expect 2 multicast --arch gfx1250 --x 3 --mask pairs
says "needs an even number of workgroups"
if ! command -v clang-22 >/dev/null || ! command -v ld.lld-22 >/dev/null; then
  echo "skipped: no clang-22 and lld-22 (Debian packages), which know gfx1250"
  end
  exit
fi

small="multicast --arch gfx1250 --device sim --clusters 3 --depth 2"
for mask in all self zero even pairs; do
  # shellcheck disable=SC2086
  candidates $small --mask $mask --evals 12 --search random --seed 3
done
for shape in "1 1" "2 2" "3 1" "5 1" "8 2"; do
  # shellcheck disable=SC2086
  candidates $small --x ${shape% *} --y ${shape#* } --evals 6 --search random
done
all_right "shared loads" 85

# MASK; configuration; words of a lane; percent of the requests that are saved: of
# four workgroups three, one of four where two share, a half in pairs.
while IFS='|' read -r mask config saved; do
  # shellcheck disable=SC2086
  expect 0 $small --mask $mask --set "$config" --json --quiet
  awk -F'[:,]' -v want="$saved" '/"type":"candidate"/ {
    for (i = 1; i < NF; i++) {
      if ($i ~ /"l2_requests"/) all = $(i + 1)
      if ($i ~ /"l2_merged"/) less = $(i + 1)
    }
  } END { exit !(all > 0 && 100 * less / all == want) }' "$out" ||
    fail "$last: not $saved % of the requests are saved"
done <<'END'
all|load=multicast,path=registers,width=1,waves=1,stride=1,stages=1,early=0|75
all|load=multicast,path=lds,width=4,waves=4,stride=2,stages=2,early=0|75
all|load=multicast,path=lds,width=2,waves=8,stride=1,stages=1,early=1|75
even|load=multicast,path=registers,width=4,waves=2,stride=1,stages=1,early=0|25
pairs|load=multicast,path=lds,width=1,waves=1,stride=1,stages=1,early=0|50
self|load=multicast,path=lds,width=4,waves=1,stride=1,stages=1,early=0|0
zero|load=multicast,path=registers,width=2,waves=1,stride=1,stages=1,early=0|0
all|load=plain,path=lds,width=4,waves=4,stride=1,stages=1,early=0|0
END
expect 0 $small --set load=multicast,path=registers,width=1,waves=1,stride=1,stages=1,early=0
says "less by multicast: 75 %"
end
