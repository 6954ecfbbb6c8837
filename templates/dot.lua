-- dot.lua - what dot products of packed numbers and FMAs do in a second: sums in
-- registers, many steps each, from 1 to 16 of them independent in a thread.
-- SPDX-License-Identifier: MIT

-- What an operation is: its multiplications a lane, the arch fact that bounds it, the
-- elements of one operand and of one sum in memory, and for the integer ones how far a
-- random step moves a sum.
local ops <const> = {
  sdot4 = { macs = 4, peak = "dot4_ops", operand = { "i32", 1 }, sum = { "i32", 1 }, move = 11000 },
  udot4 = { macs = 4, peak = "dot4_ops", operand = { "i32", 1 }, sum = { "i32", 1 }, move = 65000 },
  sdot8 = { macs = 8, peak = "dot8_ops", operand = { "i32", 1 }, sum = { "i32", 1 }, move = 60 },
  udot8 = { macs = 8, peak = "dot8_ops", operand = { "i32", 1 }, sum = { "i32", 1 }, move = 450 },
  fdot2 = { macs = 2, peak = "fp16_flops", operand = { "f16", 2 }, sum = { "f32", 1 } },
  fma_f32 = { macs = 1, peak = "fp32_flops", operand = { "f32", 1 }, sum = { "f32", 1 } },
  pk_fma_f16 = { macs = 2, peak = "fp16_flops", operand = { "f16", 2 }, sum = { "f16", 2 } },
}

local function lacks(op, fact)
  return function (_, problem, arch) return problem.op == op and arch[fact] == 0 end
end

local function ceil(x, y) return (x + y - 1) // y end

-- VGPRs that a thread needs: of each sum itself and two operands, and addresses.
local function registers(cfg) return 3 * cfg.ilp + 12 end

-- Integer operands are all words there are. The sums start around the ends of the
-- range, half of them so near that a step or the steps together lead past it.
local function operand(name, problem)
  local op <const> = ops[problem.op]
  local range <const> = op.move and 1 << 31 or 31 / 32
  return { name = name, role = "in", type = op.operand[1], elements = op.operand[2] * problem.n,
           low = -range, high = range }
end

local function sum(name, role, problem)
  local op <const> = ops[problem.op]
  local range <const> = op.move and math.min(op.move * problem.steps, 1 << 31) or 1
  return { name = name, role = role, type = op.sum[1], elements = op.sum[2] * problem.n,
           low = -range, high = range }
end

-- A loop of so many independent sums, one step of each a turn, as the notes have it.
local function turn(ilp) return { ilp = ilp, unroll = 1, group = 256, path = "dot" } end

-- A turn of a chain is 8 cycles of a SIMD by its two scalar instructions, whatever a dot
-- takes: 26.5 TOPS at 1725 MHz. Loops of FMAs show no such thing (8 of them in 32.6
-- cycles: 1.69 GHz or more), nor those of qdq that mostly convert.
local slow <const> = "dot loops run as at 1.45 to 1.5 GHz, also where scalars bound them: power?"

local best <const> = { ilp = 8, unroll = 8, group = 256, path = "dot" }

