@ local loop <const> = include "parts/loop.hip"
@ local thin <const> = include "parts/thin.lua"
@
@ local o <const> = thin.numbers(cfg, problem, arch.wave)
@ local side <const>, turned <const>, split <const> = o.side, o.turned, split_k > 1
@ local ragged <const> = k % o.step_k ~= 0
@ local turns <const> = ahead + 1 -- steps held in registers
@ local kept <const> = x_in == "lds"
@ local chunks <const> = turned and depth // width or 1 -- of a thread's k, apart in memory
@ local chunk <const> = depth // chunks
@ local read <const> = math.min(chunk, 4) -- elements of x a read
@ local reads <const> = chunk // read -- of a chunk
@ local vectors <const> = turned and rows or rows // width -- of w, that begin apart
@ local x_width <const> = thin.x_width(cfg, problem)
@ local apart <const> = turned and "lanes_r" or "(lanes_r * width)"
@
@ -- Offsets inside of what a block takes of w have 32 bits where its bytes can be
@ -- counted so.
@ local far <const> = (turned and waves_r * rows * 64 or k) * problem[side.ldw] * 4 >= 1 << 32
@ local factors <const> = ", float alpha" .. (beta ~= 0 and ", float beta" or "")
@ -- alpha * sum, and beta * what was there if beta counts.
@ local function scaled(sum, old)
@   return "alpha * " .. sum .. (beta ~= 0 and " + beta * " .. old or "")
@ end
@ -- x in parentheses, where it has a blank; a + n and a * n + b without what is 0.
@ local function wrap(x)
@   for i = 1, #x do
@     if x:byte(i) == 32 then return "(" .. x .. ")" end
@   end
@   return x
@ end
@ local function plus(a, n) return a == "0" and n or n == "0" and a or a .. " + " .. n end
@ local function index(a, n, name, b)
@   if a == "0" then return b end
@   local times <const> = n == 1 and a or a .. " * " .. name
@   return b == "0" and times or times .. " + " .. b
@ end
@
// C = alpha op(A) op(B) + beta C, row-major, with at most $columns $(side.columns == "m" and "rows" or "columns").
//
// What takes time is to read the long operand, w: $(side.w:upper()). A workgroup
// takes blocks of $(o.group_rows) $(side.rows == "m" and "rows" or "columns") of C, one after the other. At each
// step a thread loads $rows x $depth elements of w, and adds their products
// with the short operand, x, which it reads from $(kept and "LDS" or "memory"),
// to its $rows x $columns sums.
//
// Any m, n and k will do as long as
//   A, B and C start at multiples of 16 bytes
//   C has at most $columns $(side.columns == "m" and "rows" or "columns")
@ if not far then
//   a block of w spans less than 4 GiB of memory
@ end
@ if not ragged then
//   k is a multiple of $(o.step_k)
@ end
@ if turns > 1 then
//   the steps of a part of k are a multiple of $turns
@ end
@ if kept then
//   $(split and "a part of k has" or "k is") at most $(o.kept_k)
@ end
@ if width > 1 then
//   $(turned and "k" or side.rows) and $(side.ldw) are multiples of $width
@ end

@ include "parts/vec.hip"
// Of C: what a thread has of the short side and of the long one.
constexpr int columns = $columns, rows = $rows, sums = rows * columns;
// Lanes of a wave, and waves of the workgroup, that share a row of w.
constexpr int lanes = $(arch.wave), lanes_k = $lanes_k, lanes_r = lanes / lanes_k;
constexpr int waves_k = $waves_k, waves_r = $waves_r;
constexpr int threads = lanes * waves_k * waves_r;
constexpr int block = waves_r * lanes_r * rows; // of a workgroup at a time
// What a thread takes of k at a step, and what all do; elements of a load.
constexpr int depth = $depth, step_k = waves_k * lanes_k * depth, width = $width;
constexpr unsigned step_bytes = step_k * sizeof(float);
@ if vectors > 1 then
constexpr int vectors = $vectors; // of w, that begin apart
@ end
@ if chunks > 1 then
constexpr int chunks = $chunks; // of a thread's k, apart in memory
@ end
constexpr int read = $read; // elements of x a read
typedef vec<float, width> w_vector;
typedef vec<float, read> x_vector;
@ if reads > 1 then
constexpr int reads = $reads; // of a chunk
@ end
@ if kept then
constexpr int x_stride = $(o.kept_k); // of x in LDS: from column to column
constexpr int x_width = $x_width; // elements of it a load
@ end
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if o.parts > 1 then
constexpr int parts = $(o.parts); // of a sum, that meet in LDS
@ end

