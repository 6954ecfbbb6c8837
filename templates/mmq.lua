-- mmq.lua - C = W X of quantised weights and many columns of activations.
-- SPDX-License-Identifier: MIT

local quant <const> = include "parts/quant.lua"
local groups <const> = include "parts/groups.lua"
local function ceil(x, y) return (x + y - 1) // y end

local function threads(cfg)
  return cfg.tile_m // cfg.thread_m * (cfg.tile_n // cfg.thread_n)
end

local function k_tiles(cfg, problem) return ceil(problem.k, cfg.tile_k) end
local function tiles(cfg, problem)
  return ceil(problem.m, cfg.tile_m) * groups.tiles(problem, problem.n, cfg.tile_n)
end

-- Units of W and chunks of X of a k tile, those of a thread.
local function loads_w(cfg, problem)
  return ceil(cfg.tile_m * cfg.tile_k // quant.of(problem).unit, threads(cfg))
end
local function loads_x(cfg) return ceil(cfg.tile_n * cfg.tile_k // 16, threads(cfg)) end

local function lds(cfg, problem)
  local t <const> = quant.of(problem)
  local rows <const> = (cfg.tile_m + cfg.tile_n) * cfg.tile_k
  local w <const> = cfg.tile_m * (cfg.tile_k // t.group + (t.least and cfg.tile_k // 32 or 0))
  local x <const> = cfg.tile_n * cfg.tile_k // 32 * (t.least and 2 or 1)
  return cfg.stages * (rows + 4 * (w + x))
end

-- VGPRs of a thread: two sums for each element, what is multiplied, scales, what is
-- on its way, and addresses.
local function registers(cfg, problem)
  local t <const> = quant.of(problem)
  local m <const>, n <const> = cfg.thread_m, cfg.thread_n
  local flying <const> = loads_w(cfg, problem) * (4 * t.quads + t.scales) + 4 * loads_x(cfg)
  return 2 * m * n + (2 + cfg.read_ahead) * (m + n) + flying + 8
end
local function vgprs(cfg, arch)
  local waves <const> = math.max(cfg.waves, ceil(threads(cfg), arch.wave * arch.simds))
  return math.min(arch.vgprs, arch.vgpr_total // waves)
end

local function keys()
  local list <const> = quant.keys(65535, 512)
  for _, key in ipairs(groups.keys("columns")) do list[#list + 1] = key end
  return list
end

return {
  meaning = "quantised weights times many columns, by v_dot4",

  problem = keys(),

  space = {
    { "tile_m", { 32, 64, 128, 256 }, "rows of W a workgroup" },
    { "tile_n", { 8, 16, 32, 64, 128 }, "columns of X a workgroup" },
    { "thread_m", { 2, 4, 8 }, "rows of W a thread; with thread_n, independent sums" },
    { "thread_n", { 2, 4, 8 }, "columns of X a thread" },
    { "wave_m", { 8, 16, 32, 64 }, "lanes of a wave down the rows of W, the rest across" },
    { "tile_k", { 64, 128, 256 }, "k of a tile in LDS, where a row is four k" },
    { "across", { 1, 2 }, "units of a row of W that neighbouring lanes load" },
    { "stages", { 1, 2 }, "k tiles in LDS; with 2 one barrier a tile" },
    { "read_ahead", { 0, 1 }, "1: LDS reads run four k ahead, in registers" },
    { "waves", { 1, 2, 3, 4 }, "waves a SIMD for which the compiler saves registers" },
    quant.layout,
    { "split_k", { 1, 2, 3, 4, 5, 6, 7, 8, 12, 16 }, "parts of k, added up by a second kernel" },
  },

  rules = quant.rules {
    { "tile_m is not a multiple of thread_m * wave_m",
      function (cfg) return cfg.tile_m % (cfg.thread_m * cfg.wave_m) ~= 0 end },
    { "tile_n is not a multiple of thread_n * (lanes of a wave / wave_m)",
      function (cfg, _, arch)
        return cfg.wave_m > arch.wave or
               cfg.tile_n % (cfg.thread_n * (arch.wave // cfg.wave_m)) ~= 0
      end },
    { "tile_m / thread_m * tile_n / thread_n: too many threads",
      function (cfg, _, arch) return threads(cfg) > arch.max_threads end },
    { "tile_k is no multiple of the k that a lane's loads of W stand for",
      function (cfg, problem)
        return cfg.tile_k % (problem.dtype == "q6_K" and 128 or quant.of(problem).unit) ~= 0
      end },
    { "across is over the units of a row in tile_k",
      function (cfg, problem) return cfg.across > cfg.tile_k // quant.of(problem).unit end },
    { "tile_k is over k",
      function (cfg, problem) return cfg.tile_k > 64 and cfg.tile_k > problem.k end },
    { "m is at most tile_m / 2: a smaller tile_m covers it",
      function (cfg, problem) return cfg.tile_m > 32 and problem.m <= cfg.tile_m // 2 end },
    { "n is at most tile_n / 2: a smaller tile_n covers it",
      function (cfg, problem) return cfg.tile_n > 8 and problem.n <= cfg.tile_n // 2 end },
    { "tile_m, tile_n, tile_k: over 4 loads of W or 8 of X a thread",
      function (cfg, problem) return loads_w(cfg, problem) > 4 or loads_x(cfg) > 8 end },
    { "thread_m * thread_n * tile_k: over 4096 unrolled dot products",
      function (cfg) return cfg.thread_m * cfg.thread_n * cfg.tile_k > 4 * 4096 end },
    { "split_k > 1, but groups are work enough without",
      function (cfg, problem) return cfg.split_k > 1 and problem.groups > 0 end },
    { "split_k leaves a part of k empty",
      function (cfg, problem)
        local all <const> = k_tiles(cfg, problem)
        return cfg.split_k > 1 and ceil(all, cfg.split_k) * (cfg.split_k - 1) >= all
      end },
    { "split_k * tiles of C is over 8 a CU: a smaller split_k is enough",
      function (cfg, problem, arch)
        return cfg.split_k > 1 and tiles(cfg, problem) * cfg.split_k > 8 * arch.cus
      end },
    { "tile_m and tile_n are too small: more threads than a grid can have",
      function (cfg, problem) return tiles(cfg, problem) * threads(cfg) >= 1 << 31 end },
    { "waves > 1 needs a compiler for amdgcn",
      function (cfg, _, arch) return cfg.waves > 1 and arch.amdgcn == 0 end },
    { "stages * tile_k * (tile_m + tile_n): too much LDS",
      function (cfg, problem, arch) return lds(cfg, problem) > arch.lds_static end },
    { "thread_m * thread_n, waves: too many registers",
      function (cfg, problem, arch) return registers(cfg, problem) > vgprs(cfg, arch) end },
  },

  launch = function (cfg, problem)
    local p <const>, split <const> = problem, cfg.split_k > 1
    local list <const> = {}
    if p.x == "f32" then list[1] = quant.quantise(p) end
    list[#list + 1] = { kernel = "mmq", grid = { tiles(cfg, p), 1, cfg.split_k },
                        block = { threads(cfg), 1, 1 }, lds = 0,
                        args = { "w", "xq", "xs", split and "sums" or "c",
                                 i32(p.m), i32(p.n), i32(p.k) } }
    if p.groups ~= 0 then
      local args <const> = list[#list].args
      args[#args + 1], args[#args + 2] = "offsets", i32(p.groups)
    end
    if split then list[#list + 1] = quant.reduce(p, { p.m }, { "c" }) end
    return list
  end,

  buffers = function (cfg, problem)
    local list <const> = quant.buffers(problem, groups.copies(problem), cfg.layout, true)
    list[#list + 1] = quant.sums(problem, cfg.split_k)
    if problem.groups ~= 0 then list[#list + 1] = groups.buffer(problem, problem.n) end
    return list
  end,

  reference = "quant",

  cost = function (problem)
    return { flops = quant.cost(problem, groups.copies(problem)).flops, peak = "dot4_ops" }
  end,

  -- About three k tiles of each part, of two tiles of C and the begin of others.
  check = function (cfg, problem, arch)
    local block <const> = quant.of(problem).elements
    local part <const> = ceil(3 * cfg.tile_k, block) * block
    local rest <const> = problem.k % cfg.tile_k > 0 and block or 0
    local small <const> = {
      m = math.min(problem.m, cfg.tile_m + 5), n = math.min(problem.n, cfg.tile_n + 3),
      k = math.min(cfg.split_k * part - rest, problem.k),
    }
    if problem.groups > 0 then
      small.n = groups.check(problem, arch, problem.n, cfg.tile_n, small)
    end
    return small
  end,

  complete = function (problem)
    local why <const> = groups.refusal(problem)
    if why then return nil, why end
    return quant.complete(problem, groups.copies(problem))
  end,

  serves = function (cfg, problem, other)
    local list <const>, need <const>, whole <const> =
      quant.needs(other, groups.copies(other))
    if problem.k % cfg.tile_k == 0 then whole("k", other.k, cfg.tile_k) end
    if problem.groups > 0 then need("there are groups", 1 // (other.groups + 1)) end
    if cfg.split_k > 1 then
      local all <const> = k_tiles(cfg, other)
      need("every part of k has something",
           math.max(ceil(all, cfg.split_k) * (cfg.split_k - 1) + 1 - all, 0))
      need("indices of partial sums fit", other.m * other.n // (1 << 31))
    end
    return list
  end,

  -- A step is a k tile. A VALU instruction counts as a v_dot4: 8 operations a lane.
  work = function (cfg, problem, arch)
    local t <const> = quant.of(problem)
    local decode <const>, multiply <const> = quant.instructions(problem)
    local m <const>, n <const> = cfg.thread_m, cfg.thread_n
    local units <const> = cfg.tile_k // t.unit
    local words <const> = cfg.tile_k // 4 + cfg.tile_k // t.group * (t.least and 2 or 1)
    local moved <const> = threads(cfg) * (m + n) + cfg.tile_m + cfg.tile_n
    local x <const> = cfg.tile_n * cfg.tile_k * 9 // 8
    local own <const> = loads_w(cfg, problem) * decode + units * m * n * multiply
    return {
      steps = ceil(k_tiles(cfg, problem), cfg.split_k),
      flops = 8 * threads(cfg) * own,
      bytes = cfg.tile_m * units * t.unit * t.bytes // t.elements + x,
      results = 1,
      written = 4 * cfg.tile_m * cfg.tile_n,
      fetched = quant.fetched(cfg, problem, cfg.tile_m, units, arch) + x,
      exchanged = 4 * words * moved,
      ahead = 1,
      registers = registers(cfg, problem),
    }
  end,

  lds = function (cfg, problem) return lds(cfg, problem) end,
}
