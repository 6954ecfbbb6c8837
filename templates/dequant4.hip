@ local loop <const> = include "parts/loop.hip"
@ local int4 <const> = include "parts/int4.lua"
@ local awq <const>, ordered <const> = dtype == "awq", act_order == 1
@ local rows <const> = int4.rows(problem)
// W of k rows of m numbers as f16, from weights of 4 bits as $(awq and "AWQ" or "GPTQ") has them:
// scale (q - zero), rounded to nearest.
@ if ordered then
// Row i goes to row perm[i].
@ end
//
// A thread unpacks $(8 * depth) rows of $columns columns.
//
// Any m that is a multiple of 8 will do, and any k that is a multiple of $(group == 0 and 8 * depth or rows)
@ if group == 0 then
// as long as all rows have one scale.
@ end

@ include "parts/vec.hip"
typedef vec<unsigned, $columns> words;
typedef _Float16 numbers __attribute__((ext_vector_type($columns)));
constexpr int threads = $threads, columns = $columns, unit = 8, depth = $depth;
@ if group > 0 then
constexpr int group_units = $(rows // 8); // that have one scale
@ end

// Four bits of a word, from bit `at` on.
static __device__ inline int bits(unsigned word, int at)
{
  return word >> at & 15;
}
@ if awq then
// Where column i of 8 is in a word.
static __device__ inline int place(int i)
{
  return i % 2 * 16 + i / 2 * 4;
}
@ end

extern "C" __global__ void __launch_bounds__(threads)
dequant4(const unsigned *__restrict__ qweight,
         const unsigned *__restrict__ qzeros,
         const _Float16 *__restrict__ scales, _Float16 *__restrict__ w, int m,
         int k$(ordered and ", const int *__restrict__ perm" or ""))
{
  int column = (blockIdx.x * threads + threadIdx.x) * columns;
  unsigned first = blockIdx.y * depth; // unit
  if (column >= m)
    return;
@ if group == 0 then
  unsigned at = column;
@ else
  unsigned at = first / group_units * m + column;
@ end
  unsigned zeros = qzeros[at / 8];
  numbers scale = *(const numbers *)(scales + at);
  float factor[columns];
  int zero[columns];
#pragma unroll
  for (int i = 0; i < columns; i++) {
    factor[i] = scale[i];
@ if awq then
    zero[i] = bits(zeros, place(i));
@ else
    zero[i] = bits(zeros, (column % 8 + i) * 4) + 1;
@ end
  }
@ loop.block("d", depth, "depth", function (d)
    unsigned u = first$(d == "0" and "" or " + d");
@   if not awq then
    words q = *(const words *)(qweight + u * m + column);
@   end
#pragma unroll
    for (int r = 0; r < unit; r++) {
      unsigned row = u * unit + r;
@   if awq then
      unsigned word = qweight[(row * m + column) / 8];
@   end
      numbers v;
#pragma unroll
      for (int i = 0; i < columns; i++)
@   if awq then
        v[i] = factor[i] * (float)(bits(word, place(i)) - zero[i]);
      *(numbers *)(w + (unsigned long long)$(ordered and "perm[row]" or "row") * m + column) = v;
@   else
        v[i] = factor[i] * (float)(bits(q[i], r * 4) - zero[i]);
      *(numbers *)(w + (unsigned long long)$(ordered and "perm[row]" or "row") * m + column) = v;
@   end
    }
@ end)
}
