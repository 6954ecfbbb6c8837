-- tiling.lua - how the configurations of gemm cut a product: threads, tiles, streams,
-- and what a workgroup takes of LDS and registers.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local groups <const> = include "parts/groups.lua"
local ceil <const> = product.ceil
local tiling <const> = {}

-- Threads that make a tile of C, and those of a workgroup.
function tiling.slice(cfg)
  return ceil(cfg.tile_m, cfg.thread_m) * ceil(cfg.tile_n, cfg.thread_n)
end

function tiling.threads(cfg) return tiling.slice(cfg) * cfg.slice_k end

-- Threads that share the loads of an operand.
function tiling.loaders(cfg)
  return cfg.slice_loads == 1 and tiling.slice(cfg) or tiling.threads(cfg)
end

-- Do whole waves share the tile of C, and can a workgroup have so many? Rules
-- exclude the rest. Rules over more tunables ask this first, so that no combination
-- of these is tabulated for the rest.
function tiling.is_shared(cfg, arch)
  return cfg.tile_m % cfg.thread_m == 0 and cfg.tile_n % cfg.thread_n == 0 and
         tiling.slice(cfg) % arch.wave == 0 and tiling.threads(cfg) <= arch.max_threads
end

-- k of a k tile.
function tiling.span(cfg, problem, arch) return cfg.tile_k * types.pack(problem, arch) end

-- k tiles of the longest part.
function tiling.tiles_k(cfg, problem, arch)
  return ceil(ceil(problem.k, tiling.span(cfg, problem, arch)), cfg.split_k)
end

function tiling.tiles_c(cfg, problem)
  return groups.tiles(problem, problem.m, cfg.tile_m) * ceil(problem.n, cfg.tile_n)
end

-- k tiles of a workgroup that shares them with others, at least.
tiling.least = 8

-- Workgroups that share all k tiles evenly, so that each has some.
function tiling.streams(cfg, problem, arch)
  local k_tiles <const> = ceil(problem.k, tiling.span(cfg, problem, arch))
  local all <const> = tiling.tiles_c(cfg, problem) * k_tiles
  return math.max(1, math.min(cfg.stream_k * arch.cus, all // tiling.least))
end

-- Streams share fewer than two tiles of C each: 0 where 32-bit indices count the k tiles
-- of these.
function tiling.uncounted(cfg, problem, arch)
  local k_tiles <const> = ceil(problem.k, tiling.span(cfg, problem, arch))
  return 2 * tiling.streams(cfg, problem, arch) * k_tiles // (product.limit + 1)
end

-- Would as many workgroups at a time leave at most a fiftieth of the card idle?
function tiling.even(cfg, problem, arch)
  local tiles <const>, at_once <const> = tiling.tiles_c(cfg, problem), cfg.stream_k * arch.cus
  return 50 * tiles >= 49 * ceil(tiles, at_once) * at_once
end

-- Workgroups of one part of k.
function tiling.workgroups(cfg, problem, arch)
  return cfg.stream_k > 0 and tiling.streams(cfg, problem, arch) or tiling.tiles_c(cfg, problem)
end

function tiling.lds(cfg)
  local columns <const> = cfg.tile_m + cfg.pad_a + cfg.tile_n + cfg.pad_b
  local sums <const> = cfg.slice_k // 2 * cfg.tile_m * cfg.tile_n
  return 4 * math.max(cfg.stages * cfg.tile_k * columns, sums)
end

-- Of a workgroup in all: of groups, one of its threads finds the place for all (groups.hip).
function tiling.lds_of_workgroup(cfg, problem)
  return tiling.lds(cfg) + (problem.groups > 0 and 12 or 0)
end

-- VGPRs that a k tile takes on its way: a load of less than a word takes one, too.
function tiling.flying(x, cfg, problem)
  local each <const> = math.max(32 // (cfg[x.load] * types.of(problem).bits), 1)
  return cfg[x.tile] * cfg.tile_k // tiling.threads(cfg) * each
end

-- VGPRs that a thread needs: its sums and fragments, the tiles in flight and the
-- addresses that they come from, and up to 24 more in code compiled for gfx906. The
-- arch is asked first: where none has async=1, no rule is tabulated over it.
function tiling.registers(cfg, arch)
  local m <const>, n <const> = cfg.thread_m, cfg.thread_n
  local elements <const> = (cfg.tile_m + cfg.tile_n) * cfg.tile_k // tiling.threads(cfg)
  if cfg.read_ahead == 2 then return m * n + 2 * (m + n) + elements + 20 end
  local past <const> = arch.cp_async == 1 and cfg.async == 1
  local flying <const> = past and 0 or elements * math.max(cfg.load_ahead, 1)
  return m * n + (m + n) * (cfg.read_ahead + 1) + flying + elements + 24
end

-- VGPRs that a thread can have: all waves of a workgroup run at once.
function tiling.vgprs(cfg, arch)
  local waves <const> = ceil(tiling.threads(cfg), arch.wave * arch.simds)
  return math.min(arch.vgprs, arch.vgpr_total // waves)
end

-- Waves a SIMD for which the compiler is to save registers, as many as LDS has room
-- for; 1: it saves them of its own accord. With read_ahead=2 it takes a few too many.
-- Beside the registers of the rule counts that each load has an address, and that
-- elements smaller than a word take 8 more, without which clang 15 spills some.
function tiling.waves(cfg, problem, arch)
  if cfg.read_ahead < 2 then return 1 end
  local threads <const> = tiling.threads(cfg)
  local function loads(tile, width) return tile * cfg.tile_k // threads // math.min(width, 4) end
  local small <const> = types.of(problem).bits < 32 and 8 or 0
  local registers <const> = tiling.registers(cfg, arch) - 4 + small +
                            loads(cfg.tile_m, cfg.load_a) + loads(cfg.tile_n, cfg.load_b)
  local by_lds <const> = arch.lds_bytes // tiling.lds(cfg) * ceil(threads, arch.wave) // arch.simds
  return math.max(math.min(arch.vgpr_total // registers, by_lds), 1)
end

-- An XOR moves columns within the width of the banks, of which the tile must be a
-- multiple. A thread adds constants to its moved column to reach its other
-- fragments: these must be multiples of that width, too.
function tiling.torn(x, cfg, arch)
  local tile <const>, thread <const> = cfg[x.tile], cfg[x.thread]
  local width <const> = operand.width(x, cfg)
  return tile % arch.lds_banks > 0 or
         (thread > width and tile // thread * width % arch.lds_banks > 0)
end

return tiling
