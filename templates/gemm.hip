@ local product <const> = include "parts/product.lua"
@ if product.empty(problem) then return include "parts/scale.hip" end
@ local operand <const> = include "parts/operand.lua"
@ local tiling <const> = include "parts/tiling.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local tile <const> = include "parts/tile.hip"
@ local packed <const> = include "parts/packed.hip"
@ local move <const> = T.plain and tile or packed -- from memory into LDS
@ local sums <const> = include "parts/sums.hip"
@ local store <const> = include "parts/store.hip"
@ local stream <const> = include "parts/stream.hip"
@
@ local element <const> = T.plain and "float" or "element"
@ local own <const> = slice_loads == 1 -- each slice loads its rows
@ local loaders <const> = tiling.loaders(cfg)
@ local A <const> = operand.numbers(operand.A, cfg, problem, arch, loaders)
@ local B <const> = operand.numbers(operand.B, cfg, problem, arch, loaders)
@ local both <const> = { A, B }
@ local sliced <const>, streamed <const>, split <const> = slice_k > 1, stream_k > 0, split_k > 1
@ local span <const> = T.span
@ local grouped <const> = groups > 0
@ local ragged <const> = k % (tile_k * T.pack) ~= 0
@ local rows <const> = sliced and "slice_rows" or "tile_k" -- that a thread multiplies
@
@ -- Offsets inside of a tile take 32 bits where its bytes can be counted so.
@ local function far(x)
@   local rows <const> = x.turned and x.tile or tile_k * T.pack
@   return rows * problem[x.names.ld] * T.bits // 8 >= 1 << 32
@ end
@ local far <const> = far(A) or far(B)
@
@ -- Elements that go to C at once.
@ local ld_out <const> = split and n or ldc
@ local blanks <const> = (" "):rep(5) -- before a line of parameters
@ local entry <const> = include("parts/batch.hip", blanks)
@ local epilogue <const> = include "parts/epilogue.hip"
@ local stored <const> = product.stored(cfg, problem, B.width)
@ local width <const> = (n | ld_out | (split and 0 or stride_c)) % stored == 0 and stored or 1
@
@ -- The last arguments of kernels, and what is passed on.
@ local factors <const> = ", float alpha" .. (beta ~= 0 and ", float beta" or "") ..
@                         epilogue.params(blanks)
@ local gap <const> = epilogue.passed ~= "" and "\n" .. (" "):rep(streamed and 14 or 10) or " "
@ local passed <const> = (beta ~= 0 and "," .. gap .. "alpha, beta" or "," .. gap .. "alpha") ..
@                        epilogue.passed
@ include("parts/head.hip", both, far, ragged, width)
@ include "parts/vec.hip"
@ if not T.plain then
@   include("parts/convert.hip", false, epilogue.some)

@ end
// The tile of C, and the elements of it that a thread makes.
constexpr int tile_m = $tile_m, tile_n = $tile_n, tile_k = $tile_k;
@ if T.pack > 1 then
constexpr int span_k = tile_k * pack; // k of a tile, which are tile_k words
@ end
constexpr int thread_m = $thread_m, thread_n = $thread_n;
// Threads of a wave, down and across$(sliced and "" or ", and of the workgroup").
constexpr int lanes = $(arch.wave), wave_m = $wave_m, wave_n = lanes / wave_m;
constexpr int waves_n = tile_n / (thread_n * wave_n); // across the tile
@ if sliced then
// Slices of the workgroup share the rows of each k tile.
constexpr int slice_k = $slice_k, slice_rows = tile_k / slice_k;
@   if own and T.pack > 1 then
constexpr int slice_span_k = slice_rows * pack; // k of its rows
@   end
constexpr int slice_threads = tile_m / thread_m * (tile_n / thread_n);
constexpr int threads = slice_threads * slice_k; // of the workgroup
constexpr int thread_sums = thread_m * thread_n;
constexpr int slice_sums = thread_sums * slice_threads;
@ else
constexpr int threads = tile_m / thread_m * (tile_n / thread_n);
@ end
constexpr int stages = $stages; // k tiles in LDS
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if raster > 1 then
constexpr int raster = $raster; // rows of tiles in a band
@ end
@ for _, x in ipairs(both) do
@   move.constants(x)
@ end
@ if width > 1 then

constexpr int c_width = $width; // $(T.plain and "floats" or "elements") of a store
@ end

// Bytes from the corner of a tile in memory.
typedef unsigned $(far and "long long " or "")offset;

