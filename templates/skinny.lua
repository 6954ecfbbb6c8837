-- skinny.lua - C = alpha op(A) op(B) + beta C where C has few rows or columns.
-- SPDX-License-Identifier: MIT

local epilogue <const> = include "parts/epilogue.lua"
local operand <const> = include "parts/operand.lua"
local product <const> = include "parts/product.lua"
local thin <const> = include "parts/thin.lua"
local thin_work <const> = include "parts/thin_work.lua"
local types <const> = include "parts/types.lua"
local limit <const>, ceil <const> = product.limit, product.ceil
local rows <const>, products <const> = product.rows, product.products

local thinnest <const>, thinnest_turned <const> = thin.most, thin.most_turned

-- Keys as those of every product, but for what is usual here.
local usual <const> = {
  m = { 1, { min = 1, max = limit }, "rows of C" },
  n = { 4096, { min = 1, max = limit }, "columns of C; m or n is at most 16, of some layouts 32" },
  layout = { "nt", { "nn", "nt", "tn", "tt" }, "of A and B: n as is, t transposed" },
  dtype = { "f32", { "f32", "f16", "bf16", "i8" },
            "type of A and B; floats are summed in f32, integers in i32, which wraps" },
}
local keys <const> = {}
for i, key in ipairs(product.keys) do
  local name <const> = key[1]
  keys[i] = usual[name] and { name, table.unpack(usual[name]) } or key
