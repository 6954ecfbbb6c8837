@ local loop <const> = include "parts/loop.hip"
@ local t <const> = include("parts/quant.lua").of(problem)
@ local each <const> = t.elements // t.unit -- units of a block
@ local wave <const> = arch.wave
@ local split <const>, apart <const> = split_k > 1, quantise == "apart"
@ local gated <const> = swiglu == 1
@ local products <const> = m3 ~= 0 and 3 or m2 ~= 0 and 2 or 1
@ local joined <const> = products > 1
@ local function named(name, i) return i == 1 and name or name .. i end
@ -- What there is of each product: w, w2, w3.
@ local function of_each(before, name, between)
@   local text = before .. name
@   for i = 2, products do text = text .. between .. before .. named(name, i) end
@   return text
@ end
@ local part <const> = (k // t.elements + split_k - 1) // split_k * each -- units
@ local step <const> = depth * lanes_k * waves_k
@ local ragged <const> = part % step ~= 0 or k // t.unit % part ~= 0
@
@ if gated then
// C = silu(W X) * (U X): W and U are $dtype, m rows of k numbers; X has $n
// column$(n > 1 and "s" or "") of activations, and silu(x) is x / (1 + e^-x).
@ else
// C = W X: W is $dtype, m rows of k numbers; X has $n column$(n > 1 and "s" or "") of activations.
@ end
@ if joined then
// There are $products such products of the same X: $(of_each("", "w", ", ")) have $(of_each("", "m", ", "))
// rows, and $(split and "the parts of their results are neighbours in c" or "their results go to " .. of_each("", "c", ", ")).
@ end
//
// A workgroup brings $(split and "its part of " or "")X as q8_1 into LDS, and takes blocks of rows.
// $lanes_k lanes$(waves_k > 1 and " of each of " .. waves_k .. " waves" or "") share a row: at a step each loads $rows x $depth units.
//
// Any m will do, and any k
//   that is a multiple of $(ragged and t.elements or math.max(step * t.unit * split_k, t.elements)), and at most $(part * t.unit * split_k)
// as long as W spans less than 4 GiB, and W$(problem.x == "f32" and "" or ", X") and C start at multiples of 16
// bytes.

@ local quant <const> = include("parts/quant.hip", layout)
@ local unit_from_k <const>, chunk_from_k <const> = quant.place("at")
@ local plus <const>, times <const>, index <const> = quant.plus, quant.times, quant.index

constexpr int columns = $n, rows = $rows;
constexpr int sums = rows * columns; // of a lane
// Lanes of a wave, and waves of the workgroup, that share a row.
constexpr int lanes = $wave, lanes_k = $lanes_k, lanes_r = lanes / lanes_k;
constexpr int waves_k = $waves_k, waves_r = $waves_r;
constexpr int threads = lanes * waves_k * waves_r;
constexpr int group_rows = waves_r * lanes_r * rows;
constexpr int depth = $depth, lanes_step = waves_k * lanes_k; // units
constexpr int block_units = block_numbers / unit;
constexpr int kept = $part; // units of X in LDS, at most
constexpr int kept_x = kept * unit / 32; // blocks of 32
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if problem.x == "f32" then
@   quant.quantiser(apart)
@ end
@ include "parts/barrier.hip"

// Load a unit of each row: v of rows that begin at these blocks.
static __device__ inline void
load_units(quad (*q)[quads], unsigned (*s)[scale_words], const char *w,
           const unsigned *row, int v, int units, unsigned blocks)
{
@ if ragged then
  v = v < units ? v : units - 1; // multiply() knows
@ end
@ loop.line("r", rows, "rows", function (r)
@   if layout == "panels" then
    load_unit(q[$r], s[$r], w, row[$r] + v / block_units * panel,
              v % block_units, blocks);
@   else
    load_unit(q[$r], s[$r], w, row[$r] + v / block_units, v % block_units,
              blocks);
@   end
@ end)
}

// Load this lane's units of a step, from unit u on.
static __device__ inline void
load_step(quad (*q)[quads], unsigned (*s)[scale_words], const char *w,
          const unsigned *row, int u, int units, unsigned blocks)
{
@ loop.line("d", depth, "depth", function (d)
@   local first <const> = times(d, "rows")
    load_units($(plus("q", first)), $(plus("s", first)), w, row,
               $(plus("u", times(d, "lanes_step"))), units, blocks);
@ end)
}

@ if ahead > 0 then
// Add the products of these units to this lane's sums. As soon as they are
// decoded, load those of the next step, from unit `next` of other rows on.
@ else
// Add the products of these units to this lane's sums.
@ end
static __device__ inline void
multiply(float *sum, quad (*q)[quads], unsigned (*s)[scale_words],
@ if ahead > 0 then
         const char *from, const unsigned *row, int next, unsigned blocks,
@ end
         const quad *x_q, const unsigned *x_s, int u, int units)
{
@ loop.block("d", depth, "depth", function (d)
    int v = $(plus("u", times(d, "lanes_step")));
    unsigned w[rows][chunks][4];
    float scale[rows][groups]$(t.least and ", least[rows][groups]" or "");
@   if ragged then
    bool real = v < units;
    v = real ? v : units - 1;
@   end
@   indent(2, loop.block, "r", rows, "rows", function (r)
@     local at <const> = index(d, "rows", r)
    decode(w[$r], scale[$r], $(t.least and "least[" .. r .. "], " or "")q[$at], s[$at],
           v % block_units);
@     if ragged then
@       indent(2, quant.each_group, function (g)
    scale[$r][$g] = real ? scale[$r][$g] : 0;
@         if t.least then
    least[$r][$g] = real ? least[$r][$g] : 0;
@         end
@       end)
@     end
@   end)
@   if ahead > 0 then
@     local first <const> = times(d, "rows")
    load_units($(plus("q", first)), $(plus("s", first)), from, row,
               $(plus("next", times(d, "lanes_step"))), units, blocks);
    asm volatile("" ::: "memory"); // before the products, not after
@   end
@   indent(2, loop.block, "c", n, "columns", function (c)
@     indent(2, quant.each_group, function (g)
    int dot[rows] = {};
@       indent(2, quant.each_chunk, function (h)
@         local chunk <const> = quant.chunk_of(g, h)
    quad x = x_q[$(index(index(c, "chunks", chunk), "kept", "v"))];
#pragma unroll
    for (int i = 0; i < 4; i++) {
@         indent(2, loop.block, "r", rows, "rows", function (r)
    int y = w[$r][$chunk][i];
    dot[$r] = __builtin_amdgcn_sdot4(y, x[i], dot[$r], false);
@         end)
    }
@       end)
    int at = $(index(c, "kept_x", quant.x_block("v", g)));
    unsigned s_x = x_s[at]; // f16 become f32 where they are multiplied
@       indent(2, loop.block, "r", rows, "rows", function (r)
@         local to <const> = index(r, "columns", c)
    sum[$to] += scale[$r][$g] * (float)dot[$r] * widen(s_x);
@         if t.least then
    sum[$to] += least[$r][$g] * widen(s_x >> 16);
@         end
@       end)
@     end)
@   end)
@ end)
}

// x of the lane whose number differs in the bits of the mask, or of any that
// has the same as that one when masks come in the order 1, 2, 4 ...
template <int mask>
static __device__ inline float from_lane(float x, int lane)
{
  int y = __builtin_bit_cast(int, x);
  if (mask >= 16)
    y = __builtin_amdgcn_ds_bpermute(4 * (lane ^ mask), y);
  else if (mask == 8) // turns 16 lanes round
    y = __builtin_amdgcn_mov_dpp(y, 0x140, 0xf, 0xf, true);
  else if (mask == 4) // 8 lanes
    y = __builtin_amdgcn_mov_dpp(y, 0x141, 0xf, 0xf, true);
  else
    y = __builtin_amdgcn_mov_dpp(y, mask == 2 ? 0x4e : 0xb1, 0xf, 0xf, true);
  return __builtin_bit_cast(float, y);
}

@ local up <const> = gated and "const char *__restrict__ up,\n     " or ""
@ local line <const> = ",\n     "
@ local weights <const> = of_each("const char *__restrict__ ", "w", line)
@ local results <const> = split and "float *__restrict__ c" or of_each("float *__restrict__ ", "c", line)
@ local up_sums <const> = gated and ", up_sum[sums] = {}" or ""
@ if gated then
@   include "parts/exponential.hip"

@   include "parts/silu.hip"

@ end
extern "C" __global__ void __launch_bounds__(threads)
@ if apart then
@   if joined then
mmvq($weights,
     const signed char *__restrict__ xq, const unsigned *__restrict__ xs,
     $results,
     $(of_each("int ", "m", ", ")), int k, int groups_m)
@   else
mmvq(const char *__restrict__ w, $(up)const signed char *__restrict__ xq,
     const unsigned *__restrict__ xs, float *__restrict__ c, int m, int k,
     int groups_m)
@   end
@ elseif joined then
mmvq($weights,
     const float *__restrict__ x,
     $results,
     $(of_each("int ", "m", ", ")), int k, int groups_m)
@ else
mmvq(const char *__restrict__ w, $(up)const float *__restrict__ x,
     float *__restrict__ c, int m, int k, int groups_m)
@ end
{
  __shared__ quad x_q[columns * chunks * kept];
  __shared__ unsigned x_s[columns * kept_x]; // d and s of each block, as f16
@ if waves_k > 1 then
  __shared__ float meet[waves_k][columns * group_rows];
@   if gated then
  __shared__ float up_meet[waves_k][columns * group_rows];
@   end
@ end
  int thread = threadIdx.x, wave = thread / lanes, lane = thread % lanes;
  int lane_k = lane % lanes_k, lane_r = lane / lanes_k;
  int wave_k = wave % waves_k, wave_r = wave / waves_k;
  int row_blocks = k / block_numbers;
@ if joined then
  // Blocks of rows: those of w come first, then those of w2.
  int end = (m + group_rows - 1) / group_rows;
@   for i = 2, products do
  int $(named("end", i)) = $(named("end", i - 1)) + ($(named("m", i)) + group_rows - 1) / group_rows;
@   end
@ else
  unsigned blocks = $(quant.stored("m"));
@ end
@ if split then

  // Part z of k; its sums are plane z of c.
  int part = (row_blocks - 1) / split_k + 1, first_block = blockIdx.z * part;
  int left = row_blocks - first_block;
  int units = (left < part ? left : part) * block_units;
  int first_k = first_block * block_numbers;
@   local all <const> = joined and "(" .. of_each("", "m", " + ") .. ")" or "m"
  c += (unsigned long long)blockIdx.z * columns * $all;
@ else
  constexpr int first_block = 0, first_k = 0;
  int units = row_blocks * block_units;
@ end
  int steps = (units - 1) / (depth * lanes_step) + 1;
  // This lane's first row of a block, and unit of a step.
  int row = wave_r * (lanes_r * rows) + lane_r;
  int first_u = wave_k * lanes_k + lane_k;
@ if not joined then
  int row_groups = (m + group_rows - 1) / group_rows;
@ end
@ -- Find a block's product: the pointer that it has, its rows, and its first block.
@ local function choose(group, pointer, own, rows, first)
@   for i = 2, products do
  if ($group >= $(named("end", i - 1))) {
    $pointer = $(own(i));
    $rows = $(named("m", i));
    $first = $(named("end", i - 1));
  }
@   end
@ end

  // What is loaded next: a block of rows, where they begin, and a step.
  int at_group = blockIdx.x, at_step = 0;
  unsigned at_row[rows];
@ if joined then
  const char *at_w = w;
  int at_m = m, at_first = 0;
  unsigned at_blocks;
@ end
@ local function place()
@   if joined then
@     choose("at_group", "at_w", function (i) return named("w", i) end, "at_m", "at_first")
  at_blocks = $(quant.stored("at_m"));
@   end
@   local last <const> = joined and "at_m" or "m"
@   local block <const> = joined and "(at_group - at_first)" or "at_group"
@   loop.block("r", rows, "rows", function (r)
    int y = $block * group_rows + $(plus("row", times(r, "lanes_r")));
@     if layout == "panels" then
    at_row[$r] = first_of(y < $last ? y : $last - 1, row_blocks) +
                 first_block * panel;
@     else
    at_row[$r] = (unsigned)(y < $last ? y : $last - 1) * row_blocks + first_block;
@     end
@   end)
@ end
@ local from <const> = joined and "at_w" or "w"
@ local blocks <const> = joined and "at_blocks" or "blocks"
@ place()
  quad q[depth * rows][quads];
  unsigned s[depth * rows][scale_words];
@ if gated then
  quad up_q[depth * rows][quads];
  unsigned up_s[depth * rows][scale_words];
@ end
@ local function load()
  load_step(q, s, $from, at_row,
            first_u + at_step * (depth * lanes_step), units, $blocks);
@   if gated then
  load_step(up_q, up_s, up, at_row,
            first_u + at_step * (depth * lanes_step), units, blocks);
@   end
@ end
@ local function advance()
  if (++at_step == steps) {
    at_step = 0;
@   if turns > 1 then
    at_group += groups_m; // past the last, rows are loaded in vain
@     indent(2, place)
@   end
  }
@ end
@ if ahead > 0 then
@   load()
@ end

@ local function to(column) return index(index(column, "chunks", "h"), "kept", "u") end
@ if apart then
@   local column <const> = n > 1 and "column" or "0"
#pragma unroll 2
  for (int i = thread; i < units * (unit / 16) * columns; i += threads) {
@   if n > 1 then
    // Blocks of all columns at the same k follow one another.
    int column = i / 2 % columns, at = (i / 2 / columns * 2 + i % 2) * 16;
@   else
    int at = i * 16;
@   end
    int u = $unit_from_k, h = $chunk_from_k;
    quad v = *(const quad *)(xq + ((unsigned)first_k * columns + i * 16));
    x_q[$(to(column))] = v;
  }
@   if n > 1 then
  for (int at = thread; at < units * unit / 32 * columns; at += threads) {
    unsigned s = xs[first_k / 32 * columns + at];
    int column = at % columns, i = at / columns;
@   else
  for (int i = thread; i < units * unit / 32; i += threads) {
    unsigned s = xs[first_k / 32 + i];
@   end
    x_s[$(index(column, "kept_x", "i"))] = s;
  }
@ else
@   loop.block("column", n, "columns", function (column)
@     local from <const> = plus(times(column, "(unsigned)k"), "first_k + at")
#pragma unroll 2
    for (int at = thread; at < units * unit; at += threads) {
      unsigned s;
      int v = to_q8_1(x[$from], &s), i = at / 32;
      int u = $unit_from_k, h = $chunk_from_k;
      quad *to = &x_q[$(to(column))];
      ((signed char *)to)[at % 16] = v;
      if (at % 32 == 0) {
        x_s[$(index(column, "kept_x", "i"))] = s;
      }
    }
@   end)
@ end
  barrier();

@ local row_groups <const> = joined and named("end", products) or "row_groups"
@ local group_at <const> = joined and "(group - own_first)" or "group"
@ local own_c <const>, own_m <const> = joined and "own_c" or "c", joined and "own_m" or "m"
  for (int group = blockIdx.x; group < $row_groups; group += groups_m) {
    float sum[sums] = {}$(up_sums);
@ if joined then
    float *own_c = c; // of this block's product
    int own_m = m, own_first = 0;
@   indent(2, choose, "group", "own_c", function (i)
@     if not split then return named("c", i) end
@     return "c + columns * " .. (i == 2 and "m" or "(m + m2)")
@   end, "own_m", "own_first")
@ end
    for (int step = 0; step < steps; step++) {
@ local function add(sum, q, s, from)
@   if ahead > 0 then
      multiply($sum, $q, $s, $from, at_row,
               first_u + at_step * (depth * lanes_step), $blocks, x_q, x_s,
@   else
      multiply($sum, $q, $s, x_q, x_s,
@   end
               first_u + step * (depth * lanes_step), units);
@ end
@ if ahead == 0 then
@   indent(4, load)
@ end
@ indent(4, advance)
@ add("sum", "q", "s", from)
@ if gated then
@   add("up_sum", "up_q", "up_s", "up")
@ end
    }
@ indent(2, loop.block, "i", rows * n, "sums", function (i)
@   local mask = 1
@   while mask < lanes_k do
    sum[$i] += from_lane<$mask>(sum[$i], lane);
@     if gated then
    up_sum[$i] += from_lane<$mask>(up_sum[$i], lane);
@     end
@     mask = mask * 2
@   end
@   local r <const> = n == 1 and i or i == "0" and "0" or i .. " / columns"
@   local column <const> = (n == 1 or i == "0") and "0" or i .. " % columns"
    int y = $(plus("row", times(r, "lanes_r")));
@   local mine <const> = "lane_k == " .. (i == "0" and "0" or i .. " % lanes_k")
@   if waves_k > 1 then
@     if gated then
    if ($mine) {
      meet[wave_k][$(index(column, "group_rows", "y"))] = sum[$i];
      up_meet[wave_k][$(index(column, "group_rows", "y"))] = up_sum[$i];
    }
@     else
    if ($mine)
      meet[wave_k][$(index(column, "group_rows", "y"))] = sum[$i];
@     end
@   else
    y += $group_at * group_rows;
    if ($mine && y < $own_m)
      $own_c[$(index(column, "(unsigned long long)" .. own_m, "y"))] = $(gated and "silu(sum[" .. i .. "]) * up_sum[" .. i .. "]" or "sum[" .. i .. "]");
@   end
@ end)
@ if waves_k > 1 then
    barrier();
    for (int i = thread; i < columns * group_rows; i += threads) {
@   if waves_k == 2 then
      float total = meet[0][i] + meet[1][i];
@   else
      float total = meet[0][i];
#pragma unroll
      for (int p = 1; p < waves_k; p++)
        total += meet[p][i];
@   end
@   if gated then
      float up_total = up_meet[0][i];
#pragma unroll
      for (int p = 1; p < waves_k; p++)
        up_total += up_meet[p][i];
      total = silu(total) * up_total;
@   end
      int y = $group_at * group_rows + i % group_rows;
      if (y < $own_m)
        $own_c[(unsigned long long)(i / group_rows) * $own_m + y] = total;
    }
@   if turns > 1 then
    barrier();
@   end
@ end
  }
}
@ if split then
@   quant.reduce(products)
@ end
