-- int4.lua - weights of 4 bits as GPTQ and AWQ pack them, with scales and zeros of
-- groups.
-- SPDX-License-Identifier: MIT
--
-- W has k rows of m numbers: scale (q - zero) of a group of rows. A word of GPTQ has
-- q of 8 rows of one column, the lowest bits first, and zeros less 1; one of AWQ has
-- 8 columns of one row, 0, 2, 4, 6, 1, 3, 5, 7 from the lowest bits on.

local int4 <const> = {}

-- outputs: of a lane, whose numbers of 8 rows a unit is. loads: of a unit. words: of
-- a load. less: what zeros are stored less.
local known <const> = {
  gptq = { outputs = 4, loads = 1, words = 4, less = 1 },
  awq = { outputs = 8, loads = 8, words = 1, less = 0 },
}

function int4.of(problem) return known[problem.dtype] end

int4.unit = 8

-- Rows with one scale, and how many such groups there are.
function int4.rows(problem) return problem.group == 0 and problem.k or problem.group end
function int4.groups(problem) return problem.k // int4.rows(problem) end

int4.keys = {
  { "dtype", "gptq", { "gptq", "awq" },
    "how W is packed: 8 rows of a column in a word, or 8 columns of a row" },
  { "group", 128, { 0, 32, 64, 128 }, "rows of W with one scale and zero; 0: all" },
  { "act_order", 0, { 0, 1 },
    "1: rows of W are sorted by group; row i goes with activation perm[i]" },
}

-- Why such weights cannot be, or nil.
local function refusal(problem)
  local k <const>, m <const> = problem.k, problem.m
  if type(k) ~= "number" or type(m) ~= "number" then return nil end
  if k % int4.rows(problem) ~= 0 then
    return "k is " .. k .. ", but groups have " .. problem.group ..
           " rows: k must be a multiple of it"
  end
  if k % 8 ~= 0 then
    return "k is " .. k .. ", but a word of GPTQ has 8 rows: k must be a multiple of 8"
  end
  if m % 8 ~= 0 then
    return "m is " .. m .. ", but a word of zeros has 8 columns: m must be a multiple of 8"
  end
  if m * k >= 1 << 32 then
    return "m * k is " .. m * k .. ", but numbers of W are counted by 32 bits"
  end
end

-- A family's `complete`: there is nothing to be completed.
function int4.complete(problem)
  local why <const> = refusal(problem)
  if why then return nil, why end
  return {}
end

-- The buffers of W.
function int4.buffers(problem)
  local m <const>, k <const>, groups <const> = problem.m, problem.k, int4.groups(problem)
  local all <const> = { low = -2.0 ^ 31, high = 2.0 ^ 31 } -- any bits
  local list <const> = {
    { name = "qweight", role = "in", type = "i32", elements = m * k // 8,
      low = all.low, high = all.high },
    { name = "qzeros", role = "in", type = "i32", elements = groups * m // 8,
      low = all.low, high = all.high },
    { name = "scales", role = "in", type = "f16", elements = groups * m,
      low = -0.0625, high = 0.0625 },
  }
  if problem.act_order == 1 then
    list[4] = { name = "perm", role = "in", type = "i32", elements = k, shuffled = true }
  end
  return list
end

-- Bytes of W.
function int4.bytes(problem)
  local groups <const> = int4.groups(problem)
  return problem.m * problem.k // 2 + groups * problem.m * 2 + groups * problem.m // 2 +
         (problem.act_order == 1 and 4 * problem.k or 0)
end

return int4
