-- thin.lua - the two operands of a product one side of which is short.
-- SPDX-License-Identifier: MIT
--
-- The long operand w has a row for each element of the long side of C, the
-- short operand x a column for each of the short side. An operand that is
-- turned runs along k in memory.

local operand <const> = include "parts/operand.lua"
local thin <const> = {}

local function side(w, x)
  return {
    w = w.name, x = x.name, rows = w.edge, columns = x.edge, ldw = w.ld, ldx = x.ld,
    w_turned = w.turned, x_turned = x.turned,
  }
end

-- By the short side of C.
thin.sides = { m = side(operand.B, operand.A), n = side(operand.A, operand.B) }

-- Elements of x that a load takes, where it is brought into LDS: they divide its
-- rows in memory, and what is kept of them.
function thin.x_width(cfg, problem)
  local side <const> = thin.sides[cfg.short]
  if not side.x_turned(problem) then return 1 end
  local row <const> = problem.k | problem[side.ldx] | cfg.waves_k * cfg.lanes_k * cfg.depth
  return row % 4 == 0 and 4 or row % 2 == 0 and 2 or 1
end

-- Numbers of a configuration: of threads, of steps, of what is in LDS.
function thin.numbers(cfg, problem, wave)
  local side <const> = thin.sides[cfg.short]
  local turned <const> = side.w_turned(problem)
  local lanes_r <const> = wave // cfg.lanes_k
  local step_k <const> = cfg.waves_k * cfg.lanes_k * cfg.depth
  local steps <const> = (problem.k + step_k * cfg.split_k - 1) // (step_k * cfg.split_k)
  return {
    side = side, turned = turned, x_turned = side.x_turned(problem),
    lanes_r = lanes_r,
    threads = wave * cfg.waves_k * cfg.waves_r,
    group_rows = cfg.waves_r * lanes_r * cfg.rows,
    step_k = step_k,
    steps = steps, -- of the longest part of k
    kept_k = math.max(steps * step_k, 4), -- k of x in LDS, where it is kept there
    parts = cfg.waves_k * (turned and 1 or cfg.lanes_k), -- of a sum, that meet in LDS
  }
end

return thin
