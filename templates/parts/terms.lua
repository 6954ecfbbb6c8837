-- terms.lua - sums and products as text, without what is 0 or 1.
-- SPDX-License-Identifier: MIT
--
-- Terms are text that reads well where it stands: "0" for nothing.

local terms <const> = {}

-- x in parentheses, where it has a blank.
function terms.wrap(x)
  for i = 1, #x do
    if x:byte(i) == 32 then return "(" .. x .. ")" end
  end
  return x
end

function terms.plus(a, b) return a == "0" and b or b == "0" and a or a .. " + " .. b end

-- a times a number that the text calls `name`; n: which it is, where it may be 1.
function terms.times(a, name, n)
  if a == "0" or n == 1 then return a end
  return terms.wrap(a) .. " * " .. name
end

-- Place b in row a of rows of n.
function terms.index(a, n, name, b) return terms.plus(terms.times(a, name, n), b) end

-- The row and the place in it of i, of `all` places in rows of n.
function terms.row(i, n, name, all)
  if i == "0" or n == all then return "0" end
  return n == 1 and i or terms.wrap(i) .. " / " .. name
end
function terms.place(i, n, name, all)
  if i == "0" or n == 1 then return "0" end
  return n == all and i or terms.wrap(i) .. " % " .. name
end

return terms
