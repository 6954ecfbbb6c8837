# families.sh - the family of docs/families.md is tuned, and emitted.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

family="tests/cli/families/scale.lua --arch gfx906 --device sim --n 1000"
# shellcheck disable=SC2086  # a list of words
expect 0 $family --evals 3 --quiet
says "3 ok"
# shellcheck disable=SC2086
expect 0 emit tests/cli/families/scale.lua --arch gfx906 --set each=1
says "int at = first;"
fits
# shellcheck disable=SC2086
expect 1 $family --set each=4,threads=256 --quiet
says "n is below threads * each"
end
