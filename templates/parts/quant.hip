@ -- quant.hip - blocks of quantised weights in registers, and activations as q8_1.
@ -- SPDX-License-Identifier: MIT
@
@ -- layout: how the blocks lie. apart: scales are loaded by a function of their own.
@ local layout <const>, apart <const> = ...
@ local planes <const> = layout ~= "file"
@ local text <const> = {}
@ local loop <const> = include "parts/loop.hip"
@ local facts <const> = include "parts/quant.lua"
@ local t <const> = facts.of(problem)
@ local each <const> = t.elements // t.unit -- units of a block
@ local chunks <const> = t.unit // 16
@ local groups <const> = t.unit // t.group
@ local name <const> = problem.dtype
@ local least_of <const> = t.least and "\n                                     float *least," or ""
@
@ -- x in parentheses, where it has a blank; a + b, a * n and a * n + b without what is
@ -- 0: the counter of a loop of one turn is.
@ function text.wrap(x)
@   for i = 1, #x do
@     if x:byte(i) == 32 then return "(" .. x .. ")" end
@   end
@   return x
@ end
@ function text.plus(a, b) return a == "0" and b or b == "0" and a or a .. " + " .. b end
@ function text.times(a, n) return a == "0" and "0" or text.wrap(a) .. " * " .. n end
@ function text.index(a, n, b) return text.plus(text.times(a, n), b) end

@ include "parts/vec.hip"
typedef vec<unsigned, 4> quad; // what a load of w brings
// Numbers of a block of $name, and of a unit, which a lane takes of it at a
// time: so many quads and words of scales. A chunk is 16 numbers, a group has a
// scale.
constexpr int block_numbers = $(t.elements), unit = $(t.unit);
constexpr int quads = $(t.quads), scale_words = $(t.scales);
constexpr int groups = $groups, chunks = $chunks;
@ if t.group > 16 then
constexpr int group_chunks = chunks / groups;
@ end

// The number that 16 bits of f16 stand for, and the nearest f16.
static __device__ inline float widen(unsigned bits)
{
#ifdef __clang__
  return __builtin_bit_cast(_Float16, (unsigned short)bits);
#else
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)bits));
  return x;
#endif
}

@ -- What is at a place in w, which may be a multiple of 2 only.
@ local function fetch(type, at)
@   return "*(const " .. type .. " *)(w + " .. at .. ")"
@ end
@ local quad <const> = (planes or t.aligned == 16) and "quad" or "loose_quad"
@ if quad == "loose_quad" then
// Of memory: blocks are multiples of $(t.aligned) bytes.
typedef unsigned loose_quad
    __attribute__((ext_vector_type(4), aligned($(t.aligned))));
@ end
@ if t.scales == 3 and not planes then
typedef unsigned loose_word __attribute__((aligned(2)));
@ end

@ if layout == "panels" then
// Rows of a panel; behind the last some may lie that are not read. Blocks at
// the same k of a panel's rows have neighbouring numbers. Of these the first
// pieces come first, of 16 bytes each, then the next, field by field.
constexpr unsigned panel = $(facts.panel);

// The first block of a row of so many; the next is `panel` further.
static __device__ inline unsigned first_of(unsigned row, unsigned row_blocks)
{
  unsigned in = row % panel;
  return (row - in) * row_blocks + in;
}

// Where piece i is of a block's field of so many bytes.
static __device__ inline unsigned piece(unsigned block, unsigned bytes,
                                        unsigned i)
{
  unsigned in = block % panel;
  return (block - in) * bytes + in * 16 + i * (16 * panel);
}

@ end
@ -- Where bytes of a block are in panels: of the field of so many bytes that comes
@ -- after so many, from byte `at` on, or from 16 times the piece `at` on.
@ local function spot(before, bytes, at)
@   local plane <const> = before > 0 and "blocks * " .. before .. " + " or ""
@   if bytes <= 16 then return text.plus(plane .. "block * " .. bytes, at) end
@   return plane .. "piece(block, " .. bytes .. ", " .. at .. ")"
@ end
@ -- The loads of a unit: of its numbers, and of the words of its scales.
@ local function loads(numbers, scales)
@   local function q(i, at)
@     if numbers then
  q[$i] = $(fetch(quad, at));