// Bytes from where a block of w begins.
typedef unsigned $(far and "long long " or "")offset;

// Where this thread's rows of a block of w begin. Past the last, `left` away,
// it loads others again: C keeps nothing of what comes of them.
static __device__ inline void place(offset *at, int row, int first_k, int left,
                                    int ldw)
{
@ loop.block("r", vectors, "vectors", function (r, step)
    int y = row$(step(apart));
@   if turned then
    y = y < left ? y : left - 1;
    at[$r] = ((offset)y * ldw + first_k) * sizeof(float);
@   else
    y = y < left ? y : left - width;
    at[$r] = ((offset)first_k * ldw + y) * sizeof(float);
@   end
@ end)
}

// Load this thread's part of a step, `here` bytes after the block's first.
@ if ragged then
// Past k, which is `left` away, zeros follow.
@ end
static __device__ inline void load_w(w_vector *to, const float *w,
                                     const offset *at, offset here, int ldw,
                                     int left)
{
@ loop.block("r", vectors, "vectors", function (r)
    const char *row = (const char *)w + (at[$r] + here);
    const float *from = (const float *)row;
@   local function one(i, step)
@     local into <const> = turned and index(r, chunks, "chunks", i) or
@                          index(i, vectors, "vectors", r)
@     local on <const> = turned and step("lanes_k * width") or i == "0" and "" or
@                        " + (offset)" .. i .. " * ldw"
@     if ragged then
    to[$into] = w_vector{};
    if ($(turned and i ~= "0" and i .. " * lanes_k * width" or i) < left)
      to[$into] = *(const w_vector *)(from$on);
@     else
    to[$into] = *(const w_vector *)(from$on);
@     end
@   end
@   local way <const> = ragged and loop.block or loop.line
@   if turned then
@     indent(2, way, "c", chunks, "chunks", one)
@   else
@     indent(2, way, "d", depth, "depth", one)
@   end
@ end)
}
@ -- Bodies for every read of x in a step: column, chunk and read in it.
@ local function each_read(body)
@   loop.block("s", columns, "columns", function (s)
@     indent(2, loop.block, "c", chunks, "chunks", function (c)
@       indent(2, loop.block, "i", reads, "reads", function (i)
@         body(s, c, i)
@       end)
@     end)
@   end)
@ end
@ local function x_index(s, c, i)
@   local chunk_at <const> = index(s, chunks, "chunks", c)
@   local wrapped <const> = reads > 1 and chunks > 1 and s ~= "0" and "(" .. chunk_at .. ")"
@   return index(wrapped or chunk_at, reads, "reads", i)
@ end
@ local function x_offset(c, i)
@   return plus(c == "0" and "0" or c .. " * (lanes_k * width)",
@               i == "0" and "0" or i .. " * read")
@ end
@ if not kept then

// Load the same k of x, for all columns; where C has no more, the last again.
static __device__ inline void load_x(x_vector *to, const float *x,
                                     int columns_x, int ldx, int left)
{
@   each_read(function (s, c, i)
@     local column <const> = s == "0" and "" or
@                            " + (long long)(s < columns_x ? s : columns_x - 1) * ldx"
@     local on <const> = x_offset(c, i)
    const float *from = x$column;
    x_vector v = {};
@     if ragged then
    if ($on < left)
      v = *(const x_vector *)$(wrap(plus("from", on)));
@     else
    v = *(const x_vector *)$(wrap(plus("from", on)));
@     end
    to[$(x_index(s, c, i))] = v;
@   end)
}
@ else

