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
  { "alpha", 1.0, "number", "factor of the product" },
  { "beta", 0.0, "number", "factor of C as it was; with 0 it is not read" },
  { "lda", 0, { min = 0, max = limit }, "leading dimension of A, 0: tight" },
  { "ldb", 0, { min = 0, max = limit }, "leading dimension of B, 0: tight" },
  { "ldc", 0, { min = 0, max = limit }, "leading dimension of C, 0: tight" },
  { "type_c", "auto", { "auto", "f32", "f16", "bf16", "i32" },
    "type of C; auto: that of A and B, or i32 where these are integers", "quiet" },
  { "batch", 0, { min = 0, max = 65535 },
    "products side by side, with strides between their matrices; 0: one product", "quiet" },
  { "stride_a", 0, { min = 0, max = limit }, "elements from A to A, 0: all have the same",
    "quiet" },
  { "stride_b", 0, { min = 0, max = limit }, "elements from B to B, 0: all have the same",
    "quiet" },
  { "stride_c", 0, { min = 0, max = limit }, "elements from C to C, 0: tight", "quiet" },
}

-- Elements of a row in memory, for a matrix product of the given size.
function product.rows(problem, size)
  return {
    lda = A.turned(problem) and size.k or size.m,
    ldb = B.turned(problem) and size.k or size.n,
    ldc = size.n,
  }
end

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

-- Fills in what is left at 0, or says why there is no such product.
function product.complete(problem)
  local filled <const> = {}
  local type_c <const>, reason <const> = types.canonical(problem)
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
  if problem.batch ~= 0 then
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
