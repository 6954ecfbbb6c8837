# checkers.sh - our own kernels give HIPSIM_CHECK nothing to find.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

export HIPSIM_CHECK=all HIPSIM_CHECK_FILE="$work/found"
touch "$work/found"
for family in dot lane; do
  expect 0 $family --arch gfx906 --device sim --evals 1 --quiet
  says "1 ok"
done
grep "kernel" "$work/found" && fail "that is what was found"
end
