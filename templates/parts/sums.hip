@ -- sums.hip - the sums of a thread: products of LDS rows added to them, and
@ -- those of slices of a workgroup added up.
@ --
@ -- Functions that have a thread's sums are __forceinline__: LLVM leaves one that is
@ -- large a call, and sums that are passed to it lie in memory.
@ -- SPDX-License-Identifier: MIT
@
@ local sums <const> = {}
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ -- What adds the product of two words to sum (i, j).
@ local function add(a, b)
@   if T.pack > 1 then return "sum[i][j] = dot(" .. a .. ", " .. b .. ", sum[i][j]);" end
@   return "sum[i][j] += " .. a .. " * " .. b .. ";"
@ end
@
@ -- Rows first to last - 1 of the tiles, the row after each on its way meanwhile.
@ local function multiply_part()

// Add the product of a row of A and one of B to this thread's sums.
static __device__ __forceinline__ void
add_row($(T.sum) sum[thread_m][thread_n],
        const $(T.word) *a, const $(T.word) *b)
{
#pragma unroll
  for (int i = 0; i < thread_m; i++)
#pragma unroll
    for (int j = 0; j < thread_n; j++)
      $(add("a[i]", "b[j]"))
}

// What is added up so far is added up here: compilers would do it behind the
// next branch, and keep all rows until then.
static __device__ __forceinline__ void
settle($(T.sum) sum[thread_m][thread_n])
{
#pragma unroll
  for (int i = 0; i < thread_m; i++)
#pragma unroll
    for (int j = 0; j < thread_n; j++)
      sum[i][j] = anew(sum[i][j]);
}

// Add the product of rows first to last - 1 of the tiles in LDS to this
// thread's sums. Row k is in a[k % 2] and b[k % 2] by then, and in the end row
// `last` is.
template <int first, int last>
static __device__ __forceinline__ void
multiply($(T.sum) sum[thread_m][thread_n],
         $(T.word) (*a)[thread_m],
         $(T.word) (*b)[thread_n],
         const $(T.word) *a_tile,
         const $(T.word) *b_tile, int row, int column)
{
#pragma unroll
  for (int k = first; k < last; k++) {
    read_a(a[(k + 1) % 2], a_tile, k + 1, row);
    read_b(b[(k + 1) % 2], b_tile, k + 1, column);
    add_row(sum, a[k % 2], b[k % 2]);
  }
  settle(sum);
}
@ end
@
@ -- rows: of the tiles in LDS that are multiplied, by name.
@ function sums.multiply(rows)
@   if read_ahead == 2 then return multiply_part() end

// Add the product of $(slice_k > 1 and "a slice of " or "")the tiles in LDS to this thread's sums.
static __device__ __forceinline__ void
multiply($(T.sum) sum[thread_m][thread_n],
         const $(T.word) *a_tile,
         const $(T.word) *b_tile, int row, int column)
{
@   if read_ahead > 0 then
  $(T.word) a[2][thread_m], b[2][thread_n]; // those of the next k are on their way
  read_a(a[0], a_tile, 0, row);
  read_b(b[0], b_tile, 0, column);
#pragma unroll
  for (int k = 0; k < $rows; k++) {
    int next = k + 1;
    if (next < $rows) {
      read_a(a[next % 2], a_tile, next, row);
      read_b(b[next % 2], b_tile, next, column);
    }
#pragma unroll
    for (int i = 0; i < thread_m; i++)
#pragma unroll
      for (int j = 0; j < thread_n; j++)
        $(add("a[k % 2][i]", "b[k % 2][j]"))
  }
@   else
  $(T.word) a[thread_m], b[thread_n];
#pragma unroll
  for (int k = 0; k < $rows; k++) {
    read_a(a, a_tile, k, row);
    read_b(b, b_tile, k, column);
#pragma unroll
    for (int i = 0; i < thread_m; i++)
#pragma unroll
      for (int j = 0; j < thread_n; j++)
        $(add("a[i]", "b[j]"))
  }
@   end
}
@ end
@
@ -- Some slices hand their sums on: `from` says which, `to` which take them; `written` and
@ -- `read` where they lie in between.
@ local function hand_on(from, written, to, read)
    if ($from)
#pragma unroll
      for (int i = 0; i < thread_sums; i++)
        other[$written][i * slice_threads + thread] =
            sum[i / thread_n][i % thread_n];
    __syncthreads();
    if ($to)
#pragma unroll
      for (int i = 0; i < thread_sums; i++)
        sum[i / thread_n][i % thread_n] +=
            other[$read][i * slice_threads + thread];
@ end
@
@ function sums.gather()

@   if slice_k > 2 then
// Add up the sums that slice_k threads have of the same elements: those of half
// the slices are added to the other half's, until slice 0 has them all. A slice
// writes where nobody but itself has read before.
@   else
// Add up the sums that two threads have of the same elements; slice 0 has them
// then.
@   end
static __device__ __forceinline__ void
gather($(T.sum) sum[thread_m][thread_n],
       $(T.sum) (*other)[slice_sums],
       int slice, int thread)
{
@   if slice_k > 2 then
#pragma unroll
  for (int half = slice_k / 2; half > 0; half /= 2) {
@     hand_on("slice / half == 1", "slice % (slice_k / 2)",
@             "slice < half", "(slice + half) % (slice_k / 2)")
  }
@   else
@     indent(-2, hand_on, "slice > 0", "0", "slice == 0", "0")
@   end
}
@ end
@
@ return sums
