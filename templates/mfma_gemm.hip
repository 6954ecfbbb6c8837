@ local loop <const> = include "parts/loop.hip"
@ local operand_of <const> = include "parts/operand.lua"
@ local matrix <const> = include "parts/matrix.lua"
@ local types <const> = include "parts/types.lua"
@
@ local T <const>, M <const> = types.text(problem, arch), matrix.text(cfg, problem)
@ local A <const> = matrix.numbers(operand_of.A, cfg, problem, arch)
@ local B <const> = matrix.numbers(operand_of.B, cfg, problem, arch)
@ local both <const> = { A, B }
@ local direct <const>, split <const> = load == "dma", split_k > 1
@ local fill <const> = k % tile_k ~= 0
@ local tile <const> = include("parts/matrix_tile.hip", M.size, fill)
@ local store <const> = include "parts/store.hip"
@
@ -- Offsets inside of a tile take 32 bits where its bytes can be counted so.
@ local function far(x) return x.rows * problem[x.names.ld] * M.size >= 1 << 32 end
@ local far <const> = far(A) or far(B)
@ local factors <const> = ", float alpha" .. (beta ~= 0 and ", float beta" or "")
@ local sum <const> = T.whole and "int" or T.sum
@ local steps <const> = tile_k * M.size // matrix.step(cfg, arch) -- reads of a k tile
@ local flying <const> = ahead * (A.loads + B.loads) -- loads that need not have come
@ local pingpong <const>, interleave <const> = schedule == "pingpong", schedule == "interleave"
@ local waves <const> = waves_m * waves_n
@
// C = alpha op(A) op(B) + beta C, row-major, on the matrix cores.
//
// A workgroup makes $tile_m x $tile_n of C$(split and ", of a part of k" or ""). k tiles of A and B go
// into LDS $(direct and "past the registers" or "through registers"), $stages at a time. Each of $waves_m x $waves_n waves has a part:
// a lane reads $read bytes of a row of A and of a column of B, and v_mfma of shape
// $shape x $shape adds the products of all lanes.
@ if pingpong then
// Half of the waves is one barrier behind the other: while one half
// multiplies, the other reads from LDS and has the next k tile copied.
@ elseif interleave then
// While a wave multiplies what it read, it reads what it multiplies next, and
// loads of the next k tile go out in between.
@ end
//
// Any m, n and k will do as long as
//   A, B and C start at multiples of 16 bytes
@ if not far then
//   a tile of A or B spans less than 4 GiB of memory
@ end
@ if not fill then
//   k is a multiple of $tile_k
@ end
@ for _, x in ipairs(both) do
@   if x.width > M.size then
//   $(x.turned and "k" or x.names.edge) and $(x.names.ld) are multiples of $(x.width // M.size)
@   end
@ end

@ include "parts/vec.hip"
typedef $(T.element) element; // $(T.plain and "of A and B" or "the bits of " .. T.name)
@ if not T.plain then
@   include("parts/convert.hip", true)

@ end
constexpr int lanes = $(arch.wave), waves_m = $waves_m, waves_n = $waves_n;
constexpr int threads = waves_m * waves_n * lanes;
constexpr int tile_m = $tile_m, tile_n = $tile_n, tile_k = $tile_k; // of a workgroup
constexpr int wave_m = tile_m / waves_m, wave_n = tile_n / waves_n; // of a wave
// Of a matrix instruction: rows and columns; lanes that share one of them.
constexpr int shape = $shape, groups = lanes / shape;
constexpr int read = $read; // bytes of a lane's read from LDS
@ if steps > 1 then
constexpr int steps = $steps; // reads of a k tile
@ end
constexpr int stages = $stages; // k tiles in LDS
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ for _, x in ipairs(both) do
@   tile.constants(x)
@ end

typedef vec<unsigned, read / 4> fragment; // what a lane reads
typedef $(M.operand) operand; // what an instruction takes of it
@ if M.packs > 1 then
constexpr int packs = $(M.packs); // so often
@ end
typedef vec<$sum, shape * shape / lanes> sums; // what a lane has of its sums
// Bytes from the corner of a tile in memory.
typedef unsigned $(far and "long long " or "")offset;
@ if direct then

