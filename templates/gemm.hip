@ local threads_m <const>, threads_n <const> = tile_m // thread_m, tile_n // thread_n
@ local slice <const> = threads_m * threads_n -- threads that make a tile of C
@ local threads <const> = slice * slice_k
@ local slice_rows <const> = tile_k // slice_k -- of a k tile
@ local wave_n <const> = arch.wave // wave_m
@ local waves_n <const> = threads_n // wave_n
@ local turns <const> = math.max(load_ahead, 1) -- k tiles held in registers
@ local slots <const> = read_ahead + 1 -- k rows of fragments held in registers
@ local ragged <const> = k % tile_k ~= 0
@ local barrier <const> = load_ahead > 1 and "barrier" or "__syncthreads"
@ local factors <const> = beta ~= 0 and ", float alpha, float beta" or ", float alpha"
@ local scale_args <const> = split_k > 1 and "" or factors
@ local scale <const> = beta ~= 0 and ", alpha, beta" or ", alpha"
@ local slice_arg <const> = slice_k > 1 and ", int slice" or ""
@ local sliced <const> = slice_k > 1 and " + slice * " .. slice_rows or nil
@ local parts_arg <const> = stream_k > 0 and ", float *__restrict__ parts, int groups" or ""
@
@ -- What A and B differ in. A turned operand runs along k in memory: it is
@ -- transposed on its way into LDS, where rows always run along m or n.
@ local function operand(name, edge, turned, tile, thread, load, pad, xor)
@   local along <const> = turned and tile_k or tile
@   local width <const> = math.min(read_width, thread)
@   return {
@     name = name, NAME = name:upper(), ld = "ld" .. name, edge = edge, tile = tile,
@     turned = turned, load = load, vec = "vec<" .. load .. ">",
@     loads = tile * tile_k // (threads * load),
@     step = threads * load // along, -- LDS rows (turned: columns) from load to load
@     across = "thread % " .. along // load, down = "thread / " .. along // load,
@     thread = thread, width = width, fragment = "vec<" .. width .. ">",
@     apart = tile // thread * width, stride = tile + pad,
@     xor = xor, unit = arch.lds_banks // (xor + 1),
@   }
@ end
@ local a_turned <const>, b_turned <const> = layout:sub(1, 1) == "n", layout:sub(2, 2) == "t"
@ local A <const> = operand("a", "m", a_turned, tile_m, thread_m, load_a, pad_a, xor_a)
@ local B <const> = operand("b", "n", b_turned, tile_n, thread_n, load_b, pad_b, xor_b)
@ local operands <const> = { A, B }
@
@ -- Offsets inside of a tile take 32 bits where its bytes can be counted so.
@ local function span(x, ld) return (x.turned and x.tile or tile_k) * ld * 4 end
@ local far <const> = math.max(span(A, lda), span(B, ldb)) >= 1 << 32
@ local store_ld <const> = split_k > 1 and n or ldc
@ local store <const> = (n | store_ld) % B.width == 0 and B.width or 1
@
@ -- Where a thread's sums can go, and the elements that it writes at once.
@ local stores <const> = {}
@ if split_k == 1 then stores[#stores + 1] = { name = "store_c", width = store, scaled = true } end
@ if split_k > 1 then stores[#stores + 1] = { name = "store_sums", width = store } end
@ if stream_k > 0 then stores[#stores + 1] = { name = "store_sums", width = B.width } end
@
@ local work <const> = stream_k > 0 and "Workgroups share all k tiles of C's tiles:" or
@                      split_k > 1 and "A workgroup takes a tile of C, and a part of k:" or
@                      "A workgroup makes one tile of C:"
// C = alpha op(A) op(B) + beta C, row-major. $work
//
//                      tile_n
//                    +--------+
//                    | b_tile | tile_k    Each k tile goes from memory $(async == 1 and "past the" or "through")
//            tile_k  +--------+           registers into LDS. From there a thread
//          +--------++--------+           reads $thread_m elements of A and $thread_n of B for
//   tile_m | a_tile || C tile |           each k, and adds their products to its
//          +--------++--------+           $thread_m x $thread_n sums.
//
// Any m, n and k will do as long as
//   A, B and C start at multiples of 16 bytes
@ if not far then
//   a tile of A or B spans less than 4 GiB of memory
@ end
@ if not ragged then
//   k is a multiple of $tile_k
@ end
@ for _, x in ipairs(operands) do
@   if x.load > 1 then
//   $(x.turned and "k" or x.edge) and $(x.ld) are multiples of $(x.load)
@   end
@ end
@ if store > 1 then
//   $(split_k > 1 and "n is a multiple" or "n and ldc are multiples") of $store
@ end

// Floats that move in one instruction.
#ifdef __clang__
template <int n> using vec = float __attribute__((ext_vector_type(n)));
#else
template <int n> struct alignas(n * sizeof(float)) vec {
  float e[n];
  __device__ float &operator[](int i) { return e[i]; }
};
#endif

// Bytes from the corner of a tile in memory.
typedef unsigned $(far and "long long " or "")offset;
@ if async == 1 then

// Start to copy n floats from memory into LDS, past the registers.
@   if ragged then
// Where they are not real, zeros.
@   end
template <int n>
static __device__ inline void copy(float *to, const float *from$(ragged and ", bool real" or ""))
{
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2$(ragged and ", %3" or "");"
               :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                  "n"(n * sizeof(float))$(ragged and [[, "r"(real ? n * (int)sizeof(float) : 0)]] or "") : "memory");
}

// The copies of a k tile end here.
static __device__ inline void end_copies()
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Wait for all copies$(stages > 2 and " but those of the last k tile" or "").
static __device__ inline void await_copies()
{
  asm volatile("cp.async.wait_group $(stages - 2);" ::: "memory");
}
@ end
@ if load_ahead > 1 then

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
@ for _, x in ipairs(operands) do
@   local name <const>, vec <const> = x.name, x.vec

// Find the vectors of $(x.NAME) that this thread loads of each k tile. Past the edge, which
// is `left` away, it loads the last again: C keeps nothing of what comes of it.
static __device__ inline void place_$name(offset *at, int thread, int left, int $(x.ld))
{
#pragma unroll
  for (int i = 0; i < $(x.loads); i++) {
    int row = $(x.down) + i * $(x.step);
    int column = $(x.across) * $(x.load);
@   if x.turned then
    row = row < left ? row : left - 1;
@   else
    column = column < left ? column : left - $(x.load);
@   end
    at[i] = ((offset)row * $(x.ld) + column) * sizeof(float);
  }
}

@   if async == 1 then
@     local real <const> = ragged and ", " .. (x.turned and "k" or "k + i * " .. x.step) .. " < left" or ""
// Copy this thread's part of a k tile into LDS, where a row holds one k.
static __device__ inline void copy_$name(float *to, const float *tile, const offset *at,
                                     int thread$(ragged and ", int left" or ""))
{
@     if x.turned then
  int k = $(x.across);
@     else
  int k = $(x.down);
  int column = $(x.across) * $(x.load);
@     end
#pragma unroll
  for (int i = 0; i < $(x.loads); i++) {
@     if x.turned then
    int column = $(x.down) + i * $(x.step);
@       if x.xor > 0 then
    column ^= (k & $(x.xor)) * $(x.unit); // a few banks would take all else
@       end
@     end
    const float *from = (const float *)((const char *)tile + at[i]);
    copy<$(x.load)>(to + $(x.turned and "k" or "(k + i * " .. x.step .. ")") * $(x.stride) + column, from$real);
  }
}

@   else
@   if ragged then
// Load this thread's part of a k tile. If k ends in it, `left` on, zeros follow.
static __device__ inline void load_$name($vec *to, const float *tile, const offset *at,
                                     int thread, int left)
{
  if (left < $tile_k) {
#pragma unroll
    for (int i = 0; i < $(x.loads); i++) {
@     if x.turned then
      int k = $(x.across) * $(x.load);
@     else
      int k = $(x.down) + i * $(x.step);
@     end
      to[i] = $vec{};
      if (k < left)
        to[i] = *(const $vec *)((const char *)tile + at[i]);
    }
    return;
  }
@   else
// Load this thread's part of a k tile.
static __device__ inline void load_$name($vec *to, const float *tile, const offset *at)
{
@   end
#pragma unroll
  for (int i = 0; i < $(x.loads); i++)
    to[i] = *(const $vec *)((const char *)tile + at[i]);
}

@   if x.turned then
// Put it into LDS transposed, so that a row holds one k.
static __device__ inline void store_$name(float *tile, const $vec *from, int thread)
{
  int k = $(x.across) * $(x.load);
#pragma unroll
  for (int i = 0; i < $(x.loads); i++) {
    int column = $(x.down) + i * $(x.step);
@     if x.xor > 0 then
    column ^= (k / $(x.load) & $(x.xor)) * $(x.unit); // a few banks would take all else
@     end
    $vec v = from[i];
#pragma unroll
    for (int e = 0; e < $(x.load); e++)
      tile[(k + e) * $(x.stride) + column] = v[e];
  }
}
@   else
// Put it into LDS as it is: a row holds one k.
static __device__ inline void store_$name(float *tile, const $vec *from, int thread)
{
  int k = $(x.down);
  int column = $(x.across) * $(x.load);
#pragma unroll
  for (int i = 0; i < $(x.loads); i++)
    *($vec *)(tile + (k + i * $(x.step)) * $(x.stride) + column) = from[i];
}
@   end

@   end
// Read this thread's $(x.thread) elements of row k.
static __device__ inline void read_$name(float *to, const float *tile, int k, int column)
{
@   if x.xor > 0 then
  column ^= (k / $(x.load) & $(x.xor)) * $(x.unit);
@   end
#pragma unroll
  for (int f = 0; f < $(x.thread // x.width); f++) {
    int fixed = k * $(x.stride) + f * $(x.apart); // which an LDS instruction adds by itself
    $(x.fragment) v = *(const $(x.fragment) *)(tile + column + fixed);
#pragma unroll
    for (int e = 0; e < $(x.width); e++)
      to[f * $(x.width) + e] = v[e];
  }
}
@ end

// Add the product of $(slice_k > 1 and "a slice of the" or "the") tiles in LDS to the sums of this thread.
static __device__ inline void multiply(float sum[$thread_m][$thread_n], const float *a_tile,
                                       const float *b_tile, int row, int column)
{
  float a[$slots][$thread_m], b[$slots][$thread_n];
@ for ahead = 0, read_ahead - 1 do
  read_a(a[$ahead], a_tile, $ahead, row);
  read_b(b[$ahead], b_tile, $ahead, column);
@ end
#pragma unroll
  for (int k = 0; k < $slice_rows; k++) {
    int next = k + $read_ahead;
    if (next < $slice_rows) {
      read_a(a[next % $slots], a_tile, next, row);
      read_b(b[next % $slots], b_tile, next, column);
    }
#pragma unroll
    for (int i = 0; i < $thread_m; i++)
#pragma unroll
      for (int j = 0; j < $thread_n; j++)
        sum[i][j] += a[k % $slots][i] * b[k % $slots][j];
  }
}

@ for _, to in ipairs(stores) do
@   local args <const> = to.scaled and factors or ""
// Write the sums that lie inside of $(to.scaled and "C" or "m x n"). The thread's first is at (row, column).
static __device__ inline void $(to.name)(float *c, const float sum[$thread_m][$thread_n], int row,
                                      int column, int m, int n, int ldc$args)
{
#pragma unroll
  for (int i = 0; i < $thread_m; i++) {
    int y = row + i / $(A.width) * $(A.apart) + i % $(A.width);
    if (y >= m)
      continue;
#pragma unroll
    for (int j = 0; j < $thread_n; j += $(to.width)) {
      int x = column + j / $(B.width) * $(B.apart) + j % $(B.width);
      if (x >= n)
        continue;
      vec<$(to.width)> *to = (vec<$(to.width)> *)(c + (long long)y * ldc + x);
      vec<$(to.width)> v;
@   if to.scaled and beta ~= 0 then
      v = *to;
@   end
#pragma unroll
      for (int e = 0; e < $(to.width); e++)
@   if not to.scaled then
        v[e] = sum[i][j + e];
@   elseif beta ~= 0 then
        v[e] = alpha * sum[i][j + e] + beta * v[e];
@   else
        v[e] = alpha * sum[i][j + e];
@   end
      *to = v;
    }
  }
}

@ end
@ if slice_k > 1 then
// Add up the sums that $slice_k threads have of the same elements; slice 0 has them then.
static __device__ inline void gather(float sum[$thread_m][$thread_n],
                                     float (*other)[$(thread_m * thread_n * slice)],
                                     int slice, int thread)
{
  if (slice > 0)
#pragma unroll
    for (int i = 0; i < $(thread_m * thread_n); i++)
      other[slice - 1][i * $slice + thread] = sum[i / $thread_n][i % $thread_n];
  __syncthreads();
  if (slice == 0)
    for (int s = 0; s < $(slice_k - 1); s++)
#pragma unroll
      for (int i = 0; i < $(thread_m * thread_n); i++)
        sum[i / $thread_n][i % $thread_n] += other[s][i * $slice + thread];
}

@ end
// Add the product of k rows, from a and b on, to the sums of this thread. Beyond
// left_m rows and left_n columns C ends.
static __device__ inline void accumulate(float sum[$thread_m][$thread_n],
                                         float (*a_tile)[$(tile_k * A.stride)],
                                         float (*b_tile)[$(tile_k * B.stride)], const float *a,
                                         const float *b, int left_m, int left_n, int k,
                                         int lda, int ldb, int thread, int row, int column$slice_arg)
{
@ for _, x in ipairs(operands) do
@   local name <const>, ld <const> = x.name, x.ld
  offset $(name)_at[$(x.loads)];
  place_$name($(name)_at, thread, left_$(x.edge), $ld);
  long long $(name)_step = $(x.turned and tile_k .. "" or tile_k .. "ll * " .. ld);
@ end

  int tiles = (k - 1) / $tile_k + 1;
@ local function multiply(stage)
@   local function from(x) return sliced and sliced .. " * " .. x.stride or "" end
    multiply(sum, a_tile[$stage]$(from(A)), b_tile[$stage]$(from(B)), row, column);
@ end
@ if async == 1 then
@   local function copy(stage, tile, indent)
@     local left <const> = tile == 0 and "k" or "k - " .. tile .. " * " .. tile_k
@     local rest <const> = ragged and ", " .. left or ""
$(indent)copy_a(a_tile[$stage], a, a_at, thread$rest);
$(indent)copy_b(b_tile[$stage], b, b_at, thread$rest);
$(indent)a += a_step;
$(indent)b += b_step;
@   end
@   for stage = 0, stages - 2 do
  if (tiles > $stage) {
@     copy(stage, stage, "    ")
  }
  end_copies();
@   end
  for (int t = 0; t < tiles; t++) {
    await_copies();
    __syncthreads();
    int next = t + $(stages - 1); // goes where all have read tile t - 1
    if (next < tiles) {
@   copy("next % " .. stages, "next", "      ")
    }
    end_copies();
@   multiply("t % " .. stages)
  }
@ else
@ local function load(turn, tile, indent)
@   local k_left <const> = tile == 0 and "k" or "k - " .. tile .. " * " .. tile_k
@   local rest <const> = ragged and ", thread, " .. k_left or ""
$(indent)load_a(a_in$turn, a, a_at$rest);
$(indent)load_b(b_in$turn, b, b_at$rest);
$(indent)a += a_step;
$(indent)b += b_step;
@ end
@ for turn = 0, turns - 1 do
  $(A.vec) a_in$turn[$(A.loads)];
  $(B.vec) b_in$turn[$(B.loads)];
@ end
@ for turn = 0, load_ahead - 1 do
@   if turn > 0 then
  if (tiles > $turn) {
@   end
@   load(turn, turn, turn > 0 and "    " or "  ")
@   if turn > 0 then
  }
@   end
@ end
  for (int t = 0; t < tiles; t += $turns) {
@ for turn = 0, turns - 1 do
@   local stage <const> = stages == 1 and "0" or turns == 2 and turn or "t % 2"
@   local next <const> = "t + " .. turn + load_ahead
@   if turn > 0 then
    if (t + $turn == tiles)
      break;
@   end
@   if load_ahead == 0 then
@     load(turn, "t", "    ")
@   end
    store_a(a_tile[$stage], a_in$turn, thread);
    store_b(b_tile[$stage], b_in$turn, thread);
    $barrier();
@   if load_ahead > 0 then
    if ($next < tiles) {
@     load(turn, "(" .. next .. ")", "      ")
    }
@   end
@   multiply(stage)
@   if stages == 1 then
    $barrier();
@   end
@ end
  }
@ end
}

// The corner in C of a tile that $(raster == 1 and "is counted row by row" or "is counted down bands of " .. raster .. " rows of tiles:")
@ if raster > 1 then
// those that run together then share more of A and B in the cache.
@ end
static __device__ inline void place_tile(unsigned tile, int m, int n, int *first_m, int *first_n)
{
  unsigned across = (n + $(tile_n - 1)u) / $tile_n;
@ if raster == 1 then
  *first_m = tile / across * $tile_m;
  *first_n = tile % across * $tile_n;
@ else
  unsigned down = (m + $(tile_m - 1)u) / $tile_m;
  unsigned band = tile / (across * $raster) * $raster, inside = tile % (across * $raster);
  unsigned rows = down - band < $raster ? down - band : $raster;
  *first_m = (band + inside % rows) * $tile_m;
  *first_n = inside / rows * $tile_n;
@ end
}
@ if stream_k > 0 then

// How workgroups share the k tiles of all tiles of C. In rounds each of them takes
// one tile of C; the k tiles of those that are left over, fewer than two each, are
// one row, which they cut up evenly.
struct share {
  unsigned rounds, groups;
  int k_tiles;     // of a tile of C
  long long total; // k tiles in the row
};

static __device__ inline share share_out(int m, int n, int k, unsigned groups)
{
  unsigned tiles = (m + $(tile_m - 1)u) / $tile_m * ((n + $(tile_n - 1)u) / $tile_n);
  share s;
  s.groups = groups;
  s.rounds = tiles / groups;
  if (tiles % groups != 0 && s.rounds > 0)
    s.rounds--;
  s.k_tiles = (k - 1) / $tile_k + 1;
  s.total = (long long)(tiles - s.rounds * groups) * s.k_tiles;
  return s;
}

// Where in the row a workgroup begins, and the one before it ends.
static __device__ inline long long begin(share s, unsigned group)
{
  return s.total * group / s.groups;
}
@ end

extern "C" __global__ void __launch_bounds__($threads)
gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
     int m, int n, int k, int lda, int ldb, int ldc$scale_args$parts_arg)
{
  alignas(16) __shared__ float a_tile[$stages][$(tile_k * A.stride)];
  alignas(16) __shared__ float b_tile[$stages][$(tile_k * B.stride)];

  int thread = threadIdx.x, wave = thread / $(arch.wave), lane = thread % $(arch.wave);
@ if slice_k > 1 then
  // Slices of the workgroup share the rows of each k tile.
  __shared__ float other[$(slice_k - 1)][$(thread_m * thread_n * slice)];
  int slice = wave / $(slice // arch.wave);
  wave %= $(slice // arch.wave);
@ end
  int row = (wave / $waves_n * $wave_m + lane / $wave_n) * $(A.width);
  int column = (wave % $waves_n * $wave_n + lane % $wave_n) * $(B.width);

@ local own <const> = slice_k > 1 and "    " or "  "
@ -- The corner of a tile of A or B that begins at row first_k.
@ local function corner(x, first_k)
@   local first <const> = "first_" .. x.edge
@   local along <const> = x.turned and "(long long)" .. first .. " * " .. x.ld or first
@   if not first_k then return x.name .. " + " .. along end
@   return x.name .. " + " .. along .. (x.turned and " + " .. first_k
@                                       or " + (long long)" .. first_k .. " * " .. x.ld)
@ end
@ local function accumulate(first_k, length, indent)
$(indent)float sum[$thread_m][$thread_n] = {};
$(indent)accumulate(sum, a_tile, b_tile, $(corner(A, first_k)),
$(indent)           $(corner(B, first_k)), m - first_m, n - first_n, $length,
$(indent)           lda, ldb, thread, row, column$(slice_k > 1 and ", slice" or ""));
@   if slice_k > 1 then
$(indent)gather(sum, other, slice, thread % $slice);
@   end
@ end
@ if stream_k > 0 then
  unsigned group = blockIdx.x;
  share s = share_out(m, n, k, groups);
  long long at = begin(s, group), end = begin(s, group + 1);
  for (unsigned round = 0; round < s.rounds || at < end; round++) {
    unsigned tile = round * s.groups + group;
    int first = 0, tiles = s.k_tiles; // k tiles
    if (round >= s.rounds) {
      tile = s.rounds * s.groups + (unsigned)(at / s.k_tiles);
      first = (int)(at % s.k_tiles);
      tiles = tiles - first < end - at ? tiles - first : (int)(end - at);
      at += tiles;
    }
    int first_m, first_n, first_k = first * $tile_k;
    place_tile(tile, m, n, &first_m, &first_n);
    int length = k - first_k < tiles * $tile_k ? k - first_k : tiles * $tile_k;
@   accumulate("first_k", "length", "    ")
    // The first part of a group begins a tile of C, the second goes on with one.
    if ($(slice_k > 1 and "slice == 0 && " or "")tiles == s.k_tiles)
      store_c(c, sum, first_m + row, first_n + column, m, n, ldc$scale);
    else$(slice_k > 1 and " if (slice == 0)" or "")
      store_sums(parts + (2ll * group + (first > 0)) * $(tile_m * tile_n), sum, row, column,
                 $tile_m, $tile_n, $tile_n);
    __syncthreads(); // all have read the last k tile
  }
@ else
  int first_m, first_n;
  place_tile(blockIdx.x, m, n, &first_m, &first_n);
@   if split_k > 1 then

  // Part z of k; its sums are plane z of c.
  int part = ((k - 1) / $(tile_k * split_k) + 1) * $tile_k;
  int first_k = blockIdx.z * part;
  k = k - first_k < part ? k - first_k : part;
  c += (long long)blockIdx.z * m * n;
@     accumulate("first_k", "k", "  ")
@     if slice_k > 1 then
  if (slice == 0)
@     end
$(own)store_sums(c, sum, first_m + row, first_n + column, m, n, n);
@   else
@     accumulate(nil, "k", "  ")
@     if slice_k > 1 then
  if (slice == 0)
@     end
$(own)store_c(c, sum, first_m + row, first_n + column, m, n, ldc$scale);
@   end
@ end
}
@ if stream_k > 0 then

// Add the parts of tiles of C up, each tile by the group that began it.
extern "C" __global__ void __launch_bounds__(256)
join(const float *__restrict__ parts, float *__restrict__ c,
     int m, int n, int k, int ldc$factors, int groups)
{
  unsigned group = blockIdx.x, i = blockIdx.z * 256u + threadIdx.x;
  share s = share_out(m, n, k, groups);
  long long end = begin(s, group + 1), first = end / s.k_tiles * s.k_tiles;
  if (end == first || begin(s, group) > first)
    return; // no tile is begun and left to others
  int first_m, first_n;
  place_tile(s.rounds * s.groups + (unsigned)(first / s.k_tiles), m, n, &first_m, &first_n);
  int y = first_m + i / $tile_n, x = first_n + i % $tile_n;
  if (i >= $(tile_m * tile_n) || y >= m || x >= n)
    return;
  float sum = parts[2ull * group * $(tile_m * tile_n) + i];
  while (begin(s, ++group) < first + s.k_tiles)
    if (begin(s, group) < begin(s, group + 1)) // it has a part
      sum += parts[(2ull * group + 1) * $(tile_m * tile_n) + i];
  float *to = c + (long long)y * ldc + x;
  *to = alpha * sum$(beta ~= 0 and " + beta * *to" or "");
}
@ end
@ if split_k > 1 then

// Add the $split_k planes of sums up into C.
extern "C" __global__ void __launch_bounds__(256)
reduce(const float *__restrict__ planes, float *__restrict__ c,
       int m, int n, int ldc$factors)
{
  unsigned i = blockIdx.x * 256u + threadIdx.x, size = (unsigned)m * n;
  if (i >= size)
    return;
  float sum = 0;
#pragma unroll
  for (int z = 0; z < $split_k; z++)
    sum += planes[(unsigned long long)z * size + i];
  float *to = c + (unsigned long long)(i / n) * ldc + i % n;
  *to = alpha * sum$(beta ~= 0 and " + beta * *to" or "");
}
@ end