@ if async == 1 then
@   include("parts/async.hip", ragged, stages - 2)
@ end
@ if load_ahead > 1 or read_ahead > 1 or own then
@   include("parts/barrier.hip", own)
@ end
@ -- A stream finds its place for each tile anew where that saves vector registers.
@ local anew_place <const> = streamed and arch.amdgcn == 1
@ if read_ahead > 1 or anew_place then
@   include "parts/anew.hip"
@ end
@ if not T.plain then
@   packed.helpers(both)
@ end
@ for _, x in ipairs(both) do
@   move.place(x)
@   if async == 1 then
@     tile.copy(x, ragged)
@   else
@     move.load(x, ragged)
@     move.store(x)
@   end
@   tile.read(x)
@ end
@ sums.multiply(rows)
@ if sliced then
@   sums.gather()
@ end

@ epilogue.define()
@ local y <const>, x <const> = tile.element(A, "i"), tile.element(B, "j")
@ if split then
@   store.sums("store_sums", width, "c_width", y, x, false)
@ else
@   store.sums("store_c", width, "c_width", y, x, true, epilogue)
@ end
@ if streamed then
@   store.sums("store_sums", B.width, "b_width", y, x, false)
@ end

@ include("parts/k_loop.hip", both, move, element, ragged)

// Tiles that cover so many rows or columns.
static __device__ inline unsigned tiles(int size, int tile)
{
  return (size + tile - 1u) / tile;
}

@ if grouped then
@   include("parts/groups.hip", "tile_m")
@ else
@   if raster == 1 then
// The corner in C of a tile that is counted row by row.
@   else
// The corner in C of a tile that is counted down bands of tiles: those that run
// together then share more of A and B in the cache.
@   end
static __device__ inline void place_tile(unsigned tile, int m, int n,
                                         int *first_m, int *first_n)
{
  unsigned across = tiles(n, tile_n);
@   if raster == 1 then
  *first_m = tile / across * tile_m;
  *first_n = tile % across * tile_n;
@   else
  unsigned down = tiles(m, tile_m);
  unsigned band = tile / (across * raster) * raster;
  unsigned inside = tile % (across * raster);
  unsigned rows = down - band < raster ? down - band : raster;
  *first_m = (band + inside % rows) * tile_m;
  *first_n = inside / rows * tile_n;
@   end
}
@ end
@ if streamed then
@   stream.share()
@ end