end
for _, more in ipairs { product.placing, epilogue.keys } do
  for _, key in ipairs(more) do keys[#keys + 1] = key end
end

-- Rules know the problem, and ask it rather than cfg.short and cfg.columns, so
-- that they read fewer tunables.
local covers <const> = { 1, 2, 3, 4, 5, 6, 8, 8, 10, 10, 12, 12, 16, 16, 16, 16 }
local function columns_of(problem)
  local least <const> = math.min(problem.m, problem.n, thinnest_turned)
  return covers[least] or least <= 24 and 24 or 32
end

-- Rows of w that a workgroup takes at a time, k of a step: they read few tunables.
local function block(cfg, problem, arch)
  local lanes_r <const> = arch.wave // cfg.lanes_k // thin.lanes_c(columns_of(problem))
  return cfg.waves_r * math.max(lanes_r, 1) * cfg.rows
end
local function step(cfg) return cfg.waves_k * cfg.lanes_k * cfg.depth end

-- Steps of the longest part of k.
local function steps(cfg, problem)
  return ceil(problem.k, step(cfg) * cfg.split_k)
end

-- Workgroups of a part of k, for a long side of so many blocks.
local function groups(cfg, problem, blocks, arch)
  if cfg.per_cu == 0 then return blocks end
  local others <const> = cfg.split_k * products(problem)
  return math.min(blocks, math.max(cfg.per_cu * arch.cus // others, 1))
end

local function own_columns(problem)
  return columns_of(problem) // thin.lanes_c(columns_of(problem))
end
local function short_of(problem) return problem.m < problem.n and "m" or "n" end
local function side_of(problem) return thin.sides[short_of(problem)] end
local function turned(problem) return side_of(problem).w_turned(problem) end
local function bits(problem) return types.of(problem).bits end

-- Elements of a row of an operand in memory, from row to row, and from product to
-- product: what loads of several elements must divide.
local function row_of(problem, ld, stride)
  return rows(problem, problem)[ld] | problem[ld] | problem[stride]
end

-- Bytes of a column of x in LDS: what is not packed into words is widened.
local function kept(cfg, problem, arch)
  local pack <const> = types.pack(problem, arch)
  local panels <const> = cfg.panel > 0 and 2 * cfg.panel or steps(cfg, problem)
  return panels * step(cfg) * 4 // pack
end

-- Parts of a sum that meet in LDS, and the bytes that it gives them.
local meeting_bytes <const> = 16384
local function parts(cfg, problem)
  return cfg.waves_k * (turned(problem) and 1 or cfg.lanes_k)
end

-- Bytes of LDS of a workgroup, of numbers x.
local function lds_bytes(cfg, problem, x, arch)
  local held <const> = cfg.x_in == "lds" and cfg.columns * kept(cfg, problem, arch) or 0
  local meeting <const> = x.parts > 1 and x.parts * x.group_rows * cfg.columns or 0
  return held + 4 * meeting
end

local function registers(cfg, problem)
  return thin_work.registers(cfg, problem, own_columns(problem))
end

-- Waves of a workgroup that a SIMD has: they run at once.
local function own_waves(cfg, arch) return ceil(cfg.waves_k * cfg.waves_r, arch.simds) end

-- VGPRs that a thread can have.
local function vgprs(cfg, arch)
  return math.min(arch.vgprs, arch.vgpr_total // own_waves(cfg, arch))
end

return {
  meaning = "matrix product with few rows or columns, bound by memory",

  problem = keys,

  space = {
    { "short", { "m", "n" }, "the short side of C; the operand of the other is the long one" },
    { "columns", { 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32 },
      "of the short side; up to 16 all a thread's, over 16 two threads'" },
    { "rows", { 1, 2, 3, 4, 6, 8, 16 }, "of the long side, a thread's" },
    { "depth", { 1, 2, 4, 8, 16, 32 }, "k that a thread takes at a step" },
    { "width", { 1, 2, 4, 8, 16 }, "elements of the long operand a load" },
    { "lanes_k", { 1, 2, 4, 8, 16, 32, 64 }, "lanes of a wave that share a row's k" },
    { "waves_k", { 1, 2, 4, 8 }, "waves of a workgroup that share a row's k" },
    { "waves_r", { 1, 2, 3, 4, 6, 8, 9, 12 }, "waves of a workgroup that have rows of their own" },
    { "x_in", { "memory", "lds" }, "where the short operand is read from" },
    { "panel", { 0, 2, 4, 8 },
      "steps from barrier to barrier, of the short operand in LDS; 0: all of k" },
    { "ahead", { 0, 1, 3 }, "steps that loads run ahead, in registers" },
    { "waves", { 1, 2, 3, 4 }, "waves a SIMD for which the compiler saves registers" },
    { "per_cu", { 0, 1, 2, 4 },
      "workgroups a CU that share the long side; 0: as many as it has blocks" },
    { "split_k", { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 20, 28, 32 },
      "parts of k, added up by a second kernel" },
  },

  rules = {
    { "dtype=i8 needs v_dot4_i32_i8, which this arch lacks",
      function (_, problem, arch) return problem.dtype == "i8" and arch.dot4 == 0 end },
    { "short is not the shorter of m and n",
      function (cfg, problem) return cfg.short ~= short_of(problem) end },
    { "columns is not the least that covers the short side",
      function (cfg, problem) return cfg.columns ~= columns_of(problem) end },
    { "width is no one element of dtype, and no 4, 8 or 16 bytes",
      function (cfg, problem)
        local load <const> = cfg.width * bits(problem)
        return load > 128 or (load < 32 and cfg.width > 1)
      end },
    { "width elements at once are more than align bytes",
      function (cfg, problem) return cfg.width * bits(problem) > 8 * problem.align end },
    { "depth is not a multiple of width, where the long operand runs along k",
      function (cfg, problem) return turned(problem) and cfg.depth % cfg.width ~= 0 end },
    { "depth is less than the k of dtype that are multiplied at once",
      function (cfg, problem, arch) return cfg.depth % types.pack(problem, arch) ~= 0 end },
    { "rows is not a multiple of width, where the long operand runs along the long side",
      function (cfg, problem) return not turned(problem) and cfg.rows % cfg.width ~= 0 end },
    { "the leading dimension, the stride, or the length of a row, of the long operand is " ..
      "not a multiple of width",
      function (cfg, problem)
        local side <const> = side_of(problem)
        return row_of(problem, side.ldw, side.stride_w) % cfg.width ~= 0
      end },
    { "waves_k * waves_r: too many threads",
      function (cfg, _, arch)
        return cfg.waves_k * cfg.waves_r * arch.wave > arch.max_threads
      end },
    { "lanes_k is over the lanes of a wave",
      function (cfg, _, arch) return cfg.lanes_k > arch.wave end },
    { "lanes_k is over 16, where the long operand runs along the long side",
      function (cfg, problem) return not turned(problem) and cfg.lanes_k > 16 end },
    { "k is at most half of depth * lanes_k * waves_k: fewer cover it",
      function (cfg, problem)
        return step(cfg) > cfg.depth and problem.k <= step(cfg) // 2
      end },
    { "depth is above k",
      function (cfg, problem, arch)
        return cfg.depth > types.pack(problem, arch) and cfg.depth > problem.k
      end },
    { "half of rows * waves_r covers the long side",
      function (cfg, problem, arch)
        return cfg.waves_r * cfg.rows > 1 and
               problem[side_of(problem).rows] <= block(cfg, problem, arch) // 2
      end },
    { "columns is over 16, which needs x_in=lds",
      function (cfg, problem)
        return columns_of(problem) > thinnest and cfg.x_in == "memory"
      end },
    { "lanes_k leaves no lanes to share columns over 16",
      function (cfg, problem, arch)
        return cfg.lanes_k * thin.lanes_c(columns_of(problem)) > arch.wave
      end },
    { "x_in=memory, but the short operand does not run along k",
      function (cfg, problem)
        return cfg.x_in == "memory" and not side_of(problem).x_turned(problem)
      end },
    { "x_in=memory, but a thread would hold over 64 registers of the short operand",
      function (cfg, problem)
        return cfg.x_in == "memory" and columns_of(problem) * cfg.depth * bits(problem) > 64 * 32
      end },
    { "panel > 0 needs x_in=lds",
      function (cfg) return cfg.panel > 0 and cfg.x_in == "memory" end },
    { "panel is not below the steps of a part of k: panel=0 will do",
      function (cfg, problem) return cfg.panel > 0 and cfg.panel >= steps(cfg, problem) end },
    { "ahead + 1 does not divide panel",
      function (cfg) return cfg.panel % (cfg.ahead + 1) ~= 0 end },
    { "panel, or columns * k / split_k where it is 0: too much LDS",
      function (cfg, problem, arch)
        local room <const> = parts(cfg, problem) > 1 and meeting_bytes or 0
        return cfg.x_in == "lds" and
               kept(cfg, problem, arch) * columns_of(problem) > arch.lds_static - room
      end },
    { "waves_k, lanes_k, rows and waves_r: the sums that meet are too much LDS",
      function (cfg, problem, arch)
        local meeting <const> = parts(cfg, problem)
        return meeting > 1 and
               4 * meeting * block(cfg, problem, arch) * columns_of(problem) > meeting_bytes
      end },
    { "ahead + 1 does not divide the steps of a part of k",
      function (cfg, problem)
        local most <const> = steps(cfg, problem)
        local last <const> = ceil(problem.k, step(cfg)) - (cfg.split_k - 1) * most
        return cfg.ahead > 0 and (most | last) % (cfg.ahead + 1) ~= 0
      end },
    { "rows * columns * depth * (ahead + 1): over 1024 unrolled FMAs",
      function (cfg, problem, arch)
        local words <const> = cfg.depth // types.pack(problem, arch)
        return cfg.rows * own_columns(problem) * words * (cfg.ahead + 1) > 1024
      end },
    { "waves > 1 needs a compiler for amdgcn",
      function (cfg, _, arch) return cfg.waves > 1 and arch.amdgcn == 0 end },
    { "waves is no more than a workgroup has on a SIMD: waves=1 is the same kernel",
      function (cfg, _, arch)
        return cfg.waves > 1 and cfg.waves <= own_waves(cfg, arch)
      end },
    { "waves * (rows * columns): too many registers",
      function (cfg, problem, arch)
        local most <const> = arch.vgpr_total // cfg.waves
        return cfg.waves > 1 and cfg.rows * own_columns(problem) + 24 > most
      end },
    { "split_k leaves a part of k empty",
      function (cfg, problem)
        return cfg.split_k > 1 and
               steps(cfg, problem) * (cfg.split_k - 1) >= ceil(problem.k, step(cfg))
      end },
    { "per_cu leaves no workgroup a second block",
      function (cfg, problem, arch)
        local blocks <const> = ceil(problem[side_of(problem).rows], block(cfg, problem, arch))
        return cfg.per_cu > 0 and groups(cfg, problem, blocks, arch) >= blocks
      end },
    { "split_k * workgroups is over 32 a CU: a smaller split_k is enough",
      function (cfg, problem, arch)
        local blocks <const> = ceil(problem[side_of(problem).rows], block(cfg, problem, arch))
        local all <const> = blocks * products(problem)
        return cfg.split_k > 1 and all * cfg.split_k > 32 * arch.cus
      end },
    { "split_k > 1, but m * n is beyond 32-bit indices",
      function (cfg, problem) return cfg.split_k > 1 and problem.m * problem.n > limit end },
    { "rows * columns, ahead: too many registers",
      function (cfg, problem, arch)
        return registers(cfg, problem) > vgprs(cfg, arch)
      end },
  },

  launch = function (cfg, problem, arch)
    local p <const>, split <const> = problem, cfg.split_k > 1
    local x <const> = thin.numbers(cfg, p, arch)
    local side <const> = x.side
    local count <const> = groups(cfg, p, ceil(p[side.rows], x.group_rows), arch)
    local args <const> = { side.w, side.x, split and "sums" or "c", i32(p[side.rows]),
                           i32(p[side.columns]), i32(p.k), i32(p[side.ldw]),
                           i32(p[side.ldx]), i32(split and p.n or p.ldc),
                           i32(count) }
    if not split then epilogue.with_factors(p, args) end
    if product.strided(p) then
      args[#args + 1], args[#args + 2] = i64(p[side.stride_w]), i64(p[side.stride_x])
      if not split then args[#args + 1] = i64(p.stride_c) end
    end
    local list <const> = {
      { kernel = "skinny", grid = { count, products(p), cfg.split_k },
        block = { x.threads, 1, 1 }, lds = 0, args = args },
    }
    if split then
      local more <const> = epilogue.with_factors(p, { "sums", "c", i32(p.m), i32(p.n),
                                                      i32(p.ldc) })
      if product.strided(p) then more[#more + 1] = i64(p.stride_c) end
      list[2] = { kernel = "reduce", grid = { ceil(p.m * p.n, 256), products(p), 1 },
                  block = { 256, 1, 1 }, lds = 0, args = more }
    end
    return list
  end,

  buffers = function (cfg, problem)
    local p <const>, apart <const> = problem, product.apart(problem)
    local list <const>, matrix <const> = product.matrices(p, apart)
    product.place(p, list, apart)
    epilogue.buffers(p, list, matrix)
    if cfg.split_k > 1 then
      list[#list + 1] = matrix("sums", "scratch", cfg.split_k * products(p) * p.m, p.n, p.n)
    end
    return list
  end,

  reference = "gemm",

  cost = function (problem) -- memory is what it waits for, not arithmetic
    return { bytes = product.bytes(problem) + epilogue.bytes(problem),
             peak = types.of(problem).peak }
  end,

  -- Two blocks and a bit of a third, more where blocks are so small that the long side
  -- would not be the longer; and as many steps as it takes for loads to
  -- run ahead in every part, and for a second panel.
  check = function (cfg, problem, arch)
    local p <const>, grain <const> = problem, types.of(problem).grain
    local x <const> = thin.numbers(cfg, p, arch)
    local rest <const> = p.k % x.step_k
    local turns <const> = math.max(cfg.ahead + 1, thin.stagger(cfg, p, arch))
    local most <const> = cfg.split_k * (cfg.panel > 0 and cfg.panel + turns or
                                        x.steps > turns and 2 * turns or turns)
    local small <const> = { k = most * x.step_k - (rest > 0 and x.step_k - rest or 0) }
    small[x.side.columns] = p[x.side.columns]
    local blocks <const> = math.max(2, ceil(p[x.side.columns], x.group_rows))
    small[x.side.rows] = blocks * x.group_rows + grain + p[x.side.rows] % grain
    product.pad_rows(p, small)
    product.pad_batch(p, small)
    return small
  end,

  -- What the text takes for granted: the comment at its head says the same.
  serves = function (cfg, problem, other, arch)
    local list <const>, need <const>, whole <const> = product.needs()
    local side <const> = thin.sides[cfg.short]
    local runs <const>, unit <const> = side.w_turned(problem), step(cfg)
    local most <const> = steps(cfg, other)
    local stagger <const> = thin.stagger(cfg, problem, arch)
    local turns <const> = math.max(cfg.ahead + 1, stagger)
    local function spans(p)
      local down <const> = runs and cfg.waves_r * cfg.rows * 64 or p.k
      return down * p[side.ldw] * bits(p) // 8 >> 32
    end
    local function spans_x(p)
      local down <const> = side.x_turned(problem) and cfg.columns or unit
      return down * p[side.ldx] * bits(p) // 8 >> 32
    end
    need("the short side is covered", math.max(other[side.columns] - cfg.columns, 0))
    if problem.k % unit == 0 then whole("k", other.k, unit) end
    whole("the steps of a part of k", most, turns)
    whole("the steps of the last part of k",
          ceil(other.k, unit) - (cfg.split_k - 1) * most, turns)
    whole("a row of the long operand", row_of(other, side.ldw, side.stride_w), cfg.width)
    whole("a row of the short operand", row_of(other, side.ldx, side.stride_x),
          thin.x_width(cfg, problem, arch))
    if cfg.x_in == "lds" and cfg.panel == 0 then
      need("the short operand fits into LDS", math.max(most - steps(cfg, problem), 0))
    end
    if spans(problem) == 0 then need("a block spans less than 4 GiB", spans(other)) end
    if cfg.panel > 0 and spans_x(problem) == 0 then
      need("a step of the short operand spans less than 4 GiB", spans_x(other))
    end
    for name, least in pairs(rows(other, other)) do
      need("a row fits into " .. name, math.max(least - other[name], 0))
    end
    if cfg.split_k > 1 then
      need("every part of k has something",
           math.max(most * (cfg.split_k - 1) + 1 - ceil(other.k, unit), 0))
      need("indices of partial sums fit", other.m * other.n // (limit + 1))
    end
    return list
  end,

  -- A result is a block of C, whose steps are those of its part of k.
  work = function (cfg, problem, arch)
    local x <const> = thin.numbers(cfg, problem, arch)
    local long <const> = problem[x.side.rows]
    local blocks <const> = ceil(long, x.group_rows)
    local count <const> = groups(cfg, problem, blocks, arch)
    local each <const> = ceil(blocks, count)
    local own <const> = math.min(x.group_rows, long)
    local list <const> = {
      steps = x.steps * each,
      flops = thin_work.flops(cfg, problem, x, arch),
      bytes = bits(problem) * own * x.step_k // 8,
      results = each,
      written = types.c_bytes(problem) * own * problem[x.side.columns],
    }
    if type(list.steps) == "number" then -- a trace has no numbers, and needs no more
      local held <const> = lds_bytes(cfg, problem, x, arch)
      list.fetched = thin_work.fetched(cfg, problem, x, own, each, count, held, arch)
      list.exchanged = thin_work.exchanged(cfg, problem, x, arch)
      list.ahead = cfg.ahead
      list.registers = thin_work.allowed(cfg, problem, x, arch)
      list.waits = thin_work.waits(cfg)
      list.latency = thin_work.latency
    end
    return list
  end,

  -- While a trace is made, m and n are no numbers.
  complete = function (problem)
    if type(problem.m) == "number" and type(problem.n) == "number" and
       math.min(problem.m, problem.n) > (turned(problem) and thinnest_turned or thinnest) then
      return nil, "m is " .. problem.m .. " and n is " .. problem.n .. ", but one of them " ..
                  "must be at most " .. thinnest .. ", or " .. thinnest_turned ..
                  " where the longer operand runs along k; family gemm is for larger ones"
    end
    local reason <const> = product.misplaced(problem) or epilogue.refusal(problem)
    if reason then return nil, reason end
    return product.complete(problem, true)
  end,

  lds = function (cfg, problem, arch)
    return lds_bytes(cfg, problem, thin.numbers(cfg, problem, arch), arch)
  end,
}
