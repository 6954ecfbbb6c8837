-- multicast.lua - loads that the workgroups of a cluster share: into registers or
-- into LDS, for those that a mask names, beside the plain load.
-- SPDX-License-Identifier: MIT

local row <const> = 1024 -- words of a row, which a workgroup takes at a time

local function size(problem) return problem.x * problem.y end

return {
  meaning = "loads that the workgroups of a cluster share by a mask",

  problem = {
    { "mask", "all", { "all", "self", "zero", "even", "pairs" },
      "who shares a load: all of a cluster, nobody (a mask of oneself; no mask), those of even "
      .. "rank, or two neighbours" },
    { "x", 4, { 1, 2, 3, 4, 5, 6, 8 }, "workgroups of a cluster, along x" },
    { "y", 1, { 1, 2, 4 }, "workgroups of a cluster, along y" },
    { "clusters", 64, { min = 1, max = 1 << 16 }, "clusters" },
    { "depth", 16, { 1, 2, 4, 8, 16, 32, 64 }, "rows of 1024 words that a workgroup adds up" },
  },

  space = {
    { "load", { "multicast", "plain" }, "shared by the mask, or one's own" },
    { "path", { "registers", "lds" }, "where the words go to" },
    { "width", { 1, 2, 4 }, "words of a lane's load" },
    { "waves", { 1, 2, 4, 8 }, "waves of a workgroup" },
    { "stride", { 1, 2 }, "of the LDS, one in so many vectors is used" },
    { "stages", { 1, 2 }, "rows in LDS: 2: the next is on its way while one is added" },
    { "early", { 0, 1 }, "1: a load does not wait for those of the mask who are late" },
  },

  rules = {
    { "it needs loads of clusters, which this arch lacks",
      function (_, _, arch) return arch.cluster_load == 0 end },
    { "path=registers has no LDS: it needs stride=1 and stages=1",
      function (cfg) return cfg.path == "registers" and (cfg.stride > 1 or cfg.stages > 1) end },
    { "early=1 is a bit of the mask: it needs load=multicast, and mask is zero",
      function (cfg, problem)
        return cfg.early == 1 and (cfg.load == "plain" or problem.mask == "zero")
      end },
    { "stages=2 is over depth", function (cfg, problem) return cfg.stages > problem.depth end },
  },

  launch = function (cfg, problem, arch)
    return { { kernel = "multicast", grid = { problem.clusters * problem.x, problem.y, 1 },
               block = { arch.wave * cfg.waves, 1, 1 }, lds = 0, args = { "in", "out" } } }
  end,

  buffers = function (_, problem)
    local groups <const> = problem.clusters * size(problem)
    return {
      { name = "in", role = "in", type = "i32", elements = groups * problem.depth * row,
        low = -1000000, high = 1000000 },
      { name = "out", role = "out", type = "i32", elements = groups * row },
    }
  end,

  -- Each workgroup adds up rows of its stream: its own, or that of the first who
  -- shares it. Streams lie cluster by cluster, by rank, which counts x first.
  reference = {
    text = [[
constexpr int row = 1024;
extern "C" __global__ void __launch_bounds__(row)
plain(const int *in, int *out, int size, int depth, int all, int pairs, int even)
{
  int rank = blockIdx.x % size;
  int from = all ? 0 : pairs ? rank / 2 * 2 : even && rank % 2 == 0 ? 0 : rank;
  const int *stream = in + (long long)(blockIdx.x - rank + from) * depth * row;
  unsigned sum = 0;
  for (int d = 0; d < depth; d++)
    sum += stream[d * row + threadIdx.x];
  out[blockIdx.x * row + threadIdx.x] = sum;
}
]],
    launch = function (problem)
      local mask <const> = problem.mask
      local all <const> = mask == "all" or mask == "self" or mask == "zero"
      return { { kernel = "plain", grid = { problem.clusters * size(problem), 1, 1 },
                 block = { row, 1, 1 }, lds = 0,
                 args = { "in", "out", i32(size(problem)), i32(problem.depth),
                          i32(all and 1 or 0), i32(mask == "pairs" and 1 or 0),
                          i32(mask == "even" and 1 or 0) } } }
    end,
    bound = function () return { absolute = 0, relative = 0 } end,
  },

  -- What the workgroups ask for, whoever else asks for the same.
  cost = function (problem)
    local groups <const> = problem.clusters * size(problem)
    return { bytes = 4 * groups * row * (problem.depth + 1) }
  end,

  check = function () return { clusters = 2 } end,

  plots = {
    { name = "mask", kind = "heat", title = "Requests saved over cluster and mask",
      x = "x", y = "mask", value = "saved", problem = { clusters = 8 },
      config = { load = "multicast", path = "lds", early = 0 },
      over = { x = { 2, 4, 6, 8 } } },
    -- The share does not depend on them: a mask saves as much of each.
    { name = "width", kind = "heat", title = "Requests saved over width and path",
      x = "width", y = "path", value = "saved", problem = { clusters = 8 },
      config = { load = "multicast", stride = 1, stages = 1, early = 0 } },
    { name = "shape", kind = "heat", title = "Requests saved over the shape of a cluster",
      x = "x", y = "y", value = "saved", problem = { clusters = 8 },
      config = { load = "multicast", path = "lds", early = 0 },
      over = { x = { 1, 2, 4 }, y = { 1, 2, 4 } } },
    { name = "load", kind = "heat", title = "Requests saved by multicast and by plain loads",
      x = "path", y = "load", value = "saved", problem = { clusters = 8 },
      config = { stride = 1, stages = 1, early = 0 } },
  },

  complete = function (problem)
    if size(problem) > 16 then
      return nil, "a cluster of x=" .. problem.x .. " by y=" .. problem.y ..
                  " workgroups: 16 is the most"
    end
    if problem.mask == "pairs" and size(problem) % 2 == 1 then
      return nil, "mask=pairs needs an even number of workgroups, x=" .. problem.x .. " by y=" ..
                  problem.y .. " has " .. size(problem)
    end
  end,
}