@     end
@   end
@   local function s(i, type, at)
@     if scales then
  s[$i] = $(fetch(type, at));
@     end
@   end
@   if layout == "panels" then
@     if name == "q8_0" then
@       q(0, spot(0, 32, "0"))
@       q(1, spot(0, 32, "1"))
@       s(0, "unsigned short", spot(32, 2, "0"))
@     elseif name == "q4_0" or name == "q4_1" then
@       q(0, spot(0, 16, "0"))
@       s(0, name == "q4_0" and "unsigned short" or "unsigned", spot(16, t.aligned, "0"))
@     elseif name == "q4_K" then
@       q(0, spot(0, 128, "part * 2"))
@       q(1, spot(0, 128, "part * 2 + 1"))
@       for i = 0, 2 do s(i, "unsigned", spot(128, 12, i == 0 and "0" or 4 * i)) end
@       s(3, "unsigned", spot(140, 4, "0"))
@     else
  // Of half a block, 16 columns of its four rows of 32.
  int half = part / 2, at = part % 2;
@       q(0, spot(0, 128, "half * 4 + at"))
@       q(1, spot(0, 128, "half * 4 + at + 2"))
@       q(2, spot(128, 64, "half * 2 + at"))
@       s(0, "unsigned", spot(192, 16, "half * 8"))
@       s(1, "unsigned", spot(192, 16, "half * 8 + 4"))
@       s(2, "unsigned short", spot(208, 2, "0"))
@     end
@   elseif name == "q8_0" then
@     local at <const> = planes and "block * 32" or "block * 34 + 2"
@     q(0, at)
@     q(1, at .. " + 16")
@     s(0, "unsigned short", planes and "blocks * 32 + block * 2" or "block * 34")
@   elseif name == "q4_0" then
@     q(0, planes and "block * 16" or "block * 18 + 2")
@     s(0, "unsigned short", planes and "blocks * 16 + block * 2" or "block * 18")
@   elseif name == "q4_1" then
@     q(0, planes and "block * 16" or "block * 20 + 4")
@     s(0, "unsigned", planes and "blocks * 16 + block * 4" or "block * 20")
@   elseif name == "q4_K" then
@     local at <const> = planes and "block * 128 + part * 32" or "block * 144 + 16 + part * 32"
@     q(0, at)
@     q(1, at .. " + 16")
@     for i = 0, 2 do
@       s(i, "unsigned", planes and "blocks * 128 + block * 12 + " .. 4 * i or
@                        "block * 144 + " .. 4 + 4 * i)
@     end
@     s(3, "unsigned", planes and "blocks * 140 + block * 4" or "block * 144")
@   else
  // Of half a block, 16 columns of its four rows of 32.
  int half = part / 2, column = part % 2 * 16;
@     local low <const> = planes and "block * 128" or "block * 210"
@     local high <const> = planes and "blocks * 128 + block * 64" or "block * 210 + 128"
@     local scales <const> = planes and "blocks * 192 + block * 16" or "block * 210 + 192"
@     local word <const> = planes and "unsigned" or "loose_word"
@     q(0, low .. " + half * 64 + column")
@     q(1, low .. " + half * 64 + column + 32")
@     q(2, high .. " + half * 32 + column")
@     s(0, word, scales .. " + half * 8")
@     s(1, word, scales .. " + half * 8 + 4")
@     s(2, "unsigned short", planes and "blocks * 208 + block * 2" or "block * 210 + 208")
@   end
@ end
@ if apart then
// Load the numbers of unit `part` of a block.
@   if planes then
// Of all blocks the numbers come first, and then the scales.
@   end
static __device__ inline void load_numbers(quad *q, const char *w,
                                           unsigned block, int part,
                                           unsigned blocks)
{
@   loads(true, false)
}

// Load the words of a block's scales.
static __device__ inline void load_words(unsigned *s, const char *w,
                                         unsigned block, unsigned blocks)
{
@   loads(false, true)
}
@ else
// Load unit `part` of a block: its numbers, and the words of its scales.
@   if planes then
// Of all blocks the numbers come first, and then the scales.
@   end
static __device__ inline void load_unit(quad *q, unsigned *s, const char *w,
                                        unsigned block, int part,
                                        unsigned blocks)
{
@   loads(true, true)
}
@ end

