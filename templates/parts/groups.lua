-- groups.lua - products side by side, each with rows of its own: experts of a mixture.
-- SPDX-License-Identifier: MIT
--
-- Rows of activations lie group by group; where each group's begin is in a buffer on
-- the device, so that the host need not know. A grid has as many tiles as there can
-- be; a workgroup finds by the offsets which one is its, and leaves where there is none.

local groups <const> = {}

-- The keys; rows: what a token's activations are in this family.
function groups.keys(rows)
  return {
    { "groups", 0, { min = 0, max = 4096 },
      "products side by side, with weights and " .. rows .. " of their own: experts; 0: one", "quiet" },
    { "used", 8, { min = 1, max = 4096 }, "groups that each token is dealt out to", "quiet" },
    { "routing", "zipf", { "zipf", "same" },
      "which: by Zipf's law, or all tokens to the same, so that others have no " .. rows, "quiet" },
  }
end

-- Matrices of weights.
function groups.copies(problem) return problem.groups == 0 and 1 or problem.groups end

-- What cannot be, or nil. While a trace is made, keys are no numbers.
function groups.refusal(problem)
  if type(problem.groups) ~= "number" or type(problem.used) ~= "number" then return end
  if problem.groups > 0 and problem.used > problem.groups then
    return "used is " .. problem.used .. ", but there are " .. problem.groups ..
           " groups: a token goes to each at most once"
  end
end

-- Tiles that so many rows can take, at most: each group may leave one unfilled.
function groups.tiles(problem, rows, tile)
  if problem.groups == 0 then return (rows + tile - 1) // tile end
  return rows // tile + math.min(problem.groups, rows)
end

-- Where the rows of each group begin, and where the last end.
function groups.buffer(problem, rows)
  return { name = "offsets", role = "in", type = "i32", elements = problem.groups + 1,
           routed = rows, used = problem.used, routing = problem.routing }
end

-- Groups and rows to check a kernel by: more groups than lanes of a wave if there are,
-- the first of which has more rows than a tile. Returns how many rows there are.
function groups.check(problem, arch, rows, tile, small)
  small.groups = math.min(problem.groups, arch.wave + 3)
  small.used = 1
  return math.min(rows, 6 * tile + 3)
end

return groups
