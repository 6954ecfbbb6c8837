-- mfma_gemm.lua - C = alpha op(A) op(B) + beta C on the matrix cores, row-major.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local matrix <const> = include "parts/matrix.lua"
local A <const>, B <const> = operand.A, operand.B
local limit <const>, ceil <const> = product.limit, product.ceil
local rows <const> = product.rows

local function threads(cfg, arch) return cfg.waves_m * cfg.waves_n * arch.wave end

local function tiles_c(cfg, problem)
  return ceil(problem.m, cfg.tile_m) * ceil(problem.n, cfg.tile_n)
end

-- k tiles of the longest part.
local function tiles_k(cfg, problem)
  return ceil(ceil(problem.k, cfg.tile_k), cfg.split_k)
end

local function bytes(x, cfg, problem)
  return matrix.rows(x, cfg, problem) * matrix.stride(x, cfg, problem)
end

local function lds(cfg, problem)
  return cfg.stages * (bytes(A, cfg, problem) + bytes(B, cfg, problem))
end

-- Sums of a lane, and the registers beside them: what a step reads from LDS, loads
-- that are under way, addresses.
local function sums(cfg, arch)
  return cfg.tile_m * cfg.tile_n // threads(cfg, arch)
end
local function sum_registers(cfg, problem, arch)
  return sums(cfg, arch) * (types.sums(problem) == "f64" and 2 or 1)