// A unit's numbers$(t.times > 1 and ", times " .. t.times or ""), four a word and four words a chunk, and the
// scales of its groups$(t.least and ", and what is added to each number" or "").
static __device__ inline void decode(unsigned (*to)[4], float *scale,$least_of
                                     quad *q, const unsigned *s, int part)
{
@ if name == "q8_0" then
#pragma unroll
  for (int i = 0; i < 4; i++) {
    to[0][i] = q[0][i];
    to[1][i] = q[1][i];
  }
  scale[0] = widen(s[0]);
@ elseif name == "q4_0" then
  // With its top bit turned over, half a byte is a signed number, 8 less.
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned turned = q[0][i] ^ 0x88888888;
    to[0][i] = turned << 4 & 0xf0f0f0f0;
    to[1][i] = turned & 0xf0f0f0f0;
  }
  scale[0] = widen(s[0]) * 0.0625f;
@ elseif name == "q4_1" then
#pragma unroll
  for (int i = 0; i < 4; i++) {
    to[0][i] = q[0][i] & 0x0f0f0f0f;
    to[1][i] = q[0][i] >> 4 & 0x0f0f0f0f;
  }
  scale[0] = widen(s[0]);
  least[0] = widen(s[0] >> 16);
@ elseif name == "q4_K" then
#pragma unroll
  for (int i = 0; i < 4; i++) {
    to[0][i] = q[0][i] & 0x0f0f0f0f;
    to[1][i] = q[1][i] & 0x0f0f0f0f;
    to[2][i] = q[0][i] >> 4 & 0x0f0f0f0f;
    to[3][i] = q[1][i] >> 4 & 0x0f0f0f0f;
  }
  // Groups 0 to 3 have 6 bits of a byte, groups 4 to 7 four and two.
  bool late = part >= 2;
  unsigned low = s[0] & 0x3f3f3f3f, high = s[1] & 0x3f3f3f3f;
  unsigned low2 = (s[2] & 0x0f0f0f0f) | (s[0] >> 2 & 0x30303030);
  unsigned high2 = (s[2] >> 4 & 0x0f0f0f0f) | (s[1] >> 2 & 0x30303030);
  low = late ? low2 : low;
  high = late ? high2 : high;
  low >>= part % 2 * 16;
  high >>= part % 2 * 16;
  float d = widen(s[3]), d_least = -widen(s[3] >> 16);
  scale[0] = d * (float)(low & 255);
  scale[1] = d * (float)(low >> 8 & 255);
  least[0] = d_least * (float)(high & 255);
  least[1] = d_least * (float)(high >> 8 & 255);
@ else
  // With its top bit turned over, a number of 6 bits is a signed one, 32 less.
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned high = q[2][i] ^ 0xaaaaaaaa;
    to[0][i] = (q[0][i] << 2 & 0x3c3c3c3c) | (high << 6 & 0xc0c0c0c0);
    to[1][i] = (q[1][i] << 2 & 0x3c3c3c3c) | (high << 4 & 0xc0c0c0c0);
    to[2][i] = (q[0][i] >> 2 & 0x3c3c3c3c) | (high << 2 & 0xc0c0c0c0);
    to[3][i] = (q[1][i] >> 2 & 0x3c3c3c3c) | (high & 0xc0c0c0c0);
  }
  float d = widen(s[2]) * 0.25f;
  int shift = part % 2 * 8; // a byte of two is this half row's
#pragma unroll
  for (int g = 0; g < 4; g++)
    scale[g] = d * (float)(int)(signed char)(s[g / 2] >> (shift + g % 2 * 16));
