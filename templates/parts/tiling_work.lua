-- tiling_work.lua - what a step of gemm moves and multiplies, for a guess of its time.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local tiling <const> = include "parts/tiling.lua"
local ceil <const> = product.ceil

-- Bytes that a k tile moves into LDS and out of it: each thread reads its part of
-- every row of its slice. Words of a row in memory go to as many rows of LDS, whose
-- banks are the same unless a pad or an XOR moves them.
local function exchanged(cfg, problem, arch)
  local words = tiling.slice(cfg) * (cfg.thread_m + cfg.thread_n)
  for _, x in ipairs(operand.both) do
    local across <const> = operand.rows(cfg) // operand.words(x, cfg, problem, arch)
    local moved <const> = cfg[x.pad] > 0 and arch.lds_banks // 2 or cfg[x.xor] + 1
    local ways <const> = x.turned(problem) and math.max(across // moved, 1) or 1
    words = words + cfg[x.tile] * ways
  end
  return 4 * cfg.tile_k * words
end

-- Bytes of the lines of memory that a k tile lies in.
local function fetched(cfg, problem, arch)
  local long <const>, bits <const> = tiling.span(cfg, problem, arch), types.of(problem).bits
  local pieces <const> = cfg.slice_loads == 1 and cfg.slice_k or 1 -- of a row along k
  local bytes = 0
  for _, x in ipairs(operand.both) do
    local edge <const> = math.min(cfg[x.tile], problem[x.edge])
    local turned <const> = x.turned(problem)
    local count <const>, row <const> = turned and edge or long, turned and long or edge
    local parts <const> = turned and pieces or 1
    bytes = bytes + count * math.max(row * bits // 8, parts * arch.l2_line)
  end
  return bytes
end

-- Of two barriers and the first reads of a k tile, the part that is waited for; by the
-- times of 340 candidates of 12 products of f32 on a modelled gfx906.
local function waits(cfg)
  if cfg.read_ahead == 2 then return 0 end
  return ((cfg.stages > 1 or cfg.slice_loads == 1) and 0.3 or 1) * (cfg.read_ahead > 0 and 0.5 or 1)
end

-- A step is a k tile, a result a tile of C: streams begin in one and end in another.
return function (cfg, problem, arch)
  local long <const> = tiling.span(cfg, problem, arch)
  local k_tiles <const> = ceil(problem.k, long)
  local m <const> = math.min(cfg.tile_m, problem.m)
  local n <const> = math.min(cfg.tile_n, problem.n)
  local streamed <const> = cfg.stream_k > 0
  local steps <const> =
    streamed and ceil(tiling.tiles_c(cfg, problem) * k_tiles,
                      tiling.workgroups(cfg, problem, arch))
    or tiling.tiles_k(cfg, problem, arch)
  return {
    steps = steps,
    flops = 2 * cfg.tile_m * cfg.tile_n * long,
    bytes = types.of(problem).bits * (m + n) * long // 8,
    results = streamed and ceil(steps, k_tiles) + 1 or 1,
    written = types.c_bytes(problem) * m * n,
    fetched = fetched(cfg, problem, arch),
    exchanged = exchanged(cfg, problem, arch),
    ahead = cfg.async == 1 and cfg.stages - 1 or cfg.load_ahead,
    registers = tiling.registers(cfg, arch),
    waits = waits(cfg),
  }
end
