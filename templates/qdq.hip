@ local loop <const> = include "parts/loop.hip"
@ local hot <const>, quantise <const> = use == "hot", way == "quantise"
@ local whole <const> = dtype == "i8" or dtype == "i4"
@ local sizes <const> = { f32 = 1, f16 = 2, i8 = 4, i4 = 8 } -- numbers of a word
@ local each <const> = sizes[dtype]
@ local words <const> = block // each
@ local word <const> = whole and "int" or dtype == "f16" and "halves" or "float"
@ local converted <const> = quantise and word or "float" -- what a block becomes
@ local words_name <const> = words == block and "block" or "words"
@ local length <const> = quantise and words_name or "block"
@ local most <const> = dtype == "i8" and 127 or 7
@ local dots <const> = { f16 = "fdot2", i8 = "sdot4", i4 = "sdot8" }
@ local ragged <const> = rounds % unroll ~= 0
@ local fresh <const> = quantise and "quantises the activations" or "makes f32 of the weights"
@ local early <const> = quantise and "the activations are quantised" or "the weights are made f32"
// Dot products of $block activations and as many weights, round after round.
@ if dtype ~= "f32" then
// Activations are f32, weights packed $dtype, $each in a word:
@   if hot then
// every round $fresh anew.
@   else
// $early once, before all rounds.
@   end
@ end
@ if not ragged and unroll > 1 then
//
// Any n and rounds will do as long as rounds is a multiple of unroll.
@ end

constexpr int block = $block; // numbers that share a scale
@ if words ~= block then
constexpr int words = block / $each; // that they are packed in
@ end
constexpr int ilp = $ilp, unroll = $unroll, group = $group; // threads of a workgroup

@ if dtype == "f16" then

typedef _Float16 halves __attribute__((ext_vector_type(2)));
@ end
@
@ -- How bytes go into and out of words by SDWA: one instruction each.
@ local function put(instruction, k, to, from)
@   local rest <const> = k == 0 and "UNUSED_PAD" or "UNUSED_PRESERVE"
@   local out <const> = k == 0 and "=v" or "+v"
  asm("$instruction %0, %1 "
      "dst_sel:BYTE_$k dst_unused:$rest src0_sel:DWORD"
      : "$out"($to) : "v"($from));
@ end
@ local function take(k, to, from)
  asm("v_cvt_f32_i32_sdwa %0, sext(%1) "
      "dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_$k"
      : "=v"($to) : "v"($from));
@ end
@ if quantise and whole then
@   local by_float <const> = path == "sdwa" and rounding == "rint"
@   local number <const> = by_float and "float" or "int"

@   if rounding == "add" then
// The nearest integer to x / scale, clamped to $dtype, in the low bits. 3 * 2^22
// plus a number has no bits for a fraction: the addition rounds.
static __device__ inline int quantise(float x, float inverse)
{
  const float high = 12582912;
  float sum = __builtin_fmaf(x, inverse, high);
  sum = __builtin_amdgcn_fmed3f(sum, high - $(most + 1), high + $most);
  return __builtin_bit_cast(int, sum);
}
@   else
// The nearest integer to x / scale, clamped to $dtype.
static __device__ inline $number quantise(float x, float inverse)
{
  float nearest = __builtin_rintf(x * inverse);
  return $(by_float and "" or "(int)")__builtin_amdgcn_fmed3f(nearest, -$(most + 1).0f, $most.0f);
}
@   end

// The low bytes of four numbers in a word.
static __device__ inline int pack($number a, $number b, $number c, $number d)
{
@   if path == "sdwa" then
@     local instruction <const> = by_float and "v_cvt_i32_f32_sdwa" or "v_mov_b32_sdwa"
  int word;
@     for k = 0, 3 do
@       put(instruction, k, "word", ("abcd"):sub(k + 1, k + 1))
@     end
  return word;
@   elseif path == "perm" then
  unsigned low = __builtin_amdgcn_perm(b, a, 0x0c0c0400);
  unsigned high = __builtin_amdgcn_perm(d, c, 0x0c0c0400);
  return __builtin_amdgcn_perm(high, low, 0x05040100);
@   else
  return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | d << 24;
@   end
}
@ end
@ if quantise and dtype ~= "f32" then

