-- qdq.lua - numbers made small and large again around a dot product: when do packed
-- types pay, if their conversion is in the loop, or done once and used often?
-- SPDX-License-Identifier: MIT

local function ceil(x, y) return (x + y - 1) // y end

local bits <const> = { f32 = 32, f16 = 16, i8 = 8, i4 = 4 }

-- The arch fact that bounds the products.
local peaks <const> = { f32 = "fp32_flops", f16 = "fp16_flops", i8 = "dot4_ops", i4 = "dot8_ops" }

-- Units of the scale around which activations of -1 to 1 lie: some are clamped.
local reach <const> = { i8 = 100, i4 = 6 }

local function is_whole(problem) return reach[problem.dtype] ~= nil end

local function words(problem) return problem.block * bits[problem.dtype] // 32 end

-- VGPRs that a thread needs: activations and what moves them, weights and what moves
-- those, a converted block, and a few of each sum; addresses.
local function registers(cfg, problem)
  local moving <const> = problem.use == "hot" and 2 or 1
  local both <const> = moving * (problem.block + words(problem))
  return cfg.ilp * (both + 3) + problem.block + 16
end

local function lacks(dtype, fact)
  return function (_, problem, arch)
    return problem.way == "quantise" and problem.dtype == dtype and arch[fact] == 0
  end
end

-- The loops of the notes: 8 multiplications a turn.
local function turn(path, rounding)
  return { path = path, rounding = rounding or "rint", ilp = 1, unroll = 1, group = 256 }
end

local slow <const> = "dot loops run as at 1.45 to 1.5 GHz, also where scalars bound them: power?"

