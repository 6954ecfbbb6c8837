@ local loop <const> = include "parts/loop.hip"
@ local int4 <const> = include "parts/int4.lua"
@ local t <const> = int4.of(problem)
@ local awq <const>, wave <const>, split <const> = dtype == "awq", arch.wave, split_k > 1
@ local ordered <const>, shared <const> = act_order == 1, x_from == "lds"
@ local turns <const> = ahead + 1 -- steps held in registers
@ local part <const> = (k // 8 // depth + split_k - 1) // split_k * depth
@ local lanes_k <const> = wave // lanes_m
@ local step <const> = depth * lanes_k * waves_k
@ local ragged <const> = part % (step * turns) ~= 0 or k // 8 % part ~= 0
@ local clamp <const> = ragged or ahead > 0 -- loads that run ahead go past the end
@ local c_type <const> = (type_c == "f16" and not split) and "_Float16" or "float"
@ local rows <const> = int4.rows(problem)
@
// C = X W: X has $n row$(n > 1 and "s" or "") of k activations in f16, W k rows of m numbers of
@ if awq then
// 4 bits as AWQ has them: a word holds columns 0, 2, 4, 6, 1, 3, 5, 7 of a row,
// the first in the lowest bits. A number is scale (q - zero); zeros are packed
// alike.
@ else
// 4 bits as GPTQ has them: a word holds 8 rows of a column, the first in the
// lowest bits. A number is scale (q - (zero + 1)); a word of zeros holds 8
// columns.
@ end
@ if ordered then
// Row i of W is multiplied with activation perm[i].
@ end
//
@ if shared then
// A workgroup brings $(split and "its part of " or "")X into LDS. $lanes_m lanes of a wave share a
// row of units, each 8 k of $(t.outputs) columns; the others go down k$(waves_k > 1 and ", and so do waves" or "").
@ else
// $lanes_m lanes of a wave share a row of units, each 8 k of $(t.outputs) columns; the others
// go down k$(waves_k > 1 and ", and so do waves" or ""). X starts at a multiple of 16 bytes.
@ end
//
@ local grain <const> = group == 0 and 8 * depth or rows
// Any m that is a multiple of 8 will do, and any k that is a multiple of $grain
@ if shared then
//   and at most $(part * 8 * split_k)$(ragged and "" or ", and of " .. step * turns * 8 * split_k)
@ elseif not ragged then
//   and of $(step * turns * 8 * split_k)
@ end
@ if group == 0 then
// as long as all rows have one scale.
@ end

@ include "parts/vec.hip"
@ include "parts/barrier.hip"
typedef vec<unsigned, 4> quad; // 8 activations
typedef _Float16 halves __attribute__((ext_vector_type(2)));

constexpr int columns_x = $n; // of C, which are rows of X
constexpr int unit = 8, outputs = $(t.outputs), loads = $(t.loads), words = $(t.words);
constexpr int depth = $depth; // units of a step, with one scale
// Lanes along a row of W, and down k; waves of the workgroup.
constexpr int lanes = $wave, lanes_m = $lanes_m, lanes_k = lanes / lanes_m;
constexpr int waves_k = $waves_k, threads = lanes * waves_k;
constexpr int group_columns = lanes_m * outputs, sums = columns_x * outputs;
@ if shared then
constexpr int kept = $part; // units of X in LDS, at most
@ end
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if group > 0 then
constexpr int group_units = $(rows // 8); // that have one scale
@ end

// Two numbers of 4 bits, 16 bits apart, as f16 + 1024, for the lowest bits of a
// number between 1024 and 2048 are worth 1; the next two as f16 + 64.
static __device__ inline halves low(unsigned word, unsigned magic)
{
  return __builtin_bit_cast(halves, (word & 0x000f000f) | magic);
}
static __device__ inline halves next(unsigned word, unsigned magic)
{
  halves times_16 = __builtin_bit_cast(halves, (word & 0x00f000f0) | magic);
  return times_16 * (_Float16)0.0625f;
}
// Its bits, in a register: v_and_or takes one constant.
static __device__ inline unsigned of_1024()
{
  unsigned magic = 0x64006400;
  asm("" : "+v"(magic));
  return magic;
}
static __device__ inline halves twice(unsigned bits)
{
  return __builtin_bit_cast(halves, bits << 16 | bits);
}

// What a lane needs of a group, as it is in memory: zeros of 8 columns, and the
// scales of its own.
typedef _Float16 several __attribute__((ext_vector_type(outputs)));
struct scaling {
  unsigned zeros;
  several scale;
};
static __device__ inline scaling load_scaling(const unsigned *qzeros,
                                              const _Float16 *scales,
                                              int column, unsigned row, int m)
{
  unsigned at = row * m + column;
  return {qzeros[at / 8], *(const several *)(scales + at)};
}

@ if awq then
// The zeros of columns, added to 1024 or 64 as low() and next() do.
static __device__ inline void widen_zeros(halves *zero, unsigned zeros)
{
#pragma unroll
  for (int i = 0; i < outputs; i++) {
    unsigned z = zeros >> (i % 2 * 16 + i / 2 * 4) & 15;
    zero[i] = twice(i % 4 < 2 ? 0x6400 | z : 0x5400 | z << 4);
  }
}
@ else
// 1024 and the zeros of these columns, which are stored less 1.
static __device__ inline void widen_zeros(halves *zero, unsigned zeros,
                                          int column)
{
  zeros >>= column % 8 * 4;
#pragma unroll
  for (int i = 0; i < outputs; i++)
    zero[i] = twice(0x6401 + (zeros >> 4 * i & 15));
}
@ end

// Load this lane's units of a step, from unit u on.
static __device__ inline void load_step(unsigned (*q)[loads * words],
                                        const unsigned *qweight, int column,
                                        int u, int m, int units)
{
@ loop.block("d", depth, "depth", function (d)
    int v = u$(d == "0" and "" or " + d");
@   if clamp then
    v = v < units ? v : units - 1; // multiply() knows
@   end
@   if awq then
    unsigned word = (unsigned)(v * m + column / 8);
#pragma unroll
    for (int i = 0; i < unit; i++)
      q[$d][i] = (qweight + i * (m / 8))[word]; // a row is m / 8 words
@   else
    quad word = *(const quad *)(qweight + ((unsigned)v * m + column));
#pragma unroll
    for (int i = 0; i < outputs; i++)
      q[$d][i] = word[i];
@   end
@ end)
}

@ if not shared then
// Load the activations that they are multiplied with.
static __device__ inline void load_x(quad (*to)[columns_x], const _Float16 *x,
                                     int u, int k, int units)
{
@ loop.block("d", depth, "depth", function (d)
    int v = u$(d == "0" and "" or " + d");
@   if clamp then
    v = v < units ? v : units - 1;
@   end
@   indent(2, loop.line, "c", n, "columns_x", function (c)
    to[$d][$c] = *(const quad *)(x + ($(c == "0" and "" or "(unsigned)c * k + ")v * unit));
@   end)
@ end)
}

@   if not awq then
// Activations as q's bits come: 0 and 4 side by side, 1 and 5 ...
static __device__ inline quad pairs(quad x)
{
  return {__builtin_amdgcn_perm(x[2], x[0], 0x05040100),
          __builtin_amdgcn_perm(x[2], x[0], 0x07060302),
          __builtin_amdgcn_perm(x[3], x[1], 0x05040100),
          __builtin_amdgcn_perm(x[3], x[1], 0x07060302)};
}

@   end
@ end
static __device__ inline float dot(halves a, unsigned b, float sum)
{
  return __builtin_amdgcn_fdot2(a, __builtin_bit_cast(halves, b), sum, false);
}

@ local of <const> = shared and "const quad *x,\n" .. (" "):rep(44) .. "int u" or "const quad *x"
// Add the products of a unit to a group's sums$(shared and ". X is as place_of() says" or "").
static __device__ inline void multiply_unit(float (*sum)[outputs],
                                            const unsigned *q,
                                            const halves *zero, $of)
{
  unsigned magic = of_1024();
@ loop.block("c", n, "columns_x", function (c)
@   if shared then
    quad v = x[$(c == "0" and "u" or "c * kept + u")];
@   else
    quad v = $(awq and "x[" .. c .. "]" or "pairs(x[" .. c .. "])");
@   end
#pragma unroll
@   if awq then
    // Of two rows the lower halves hold even columns, the upper ones odd.
    for (int p = 0; p < unit / 2; p++) {
      unsigned a = q[2 * p], b = q[2 * p + 1];
      unsigned even = __builtin_amdgcn_perm(b, a, 0x05040100);
      unsigned odd = __builtin_amdgcn_perm(b, a, 0x07060302);
#pragma unroll
      for (int i = 0; i < outputs; i++) {
        unsigned word = (i % 2 ? odd : even) >> i / 4 * 8;
        halves w = (i % 4 < 2 ? low(word, magic) : next(word, magic)) - zero[i];
        sum[$c][i] = dot(w, v[p], sum[$c][i]);
      }
    }
@   else
    for (int i = 0; i < outputs; i++)
#pragma unroll
      for (int p = 0; p < unit / 2; p++) {
        unsigned word = q[i] >> p / 2 * 8;
        halves w = p % 2 ? next(word, magic) - (zero[i] - (_Float16)960.0f)
                         : low(word, magic) - zero[i];
        sum[$c][i] = dot(w, v[p], sum[$c][i]);
      }
@   end
@ end)
}

static __device__ inline void multiply(float (*sum)[outputs],
                                       unsigned (*q)[loads * words],
@ if shared then
                                       const scaling &s, const quad *x, int u,
@ else
                                       const scaling &s,
                                       quad (*x)[columns_x], int u,
@ end
@ if awq then
                                       int units)
@ else
                                       int units, int column)
@ end
{
  float own[columns_x][outputs] = {};
  halves zero[outputs];
  widen_zeros(zero, s.zeros$(awq and "" or ", column"));
@ loop.block("d", depth, "depth", function (d)
@   if shared then
    int v = u$(d == "0" and "" or " + d");
@     if ragged then
    v = v < units ? v : units - 1;
@     end
    multiply_unit(own, q[$d], zero, x, v);
@   else
    multiply_unit(own, q[$d], zero, x[$d]);
@   end
@ end)
@ if ragged then
  bool real = u < units; // a step of a lane is within a part, or past it
@ end
@ loop.line("c", n, "columns_x", function (c)
#pragma unroll
    for (int i = 0; i < outputs; i++)
@   if ragged then
      sum[$c][i] += real ? (float)s.scale[i] * own[$c][i] : 0;
@   else
      sum[$c][i] += (float)s.scale[i] * own[$c][i];
@   end
@ end)
}

@ if shared then
// Activation i of a unit in LDS, as q's bits come.
static __device__ inline int place_of(int i)
{
@ if awq then
  return i;
@ else
  return i % 4 * 2 + i / 4; // 0 and 4 side by side, 1 and 5 ...
@ end
}
@ end

extern "C" __global__ void __launch_bounds__(threads)
w4a16(const _Float16 *__restrict__ x, const unsigned *__restrict__ qweight,
      const unsigned *__restrict__ qzeros, const _Float16 *__restrict__ scales,
      $c_type *__restrict__ c, int m, int k$(ordered and ",\n      const int *__restrict__ perm" or ""))
{
@ if shared then
  __shared__ quad x_tile[columns_x * kept];
@ end
  __shared__ float meet[waves_k * lanes_k][columns_x * group_columns];
  int thread = threadIdx.x, lane = thread % lanes;
  int lane_m = lane % lanes_m;
  int down = thread / lanes * lanes_k + lane / lanes_m; // among those down k
  int first_column = blockIdx.x * group_columns;
  int column = first_column + lane_m * outputs;
  column = column < m ? column : m - outputs; // the last stores nothing twice
  int all_units = k / unit;
@ if split then

  // Part z of k; its sums are plane z of c.
  int part = ((all_units / depth - 1) / split_k + 1) * depth;
  int first_u = blockIdx.z * part, units = all_units - first_u;
  units = units < part ? units : part;
  c += (unsigned long long)blockIdx.z * columns_x * m;
@ else
  constexpr int first_u = 0;
  int units = all_units;
@ end
  constexpr int step = depth * lanes_k * waves_k;
  int steps = (units - 1) / step + 1;
@ if turns > 1 then
  steps += steps % 2; // units past the last count as 0
@ end
  qweight += (unsigned long long)first_u * m;
@ if not shared and split then
  x += first_u * unit;
@ end

  float sum[columns_x][outputs] = {};
  int u = down * depth;
@ for i = 0, turns - 1 do
  unsigned q$i[depth][loads * words];
@   if not shared then
  quad x$i[depth][columns_x];
@   end
  scaling s$i;
@ end
@ local function load(i)
  load_step(q$i, qweight, column, u, m, units);
@   if not shared then
  load_x(x$i, x, u, k, units);
@   end
@   if group == 0 then
  s$i = load_scaling(qzeros, scales, column, 0, m);
@   else
@     local at <const> = clamp and "(u < units ? u : units - 1)" or "u"
  s$i = load_scaling(qzeros, scales, column,
                    (unsigned)(first_u + $at)
                        / group_units, m);
@   end
  u += step;
@ end
@ for i = 0, ahead - 1 do
@   load(i)
@ end

@ if shared then
  for (int i = thread; i < units * unit * columns_x; i += threads) {
@ if n > 1 then
    int row = i / (units * unit), at = i % (units * unit);
@ else
    constexpr int row = 0;
    int at = i;
@ end
@ local from <const> = ordered and "perm[first_u * unit + at]" or "first_u * unit + at"
    _Float16 v = x[(unsigned)row * k + $from];
    ((_Float16 *)&x_tile[row * kept + at / unit])[place_of(at % unit)] = v;
  }
  barrier();
@ end

  int now = down * depth;
  for (int i = 0; i < steps; i += $turns) {
@ for i = 0, turns - 1 do
@   indent(2, load, (i + ahead) % turns)
    multiply(sum, q$i, s$i, $(shared and "x_tile" or "x" .. i), now, units$(awq and "" or ", column"));
    now += step;
@ end
  }

@ loop.line("i", n, "columns_x", function (i, step)
#pragma unroll
    for (int j = 0; j < outputs; j++)
      meet[down][lane_m * outputs + j$(step("group_columns"))] = sum[$i][j];
@ end)
  barrier();
  for (int i = thread; i < columns_x * group_columns; i += threads) {
    float total = 0;
#pragma unroll 8
    for (int p = 0; p < waves_k * lanes_k; p++)
      total += meet[p][i];
    int y = i / group_columns, at = first_column + i % group_columns;
    if (at < m)
      c[(unsigned long long)y * m + at] = total;
  }
}
@ if split then

// Add up the parts of k.
extern "C" __global__ void __launch_bounds__(256)
reduce(const float *__restrict__ planes, $(type_c == "f16" and "_Float16" or "float") *__restrict__ c, int size)
{
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= size)
    return;
  float sum = 0;
#pragma unroll
  for (int z = 0; z < split_k; z++)
    sum += planes[(unsigned long long)z * size + i];
  c[i] = sum;
}
@ end