// Convert a block of activations.
static __device__ inline void convert($word *to, const float *x$(whole and ", float inverse" or ""))
{
#pragma unroll
  for (int i = 0; i < $words_name; i++) {
    const float *from = x + i * $each;
@   local function four(first, step)
@     local list <const> = {}
@     for k = 0, 3 do
@       list[k + 1] = "quantise(from[" .. first + k * step .. "], inverse)"
@     end
@     return "pack(" .. table.concat(list, ", ", 1, 2) .. ",", table.concat(list, ", ", 3) .. ")"
@   end
@   if dtype == "i8" then
@     local a <const>, b <const> = four(0, 1)
    to[i] = $a
                 $b;
@   elseif dtype == "i4" then
@     local a <const>, b <const> = four(0, 2)
@     local c <const>, d <const> = four(1, 2)
    int even = $a
                    $b;
    int odd = $c
                   $d;
    to[i] = (even & 0x0f0f0f0f) | (odd & 0x0f0f0f0f) << 4;
@   elseif path == "pkrtz" then
    to[i] = __builtin_bit_cast(
        halves, __builtin_amdgcn_cvt_pkrtz(from[0], from[1]));
@   elseif path == "sdwa" then
    to[i][0] = from[0];
    asm("v_cvt_f16_f32_sdwa %0, %1 "
        "dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD"
        : "+v"(to[i]) : "v"(from[1]));
@   else
    to[i] = halves{ (_Float16)from[0], (_Float16)from[1] };
@   end
  }
}
@ end
@ if not quantise then