return {
  meaning = "quantise, dequantise around a dot product, in a loop or once",

  problem = {
    { "dtype", "i8", { "f32", "f16", "i8", "i4" }, "packed type; f32: nothing is converted" },
    { "way", "quantise", { "quantise", "dequantise" },
      "quantise: activations to dtype, dot products; dequantise: weights to f32, FMAs" },
    { "use", "hot", { "hot", "once" }, "convert in every round, or once before all" },
    { "block", 8, { 8, 16, 32 }, "numbers that a thread multiplies a round; they share a scale" },
    { "rounds", 256, { min = 1, max = 4095 }, "blocks one after the other" },
    { "n", 60 * 40 * 64 * 4, { min = 1, max = 1 << 24 },
      "sums; the default fills 60 CUs at every ilp" },
  },

  space = {
    { "path", { "plain", "sdwa", "perm", "bfe", "pkrtz" },
      "instructions that pack and unpack; plain: what the compiler makes of C" },
    { "rounding", { "rint", "add" }, "to integers: by v_rndne, or by adding 3 * 2^22" },
    { "ilp", { 1, 2, 4 }, "sums of a thread" },
    { "unroll", { 1, 2, 4 }, "rounds in a turn of the loop" },
    { "group", { 64, 128, 256, 512 }, "threads a workgroup" },
  },

  rules = {
    { "dtype=f16 needs v_dot2_f32_f16, which this arch lacks", lacks("f16", "dot2") },
    { "dtype=i8 needs v_dot4_i32_i8, which this arch lacks", lacks("i8", "dot4") },
    { "dtype=i4 needs v_dot8_i32_i4, which this arch lacks", lacks("i4", "dot8") },
    { "path=sdwa needs SDWA, which this arch lacks",
      function (cfg, _, arch) return cfg.path == "sdwa" and arch.sdwa == 0 end },
    { "dtype=f32 converts nothing: it needs path=plain",
      function (cfg, problem) return problem.dtype == "f32" and cfg.path ~= "plain" end },
    { "path=pkrtz needs dtype=f16 and way=quantise",
      function (cfg, problem)
        return cfg.path == "pkrtz" and (problem.dtype ~= "f16" or problem.way == "dequantise")
      end },
    { "path=bfe needs dtype=i8 or i4 and way=dequantise",
      function (cfg, problem)
        return cfg.path == "bfe" and (not is_whole(problem) or problem.way == "quantise")
      end },
    { "path=perm needs dtype=i8 or i4",
      function (cfg, problem) return cfg.path == "perm" and not is_whole(problem) end },
    { "rounding=add needs way=quantise and dtype=i8 or i4",
      function (cfg, problem)
        return cfg.rounding == "add" and not (problem.way == "quantise" and is_whole(problem))
      end },
    { "unroll is over rounds",
      function (cfg, problem) return cfg.unroll > problem.rounds end },
    { "ilp * unroll * block is over 128 products in a turn of the loop",
      function (cfg, problem) return cfg.ilp * cfg.unroll * problem.block > 128 end },
    { "n is at most group / 2 * ilp: a smaller group covers it",
      function (cfg, problem)
        return cfg.group > 64 and problem.n <= cfg.group // 2 * cfg.ilp
      end },
    { "ilp * block numbers need more registers than there are in group",
      function (cfg, problem, arch)
        return registers(cfg, problem) > arch.vgprs // ceil(cfg.group, arch.wave * arch.simds)
      end },
  },

  launch = function (cfg, problem)
    local args <const> = { "x", "w" }
    if problem.use == "hot" then args[#args + 1] = "move" end
    if is_whole(problem) then
      if problem.way == "quantise" then args[#args + 1] = "scale_x" end
      args[#args + 1] = "scale_w"
    end
    args[#args + 1] = "y"
    args[#args + 1] = i32(problem.n)
    args[#args + 1] = i32(problem.rounds)
    return { { kernel = "qdq", grid = { ceil(problem.n, cfg.group * cfg.ilp), 1, 1 },
               block = { cfg.group, 1, 1 }, lds = 0, args = args } }
  end,

  -- Integer weights are all words there are. Activations move by subtraction, weights
  -- by bits that change: what the loop converts is never the same twice in a row.
  buffers = function (_, problem)
    local p <const> = problem
    local n <const> = p.n
    local word <const> = is_whole(p) and "i32" or p.dtype
    local each <const> = p.dtype == "f16" and 2 or 1
    local range <const> = is_whole(p) and 1 << 31 or 1
    local list <const> = {
      { name = "x", role = "in", type = "f32", elements = p.block * n },
      { name = "w", role = "in", type = word, elements = each * words(p) * n, low = -range,
        high = range },
    }
    if p.use == "hot" and p.way == "quantise" then
      list[#list + 1] = { name = "move", role = "in", type = "f32", elements = p.block * n }
    elseif p.use == "hot" then
      list[#list + 1] = { name = "move", role = "in", type = "i32", elements = words(p) * n,
                          low = -(1 << 31), high = 1 << 31 }
    end
    if is_whole(p) then
      local unit <const> = 1 / reach[p.dtype]
      if p.way == "quantise" then
        list[#list + 1] = { name = "scale_x", role = "in", type = "f32", elements = n,
                            low = 0.8 * unit, high = 1.2 * unit }
      end
      list[#list + 1] = { name = "scale_w", role = "in", type = "f32", elements = n,
                          low = 0.5 * unit, high = unit }
    end
    list[#list + 1] = { name = "y", role = "out", type = "f32", elements = n }
    return list
  end,

  reference = "qdq",

  -- A multiplication with its addition is two operations; conversions do not count.
  cost = function (problem)
    local loaded <const> = problem.block + words(problem)
    return { flops = 2 * problem.block * problem.n * problem.rounds,
             bytes = 4 * (loaded + 1) * problem.n,
             peak = problem.way == "dequantise" and peaks.f32 or peaks[problem.dtype] }
  end,

  -- Two workgroups, the second not full, and a few turns with the same rest.
  check = function (cfg, problem)
    local rounds <const> = ceil(9, cfg.unroll) * cfg.unroll + problem.rounds % cfg.unroll
    return { n = 2 * cfg.group * cfg.ilp - 3, rounds = math.min(problem.rounds, rounds) }
  end,

  complete = function (problem)
    if problem.dtype == "f32" and problem.way == "dequantise" then
      return nil, "dtype=f32 has nothing to dequantise; leave out way"
    end
    return {}
  end,

  figures = {
    { study = "qdq_hot", id = "pure_fp32", what = "fp32 FMA only, 8 MACs a thread and iteration",
      unit = "TOPS", low = 5.95, high = 5.95, problem = { dtype = "f32" }, config = turn("plain") },
    { study = "qdq_hot", id = "qdq_fp16_dot2", what = "fp32 -> fp16, fdot2",
      unit = "TOPS", low = 4.19, high = 4.19, problem = { dtype = "f16" },
      config = turn("plain") },
    { study = "qdq_hot", id = "qdq_int8_dot4", what = "fp32 -> int8 pack, sdot4, dequantise",
      unit = "TOPS", low = 2.00, high = 2.00, problem = { dtype = "i8" }, config = turn("plain") },
    { study = "qdq_reuse", id = "fp32", what = "converted once, reused", unit = "TOPS",
      low = 13.0, high = 13.0, problem = { dtype = "f32", use = "once", rounds = 2048 },
      config = turn("plain") },
    { study = "qdq_reuse", id = "dot4", what = "converted once, reused", unit = "TOPS",
      low = 21.7, high = 21.7, problem = { dtype = "i8", use = "once", rounds = 2048 },
      config = turn("plain"), note = slow },
    { study = "qdq_reuse", id = "dot2", what = "converted once, reused", unit = "TOPS",
      low = 21.9, high = 21.9, problem = { dtype = "f16", use = "once", rounds = 2048 },
      config = turn("plain"), note = slow },
  },

  plots = {
    { name = "hot", kind = "lines", title = "Quantised in every round: throughput over block",
      x = "block", series = "dtype", value = "gops", problem = { use = "hot" } },
    { name = "once", kind = "lines", title = "Quantised once and reused: throughput over block",
      x = "block", series = "dtype", value = "gops", problem = { use = "once", rounds = 2048 } },
    { name = "pack", kind = "lines", title = "f32 to i8 in every round, by path",
      x = "block", series = "path", value = "gops",
      problem = { dtype = "i8" }, config = { rounding = "rint" } },
    { name = "unpack", kind = "lines", title = "i4 to f32 in every round, by path",
      x = "block", series = "path", value = "gflops",
      problem = { dtype = "i4", way = "dequantise" } },
  },
}
