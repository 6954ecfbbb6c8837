@ local loop <const> = include "parts/loop.hip"
@ local t <const> = include("parts/quant.lua").of(problem)
@ local wave <const>, split <const> = arch.wave, split_k > 1
@ local threads <const> = tile_m // thread_m * (tile_n // thread_n)
@ local ragged <const> = k % tile_k ~= 0
@ local grouped <const> = groups > 0
@ local units <const>, pieces <const> = tile_m * tile_k // t.unit, tile_n * tile_k // 16
@ local loads_w <const> = (units + threads - 1) // threads
@ local loads_x <const> = (pieces + threads - 1) // threads
@ local pairs_x <const> = tile_n * tile_k // 32
@ local loads_s <const> = (pairs_x + threads - 1) // threads
@
// C = W X: W is $dtype, m rows of k numbers; X has n columns, as q8_1.
@ if grouped then
// There are `products` such W, one after the other: columns offsets[g] to
// offsets[g + 1] - 1 of X, which may be none or all, are multiplied with the
// gth. No offset may be smaller than that before it.
@ end
//
// A workgroup makes a tile of C, $tile_m rows of W by $tile_n columns of X, from k
// tiles in LDS, where a row holds four k of all rows of W, or columns of X, as
// bytes; scales lie beside. A thread has $thread_m x $thread_n sums.
//
// Any m and n will do, and any k that is a multiple of $(ragged and t.elements or math.max(tile_k, t.elements)), as long as W
// and X span less than 4 GiB and all begin at multiples of 16 bytes.

@ -- Words of scales that serve several k tiles are loaded with the first of them.
@ local kept <const> = t.shared and tile_k < t.elements
@ local quant <const> = include("parts/quant.hip", layout, kept)
@ local least_too <const> = t.least and "least, " or ""

constexpr int tile_m = $tile_m, tile_n = $tile_n, tile_k = $tile_k;
constexpr int thread_m = $thread_m, thread_n = $thread_n;
// Threads of a wave, down and across; waves down the tile.
constexpr int lanes = $wave, wave_m = $wave_m, wave_n = lanes / wave_m;
constexpr int waves_m = tile_m / (thread_m * wave_m);
constexpr int threads = tile_m / thread_m * (tile_n / thread_n);
constexpr int tile_units = tile_k / unit;
constexpr int block_units = block_numbers / unit;
// Of a k tile: words along k, groups with a scale, blocks of 32.
constexpr int tile_words = tile_k / 4, stages = $stages;
constexpr int tile_groups = tile_k / $(t.group), tile_blocks = tile_k / 32;
// Loads of a thread: units of W, halves of blocks of X, and their scales.
constexpr int w_loads = $loads_w, x_loads = $loads_x, scale_loads = $loads_s;
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if problem.x == "f32" then
@   quant.quantiser(true)
@ end
@ include "parts/barrier.hip"
@ if grouped then
@   include("parts/groups.hip", "tile_n")
@ end

// Unit i of the tile: which row it is of, and which of the row's.
@ if tile_k == t.unit then
static __device__ inline int row_of(int i) { return i % tile_m; }
static __device__ inline int unit_of(int) { return 0; }
@ elseif across == 1 then
static __device__ inline int row_of(int i) { return i % tile_m; }
static __device__ inline int unit_of(int i) { return i / tile_m; }
@ else
constexpr int across = $across; // units of a row that neighbours load
static __device__ inline int row_of(int i) { return i / across % tile_m; }
static __device__ inline int unit_of(int i)
{
  return i / (across * tile_m) * across + i % across;
}
@ end

// Load this thread's units of a k tile, whose first of a row is this one. Past
// the rows that are left, and past k, it loads the last again.
@ if kept then
// Words of scales stay until a block begins, or all is `fresh`.
@ end
static __device__ inline void
load_w(quad (*q)[quads], unsigned (*s)[scale_words], const char *w,
@ if kept then
       int first_row, int rows, int first_unit, int m, int k, int thread,
       bool fresh)
@ else
       int first_row, int rows, int first_unit, int m, int k, int thread)
