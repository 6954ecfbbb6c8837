@ -- epilogue.hip - what becomes of the product before it is stored: epilogue.lua says
@ -- what there is.
@ -- SPDX-License-Identifier: MIT
@
@ local epilogue <const> = {}
@ local about <const> = include "parts/epilogue.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local some <const>, reads <const> = about.some(problem), about.list(problem)
@ local strided <const> = include("parts/product.lua").strided(problem)
@
@ local function type_of(x) return x.f32 and "float" or T.c_element end
@
@ -- Parameters of a kernel and of a function, and what is passed on.
@ epilogue.declared, epilogue.passed = "", ""
@ function epilogue.params(blanks) -- before each, on a line of its own
@   local text = ""
@   for _, x in ipairs(reads) do
@     text = text .. ",\n" .. blanks .. "const " .. type_of(x) .. " *__restrict__ " .. x.name
@   end
@   return text
@ end
@ if #reads > 0 then epilogue.declared, epilogue.passed = ", extras more", ", more" end
@
@ -- In a kernel: what is read, of this product of a batch.
@ function epilogue.take()
@   local names <const> = {}
@   for i, x in ipairs(reads) do
@     local own <const> = x.like_c and strided
@     names[i] = x.name .. (own and " + blockIdx.y * stride_c" or "")
@   end
@   local line <const> = table.concat(names, ", ")
@   if #line > 60 then
  extras more = {$(table.concat(names, ",\n                 "))};
@   elseif #reads > 0 then
  extras more = {$line};
@   end
@ end
@
@ -- An element of C at (y, x) from the product and the old element; nil: there is none.
@ function epilogue.finished(product, old, y, x)
@   local place <const> = #reads > 0 and ", more, " .. y .. ", " .. x .. ", ldc" or ""
@   local gap <const> = (old or #reads > 0) and ",\n            " or ", "
@   return "finish(" .. (product or "0") .. gap .. (old or "0") .. place .. ")"
@ end
@
@
@ local function define_activation()
@   include "parts/exponential.hip"

@   if activation == "silu" then
@     include "parts/silu.hip"
@   elseif activation == "gelu_tanh" then
// x/2 (1 + tanh u), u = sqrt(2/pi) (x + 0.044715 x^3), by e^(-2u). Below -10 it
// is less than 1e-36, which is taken for 0.
static __device__ inline float gelu_tanh(float x)
{
  x = x < -10 ? 0 : x;
  float power = exponential(-1.59576912f * (x + 0.044715f * x * x * x));
  return x * inverse(1 + power);
}
@   else
// x/2 (1 + erf(x / sqrt 2)). 1 - erf(z) is t e^(-z^2 + a polynomial of t),
// within 1.2e-7 of itself: Press et al., Numerical Recipes, "Error Functions".
// Beyond 13 it is less than 1e-37, which is taken for 0.
static __device__ inline float gelu(float x)
{
  float size = x < 0 ? -x : x, y = size < 13 ? size : 0;
  float z = y * 0.707106781f, t = inverse(1 + 0.5f * z);
  float sum = 0.17087277f;
  sum = sum * t - 0.82215223f;
  sum = sum * t + 1.48851587f;
  sum = sum * t - 1.13520398f;
  sum = sum * t + 0.27886807f;
  sum = sum * t - 0.18628806f;
  sum = sum * t + 0.09678418f;
  sum = sum * t + 0.37409196f;
  sum = sum * t + 1.00002368f;
  sum = sum * t - 1.26551223f;
  float tail = 0.5f * t * exponential(sum - z * z); // (1 - erf(z)) / 2
  return (x < 0 ? 0 : x) - y * tail;
}
@   end
@ end
@
@ -- What the text needs of its own.
@ function epilogue.define()
@   if not some then return end
@   if #reads > 0 then

// What is read for an element of C beside its sum.
struct extras {
@     for _, x in ipairs(reads) do
  const $(type_of(x)) *$(x.name);
@     end
};
@   end
@   if activation ~= "none" then define_activation() end
@   local function number(text) return T.narrow and "widen(" .. text .. ")" or text end
@   local at <const> = "(long long)y * ldc + x"

// An element of C$(#reads > 0 and " (row y, column x)" or "") from the product and from beta C.
static __device__ inline $(T.c_element)
finish(float v, float old$(#reads > 0 and ", const extras &more, int y, int x, int ldc" or ""))
{
@   if scale == "row" or scale == "both" then
  v *= more.row_scale[y];
@   end
@   if scale == "col" or scale == "both" then
  v *= more.col_scale[x];
@   end
@   if beta ~= 0 then
  v += old;
@   end
@   if bias ~= "none" then
  v += $(number("more.bias[" .. (bias == "row" and "y" or "x") .. "]"));
@   end
@   if activation ~= "none" then
  v = $activation(v);
@   end
@   if up == 1 then
  v *= $(number("more.up[" .. at .. "]"));
@   end
@   if residual == 1 then
  v += $(number("more.residual[" .. at .. "]"));
@   end
  return $(T.narrow and "narrow(v)" or "v");
}
@ end
@
@ epilogue.some = some
@ return epilogue
