-- quant.lua - ggml's types of quantised weights, and activations as q8_1.
-- SPDX-License-Identifier: MIT
--
-- A lane takes a unit of a row at a time: as many numbers as loads of 16 bytes
-- bring whole. Its chunks of 16 stand for 16 neighbours in k, in the order of its
-- loads; a group is what has one scale, of one chunk or two.

local quant <const> = {}

-- elements, bytes: of a block. unit: elements of a unit. group: elements that
-- share a scale. chunks: 16 elements each, of a unit. quads: loads of 16 bytes.
-- scales: words that the scales of a unit take. least: there is a minimum.
-- aligned: the bytes that a block in a file is a multiple of. times: what the text
-- multiplies numbers by when it widens them, which its scales make good. shared: all
-- units of a block load the same words of scales.
local known <const> = {
  q8_0 = { elements = 32, bytes = 34, unit = 32, group = 32, quads = 2, scales = 1,
           least = false, aligned = 2, times = 1 },
  q4_0 = { elements = 32, bytes = 18, unit = 32, group = 32, quads = 1, scales = 1,
           least = false, aligned = 2, times = 16 },
  q4_1 = { elements = 32, bytes = 20, unit = 32, group = 32, quads = 1, scales = 1,
           least = true, aligned = 4, times = 1 },
  q4_K = { elements = 256, bytes = 144, unit = 64, group = 32, quads = 2, scales = 4,
           least = true, aligned = 16, times = 1, shared = true },
  q6_K = { elements = 256, bytes = 210, unit = 64, group = 16, quads = 3, scales = 3,
           least = false, aligned = 2, times = 4 },
}

quant.names = { "q8_0", "q4_0", "q4_1", "q4_K", "q6_K" }

function quant.of(problem) return known[problem.dtype] end

