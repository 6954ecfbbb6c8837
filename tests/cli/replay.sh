# replay.sh - searches on a recorded space, from the command line.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
data=$(dirname "$0")/../data/mi50_conv2d.tsv

expect 0 replay "$data" --seeds 5
says "2442 configurations, 0 failed"
says "5 seeds, 8 in flight"
fits
for search in bayes forest local genetic annealing hybrid random exhaustive; do
  says "$search "
done
expect 0 list searches
fits
expect 0 replay "$data" --seeds 5 --search local --ahead 1 --json
[ "$(wc -l <"$out")" -eq 1 ] || fail "not one line"
says '"search":"local","seeds":5,"ahead":1'
says '"expected":{"0.05":'

# The same again is the same.
sed 's/"seconds.*//' "$out" >"$work/first"
expect 0 replay "$data" --seeds 5 --search local --ahead 1 --json
sed 's/"seconds.*//' "$out" | cmp -s - "$work/first" || fail "not repeatable"

expect 2 replay
says "which recording"
expect 2 replay "$data" --search locl
says "did you mean 'local'?"
expect 2 replay "$data" --seeds 0
says "--seeds 0"
expect 1 replay "$work/none.tsv"
says "none.tsv: cannot read"
{ head -n 100 "$data"; sed -n 101p "$data" | cut -c1-10 | tr -d '\n'; } \
  >"$work/cut.tsv"
expect 1 replay "$work/cut.tsv" --seeds 1
says "cut.tsv:101: "
gzip -c "$data" >"$work/packed.tsv"
expect 1 replay "$work/packed.tsv"
says "gunzip"
end
