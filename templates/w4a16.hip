@ local loop <const> = include "parts/loop.hip"
@ local int4 <const> = include "parts/int4.lua"
@ local t <const> = int4.of(problem)
@ local awq <const>, wave <const>, split <const> = dtype == "awq", arch.wave, split_k > 1
@ local ordered <const> = act_order == 1
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
// A workgroup brings $(split and "its part of " or "")X into LDS. $lanes_m lanes of a wave share a
// row of units, each 8 k of $(t.outputs) columns; the others go down k$(waves_k > 1 and ", and so do waves" or "").
//
@ local grain <const> = group == 0 and 8 * depth or rows
// Any m that is a multiple of 8 will do, and any k that is a multiple of $grain
//   and at most $(part * 8 * split_k)$(ragged and "" or ", and of " .. step * turns * 8 * split_k)
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
constexpr int kept = $part; // units of X in LDS, at most
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if group > 0 then
constexpr int group_units = $(rows // 8); // that have one scale
@ end

// Two numbers of 4 bits, 16 bits apart, as f16 + 1024: the lowest bits of a
// number between 1024 and 2048 are worth 1.
static __device__ inline halves widen(unsigned word)
{
  return __builtin_bit_cast(halves, (word & 0x000f000f) | 0x64006400);
}

// What a lane needs of a group: 1024 + zero of each column, twice, and scales.
struct scaling {
  halves zero[outputs];
  float scale[outputs];
};
static __device__ inline scaling load_scaling(const unsigned *qzeros,
                                              const _Float16 *scales,
                                              int column, unsigned row, int m)
{
  scaling s;
  typedef _Float16 several __attribute__((ext_vector_type(outputs)));
  unsigned at = row * m + column;
  unsigned word = qzeros[at / 8];
  several v = *(const several *)(scales + at);
@ if not awq then
  word >>= column % 8 * 4;
@ end
#pragma unroll
  for (int i = 0; i < outputs; i++) {
@ if awq then
    unsigned zero = word >> (i % 2 * 16 + i / 2 * 4) & 15 | 0x6400;
    s.zero[i] = __builtin_bit_cast(halves, zero << 16 | zero);
@ else
    _Float16 zero = (float)((word >> 4 * i & 15) + 1025);
    s.zero[i] = {zero, zero};
@ end
  }
#pragma unroll
  for (int i = 0; i < outputs; i++)
    s.scale[i] = v[i];
  return s;
}

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
#pragma unroll
    for (int i = 0; i < unit; i++)
      q[$d][i] = qweight[((unsigned)(v * unit + i) * m + column) / 8];
@   else
    quad word = *(const quad *)(qweight + ((unsigned)v * m + column));
#pragma unroll
    for (int i = 0; i < outputs; i++)
      q[$d][i] = word[i];
@   end
@ end)
}

static __device__ inline float dot(halves a, unsigned b, float sum)
{
  return __builtin_amdgcn_fdot2(a, __builtin_bit_cast(halves, b), sum, false);
}

// Add the products of a unit to a group's sums. X is in the order of pairs().
static __device__ inline void multiply_unit(float (*sum)[outputs],
                                            const unsigned *q,
                                            const scaling &s, const quad *x,
                                            int u)
{
@ loop.block("c", n, "columns_x", function (c)
    quad v = x[$(c == "0" and "u" or "c * kept + u")];
@   if awq then
    // Of two rows the lower halves hold even columns, the upper ones odd.
#pragma unroll
    for (int p = 0; p < unit / 2; p++) {
      unsigned a = q[2 * p], b = q[2 * p + 1];
      unsigned even = __builtin_amdgcn_perm(b, a, 0x05040100);
      unsigned odd = __builtin_amdgcn_perm(b, a, 0x07060302);
#pragma unroll
      for (int i = 0; i < outputs; i += 2) {
        halves x = widen(even >> 2 * i) - s.zero[i];
        halves y = widen(odd >> 2 * i) - s.zero[i + 1];
        sum[$c][i] = dot(x, v[p], sum[$c][i]);
        sum[$c][i + 1] = dot(y, v[p], sum[$c][i + 1]);
      }
    }
@   else
#pragma unroll
    for (int i = 0; i < outputs; i++)
#pragma unroll
      for (int p = 0; p < unit / 2; p++)
        sum[$c][i] = dot(widen(q[i] >> 4 * p) - s.zero[i], v[p], sum[$c][i]);
@   end
@ end)
}

static __device__ inline void multiply(float (*sum)[outputs],
                                       unsigned (*q)[loads * words],
                                       const scaling &s, const quad *x, int u,
                                       int units)
{
  float own[columns_x][outputs] = {};
@ loop.block("d", depth, "depth", function (d)
    int v = u$(d == "0" and "" or " + d");
@   if ragged then
    v = v < units ? v : units - 1;
@   end
    multiply_unit(own, q[$d], s, x, v);
@ end)
@ if ragged then
  bool real = u < units; // a step of a lane is within a part, or past it
@ end
@ loop.line("c", n, "columns_x", function (c)
#pragma unroll
    for (int i = 0; i < outputs; i++)
@   if ragged then
      sum[$c][i] += real ? s.scale[i] * own[$c][i] : 0;
@   else
      sum[$c][i] += s.scale[i] * own[$c][i];
@   end
@ end)
}

// Activation i of a unit in LDS, as q's bits come.
static __device__ inline int place_of(int i)
{
@ if awq then
  return i;
@ else
  return i % 4 * 2 + i / 4; // 0 and 4 side by side, 1 and 5 ...
@ end
}

extern "C" __global__ void __launch_bounds__(threads)
w4a16(const _Float16 *__restrict__ x, const unsigned *__restrict__ qweight,
      const unsigned *__restrict__ qzeros, const _Float16 *__restrict__ scales,
      $c_type *__restrict__ c, int m, int k$(ordered and ",\n      const int *__restrict__ perm" or ""))
{
  __shared__ quad x_tile[columns_x * kept];
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

  float sum[columns_x][outputs] = {};
  int u = down * depth;
@ for i = 0, turns - 1 do
  unsigned q$i[depth][loads * words];
  scaling s$i;
@ end
@ local function load(i)
  load_step(q$i, qweight, column, u, m, units);
@   if group == 0 then
  s$i = load_scaling(qzeros, scales, column, 0, m);
@   else
@     local at <const> = clamp and "(u < units ? u : units - 1)" or "u"
  s$i = load_scaling(qzeros, scales, column,
                    (first_u + $at) / group_units, m);
@   end
  u += step;
@ end
@ for i = 0, ahead - 1 do
@   load(i)
@ end

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

  int now = down * depth;
  for (int i = 0; i < steps; i += $turns) {
@ for i = 0, turns - 1 do
@   indent(2, load, (i + ahead) % turns)
    multiply(sum, q$i, s$i, x_tile, now, units);
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
