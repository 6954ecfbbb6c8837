-- toy.lua - y = a x + y, to try out the machinery.
-- SPDX-License-Identifier: MIT
return {
  meaning = "y = a x + y, f32",

  problem = {
    { "n", 1000, { min = 1, max = 1 << 30 }, "elements" },
    { "a", 2.0, "number", "the factor" },
    { "order", "up", { "up", "down" }, "direction in which x is read" },
    { "stride", 0, { min = 0, max = 64 }, "of x; 0 is 1" },
  },

  space = {
    { "threads", { 64, 128, 256, 512 }, "threads of a workgroup" },
    { "each", { 1, 2, 4, 8 }, "elements a thread" },
    { "unroll", { 1, 2, 4 }, "elements at a time" },
    { "load", { "plain", "wide" }, "how x is read" },
  },

  rules = {
    { "more threads than a workgroup may have",
      function (cfg, _, arch) return cfg.threads > arch.max_threads end },
    { "unroll does not divide the elements of a thread",
      function (cfg) return cfg.each % cfg.unroll ~= 0 end },
    { "wide loads need four elements at a time and stride 1",
      function (cfg, problem)
        return cfg.load == "wide" and
               (cfg.unroll < 4 or problem.stride ~= 1)
      end },
  },

  launch = function (cfg, problem)
    local tile <const> = cfg.threads * cfg.each
    return { {
      kernel = "toy",
      grid = { (problem.n + tile - 1) // tile, 1, 1 },
      block = { cfg.threads, 1, 1 },
      args = { "x", "y", i32(problem.n), f32(problem.a) },
    } }
  end,

  buffers = function (_, problem)
    return {
      { name = "x", role = "in", type = "f32",
        elements = problem.n * problem.stride, low = -1, high = 1 },
      { name = "y", role = "inout", type = "f32", elements = problem.n,
        low = -1, high = 1 },
    }
  end,

  reference = "axpy",

  cost = function (problem)
    return { flops = 2 * problem.n, bytes = 12 * problem.n }
  end,

  check = function (cfg)
    return { n = 3 * cfg.threads * cfg.each + 1 }
  end,

  complete = function (problem)
    if problem.order == "down" and problem.stride > 1 then
      return nil, "order=down needs stride 1"
    end
    return { stride = math.max(problem.stride, 1) }
  end,

  figures = {
    { study = "stream", id = "wide", what = "wide loads", unit = "GB/s",
      low = 700, high = 720.5, problem = { n = 4096, stride = 1 },
      config = { load = "wide", each = 4, unroll = 4 } },
    { study = "stream", id = "plain", what = "plain loads", unit = "TFLOP/s",
      low = 1, high = 1, note = "our card is not the one of the paper" },
  },

  plots = {
    { name = "threads_each", kind = "heat", title = "Bandwidth over the shape",
      x = "threads", y = "each", value = "gbps", problem = { n = 4096 },
      config = { unroll = 1 } },
    { name = "size", kind = "lines", title = "Time over the size", x = "n",
      series = "load", value = "time_us", over = { n = { 64, 4096 } } },
  },
}
