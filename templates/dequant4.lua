-- dequant4.lua - GPTQ's and AWQ's weights of 4 bits as f16, for a product of many rows.
-- SPDX-License-Identifier: MIT

local int4 <const> = include "parts/int4.lua"
local function ceil(x, y) return (x + y - 1) // y end

local function keys()
  local most <const> = (1 << 31) - 1024
  local list <const> = {
    { "m", 4096, { min = 8, max = most }, "columns of W" },
    { "k", 4096, { min = 8, max = most }, "rows of W; a multiple of group" },
  }
  for _, key in ipairs(int4.keys) do list[#list + 1] = key end
  return list
end

-- Units of 8 rows, and groups of columns, that threads share.
local function threads_k(cfg, problem) return ceil(problem.k // int4.unit, cfg.depth) end
local function threads_m(cfg, problem) return ceil(problem.m, cfg.columns) end

local function arguments(problem)
  local args <const> = { "qweight", "qzeros", "scales", "w", i32(problem.m), i32(problem.k) }
  if problem.act_order == 1 then args[#args + 1] = "perm" end
  return args
end

-- A thread an element, by the formats' definitions.
local plain <const> = [[
extern "C" __global__ void
plain(const unsigned *qweight, const unsigned *qzeros, const _Float16 *scales,
      _Float16 *w, int m, int k, int rows, int awq, const int *perm)
{
  int column = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y;
  if (column >= m)
    return;
  int group = row / rows, zero_at = column % 8 * 4, at = row % 8 * 4;
  unsigned word, zeros = qzeros[group * (m / 8) + column / 8];
  if (awq) {
    zero_at = column % 2 * 16 + column % 8 / 2 * 4;
    at = zero_at;
    word = qweight[(long long)row * (m / 8) + column / 8];
  } else {
    word = qweight[(long long)(row / 8) * m + column];
  }
  int q = word >> at & 15, zero = (zeros >> zero_at & 15) + (awq ? 0 : 1);
  float scale = scales[(long long)group * m + column];
  int to = perm ? perm[row] : row;
  w[(long long)to * m + column] = (_Float16)(scale * (float)(q - zero));
}
]]

return {
  meaning = "GPTQ's or AWQ's weights of 4 bits, unpacked to f16",

  problem = keys(),

  space = {
    { "threads", { 64, 128, 256 }, "threads a workgroup, along a row" },
    { "columns", { 2, 4, 8 }, "columns a thread, which it stores at once" },
    { "depth", { 1, 2, 4, 8 }, "units of 8 rows a thread, with one scale" },
  },

  rules = {
    { "it needs _Float16, which this arch's compiler lacks",
      function (_, _, arch) return arch.amdgcn == 0 end },
    { "a word of AWQ holds 8 columns: columns must be 8",
      function (cfg, problem) return problem.dtype == "awq" and cfg.columns ~= 8 end },
    { "columns is over a load of 16 bytes",
      function (cfg, problem) return problem.dtype == "gptq" and cfg.columns > 4 end },
    { "depth is over the units of a group, or divides them not",
      function (cfg, problem)
        return cfg.depth > 1 and int4.rows(problem) // int4.unit % cfg.depth ~= 0
      end },
    { "half of threads * columns covers m",
      function (cfg, problem)
        return cfg.threads > 64 and 2 * problem.m <= cfg.threads * cfg.columns
      end },
  },

  launch = function (cfg, problem)
    return { { kernel = "dequant4",
               grid = { ceil(threads_m(cfg, problem), cfg.threads), threads_k(cfg, problem), 1 },
               block = { cfg.threads, 1, 1 }, lds = 0, args = arguments(problem) } }
  end,

  buffers = function (_, problem)
    local list <const> = int4.buffers(problem)
    list[#list + 1] = { name = "w", role = "out", type = "f16", elements = problem.m * problem.k }
    return list
  end,

  reference = {
    text = plain,
    launch = function (problem)
      local args <const> = { "qweight", "qzeros", "scales", "w", i32(problem.m), i32(problem.k),
                             i32(int4.rows(problem)), i32(problem.dtype == "awq" and 1 or 0) }
      args[#args + 1] = problem.act_order == 1 and "perm" or i64(0)
      return { { kernel = "plain", grid = { ceil(problem.m, 64), problem.k, 1 },
                 block = { 64, 1, 1 }, args = args } }
    end,
    bound = function () return { absolute = 0, relative = 0 } end,
  },

  cost = function (problem)
    return { bytes = int4.bytes(problem) + 2 * problem.m * problem.k }
  end,

  -- Two workgroups each way, the last cut off.
  check = function (cfg, problem)
    local rows <const> = int4.rows(problem)
    return {
      m = math.min(problem.m, cfg.threads * cfg.columns + 8),
      k = problem.group == 0 and math.min(2 * cfg.depth * int4.unit, problem.k)
          or math.min(2 * rows, problem.k),
    }
  end,

  complete = int4.complete,
}
