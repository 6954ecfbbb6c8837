-- bowl.lua - a space with one valley, to try searches on; it is never run.
-- SPDX-License-Identifier: MIT
local steps <const> = { 0, 1, 2, 3, 4, 5, 6, 7 }

return {
  meaning = "a synthetic space",

  problem = { { "n", 16, { min = 1, max = 64 }, "elements" } },

  space = {
    { "t0", steps, "first" },
    { "t1", steps, "second" },
    { "t2", steps, "third" },
    { "t3", steps, "fourth" },
    { "t4", steps, "fifth" },
    { "t5", steps, "sixth" },
  },

  rules = {
    { "t0 and t1 are both large", function (cfg) return cfg.t0 + cfg.t1 > 11 end },
    { "t4 is odd where t5 is 0",
      function (cfg) return cfg.t5 == 0 and cfg.t4 % 2 == 1 end },
  },

  launch = function (_, problem)
    return { { kernel = "bowl", grid = { 1, 1, 1 }, block = { problem.n, 1, 1 },
               args = { "x" } } }
  end,

  buffers = function (_, problem)
    return { { name = "x", role = "out", type = "f32", elements = problem.n,
               low = -1, high = 1 } }
  end,

  reference = "none",
  cost = function (problem) return { flops = problem.n, bytes = problem.n } end,
  check = function () return { n = 1 } end,
}
