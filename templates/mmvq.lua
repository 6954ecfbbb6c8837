-- mmvq.lua - C = W X of quantised weights and at most 8 columns of activations.
-- SPDX-License-Identifier: MIT

local quant <const> = include "parts/quant.lua"
local function ceil(x, y) return (x + y - 1) // y end

-- Rows of the products of X: each has weights and results of its own.
local function products(problem)
  local rows <const> = { problem.m }
  if problem.m2 ~= 0 then rows[2] = problem.m2 end
  if problem.m3 ~= 0 then rows[3] = problem.m3 end
  return rows
end
local function named(name, i) return i == 1 and name or name .. i end -- w, w2, w3

-- The problem as if all rows were one product's.
local function joined(problem)
  local p <const> = { m = problem.m }
  for i, m in ipairs(products(problem)) do p.m = i == 1 and m or p.m + m end
  for _, key in ipairs { "n", "k", "dtype", "x" } do p[key] = problem[key] end
  return p
end

-- Units of a row that a step takes, and rows of a workgroup.
local function step(cfg) return cfg.lanes_k * cfg.waves_k * cfg.depth end
local function group_rows(cfg, arch)
  return cfg.waves_r * math.max(arch.wave // cfg.lanes_k, 1) * cfg.rows
end

-- Units of the longest part of k: parts are whole blocks.
local function part_units(cfg, problem)
  local t <const> = quant.of(problem)
  return ceil(problem.k // t.elements, cfg.split_k) * (t.elements // t.unit)
end

-- Blocks of rows: a workgroup's are of one product.
local function blocks(cfg, problem, arch)
  local sum = 0
  for _, m in ipairs(products(problem)) do sum = sum + ceil(m, group_rows(cfg, arch)) end
  return sum
end
local function workgroups(cfg, problem, arch)
  return ceil(blocks(cfg, problem, arch), cfg.turns)
end

-- Bytes of LDS: activations, a word of scales for each 32 of them, sums that meet.
local function x_bytes(cfg, problem)
  local t <const> = quant.of(problem)
  local k <const> = part_units(cfg, problem) * t.unit
  return problem.n * (k + k // 32 * 4)
end
local function meeting(cfg, problem, arch)
  local bytes <const> = 4 * cfg.waves_k * group_rows(cfg, arch) * problem.n
  return cfg.waves_k > 1 and (problem.swiglu + 1) * bytes or 0
end

-- VGPRs of a thread: sums, loads in flight, numbers of a unit of each row,
-- activations of a chunk or two, and addresses.
local function registers(cfg, problem)
  local t <const> = quant.of(problem)
  local rows <const> = cfg.rows * (problem.swiglu + 1)
  local loads <const> = rows * cfg.depth * (4 * t.quads + t.scales)
  return rows * problem.n + cfg.rows * (t.unit // 4 + t.unit // t.group + 1) + loads + 28
end
local function vgprs(cfg, arch)
  return math.min(arch.vgprs, arch.vgpr_total // ceil(cfg.waves_k * cfg.waves_r, arch.simds))
end

-- Cycles that a wave's loads of a step keep the cache busy: a line is one, and so
-- are the bytes of one.
local function load_cycles(cfg, problem, arch)
  local t <const> = quant.of(problem)
  local run, runs = cfg.lanes_k, math.max(arch.wave // cfg.lanes_k, 1)
  local each = cfg.layout == "file" and t.unit * t.bytes // t.elements or 16 * t.quads
  if cfg.layout == "panels" then run, runs, each = runs, run, 16 end
  local lines <const> = runs * ceil(run * each, arch.l1_line)
  local whole <const> = arch.wave * 16 // arch.l1_line
  return cfg.rows * cfg.depth * (t.quads * math.max(lines, whole) + runs)
end

local function keys()
  local list <const> = quant.keys(8, 1)
  local most <const> = (1 << 31) - 1024
  for i = 2, 3 do
    list[#list + 1] = { "m" .. i, 0, { min = 0, max = most },
      "rows of a further product of X in the same launch, such as k or v beside q; 0: none",
      "quiet" }
  end
  list[#list + 1] = { "swiglu", 0, { 0, 1 },
    "1: C = silu(W X) * (U X), of two matrices of weights in one launch", "quiet" }
  return list
end

return {
  meaning = "quantised weights times 1 to 8 columns, bound by memory",

  problem = keys(),

  space = {
    { "rows", { 1, 2, 4, 8 }, "rows of W a lane" },
    { "depth", { 1, 2 }, "units of a row that a lane takes at a step, each loads of 16 bytes" },
    { "lanes_k", { 4, 8, 16, 32, 64 }, "lanes of a wave that share a row" },
    { "waves_k", { 1, 2, 4, 8 }, "waves of a workgroup that share a row" },
    { "waves_r", { 1, 2, 4, 8 }, "waves of a workgroup that have rows of their own" },
    { "ahead", { 0, 1 }, "steps that loads of W run ahead: 1 from when a step is decoded" },
    { "turns", { 1, 2, 4, 8 }, "blocks of rows that a workgroup takes, one after the other" },
    quant.layout,
    { "quantise", { "apart", "inside" },
      "f32 becomes q8_1 in a kernel before, or in each workgroup on the way into LDS" },
    { "split_k", { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 20, 30 },
      "parts of k, added up by a second kernel" },
  },

  rules = quant.rules {
    { "quantise=inside, but x is q8_1 already",
      function (cfg, problem) return cfg.quantise == "inside" and problem.x == "q8_1" end },
    { "layout=panels, but lanes_k leaves too few lanes for a line: pieces of 16 bytes of " ..
      "neighbouring rows are neighbours",
      function (cfg, _, arch)
        return cfg.layout == "panels" and arch.wave // cfg.lanes_k * 16 < arch.l2_line
      end },
    { "lanes_k is over the lanes of a wave",
      function (cfg, _, arch) return cfg.lanes_k > arch.wave end },
    { "waves_k * waves_r: too many threads",
      function (cfg, _, arch)
        return cfg.waves_k * cfg.waves_r * arch.wave > arch.max_threads
      end },
    { "depth * lanes_k * waves_k units are twice a part of k: fewer cover it",
      function (cfg, problem)
        return step(cfg) > 4 and step(cfg) >= 2 * part_units(cfg, problem)
      end },
    { "ahead=1, but depth * lanes_k * waves_k is a part of k: there is no next step",
      function (cfg, problem)
        return cfg.ahead > 0 and cfg.turns == 1 and step(cfg) >= part_units(cfg, problem)
      end },
    { "half of rows * waves_r covers m",
      function (cfg, problem, arch)
        return cfg.rows * cfg.waves_r > 1 and 2 * problem.m <= group_rows(cfg, arch)
      end },
    { "turns leaves fewer workgroups than compute units",
      function (cfg, problem, arch)
        return cfg.turns > 1 and workgroups(cfg, problem, arch) * cfg.split_k < arch.cus
      end },
    { "split_k > 1, but with swiglu=1 sums are multiplied where they are whole",
      function (cfg, problem) return cfg.split_k > 1 and problem.swiglu == 1 end },
    { "split_k leaves a part of k empty",
      function (cfg, problem)
        local all <const> = problem.k // quant.of(problem).elements
        return cfg.split_k > 1 and ceil(all, cfg.split_k) * (cfg.split_k - 1) >= all
      end },
    { "split_k * workgroups is over 32 a CU: a smaller split_k is enough",
      function (cfg, problem, arch)
        return cfg.split_k > 1 and
               workgroups(cfg, problem, arch) * cfg.split_k > 32 * arch.cus
      end },
    { "n * k / split_k activations, and sums that meet, are too much LDS",
      function (cfg, problem, arch)
        return x_bytes(cfg, problem) + meeting(cfg, problem, arch) > arch.lds_static
      end },
    { "rows * n * depth: over 1024 unrolled dot products",
      function (cfg, problem)
        local dots <const> = quant.of(problem).unit // 4
        return cfg.rows * problem.n * cfg.depth * dots > 1024
      end },
    { "rows, depth: too many registers",
      function (cfg, problem, arch) return registers(cfg, problem) > vgprs(cfg, arch) end },
  },

  launch = function (cfg, problem, arch)
    local p <const>, split <const> = problem, cfg.split_k > 1
    local inside <const> = cfg.quantise == "inside"
    local list <const>, args <const> = {}, { "w" }
    local rows <const>, results <const> = products(p), { "c" }
    for i = 2, #rows do args[i], results[i] = named("w", i), named("c", i) end
    if p.swiglu == 1 then args[2] = "up" end
    if p.x == "f32" and not inside then list[1] = quant.quantise(p) end
    for _, name in ipairs(inside and { "x" } or { "xq", "xs" }) do args[#args + 1] = name end
    local count <const> = workgroups(cfg, p, arch)
    for _, name in ipairs(split and { "sums" } or results) do args[#args + 1] = name end
    for _, m in ipairs(rows) do args[#args + 1] = i32(m) end
    args[#args + 1], args[#args + 2] = i32(p.k), i32(count)
    list[#list + 1] = { kernel = "mmvq", grid = { count, 1, cfg.split_k },
                        block = { arch.wave * cfg.waves_k * cfg.waves_r, 1, 1 }, lds = 0,
                        args = args }
    if split then list[#list + 1] = quant.reduce(p, rows, results) end
    return list
  end,

  buffers = function (cfg, problem)
    local list <const> = quant.buffers(problem, 1, cfg.layout, cfg.quantise == "apart")
    list[#list + 1] = quant.sums(joined(problem), cfg.split_k)
    local rows <const> = products(problem)
    for i = 2, #rows do
      list[#list + 1] = quant.weights(named("w", i), problem, rows[i], cfg.layout)
      list[#list + 1] = quant.results(named("c", i), problem, rows[i])
    end
    if problem.swiglu == 1 then
      list[#list + 1] = quant.weights("up", problem, problem.m, cfg.layout)
    end
    return list
  end,

  reference = "quant",

  cost = function (problem)
    local all <const> = joined(problem) -- memory is what it waits for
    return { bytes = quant.cost(all, 1).bytes + problem.swiglu * quant.bytes(all, 1) }
  end,

  -- Two steps, four if loads run ahead, and two workgroups, one with all its turns.
  check = function (cfg, problem, arch)
    local t <const> = quant.of(problem)
    local units <const> = part_units(cfg, problem)
    local k = cfg.split_k * 2 * (cfg.ahead + 1) * step(cfg) * t.unit
    if units % step(cfg) > 0 then k = k - t.elements end
    local rows <const> = group_rows(cfg, arch)
    return {
      m = math.min(problem.m, (cfg.turns + 1) * rows + 3),
      m2 = math.min(problem.m2, rows + 1), m3 = math.min(problem.m3, 2 * rows - 1),
      k = math.min(k // t.elements * t.elements, problem.k),
    }
  end,

  complete = function (problem)
    if problem.m2 == 0 and problem.m3 ~= 0 then
      return nil, "m3 is " .. problem.m3 .. ", but m2 is 0: say by m2 how many rows the second " ..
                  "product has, and by m3 those of a third"
    end
    if problem.m2 ~= 0 and problem.swiglu == 1 then
      return nil, "swiglu is 1 and m2 is " .. problem.m2 .. ": with swiglu=1 two matrices make " ..
                  "one C, and no other product is in the launch; leave m2 out"
    end
    return quant.complete(joined(problem), 1)
  end,

  serves = function (cfg, problem, other)
    local list <const>, need <const>, whole <const> = quant.needs(joined(other), 1)
    local each <const> = quant.of(problem).elements // quant.of(problem).unit
    local units <const>, part <const> = quant.units(other), part_units(cfg, other)
    local made_for <const> = part_units(cfg, problem)
    need("X has " .. problem.n .. " columns", other.n - problem.n)
    need("a part of k fits into LDS", math.max(part - made_for, 0))
    if made_for % step(cfg) == 0 and
       quant.units(problem) % made_for == 0 then
      whole("the units of a part of k", part, step(cfg))
      need("parts of k are alike", units % part)
    end
    if cfg.split_k > 1 then
      need("every part of k has something",
           math.max(part * (cfg.split_k - 1) + each - units, 0))
      need("indices of partial sums fit", joined(other).m * other.n // (1 << 31))
    end
    return list
  end,

  -- A result is a block of rows. VALU instructions count as two operations a lane.
  work = function (cfg, problem, arch)
    local t <const> = quant.of(problem)
    local rows <const> = group_rows(cfg, arch)
    local lanes <const> = arch.wave * cfg.waves_k * cfg.waves_r
    local matrices <const>, n <const> = problem.swiglu + 1, problem.n
    local decode <const>, multiply <const> = quant.instructions(problem)
    local words <const> = t.unit // 4 + t.unit // 32 -- of X, from LDS
    return {
      steps = ceil(part_units(cfg, problem), step(cfg)) * cfg.turns,
      flops = 2 * lanes * cfg.depth * cfg.rows * matrices * (decode + n * multiply),
      bytes = matrices * rows * step(cfg) * t.unit * t.bytes // t.elements,
      results = cfg.turns,
      written = 4 * rows * n,
      fetched = matrices * quant.fetched(cfg, problem, rows, step(cfg), arch),
      exchanged = math.max(lanes * cfg.depth * matrices * n * 4 * words,
                           cfg.waves_k * cfg.waves_r * matrices *
                           load_cycles(cfg, problem, arch) * 4 * arch.lds_banks),
      ahead = cfg.ahead,
      registers = registers(cfg, problem),
    }
  end,

  lds = function (cfg, problem, arch)
    return x_bytes(cfg, problem) + meeting(cfg, problem, arch)
  end,
}