// Bring k of x into LDS, column by column; past the last, and past k, zeros.
static __device__ inline void keep_x(float *to, const float *x, int thread,
                                     int columns_x, int k, int ldx)
{
  typedef vec<float, x_width> vector;
#pragma unroll 4
  for (int i = thread; i < columns * x_stride / x_width; i += threads) {
@   if o.x_turned then
    int s = i / (x_stride / x_width), at = i % (x_stride / x_width) * x_width;
@   else
    int s = i % columns, at = i / columns;
@   end
@   local from <const> = o.x_turned and "s * ldx + at" or "at * ldx + s"
    vector v = {};
    if (at < k && s < columns_x)
      v = *(const vector *)(x + (long long)$from);
    *(vector *)(to + s * x_stride + at) = v;
  }
}

// A barrier for LDS alone: __syncthreads() would also wait for the loads from
// memory, which are to stay in flight.
static __device__ inline void barrier()
{
#if defined __HIP__ && !defined __GFX12__ // which has other instructions for it
  asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
#else
  __syncthreads();
#endif
}
@ end

// Add the products of a step to this thread's sums.
static __device__ inline void multiply(float *sum, w_vector *w,
@ if kept then
                                       const float *x)
@ else
                                       const x_vector *x)
@ end
{
@ each_read(function (s, c, i)
@   local column <const> = s == "0" and "0" or s .. " * x_stride"
@   local from <const> = plus(column, x_offset(c, i))
@   if kept then
    const float *from = $(plus("x", from));
    x_vector v = *(const x_vector *)from;
@   else
    x_vector v = x[$(x_index(s, c, i))];
@   end
@   indent(2, loop.block, "e", read, "read", function (e)
@     indent(2, loop.line, "r", rows, "rows", function (r)
@       local k <const> = index(i, read, "read", e)
@       local vector, lane
@       if turned then
@         vector, lane = index(r, chunks, "chunks", c), k
@       else
@         local wrapped <const> = wrap(k)
@         vector = vectors == 1 and k or
@                  index(wrapped, vectors, "vectors", width == 1 and r or r .. " / width")
@         lane = width == 1 and "0" or vectors == 1 and r or r .. " % width"
@       end
    sum[$(index(r, columns, "columns", s))] += w[$vector][$lane] * v[$e];
@     end)
@   end)
@ end)
}
@ -- Lanes that share a row add up what they have, and the sums are shared out among
@ -- them. { mask, the bit of the lane's number that tells the two apart, control
@ -- word of DPP }
@ local moves <const> = { { 32, 32 }, { 16, 16 }, { 15, 8, 0x140 }, { 7, 4, 0x141 },
@                         { 2, 2, 0x4e }, { 1, 1, 0xb1 } }
@ local count, shared = rows * columns, 1 -- sums of a lane, lanes with different ones
@ if turned and lanes_k > 1 then

// x of the lane whose number differs in the bits of the mask.
template <int mask>
static __device__ inline float from_lane(float x, int lane)
{
  int y = __builtin_bit_cast(int, x);
@   if lanes_k > 16 then
  if (mask >= 16)
    y = __builtin_amdgcn_ds_bpermute(4 * (lane ^ mask), y);
@   end
@   for _, move in ipairs(moves) do
@     if move[3] and move[2] < lanes_k then
  if (mask == $(move[1]))
    y = __builtin_amdgcn_mov_dpp(y, $(string.format("0x%x", move[3])), 0xf, 0xf, true);
@     end
@   end
  return __builtin_bit_cast(float, y);
}

