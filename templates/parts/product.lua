-- product.lua - the problem of a matrix product: its keys, and what they say of
-- the matrices in memory.
-- SPDX-License-Identifier: MIT

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local A <const>, B <const> = operand.A, operand.B
local product <const> = {}

-- Indices are 32 bits wide, those past the edges included.
local limit <const> = (1 << 31) - 1024
product.limit = limit

function product.ceil(x, y) return (x + y - 1) // y end

product.keys = {
  { "m", 4096, { min = 1, max = limit }, "rows of C" },
  { "n", 4096, { min = 1, max = limit }, "columns of C" },
  { "k", 4096, { min = 1, max = limit }, "length of the sums" },
  { "layout", "nn", { "nn", "nt", "tn", "tt" }, "of A and B: n as is, t transposed" },
  { "dtype", "f32", { "f32", "f16", "bf16", "i8", "i4" },
    "type of A and B; floats are summed in f32, integers in i32, which wraps" },
  { "alpha", 1.0, "number", "factor of the product; with 0 A and B are not read" },
  { "beta", 0.0, "number", "factor of C as it was; with 0 it is not read" },
  { "lda", 0, { min = 0, max = limit }, "leading dimension of A, 0: tight" },
  { "ldb", 0, { min = 0, max = limit }, "leading dimension of B, 0: tight" },
  { "ldc", 0, { min = 0, max = limit }, "leading dimension of C, 0: tight" },
  { "type_c", "auto", { "auto", "f32", "f16", "bf16", "i32" },
    "type of C; auto: that of A and B, or i32 where these are integers (f16 is " ..
    "rocBLAS's HHS, of f32 HSS)", "quiet" },
  { "batch", 0, { min = 0, max = 65535 },
    "products side by side, with strides between their matrices; 0: one product", "quiet" },
  { "stride_a", 0, { min = 0, max = limit }, "elements from A to A, 0: all have the same",
    "quiet" },
  { "stride_b", 0, { min = 0, max = limit }, "elements from B to B, 0: all have the same",
    "quiet" },
  { "stride_c", 0, { min = 0, max = limit }, "elements from C to C, 0: tight", "quiet" },
}

-- Keys of families whose matrices can lie anywhere.
product.placing = {
  { "align", 16, { 1, 2, 4, 8, 16 },
    "bytes: A, B and C begin at multiples of it, C at least of its element", "quiet" },
  { "batch_by", "strides", { "strides", "pointers" },
    "pointers: a, b and c are lists on the device of the addresses of batch matrices", "quiet" },
}

-- Elements of a row in memory, for a matrix product of the given size.
function product.rows(problem, size)
  return {
    lda = A.turned(problem) and size.k or size.m,
    ldb = B.turned(problem) and size.k or size.n,
    ldc = size.n,
  }
end

-- Is nothing multiplied? Then A and B are not read, and C is beta C, whatever they
-- hold.
function product.empty(problem) return problem.alpha == 0 or problem.k == 0 end

-- Columns of C that a workgroup goes down where nothing is multiplied, and the most
-- rows of C that workgroups begin at.
product.scaled = { 256, 1024 }

-- Products of a batch. A batch of one has its own text: strides may differ.
function product.products(problem) return problem.batch == 0 and 1 or problem.batch end

-- Elements from the first to the last of a matrix.
function product.extents(problem, size, lds)
  local a_rows <const> = A.turned(problem) and size.m or size.k
  local b_rows <const> = B.turned(problem) and size.n or size.k
  local row <const> = product.rows(problem, size)
  return {
    stride_a = (a_rows - 1) * lds.lda + row.lda,
    stride_b = (b_rows - 1) * lds.ldb + row.ldb,
    stride_c = (size.m - 1) * lds.ldc + row.ldc,
  }
end

-- Are the matrices of a batch given by lists of their addresses?
function product.listed(problem) return problem.batch_by == "pointers" end

-- Do the matrices of a batch lie strides apart?
function product.strided(problem) return problem.batch ~= 0 and not product.listed(problem) end

