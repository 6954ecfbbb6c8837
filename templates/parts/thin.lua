-- thin.lua - the two operands of a product one side of which is short.
-- SPDX-License-Identifier: MIT
--
-- The long operand w has a row for each element of the long side of C, the
-- short operand x a column for each of the short side. An operand that is
-- turned runs along k in memory. A word holds the elements of as many
-- consecutive k as the arch multiplies at once: types.lua.

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local thin <const> = {}

local function side(w, x)
  return {
    w = w.name, x = x.name, rows = w.edge, columns = x.edge, ldw = w.ld, ldx = x.ld,
    stride_w = w.stride, stride_x = x.stride, w_turned = w.turned, x_turned = x.turned,
  }
end

-- The most rows or columns of a thin C, and where the long operand runs along k.
thin.most, thin.most_turned = 16, 32

-- By the short side of C.
thin.sides = { m = side(operand.B, operand.A), n = side(operand.A, operand.B) }

-- Threads that share the columns of a row of C, so that none has more than so many
-- sums a row. They are lanes of a wave.
local most_columns <const> = 16
function thin.lanes_c(columns) return (columns + most_columns - 1) // most_columns end

-- Consecutive k of a row that a thread multiplies: a load's, or a word's.
function thin.chunk(cfg, problem, arch)
  local turned <const> = thin.sides[cfg.short].w_turned(problem)
  return turned and math.max(cfg.width, types.pack(problem, arch)) or cfg.depth
end

-- The least width, of 8 bytes or more, by which a thread has no more loads of a step
-- of x: what is on its way takes fewer registers, of more threads.
local function narrowed(cfg, width, bits, arch)
  local step_k <const> = cfg.waves_k * cfg.lanes_k * cfg.depth
  local threads <const> = arch.wave * cfg.waves_k * cfg.waves_r
  local function loads(each)
    return (cfg.columns * step_k + each * threads - 1) // (each * threads)
  end
  local least = width
  while least % 2 == 0 and least // 2 * bits >= 64 and loads(least // 2) == loads(width) do
    least = least // 2
  end
  return least
end

-- Elements of x that a load takes: they divide its rows in memory, and what of
-- them a thread multiplies or puts into LDS.
function thin.x_width(cfg, problem, arch)
  local side <const> = thin.sides[cfg.short]
  local row <const> = problem[side.ldx] | problem[side.stride_x]
  local lds <const> = cfg.x_in == "lds"
  local all
  if not side.x_turned(problem) then
    all = row | problem[side.columns] | cfg.columns
  elseif lds then
    all = row | problem.k | cfg.waves_k * cfg.lanes_k * cfg.depth
  else
    all = row | problem.k | thin.chunk(cfg, problem, arch)
  end
  local bits <const> = types.of(problem).bits
  local widened <const> = lds and types.pack(problem, arch) == 1
  local width <const> = math.min(all & -all, 128 // (widened and 32 or bits),
                                 8 * problem.align // bits)
  return cfg.panel > 0 and narrowed(cfg, width, bits, arch) or width
end

-- How many steps lanes of unlike rows take in another order each, so that a load
-- asks several channels of memory: rows that are a power of two apart have the same
-- k on the same channel. A power of two that divides the steps of every part of k.
function thin.stagger(cfg, problem, arch)
  local step_k <const> = cfg.waves_k * cfg.lanes_k * cfg.depth
  local turned <const> = thin.sides[cfg.short].w_turned(problem)
  if not turned or cfg.x_in ~= "lds" or problem.k == 0 or problem.k % step_k ~= 0 then
    return 1
  end
  local all <const> = problem.k // step_k
  local most <const> = (all + cfg.split_k - 1) // cfg.split_k
  local divided <const> = most | (all - most * (cfg.split_k - 1)) | cfg.panel
  return math.min(divided & -divided,
                  arch.wave // cfg.lanes_k // thin.lanes_c(cfg.columns))
end

-- Numbers of a configuration: of threads, of steps, of what is in LDS.
function thin.numbers(cfg, problem, arch)
  local side <const> = thin.sides[cfg.short]
  local turned <const> = side.w_turned(problem)
  local lanes_c <const> = thin.lanes_c(cfg.columns)
  local lanes_r <const> = arch.wave // cfg.lanes_k // lanes_c
  local step_k <const> = cfg.waves_k * cfg.lanes_k * cfg.depth
  local steps <const> = (problem.k + step_k * cfg.split_k - 1) // (step_k * cfg.split_k)
  local panel <const> = cfg.panel > 0 and cfg.panel or steps
  local chunk <const> = thin.chunk(cfg, problem, arch)
  local words <const> = chunk // types.pack(problem, arch)
  return {
    side = side, turned = turned, x_turned = side.x_turned(problem),
    lanes_r = lanes_r, lanes_c = lanes_c,
    columns = cfg.columns // lanes_c, -- a thread's
    chunk = chunk,
    read = math.min(words, 4), reads = words // math.min(words, 4), -- of x, of a chunk
    threads = arch.wave * cfg.waves_k * cfg.waves_r,
    group_rows = cfg.waves_r * lanes_r * cfg.rows,
    step_k = step_k,
    steps = steps, -- of the longest part of k
    kept_k = panel * step_k, -- k of x in LDS at a time, where it is kept there
    stages = cfg.panel > 0 and 2 or 1, -- such places in LDS
    parts = cfg.waves_k * (turned and 1 or cfg.lanes_k), -- of a sum, that meet in LDS
  }
end

return thin