@ end
}
@
@ -- Where 16 activations from k on are: their unit, and the chunk of it.
@ function text.place(k)
@   if t.unit == 32 then return k .. " / 32", k .. " % 32 / 16" end
@   if name == "q4_K" then return k .. " / 64", k .. " % 64 / 16" end
@   return k .. " / 128 * 2 + " .. k .. " % 32 / 16", k .. " % 128 / 32"
@ end
@ -- The block of 32 activations that group g of a unit is multiplied with.
@ function text.x_block(unit, g)
@   if t.unit == 32 then return unit end
@   return text.plus(unit .. (name == "q4_K" and " * 2" or " / 2 * 4"), g)
@ end
@
@ -- Of row u of units: where chunk h is among the row's 16s of k, and group g among
@ -- its groups.
@ function text.chunk_at(u, h)
@   if name == "q6_K" then return u .. " / 2 * 8 + " .. h .. " * 2 + " .. u .. " % 2" end
@   return u .. " * chunks + " .. h
@ end
@ function text.group_at(u, g)
@   if name == "q6_K" then return text.chunk_at(u, g) end
@   return text.plus(groups == 1 and u or u .. " * groups", g)
@ end
@ -- Chunk h of group g: of two, or the only one.
@ function text.chunk_of(g, h)
@   return t.group == 16 and g or text.index(g, "group_chunks", h)
@ end
@
@ -- Loops over the chunks of a group, and over groups.
@ function text.each_chunk(body) loop.block("h", t.group // 16, "group_chunks", body) end
@ function text.each_group(body) loop.block("g", groups, "groups", body) end
@
@ -- Blocks of so many rows, which panels fill up.
@ function text.stored(m)
@   if layout ~= "panels" then return "(unsigned)" .. m .. " * row_blocks" end
@   return "((unsigned)" .. m .. " + panel - 1) / panel * panel * row_blocks"
@ end
@
@ -- The kernel that adds up the parts of k, of so many products.
@ function text.reduce(products)
@   local out, sizes, all = "float *__restrict__ c", "int size", "size"
@   for i = 2, products do
@     out = out .. ",\n       float *__restrict__ c" .. i
@     sizes, all = sizes .. ", int size" .. i, all .. " + size" .. i
@   end

// Add up the parts of k.$(products > 1 and " In each products follow one another." or "")
extern "C" __global__ void __launch_bounds__(256)
@   if products == 1 then
reduce(const float *__restrict__ planes, $out, $sizes)
@   else
reduce(const float *__restrict__ planes, $out,
       $sizes)
@   end
{
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= $all)
    return;
  float sum = 0;
#pragma unroll
  for (int z = 0; z < split_k; z++)
    sum += planes[(unsigned long long)z * $(text.wrap(all)) + i];
@   local to, past = "c", "i"
@   for i = 2, products do
@     local size <const> = "size" .. (i > 2 and i - 1 or "")
  if ($past < $size) {
    $to[$past] = sum;
    return;
  }
@     to, past = "c" .. i, past .. " - " .. size
@   end
  $to[$past] = sum;
}
@ end
@
@ -- The functions that quantise, and a kernel that does nothing else.
@ function text.quantiser(kernel)

// What lane ^ mask has, of 32 lanes.
static __device__ inline float exchanged(float x, int mask)
{
  int y = __builtin_amdgcn_ds_bpermute(4 * (threadIdx.x % $(arch.wave) ^ mask),
                                       __builtin_bit_cast(int, x));
  return __builtin_bit_cast(float, y);
}

static __device__ inline unsigned narrow(float x)
{
#ifdef __clang__
  return __builtin_bit_cast(unsigned short, (_Float16)x);
#else
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#endif
}

// The activation of each of 32 lanes as q8_1: its integer, and in `scales` the
// f16 of the block's d and, above, of the sum of its activations.
static __device__ inline int to_q8_1(float x, unsigned *scales)
{
  float most = __builtin_fabsf(x), sum = x;
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) {
    float other = exchanged(most, mask);
    most = most > other ? most : other;
    sum += exchanged(sum, mask);
  }
  float d = most / 127.0f;
  *scales = narrow(d) | narrow(sum) << 16;
  return most == 0 ? 0 : (int)__builtin_roundf(x / d);
}
@   if not kernel then return end

// Quantise n columns of k activations: block after block of all columns.
extern "C" __global__ void __launch_bounds__(256)
quantise(const float *__restrict__ x, signed char *__restrict__ q,
         unsigned *__restrict__ scales, int n, int k)
{
  int at = blockIdx.x * 256 + threadIdx.x, column = blockIdx.y;
  if (at >= k)
    return;
  unsigned s, block = (unsigned)(at / 32) * n + column;
  float here = x[(unsigned)column * (unsigned)k + at];
  q[block * 32 + at % 32] = to_q8_1(here, &s);
  if (at % 32 == 0)
    scales[block] = s;
}
@ end
@
@ return text
