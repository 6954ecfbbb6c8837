-- tiling_rules.lua - which configurations of gemm cannot work, or are like others.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local tiling <const> = include "parts/tiling.lua"
local A <const>, B <const> = operand.A, operand.B
local limit <const>, ceil <const> = product.limit, product.ceil
local rows <const>, products <const> = product.rows, product.products

local function lacks(dtype, fact)
  return function (_, problem, arch) return problem.dtype == dtype and arch[fact] == 0 end
end

-- Where a rule is made by a function, it is one of A and one of B.
return {
  { "dtype=i8 needs v_dot4_i32_i8, which this arch lacks", lacks("i8", "dot4") },
  { "dtype=i4 needs v_dot8_i32_i4, which this arch lacks", lacks("i4", "dot8") },
  function (x) return {
    x.load .. " is no one element of dtype, or byte of i4, and no 4, 8 or 16 bytes",
    function (cfg, problem)
      local bits <const> = cfg[x.load] * types.of(problem).bits
      local least <const> = math.max(types.of(problem).bits, 8)
      return bits > 128 or bits < least or (bits < 32 and bits > least)
    end }
  end,
  { "async=1 copies words as they are: it needs dtype=f32",
    function (cfg, problem) return cfg.async == 1 and problem.dtype ~= "f32" end },
  { "async=1 needs copies past the registers, which this arch lacks",
    function (cfg, _, arch) return cfg.async > arch.cp_async end },
  { "async=1 with stages=1: copies need another stage to go to",
    function (cfg) return cfg.async == 1 and cfg.stages == 1 end },
  { "stages=3 needs async=1",
    function (cfg) return cfg.async == 0 and cfg.stages == 3 end },
  { "async=1 with load_ahead > 0: copies run ahead by stages",
    function (cfg) return cfg.async == 1 and cfg.load_ahead > 0 end },
  function (x) return {
    "async=1 with " .. x.load .. " > 1: it transposes " .. x.NAME .. " one element at a time",
    function (cfg, problem)
      return cfg.async == 1 and cfg[x.load] > 1 and x.turned(problem)
    end }
  end,
  { "tile_m is not a multiple of thread_m * wave_m",
    function (cfg) return cfg.tile_m % (cfg.thread_m * cfg.wave_m) ~= 0 end },
  { "tile_n is not a multiple of thread_n * (lanes of a wave / wave_m)",
    function (cfg, _, arch)
      return cfg.tile_n % (cfg.thread_n * (arch.wave // cfg.wave_m)) ~= 0
    end },
  { "tile_m / thread_m * tile_n / thread_n * slice_k: too many threads",
    function (cfg, _, arch) return tiling.threads(cfg) > arch.max_threads end },
  { "m is at most tile_m / 2: a smaller tile_m covers it",
    function (cfg, problem) return cfg.tile_m > 16 and problem.m <= cfg.tile_m // 2 end },
  { "n is at most tile_n / 2: a smaller tile_n covers it",
    function (cfg, problem) return cfg.tile_n > 16 and problem.n <= cfg.tile_n // 2 end },
  { "k is at most tile_k / 2: a smaller tile_k covers it",
    function (cfg, problem, arch)
      return cfg.tile_k > 8 and problem.k <= tiling.span(cfg, problem, arch) // 2
    end },

  function (x) return {
    x.load .. " elements at once are more than align bytes",
    function (cfg, problem) return cfg[x.load] * types.of(problem).bits > 8 * problem.align end }
  end,
  function (x) return {
    x.ld .. ", " .. x.stride .. " or the length of a row of " .. x.NAME ..
    " is not a multiple of " .. x.load,
    function (cfg, problem)
      local row <const> = rows(problem, problem)[x.ld]
      return (row | problem[x.ld] | problem[x.stride]) % cfg[x.load] ~= 0
    end }
  end,
  function (x) return {
    x.load .. " is over a row in memory of " .. x.NAME .. "'s k tile (with slice_loads=1 a " ..
    "slice's part of it)",
    function (cfg, problem, arch)
      local row <const> = x.turned(problem) and operand.rows(cfg) * types.pack(problem, arch) or
                          cfg[x.tile]
      return row % cfg[x.load] ~= 0
    end }
  end,
  function (x) return {
    "loads of " .. x.load .. " by all threads fill no " .. x.tile .. " * tile_k, " ..
    "or no whole rows of it in memory",
    function (cfg, problem, arch)
      return tiling.is_shared(cfg, arch) and
             not operand.shared(x, cfg, problem, arch, tiling.loaders(cfg))
    end }
  end,
  { "read_width divides neither thread_m nor thread_n",
    function (cfg)
      return cfg.read_width > math.max(operand.width(A, cfg), operand.width(B, cfg))
    end },

  function (x) return {
    x.pad .. " > 0, but " .. x.NAME .. " is not transposed, or tile_k (with slice_loads=1 " ..
    "a slice's part of it) = " .. x.load,
    function (cfg, problem, arch)
      return cfg[x.pad] > 0 and (not x.turned(problem) or
                                 operand.rows(cfg) == operand.words(x, cfg, problem, arch))
    end }
  end,
  function (x) return {
    x.pad .. " is not a multiple of what is read of " .. x.NAME .. " at once",
    function (cfg) return cfg[x.pad] % operand.width(x, cfg) ~= 0 end }
  end,
  function (x) return {
    x.pad .. " and " .. x.xor .. " are both over 0: they cure the same conflicts",
    function (cfg) return cfg[x.pad] > 0 and cfg[x.xor] > 0 end }
  end,
  function (x) return {
    x.xor .. " > 0, but " .. x.NAME .. " is not transposed, or tile_k (with slice_loads=1 " ..
    "a slice's part of it) / " .. x.load .. " <= " .. x.xor,
    function (cfg, problem, arch)
      return cfg[x.xor] > 0 and
             (not x.turned(problem) or
              cfg[x.xor] >= operand.rows(cfg) // operand.words(x, cfg, problem, arch))
    end }
  end,
  function (x) return {
    x.xor .. " > 0 needs " .. x.tile .. ", and columns from read to read, of whole banks",
    function (cfg, _, arch) return cfg[x.xor] > 0 and tiling.torn(x, cfg, arch) end }
  end,

  { "slice_loads=1 needs slice_k > 1, slices of one wave, and async=0",
    function (cfg, _, arch)
      return cfg.slice_loads == 1 and
             (cfg.slice_k == 1 or cfg.async == 1 or tiling.slice(cfg) ~= arch.wave)
    end },
  { "tile_k / slice_k is not within 4 to 32",
    function (cfg) return cfg.tile_k < 4 * cfg.slice_k or cfg.tile_k > 32 * cfg.slice_k end },
  { "thread_m * thread_n * tile_k / slice_k: over 2048 unrolled FMAs",
    function (cfg) return cfg.thread_m * cfg.thread_n * cfg.tile_k > 2048 * cfg.slice_k end },
  function (x) return {
    "tile_k / slice_k is not a multiple of " .. x.load .. " * (" .. x.xor .. " + 1)",
    function (cfg, problem, arch)
      local words <const> = operand.words(x, cfg, problem, arch)
      return cfg.tile_k // cfg.slice_k % (words * (cfg[x.xor] + 1)) ~= 0 and
             cfg.slice_k > 1 and cfg[x.xor] > 0
    end }
  end,
  { "slice_k > 1, but tiles of C, over 4 a CU, fill the card without",
    function (cfg, problem, arch)
      return cfg.slice_k > 1 and tiling.tiles_c(cfg, problem) * products(problem) > 4 * arch.cus
    end },

  { "stages > 1 needs load_ahead > 0, or async=1",
    function (cfg) return cfg.async == 0 and cfg.stages > 1 and cfg.load_ahead == 0 end },
  { "read_ahead=2 writes a k tile to LDS while another is read: it needs async=0, " ..
    "stages=2 and load_ahead=1",
    function (cfg)
      return cfg.read_ahead == 2 and (cfg.async == 1 or cfg.stages ~= 2 or cfg.load_ahead ~= 1)
    end },
  { "stages is over the k tiles that there are",
    function (cfg, problem, arch)
      return cfg.stages > 1 and cfg.async == 1 and
             cfg.stages > tiling.tiles_k(cfg, problem, arch)
    end },
  { "load_ahead is not below the k tiles that there are",
    function (cfg, problem, arch)
      return cfg.load_ahead > 0 and cfg.load_ahead >= tiling.tiles_k(cfg, problem, arch)
    end },
  { "split_k leaves a part of k empty",
    function (cfg, problem, arch)
      return tiling.tiles_k(cfg, problem, arch) * (cfg.split_k - 1) >=
             ceil(problem.k, tiling.span(cfg, problem, arch))
    end },
  { "split_k * tiles of C is over 8 a CU: a smaller split_k is enough",
    function (cfg, problem, arch)
      local all <const> = tiling.tiles_c(cfg, problem) * products(problem)
      return cfg.split_k > 1 and all * cfg.split_k > 8 * arch.cus
    end },
  { "stream_k > 0 shares the tiles of one product: it needs batch=0",
    function (cfg, problem) return cfg.stream_k > 0 and problem.batch > 0 end },
  { "split_k or stream_k or raster > 1, but groups > 0: they are work enough, in an order " ..
    "that only the device knows",
    function (cfg, problem)
      return problem.groups > 0 and (cfg.split_k > 1 or cfg.stream_k > 0 or cfg.raster > 1)
    end },
  { "split_k > 1 and stream_k > 0 share the same work",
    function (cfg) return cfg.split_k > 1 and cfg.stream_k > 0 end },
  { "stream_k > 0, but the tiles of C fill the card evenly without",
    function (cfg, problem, arch)
      return cfg.stream_k > 0 and tiling.even(cfg, problem, arch)
    end },
  { "stream_k leaves a workgroup less than " .. tiling.least .. " k tiles",
    function (cfg, problem, arch)
      return cfg.stream_k > 0 and tiling.streams(cfg, problem, arch) < cfg.stream_k * arch.cus
    end },
  { "stream_k > 0, but the k tiles of its workgroups are beyond 32-bit indices",
    function (cfg, problem, arch)
      return cfg.stream_k > 0 and tiling.uncounted(cfg, problem, arch) > 0
    end },
  { "split_k > 1, but m * n is beyond 32-bit indices",
    function (cfg, problem) return cfg.split_k > 1 and problem.m * problem.n > limit end },
  { "raster is over m / tile_m, or n is at most tile_n",
    function (cfg, problem)
      return cfg.raster > 1 and (cfg.raster > ceil(problem.m, cfg.tile_m) or
                                 problem.n <= cfg.tile_n)
    end },
  { "tile_m or tile_n is too small: more threads than a grid can have",
    function (cfg, problem)
      return tiling.tiles_c(cfg, problem) * tiling.threads(cfg) > limit
    end },
  { "stages * tile_k * (tile_m + tile_n + pads) + slices: too much LDS",
    function (cfg, problem, arch)
      return tiling.lds_of_workgroup(cfg, problem) > arch.lds_static
    end },
  { "thread_m * thread_n, read_ahead, load_ahead: too many registers",
    function (cfg, _, arch)
      return tiling.is_shared(cfg, arch) and
             tiling.registers(cfg, arch) > tiling.vgprs(cfg, arch)
    end },
  function (x) return {
    x.load .. " of less than 4 bytes fills over 32 registers a thread",
    function (cfg, problem)
      return cfg[x.load] * types.of(problem).bits < 32 and tiling.flying(x, cfg, problem) > 32
    end }
  end,
  { "8 * (xor_a + 1) or 8 * (xor_b + 1) addresses: too many registers",
    function (cfg, _, arch)
      return tiling.is_shared(cfg, arch) and
             8 * (math.max(cfg.xor_a, cfg.xor_b) + 1) >= tiling.vgprs(cfg, arch)
    end },
}
