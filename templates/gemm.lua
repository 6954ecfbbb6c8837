-- gemm.lua - C = alpha op(A) op(B) + beta C for row-major matrices.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local epilogue <const> = include "parts/epilogue.lua"
local groups <const> = include "parts/groups.lua"
local tiling <const> = include "parts/tiling.lua"
local step <const> = include "parts/tiling_work.lua"
local thin <const> = include "parts/thin.lua"
local A <const>, B <const> = operand.A, operand.B
local limit <const>, ceil <const> = product.limit, product.ceil
local rows <const>, products <const> = product.rows, product.products
local empty <const> = product.empty

-- Elements of C that a thread adds up, whose tile streams share: stream.hip's `each`.
local joined <const> = 4

-- The keys of every product, of which k can be 0 here, and more.
local function keys()
  local list <const> = {}
  for i, key in ipairs(product.keys) do
    list[i] = key[1] == "k" and { "k", key[2], { min = 0, max = limit }, key[4] } or key
  end
  for _, key in ipairs(product.placing) do list[#list + 1] = key end
  for _, key in ipairs(epilogue.keys) do list[#list + 1] = key end
  for _, key in ipairs(groups.keys("rows of A")) do list[#list + 1] = key end
  return list
end

-- Rows of B in memory.
local function rows_b(problem) return B.turned(problem) and problem.n or problem.k end

-- Why a problem of groups cannot be, or nil: tiles begin at any row.
local function ungrouped(problem)
  if problem.groups == 0 then return nil end
  if not A.turned(problem) then
    return "groups > 0 needs rows of A that lie in memory as such: layout nn or nt"
  end
  if problem.batch > 0 then return "groups > 0 are products side by side: batch must be 0" end
  if problem.scale == "col" or problem.scale == "both" or problem.bias == "col" then
    return "groups > 0 with factors or a bias of columns, of which each group would have its own"
  end
  return groups.refusal(problem)
end

-- The last number of a tunable is the weight of a difference in it: how soon its values
-- stop telling of each other what a guess is wrong by. Fitted to what a modelled gfx906
-- takes for 106 products, none of `./check search`, rounded, and the same for A and B;
-- bench_weights comes near them (docs/search.md).
local space <const> = {
  { "tile_m", { 4, 16, 32, 48, 64, 72, 96, 128, 256 }, "rows of C a workgroup", 0.8 },
  { "tile_n", { 16, 32, 48, 64, 72, 96, 128, 256 }, "columns of C a workgroup", 0.8 },
  { "thread_m", { 2, 4, 6, 8, 9, 16 },
    "rows of C a thread; with thread_n, independent sums", 0.4 },
  { "thread_n", { 2, 4, 6, 8, 9, 16 }, "columns of C a thread", 0.4 },
  { "wave_m", { 2, 4, 8, 16 }, "threads of a wave down the tile, the rest across", 0.003 },
  { "tile_k", { 8, 16, 32, 64, 128 },
    "rows of a k tile in LDS: each one k, or what a word packs, 2 of f16, 4 of i8, 8 of i4", 0.7 },
  { "slice_k", { 1, 2, 4, 8, 16 }, "parts of a workgroup that share the rows of a k tile", 0.5 },
  { "slice_loads", { 0, 1 },
    "1: each slice, of one wave, loads its own rows of a k tile and waits for no other", 0.2 },
  { "load_a", { 1, 2, 4, 8, 16, 32 }, "elements of A a load from memory", 0.15 },
  { "load_b", { 1, 2, 4, 8, 16, 32 }, "elements of B a load from memory", 0.15 },
  { "read_width", { 2, 4 }, "words a read from LDS, at most", 0.02 },
  { "pad_a", { 0, 1, 2, 4 }, "words after each LDS row of A", 0.01 },
  { "pad_b", { 0, 1, 2, 4 }, "words after each LDS row of B", 0.01 },
  { "xor_a", { 0, 1, 3, 7 },
    "LDS columns of A move by (k / load_a & mask) parts of the banks", 0.07 },
  { "xor_b", { 0, 1, 3, 7 },
    "LDS columns of B move by (k / load_b & mask) parts of the banks", 0.07 },
  { "async", { 0, 1 }, "1: tiles are copied into LDS past the registers" },
  { "stages", { 1, 2, 3 }, "k tiles in LDS; from 2 on one barrier a tile", 0.03 },
  { "load_ahead", { 0, 1, 2 }, "k tiles that loads run ahead, in registers", 0.4 },
  { "read_ahead", { 0, 1, 2 },
    "1: LDS reads run a k row ahead, in registers; 2: over the end of a k tile, too", 0.25 },
  { "raster", { 1, 4, 8 }, "tiles of C that workgroups go down before right", 0.006 },
  { "split_k", { 1, 2, 4, 8, 16, 32, 64 }, "parts of k, added up by a second kernel", 1.3 },
  { "stream_k", { 0, 1, 2 },
    "workgroups a CU that share the k tiles of C evenly; 0: each has a tile of C", 0.5 },
}

-- A rule: where nothing is multiplied, these tunables have their first value.
local function only_first(from, to)
  local names <const> = {}
  for i = from, to do names[#names + 1] = space[i][1] .. "=" .. space[i][2][1] end
  return { "alpha or k is 0, so that nothing is multiplied: there is " ..
           table.concat(names, ",") .. " only",
           function (cfg, problem)
             for i = from, empty(problem) and to or 0 do
               if cfg[space[i][1]] ~= space[i][2][1] then return true end
             end
             return false
           end }
end

-- Rules in a list, those of both operands one after the other. Where nothing is
-- multiplied, there is one configuration, and none of these rules.
local function rules_of(list)
  local all <const> = {}
  local function add(rule)
    local excludes <const> = rule[2]
    all[#all + 1] = { rule[1], function (cfg, problem, arch)
      return not empty(problem) and excludes(cfg, problem, arch)
    end }
  end
  for _, rule in ipairs(list) do
    if type(rule) == "function" then
      add(rule(A))
      add(rule(B))
    else
      add(rule)
    end
  end
  local few <const> = 7 -- tunables that a rule reads
  for first = 1, #space, few do
    all[#all + 1] = only_first(first, math.min(first + few - 1, #space))
  end
  return all
end

local scale_columns <const>, scale_rows <const> = table.unpack(product.scaled)
local function scaling(p)
  local args <const> = { "c", i32(p.m), i32(p.n), i32(p.ldc) }
  if p.beta ~= 0 then args[#args + 1] = f32(p.beta) end
  for _, x in ipairs(epilogue.list(p)) do args[#args + 1] = x.name end
  if product.strided(p) then args[#args + 1] = i64(p.stride_c) end
  return { { kernel = "gemm",
             grid = { ceil(p.n, scale_columns), products(p), math.min(p.m, scale_rows) },
             block = { scale_columns, 1, 1 }, lds = 0, args = args } }
end

return {
  meaning = "matrix product, C = alpha op(A) op(B) + beta C, row-major",

  problem = keys(),

  space = space,

  rules = rules_of(include "parts/tiling_rules.lua"),

  launch = function (cfg, problem, arch)
    local p <const>, split <const> = problem, cfg.split_k > 1
    if empty(p) then return scaling(p) end
    local args <const> = { "a", "b", split and "sums" or "c", i32(p.m), i32(p.n), i32(p.k),
                           i32(p.lda), i32(p.ldb), i32(p.ldc) }
    if not split then epilogue.with_factors(p, args) end
    if product.strided(p) then
      for _, stride in ipairs { p.stride_a, p.stride_b, not split and p.stride_c or nil } do
        args[#args + 1] = i64(stride)
      end
    end
    local count <const> = tiling.workgroups(cfg, p, arch)
    if cfg.stream_k > 0 then args[#args + 1], args[#args + 2] = "parts", i32(count) end
    if p.groups > 0 then args[#args + 1], args[#args + 2] = "offsets", i32(p.groups) end
    local list <const> = {
      { kernel = "gemm", grid = { count, products(p), cfg.split_k },
        block = { tiling.threads(cfg), 1, 1 }, lds = 0, args = args },
    }
    if split then
      local more <const> = epilogue.with_factors(p, { "sums", "c", i32(p.m), i32(p.n), i32(p.ldc) })
      if product.strided(p) then more[#more + 1] = i64(p.stride_c) end
      list[2] = { kernel = "reduce", grid = { ceil(p.m * p.n, 256), products(p), 1 },
                  block = { 256, 1, 1 }, lds = 0, args = more }
    elseif cfg.stream_k > 0 then
      local more <const> = epilogue.with_factors(p, { "parts", "c", i32(p.m), i32(p.n),
                                                      i32(p.k), i32(p.ldc) })
      more[#more + 1] = i32(count)
      list[2] = { kernel = "join",
                  grid = { count, 1, ceil(cfg.tile_m * cfg.tile_n, 256 * joined) },
                  block = { 256, 1, 1 }, lds = 0, args = more }
    end
    return list
  end,

  buffers = function (cfg, problem, arch)
    local p <const>, apart <const> = problem, product.apart(problem)
    local list <const>, matrix <const> = product.matrices(p, apart)
    product.place(p, list, apart)
    if p.groups > 0 then
      list[2].elements = list[2].elements + (p.groups - 1) * rows_b(p) * p.ldb
      list[#list + 1] = groups.buffer(p, p.m)
    end
    epilogue.buffers(p, list, matrix)
    if cfg.split_k > 1 then
      list[#list + 1] = matrix("sums", "scratch", cfg.split_k * products(p) * p.m, p.n, p.n)
    elseif cfg.stream_k > 0 then
      local tiles <const> = 2 * tiling.workgroups(cfg, p, arch)
      list[#list + 1] = matrix("parts", "scratch", tiles * cfg.tile_m, cfg.tile_n, cfg.tile_n)
    end
    return list
  end,

  reference = "gemm",

  cost = function (problem)
    local p <const> = problem
    local bytes <const> = product.bytes(p) + epilogue.bytes(p) +
                          (groups.copies(p) - 1) * p.n * p.k * types.of(p).bits // 8
    if empty(p) then return { bytes = bytes } end
    return { flops = 2 * products(p) * p.m * p.n * p.k, bytes = bytes,
             peak = types.of(p).peak }
  end,

  -- Two tiles of C each way, the second cut off, and as many k tiles as it
  -- takes for loads to run ahead in every part. With streams 10 tiles of C and 3 k
  -- tiles, for 3 streams: two rounds, and two cut tiles of the four left over.
  check = function (cfg, problem, arch)
    local p <const> = problem
    local long <const>, grain <const> = tiling.span(cfg, p, arch), types.of(p).grain
    local streamed <const> = cfg.stream_k > 0
    local tiles <const> = streamed and 3 or cfg.split_k > 1 and cfg.split_k * 2 or 4
    local across <const> = streamed and 4 or 1
    local rest <const> = p.k % long
    local small <const> = empty(p) and {
      m = scale_rows + 6, n = scale_columns + 6, k = p.k > 0 and grain or 0,
    } or {
      m = cfg.tile_m + grain + p.m % grain,
      n = across * cfg.tile_n + grain + p.n % grain,
      k = tiles * long - (rest > 0 and long - rest or 0),
    }
    if p.groups > 0 then small.m = groups.check(p, arch, p.m, cfg.tile_m, small) end
    product.pad_rows(p, small)
    product.pad_batch(p, small)
    return small
  end,

  -- What the text takes for granted of m, n, k and the rows in memory, and that
  -- indices fit: the comment at its head says the same.
  serves = function (cfg, problem, other, arch)
    local list <const>, need <const>, whole <const> = product.needs()
    if empty(problem) then
      need("a row fits into ldc", math.max(other.n - other.ldc, 0))
      return list
    end
    local long <const> = tiling.span(cfg, problem, arch)
    local function spans(p)
      local a <const> = (A.turned(p) and cfg.tile_m or long) * p.lda
      local b <const> = (B.turned(p) and cfg.tile_n or long) * p.ldb
      return math.max(a, b) * types.of(problem).bits // 8 >> 32
    end
    if problem.k % long == 0 then whole("k", other.k, long) end
    whole("a row of A", rows(other, other).lda | other.lda | other.stride_a, cfg.load_a)
    whole("a row of B", rows(other, other).ldb | other.ldb | other.stride_b, cfg.load_b)
    local width <const> = product.stored(cfg, problem, operand.width(B, cfg))
    local function stored(p) return p.n | (cfg.split_k > 1 and p.n or p.ldc | p.stride_c) end
    if stored(problem) % width == 0 then whole("a row of C", stored(other), width) end
    if spans(problem) == 0 then need("a tile spans less than 4 GiB", spans(other)) end
    for name, least in pairs(rows(other, other)) do
      need("a row fits into " .. name, math.max(least - other[name], 0))
    end
    if cfg.split_k > 1 then
      need("every part of k has something", math.max(
        ceil(ceil(other.k, long), cfg.split_k) * (cfg.split_k - 1) + 1 - ceil(other.k, long), 0))
      need("indices of partial sums fit", other.m * other.n // (limit + 1))
    end
    if cfg.stream_k > 0 then
      need("indices of the k tiles that workgroups share fit",
           tiling.uncounted(cfg, other, arch))
    end
    need("a grid has that many threads",
         tiling.tiles_c(cfg, other) * tiling.threads(cfg) // (limit + 1))
    return list
  end,

  work = function (cfg, problem, arch)
    if empty(problem) then
      return { steps = ceil(problem.m, scale_rows), flops = 0, bytes = 0, results = 1,
               written = types.c_bytes(problem) * scale_columns }
    end
    return step(cfg, problem, arch)
  end,

  complete = function (problem)
    local reason <const> = product.misplaced(problem) or epilogue.refusal(problem) or
                           ungrouped(problem)
    if reason then return nil, reason end
    return product.complete(problem, true)
  end,

  -- Thin products that skinny takes whatever their layout; it has no i4.
  elsewhere = function (problem)
    if math.min(problem.m, problem.n) > thin.most or empty(problem) or
       problem.groups > 0 or problem.dtype == "i4" then
      return nil
    end
    return "family skinny, made for products of which m or n is at most " .. thin.most
  end,

  lds = function (cfg, problem)
    return empty(problem) and 0 or tiling.lds_of_workgroup(cfg, problem)
  end,

  -- The first write to LDS and the first read from it of each operand.
  lds_access = function (cfg, problem, arch)
    local wave_n <const> = arch.wave // cfg.wave_m
    local list <const> = {}
    if empty(problem) then return list end
    local function add(names, place)
      local x <const> = operand.numbers(names, cfg, problem, arch, tiling.loaders(cfg))
      local function write(lane) return 4 * operand.place(x, lane) end
      local function read(lane) return 4 * place(lane) * x.width end
      list[#list + 1] = { name = names.NAME .. ": write_b" .. 32 * x.vector, op = "write",
                          bytes = 4 * x.vector, address = write }
      list[#list + 1] = { name = names.NAME .. ": read_b" .. 32 * x.width, op = "read",
                          bytes = 4 * x.width, address = read }
    end
    add(A, function (lane) return lane // wave_n end)
    add(B, function (lane) return lane % wave_n end)
    return list
  end,
}