end
local function others(cfg, problem, arch)
  local tile <const> = (cfg.tile_m + cfg.tile_n) * cfg.tile_k * matrix.size(problem)
  local flying <const> = cfg.load == "registers" and tile // (4 * threads(cfg, arch)) or 0
  local read <const> = (cfg.tile_m // cfg.waves_m + cfg.tile_n // cfg.waves_n) // cfg.shape
  local addresses <const> = tile // (math.min(cfg.width_a, cfg.width_b) * threads(cfg, arch))
  local ahead <const> = cfg.schedule == "interleave" and 2 or 1 -- steps that are read
  return ahead * read * cfg.read // 4 + flying + addresses + 32
end

-- VGPRs and AGPRs that a lane can have: all waves of a workgroup run at once.
local function registers(cfg, arch)
  local waves <const> = ceil(threads(cfg, arch), arch.wave * arch.simds)
  local most <const> = arch.vgprs + arch.agprs
  local all <const> = arch.agprs_unified == 1 and arch.vgpr_total or
                      arch.vgpr_total + arch.agprs
  return math.min(most, all // waves)
end

local function width(x) return "width_" .. x.name end

local function transposes(x, problem) return not x.turned(problem) end

-- Rules in a list, those of both operands one after the other.
local function rules_of(list)
  local all <const> = {}
  for _, rule in ipairs(list) do
    if type(rule) == "function" then
      all[#all + 1] = rule(A)
      all[#all + 1] = rule(B)
    else
      all[#all + 1] = rule
    end
  end
  return all
end

return {
  meaning = "C = alpha op(A) op(B) + beta C on the matrix cores",

  problem = {
    { "m", 4096, { min = 1, max = limit }, "rows of C" },
    { "n", 4096, { min = 1, max = limit }, "columns of C" },
    { "k", 4096, { min = 1, max = limit }, "length of the sums" },
    { "layout", "nt", { "nn", "nt", "tn", "tt" }, "of A and B: n as is, t transposed" },
    { "dtype", "f16", { "f16", "bf16", "i8", "f32", "f64", "fp8", "bf8" },
      "type of A and B; summed in f32, f64 in f64, and i8 in i32, which wraps" },
    { "alpha", 1.0, "number", "factor of the product" },
    { "beta", 0.0, "number", "factor of C as it was; with 0 it is not read" },
    { "lda", 0, { min = 0, max = limit }, "leading dimension of A, 0: tight" },
    { "ldb", 0, { min = 0, max = limit }, "leading dimension of B, 0: tight" },
    { "ldc", 0, { min = 0, max = limit }, "leading dimension of C, 0: tight" },
    { "type_c", "auto", { "auto", "f32", "f16", "bf16", "i32", "f64" },
      "type of C; auto: that of A and B, or i32 of i8, f32 of fp8 and bf8" },
  },

  space = {
    { "tile_m", { 16, 32, 64, 128, 256 }, "rows of C a workgroup" },
    { "tile_n", { 16, 32, 64, 128, 256 }, "columns of C a workgroup" },
    { "tile_k", { 8, 16, 32, 64, 128, 256 }, "k of a tile in LDS" },
    { "waves_m", { 1, 2, 4 }, "waves down the tile" },
    { "waves_n", { 1, 2, 4 }, "waves across it" },
    { "shape", { 16, 32 }, "rows and columns of a matrix instruction" },
    { "operand", { 4, 8, 16 }, "bytes of A or B a lane that it takes" },
    { "read", { 4, 8, 16 }, "bytes a lane reads from LDS at a time" },
    { "transpose", { 0, 1 }, "1: LDS reads transpose, of operands that run along C" },
    { "load", { "registers", "dma" }, "how tiles get into LDS; dma: past the registers" },
    { "width_a", { 1, 2, 4, 8, 16 }, "bytes of A a load from memory" },
    { "width_b", { 1, 2, 4, 8, 16 }, "bytes of B a load from memory" },
    { "swizzle", { "none", "xor", "pad16", "pad32" },
      "rows of LDS: chunks of 16 bytes change places, or 16 or 32 bytes follow" },
    { "stages", { 1, 2, 3 }, "k tiles in LDS" },
    { "ahead", { 0, 1 }, "k tiles that may be under way when a wave waits for one" },
    { "schedule", { "plain", "pingpong", "interleave" },
      "reads of LDS and products: in turn; of two halves of the waves; mixed" },
    { "setprio", { 0, 1 }, "1: a wave that multiplies goes before others" },
    { "accumulators", { "any", "agprs", "vgprs" }, "where the sums are; any: the compiler says" },
    { "dies", { 0, 1 }, "1: the workgroups of a die of the card get tiles that lie together" },
    { "raster", { 1, 2, 4, 8 }, "rows of tiles of C that workgroups go down, then right" },
    { "split_k", { 1, 2, 4, 8, 16 }, "parts of k, added up by a second kernel" },
  },

  -- Where a rule is made by a function, x is A and then B.
  rules = rules_of {
    { "operand, shape: dtype has no matrix instruction of these on this arch",
      function (cfg, problem, arch) return not matrix.exists(cfg, problem, arch) end },
    { "read is below operand",
      function (cfg) return cfg.read < cfg.operand end },
    function (x) return {
      x.tile .. " is not a multiple of shape * waves_" .. x.edge,
      function (cfg) return cfg[x.tile] % (cfg.shape * cfg["waves_" .. x.edge]) ~= 0 end }
    end,
    { "waves_m * waves_n: too many threads",
      function (cfg, _, arch) return threads(cfg, arch) > arch.max_threads end },
    { "tile_k is not a multiple of what a read of LDS gives the lanes of a row",
      function (cfg, problem, arch)
        return cfg.tile_k * matrix.size(problem) % matrix.step(cfg, arch) ~= 0
      end },
    { "m is at most tile_m / 2: a smaller tile_m covers it",
      function (cfg, problem) return cfg.tile_m > 16 and problem.m <= cfg.tile_m // 2 end },
    { "n is at most tile_n / 2: a smaller tile_n covers it",
      function (cfg, problem) return cfg.tile_n > 16 and problem.n <= cfg.tile_n // 2 end },
    { "k is at most tile_k / 4: a smaller tile_k covers it",
      function (cfg, problem) return cfg.tile_k > 64 and problem.k <= cfg.tile_k // 4 end },

    function (x) return {
      width(x) .. " is less than an element",
      function (cfg, problem) return cfg[width(x)] < matrix.size(problem) end }
    end,
    function (x) return {
      x.ld .. " or the length of a row of " .. x.NAME .. " is not a multiple of " .. width(x),
      function (cfg, problem)
        local row <const> = rows(problem, problem)[x.ld] | problem[x.ld]
        return row * matrix.size(problem) % cfg[width(x)] ~= 0
      end }
    end,
    function (x) return {
      width(x) .. " is over a row of " .. x.NAME .. "'s k tile",
      function (cfg, problem) return matrix.row(x, cfg, problem) % cfg[width(x)] ~= 0 end }
    end,
    function (x) return {
      x.NAME .. "'s k tile is not a multiple of threads * " .. width(x),
      function (cfg, problem, arch)
        local tile <const> = cfg[x.tile] * cfg.tile_k * matrix.size(problem)
        return tile % (threads(cfg, arch) * cfg[width(x)]) ~= 0
      end }
    end,
    function (x) return {
      x.NAME .. "'s k tile takes a thread over 32 loads: a larger " .. width(x) .. " takes fewer",
      function (cfg, problem, arch)
        local tile <const> = cfg[x.tile] * cfg.tile_k * matrix.size(problem)
        return tile > 32 * threads(cfg, arch) * cfg[width(x)]
      end }
    end,

    function (x) return {
      "load=dma needs loads to LDS of " .. width(x) .. " bytes, which this arch lacks",
      function (cfg, _, arch)
        local bytes <const> = cfg[width(x)]
        local fact <const> = bytes == 4 and arch.lds_dma or bytes == 16 and arch.lds_dma_wide or 0
        return cfg.load == "dma" and fact == 0
      end }
    end,
    { "load=dma cannot fill up a k tile with zeros: k must be a multiple of tile_k",
      function (cfg, problem) return cfg.load == "dma" and problem.k % cfg.tile_k ~= 0 end },
    { "load=dma writes lane after lane: swizzle must be none or xor",
      function (cfg)
        return cfg.load == "dma" and cfg.swizzle ~= "none" and cfg.swizzle ~= "xor"
      end },
    { "load=dma with stages=1: loads need another stage to go to",
      function (cfg) return cfg.load == "dma" and cfg.stages == 1 end },
    { "stages=3 needs load=dma",
      function (cfg) return cfg.load ~= "dma" and cfg.stages == 3 end },
    { "ahead=1 needs stages=3: the tile that comes, the next, and where it is read",
      function (cfg) return cfg.ahead > cfg.stages - 2 and cfg.ahead > 0 end },
    { "schedule=pingpong needs load=dma: loads go out while others multiply",
      function (cfg) return cfg.schedule == "pingpong" and cfg.load ~= "dma" end },
    { "schedule=pingpong needs two waves on each SIMD: more waves_m or waves_n",
      function (cfg, _, arch)
        return cfg.schedule == "pingpong" and cfg.waves_m * cfg.waves_n < 2 * arch.simds
      end },
    { "schedule=interleave needs two reads of a k tile: a larger tile_k or a smaller read",
      function (cfg, problem, arch)
        return cfg.schedule == "interleave" and
               cfg.tile_k * matrix.size(problem) < 2 * matrix.step(cfg, arch)
      end },
    { "accumulators: AGPRs are a file of their own here, which sums must be in",
      function (cfg, _, arch)
        return cfg.accumulators ~= "any" and arch.agprs_unified == 0
      end },
    { "dies=1, but what is one device here has one die",
      function (cfg, _, arch) return cfg.dies == 1 and arch.dies == 1 end },
    { "raster is over the rows of tiles of C",
      function (cfg, problem)
        return cfg.raster > 1 and cfg.raster > ceil(problem.m, cfg.tile_m)
      end },
    { "stages is over the k tiles that there are",
      function (cfg, problem) return cfg.stages > 1 and cfg.stages > tiles_k(cfg, problem) end },

    function (x) return {
      "swizzle=xor, but a row of " .. x.NAME .. "'s k tile is below 32 bytes",
      function (cfg, problem)
        return cfg.swizzle == "xor" and matrix.row(x, cfg, problem) < 32
      end }
    end,
    { "transpose=1 needs LDS reads that transpose, which this arch lacks",
      function (cfg, _, arch) return cfg.transpose > arch.ds_tr end },
    { "transpose=1, but both operands run along k",
      function (cfg, problem)
        return cfg.transpose == 1 and not transposes(A, problem) and not transposes(B, problem)
      end },
    { "transpose=1 reads 8 bytes of elements of 8 or 16 bits",
      function (cfg, problem)
        return cfg.transpose == 1 and (cfg.read < 8 or matrix.size(problem) > 2)
      end },
    { "tile_m, tile_n, tile_k over waves: over 512 unrolled matrix instructions",
      function (cfg, problem, arch)
        local step <const> = matrix.step(cfg, arch) // cfg.read * cfg.operand
        local blocks <const> = sums(cfg, arch) * 64 // (cfg.shape * cfg.shape)
        return blocks * cfg.tile_k * matrix.size(problem) > 512 * step
      end },

    { "split_k leaves a part of k empty",
      function (cfg, problem)
        return cfg.split_k > 1 and
               tiles_k(cfg, problem) * (cfg.split_k - 1) >= ceil(problem.k, cfg.tile_k)
      end },
    { "split_k * tiles of C is over 8 a CU: a smaller split_k is enough",
      function (cfg, problem, arch)
        return cfg.split_k > 1 and tiles_c(cfg, problem) * cfg.split_k > 8 * arch.cus
      end },
    { "split_k > 1, but m * n is beyond 32-bit indices",
      function (cfg, problem) return cfg.split_k > 1 and problem.m * problem.n > limit end },
    { "tile_m or tile_n is too small: more threads than a grid can have",
      function (cfg, problem, arch)
        return tiles_c(cfg, problem) * threads(cfg, arch) > limit
      end },
    { "stages * tile_k * (tile_m + tile_n) and pads: too much LDS",
      function (cfg, problem, arch) return lds(cfg, problem) > arch.lds_static end },
    { "tile_m * tile_n / threads: more sums than a lane has AGPRs",
      function (cfg, problem, arch)
        return sum_registers(cfg, problem, arch) > arch.agprs
      end },
    { "tile_m, tile_n, tile_k over waves: too many registers",
      function (cfg, problem, arch)
        local own <const> = others(cfg, problem, arch)
        local all <const> = own + sum_registers(cfg, problem, arch)
        return own > arch.vgprs or all > registers(cfg, arch)
      end },
  },

  launch = function (cfg, problem, arch)
    local p <const>, split <const> = problem, cfg.split_k > 1
    local args <const> = { "a", "b", split and "sums" or "c", i32(p.m), i32(p.n), i32(p.k),
                           i32(p.lda), i32(p.ldb), i32(split and p.n or p.ldc) }
    if not split then product.with_factors(p, args) end
    local list <const> = {
      { kernel = "mfma_gemm", grid = { tiles_c(cfg, p), 1, cfg.split_k },
        block = { threads(cfg, arch), 1, 1 }, lds = 0, args = args },
    }
    if split then
      list[2] = { kernel = "reduce", grid = { ceil(p.m * p.n, 256), 1, 1 },
                  block = { 256, 1, 1 }, lds = 0,
                  args = product.with_factors(p, { "sums", "c", i32(p.m), i32(p.n), i32(p.ldc) }) }
    end
    return list
  end,

  buffers = function (cfg, problem, arch)
    local p <const>, type <const> = problem, types.of(problem)
    local reach <const> = type.whole and 128 or 1 -- integers: their whole range
    local function buffer(name, role, rows, columns, ld, of)
      return { name = name, role = role, type = of,
               elements = (rows - 1) * ld + columns, low = -reach, high = reach }
    end
    local of <const> = types.memory(problem, arch)
    local list <const> = {
      A.turned(p) and buffer("a", "in", p.m, p.k, p.lda, of) or
        buffer("a", "in", p.k, p.m, p.lda, of),
      B.turned(p) and buffer("b", "in", p.n, p.k, p.ldb, of) or
        buffer("b", "in", p.k, p.n, p.ldb, of),
      buffer("c", p.beta ~= 0 and "inout" or "out", p.m, p.n, p.ldc, types.c(p)),
    }
    if cfg.split_k > 1 then
      list[4] = buffer("sums", "scratch", cfg.split_k * p.m, p.n, p.n,
                       types.sums(problem))
    end
    return list
  end,

  reference = "gemm",

  cost = function (problem)
    local m <const>, n <const>, k <const> = problem.m, problem.n, problem.k
    local out <const> = types.c_bytes(problem) * m * n * (problem.beta ~= 0 and 2 or 1)
    return { flops = 2 * m * n * k, bytes = matrix.size(problem) * (m + n) * k + out }
  end,

  -- Two tiles of C each way, the second cut off, and k tiles enough for every stage
  -- of every part.
  check = function (cfg, problem)
    local p <const>, grain <const> = problem, types.of(problem).grain
    local rest <const> = p.k % cfg.tile_k
    local small <const> = {
      m = cfg.tile_m + grain + p.m % grain,
      n = cfg.tile_n + grain + p.n % grain,
      k = 4 * cfg.split_k * cfg.tile_k - (rest > 0 and cfg.tile_k - rest or 0),
    }
    product.pad_rows(p, small)
    return small
  end,

  complete = function (problem, arch)
    if arch.mfma == 0 then
      return nil, arch.name .. " has no matrix cores; family gemm does without"
    end
    if not matrix.multiplies(problem.dtype, arch) then
      return nil, arch.name .. " has no matrix instruction for dtype=" .. problem.dtype
    end
    return product.complete_one(problem)
  end,

  lds = lds,
}