return {
  meaning = "dot products of packed numbers and FMAs, many steps a sum",

  problem = {
    { "op", "sdot4", { "sdot4", "udot4", "sdot8", "udot8", "fdot2", "fma_f32", "pk_fma_f16" },
      "the operation of a step" },
    { "clamp", 0, { 0, 1 }, "1: sums stay in their range, floats in 0 to 1" },
    { "steps", 4096, { min = 1, max = 1 << 24 }, "operations a sum, each on the one before" },
    { "n", 60 * 40 * 64 * 16, { min = 1, max = 1 << 28 },
      "sums; the default fills 60 CUs at every ilp" },
  },

  space = {
    { "ilp", { 1, 2, 3, 4, 6, 8, 12, 16 }, "independent sums of a thread" },
    { "unroll", { 1, 2, 4, 8, 16 }, "steps in a turn of the loop" },
    { "group", { 64, 128, 256, 512, 1024 }, "threads a workgroup" },
    { "path", { "dot", "dotc" }, "dotc: the short form that adds to its destination" },
  },

  rules = {
    { "op=sdot4 needs v_dot4_i32_i8, which this arch lacks", lacks("sdot4", "dot4") },
    { "op=udot4 needs v_dot4_u32_u8, which this arch lacks", lacks("udot4", "dot4") },
    { "op=sdot8 needs v_dot8_i32_i4, which this arch lacks", lacks("sdot8", "dot8") },
    { "op=udot8 needs v_dot8_u32_u4, which this arch lacks", lacks("udot8", "dot8") },
    { "op=fdot2 needs v_dot2_f32_f16, which this arch lacks", lacks("fdot2", "dot2") },
    { "op=pk_fma_f16 needs v_pk_fma_f16, which this arch lacks",
      lacks("pk_fma_f16", "pk_fma_f16") },
    { "path=dotc needs dot4c and dot8c, which this arch lacks",
      function (cfg, _, arch) return cfg.path == "dotc" and arch.dotc == 0 end },
    { "path=dotc is for op=sdot4 and sdot8, with clamp=0",
      function (cfg, problem)
        local signed <const> = problem.op == "sdot4" or problem.op == "sdot8"
        return cfg.path == "dotc" and (not signed or problem.clamp == 1)
      end },
    { "unroll is over steps",
      function (cfg, problem) return cfg.unroll > problem.steps end },
    { "ilp * unroll is over 128 operations in a turn of the loop",
      function (cfg) return cfg.ilp * cfg.unroll > 128 end },
    { "n is at most group / 2 * ilp: a smaller group covers it",
      function (cfg, problem)
        return cfg.group > 64 and problem.n <= cfg.group // 2 * cfg.ilp
      end },
    { "group is over the threads that a workgroup can have",
      function (cfg, _, arch) return cfg.group > arch.max_threads end },
    { "ilp sums need more registers than a thread of this group has",
      function (cfg, _, arch)
        return registers(cfg) > arch.vgprs // ceil(cfg.group, arch.wave * arch.simds)
      end },
  },

  launch = function (cfg, problem)
    return { { kernel = "dot", grid = { ceil(problem.n, cfg.group * cfg.ilp), 1, 1 },
               block = { cfg.group, 1, 1 }, lds = 0,
               args = { "a", "b", "c", "y", i32(problem.n), i32(problem.steps) } } }
  end,

  buffers = function (_, problem)
    return { operand("a", problem), operand("b", problem), sum("c", "in", problem),
             sum("y", "out", problem) }
  end,

  reference = "dot",

  -- A multiplication with its addition is two operations.
  cost = function (problem)
    return { flops = 2 * ops[problem.op].macs * problem.n * problem.steps,
             bytes = 16 * problem.n, peak = ops[problem.op].peak }
  end,

  -- Two workgroups, the second not full, and a few turns with the same rest.
  check = function (cfg, problem)
    local steps <const> = ceil(24, cfg.unroll) * cfg.unroll + problem.steps % cfg.unroll
    return { n = 2 * cfg.group * cfg.ilp - 3, steps = math.min(problem.steps, steps) }
  end,

  complete = function (problem)
    local op <const> = problem.op
    if problem.clamp == 1 and (op == "fma_f32" or op == "pk_fma_f16") then
      return nil, "clamp=1 is for dot products, not for op=" .. op
    end
    return {}
  end,

  figures = {
    { study = "dot", id = "sdot4_chain", what = "sdot4, one dependent accumulator",
      unit = "TOPS", low = 21.7, high = 22.3, problem = { op = "sdot4" }, config = turn(1),
      note = slow },
    { study = "dot", id = "udot4_chain", what = "udot4, one dependent accumulator",
      unit = "TOPS", low = 22.25, high = 22.63, problem = { op = "udot4" }, config = turn(1),
      note = slow },
    { study = "dot", id = "sdot8_chain", what = "sdot8, one dependent accumulator",
      unit = "TOPS", low = 43.5, high = 44.4, problem = { op = "sdot8" }, config = turn(1),
      note = slow },
    { study = "dot", id = "udot8_chain", what = "udot8, one dependent accumulator",
      unit = "TOPS", low = 44.5, high = 44.6, problem = { op = "udot8" }, config = turn(1),
      note = slow },
    { study = "dot", id = "sdot4_ilp4", what = "sdot4, four independent accumulators",
      unit = "TOPS", low = 43.0, high = 44.4, problem = { op = "sdot4" }, config = turn(4),
      note = slow },
    { study = "dot", id = "sdot8_ilp4", what = "sdot8, four independent accumulators",
      unit = "TOPS", low = 85.3, high = 86.2, problem = { op = "sdot8" }, config = turn(4),
      note = slow },
    { study = "dot_peak", id = "dot4", what = "theoretical, 60 CUs at 1725 MHz; ours: a long loop",
      unit = "TOPS", low = 52.992, high = 52.992, problem = { op = "sdot4" }, config = best },
    { study = "dot_peak", id = "dot8", what = "theoretical, 60 CUs at 1725 MHz; ours: a long loop",
      unit = "TOPS", low = 105.984, high = 105.984, problem = { op = "sdot8" }, config = best },
    { study = "card", id = "fp32_fma", what = "clpeak-like FMA, 60 CUs",
      unit = "TFLOP/s", low = 12.9, high = 13.8, problem = { op = "fma_f32" }, config = best },
    { study = "card", id = "half2_fma", what = "packed fp16 FMA, 60 CUs",
      unit = "TFLOP/s", low = 25.2, high = 26.7, problem = { op = "pk_fma_f16" }, config = best },
  },

  plots = {
    { name = "ilp", kind = "lines", title = "Throughput over accumulators, a step a turn",
      x = "ilp", series = "op", value = "gops", config = { unroll = 1, group = 256 } },
    { name = "unroll", kind = "lines", title = "Throughput over steps a turn, one accumulator",
      x = "unroll", series = "op", value = "gops", config = { ilp = 1, group = 256 } },
  },
}