// The weights in a word as f32$(dtype == "i4" and path == "sdwa" and ", times 16" or "").
static __device__ inline void unpack(float *to, $word word)
{
@   if dtype == "f16" then
  to[0] = word[0];
@     if path == "sdwa" then
  asm("v_cvt_f32_f16_sdwa %0, %1 "
      "dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1"
      : "=v"(to[1]) : "v"(word));
@     else
  to[1] = word[1];
@     end
@   elseif path == "plain" then
@     for k = 0, each - 1 do
  to[$k] = word << $(32 - (k + 1) * 32 // each) >> $(32 - 32 // each);
@     end
@   elseif path == "bfe" then
@     for k = 0, each - 1 do
  int part_$k = __builtin_amdgcn_sbfe(word, $(k * 32 // each), $(32 // each));
@       if dtype == "i8" and arch.amdgcn == 1 then
  asm("" : "+v"(part_$k)); // else the compiler makes it an SDWA operand
@       end
  to[$k] = part_$k;
@     end
@   elseif path == "sdwa" and dtype == "i8" then
@     for k = 0, 3 do
@       take(k, "to[" .. k .. "]", "word")
@     end
@   elseif path == "sdwa" then
  int even = word << 4 & 0xf0f0f0f0, odd = word & 0xf0f0f0f0;
@     for k = 0, 7 do
@       take(k // 2, "to[" .. k .. "]", k % 2 == 0 and "even" or "odd")
@     end
@   else
@     local shift <const> = dtype == "i8" and 128 or 8
  // A byte b below the exponent of 2^23 is the float 2^23 + b.
  const unsigned high = 0x4b000000;
@     if dtype == "i8" then
  unsigned even = word ^ 0x80808080; // + $shift
@     else
  unsigned even = (word & 0x0f0f0f0f) ^ 0x08080808; // + $shift
  unsigned odd = (word >> 4 & 0x0f0f0f0f) ^ 0x08080808;
@     end
  float bias = $(8388608 + shift);
@     for k = 0, each - 1 do
@       local from <const> = dtype == "i4" and k % 2 == 1 and "odd" or "even"
@       local byte <const> = dtype == "i4" and k // 2 or k
  unsigned bits_$k = __builtin_amdgcn_perm(high, $from, 0x070c0c0$byte);
  to[$k] = __builtin_bit_cast(float, bits_$k) - bias;
@     end
@   end
}

// The weights of a block as f32.
static __device__ inline void convert(float *to, const $word *w)
{
#pragma unroll
  for (int i = 0; i < $words_name; i++)
    unpack(to + i * $each, w[i]);
}
@ end
@
@ local result <const> = quantise and whole and "int" or "float"

// The dot product of a block, added to sum.
static __device__ inline $result dot(const $converted *a,
                                const $converted *b, $result sum)
{
#pragma unroll
  for (int i = 0; i < $length; i++)
@ if quantise and dots[dtype] then
    sum = __builtin_amdgcn_$(dots[dtype])(a[i], b[i], sum, false);
@ else
    sum = a[i] * b[i] + sum;
@ end
  return sum;
}

extern "C" __global__ void __launch_bounds__(group)
qdq(const float *__restrict__ x, const $word *__restrict__ w,
@ if hot then
    const $(quantise and "float" or "int") *__restrict__ move,
@ end
@ if whole and quantise then
    const float *__restrict__ scale_x,
@ end
@ if whole then
    const float *__restrict__ scale_w,
@ end
    float *__restrict__ y, int n, int rounds)
{
  int first = blockIdx.x * $(ilp > 1 and "(group * ilp)" or "group") + threadIdx.x;
  float a[ilp][block];
  $word b[ilp][$words_name];
@ local moved <const> = quantise and "block" or words_name
@ if hot then
  $(quantise and "float" or "int") change[ilp][$moved];
@ end
@ if whole and quantise then
  float inverse[ilp], scale[ilp];
@ elseif whole then
  float scale[ilp];
@ end
  float sum[ilp] = {};
@ loop.block("i", ilp, "ilp", function (i, step)
    int at = first$(step("group"));
    at = at < n ? at : n - 1; // past the end, the last again
#pragma unroll
    for (int k = 0; k < block; k++)
      a[$i][k] = x[k * n + at];
@   indent(2, loop.line, "k", words, words_name, function (k)
    b[$i][$k] = w[$(k == "0" and "at" or "k * n + at")];
@   end)
@   if hot then
@     local mask <const> = not quantise and dtype == "f16" and " & 0x83ff83ff" or ""
@     if mask ~= "" then
    // Without exponents: numbers stay numbers.
@     end
@     indent(2, loop.line, "k", quantise and block or words, moved, function (k)
    change[$i][$k] = move[$(k == "0" and "at" or "k * n + at")]$mask;
@     end)
@   end
@   if whole and quantise then
    inverse[$i] = 1 / scale_x[at];
    scale[$i] = scale_x[at] * scale_w[at];
@   elseif whole then
    scale[$i] = scale_w[at]$(dtype == "i4" and path == "sdwa" and " / 16" or "");
@   end
@ end)
@ local function inverse(i)
@   return quantise and whole and ", inverse[" .. i .. "]" or ""
@ end
@ if not hot and dtype ~= "f32" then
  $converted kept[ilp][$length];
@   loop.line("i", ilp, "ilp", function (i)
    convert(kept[$i], $(quantise and "a" or "b")[$i]$(inverse(i)));
@   end)
@ end
  __syncthreads(); // all is loaded: the loop need not wait for it in every turn
@ -- One round of sum i.
@ local function round(i)
@   if hot and quantise then
#pragma unroll
    for (int k = 0; k < block; k++)
      a[$i][k] = change[$i][k] - a[$i][k];
@   elseif hot then
@     indent(2, loop.line, "k", words, words_name, function (k)
@       if dtype == "f16" then
    b[$i][$k] = __builtin_bit_cast(
        halves, __builtin_bit_cast(int, b[$i][$k]) ^ change[$i][$k]);
@       else
    b[$i][$k] ^= change[$i][$k];
@       end
@     end)
@   end
@   local from <const> = hot and "now" or "kept[" .. i .. "]"
@   if dtype == "f32" then
    sum[$i] = dot(a[$i], b[$i], sum[$i]);
@   else
@     if hot then
    $converted now[$length];
    convert(now, $(quantise and "a" or "b")[$i]$(inverse(i)));
@     end
@     local pair <const> = quantise and from .. ", b[" .. i .. "]" or
@                          "a[" .. i .. "], " .. from
@     if whole and (quantise or hot) then
@       if not hot then
@         local register <const> = arch.amdgcn == 1 and "v" or "r"
    asm("" : "+$register"(kept[$i][0])); // as of a block with another scale
@       end
    sum[$i] += scale[$i] * dot($pair, 0);
@     else
    sum[$i] = dot($pair, sum[$i]);
@     end
@   end
@ end
@ local function all_sums()
@   indent(2, loop.block, "i", ilp, "ilp", round)
@ end
@ local function turns(from, to, by)
#pragma unroll 1
  for (int r = $from; r < $to; $(by > 1 and "r += unroll" or "r++")) {
@   if by > 1 then
#pragma unroll
    for (int u = 0; u < unroll; u++) {
@     indent(2, all_sums)
    }
@   else
@     all_sums()
@   end
  }
@ end
@ if ragged then
@   turns("0", "rounds - (unroll - 1)", unroll)
@   turns("rounds / unroll * unroll", "rounds", 1)
@ else
@   turns("0", "rounds", unroll)
@ end
@ local scaled <const> = whole and not quantise and not hot
@ loop.line("i", ilp, "ilp", function (i, step)
    if (first$(step("group")) < n)
      y[first$(step("group"))] = $(scaled and "scale[" .. i .. "] * " or "")sum[$i];
@ end)
}
