-- faults.lua - a plain matrix product, and all that a candidate can do wrong.
-- SPDX-License-Identifier: MIT

-- What each must be called: tests/cli/faults.sh has the words. Of 40 values
-- 8 are bad, so that a fifth of the candidates is.
local faults <const> = {
  "hang", "fault", "guard", "input", "resource", "wrong", "rtc_crash", "rtc_hang",
}
for i = 1, 32 do faults[#faults + 1] = "good_" .. i end

local function ceil(x, y) return (x + y - 1) // y end

return {
  meaning = "matrix product, with faults to order",

  problem = {
    { "m", 64, { min = 1, max = 4096 }, "rows of C" },
    { "n", 64, { min = 1, max = 4096 }, "columns of C" },
    { "k", 32, { min = 1, max = 4096 }, "length of the sums" },
    { "layout", "nn", { "nn" }, "of A and B" },
    { "alpha", 1.0, "number", "factor of the product" },
    { "beta", 0.0, "number", "factor of C as it was: 0" },
    { "lda", 0, { min = 0, max = 4096 }, "leading dimension of A" },
    { "ldb", 0, { min = 0, max = 4096 }, "leading dimension of B" },
    { "ldc", 0, { min = 0, max = 4096 }, "leading dimension of C" },
    { "serials", 1, { min = 1, max = 25 }, "candidates of each kind" },
  },

  space = {
    { "serial", { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                  23, 24, 25 }, "makes kernels differ" },
    { "fault", faults, "what is wrong" },
  },

  rules = {
    { "not that many are wanted",
      function (cfg, problem) return cfg.serial > problem.serials end },
  },

  launch = function (cfg, problem)
    local p <const> = problem
    return {
      { kernel = "faults", grid = { ceil(p.m * p.n, 64), 1, 1 }, block = { 64, 1, 1 },
        lds = cfg.fault == "resource" and 1 << 20 or 0,
        args = { "a", "b", "c", i32(p.m), i32(p.n), i32(p.k), f32(p.alpha) } },
    }
  end,

  buffers = function (_, problem)
    local function matrix(name, role, elements)
      return { name = name, role = role, type = "f32", elements = elements, low = -1, high = 1 }
    end
    local p <const> = problem
    return { matrix("a", "in", p.m * p.k), matrix("b", "in", p.k * p.n),
             matrix("c", "out", p.m * p.n) }
  end,

  reference = "gemm",

  cost = function (problem) return { flops = 2 * problem.m * problem.n * problem.k, bytes = 0 } end,

  check = function () return { m = 32, n = 16, k = 8, lda = 8, ldb = 16, ldc = 16 } end,

  complete = function (problem)
    return { lda = problem.k, ldb = problem.n, ldc = problem.n }
  end,
}
