-- types.lua - the element types of a matrix product.
-- SPDX-License-Identifier: MIT
--
-- LDS holds words of 32 bits. Where the arch has a dot product for the type, a
-- word packs the elements of as many consecutive k as fit into it; where not, it
-- holds one element, widened to the type of the sums.

local types <const> = {}

-- bits: of an element. memory: type of its buffers, element: of its pointers in
-- the text. dot: the capability that multiplies packed words. c: types of C, the
-- usual one first; scaled: more, of families that scale sums. peak: the fact of the arch that bounds the operations.
-- grain: of how many elements a vector in memory may be, in no case more. sum: the
-- type of the sums where that is neither f32 nor i32.
local known <const> = {
  f32 = { bits = 32, memory = "f32", element = "float", whole = false,
          c = { "f32" }, peak = "fp32_flops", grain = 4 },
  f16 = { bits = 16, memory = "f16", element = "unsigned short", whole = false, dot = "dot2",
          c = { "f16", "f32" }, peak = "fp16_flops", grain = 8 },
  bf16 = { bits = 16, memory = "bf16", element = "unsigned short", whole = false,
           c = { "bf16", "f32" }, peak = "fp32_flops", grain = 8 },
  i8 = { bits = 8, memory = "i8", element = "unsigned char", whole = true, dot = "dot4",
         c = { "i32" }, scaled = { "f16", "f32", "bf16" }, peak = "dot4_ops", grain = 16 },
  f64 = { bits = 64, memory = "f64", element = "double", whole = false, sum = "f64",
          c = { "f64" }, peak = "fp64_flops", grain = 2 },
  fp8 = { bits = 8, memory = "fp8", element = "unsigned char", whole = false,
          c = { "f32", "f16", "bf16" }, peak = "fp32_flops", grain = 16 },
  bf8 = { bits = 8, memory = "bf8", element = "unsigned char", whole = false,
          c = { "f32", "f16", "bf16" }, peak = "fp32_flops", grain = 16 },
  i4 = { bits = 4, memory = "i8", element = "unsigned char", whole = true, dot = "dot8",
         c = { "i32" }, scaled = { "f16", "f32", "bf16" }, peak = "dot8_ops", grain = 32 },
}

-- Of C: bytes of an element, and its type in the text.
local stored <const> = {
  f32 = { bytes = 4, element = "float" },
  f16 = { bytes = 2, element = "result" },
  bf16 = { bytes = 2, element = "result" },
  i32 = { bytes = 4, element = "total" },
  f64 = { bytes = 8, element = "double" },
}

function types.of(problem) return known[problem.dtype] end

-- Of buffers: the type of A and B, of which 8-bit floats have two formats, and that
-- of sums.
function types.memory(problem, arch)
  local type <const> = known[problem.dtype]
  local one_zero <const> = type.bits == 8 and not type.whole and arch.f8_fnuz == 1
  return type.memory .. (one_zero and "_fnuz" or "")
end
function types.sums(problem)
  local type <const> = known[problem.dtype]
  return type.sum or type.whole and "i32" or "f32"
end

-- Elements that a word of LDS holds.
function types.pack(problem, arch)
  local type <const> = known[problem.dtype]
  return type.dot and arch[type.dot] == 1 and 32 // type.bits or 1
end

-- The type of C, by name.
function types.c(problem)
  return problem.type_c == "auto" and known[problem.dtype].c[1] or problem.type_c
end
function types.c_bytes(problem) return stored[types.c(problem)].bytes end

-- `auto` for the usual type of C, so that a problem has one name; nil and why
-- where the product of these elements has no such type. scales: does the family?
function types.canonical(problem, scales)
  local list <const> = { table.unpack(known[problem.dtype].c) }
  for _, name in ipairs(scales and known[problem.dtype].scaled or {}) do
    list[#list + 1] = name
  end
  if problem.type_c == list[1] then return "auto" end
  for _, name in ipairs(list) do
    if problem.type_c == name then return name end
  end
  if problem.type_c == "auto" then return "auto" end
  return nil, "a product of " .. problem.dtype .. " has no C of " .. problem.type_c ..
              "; type_c can be " .. table.concat(list, ", ")
end

-- Of f32, in which kernels take factors: the largest number, and the least above 0.
local largest <const>, least <const> = 0x1.fffffep127, 0x1p-149

-- Why the factors do not go with the type, or nil.
function types.refusal(problem)
  local kind <const> = known[problem.dtype]
  local whole <const> = kind.whole and types.c(problem) == "i32"
  for _, name in ipairs(whole and { "alpha", "beta" } or {}) do
    local x <const> = problem[name]
    if type(x) == "number" and (x ~= x // 1 or math.abs(x) >= 1 << 24) then
      return name .. " is " .. x .. ", but sums of " .. problem.dtype ..
             " are integers: it must be one of at most 24 bits"
    end
  end
  for _, name in ipairs { "alpha", "beta" } do
    local size <const> = type(problem[name]) == "number" and math.abs(problem[name]) or 0
    if size ~= 0 and not (size >= least and size <= largest) then
      return name .. " is " .. problem[name] .. ", but kernels take it in f32: it must be " ..
             "0, or from 1.4e-45 to 3.4e38"
    end
  end
end

-- Why a row of so many elements, called so, is none of the type, or nil.
function types.half_byte(problem, name, elements)
  local even <const> = type(elements) ~= "number" or elements % 2 == 0
  if known[problem.dtype].bits == 4 and not even then
    return name .. " is " .. elements .. ", but rows of i4 are whole bytes: it must be even"
  end
end

-- What the text calls things.
function types.text(problem, arch)
  local type <const>, pack <const> = known[problem.dtype], types.pack(problem, arch)
  local c <const> = types.c(problem)
  return {
    name = problem.dtype, bits = type.bits, pack = pack, whole = type.whole,
    plain = type.bits >= 32,  -- elements are what is multiplied
    element = type.element,
    word = pack > 1 and "word" or "float",
    sum = stored[types.sums(problem)].element,
    c = c, c_element = stored[c].element,
    exact = type.whole and c == "i32", -- alpha and beta are whole, too
    narrow = c == "f16" or c == "bf16", -- than f32
    span = pack > 1 and "span_k" or "tile_k", -- k of a tile
  }
end

return types
