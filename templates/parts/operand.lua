-- operand.lua - what the operands of a matrix product differ in.
-- SPDX-License-Identifier: MIT
--
-- A turned operand runs along k in memory: it is transposed on its way into
-- LDS, where a row is always one k of the tile.

local types <const> = include "parts/types.lua"

local operand <const> = {}

-- The names of an operand's tunables, and which layout letter turns it.
local function names(name, edge, letter, turning)
  return {
    name = name, NAME = name:upper(), edge = edge, ld = "ld" .. name,
    tile = "tile_" .. edge, thread = "thread_" .. edge,
    stride = "stride_" .. name, load = "load_" .. name, pad = "pad_" .. name, xor = "xor_" .. name,
    turned = function (problem)
      return problem.layout:sub(letter, letter) == turning
    end,
  }
end

operand.A = names("a", "m", 1, "n")
operand.B = names("b", "n", 2, "t")
operand.both = { operand.A, operand.B }

-- Words of LDS that the loads of one address fill: a turned operand's run along
-- k, the others' are one vector from each k of a word.
function operand.words(x, cfg, problem, arch)
  if not x.turned(problem) then return cfg[x.load] end
  return math.max(cfg[x.load] // types.pack(problem, arch), 1)
end

-- Words that a thread reads from LDS at a time: at most read_width, and as many
-- each time.
function operand.width(x, cfg)
  local width = math.min(cfg.read_width, cfg[x.thread])
  while cfg[x.thread] % width ~= 0 do width = width // 2 end
  return width
end

-- Rows of LDS that the same threads load: those of the k tile or, with slice_loads=1, of
-- a slice of it.
function operand.rows(cfg)
  return cfg.slice_loads == 1 and math.max(cfg.tile_k // cfg.slice_k, 1) or cfg.tile_k
end

-- Can so many threads share the loads of these? All have the same number. A
-- row in memory is no more than all of them load at once; of a turned operand
-- they load whole rows.
function operand.shared(x, cfg, problem, arch, threads)
  local words <const> = operand.words(x, cfg, problem, arch)
  local turned <const> = x.turned(problem)
  local rows <const> = operand.rows(cfg)
  local all <const>, once <const> = cfg[x.tile] * rows, threads * words
  local row <const> = turned and rows or cfg[x.tile]
  return all % once == 0 and row <= once and
         (not turned or all == once or once % row == 0)
end

-- Its numbers in a configuration whose loads so many threads share.
function operand.numbers(x, cfg, problem, arch, threads)
  local turned <const> = x.turned(problem)
  local tile <const>, load <const> = cfg[x.tile], cfg[x.load]
  local width <const> = operand.width(x, cfg)
  local pack <const> = types.pack(problem, arch)
  local words <const> = operand.words(x, cfg, problem, arch)
  local rows <const>, own <const> = operand.rows(cfg), cfg.slice_loads == 1
  local span <const> = own and "slice_span_k" or "span_k"
  local along <const> = turned and rows or tile -- in memory
  local loads <const> = tile * rows // (threads * words)
  assert(along % words == 0, "a load is wider than the row that it is part of")
  return {
    names = x, turned = turned,
    tile = tile, load = load, xor = cfg[x.xor],
    words = words,
    pieces = turned and math.max(pack // load, 1) or pack, -- loads of one address
    stride = tile + cfg[x.pad],      -- from LDS row to LDS row
    unit = arch.lds_banks // (cfg[x.xor] + 1), -- by which the XOR moves
    across = along // words,         -- addresses of a row in memory
    loads = loads,                   -- addresses of a thread
    rows = own and "slice_rows" or "tile_k", -- that threads load together, by name
    span = pack > 1 and span or own and "slice_rows" or "tile_k", -- k of these
    threads = own and "slice_threads" or "threads", -- that share the loads
    even = loads == 1 or threads % (along // words) == 0, -- these share a column
    vector = turned and 1 or math.min(load, 4), -- words that it writes to LDS at a time
    width = width,                   -- words that it reads from LDS at a time
    reads = cfg[x.thread] // width,
  }
end

-- Where in LDS a lane of the first wave writes its first word, from the start of the tile.
-- x: the operand's numbers.
function operand.place(x, lane)
  local along <const>, down <const> = lane % x.across * x.words, lane // x.across
  if not x.turned then return down * x.stride + along end
  return along * x.stride + (down ~ (along // x.words & x.xor) * x.unit)
end

return operand