@ end
{
  int row_blocks = k / block_numbers;
  unsigned blocks = $(quant.stored("m"));
@ loop.block("i", loads_w, "w_loads", function (i, step)
    int at = thread$(step("threads")), y = row_of(at);
    int v = first_unit + unit_of(at);
    y = y < rows ? y : rows - 1;
@   if ragged or tile_k > t.unit and units % threads ~= 0 then
    int last = row_blocks * block_units - 1;
    v = v < last ? v : last; // store_w() knows
@   end
@   if layout == "panels" then
    unsigned block = first_of(first_row + y, row_blocks) +
                     v / block_units * panel;
@   else
    unsigned block = (unsigned)(first_row + y) * row_blocks + v / block_units;
@   end
@   if kept then
    load_numbers(q[$i], w, block, v % block_units, blocks);
    if (fresh || first_unit % block_units == 0)
      load_words(s[$i], w, block, blocks);
@   else
    load_unit(q[$i], s[$i], w, block, v % block_units, blocks);
@   end
@ end)
}

@ include "parts/anew.hip"

@ local left <const> = ragged and ", int left" or ""
@ local beyond <const> = ragged or pairs_x % threads ~= 0 or pieces % threads ~= 0
// Blocks of 32 of X before a k tile.
static __device__ inline unsigned long long first_block(int tile, int n)
{
  return (unsigned long long)tile * tile_blocks * n;
}

// The block so many `down` and `across` from a tile's first: past the columns
// $(ragged and "or blocks " or "")that are left it is the last.
static __device__ inline unsigned block_of(int across, int columns, int down,
                                           int n$left)
{
  int column = across < columns ? across : columns - 1;
@ if ragged then
  down = down < left ? down : left - 1;
@ elseif beyond then
  down = down < tile_blocks ? down : tile_blocks - 1;
@ end
  return (unsigned)down * n + column;
}

// Load this thread's part of a k tile of X, from its first block on: halves of
// blocks, and scales.
static __device__ inline void load_x(quad *to, const signed char *xq,
                                     int columns, int n$left, int thread)
{
@ loop.block("i", loads_x, "x_loads", function (i, step)
    int at = thread$(step("threads")), half = at / tile_n;
    unsigned block = block_of(at % tile_n, columns, half / 2, n$(ragged and ", left" or ""));
    to[$i] = *(const quad *)(xq + anew(block * 32 + half % 2 * 16));
@ end)
}
static __device__ inline void load_scales(unsigned *to, const unsigned *xs,
                                          int columns, int n$left, int thread)
{
@ loop.block("i", loads_s, "scale_loads", function (i, step)
    int at = thread$(step("threads"));
    unsigned block = block_of(at % tile_n, columns, at / tile_n, n$(ragged and ", left" or ""));
    to[$i] = *(const unsigned *)((const char *)xs + anew(block * 4));
@ end)
}
@ -- What a thread keeps only where its number is below `all`.
@ local function only(all, body)
@   if all % threads == 0 then return body() end
    if (at < $all) {
@   indent(2, body)
    }
@ end
@ local chunk <const> = quant.chunk_at("u", "h")

