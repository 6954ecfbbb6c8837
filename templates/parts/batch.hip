@ -- batch.hip - where the matrices of a product of a batch are: a stride apart, or at
@ -- addresses in a list.
@ -- SPDX-License-Identifier: MIT
@
@ local product <const> = include "parts/product.lua"
@ local blanks <const> = ... -- before a line of parameters
@ local listed <const> = product.listed(problem)
@ local within <const> = problem.batch ~= 0
@ local strided <const> = product.strided(problem)
@ local entry <const> = { gap = listed and "\n" .. blanks or " " } -- between parameters
@
@ -- The parameter for matrices `name`.
@ function entry.matrix(type, name)
@   if listed then return type .. " *const *__restrict__ " .. name .. "_list" end
@   return type .. " *__restrict__ " .. name
@ end
@
@ -- The parameters for the strides of these.
@ function entry.strides(names, before)
@   local list <const> = {}
@   for i, name in ipairs(strided and names or {}) do
@     list[i] = (i == 1 and before or " ") .. "long long stride_" .. name
@   end
@   return #list > 0 and "," .. table.concat(list, ",") or ""
@ end
@
@ -- Where matrix `name` is. offset: turns one in elements into one of pointers to
@ -- `type`, where these are not the same.
@ function entry.go(type, name, offset)
@   if listed then
  $type *$name = $(name)_list[blockIdx.y];
@   elseif within then
@     local at <const> = "blockIdx.y * stride_" .. name
  $name += $(offset and offset(at) or at);
@   end
@ end
@
@ return entry
