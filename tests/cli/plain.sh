# plain.sh - a family of one's own, with a plain kernel as its reference.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

families=$(dirname "$0")/../tuner/families
cp "$families/plain.lua" "$families/plain.hip" "$work"
mine=$work/plain.lua

expect 0 "$mine" --arch gfx906 --device sim
says "candidates 5: 0 of 5 from the journal; 5 ok"
expect 0 explain "$mine" --arch gfx906 --device sim --set each=2
says "8 VGPRs"

# what a candidate does wrong is found, by the element
expect 1 "$mine" --arch gfx906 --device sim --fault last
says "none of 5 candidates was ok"
says "is 5, must be"
says "(1 element is wrong)"

# what the reference does wrong is no candidate's fault
broken()
{
  sed "$1" "$families/plain.lua" >"$mine"
  cmp -s "$mine" "$families/plain.lua" && fail "sed $1 changes nothing"
  expect 1 "$mine" --arch gfx906 --device sim
  says "$2"
  expect 1 explain "$mine" --arch gfx906 --device sim --set each=2
  says "$2"
}
broken 's/i < n; i++)/i < m; i++)/' "plain.lua:44:23: error: use of undeclared"
broken 's/i < n; i++)/i <= n + 5000; i++)/' "the reference of plain: "
broken 's/y\[i\] = a .*;/y[i] = 0.0f \/ 0.0f;/' "y[0] is not a number"
broken 's/kernel = "plain"/kernel = "plan"/' "kernel 'plan'"
broken 's/absolute = 2/absolute = -2/' "absolute cannot be negative"

# What goes wrong on the real problem only is found where its output is written
# and not read, here y = a x, by the plain kernel's result for it ...
real()
{
  sed 's/role = "inout"/role = "out"/; s/+ y\[i\]//' "$families/plain.lua" \
    >"$mine"
  sed "s/+ y\[i\]/$1/" "$families/plain.hip" >"$work/plain.hip"
  rm -rf "$work/data"
}
few="--arch gfx906 --device sim --n 4000"
real ""
expect 0 "$mine" $few
says "5 ok"
real "+ (n < 2000 ? 0.0f : 1.0f)"
expect 1 "$mine" $few
says "none of 5 candidates was ok"
says "on the real problem, of 32 elements: y["
# ... unless that takes too long: one thread for 25 million elements.
expect 0 "$mine" --arch gfx906 --device sim --n 25000000 --evals 1
says "1 ok"
# The plain kernel's own mistake there is no candidate's fault.
real ""
sed -i 's/i < n; i++)/i < n + (n < 2000 ? 0 : 3000); i++)/' "$mine"
expect 1 "$mine" $few
says "the reference of plain, on the real problem: "
end