// Put the units into LDS$(ragged and "; past k their scales are 0" or "").
static __device__ inline void
@ if t.least then
store_w(unsigned *tile, float *tile_scale, float *tile_least,
@ else
store_w(unsigned *tile, float *tile_scale,
@ end
        quad (*q)[quads], unsigned (*s)[scale_words], int first_unit, int k,
        int thread)
{
@ local function scaled(x) return ragged and "real ? " .. x .. " : 0" or x end
@ loop.block("i", loads_w, "w_loads", function (i, step)
    int at = thread$(step("threads")), y = row_of(at), u = unit_of(at);
@   only(units, function ()
    unsigned words[chunks][4];
    float scale[groups]$(t.least and ", least[groups]" or "");
    decode(words, scale, $(least_too)q[$i], s[$i],
           (first_unit + u) % block_units);
#pragma unroll
    for (int h = 0; h < chunks; h++)
#pragma unroll
      for (int e = 0; e < 4; e++)
        tile[(($chunk) * 4 + e) * tile_m + y] = words[h][e];
@     if ragged then
    bool real = first_unit + u < k / unit;
@     end
@     indent(2, quant.each_group, function (g)
    int to = $(quant.index(quant.group_at("u", g), "tile_m", "y"));
    tile_scale[to] = $(scaled("scale[" .. g .. "]"));
@       if t.least then
    tile_least[to] = $(scaled("least[" .. g .. "]"));
@       end
@     end)
@   end)
@ end)
}

// Put halves of blocks of X, and scales, into LDS.
static __device__ inline void store_x(unsigned *tile, quad *from, int thread)
{
@ loop.block("i", loads_x, "x_loads", function (i, step)
    int at = thread$(step("threads"));
@   only(pieces, function ()
#pragma unroll
    for (int e = 0; e < 4; e++)
      tile[(at / tile_n * 4 + e) * tile_n + at % tile_n] = from[$i][e];
@   end)
@ end)
}
@ local sums <const> = t.least and "float *sum, " or ""
static __device__ inline void
store_scales(float *scale, $(sums)const unsigned *from, int thread)
{
@ loop.block("i", loads_s, "scale_loads", function (i, step)
    int at = thread$(step("threads"));
@   only(pairs_x, function ()
    scale[at] = widen(from[$i]);
@     if t.least then
    sum[at] = widen(from[$i] >> 16);
@     end
@   end)
@ end)
}
@ local function reader(edge, edge_name)
@   local thread <const> = cfg["thread_" .. edge]
@   local width <const> = math.min(thread, 4)

// Of a read from LDS: elements, and from read to read.
constexpr int width_$edge = $width, apart_$edge = wave_$edge * width_$edge;

// Read this thread's $thread elements of a row with $edge_name.
template <class T>
static __device__ inline void read_$edge(T *to, const T *row)
{
  typedef vec<T, width_$edge> vector;
@   local reads <const> = "thread_" .. edge .. " / width_" .. edge
@   loop.block("r", thread // width, reads, function (r, step)
    vector v = *(const vector *)(row$(step("apart_" .. edge)));
#pragma unroll
    for (int e = 0; e < width_$edge; e++)
      to[$(quant.index(r, "width_" .. edge, "e"))] = v[e];
@   end)
}
@ end
@ reader("m", "those of W")
@ reader("n", "those of X")
@ -- Where element i of a thread's is, from its first on.
@ local function element(edge, i)
@   local thread <const> = cfg["thread_" .. edge]
@   if thread <= 4 then return i end
@   return i .. " / width_" .. edge .. " * apart_" .. edge .. " + " .. i .. " % width_" .. edge
@ end

@ local x_row <const> = "g" .. (t.group == 16 and " / 2" or "")
@ local function read_scales()
    read_m(scale, w_scale + g * tile_m + row);
    read_n(d, x_scale + $x_row * tile_n + column);
@ end
@ local function each(body)
#pragma unroll
    for (int i = 0; i < thread_m; i++)
#pragma unroll
      for (int j = 0; j < thread_n; j++)
        $body
@ end

// Add the products of four k of all rows and columns of this thread.
static __device__ inline void add_products(int (&dot)[thread_m][thread_n],
                                           const unsigned *w, const unsigned *x)
{
@ indent(-2, each, "dot[i][j] = __builtin_amdgcn_sdot4(w[i], x[j], dot[i][j], false);")
}
@ if read_ahead == 1 then

// Reads before this stay before it, and what x is used for comes after it.
template <class T, int n>
static __device__ inline void settle(T (&x)[n])
{
  asm volatile("" ::: "memory");
#pragma unroll
  for (int i = 0; i < n; i++)
    x[i] = anew(x[i]);
}
template <class T, int m, int n>
static __device__ inline void settle(T (&x)[m][n])
{
#pragma unroll
  for (int i = 0; i < m; i++)
    settle(x[i]);
}
@ end

// Add the product of the tiles in LDS to this thread's sums.
static __device__ inline void
multiply(float (&sum)[thread_m][thread_n], const unsigned *w_tile,
         const unsigned *x_tile, const float *w_scale, const float *x_scale,
@ if t.least then
         const float *w_least, const float *x_sum,
@ end
         int row, int column)
{
  constexpr int words = $(t.group // 4); // with the same scale
@ if read_ahead == 1 then
  // What is multiplied next is on its way while this is multiplied.
  unsigned w[2][thread_m], x[2][thread_n];
@   local function read(k)
    read_m(w[$k % 2], w_tile + $k * tile_m + row);
    read_n(x[$k % 2], x_tile + $k * tile_n + column);
@   end
@   local function next_group()
    if (next < tile_words) {
@     indent(2, read, "next")
    }
@   end
  read_m(w[0], w_tile + row);
  read_n(x[0], x_tile + column);
#pragma unroll
  for (int g = 0; g < tile_groups; g++) {
    int dot[thread_m][thread_n] = {}, next = g * words;
    float scale[thread_m], d[thread_n];
#pragma unroll
    for (int k = g * words; k < (g + 1) * words; k++) {
      next = k + 1;
      if (next < (g + 1) * words) {
@   indent(4, read, "next")
      } else {
@   indent(4, read_scales)
      }
      settle(w[k % 2]);
      settle(x[k % 2]);
      add_products(dot, w[k % 2], x[k % 2]);
      settle(dot);
    }
@   if t.least then
    float least[thread_m], s[thread_n];
    read_m(least, w_least + g * tile_m + row);
    read_n(s, x_sum + g * tile_n + column);
@   else
@     next_group()
@   end
    settle(scale);
    settle(d);
@   each("sum[i][j] += scale[i] * d[j] * (float)dot[i][j];")
    settle(sum);
@   if t.least then
@     next_group()
    settle(least);
    settle(s);
@     each("sum[i][j] += least[i] * s[j];")
    settle(sum);
@   end
  }
@ else
#pragma unroll
  for (int g = 0; g < tile_groups; g++) {
    int dot[thread_m][thread_n] = {};
#pragma unroll
    for (int k = g * words; k < (g + 1) * words; k++) {
      unsigned w[thread_m], x[thread_n];
      read_m(w, w_tile + k * tile_m + row);
      read_n(x, x_tile + k * tile_n + column);
      add_products(dot, w, x);
    }
    float scale[thread_m], d[thread_n];
@   read_scales()
@   each("sum[i][j] += scale[i] * d[j] * (float)dot[i][j];")
@   if t.least then
    read_m(scale, w_least + g * tile_m + row);
    read_n(d, x_sum + g * tile_n + column);
@     each("sum[i][j] += scale[i] * d[j];")
@   end
    asm volatile("" ::: "memory"); // LDS read ahead would take registers
  }
@ end
}

@ if waves > 1 and arch.amdgcn == 1 then
extern "C" __global__ void __launch_bounds__(threads)
__attribute__((amdgpu_waves_per_eu($waves)))
@ else
extern "C" __global__ void __launch_bounds__(threads)
@ end
mmq(const char *__restrict__ w, const signed char *__restrict__ xq,
@ if grouped then
    const unsigned *__restrict__ xs, float *__restrict__ c, int m, int n, int k,
    const int *__restrict__ offsets, int products)
@ else
    const unsigned *__restrict__ xs, float *__restrict__ c, int m, int n, int k)
@ end
{
  alignas(16) __shared__ unsigned w_tile[stages][tile_words * tile_m];
  alignas(16) __shared__ unsigned x_tile[stages][tile_words * tile_n];
  alignas(16) __shared__ float w_scale[stages][tile_groups * tile_m];
  alignas(16) __shared__ float x_scale[stages][tile_blocks * tile_n];
@ if t.least then
  alignas(16) __shared__ float w_least[stages][tile_groups * tile_m];
  alignas(16) __shared__ float x_sum[stages][tile_blocks * tile_n];
@ end
  int thread = threadIdx.x, at_wave = thread / lanes, lane = thread % lanes;
  int row = at_wave % waves_m * (thread_m * wave_m) +
            lane % wave_m * width_m;
  int column = at_wave / waves_m * (thread_n * wave_n) +
               lane / wave_m * width_n;
@ if grouped then
  // Tiles down a group's W are neighbours: they share its columns of X.
  __shared__ place found;
  int tiles_m = (m + tile_m - 1) / tile_m;
  int first_row = blockIdx.x % tiles_m * tile_m;
  if (!find_place(&found, offsets, products, n, blockIdx.x / tiles_m))
    return;
  barrier();
  int w_row = __builtin_amdgcn_readfirstlane(found.group) * m + first_row;
  int first_column = __builtin_amdgcn_readfirstlane(found.first);
  int end = __builtin_amdgcn_readfirstlane(found.end);
  // Past its group's columns a wave has nothing to multiply.
  int wave_column = at_wave / waves_m * (thread_n * wave_n);
  bool busy = __builtin_amdgcn_readfirstlane(wave_column) < end - first_column;
@ else
  int tiles_n = (n + tile_n - 1) / tile_n;
  int first_row = blockIdx.x / tiles_n * tile_m;
  int first_column = blockIdx.x % tiles_n * tile_n;
@ end
  int tile = 0, tiles = (k + tile_k - 1) / tile_k; // of k
@ if split then

  // Part z of k; its sums are plane z of c.
  int part = (tiles - 1) / split_k + 1;
  tile = blockIdx.z * part;
  tiles = tiles - tile < part ? tiles : tile + part;
  c += (unsigned long long)blockIdx.z * m * n;
@ end
  int columns = $(grouped and "end" or "n") - first_column; // that are left
  xq += (unsigned long long)first_column * 32;
  xs += first_column;
  quad q[w_loads][quads], x_in[x_loads];
  unsigned s[w_loads][scale_words], s_in[scale_loads];
  float sum[thread_m][thread_n] = {};
@ local function load(tile)
@   local fresh <const> = not kept and "" or tile == "tile" and ", true" or ", false"
@   if grouped then
  load_w(q, s, w, w_row, m - first_row, $tile * tile_units,
         products * m, k, thread$fresh);
@   else
  load_w(q, s, w, first_row, m - first_row, $tile * tile_units, m, k,
         thread$fresh);
@   end
@   local left <const> = ragged and ", k / 32 - " .. tile .. " * tile_blocks" or ""
  load_x(x_in, xq + first_block($tile, n) * 32, columns, n$left, thread);
  load_scales(s_in, xs + first_block($tile, n), columns, n$left, thread);
@ end
@ local at <const> = stages == 1 and "[0]" or "[tile % 2]"
@ load("tile")
  for (; tile < tiles; tile++) {
@ if read_ahead == 1 then
    row = anew(row); // of which offsets in LDS are made here, without registers
    column = anew(column);
@ end
    store_w(w_tile$at, w_scale$at,$(t.least and " w_least" .. at .. "," or "")
            q, s, tile * tile_units, k, thread);
    store_x(x_tile$at, x_in, thread);
@ if t.least then
    store_scales(x_scale$at, x_sum$at, s_in, thread);
@ else
    store_scales(x_scale$at, s_in, thread);
@ end
    barrier();
    int next = tile + 1;
    if (next < tiles) {
@ indent(4, load, "next")
    }
@ if grouped then
    if (busy)
@ end
@ indent(grouped and 2 or 0, function ()
    multiply(sum, w_tile$at, x_tile$at, w_scale$at,
             x_scale$at,
@   if t.least then
             w_least$at, x_sum$at,
@   end
             row, column);
@ end)
@ if stages == 1 then
    barrier();
@ end
  }
#pragma unroll
  for (int j = 0; j < thread_n; j++)
#pragma unroll
    for (int i = 0; i < thread_m; i++) {
      int y = first_row + row + $(element("m", "i"));
      int x = first_column + column + $(element("n", "j"));
      if (y < m && x < $(grouped and "end" or "n"))
        c[(unsigned long long)x * m + y] = sum[i][j];
    }
}
@ if split then
@   quant.reduce(1)
@ end