-- For a comment: what must be a multiple, so that several elements of a row are loaded
-- or stored at once.
function product.along(problem, edge, ld, stride)
  if product.strided(problem) then return edge .. ", " .. ld .. " and " .. stride end
  return edge .. " and " .. ld
end

-- Bytes that C's matrices begin at multiples of.
function product.align_c(problem) return math.max(problem.align, types.c_bytes(problem)) end

-- From matrix to matrix of a batch in a check and under the stopwatch.
function product.apart(problem)
  if not product.listed(problem) then
    return { stride_a = problem.stride_a, stride_b = problem.stride_b,
             stride_c = problem.stride_c }
  end
  local least <const> = product.extents(problem, problem, problem)
  local of_a <const> = problem.align * 8 // types.of(problem).bits
  local of_c <const> = product.align_c(problem) // types.c_bytes(problem)
  local function up(x, unit) return product.ceil(x, unit) * unit end
  return { stride_a = up(least.stride_a, of_a), stride_b = up(least.stride_b, of_a),
           stride_c = up(least.stride_c, of_c) }
end

-- Elements of C, or of the sums of parts of k, that a thread which has so many side
-- by side stores at once.
function product.stored(cfg, problem, width)
  local split <const> = cfg.split_k > 1
  while not split and width * types.c_bytes(problem) > product.align_c(problem) do
    width = width // 2
  end
  return width
end

-- Why the alignment or the list does not go with the rest, or nil.
function product.misplaced(problem)
  local bytes <const> = types.of(problem).bits // 8
  if problem.align < bytes then
    return "align is " .. problem.align .. ", but elements of " .. problem.dtype .. " have " ..
           bytes .. " bytes"
  end
  if not product.listed(problem) then return nil end
  if problem.batch == 0 then return "batch_by=pointers needs batch > 0" end
  if problem.stride_a ~= 0 or problem.stride_b ~= 0 or problem.stride_c ~= 0 then
    return "batch_by=pointers has no strides: leave stride_a, stride_b and stride_c at 0"
  end
end

