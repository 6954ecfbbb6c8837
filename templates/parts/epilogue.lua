-- epilogue.lua - what becomes of the product before it is stored: keys, and what they
-- take.
-- SPDX-License-Identifier: MIT
--
-- C = act(scales * alpha op(A) op(B) + beta C + bias) * up + residual

local types <const> = include "parts/types.lua"
local product <const> = include "parts/product.lua"
local epilogue <const> = {}

epilogue.keys = {
  { "scale", "none", { "none", "row", "col", "both" },
    "factors of the product in f32: one a row of C, one a column, or both", "quiet" },
  { "bias", "none", { "none", "row", "col" },
    "what is added, in C's type: a number a row of C, or a column", "quiet" },
  { "activation", "none", { "none", "gelu", "gelu_tanh", "silu" },
    "function of each element then; gelu by erf, gelu_tanh by tanh", "quiet" },
  { "up", 0, { 0, 1 }, "1: then times a matrix that lies as C does", "quiet" },
  { "residual", 0, { 0, 1 }, "1: then a matrix that lies as C does is added", "quiet" },
}

-- What is read: name, elements, whether in f32 or in C's type, whether it lies as C.
local function list(p)
  local all <const> = {
    { name = "row_scale", used = p.scale == "row" or p.scale == "both", n = p.m, f32 = true },
    { name = "col_scale", used = p.scale == "col" or p.scale == "both", n = p.n, f32 = true },
    { name = "bias", used = p.bias ~= "none", n = p.bias == "row" and p.m or p.n },
    { name = "up", used = p.up == 1, like_c = true },
    { name = "residual", used = p.residual == 1, like_c = true },
  }
  local some <const> = {}
  for _, x in ipairs(all) do
    if x.used then some[#some + 1] = x end
  end
  return some
end
epilogue.list = list

-- Is there anything to do but alpha and beta?
function epilogue.some(p) return #list(p) > 0 or p.activation ~= "none" end

-- The kernel that writes C takes alpha and beta at the end, and what is read.
function epilogue.with_factors(p, args)
  product.with_factors(p, args)
  for _, x in ipairs(list(p)) do args[#args + 1] = x.name end
  return args
end

-- Adds the buffers that are read to the list; matrix: the maker of product.matrices().
function epilogue.buffers(p, buffers, matrix)
  for _, x in ipairs(list(p)) do
    local of <const> = x.f32 and "f32" or types.c(p)
    local b <const> = x.like_c and matrix(x.name, "in", p.m, p.n, p.ldc, of, p.stride_c) or
                      matrix(x.name, "in", 1, x.n, x.n, of)
    b.high = x.f32 and types.of(p).whole and 2.0 ^ -12 or 1 -- the sums of bytes are large
    b.low = -b.high
    if not x.f32 then b.align = product.align_c(p) end
    buffers[#buffers + 1] = b
  end
end

-- Terms in lines of at most 55 columns of a comment.
local function wrapped(terms)
  local text, line = "", "C ="
  for _, term in ipairs(terms) do
    if #line + 1 + #term > 55 then text, line = text .. line .. "\n//", "   " end
    line = line .. " " .. term
  end
  return text .. line
end

-- What is computed, for a comment: "C = ...". empty: nothing is multiplied.
function epilogue.formula(p, empty)
  local kept <const>, active <const> = p.beta ~= 0, p.activation ~= "none"
  if empty and not epilogue.some(p) then return "C = " .. (kept and "beta C" or "0") end
  if not epilogue.some(p) then return "C = alpha op(A) op(B) + beta C" end
  local terms <const> = { empty and (kept and "beta C" or "0") or "alpha op(A) op(B)" }
  local function add(when, term)
    if when then terms[#terms + 1] = term end
  end
  add(not empty and (p.scale == "row" or p.scale == "both"), "* row_scale")
  add(not empty and (p.scale == "col" or p.scale == "both"), "* col_scale")
  local factors <const> = #terms
  add(not empty and kept, "+ beta C")
  add(p.bias ~= "none", "+ bias")
  if active or p.up == 1 and #terms > factors then
    terms[1] = (active and p.activation or "") .. "(" .. terms[1]
    terms[#terms] = terms[#terms] .. ")"
  end
  add(p.up == 1, "* up")
  add(p.residual == 1, "+ residual")
  return wrapped(terms)
end

-- Bytes that are read for it.
function epilogue.bytes(p)
  local sum = 0
  for _, x in ipairs(list(p)) do
    local each <const> = x.f32 and 4 or types.c_bytes(p)
    sum = sum + each * (x.like_c and product.products(p) * p.m * p.n or x.n)
  end
  return sum
end

-- Why there is no such product, or nil.
function epilogue.refusal(p)
  if epilogue.some(p) and types.c(p) == "i32" then
    return "scale, bias, activation, up and residual need a C of floats: " ..
           "type_c can be f32, f16 or bf16"
  end
  if product.listed(p) and (p.up == 1 or p.residual == 1) then
    return "up and residual lie as C does, which batch_by=pointers does not say"
  end
end

return epilogue