@ local strides <const> = entry.strides({ "a", "b", not split and "c" or nil }, "\n     ")
@ local last <const> = (split and "" or factors) .. strides ..
@                      (streamed and ",\n     " .. T.sum .. " *__restrict__ parts, int groups" or "") ..
@                      (grouped and ",\n     const int *__restrict__ offsets, int products" or "")
@ local waves <const> = tiling.waves(cfg, problem, arch)
@ if waves > 1 and arch.amdgcn == 1 then
extern "C" __global__ void __launch_bounds__(threads)
__attribute__((amdgpu_waves_per_eu($waves)))
@ else
extern "C" __global__ void __launch_bounds__(threads)
@ end
gemm($(entry.matrix("const " .. element, "a")),$(entry.gap)$(entry.matrix("const " .. element, "b")),
     $(split and T.sum .. " *__restrict__ c" or entry.matrix(T.c_element, "c")),$(entry.gap)int m, int n, int k,
     int lda, int ldb, int ldc$last)
{
@ if sliced then
  // The k tiles, and behind the last one the sums that slices hand on.
  alignas(16) __shared__ union {
    struct {
      $(T.word) a[stages][tile_k * a_stride], b[stages][tile_k * b_stride];
    } tiles;
    $(T.sum) sums[slice_k / 2][slice_sums];
  } lds;
  auto a_tile = lds.tiles.a;
  auto b_tile = lds.tiles.b;
@ else
  alignas(16) __shared__ $(T.word) a_tile[stages][tile_k * a_stride];
  alignas(16) __shared__ $(T.word) b_tile[stages][tile_k * b_stride];
@ end

@ if batch ~= 0 then
  // The matrices of product y of the batch.
@   entry.go("const " .. element, "a", move.at)
@   entry.go("const " .. element, "b", move.at)
@   if split then
  c += (long long)blockIdx.y * split_k * m * n;
@   else
@     entry.go(T.c_element, "c")
@   end

@ end
@ if not split then epilogue.take() end
@ local function place_thread()
@   if anew_place then
  int thread = anew((int)threadIdx.x);
  int wave = thread / lanes, lane = thread % lanes;
@   else
  int thread = threadIdx.x, wave = thread / lanes, lane = thread % lanes;
@   end
@   if sliced then
  int slice = $(stream.uniform("wave / (slice_threads / lanes)"));
  wave %= slice_threads / lanes;
@   end
  int row = (wave / waves_n * wave_m + lane / wave_n) * a_width;
  int column = (wave % waves_n * wave_n + lane % wave_n) * b_width;
@ end
@ if not anew_place then place_thread() end

@ -- The corner of a tile of A or B that begins at row first_k.
@ local function corner(x, first_k)
@   local of <const> = x.names
@   local first <const> = "first_" .. of.edge
@   local along <const> = x.turned and "(long long)" .. first .. " * " .. of.ld or first
@   if not first_k then return of.name .. " + " .. move.at(along) end
@   return of.name .. " + " .. move.at(along .. (x.turned and " + " .. first_k
@                                                or " + (long long)" .. first_k .. " * " .. of.ld))
@ end
@ local loader <const> = own and "thread % slice_threads" or "thread"
@ local function accumulate(first_k, length)
@   local gap <const> = first_k and T.bits == 4 and "\n" .. (" "):rep(streamed and 15 or 13) or " "
  $(T.sum) sum[thread_m][thread_n] = {};
  accumulate(sum, a_tile, b_tile,$(gap)$(corner(A, first_k)),
             $(corner(B, first_k)),$(gap)m - first_m, n - first_n,
             $length, lda, ldb, $loader, row, column$(sliced and ", slice" or ""));
@   if sliced then
@     if stages > 1 or own then
  __syncthreads(); // all have read the last k tile
@     end
  gather(sum, lds.sums, slice, thread % slice_threads);
@   end
@ end
@ local writer <const> = sliced and "slice == 0" or nil -- that has the sums
@ if streamed then
  unsigned group = blockIdx.x;
  share s = share_out(m, n, k, groups);
@   -- These fit into 32 bits, of which nvcc makes loops of nt that take a sixth longer.
  long long at = begin(s, group), end = begin(s, group + 1);
  for (unsigned round = 0; round < s.rounds || at < end; round++) {
    unsigned tile = round * s.groups + group;
    int first = 0, tiles = s.k_tiles; // k tiles
    if (round >= s.rounds) {
      int before = $(stream.uniform("(int)at / s.k_tiles"));
      tile = s.rounds * s.groups + before;
      first = (int)at - before * s.k_tiles;
      tiles = tiles - first < end - at ? tiles - first : (int)(end - at);
      at += tiles;
    }
    int first_m, first_n, first_k = first * $span;
    place_tile(tile, m, n, &first_m, &first_n);
    int length = k - first_k < tiles * $span ? k - first_k : tiles * $span;
@   if anew_place then indent(2, place_thread) end
@   indent(2, accumulate, "first_k", "length")
    // The first part of a group begins a tile of C, the second ends one.
    if ($(writer and writer .. " && " or "")tiles == s.k_tiles)
      store_c(c, sum, first_m + row, first_n + column, m, n, ldc$passed);
    else$(writer and " if (" .. writer .. ")" or "")
      store_sums(parts + (2ll * group + (first > 0)) * (tile_m * tile_n), sum,
                 row, column, tile_m, tile_n, tile_n);
    __syncthreads(); // all have read the last k tile
  }
@ else
@   if grouped then
  // The rows of a group, on which its own B is; rows past these are others'.
  __shared__ place found;
  unsigned across = tiles(n, tile_n);
  int first_n = blockIdx.x % across * tile_n;
  if (!find_place(&found, offsets, products, m, blockIdx.x / across))
    return;
  __syncthreads();
  int first_m = __builtin_amdgcn_readfirstlane(found.first);
  int group = __builtin_amdgcn_readfirstlane(found.group);
  m = __builtin_amdgcn_readfirstlane(found.end);
  b += $(move.at("(long long)group * " .. (B.turned and "n" or "k") .. " * ldb"));
@   else
  int first_m, first_n;
  place_tile(blockIdx.x, m, n, &first_m, &first_n);
@   end
@   if split then

  // Part z of k; its sums are plane z of c.
  int part = ((k - 1) / ($span * split_k) + 1) * $span;
  int first_k = blockIdx.z * part;
  k = k - first_k < part ? k - first_k : part;
  c += (long long)blockIdx.z * m * n;
@   end
@   accumulate(split and "first_k" or nil, "k")
@   if writer then
  if ($writer)
@   end
@   indent(writer and 2 or 0, function ()
@     if split then
  store_sums(c, sum, first_m + row, first_n + column, m, n, n);
@     else
  store_c(c, sum, first_m + row, first_n + column, m, n, ldc$passed);
@     end
@   end)
@ end
}
@ if streamed then
@   stream.join(factors, function (sum)
@     return store.scaled(sum, "*to", epilogue, "y", "x")
@   end, epilogue.take)
@ end
@ if split then
@   include("parts/reduce.hip", factors, batch ~= 0, entry, epilogue)
@ end