// Every lane's `width` bytes from memory to LDS, lane after lane from `to` on,
// which is the same in all lanes. The s_nop is for M0, which says where.
template <int width>
static __device__ inline void copy(char *to, const char *from)
{
  typedef __attribute__((address_space(3))) char in_lds;
  unsigned at = (unsigned)(unsigned long long)(in_lds *)to;
@ for _, bytes in ipairs(A.width == B.width and { A.width } or { 4, 16 }) do
  if (width == $bytes)
    asm volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\t"
                 "global_load_lds_dword$(bytes == 16 and "x4" or "") %1, off"
                 :: "s"(at), "v"(from) : "memory");
@ end
}

// All but the last n copies of this wave have come, and the waves meet.
template <int n> static __device__ inline void meet()
{
  asm volatile("s_waitcnt vmcnt(%0)\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier"
               :: "i"(n) : "memory");
}
@ end
@ if pingpong then

// The waves meet; what they wait for is under way.
static __device__ inline void pass()
{
  asm volatile("s_barrier" ::: "memory");
}

// The compiler moves nothing over this place.
static __device__ inline void hold()
{
  __builtin_amdgcn_sched_barrier(0);
}
@ end
@ for _, x in ipairs(both) do
@   tile.place(x)
@   if direct then
@     tile.past(x)
@   else
@     tile.through(x)
@   end
@   tile.read(x)
@ end

@ if M.packs == 1 then
static __device__ inline operand take(fragment x)
{
  return __builtin_bit_cast(operand, x);
}
@ else
@   local words <const> = operand // 4
// Operand p of what a lane read.
static __device__ inline operand take(fragment x, int p)
{
@   if words == 1 then
  return __builtin_bit_cast(operand, (unsigned)x[p]);
@   else
  vec<unsigned, $words> own;
#pragma unroll
  for (int i = 0; i < $words; i++)
    own[i] = x[p * $words + i];
  return __builtin_bit_cast(operand, own);
@   end
}
@ end

// Add the products of what was read to the sums of this wave's blocks.
static __device__ inline void add(sums (*sum)[$(tile.count(B, "blocks"))],
                                  const fragment *a, const fragment *b)
{
@ local pick <const> = M.packs > 1 and ", p" or ""
@ if setprio == 1 then
  __builtin_amdgcn_s_setprio(1); // before waves that do not multiply
@ end
@ loop.block("p", M.packs, "packs", function ()
@   indent(2, loop.block, "i", A.blocks, "a_blocks", function (i)
@     indent(2, loop.block, "j", B.blocks, "b_blocks", function (j)
    sum[$i][$j] = $(M.builtin)(
        take(a[$i]$pick), take(b[$j]$pick), sum[$i][$j], 0, 0, 0);
@     end)
@   end)
@ end)
@ if setprio == 1 then
  __builtin_amdgcn_s_setprio(0);
@ end
}
@ if schedule == "plain" then

// Add the product of a k tile to them.
static __device__ inline void multiply(sums (*sum)[$(tile.count(B, "blocks"))],
                                       const char *a_tile, const char *b_tile,
                                       int row, int column, int group)
{
@   loop.block("s", steps, "steps", function (s, step)
    fragment a[$(tile.count(A, "blocks"))], b[$(tile.count(B, "blocks"))];
    read_a(a, a_tile, row, group$(step("groups")));
    read_b(b, b_tile, column, group$(step("groups")));
    add(sum, a, b);
@   end)
}
@ end
@ if interleave then
@   local products <const>, reads <const> = M.packs * A.blocks * B.blocks, A.blocks + B.blocks

