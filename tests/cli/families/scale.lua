-- scale.lua - y = a x, the family of docs/families.md.
return {
  meaning = "y = a x, f32",
  problem = {
    { "n", 1 << 20, { min = 1, max = 1 << 28 }, "elements" },
    { "a", 2.0, "number", "the factor" },
  },
  space = {
    { "threads", { 64, 128, 256 }, "threads a workgroup" },
    { "each", { 1, 2, 4 }, "elements a thread" },
  },
  rules = {
    { "n is below threads * each: a smaller workgroup covers it",
      function (cfg, problem) return problem.n < cfg.threads * cfg.each end },
  },
  launch = function (cfg, problem)
    local tile <const> = cfg.threads * cfg.each
    return { { kernel = "scale", grid = { (problem.n + tile - 1) // tile, 1, 1 },
               block = { cfg.threads, 1, 1 },
               args = { "x", "y", i32(problem.n), f32(problem.a) } } }
  end,
  buffers = function (_, problem)
    return { { name = "x", role = "in", type = "f32", elements = problem.n },
             { name = "y", role = "out", type = "f32", elements = problem.n } }
  end,
  reference = {
    text = [[
extern "C" __global__ void plain(const float *x, float *y, int n, float a)
{
  for (int i = threadIdx.x; i < n; i += 64)
    y[i] = a * x[i];
}
]],
    launch = function (problem)
      return { { kernel = "plain", grid = { 1, 1, 1 }, block = { 64, 1, 1 },
                 args = { "x", "y", i32(problem.n), f32(problem.a) } } }
    end,
    bound = function () return { absolute = 0, relative = 1e-6 } end,
  },
  cost = function (problem) return { flops = problem.n, bytes = 8 * problem.n } end,
  check = function (cfg) return { n = 2 * cfg.threads * cfg.each + 1 } end,
}
