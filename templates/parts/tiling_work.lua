-- tiling_work.lua - what a step of gemm moves and multiplies, for a guess of its time.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local tiling <const> = include "parts/tiling.lua"
local channels <const> = include "parts/channels.lua"
local ceil <const> = product.ceil

-- With these numbers a guess (tuner/session/guess.c) comes nearest to what 3,000 candidates
-- of 14 products took on a modelled gfx906 (docs/search.md). A byte counts as so many where
-- it is read from LDS, written to it, or loaded from memory; most lines that are loaded are
-- in the L2, since other workgroups load them, too.
local lds_read <const>, lds_written <const>, loaded <const> = 1.2, 3.7, 0.73
-- Cycles of a compute unit that an instruction of a wave takes from the operations: one that
-- loads, writes or reads, and one that converts what was loaded.
local instruction <const>, conversion <const> = 0.5, 3.8
local latency <const> = 900 -- cycles from a load to its data

-- Of as many lanes as LDS has banks, those that write to the same bank at once.
local function ways(x, arch)
  local count <const>, most = {}, 1
  for lane = 0, arch.lds_banks - 1 do
    local bank <const> = operand.place(x, lane) % arch.lds_banks
    count[bank] = (count[bank] or 0) + 1
    most = math.max(most, count[bank])
  end
  return most
end

-- How many times as long a write to LDS takes as a read of as many words.
local function slower(x, arch)
  if x.turned then return math.max(ways(x, arch), 2) end
  return x.vector == 4 and 1.25 or 2
end

-- Bytes that a k tile moves into LDS and out of it: each thread reads its part of
-- every row of its slice.
local function exchanged(both, cfg, arch)
  local words = lds_read * tiling.slice(cfg) * (cfg.thread_m + cfg.thread_n) * cfg.tile_k
  for _, x in ipairs(both) do
    words = words + lds_written * x.tile * cfg.tile_k * slower(x, arch)
  end
  return 4 * words
end

-- Instructions that make a word of LDS of what was loaded.
local function conversions(x, problem, arch)
  local pack <const> = types.pack(problem, arch)
  if pack == 1 then return types.of(problem).bits < 32 and 1 or 0 end
  if not x.turned then return math.log(pack, 2) end
  return x.pieces > 1 and x.pieces or 0
end

-- What loading, converting, writing and reading a k tile cost, as the operations for which
-- there would have been time.
local function beside(both, cfg, problem, arch)
  local waves <const> = tiling.threads(cfg) // arch.wave
  local cycles = 0 -- of a compute unit
  for _, x in ipairs(both) do
    local writes <const> = x.loads * x.words // x.vector
    local reads <const> = cfg.tile_k // cfg.slice_k * x.reads
    local words <const> = x.tile * cfg.tile_k // arch.wave -- for each lane of a wave
    cycles = cycles + instruction * waves * (x.loads * x.pieces + writes + reads) +
             conversion * words * conversions(x, problem, arch)
  end
  return cycles * arch[types.of(problem).peak]
end

-- Do the rows that a wave loads at once lie on few channels?
local function camps(x, problem, arch)
  local each <const> = types.of(problem).bits
  local apart <const> = x.turned and 1 or types.pack(problem, arch) -- rows from address to address
  local elements <const> = x.load * (x.turned and x.pieces or 1)
  return channels.camp(math.max(arch.wave // x.across, 1),
                       problem[x.names.ld] * apart * each // 8,
                       math.min(x.across, arch.wave) * elements * each // 8, arch)
end

-- Bytes of the lines of memory that a k tile lies in.
local function fetched(both, cfg, problem, arch)
  local long <const>, bits <const> = tiling.span(cfg, problem, arch), types.of(problem).bits
  local bytes = 0
  for _, x in ipairs(both) do
    local edge <const> = math.min(x.tile, problem[x.names.edge])
    local count <const>, row <const> = x.turned and edge or long, x.turned and long or edge
    bytes = bytes + count * math.max(row * bits // 8, arch.l2_line) *
            (camps(x, problem, arch) and 2 or 1)
  end
  return loaded * bytes
end

-- VGPRs that the compiler takes for a thread: its sums, fragments of the k tile, what is
-- on its way, and addresses. By least squares: with a standard deviation of 12.
local function registers(both, cfg, problem, arch)
  local m <const>, n <const> = cfg.thread_m, cfg.thread_n
  local past <const> = arch.cp_async == 1 and cfg.async == 1
  local bits <const>, turns <const> = types.of(problem).bits, math.max(cfg.load_ahead, 1)
  local held = 1.15 * m * n + (cfg.read_ahead > 0 and 1.4 or 0.6) * (m + n) + 18
  for _, x in ipairs(both) do
    local words <const> = x.pieces * math.max(x.load * bits // 32, 1)
    held = held + x.loads * (1.25 + (past and 0 or words * turns))
  end
  return held + (cfg.read_ahead == 2 and 5 or 0) + (cfg.stream_k > 0 and 6 or 0)
end

-- How often the usual time of barriers and first reads is waited for.
local function waits(cfg)
  if cfg.read_ahead == 2 or cfg.slice_loads == 1 then return 0 end
  return cfg.read_ahead > 0 and 1.2 or 1.8
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
  local list <const> = {
    steps = steps,
    flops = 2 * cfg.tile_m * cfg.tile_n * long,
    bytes = types.of(problem).bits * (m + n) * long // 8,
    results = streamed and ceil(steps, k_tiles) + 1 or 1,
    written = types.c_bytes(problem) * m * n,
  }
  if type(steps) == "number" then -- a trace has no numbers, and needs no more
    local both <const> = {}
    for i, x in ipairs(operand.both) do
      both[i] = operand.numbers(x, cfg, problem, arch, tiling.loaders(cfg))
    end
    list.flops = list.flops + beside(both, cfg, problem, arch)
    list.fetched = fetched(both, cfg, problem, arch)
    list.exchanged = exchanged(both, cfg, arch)
    list.ahead = cfg.async == 1 and cfg.stages - 1 or cfg.load_ahead
    list.registers = registers(both, cfg, problem, arch)
    list.waits = waits(cfg)
    list.latency = latency
  end
  return list
end