// Add up the sums of the lanes that share a row. Each ends with some of them:
// from which on is returned, or -1 where another lane has the same.
static __device__ inline int share_out(float *sum, int lane)
{
  int first = 0;
@   for _, move in ipairs(moves) do
@     if move[2] < lanes_k and count % 2 == 0 then
@       count = count // 2
  bool upper_$(move[2]) = lane & $(move[2]);
  first += upper_$(move[2]) ? $count : 0;
@       loop.block("i", count, tostring(count), function (i)
    float low = sum[$i], high = sum[$(plus(i, tostring(count)))];
    float mine = upper_$(move[2]) ? high : low;
    float other = upper_$(move[2]) ? low : high;
    sum[$i] = mine + from_lane<$(move[1])>(other, lane);
@       end)
@     elseif move[2] < lanes_k then
@       loop.line("i", count, tostring(count), function (i)
    sum[$i] += from_lane<$(move[1])>(sum[$i], lane);
@       end)
  if (lane & $(move[2]))
    first = -sums;
@     end
@   end
  return first < 0 ? -1 : first;
}
@ end

@ if waves > 1 and arch.amdgcn == 1 then
extern "C" __global__ void __launch_bounds__(threads)
__attribute__((amdgpu_waves_per_eu($waves)))
@ else
extern "C" __global__ void __launch_bounds__(threads)
@ end
skinny(const float *__restrict__ w, const float *__restrict__ x,
       float *__restrict__ c, int rows_w, int columns_x, int k, int ldw,
       int ldx, int ldc, int groups$(split and "" or factors))
{
@ if kept then
  alignas(16) __shared__ float x_kept[columns * x_stride];
@ end
@ if o.parts > 1 then
  __shared__ float meet[parts][block * columns];
@ end
  int thread = threadIdx.x, wave = thread / lanes, lane = thread % lanes;
@ if turned then
  int lane_k = lane % lanes_k, lane_r = lane / lanes_k;
@ else
  int lane_k = lane / lanes_r, lane_r = lane % lanes_r;
@ end
  int wave_k = wave % waves_k, wave_r = wave / waves_k;
  // The first of a block, and of a step.
  int row = wave_r * (lanes_r * rows) + lane_r$(turned and "" or " * width");
  int first_k = wave_k * (lanes_k * depth) + lane_k * $(turned and "width" or "depth");
@ if split then

  // Part z of k; its sums are plane z of c.
  int part = ((k - 1) / (step_k * split_k) + 1) * step_k;
  int from_k = blockIdx.z * part;
  k = k - from_k < part ? k - from_k : part;
  w += $(turned and "from_k" or "(long long)from_k * ldw");
  x += $(o.x_turned and "from_k" or "(long long)from_k * ldx");
  c += (long long)blockIdx.z * rows_w * columns_x;
@ end

  // Rows that lie far apart in memory are on the same channels at the same k.
  // So they begin at different steps, and come round to them at the end.
  int steps = (k - 1) / step_k + 1;
@ if turned then
  int other = (blockIdx.x * waves_r + wave_r) * lanes_r + lane_r;
@ else
  int other = blockIdx.x * waves_r + wave_r;
@ end
  int step = (other & 15) * steps >> 4;

  // What is loaded: a block, its rows, and steps of it so far.
  unsigned blocks = (rows_w + block - 1u) / block, at_block = blockIdx.x;
  int left = rows_w - at_block * block, begun = 0;
  w += $(turned and "(long long)at_block * block * ldw" or "at_block * block");
  offset at[$(vectors == 1 and "1" or "vectors")];
  place(at, row, first_k, left, ldw);

@ for u = 0, turns - 1 do
  w_vector w$u[rows * depth / width];
@   if kept then
  const float *x$u;
@   else
  x_vector x$u[columns * depth / read];
@   end
@ end
@ local function load(u)
    load_w(w$u, w, at, (offset)step * $(turned and "" or "ldw * ")step_bytes, ldw,
           k - first_k - step * step_k);
@   if kept then
    x$u = x_kept + first_k + step * step_k;
@   else
    load_x(x$u, x + first_k + step * step_k, columns_x, ldx,
           k - first_k - step * step_k);
@   end
    step = step + 1 == steps ? 0 : step + 1;
    if (++begun == steps) {
      begun = 0;
      if (at_block + groups < blocks) { // else some are loaded in vain
        at_block += groups;
        left -= groups * block;
        w += $(turned and "(long long)groups * block * ldw" or "groups * block");
        place(at, row, first_k, left, ldw);
      }
    }
@ end
@ for u = 0, ahead - 1 do
@   indent(-2, load, u)
@ end
@ if kept then
  keep_x(x_kept, x, thread, columns_x, k, ldx);
  barrier();
@ end

  for (unsigned b = blockIdx.x; b < blocks; b += groups) {
    float sum[sums] = {};
    for (int t = 0; t < steps; $(turns > 1 and "t += " .. turns or "t++")) {
@ for u = 0, turns - 1 do
@   indent(2, load, (u + ahead) % turns)
      multiply(sum, w$u, x$u);
@ end
    }
@ local own <const> = turned and lanes_k > 1
@ if own then
    int here = lane;
#ifdef __HIP__ // else addresses for C would take registers all along
    asm volatile("" : "+v"(here));
#endif
    int first = share_out(sum, here);
    if (first >= 0) {
@ end
@ local function each(body)
@   indent(own and 4 or 2, loop.block, "i", count, tostring(count), function (i)
@     local at <const> = own and plus("first", i) or i
@     local wrapped <const> = wrap(at)
@     local r <const> = columns == 1 and at or at == "0" and "0" or wrapped .. " / columns"
@     local s <const> = (columns == 1 or at == "0") and "0" or wrapped .. " % columns"
    int r = $r, s = $s;
@     if turned then
    int y = row + r * lanes_r;
@     else
    int y = row + r / width * (lanes_r * width) + r % width;
@     end
@     body(i)
@   end)
@ end
@ local function put(total)
@   local to <const> = side.columns == "m" and "(long long)s * ldc + y" or "(long long)y * ldc + s"
@   if split then
        c[$to] = $total;
@   elseif beta ~= 0 then
      {
        float *to = c + ($to);
        *to = $(scaled(total, "*to"));
      }
@   else
        c[$to] = $(scaled(total));
@   end
@ end
@ if o.parts > 1 then
@   local part <const> = turned and "wave_k" or "wave_k * lanes_k + lane_k"
@   each(function (i)
    meet[$part][s * block + y] = sum[$i];
@   end)
@   if own then
    }
@   end
    $(kept and "barrier" or "__syncthreads")();
    for (int i = thread; i < block * columns; i += threads) {
      float total = meet[0][i];
@   if o.parts == 2 then
      total += meet[1][i];
@   else
#pragma unroll
      for (int p = 1; p < parts; p++)
        total += meet[p][i];
@   end
      int s = i / block, y = b * block + i % block;
      if (y < rows_w && s < columns_x)
@   put("total")
    }
    $(kept and "barrier" or "__syncthreads")();
@ else
@   each(function (i)
    y += b * block;
    if (y < rows_w && s < columns_x)
@     indent(-2, put, "sum[" .. i .. "]")
@   end)
@   if own then
    }
@   end
@ end
  }
}
@ if split then

// Add the planes of sums up into C.
extern "C" __global__ void __launch_bounds__(256)
reduce(const float *__restrict__ planes, float *__restrict__ c,
       int m, int n, int ldc$factors)
{
  unsigned i = blockIdx.x * 256u + threadIdx.x, size = (unsigned)m * n;
  if (i >= size)
    return;
  float sum = 0;
#pragma unroll
  for (int z = 0; z < split_k; z++)
    sum += planes[(unsigned long long)z * size + i];
  float *to = c + (unsigned long long)(i / n) * ldc + i % n;
  *to = $(scaled("sum", "*to"));
}
@ end
