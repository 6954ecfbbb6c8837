-- plain.lua - y = a x + y with a plain kernel as its reference.
-- SPDX-License-Identifier: MIT
return {
  meaning = "y = a x + y, f32",

  problem = {
    { "n", 100000, { min = 1, max = 1 << 28 }, "elements" },
    { "a", 2.0, "number", "the factor" },
    { "fault", "none", { "none", "last" },
      "what the kernel is to do wrong" },
  },

  space = {
    { "group", { 64, 256 }, "threads of a workgroup" },
    { "each", { 1, 2, 4 }, "elements a thread" },
  },

  rules = {
    { "four elements a thread are for small workgroups",
      function (cfg) return cfg.each == 4 and cfg.group > 64 end },
  },

  launch = function (cfg, problem)
    local tile <const> = cfg.group * cfg.each
    return { {
      kernel = "axpy",
      grid = { (problem.n + tile - 1) // tile, 1, 1 },
      block = { cfg.group, 1, 1 },
      args = { "x", "y", i32(problem.n), f32(problem.a) },
    } }
  end,

  buffers = function (_, problem)
    return {
      { name = "x", role = "in", type = "f32", elements = problem.n, low = -1, high = 1 },
      { name = "y", role = "inout", type = "f32", elements = problem.n, low = -1, high = 1 },
    }
  end,

  reference = {
    text = [[
extern "C" __global__ void plain(const float *x, float *y, int n, float a)
{
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}
]],
    launch = function (problem)
      return { { kernel = "plain", grid = { 1, 1, 1 }, block = { 1, 1, 1 },
                 args = { "x", "y", i32(problem.n), f32(problem.a) } } }
    end,
    -- One rounding where the compiler fuses, two where it does not.
    bound = function (problem)
      return { absolute = 2 * math.abs(problem.a) / (1 << 24), relative = 2 / (1 << 24) }
    end,
  },

  cost = function (problem)
    return { flops = 2 * problem.n, bytes = 12 * problem.n }
  end,

  check = function (cfg) return { n = 3 * cfg.group * cfg.each + 1 } end,

  figures = {
    { study = "axpy", id = "one", what = "an element a thread", unit = "GB/s",
      low = 1, high = 100000, config = { each = 1, group = 256 } },
    { study = "axpy", id = "four", what = "four elements a thread", unit = "GB/s",
      low = 1, high = 2, config = { each = 4 }, note = "the figure is made up" },
    { study = "axpy", id = "never", what = "what a rule excludes", unit = "us",
      low = 1, high = 1, config = { each = 4, group = 256 } },
  },

  plots = {
    { name = "shape", kind = "heat", title = "Bandwidth over the shape", x = "each",
      y = "group", value = "gbps" },
    { name = "size", kind = "lines", title = "Time over the size", x = "n",
      series = "each", value = "time_us", over = { n = { 1000, 10000, 100000 } },
      config = { group = 64 } },
  },
}