// Matrix instructions stand between LDS reads here (LLVM 16 and on).
static __device__ inline void mix()
{
#if __has_builtin(__builtin_amdgcn_sched_group_barrier)
@   local turns <const> = math.min(products, reads)
@   loop.block("i", turns, tostring(turns), function ()
    __builtin_amdgcn_sched_group_barrier(0x100, $(math.max(reads // products, 1)), 0);
    __builtin_amdgcn_sched_group_barrier(0x8, $(math.max(products // reads, 1)), 0);
@   end)
#endif
}
@ end
@ if accumulators ~= "any" then

// The sums stay in $(accumulators == "agprs" and "AGPRs" or "VGPRs").
static __device__ inline void keep(sums (*sum)[$(tile.count(B, "blocks"))])
{
@   loop.block("i", A.blocks, "a_blocks", function (i)
@     indent(2, loop.block, "j", B.blocks, "b_blocks", function (j)
    asm volatile("" : "+$(accumulators == "agprs" and "a" or "v")"(sum[$i][$j]));
@     end)
@   end)
}
@ end

extern "C" __global__ void __launch_bounds__(threads)
mfma_gemm(const char *__restrict__ a, const char *__restrict__ b,
          $(split and T.sum or T.c_element) *__restrict__ c, int m, int n, int k, int lda, int ldb,
          int ldc$(split and "" or factors))
{
  alignas(16) __shared__ char a_tile[stages][a_rows * a_stride];
  alignas(16) __shared__ char b_tile[stages][b_rows * b_stride];
  int thread = threadIdx.x, lane = thread % lanes;
  int wave = __builtin_amdgcn_readfirstlane(thread / lanes);
  int group = lane / shape; // of the lanes that have one part of k
  int row = wave / waves_n * wave_m + lane % shape; // of the first block
  int column = wave % waves_n * wave_n + lane % shape;
  int across = (n + tile_n - 1u) / tile_n; // tiles of C
@ local at <const> = (dies > 0 or raster > 1) and "at" or "blockIdx.x"
@ if at == "at" then
  unsigned at = blockIdx.x; // of the tiles
  unsigned down = (m + tile_m - 1u) / tile_m;
@ end
@ if dies > 0 then
  // Workgroups go to the $(arch.dies) dies by turns: each die gets tiles in a row.
  unsigned whole = down * across / $(arch.dies);
  if (at < whole * $(arch.dies))
    at = at % $(arch.dies) * whole + at / $(arch.dies);
@ end
@ if raster > 1 then
  // $raster rows of tiles, column by column, then the next rows.
  unsigned above = at / ($raster * across) * $raster;
  unsigned high = down - above < $raster ? down - above : $raster;
  at -= above * across;
  int first_m = (above + at % high) * tile_m, first_n = at / high * tile_n;
@ else
  int first_m = $at / across * tile_m;
  int first_n = $at % across * tile_n;
@ end

@ local first <const> = split and "first_k" or nil
@ if split then
  // Part z of k; its sums are plane z of c.
  int part = ((k - 1) / (tile_k * split_k) + 1) * tile_k;
  int first_k = blockIdx.z * part;
  k = k - first_k < part ? k - first_k : part;
  c += (long long)blockIdx.z * m * n;
@ end
@ for _, x in ipairs(both) do
@   local name <const>, ld <const>, edge <const> = x.name, x.names.ld, "first_" .. x.names.edge
@   local bytes <const> = M.size > 1 and " * " .. M.size or ""
@   local along <const> = "(long long)" .. (x.turned and edge or first or "tile_k") .. " * " .. ld
@   local corner <const> = x.turned and along .. (first and " + " .. first or "") or
@                          (first and along .. " + " or "(long long)") .. edge
  $name += $(bytes ~= "" and (x.turned or first) and "(" .. corner .. ")" or corner)$bytes;
@   local step <const> = x.turned and "tile_k" or "(long long)tile_k * " .. ld
  long long $(name)_next = $step$bytes; // from tile to tile
  offset $(name)_at[$(tile.count(x, "loads"))];
  place_$name($(name)_at, thread, $(x.names.edge) - $edge, $ld);
@ end
  sums sum[$(tile.count(A, "blocks"))][$(tile.count(B, "blocks"))] = {};
  int tiles = (k - 1) / tile_k + 1;
@ local function advance()
    a += a_next;
    b += b_next;
@ end
@ -- Reads of step s from a k tile in LDS, into fragments.
@ local function read(to, stage, s, step)
    read_a(a_$to, a_tile[$stage], row, group$(step("groups")));
    read_b(b_$to, b_tile[$stage], column,
           group$(step("groups")));
@ end
@ local function fragments(name, count)
    fragment a_$name$(count)[$(tile.count(A, "blocks"))];
    fragment b_$name$(count)[$(tile.count(B, "blocks"))];
@ end
@
@ -- Multiply the k tile of a stage. bring: text that loads of the next tile what is
@ -- for step s of `steps`, if any is left.
@ local function plain(stage, bring)
@   if bring then indent(-2, bring, "0", 1) end
    multiply(sum, a_tile[$stage], b_tile[$stage], row, column, group);
@ end
@ local function in_turns(stage, bring)
@   indent(2, loop.block, "s", steps, "steps", function (s, step)
@     fragments("own", "")
    pass(); // the other waves multiply
@     read("own", stage, s, step)
@     if bring then
    hold();
@       if steps > 1 then
    if (s == 0) {
@         indent(2, bring, "0", 1)
    }
@       else
@         bring("0", 1)
@       end
@     end
    hold();
    pass(); // the other waves read
    hold();
    add(sum, a_own, b_own);
    hold();
@   end)
@ end
@ local function interleaved(stage, bring)
@   fragments("own", "[2]")
@   read("own[0]", stage, "0", function () return "" end)
#pragma unroll
    for (int s = 0; s < steps; s++) {
@   if bring then indent(2, bring, "s", "steps") end
      int next = s + 1;
      if (next < steps) {
@   indent(4, read, "own[next % 2]", stage, "next", function (each)
@     return " + next * " .. each
@   end)
      }
      add(sum, a_own[s % 2], b_own[s % 2]);
      mix();
    }
@ end
@ local multiply <const> = ({ plain = plain, pingpong = in_turns, interleave = interleaved })[schedule]
@ local function held()
@   if accumulators ~= "any" then
    keep(sum);
@   end
@ end
@
@ local function advance(s, by)
@   if by ~= 1 then
    if ($s + 1 == $by) {
      a += a_next;
      b += b_next;
    }
@   else
    a += a_next;
    b += b_next;
@   end
@ end
@ if direct then
@   local function copy(stage, s, by)
@     local which <const> = interleave and s .. ", " .. by .. ", " or ""
    copy_a(a_tile[$stage], a, $(which)a_at, wave);
    copy_b(b_tile[$stage], b, $(which)b_at, wave);
@     advance(s, by)
@   end
@   local last <const> = stages - 1
@   indent(-2, copy, "0", "0", 1)
@   for stage = 1, stages - 2 do
  if (tiles > $stage) {
@     copy(stage, "0", 1)
  }
@   end
@   if pingpong then
  int late = wave >= $(waves // 2);
  if (late)
    pass();
@   end
  int t = 0;
  for (; t + $last < tiles; t++) {
@   held()
    meet<$flying>(); // tile t is there, and all have read t - 1
@   multiply("t % stages", function (s, by) copy("(t + " .. last .. ") % stages", s, by) end)
  }
  for (; t < tiles; t++) {
    meet<0>();
@   multiply("t % stages")
  }
@   if pingpong then
  if (!late)
    pass();
@   end
@ else
@   local stage <const> = stages == 1 and "0" or "t % stages"
@   local function bring(tile, s, by)
@     local rest <const> = fill and ", thread, k - " .. tile .. " * tile_k" or ""
@     local which <const> = interleave and s .. ", " .. by .. ", " or ""
    load_a(a_in, a, $(which)a_at$rest);
    load_b(b_in, b, $(which)b_at$rest);
@     advance(s, by)
@   end
@   local function next(s, by) bring("(t + 1)", s, by) end
@   local function store()
@     held()
    store_a(a_tile[$stage], a_in, thread);
    store_b(b_tile[$stage], b_in, thread);
    __syncthreads();
@   end
  a_load a_in[$(tile.count(A, "loads"))];
  b_load b_in[$(tile.count(B, "loads"))];
@   indent(-2, bring, "0", "0", 1)
@   if interleave then
  int t = 0;
  for (; t + 1 < tiles; t++) {
@     store()
@     multiply(stage, next)
@     if stages == 1 then
    __syncthreads();
@     end
  }
@     indent(-2, store)
  {
@     multiply(stage)
  }
@   else
  for (int t = 0; t < tiles; t++) {
@     store()
    if (t + 1 < tiles) {
@     indent(2, next, "0", 1)
    }
@     multiply(stage)
@     if stages == 1 then
    __syncthreads();
@     end
  }
@   end
@ end

  // Of a block's sums a lane has those of one column and of $(T.sum == "double" and "every fourth row" or "fours of rows").
  int first_y = first_m + wave / waves_n * wave_m, first_x = first_n + column;
@ loop.block("i", A.blocks, "a_blocks", function (i, down)
@   indent(2, loop.block, "j", B.blocks, "b_blocks", function (j, right)
@     indent(2, loop.block, "r", M.sums, tostring(M.sums), function (r)
    int y = first_y$(down("shape")) + $(M.row);
    int x = first_x$(right("shape"));
    if (y >= m || x >= n)
      continue;
    $(split and T.sum or T.c_element) *to = c + (long long)y * ldc + x;
    *to = $(split and "sum[" .. i .. "][" .. j .. "][r]" or store.scaled("sum[" .. i .. "][" .. j .. "][r]", "*to"));
@     end)
@   end)
@ end)
}
@ if split then
@   include("parts/reduce.hip", factors, false)
@ end