-- Units of a row, and blocks of all rows of so many matrices.
function quant.units(problem) return problem.k // known[problem.dtype].unit end
function quant.blocks(problem, copies)
  return copies * problem.m * (problem.k // known[problem.dtype].elements)
end

-- Bytes of the weights.
function quant.bytes(problem, copies)
  return quant.blocks(problem, copies) * known[problem.dtype].bytes
end

-- Bytes that the text counts by 32 bits.
local limit <const> = (1 << 32) - 1

-- Why such weights and activations cannot be, or nil.
local function refusal(problem, copies)
  local t <const> = known[problem.dtype]
  if type(problem.k) ~= "number" or type(problem.m) ~= "number" then return end
  if problem.k % t.elements ~= 0 then
    return "k is " .. problem.k .. ", but a block of " .. problem.dtype .. " has " .. t.elements ..
           " numbers of a row: k must be a multiple of it"
  end
  if quant.bytes(problem, copies) > limit then
    return "m * k numbers of " .. problem.dtype .. " are " .. quant.bytes(problem, copies) ..
           " bytes, but offsets have 32 bits: at most " .. limit .. " will do"
  end
  if type(problem.n) == "number" and 4 * problem.n * problem.k > limit then
    return "n * k activations are " .. 4 * problem.n * problem.k ..
           " bytes, but offsets have 32 bits: at most " .. limit .. " will do"
  end
end

-- Nothing is to be filled in; or nil, and why there is no such problem.
function quant.complete(problem, copies)
  local why <const> = refusal(problem, copies)
  if why then return nil, why end
  return {}
end

-- The tunable for how weights lie, and the rules of both kinds of kernels before
-- those of one.
quant.layout = { "layout", { "file", "planes", "panels" },
  "of W: blocks as in a file; or taken apart, numbers first and then scales, row after " ..
  "row, or by 16 bytes of 64 rows" }
quant.panel = 64 -- rows

function quant.rules(own)
  local list <const> = {
    { "it needs v_dot4_i32_i8, which this arch lacks",
      function (_, _, arch) return arch.dot4 == 0 end },
    { "layout=file: blocks of this type lie at multiples of 2 or 4 bytes, where this arch " ..
      "loads no 16",
      function (cfg, problem, arch)
        return cfg.layout == "file" and quant.of(problem).aligned < 16 and arch.amdgcn == 0
      end },
    { "layout=planes, but blocks of this type are multiples of 16 bytes as they are",
      function (cfg, problem)
        return cfg.layout == "planes" and quant.of(problem).aligned == 16
      end },
  }
  for _, rule in ipairs(own) do list[#list + 1] = rule end
  return list
end

-- The keys of a product of quantised weights, of at most `columns` columns.
function quant.keys(columns, standard)
  local most <const> = (1 << 31) - 1024
  return {
    { "m", 4096, { min = 1, max = most }, "rows of the weights W, and of C's columns" },
    { "n", standard, { min = 1, max = columns }, "columns of the activations X, each a row in memory" },
    { "k", 4096, { min = 32, max = most }, "numbers of a row of W; a multiple of its type's block" },
    { "dtype", "q8_0", quant.names, "of W, a type of ggml's" },
    { "x", "f32", { "f32", "q8_1" },
      "the activations: f32, quantised to q8_1 on the way, or given as q8_1" },
  }
end

-- A buffer of so many rows of weights that lie so, and one of their results.
function quant.weights(name, problem, rows, layout)
  local row <const> = problem.k // known[problem.dtype].elements
  local panels <const> = layout == "panels"
  local stored <const> = panels and (rows + quant.panel - 1) // quant.panel * quant.panel or rows
  return { name = name, role = "in", type = problem.dtype, elements = stored * row,
           low = -0.125, high = 0.125, planes = layout ~= "file",
           panel = panels and quant.panel or nil, row = panels and row or nil }
end
function quant.results(name, problem, rows)
  return { name = name, role = "out", type = "f32", elements = rows * problem.n }
end

-- The buffers of a problem: so many matrices of weights, C, and activations. A
-- kernel of its own quantises them to xq and xs where `apart`.
function quant.buffers(problem, copies, layout, apart)
  local n <const>, k <const> = problem.n, problem.k
  local given <const> = problem.x == "q8_1"
  local list <const> = {
    quant.weights("w", problem, copies * problem.m, layout),
    quant.results("c", problem, problem.m),
  }
  if not given then
    list[3] = { name = "x", role = "in", type = "f32", elements = n * k, low = -1, high = 1 }
  end
  if given or apart then
    local role <const> = given and "in" or "scratch"
    list[#list + 1] = { name = "xq", role = role, type = "i8", elements = n * k,
                        low = -127, high = 128 }
    list[#list + 1] = { name = "xs", role = role, type = "f16", elements = n * k // 16,
                        low = -1, high = 1 }
  end
  return list
end

-- The buffer of the sums of so many parts of k, where it has several.
function quant.sums(problem, parts)
  if parts == 1 then return end
  return { name = "sums", role = "scratch", type = "f32",
           elements = parts * problem.m * problem.n }
end

-- The launch that adds up the parts of k. In the parts are the results of several
-- products, one after the other, which have so many rows and so named buffers.
function quant.reduce(problem, rows, names)
  local all, args <const> = 0, { "sums" }
  for _, name in ipairs(names) do args[#args + 1] = name end
  for _, m in ipairs(rows) do
    all = all + m * problem.n
    args[#args + 1] = i32(m * problem.n)
  end
  return { kernel = "reduce", grid = { (all + 255) // 256, 1, 1 }, block = { 256, 1, 1 },
           lds = 0, args = args }
end

-- The launch that quantises the activations: 256 of a column a workgroup. Blocks of
-- all columns at the same k follow one another.
function quant.quantise(problem)
  return { kernel = "quantise", grid = { (problem.k + 255) // 256, problem.n, 1 },
           block = { 256, 1, 1 }, lds = 0,
           args = { "x", "xq", "xs", i32(problem.n), i32(problem.k) } }
end

-- An empty list of what a kernel needs of another problem than its own, what adds to
-- it a number that must be 0, or one that must be a multiple; in it is what all such
-- texts need, which count by 32 bits.
function quant.needs(other, copies)
  local list <const> = {}
  local function need(reason, zero) list[#list + 1] = { reason, zero } end
  local function whole(reason, x, unit)
    if unit > 1 then need(reason .. " is a multiple of " .. unit, x % unit) end
  end
  whole("k", other.k, quant.of(other).elements)
  need("W spans less than 4 GiB", quant.bytes(other, copies) // (limit + 1))
  need("X spans less than 4 GiB", 4 * other.n * other.k // (limit + 1))
  return list, need, whole
end

-- For `work`: bytes of the lines of memory that so many units of each of so many rows
-- lie in. Scales that lie apart come with those of the next steps.
function quant.fetched(cfg, problem, rows, units, arch)
  local t <const> = known[problem.dtype]
  local bytes <const> = units * t.unit * t.bytes // t.elements
  if cfg.layout == "panels" then return rows * bytes end
  local run <const> = cfg.layout == "file" and bytes or 16 * t.quads * units
  return rows * (bytes - run + math.max(run, arch.l2_line))
end

-- VALU instructions for a lane's unit of W: to decode it, and to multiply it with a
-- column of X.
function quant.instructions(problem)
  local t <const> = known[problem.dtype]
  local groups <const> = t.unit // t.group
  local decode <const> = (problem.dtype == "q8_0" and 0 or 2) * t.unit // 4 + 6 * groups
  return decode, t.unit // 4 + (t.least and 6 or 4) * groups
end

-- 2 m n k, and the bytes that must move: weights, activations once, C.
function quant.cost(problem, copies)
  local m <const>, n <const>, k <const> = problem.m, problem.n, problem.k
  local x <const> = problem.x == "q8_1" and n * k + n * k // 8 or 4 * n * k
  return { flops = 2 * m * n * k, bytes = quant.bytes(problem, copies) + x + 4 * m * n }
end

return quant
