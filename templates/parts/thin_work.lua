-- thin_work.lua - what a step of a thin product moves, for a guess of its time.
-- SPDX-License-Identifier: MIT

local thin <const> = include "parts/thin.lua"
local types <const> = include "parts/types.lua"
local thin_work <const> = {}

local function ceil(x, y) return (x + y - 1) // y end

-- Bytes of so many elements.
local function bytes(count, problem) return count * types.of(problem).bits // 8 end

-- VGPRs that a thread needs: its sums, of so many columns, the vectors of w in flight, those of x,
-- and addresses.
function thin_work.registers(cfg, problem, columns)
  local each <const> = types.of(problem).bits
  local load <const> = ceil(cfg.width * each, 32)
  local w <const> = cfg.rows * cfg.depth // math.min(cfg.width, cfg.rows * cfg.depth) * load
  local x <const> = cfg.x_in == "memory" and ceil(columns * cfg.depth * each, 32) or 0
  return cfg.rows * columns + (w + x) * (cfg.ahead + 1) + cfg.rows + 20
end

-- VGPRs that a thread can have: all waves of a workgroup run at once, and as many as
-- the compiler is told.
local function room(cfg, arch)
  local waves <const> = math.max(cfg.waves, ceil(cfg.waves_k * cfg.waves_r, arch.simds))
  return math.min(arch.vgprs, arch.vgpr_total // waves)
end

-- Those that the compiler has no room for, at a guess: they go to memory and back.
local function spilled(cfg, problem, x, arch)
  local step <const> = cfg.panel > 0 and cfg.columns * x.step_k // x.threads or 0
  local held <const> = step * types.of(problem).bits // 32
  local needed <const> = thin_work.registers(cfg, problem, x.columns) + held
  return math.max(needed - room(cfg, arch), 0)
end

-- Cycles that a load of `width` elements by a wave keeps the cache busy, of whose
-- lanes `run` have neighbours, in so many groups: a line is one, and so are the
-- bytes of one.
local function load_cycles(width, run, groups, problem, arch)
  local lines <const> = groups * ceil(bytes(run * width, problem), arch.l1_line)
  return math.max(lines, ceil(bytes(arch.wave * width, problem), arch.l1_line))
end

-- Cycles of the loads of a wave.
local function cached(cfg, problem, x, arch)
  local run, groups = cfg.lanes_k, x.lanes_r -- lanes of other columns ask the same
  if not x.turned then run, groups = groups, run end
  local cycles = cfg.rows * cfg.depth // math.min(cfg.width, cfg.rows * cfg.depth) *
                 load_cycles(cfg.width, run, groups, problem, arch)
  if cfg.x_in == "memory" then
    local width <const> = thin.x_width(cfg, problem, arch)
    cycles = cycles + cfg.columns * cfg.depth // math.min(width, cfg.depth) *
             load_cycles(width, cfg.lanes_k, 1, problem, arch)
  end
  return cycles
end

-- What LDS and the cache do at the same time, as bytes of LDS.
function thin_work.exchanged(cfg, problem, x, arch)
  local words <const> = x.columns * cfg.depth // types.pack(problem, arch)
  local read <const> = cfg.x_in == "lds" and 4 * words * x.threads or 0
  local busy <const> = cached(cfg, problem, x, arch) * 4 * arch.lds_banks
  return math.max(read, busy * x.threads // arch.wave)
end

-- VGPRs that the compiler takes for a thread.
function thin_work.allowed(cfg, problem, x, arch)
  return math.min(thin_work.registers(cfg, problem, x.columns), room(cfg, arch))
end

-- A guess counts bytes at the rate of lines that caches mostly have. The short operand
-- comes faster; the long one and spilled registers, which no other workgroup asks for,
-- come from memory, more slowly. By the times of 8 products on a modelled gfx906.
local nearer <const>, farther <const> = 4, 5

-- Bytes of memory that a step waits for, at that rate: the lines that the long operand
-- lies in; the short one, in LDS by panels or once for all blocks of a workgroup; and
-- what registers had no room for.
function thin_work.fetched(cfg, problem, x, own, each, arch)
  local count, row = own, x.step_k
  if not x.turned then count, row = row, count end
  local once <const> = cfg.x_in == "lds" and cfg.panel == 0
  local from_memory <const> = count * math.max(bytes(row, problem), arch.l2_line) +
                              2 * 4 * spilled(cfg, problem, x, arch) * x.threads
  return farther * from_memory +
         bytes(cfg.columns * x.step_k, problem) // (once and nearer * each or nearer)
end

return thin_work
