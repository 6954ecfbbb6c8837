@ local loop <const> = include "parts/loop.hip"
@ local signed <const> = op == "sdot4" or op == "sdot8"
@ local whole <const> = signed or op == "udot4" or op == "udot8"
@ local half <const> = op == "fdot2" or op == "pk_fma_f16"
@
@ -- Types of an operand and of a sum, and one step.
@ local function dot(operand, sum)
@   local saturate <const> = clamp == 1 and "true" or "false"
@   return { operand = operand, sum = sum,
@            step = "__builtin_amdgcn_" .. op .. "(a, b, sum, " .. saturate .. ")" }
@ end
@ local function fma(type) return { operand = type, sum = type, step = "a * sum + b" } end
@ local forms <const> = {
@   sdot4 = dot("int", "int"), udot4 = dot("unsigned", "unsigned"),
@   sdot8 = dot("int", "int"), udot8 = dot("unsigned", "unsigned"),
@   fdot2 = dot("halves", "float"), fma_f32 = fma("float"), pk_fma_f16 = fma("halves"),
@ }
@ local form <const> = forms[op]
@ local dotc <const> = { sdot4 = "v_dot4c_i32_i8", sdot8 = "v_dot8c_i32_i4" }
@ local ragged <const> = steps % unroll ~= 0
@ if whole then
@   local sign <const> = signed and "signed" or "unsigned"
@   local overflow <const> = clamp == 1 and "stay there" or "wrap"
// sum = dot product of a and b + sum, over and over. A word holds $(op:sub(-1)) $sign
// numbers. Sums start around the ends of their range: many reach them, and
// $overflow.
@ elseif op == "fdot2" then
// sum = dot product of a and b + sum, over and over. A word holds 2 halves.
@ else
// sum = a * sum + b, over and over. As |a| < 1, sums stay small.
@ end
// There are n sums; a thread makes ilp of them at a time, unroll steps a turn.
@ if not ragged and unroll > 1 then
//
// Any n and steps will do as long as steps is a multiple of unroll.
@ end

constexpr int group = $group; // threads of a workgroup
constexpr int ilp = $ilp, unroll = $unroll;
@ if half then
#ifdef __clang__
typedef _Float16 halves __attribute__((ext_vector_type(2)));
#else
typedef vocabulary_halves halves;
#endif
@ end
typedef $(form.operand) operand;
typedef $(form.sum) result;

static __device__ inline result step(operand a, operand b, result sum)
{
@ if path == "dotc" then
  asm("$(dotc[op]) %0, %1, %2" : "+v"(sum) : "v"(a), "v"(b));
  return sum;
@ else
  return $(form.step);
@ end
}

extern "C" __global__ void __launch_bounds__(group)
dot(const operand *__restrict__ a, const operand *__restrict__ b,
    const result *__restrict__ c, result *__restrict__ y, int n, int steps)
{
  int first = blockIdx.x * $(ilp > 1 and "(group * ilp)" or "group") + threadIdx.x;
  operand p[ilp], q[ilp];
  result sum[ilp];
@ loop.block("i", ilp, "ilp", function (i, times)
    int at = first$(times("group"));
    at = at < n ? at : n - 1; // past the end, the last again
    p[$i] = a[at];
    q[$i] = b[at];
@   if signed then
    sum[$i] = c[at] ^ 0x80000000; // halfway around: at an end of the range
@   else
    sum[$i] = c[at];
@   end
@ end)
  __syncthreads(); // all is loaded: the loop need not wait for it in every turn
@ local function all_sums()
@   indent(2, loop.line, "i", ilp, "ilp", function (i)
    sum[$i] = step(p[$i], q[$i], sum[$i]);
@   end)
@ end
@ local function turns(from, to, by)
#pragma unroll 1
  for (int s = $from; s < $to; $(by > 1 and "s += unroll" or "s++"))
@   if by > 1 then
#pragma unroll
    for (int u = 0; u < unroll; u++)
@   end
@   indent(by > 1 and 2 or 0, all_sums)
@ end
@ if ragged then
@   turns("0", "steps - (unroll - 1)", unroll)
@   turns("steps / unroll * unroll", "steps", 1)
@ else
@   turns("0", "steps", unroll)
@ end
@ loop.line("i", ilp, "ilp", function (i, times)
    if (first$(times("group")) < n)
      y[first$(times("group"))] = sum[$i];
@ end)
}