-- The kernel that writes C takes alpha at the end, and beta if it counts.
function product.with_factors(problem, args)
  args[#args + 1] = f32(problem.alpha)
  if problem.beta ~= 0 then args[#args + 1] = f32(problem.beta) end
  return args
end

-- The matrices of a problem as buffers, `strides` apart in a batch; a maker of more
-- such, by default of sums. Integers are drawn over their whole range; a byte of i4
-- holds two.
function product.matrices(p, strides)
  local type <const> = types.of(p)
  local reach <const> = type.whole and 128 or 1
  local sums <const> = type.whole and "i32" or "f32"
  local function matrix(name, role, rows, columns, ld, of, stride)
    local more <const> = p.batch ~= 0 and stride and (p.batch - 1) * stride or 0
    return { name = name, role = role, type = of or sums,
             elements = (rows - 1) * ld + columns + more, low = -reach, high = reach }
  end
  local function input(name, rows, columns, ld)
    local b <const> = matrix(name, "in", rows, columns, ld, type.memory,
                             strides["stride_" .. name])
    if type.bits == 4 then b.elements = (b.elements + 1) // 2 end
    if product.empty(p) then -- whatever these hold; of floats all are infinite
      b.low, b.high = 1e300, 1e300
      b.elements = math.max(b.elements, 1)
    end
    return b
  end
  local list <const> = {
    A.turned(p) and input("a", p.m, p.k, p.lda) or input("a", p.k, p.m, p.lda),
    B.turned(p) and input("b", p.n, p.k, p.ldb) or input("b", p.k, p.n, p.ldb),
    matrix("c", p.beta ~= 0 and "inout" or "out", p.m, p.n, p.ldc, types.c(p),
           strides.stride_c),
  }
  return list, matrix
end

-- Makes the matrices of a list, `apart` in a batch, aligned as the problem says, or lists
-- of such.
function product.place(p, list, apart)
  for _, b in ipairs(list) do
    local stride <const> = apart["stride_" .. b.name]
    b.align = b.name == "c" and product.align_c(p) or p.align
    if product.listed(p) then
      b.pointers = p.batch
      b.stride = b.name ~= "c" and types.of(p).bits == 4 and stride // 2 or stride
    end
  end
end

-- Bytes that a product moves at least: matrices of stride 0 once for all.
function product.bytes(p)
  local m <const>, n <const>, k <const> = p.m, p.n, p.k
  local batch <const> = product.products(p)
  local out <const> = types.c_bytes(p) * m * n * (p.beta ~= 0 and 2 or 1)
  if product.empty(p) then return batch * out end
  local a <const> = (p.batch ~= 0 and p.stride_a ~= 0 and batch or 1) * m * k
  local b <const> = (p.batch ~= 0 and p.stride_b ~= 0 and batch or 1) * k * n
  return types.of(p).bits * (a + b) // 8 + batch * out
end

-- Leading dimensions of a problem with sizes `small`, to check a kernel by: longer
-- than a row where those of p are.
function product.pad_rows(p, small)
  local row <const>, grain <const> = product.rows(p, p), types.of(p).grain
  for name, least in pairs(product.rows(p, small)) do
    local more <const> = p[name] - row[name]
    small[name] = least + (more > 0 and grain + more % grain or 0)
  end
end

-- A batch of such, with strides that are as odd as those of p.
function product.pad_batch(p, small)
  local grain <const> = types.of(p).grain
  if p.batch == 0 then return end
  small.batch = math.min(p.batch, 3)
  for name, least in pairs(product.extents(p, small, small)) do
    local up <const> = product.ceil(least, grain) * grain
    small[name] = p[name] > 0 and up + p[name] % grain or 0
  end
end

-- An empty list of what a kernel needs of other problems than its own, and what
-- adds to it: a number that must be 0, or one that must be a multiple.
function product.needs()
  local list <const> = {}
  local function need(reason, zero) list[#list + 1] = { reason, zero } end
  local function whole(reason, x, unit)
    if unit > 1 then need(reason .. " is a multiple of " .. unit, x % unit) end
  end
  return list, need, whole
end

-- Fills in what is left at 0 of one product, or says why there is no such. scales:
-- does the family scale sums?
function product.complete_one(problem, scales)
  local filled <const> = {}
  local type_c <const>, reason <const> = types.canonical(problem, scales)
  local refusal <const> = reason or types.refusal(problem)
  if refusal then return nil, refusal end
  if type_c ~= problem.type_c then filled.type_c = type_c end
  for name, least in pairs(product.rows(problem, problem)) do
    local ld <const> = problem[name]
    if ld > 0 and ld < least then
      return nil, name .. " is " .. ld .. ", but a row has " .. least .. " elements"
    end
    local odd <const> = name ~= "ldc" and types.half_byte(problem, name, least | ld)
    if odd then return nil, odd end
    filled[name] = ld > 0 and ld or least
  end
  return filled
end

-- The same with the keys of a batch.
function product.complete(problem, scales)
  local filled <const>, why <const> = product.complete_one(problem, scales)
  if not filled then return nil, why end
  if product.strided(problem) then
    local lds <const> = {}
    for name in pairs(product.rows(problem, problem)) do lds[name] = filled[name] end
    local least <const> = product.extents(problem, problem, lds).stride_c
    local stride <const> = problem.stride_c
    if stride ~= 0 and type(stride) == "number" and stride < least then
      return nil, "stride_c is " .. stride .. ", but a C has " .. least .. " elements"
    end
    if stride == 0 then filled.stride_c = least end
  end
  local some <const> = problem.stride_a ~= 0 or problem.stride_b ~= 0 or problem.stride_c ~= 0
  if problem.batch == 0 and some then return nil, "strides need batch > 0" end
  for _, name in ipairs { "stride_a", "stride_b" } do
    local odd <const> = types.half_byte(problem, name, problem[name])
    if odd then return nil, odd end
  end
  return filled
end

return product
