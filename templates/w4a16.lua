-- w4a16.lua - C = X W of weights of 4 bits and at most 8 rows of f16 activations.
-- SPDX-License-Identifier: MIT

local int4 <const> = include "parts/int4.lua"
local function ceil(x, y) return (x + y - 1) // y end

-- Units of a column that a step takes, and columns of a workgroup.
local function step(cfg, arch) return cfg.depth * (arch.wave // cfg.lanes_m) * cfg.waves_k end
local function columns(cfg, problem) return cfg.lanes_m * int4.of(problem).outputs end

-- Units of the longest part of k.
local function part_units(cfg, problem)
  local grain <const> = cfg.depth -- units that have one scale
  return ceil(problem.k // int4.unit // grain, cfg.split_k) * grain
end

local function workgroups(cfg, problem) return ceil(problem.m, columns(cfg, problem)) end

local function meeting(cfg, problem, arch)
  return cfg.waves_k * arch.wave * int4.of(problem).outputs * problem.n * 4
end
local function lds(cfg, problem, arch)
  local x <const> = cfg.x_from == "lds" and 16 * part_units(cfg, problem) * problem.n or 0
  return x + meeting(cfg, problem, arch)
end

local function registers(cfg, problem)
  local t <const> = int4.of(problem)
  local loads <const> = cfg.depth * t.loads * t.words * (cfg.ahead + 1)
  local x <const> = 4 * problem.n * (cfg.x_from == "lds" and 1 or cfg.depth * (cfg.ahead + 1))
  return t.outputs * (2 * problem.n + 1) + loads + (cfg.ahead + 1) * (t.outputs // 2 + 1) + x + 24
end
local function vgprs(cfg, arch)
  return math.min(arch.vgprs, arch.vgpr_total // ceil(cfg.waves_k, arch.simds))
end

local function keys()
  local most <const> = (1 << 31) - 1024
  local list <const> = {
    { "m", 4096, { min = 8, max = most }, "columns of the weights W, and of C" },
    { "n", 1, { min = 1, max = 8 }, "rows of the activations X, and of C" },
    { "k", 4096, { min = 8, max = most }, "rows of W; a multiple of group" },
  }
  for _, key in ipairs(int4.keys) do list[#list + 1] = key end
  list[#list + 1] = { "type_c", "f16", { "f16", "f32" }, "type of C; sums are in f32" }
  return list
end

return {
  meaning = "GPTQ's or AWQ's weights of 4 bits times 1 to 8 rows of f16",

  problem = keys(),

  space = {
    { "lanes_m", { 4, 8, 16, 32, 64 }, "lanes of a wave along a row of W, the rest down k" },
    { "waves_k", { 1, 2, 4, 8, 16 }, "waves of a workgroup, which share k" },
    { "depth", { 1, 2, 4, 8, 16 }, "units of 8 k that a lane takes at a step, with one scale" },
    { "ahead", { 0, 1 }, "steps that loads of W run ahead, in registers" },
    { "x_from", { "lds", "memory" },
      "where lanes read X: in LDS, where the workgroup brings it, or in memory" },
    { "split_k", { 1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 16, 20, 22, 28, 32, 44 },
      "parts of k, added up by a second kernel" },
  },

  rules = {
    { "it needs v_dot2_f32_f16, which this arch lacks",
      function (_, _, arch) return arch.dot2 == 0 or arch.amdgcn == 0 end },
    { "depth is over the units of a group, or divides them not",
      function (cfg, problem)
        return cfg.depth > 1 and int4.rows(problem) // int4.unit % cfg.depth ~= 0
      end },
    { "waves_k: too many threads",
      function (cfg, _, arch) return cfg.waves_k * arch.wave > arch.max_threads end },
    { "depth * waves_k * lanes down k are twice a part of k: fewer cover it",
      function (cfg, problem, arch)
        return cfg.depth * cfg.waves_k > 1 and
               step(cfg, arch) >= 2 * part_units(cfg, problem)
      end },
    { "ahead=1, but depth * waves_k * lanes down k is a part of k: there is no next step",
      function (cfg, problem, arch)
        return cfg.ahead > 0 and step(cfg, arch) >= part_units(cfg, problem)
      end },
    { "half of lanes_m covers m",
      function (cfg, problem)
        return cfg.lanes_m > 4 and 2 * problem.m <= columns(cfg, problem)
      end },
    { "split_k leaves a part of k empty",
      function (cfg, problem)
        local all <const> = problem.k // int4.unit
        return cfg.split_k > 1 and part_units(cfg, problem) * (cfg.split_k - 1) >= all
      end },
    { "split_k * workgroups is over 16 a CU: a smaller split_k is enough",
      function (cfg, problem, arch)
        return cfg.split_k > 1 and workgroups(cfg, problem) * cfg.split_k > 16 * arch.cus
      end },
    { "x_from=memory, but act_order=1 gathers activations: that is done on the way into LDS",
      function (cfg, problem) return cfg.x_from == "memory" and problem.act_order == 1 end },
    { "n * k / split_k activations, and sums that meet, are too much LDS",
      function (cfg, problem, arch) return lds(cfg, problem, arch) > arch.lds_static end },
    { "depth, ahead: too many registers",
      function (cfg, problem, arch) return registers(cfg, problem) > vgprs(cfg, arch) end },
  },

  launch = function (cfg, problem, arch)
    local p <const>, split <const> = problem, cfg.split_k > 1
    local args <const> = { "x", "qweight", "qzeros", "scales", split and "sums" or "c",
                           i32(p.m), i32(p.k) }
    if p.act_order == 1 then args[#args + 1] = "perm" end
    local list <const> = {
      { kernel = "w4a16", grid = { workgroups(cfg, p), 1, cfg.split_k },
        block = { arch.wave * cfg.waves_k, 1, 1 }, lds = 0, args = args },
    }
    if split then
      list[2] = { kernel = "reduce", grid = { ceil(p.m * p.n, 256), 1, 1 },
                  block = { 256, 1, 1 }, lds = 0, args = { "sums", "c", i32(p.m * p.n) } }
    end
    return list
  end,

  buffers = function (cfg, problem)
    local list <const> = int4.buffers(problem)
    list[#list + 1] = { name = "x", role = "in", type = "f16", elements = problem.n * problem.k,
                        low = -1, high = 1 }
    list[#list + 1] = { name = "c", role = "out", type = problem.type_c,
                        elements = problem.m * problem.n }
    if cfg.split_k > 1 then
      list[#list + 1] = { name = "sums", role = "scratch", type = "f32",
                          elements = cfg.split_k * problem.m * problem.n }
    end
    return list
  end,

  reference = "int4",

  cost = function (problem)
    local c <const> = problem.type_c == "f16" and 2 or 4
    return { bytes = int4.bytes(problem) + 2 * problem.n * problem.k + c * problem.m * problem.n }
  end,

  -- Two steps of what runs ahead in each part, and two workgroups.
  check = function (cfg, problem, arch)
    local rows <const> = int4.rows(problem)
    local k <const> = cfg.split_k * (cfg.ahead + 1) * 2 * step(cfg, arch) * int4.unit
    return {
      m = math.min(problem.m, columns(cfg, problem) + 8),
      k = problem.group == 0 and math.min(ceil(k, int4.unit * cfg.depth) * int4.unit * cfg.depth,
                                          problem.k)
          or math.min(ceil(k, rows) * rows, problem.k),
    }
  end,

  complete = int4.complete,

  lds = function (cfg, problem, arch) return lds(cfg, problem, arch) end,
}
