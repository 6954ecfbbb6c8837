@ -- epilogue.hip - what becomes of the product before it is stored: epilogue.lua says
@ -- what there is.
@ -- SPDX-License-Identifier: MIT
@
@ local epilogue <const> = {}
@ local about <const> = include "parts/epilogue.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local some <const>, reads <const> = about.some(problem), about.list(problem)
@ local strided <const> = batch ~= 0 and batch_by == "strides"
@
@ local function type_of(x) return x.f32 and "float" or T.c_element end
@
@ -- Parameters of a kernel and of a function, and what is passed on.
@ epilogue.params, epilogue.declared, epilogue.passed = "", "", ""
@ for _, x in ipairs(reads) do
@   epilogue.params = epilogue.params .. ",\n     const " .. type_of(x) ..
@                     " *__restrict__ " .. x.name
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
@   if #reads > 0 then
  extras more = {$(table.concat(names, ", "))};
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
@ local function activate()
@   include "parts/exponential.hip"

@   if activation == "silu" then
static __device__ inline float activate(float x)
{
  return x / (1 + exponential(-x));
}
@   elseif activation == "gelu_tanh" then
// x/2 (1 + tanh u), u = sqrt(2/pi) (x + 0.044715 x^3), by e^(-2u).
static __device__ inline float activate(float x)
{
  return x / (1 + exponential(-1.59576912f * (x + 0.044715f * x * x * x)));
}
@   else
// x/2 (1 + erf(x / sqrt 2)). 1 - erf(z) is Abramowitz and Stegun's 7.1.26,
// which is within 1.5e-7.
static __device__ inline float activate(float x)
{
  float z = (x < 0 ? -x : x) * 0.707106781f, t = 1 / (1 + 0.3275911f * z);
  float sum = 1.061405429f;
  sum = sum * t - 1.453152027f;
  sum = sum * t + 1.421413741f;
  sum = sum * t - 0.284496736f;
  sum = sum * t + 0.254829592f;
  float half = 0.5f * x * (sum * t * exponential(-z * z));
  return x < 0 ? half : x - half;
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
@   if activation ~= "none" then activate() end
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
  v = activate(v);
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
