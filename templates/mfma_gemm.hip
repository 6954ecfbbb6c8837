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
@ local sum <const> = T.whole and "int" or "float"
@ local steps <const> = tile_k * M.size // matrix.step(cfg, arch) -- reads of a k tile
@ local flying <const> = (stages - 2) * (A.loads + B.loads) -- loads that need not have come
@
// C = alpha op(A) op(B) + beta C, row-major, on the matrix cores.
//
// A workgroup makes $tile_m x $tile_n of C$(split and ", of a part of k" or ""). k tiles of A and B go
// into LDS $(direct and "past the registers" or "through registers"), $stages at a time. Each of $waves_m x $waves_n waves has a part:
// a lane reads $read bytes of a row of A and of a column of B, and v_mfma of shape
// $shape x $shape adds the products of all lanes.
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

// Every lane's `width` bytes from memory to LDS, lane after lane from `to` on.
// The s_nop is for M0, which says where.
template <int width>
static __device__ inline void copy(char *to, const char *from)
{
  typedef __attribute__((address_space(3))) char in_lds;
  unsigned at = (unsigned)(unsigned long long)(in_lds *)to;
  at = __builtin_amdgcn_readfirstlane(at);
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

// Add the product of a k tile to the sums of this wave's blocks.
static __device__ inline void multiply(sums (*sum)[$(tile.count(B, "blocks"))],
                                       const char *a_tile, const char *b_tile,
                                       int row, int column, int group)
{
@ local pick <const> = M.packs > 1 and ", p" or ""
@ loop.block("s", steps, "steps", function (s, step)
    fragment a[$(tile.count(A, "blocks"))], b[$(tile.count(B, "blocks"))];
    read_a(a, a_tile, row, group$(step("groups")));
    read_b(b, b_tile, column, group$(step("groups")));
@   indent(2, loop.block, "p", M.packs, "packs", function ()
@     indent(2, loop.block, "i", A.blocks, "a_blocks", function (i)
@       indent(2, loop.block, "j", B.blocks, "b_blocks", function (j)
    sum[$i][$j] = $(M.builtin)(
        take(a[$i]$pick), take(b[$j]$pick), sum[$i][$j], 0, 0, 0);
@       end)
@     end)
@   end)
@ end)
}

extern "C" __global__ void __launch_bounds__(threads)
mfma_gemm(const char *__restrict__ a, const char *__restrict__ b,
          $(split and T.sum or T.c_element) *__restrict__ c, int m, int n, int k, int lda, int ldb,
          int ldc$(split and "" or factors))
{
  alignas(16) __shared__ char a_tile[stages][a_rows * a_stride];
  alignas(16) __shared__ char b_tile[stages][b_rows * b_stride];
  int thread = threadIdx.x, wave = thread / lanes, lane = thread % lanes;
  int group = lane / shape; // of the lanes that have one part of k
  int row = wave / waves_n * wave_m + lane % shape; // of the first block
  int column = wave % waves_n * wave_n + lane % shape;
  int across = (n + tile_n - 1u) / tile_n; // tiles of C
  int first_m = blockIdx.x / across * tile_m;
  int first_n = blockIdx.x % across * tile_n;

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
@ if direct then
@   local function copy(stage)
    copy_a(a_tile[$stage], a, a_at, wave);
    copy_b(b_tile[$stage], b, b_at, wave);
@     advance()
@   end
@   indent(-2, copy, 0)
@   for stage = 1, stages - 2 do
  if (tiles > $stage) {
@     copy(stage)
  }
@   end
  for (int t = 0; t < tiles; t++) {
@   if flying > 0 then
    if (t + 1 < tiles)
      meet<$flying>(); // tile t is there, and t + 1 under way
    else
      meet<0>();
@   else
    meet<0>();
@   end
    if (t + $(stages - 1) < tiles) { // goes where all have read tile t - 1
@   indent(2, copy, "(t + " .. stages - 1 .. ") % stages")
    }
    multiply(sum, a_tile[t % stages], b_tile[t % stages], row, column, group);
  }
@ else
@   local stage <const> = stages == 1 and "0" or "t % stages"
@   local function bring(tile)
@     local rest <const> = fill and ", thread, k - " .. tile .. " * tile_k" or ""
    load_a(a_in, a, a_at$rest);
    load_b(b_in, b, b_at$rest);
@     advance()
@   end
  a_load a_in[$(tile.count(A, "loads"))];
  b_load b_in[$(tile.count(B, "loads"))];
@   indent(-2, bring, "0")
  for (int t = 0; t < tiles; t++) {
    store_a(a_tile[$stage], a_in, thread);
    store_b(b_tile[$stage], b_in, thread);
    __syncthreads();
    if (t + 1 < tiles) {
@   indent(2, bring, "(t + 1)")
    }
    multiply(sum, a_tile[$stage], b_tile[$stage], row, column, group);
@   if stages == 1 then
    __syncthreads();
@   end
  }
@ end

@ local rows <const> = M.sums > 4 and "group * 4 + r / 4 * 8 + r % 4" or "group * 4 + r"
  // Of a block's sums a lane has those of one column and of fours of rows.
  int first_y = first_m + wave / waves_n * wave_m, first_x = first_n + column;
@ loop.block("i", A.blocks, "a_blocks", function (i, down)
@   indent(2, loop.block, "j", B.blocks, "b_blocks", function (j, right)
@     indent(2, loop.block, "r", M.sums, tostring(M.sums), function (r)
    int y = first_y$(down("shape")) + $rows;
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
